# `make verify` and `make test` need nothing but Python 3.11+ and make: they create .venv themselves.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
# A checkout keeps its own cache of verdicts, so a clean checkout verifies from cold.
export SNAPREF_CACHE ?= $(CURDIR)/.cache/snapref
JOBS ?= 2

.PHONY: verify test lint coverage clean

verify: $(READY)
	$(BIN)/snapref verify --jobs $(JOBS)

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) --cov=snapref --cov-branch --cov-fail-under=100 --cov-report=term

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'snapref needs Python 3.11 or newer; set PYTHON=/path/to/python3.11' >&2; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
