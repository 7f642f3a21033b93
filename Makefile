# Everything a newcomer needs: `make demo` and `make test`. Each installs what is missing first.
BUILD := build
JOBS := $(shell scripts/cores)

# How long `make fuzz` runs each target.
SECONDS_EACH := 300

.PHONY: build test test-sanitize fuzz mutants sbom demo bench defences lint format install configure clean

build: configure
	@cmake --build --preset release -j $(JOBS) --target hearsay

test: configure
	@scripts/install test
	@cmake --build --preset release -j $(JOBS)
	@HEARSAY_CABS=$$(scripts/cab_data $(BUILD)) ctest --preset release -j $(JOBS)

# The whole suite under address and undefined behaviour sanitizers, then under thread sanitizer.
test-sanitize: install
	@scripts/install test
	@HEARSAY_CABS=$$(scripts/cab_data $(BUILD)) scripts/test_sanitize

fuzz: install
	@scripts/fuzz $(SECONDS_EACH)

mutants: configure
	@scripts/mutate

# The software bill of materials, CycloneDX, of what is installed here.
sbom: build
	@scripts/supply_chain.mjs sbom $(BUILD) >$(BUILD)/sbom.cdx.json
	@echo $(BUILD)/sbom.cdx.json

demo: build
	@$(BUILD)/hearsay demo

# What docs/performance.md promises, each with its figure: PARTS="grid cabs" for some of it. Stage by stage:
# build/bench/hearsay_bench.
bench: configure
	@scripts/install bench
	@cmake --build --preset release -j $(JOBS) --target hearsay hearsay_bench make_events
	@HEARSAY_CABS=$$(scripts/cab_data $(BUILD)) /usr/bin/python3 bench/measure.py $(BUILD) $(PARTS)

# The tables of docs/defences.md: every mechanism and preset on the demo and the cabs. PARTS="demo cabs sweep" for some.
defences: build
	@HEARSAY_CABS=$$(scripts/cab_data $(BUILD)) /usr/bin/python3 bench/defences.py $(BUILD) $(PARTS)

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
