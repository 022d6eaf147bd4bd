# Verbs: run test test-again test-slow test-all bench lint docs fuzz soak clean. Each makes .venv and installs what it needs; nothing but python3 and make is assumed.
PYTHON ?= python3
BIN := .venv/bin
# of fuzz and soak: make fuzz MINUTES=10 SEED=1 READER=urdf COUNT=5000, make soak MINUTES=60
MINUTES ?=
SEED ?= 1
READER ?=
COUNT ?=
# of test: make test FULL=--full runs all examples of hypothesis
FULL ?=
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check

.PHONY: run test test-again test-slow test-all bench lint docs fuzz soak clean

run: .venv/.lissom
	$(BIN)/lissom demo --out out --force

test: .venv/.tools
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow" $(FULL)

# those that failed in the last run, one after the other: tests of browsers and threads may time out where others crowd the machine
test-again: .venv/.tools
	$(BIN)/python -m pytest -q --last-failed --last-failed-no-failures none --full

# slow tests and all parameter sets of sweeps: what `make test` leaves out
test-slow: .venv/.tools
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m slow --full

# all of them, and all examples of hypothesis; CI does the same in two parts: make test FULL=--full, make test-slow
test-all: .venv/.tools
	$(BIN)/python -m pytest -q -n auto --dist worksteal --full

bench: .venv/.tools
	$(BIN)/python -m benchmarks

lint: .venv/.tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tools/package_graph.py
	@long=$$(find src -name '*.py' -exec awk 'END { if (NR > 300) print FILENAME ": " NR " lines, 300 is the limit" }' {} \;); \
	test -z "$$long" || { echo "$$long"; exit 1; }

# the documentation site, in out/site: open out/site/index.html
docs: .venv/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q
	@echo "written: out/site/index.html"

# mutated inputs over all readers, each followed to its first torque; what fails is kept in out/fuzz
fuzz: .venv/.tools
	$(BIN)/python -m tests.fuzz --seed $(SEED) $(if $(READER),--reader $(READER)) $(if $(COUNT),--count $(COUNT)) $(if $(MINUTES),--minutes $(MINUTES))

# mixed work from threads and processes for an hour; memory, handles and results are watched
soak: .venv/.tools
	$(BIN)/python -m tests.soak $(if $(MINUTES),--minutes $(MINUTES))

# installed again whenever pyproject.toml changes; lissom itself is installed editable, so that edits to src need nothing
.venv/.lissom: pyproject.toml | .venv/bin/python
	@echo "installing lissom into .venv"
	@$(PIP) --editable '.[predict]'
	@touch $@

.venv/.tools: pyproject.toml | .venv/bin/python
	@echo "installing lissom with its test and development tools into .venv"
	@$(PIP) --editable '.[mjcf,test,dev]'
	@touch $@ .venv/.lissom

.venv/.docs: pyproject.toml | .venv/bin/python
	@echo "installing lissom with the tools of the documentation site into .venv"
	@$(PIP) --editable '.[predict,view,robots,docs]'
	@touch $@ .venv/.lissom

.venv/bin/python:
	@echo "making .venv with $(PYTHON)"
	@$(PYTHON) -m venv .venv

clean:
	rm -rf .venv build dist out .pytest_cache .mypy_cache .ruff_cache .hypothesis
