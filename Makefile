# Two commands need nothing but Python >= 3.11 and make:
#   make reproduce   both experiments of the paper, into results/
#   make test        lint, types, import contracts, and the tests
.PHONY: reproduce test test-slow lint bench clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

$(VENV)/.installed: pyproject.toml constraints.txt
	@echo "Installing into $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --editable .
	@touch $@

$(VENV)/.developing: $(VENV)/.installed
	@$(PIP) --editable '.[dev]'
	@touch $@

reproduce: $(VENV)/.installed
	@$(BIN)/driftbandit reproduce

lint: $(VENV)/.developing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile -m "not slow"

test-slow: $(VENV)/.developing
	$(BIN)/python -m pytest -m slow

bench: $(VENV)/.developing
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) results .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
