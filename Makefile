# Every target makes what it needs in .venv; nothing is installed outside this folder.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := CMakeLists.txt native/CMakeLists.txt pyproject.toml \
  $(shell find native -path native/tests -prune -o -name '*.[ch]pp' -print)

.PHONY: setup demo test test-slow native-test check format bench bench-setup studio clean

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
	$(BIN)/python -m pytest

test-slow: setup
	$(BIN)/python -m pytest -m slow

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
