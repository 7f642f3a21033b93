# Everything a newcomer needs: `make demo` and `make test`. Each installs what is missing first.
BUILD := build
JOBS := $(shell nproc)

.PHONY: build test demo bench lint format install configure clean

build: configure
	@cmake --build --preset release -j $(JOBS) --target hearsay

test: configure
	@scripts/install test
	@cmake --build --preset release -j $(JOBS)
	@HEARSAY_CABS=$$(scripts/cab_data $(BUILD)) ctest --preset release -j $(JOBS)

demo: build
	@$(BUILD)/hearsay demo

bench: configure
	@cmake --build --preset release -j $(JOBS) --target hearsay_bench
	@HEARSAY_CABS=$$(scripts/cab_data $(BUILD)) $(BUILD)/bench/hearsay_bench

lint:
	@scripts/install lint
	@scripts/lint

format:
	@scripts/install lint
	@git ls-files '*.cc' '*.h' | xargs clang-format -i

install:
	@scripts/install

configure: install
	@cmake --preset release --log-level=WARNING >/dev/null

clean:
	rm -rf $(BUILD)
