# `make run` opens the table, `make test` checks everything. Both set up what they need, also on a fresh machine.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt
RUN_PACKAGES := $(shell sed '/besides/,$$d' constraints.txt | grep -c ==)
DEV_PACKAGES := $(shell sed '1,/besides/d' constraints.txt | grep -c ==)
SHELL := /bin/bash
# A worker more than cores, as some wait; who has done its share takes of the others'.
SPREAD := -n $(shell echo $$(($$(nproc) + 1))) --dist worksteal
# The Pythons it runs with: keep to pyproject.toml's requires-python.
BOUNDS := (3, 11) <= sys.version_info[:2] <= (3, 13)
# Where .venv was made, and for which Python: a checkout that was moved, or a Python that was replaced, needs another.
MADE = $(CURDIR) $$($(BIN)/python -c 'import sys; print(*sys.version_info[:2])' 2>/dev/null)

# Says what pip and apt-get fetch, and how far it is ($1: of how many): else the first `make run` is silent for minutes.
FETCHED = { n=0; while read -r how what rest; do case "$$how $$what $$rest" in \
	*.metadata*) ;; \
	"Using cached "*) n=$$((n + 1)); echo "  $$n$1: $${rest%%-[0-9]*}, fetched earlier";; \
	Downloading*) n=$$((n + 1)); echo "  $$n$1: $${what%%-[0-9]*} $$rest";; \
	Processing*) n=$$((n + 1)); what="$${what\#\#*/}"; echo "  $$n$1: $${what%%-[0-9]*}, from this computer";; \
	Get:*) n=$$((n + 1)); echo "  $$n: $$rest";; \
	"Installing build "*started) echo "  what builds packages ...";; \
	"Installing collected "*) echo "  unpacking all of it ...";; \
	esac; done; }

# Installs what pyproject.toml names, with the extra $1 ($2 packages). Without a network, what is there already will do.
define INSTALL
	@set -o pipefail; $(PIP) -e '.$(if $1,[$1])' 2>$(BIN)/pip.log | $(call FETCHED, of $2) || { \
	  if ! grep -qE "NewConnection|NameResolution|Failed to |Network is unreachable|timed out" $(BIN)/pip.log; then \
	    cat $(BIN)/pip.log >&2; exit 1; \
	  elif $(BIN)/python -c 'import tomllib; of = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	    print(*of["dependencies"], *of["optional-dependencies"].get("$1", []), sep="\n")' | \
	    $(PIP) --no-index --dry-run -q -r /dev/stdin 2>/dev/null; then \
	    echo "There is no network: going on with what is installed, which will do."; \
	  else \
	    echo "There is no network, and packages are missing: connect this computer and try again." >&2; exit 1; \
	  fi; }
endef

.PHONY: run hall test quick soak bench pictures screenshots docs words goldens mutants pi release site rehearse fresh tools broker setup dev python system clean

run: setup
	@$(BIN)/python -m companion.cli.carry .
	@$(BIN)/tabularium $(ARGS)

# Many tables at once, to look at: a broker, a hall and three tables that play by themselves. Faster: make hall ARGS="--pace 0.1".
hall: dev broker
	@$(BIN)/python -m tests.hall_demo $(ARGS)

test: dev tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest $(SPREAD)

# What tells most in a minute: rules, laws, records and the evening, at two tables a game. No windows, devices, halls or
# programs of their own: they are for `make test`.
LONG := install hall rc522 hub drivers explaining backup traces hour ear perft ui spoken guide mistakes words
quick: dev
	$(BIN)/ruff check .
	TABULARIUM_TESTS=few $(BIN)/pytest $(SPREAD) -m "not window and not slow" $(LONG:%=--ignore-glob='tests/test_%*')

# What takes longer than the suite may: its tests at every table and in every window, then random games, fuzzed inputs,
# kills, garbled stores (two hours on two cores); a hall and its broker that are killed. Fewer: make soak ARGS="--games 500 --inputs 2000 --kills 20 --garbled 20".
soak: dev
	TABULARIUM_TESTS=all $(BIN)/pytest $(SPREAD)
	$(BIN)/python -m tests.soak $(ARGS)
	$(BIN)/python -m tests.hall_kills

