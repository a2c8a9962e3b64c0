# `make verify` and `make test` need nothing but Python 3.11+ and make: they create .venv themselves.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
# A checkout keeps its own cache of verdicts, so a clean checkout verifies from cold.
export SNAPREF_CACHE ?= $(CURDIR)/.cache/snapref
JOBS ?= 2
# The tests start hundreds of processes. None of them compiles again what another one has compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: bench crosscheck-real docs kernel ready report verify verify-busy test mutants mutants-quick lint notes clean

ready: $(READY)  # the environment, and nothing else
	@echo 'ready: . .venv/bin/activate'

verify: $(READY)
	$(BIN)/snapref verify --jobs $(JOBS) --progress
	$(BIN)/snapref claims --check

verify-busy: $(READY)  # everything from cold beside six busy loops: that takes longer, and decides as much
	tests/busy.sh 6 $(BIN)/snapref verify --jobs $(JOBS) --no-cache

test: $(READY)  # the reference's own tests must reach every line and branch of it; of the others some wait, so one more runs at a time; tests/kernel: make kernel
	$(BIN)/python -m pytest -n $(JOBS) tests/reference --cov=snapref --cov-fail-under=100
	$(BIN)/python -m pytest -n $$(($(JOBS) + 1)) --dist worksteal --ignore tests/reference --ignore tests/kernel

report: verify  # the dossier: one page with everything, from the evidence of `make verify`
	$(BIN)/snapref report --out dossier.html

mutants: $(READY)  # one mistake at a time in the reference, the batch program and Theorem 1: hours, and goes on where it ended
	$(BIN)/python -m snapref_harness.mutants --jobs $(JOBS) --learn

mutants-quick: $(READY)  # a few mutants of every file, which died within seconds before and must die again: minutes
	$(BIN)/python -m snapref_harness.mutants --jobs $(JOBS) --quick

kernel: $(READY)  # Theorem 1 in Coq, from cold; then into the ledger; and that it can fail. Says what to install
	@JOBS=$(JOBS) proofs/kernel/build.sh
	$(BIN)/snapref verify kernel.theorem1 --thorough
	$(BIN)/python -m pytest -n $(JOBS) tests/kernel

bench: $(READY)  # the performance table; diffprivlib is in it once `make crosscheck-real` installed it
	$(BIN)/snapref bench

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(READY)  # the book as a site: open site/index.html. A broken link fails
	$(BIN)/sphinx-build -W --keep-going -q -j auto notes site
	@echo 'site/index.html'

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
	$(REAL) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --requirement crosscheck/real/requirements.txt --editable .
	$(REAL) -m pip install --quiet --disable-pip-version-check --no-deps opendp-smartnoise-core==0.2.3
	$(REAL) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation crlibm==1.0.3 || echo 'crlibm did not build: diffprivlib is checked without it' >&2
	@touch $@

clean:
	rm -rf .venv .venv-real .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
