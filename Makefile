# `make verify` and `make test` need nothing but Python 3.11+ and make: they create .venv themselves.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
# A checkout keeps its own cache of verdicts, so a clean checkout verifies from cold.
export SNAPREF_CACHE ?= $(CURDIR)/.cache/snapref
JOBS ?= 2

.PHONY: bench crosscheck-real kernel report verify test mutants lint notes coverage clean

verify: $(READY)
	$(BIN)/snapref verify --jobs $(JOBS)
	$(BIN)/snapref claims --check

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) --cov=snapref --cov-branch --cov-fail-under=100 --cov-report=term

report: verify  # the dossier: one page with everything, from the evidence of `make verify`
	$(BIN)/snapref report --out dossier.html

mutants: $(READY)  # every source mutant of Λ, rounding and clamp: killed by an obligation, or proved equivalent
	$(BIN)/python -m snapref_smt.mutants

kernel:  # Theorem 1 in Coq, from cold: the theorems, what they rest on, the time; says what to install where Coq is missing
	@JOBS=$(JOBS) proofs/kernel/build.sh

bench: $(READY)  # the performance table; diffprivlib is in it once `make crosscheck-real` installed it
	$(BIN)/snapref bench

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

notes: $(READY)  # the generated pages; errata and map need the results of `make verify`
	$(BIN)/python -m snapref_harness.api > notes/api.md
	$(BIN)/snapref claims --write

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'snapref needs Python 3.11 or newer; set PYTHON=/path/to/python3.11' >&2; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

# Production implementations, cross-checked for real, in an environment of their own. Not part of the tests.
REAL := .venv-real/bin/python
crosscheck-real: .venv-real/.ready
	$(REAL) crosscheck/real/run.py

.venv-real/.ready: pyproject.toml constraints.txt crosscheck/real/requirements.txt
	$(PYTHON) -m venv .venv-real
	$(REAL) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --requirement crosscheck/real/requirements.txt --editable '.[arb]'
	$(REAL) -m pip install --quiet --disable-pip-version-check --no-deps opendp-smartnoise-core==0.2.3
	$(REAL) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation crlibm==1.0.3 || echo 'crlibm did not build: diffprivlib is checked without it' >&2
	@touch $@

clean:
	rm -rf .venv .venv-real .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
