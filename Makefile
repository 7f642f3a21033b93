# Everything a newcomer needs: `make demo` and `make test`. Each installs what is missing first.
BUILD := build
JOBS := $(shell scripts/cores)

# How long `make fuzz` runs each target.
SECONDS_EACH := 300

.PHONY: build docs-numbers test test-long test-long-tests test-long-sanitizers test-long-faults tests test-sanitize fuzz mutants sbom demo bench advice defences wheel dist check-dist lint format install configure clean

build: configure
	@cmake --build --preset release -j $(JOBS) --target hearsay

# The short tests: what a change must pass before it lands.
test: tests
	@ctest --preset release -j $(JOBS) -LE long

# The slow checks (docs/testing.md): tests on the data that HEARSAY_CABS and HEARSAY_DATA name, sanitizers, planted faults.
# PARTS="tests" for some of them.
LONG_PARTS := $(or $(PARTS),tests sanitizers faults)
test-long: $(LONG_PARTS:%=test-long-%)
test-long-tests: tests
	@cmake --build --preset release -j $(JOBS) --target counted hearsay_bench pieces_bench make_events
	@HEARSAY_CABS=$$(scripts/cab_data $(BUILD)) ctest --preset release -j $(JOBS) -L long
test-long-sanitizers: tests
	@scripts/test_sanitize quick
test-long-faults: tests
	@scripts/mutate

# Everything that the tests need: packages, a Python environment, the program, its tests and the Python module.
tests:
	@scripts/install test
	@scripts/python_environment $(BUILD)/python-environment
	@cmake --preset release --log-level=WARNING -DHEARSAY_PYTHON=ON \
	  -DPython_EXECUTABLE=$(CURDIR)/$(BUILD)/python-environment/bin/python >/dev/null
	@cmake --build --preset release -j $(JOBS)

# All C++ tests under address and undefined behaviour sanitizers, then under thread sanitizer.
test-sanitize: install
	@scripts/install test
	@HEARSAY_CABS=$$(scripts/cab_data $(BUILD)) scripts/test_sanitize

fuzz: install
	@scripts/fuzz $(SECONDS_EACH)

mutants: configure
	@scripts/mutate

# Writes the figures that the documentation quotes from runs of the program. `make test-long` fails where they have drifted.
docs-numbers: build
	@HEARSAY_CABS=$$(scripts/cab_data $(BUILD)) scripts/docs_numbers $(BUILD)/hearsay

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

# `hearsay advise` beside a full grid (docs/advice.md). PARTS="demo cabs" for some.
advice: build
	@HEARSAY_CABS=$$(scripts/cab_data $(BUILD)) /usr/bin/python3 bench/advice.py $(BUILD) $(PARTS)

# The tables of docs/defences.md: every mechanism and preset on the demo and the cabs. PARTS="demo cabs sweep" for some.
defences: build
	@HEARSAY_CABS=$$(scripts/cab_data $(BUILD)) /usr/bin/python3 bench/defences.py $(BUILD) $(PARTS)

# What is installed without a compiler: wheels for the Pythons named (PYTHONS="python3.11 python3.12"), an archive and a Debian
# package; then, with check-dist, all of them in bare Debian roots.
wheel: build
	@scripts/install dist
	@scripts/wheel $(BUILD) $(PYTHONS)

dist: build
	@scripts/dist $(BUILD)

# What `make dist wheel` left: what is missing, or of another commit, it names.
check-dist:
	@scripts/install dist
	@scripts/check_dist $(BUILD)

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

# The roots of check-dist belong to root.
clean:
	@[ ! -e $(BUILD)/roots ] || [ "$$(id -u)" = 0 ] || sudo rm -rf $(BUILD)/roots
	rm -rf $(BUILD) build-cpython-* build-wheel-*
