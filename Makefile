# Needs make and Python >= 3.11 with venv; everything else goes into .venv.
#   make ask Q="cheapest for 72h on 4×A100"
#   make test

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)

# The question reaches the program as it was typed: `make` would read the $4 of $490 as a variable of its own.
override Q := $(value Q)
export Q

.DEFAULT_GOAL := help
.PHONY: help ask test lint format types check serve docs clean

help:
	@echo 'make ask Q="cheapest for 72h on 4×A100"   ask a question'
	@echo 'make test     run the tests'
	@echo 'make lint     look for mistakes and unformatted files;  make format  mends the second'
	@echo 'make types    check the types'
	@echo 'make check    check the knowledge folder'
	@echo 'make serve    run the Slack app'
	@echo 'make docs     put today'"'"'s answers into README.md and its picture'
	@echo 'make clean    remove .venv and the caches'

ask: $(VENV)/.base
	@test -n "$$Q" || { echo 'Say what to ask: make ask Q="cheapest for 72h on 4×A100"' >&2; exit 2; }
	@$(BIN)/python -m bot ask -- "$$Q"

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto -rs

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/hadolint Dockerfile

format: $(VENV)/.dev
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

types: $(VENV)/.dev
	$(BIN)/mypy

check: $(VENV)/.base
	$(BIN)/python -m bot check

serve: $(VENV)/.dev
	$(BIN)/python -m bot serve

docs: $(VENV)/.base
	$(BIN)/python docs/refresh.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# A stamp stands for a finished installation; it is made again when pyproject.toml changes.
$(VENV)/.base: pyproject.toml
	@$(make-venv)
	@echo 'Installing what an answer needs into $(VENV) …' >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . >&2
	@touch $@

$(VENV)/.dev: pyproject.toml
	@$(make-venv)
	@echo 'Installing what the tests need into $(VENV) …' >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,serve,bench]' >&2
	@touch $(VENV)/.base $@

define make-venv
test -n "$(PYTHON)" || { echo 'gpu-bot needs Python 3.11 or newer: install it, or name it with make PYTHON=…' >&2; exit 2; }; \
$(BIN)/python -m pip --version >/dev/null 2>&1 || "$(PYTHON)" -m venv --clear $(VENV)
endef
