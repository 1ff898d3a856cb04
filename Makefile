# Everything that people and CI run. `make demo` and `make test` need Python >= 3.10 and nothing else.

VENV ?= .venv
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python3.10; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && echo $$python && break; done)
PYTHONS ?=
JOBS ?= 2
BIN := $(VENV)/bin
# What `make check` asks of the project itself; the other rules are part of `make test`.
RULES := tests/rules

.PHONY: help demo test check docs tutorial bench transparency gpu-check real clean

help:
	@echo "make demo          see two real hangs being explained"
	@echo "make test          run the tests; what this machine lacks is skipped with its reason"
	@echo "make check         format, lint, types, layers, the probe's Python versions, the rules"
	@echo "make docs          write docs/causes and the example of the README anew"
	@echo "make tutorial      run the commands of docs/tutorial.md and write what they print (needs real)"
	@echo "make bench         measure what the README's figures say"
	@echo "make transparency  run CPython's own tests bare and under hangbisect (PYTHONS=...)"
	@echo "make gpu-check     train on a GPU bare and under hangbisect, where there is one"
	@echo "make real          add torch to the environment, for the tests marked 'real'"
	@echo "make clean         remove the environment and everything that was built"

# One environment, two stages: what the command needs, and what the tests need.
$(VENV)/installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "no Python >= 3.10 found: name one with PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "$(PYTHON) cannot make an environment: install its venv module (python3-venv)"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-test: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

demo: $(VENV)/installed
	@$(BIN)/python fixtures/demo.py

test: $(VENV)/installed-test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup $(ARGS)

real: $(VENV)/installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[real]'

check: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --platform linux
	$(BIN)/mypy --platform win32
	$(BIN)/mypy --platform darwin
	$(BIN)/lint-imports
	$(BIN)/vermin --quiet --no-tips --violations -t=3.8- hangbisect/probe
	$(BIN)/python -m hangbisect.causes._docs --check docs/causes
	$(BIN)/python -m pytest -q -p no:cacheprovider $(RULES)

docs: $(VENV)/installed
	$(BIN)/python -m hangbisect.causes._docs docs/causes
	$(BIN)/python fixtures/demo.py --write README.md

tutorial: real
	$(BIN)/python tests/real/tutorial.py docs/tutorial.md

bench: $(VENV)/installed
	$(BIN)/python benchmarks/import_torch.py

transparency: $(VENV)/installed
	$(BIN)/python tests/transparency/run.py $(PYTHONS)

gpu-check: $(VENV)/installed
	$(BIN)/python tests/real/gpu_check.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find fixtures -type d -name build -prune -exec rm -rf {} +
	find . -type d -name __pycache__ -prune -exec rm -rf {} +
