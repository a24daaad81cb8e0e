# Three commands need nothing but Python >= 3.11 and make (and the tests a C++ compiler):
#   make reproduce   both experiments of the paper, into results/
#   make test        lint, types, import contracts, and the tests
#   make docs        the site of the documentation, into build/docs
.PHONY: reproduce test test-slow test-oldest lint browser docs arena figures screens bench bench-native clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile \
  --constraint constraints.txt
# On all cores, where pip uses one. Files that are no Python fail here, and do no harm.
BYTECODE := $(BIN)/python -m compileall -qq -j 0 -x /tests/ $(VENV)/lib || true

# An environment knows by its path where it is, and where the package is: elsewhere it fails, or runs the other clone.
MADE := $(shell made=$$(sed -n 's|^command = .* -m venv [^/]*||p' $(VENV)/pyvenv.cfg 2>/dev/null); \
  [ -z "$$made" ] || [ "$$made" -ef $(VENV) ] || echo "$$made")
ifneq ($(MADE),)
ifneq ($(MAKECMDGOALS),clean)
$(error $(VENV) was made as $(MADE), and works nowhere else: call rm -rf $(VENV), and make again)
endif
endif

$(BIN)/python:
	@echo "Installing into $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python pyproject.toml constraints.txt
	@$(PIP) --editable .
	@$(BYTECODE)
	@touch $@

# All at once: in a new clone there is no need to install the package alone first.
$(VENV)/.developing: $(BIN)/python pyproject.toml constraints.txt
	@$(PIP) --editable '.[dev,docs]'
	@$(BYTECODE)
	@touch $@ $(VENV)/.installed

reproduce: $(VENV)/.installed
	@$(BIN)/driftbandit reproduce

lint: $(VENV)/.developing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The tests' browser, if Debian's can be had and none is there.
browser:
	@$(PYTHON) tests/browser.py

test:
	@$(MAKE) --no-print-directory --jobs 2 lint browser
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile -m "not slow"

$(VENV)/.testing-slowly: $(VENV)/.developing constraints-slow.txt
	@$(PIP) --constraint constraints-slow.txt --editable '.[slow]'
	@touch $@

test-slow: $(VENV)/.testing-slowly
	$(BIN)/python -m pytest -m slow

# The same bytes from every Python and from the oldest dependencies: some minutes.
test-oldest: $(VENV)/.developing
	cd tests && ../$(BIN)/python -m distribution.versions

$(VENV)/.documenting: $(VENV)/.installed
	@$(PIP) --editable '.[docs]'
	@touch $@

docs: $(VENV)/.documenting
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --nitpicky docs build/docs
	@echo "build/docs/index.html"

# The contest of docs/how-to/arena.md, and its figure in the README: minutes, the first time more.
arena: $(VENV)/.installed
	$(BIN)/driftbandit arena
	cp results/arena/arena.png docs/figures/arena.png

# The pictures of docs/families, the table of docs/how-to/which-policy.md, and both of live-agent.md.
figures: $(VENV)/.installed
	$(BIN)/python -m benchmarks.families
	$(BIN)/python -m benchmarks.vigilance
	$(BIN)/python -m benchmarks.guide
	$(BIN)/python -m benchmarks.delays

# The pictures of the report and of the dashboard, taken in a browser.
screens: $(VENV)/.developing browser
	PYTHONPATH=tests $(BIN)/python -m benchmarks.screens

# With the native program if `make bench-native` has built it, and with those of river, pymab,
# SMPyBandits and mabwiser that are installed into the environment.
bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks speed

# The native yardstick: a C++17 compiler builds it, a processor with AVX2 runs it.
NATIVE := build/native/bandits
NATIVE_FLAGS := -std=c++17 -O3 -mavx2 -mfma -ffp-contract=off -Wall -Wextra

bench-native: $(NATIVE)

$(NATIVE): $(wildcard benchmarks/yardsticks/native/*.hpp benchmarks/yardsticks/native/*.cpp)
	@echo | $(CXX) $(NATIVE_FLAGS) -fsyntax-only -x c++ - 2>/dev/null || \
	  { echo "bench-native needs a C++17 compiler that knows AVX2; CXX is $(CXX)" >&2; exit 1; }
	@mkdir -p $(@D)
	$(CXX) $(NATIVE_FLAGS) -o $@ benchmarks/yardsticks/native/bandits.cpp

clean:
	rm -rf $(VENV) build results .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
