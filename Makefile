# Verbs: run test test-all bench lint clean. Each makes .venv and installs what it needs; nothing but python3 and make is assumed.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run test test-all bench lint clean

run: $(STAMP)
	$(BIN)/lissom demo --out out

test: $(STAMP)
	$(BIN)/python -m pytest -q -m "not slow"

test-all: $(STAMP)
	$(BIN)/python -m pytest -q

bench: $(STAMP)
	$(BIN)/python -m benchmarks

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	@find src -name '*.py' -exec awk 'END { if (NR > 300) { print FILENAME ": " NR " lines, 300 is the limit"; exit 1 } }' {} \; \
	| { ! grep . ; }

# installing again whenever pyproject.toml changes; the package itself is editable, so edits to src need nothing
$(STAMP): pyproject.toml
	@test -x $(BIN)/python || { echo "making .venv with $(PYTHON)"; $(PYTHON) -m venv .venv; }
	@echo "installing lissom with its test and development tools into .venv"
	@$(PIP) --editable '.[mjcf,test,dev]'
	@touch $@

clean:
	rm -rf .venv build dist out .pytest_cache .mypy_cache .ruff_cache .hypothesis
