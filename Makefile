# `make run` opens the table, `make test` checks everything; both set up what they need on a fresh machine.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: run test setup system pi bench screenshots words clean

run: setup
	$(BIN)/tabularium $(ARGS)

test: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest

setup: system $(VENV)/.done

system:
	@sh docs/system.sh

$(VENV)/.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

# The hardware packages, on a Raspberry Pi: mfrc522 without its RPi.GPIO, which rpi-lgpio replaces (also on a Pi 5).
pi: setup
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt spidev rpi-lgpio lgpio
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt --no-deps mfrc522

bench: setup
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV)