# Benchmarks, each beside something else measured in the same run.
bench: dev
	$(BIN)/python -m benchmarks

# Every screen at three sizes, into screenshots/ (not tracked). Fewer: make pictures ARGS="--only 'caesar-*' --lang de".
pictures screenshots: dev
	$(BIN)/python -m ui.pictures screenshots $(ARGS)

# The pages of the rules, the pictures of the README, and the way of a card.
docs: dev
	$(BIN)/python -m companion.cli.pages
	$(BIN)/python -m ui.pictures docs --docs
	$(BIN)/python -m tests.way

# Changes one thing at a time and looks whether a test notices: make mutants ARGS="companion/session/session.py --sample 50".
mutants: dev
	$(BIN)/python -m tests.mutants $(ARGS)

# Collects the texts into the catalogues and compiles them.
words: dev
	$(BIN)/python -m companion.locale

# Rewrites the expected outputs in tests/goldens and docs/transcript.md; read the diff before you commit it.
goldens: dev
	$(BIN)/python -m tests.test_goldens
	$(BIN)/python -m tests.test_spoken
	$(BIN)/python -m tests.test_docs

# On a Raspberry Pi: installs all of it (firmware_notes/installing.md). Only looking: make pi ARGS=--dry-run.
pi:
	@sudo ./install $(ARGS)

# Everything that is handed out, of what is committed, into dist/ (pi/making.py). Signed: make release KEY=~/.ssh/release.
release: dev .venv/build/.ready
	$(BIN)/python -m pi.making dist --python .venv/build/bin/python $(if $(KEY),--key $(KEY)) $(ARGS)

.venv/build/.ready: pi/build.txt
	@$(PYTHON) -m venv .venv/build
	@.venv/build/bin/python -m pip install --disable-pip-version-check -q --require-hashes --no-deps -r $<
	@touch $@

# The site, of the pages that are there, into dist/site: make site, then open dist/site/index.html.
site: dev .venv/site/.ready
	$(BIN)/python docs/site/build.py dist/site --sphinx .venv/site/bin/python $(ARGS)

.venv/site/.ready: docs/site/requirements.txt
	@$(PYTHON) -m venv .venv/site
	@.venv/site/bin/python -m pip install --disable-pip-version-check -q --no-deps -r $<
	@touch $@

# The same on an emulated arm64 Debian, compared before and after (most of an hour, as root, 3 GB).
rehearse: dev
	$(BIN)/python -m tests.rehearse $(ARGS)

# Both README commands on fresh Debian 12 and 13, as root and as a user (as root, half an hour, 5 GB; debootstrap).
fresh:
	@$(PYTHON) -m tests.fresh $(ARGS)

# What only tests need: it is installed if we may, otherwise named, and the tests that need it are left out (in CI they fail).
tools: broker
	@$(call TOOLS,$$(command -v shellcheck >/dev/null || echo shellcheck) \
	$$(command -v systemd-analyze >/dev/null || echo systemd) \
	$$(command -v espeak-ng >/dev/null || echo espeak-ng) $$(command -v aplay >/dev/null || echo alsa-utils) \
	$$(PATH="$$PATH:/usr/sbin" command -v pcscd >/dev/null || echo pcscd) \
	$$(ls /usr/lib/pcsc/drivers/serial/libifdvpcd.so >/dev/null 2>&1 || echo vsmartcard-vpcd) \
	$$(command -v chromium >/dev/null || echo chromium) $$(command -v chromedriver >/dev/null || echo chromium-driver))

broker:
	@$(call TOOLS,$$(PATH="$$PATH:/usr/sbin" command -v mosquitto >/dev/null || echo mosquitto))

