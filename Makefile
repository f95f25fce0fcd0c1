# Every target makes what it needs in .venv; nothing is installed outside this folder.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := CMakeLists.txt native/CMakeLists.txt pyproject.toml \
  $(shell find native -path native/tests -prune -o -name '*.[ch]pp' -print)

.PHONY: setup demo test test-slow native-test check tidy asan-test tsan-test format bench bench-setup \
  studio clean

setup: $(VENV)/.built

$(VENV)/.tools: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev --group build
	touch $@

# Rebuilt when the C++ changes; Python files are used in place.
$(VENV)/.built: $(VENV)/.tools $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --editable '.[studio,physics]'
	cp $$($(BIN)/python -c 'import surefoot._native as n; print(n.__file__.split("_native")[0])')_*.pyi src/surefoot/
	touch $@

demo: setup
	$(BIN)/surefoot demo

test: setup
	$(BIN)/python -m pytest --durations=10

# Long proofs, and property tests with new cases; what these find becomes an @example of the test.
test-slow: setup
	$(BIN)/python -m pytest -m 'slow or hypothesis' --hypothesis-profile=drawn

# The native core and its tests: no Python, with sanitizers, by the compiler in CXX.
NATIVE_TEST := build/native-test/$(notdir $(lastword $(CXX)))

native-test: $(VENV)/.tools
	$(BIN)/cmake -G Ninja -S native -B $(NATIVE_TEST) -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) \
	  -DSUREFOOT_SANITIZE=ON -DSUREFOOT_OPTIMIZATION=-O1
	$(BIN)/cmake --build $(NATIVE_TEST) --target native_tests
	$(NATIVE_TEST)/tests/native_tests $(TESTS)

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(shell find native -name '*.[ch]pp')
	$(MAKE) --no-print-directory --jobs=$$(getconf _NPROCESSORS_ONLN) $(TIDY_STAMPS)

# clang-tidy over the core, with the checks of .clang-tidy: over what changed since it was clean, and
# over everything when a header changed. The bindings are nanobind's idioms.
TIDIED := $(filter-out native/bindings/% native/tests/%,$(shell find native -name '*.cpp'))
TIDY_STAMPS := $(TIDIED:native/%.cpp=build/tidy/%.clean)
COMPILED = $$(dirname $$(ls -t build/cp*/compile_commands.json | head -n 1))

build/tidy/%.clean: native/%.cpp .clang-tidy $(shell find native -name '*.hpp') | setup
	@mkdir -p $(@D)
	$(BIN)/clang-tidy --quiet -p $(COMPILED) $<
	@touch $@

# The static analyzer, which follows values through functions: ten times as long.
tidy: setup
	$(BIN)/python $(BIN)/run-clang-tidy.py -quiet -clang-tidy-binary $(BIN)/clang-tidy \
	  -p $(COMPILED) -checks='-*,clang-analyzer-*' $(TIDIED)

# The Python tests over a native core that Clang's sanitizers watch; TESTS="tests/world ..." picks some.
asan-test: setup
	$(BIN)/python tools/sanitized_tests.py address $(TESTS)

tsan-test: setup
	$(BIN)/python tools/sanitized_tests.py thread $(TESTS)

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(shell find native -name '*.[ch]pp')

# Peers to measure against live in an environment of their own.
bench-setup: .venv-bench/.built

.venv-bench/.built: benchmarks/peers.txt $(SOURCES) $(shell find src -name '*.py')
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check \
	  --config-settings=build-dir=build/bench -r benchmarks/peers.txt '.[physics]'
	touch $@

bench: bench-setup
	.venv-bench/bin/surefoot bench --all --json out/bench

studio: setup
	$(BIN)/surefoot studio

clean:
	rm -rf $(VENV) .venv-bench build dist out