TOOLS = need="$1"; need="$$(echo $$need)"; \
	if [ -z "$$need" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing: $$need"; set -o pipefail; \
	  { apt-get install -y -q --no-install-recommends $$need || { apt-get update -q && \
	    apt-get install -y -q --no-install-recommends $$need; }; } 2>/dev/null | $(call FETCHED,) && exit 0; \
	fi; \
	echo "Left out without: sudo apt-get install -y $$need"

setup: python system $(BIN)/.ready

dev: setup $(BIN)/.dev .venv/micropython

python:
	@$(PYTHON) -c 'import sys; sys.exit(not $(BOUNDS))' || { echo "Tabularium runs with Python 3.11 to 3.13, and not with \
	$$($(PYTHON) -V 2>&1): install one of these and name it, as in: make run PYTHON=python3.13"; exit 1; }
	@if [ -e $(BIN)/.ready ] && [ "$$(cat $(BIN)/.ready)" != "$(MADE)" ]; then \
	  echo "This folder was moved, or its Python was replaced: .venv is made anew."; rm -rf $(BIN) .venv/lib .venv/lib64; fi

# Some readers' packages come without what they ask for, as mfrc522: on a laptop the virtual chip stands in for spidev and
# RPi.GPIO, on a Pi rpi-lgpio takes the place of RPi.GPIO (also on a Pi 5). So no compiler is needed.
$(BIN)/.ready: pyproject.toml constraints.txt
	@[ -e $(BIN)/.ready ] || echo "Setting up .venv: $(RUN_PACKAGES) packages, once, in a minute or two ..."
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv .venv
	$(call INSTALL,,$(RUN_PACKAGES))
	@set -o pipefail; $(PIP) --no-deps $$($(BIN)/python -m drivers.kinds alone) | $(call FETCHED, of 1)
	@$(BIN)/python -m companion.rules.catalogues
	@echo "$(MADE)" >$@

$(BIN)/.dev: $(BIN)/.ready
	@echo "Installing what tests need: $(DEV_PACKAGES) packages ..."
	$(call INSTALL,dev,$(DEV_PACKAGES))
	@touch $@

# A real MicroPython for the hub's firmware, run by Node (540 KB): optional, and tried only once.
.venv/micropython: | $(BIN)/.ready
	@mkdir -p $@
	@echo "Fetching MicroPython for the hub's firmware (540 KB) ..."
	@npm install --silent --no-audit --no-fund --no-save --no-package-lock --fetch-retries=0 --prefix $@ \
	@micropython/micropython-webassembly-pyscript@1.27.0 >/dev/null 2>&1 || \
	echo "No npm, or no network: the hub's firmware runs without MicroPython. To try again: rm -r $@; make $@"

# Each library is tried; what is missing is installed if we may, otherwise listed with the command that installs it.
# A Japanese font and multi-touch (libmtdev) are optional.
system:
	@lib() { $(PYTHON) -c "import ctypes; ctypes.CDLL('$$1')" 2>/dev/null || echo "$$2"; }; \
	need="$$($(PYTHON) -c 'import ensurepip' 2>/dev/null || echo python3-venv) $$(lib libGL.so.1 libgl1) \
	$$(lib libEGL.so.1 libegl1) $$(lib libGLESv2.so.2 libgles2) $$(ls /usr/lib/*/dri/*_dri.so >/dev/null 2>&1 || echo libgl1-mesa-dri)"; \
	like="$$(lib libmtdev.so.1 libmtdev1) $$(find /usr/share/fonts -iname 'ipagp.*' -o -iname '*CJK*' 2>/dev/null \
	| grep -q . || echo fonts-ipafont-gothic)"; \
	need="$$(echo $$need)"; all="$$(echo $$need $$like)"; \
	if [ -z "$$all" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing system packages: $$all"; set -o pipefail; \
	  { apt-get install -y -q --no-install-recommends $$all || { apt-get update -q && \
	    apt-get install -y -q --no-install-recommends $$all; }; } 2>/dev/null | $(call FETCHED,) && exit 0; \
	  echo "Not all of them could be installed."; \
	fi; \
	if [ -n "$$need" ]; then echo "Please install first: sudo apt-get install -y $$all"; exit 1; fi; \
	echo "Optional: sudo apt-get install -y $$all"

clean:
	rm -rf .venv
