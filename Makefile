# `make run` opens the table, `make test` checks everything. Both set up what they need, also on a fresh machine.
PYTHON = python3
ARGS =
BIN := .venv/bin
SHELL := /bin/bash
# Two workers a core, as many wait for windows, brokers and ports; who has done its share takes of the others'.
SPREAD := -n $(shell echo $$((2 * $$(nproc)))) --dist worksteal
# Compiles the tests once: each worker would do so for itself.
COMPILED := $(BIN)/pytest --collect-only -qq >/dev/null
# The Pythons it runs with: keep to pyproject.toml's requires-python.
BOUNDS := (3, 11) <= sys.version_info[:2] <= (3, 13)
# Without the settings of other Pythons, and with file names in any language under any locale.
ISOLATED := -I -X utf8
# Nothing of what is meant for other Pythons, other repositories or another make reaches what is started here.
unexport $(filter PYTHON% PIP_USER PIP_TARGET PIP_PREFIX PIP_ROOT PIP_REQUIRE% CONDA_% VIRTUAL_ENV GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR \
	GIT_OBJECT_DIRECTORY,$(.VARIABLES))
.NOTPARALLEL:
# Ctrl-C removes nothing: what is there was put there whole.
.PRECIOUS: $(BIN)/.ready $(BIN)/.dev

.PHONY: run hall test quick soak bench pictures screenshots docs words goldens mutants pi release site appliance fresh tools broker setup dev python system clean help

# Opens the table. More: make run ARGS="--virtual hub".
run: setup
	@$(BIN)/python -m companion.cli.carry .
	@$(BIN)/tabularium $(ARGS)

# Many tables at once, to look at: a broker, a hall and three tables that play by themselves. Faster: make hall ARGS="--pace 0.1".
hall: dev broker
	@$(BIN)/python -m tools.hall_demo $(ARGS)

# Checks everything: ruff, mypy and all tests, in a few minutes.
test: python tools dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(COMPILED) & $(BIN)/mypy; status=$$?; wait; exit $$status
	$(BIN)/pytest $(SPREAD)

QUICK := games laws table record ui/models
LONG := backup explaining guide perft spoken
# What tells most in a minute: rules, laws, records and the evening, at two tables a game. No windows, devices, halls or
# programs of their own: they are for `make test`.
quick: dev
	$(BIN)/ruff check .
	TABULARIUM_TESTS=few $(BIN)/pytest $(SPREAD) -m "not window and not slow" $(QUICK:%=tests/%) $(LONG:%=--ignore-glob='*/test_%*')

# What takes longer than the suite may: its tests at every table and in every window, an evening of sixty in a browser and a
# hall under attack among them, then random games, fuzzed inputs, kills, garbled stores (two hours on two cores); a hall and its broker that are killed; a phone's page in Firefox. Fewer: make soak ARGS="--games 500 --inputs 2000 --kills 20 --garbled 20".
soak: dev
	TABULARIUM_TESTS=all $(BIN)/pytest $(SPREAD)
	$(BIN)/python -m tools.soak $(ARGS)
	$(BIN)/python -m tools.hall_kills
	$(BIN)/python -m tools.phone_firefox

# Benchmarks, each beside something else measured in the same run. Fewer: make bench ARGS="play replay".
bench: dev
	$(BIN)/python -m benchmarks $(ARGS)

# Every screen at three sizes, into screenshots/ (not tracked). Fewer: make pictures ARGS="--only 'caesar-*' --lang de".
pictures screenshots: dev
	$(BIN)/python -m tools.pictures screenshots $(ARGS)

# The pages of the rules, the pictures of the README, and the way of a card.
docs: dev
	$(BIN)/python -m tools.pages
	$(BIN)/python -m tools.pictures docs --docs
	$(BIN)/python -m tools.way

# Changes one thing at a time and looks whether a test notices: make mutants ARGS="companion/session/session.py --sample 50".
mutants: dev
	$(BIN)/python -m tools.mutants $(ARGS)

# Collects the texts into the catalogues and compiles them.
words: dev
	$(BIN)/python -m tools.words

# Rewrites the expected outputs in tests/goldens and docs/transcript.md; read the diff before you commit it.
goldens: dev
	$(BIN)/python -m tests.laws.test_goldens
	$(BIN)/python -m tests.laws.test_spoken
	$(BIN)/python -m tests.project.test_docs

# On a Raspberry Pi: installs all of it (firmware_notes/installing.md). Only looking: make pi ARGS=--dry-run.
pi:
	@sudo ./install $(ARGS)

# Everything that is handed out, of what is committed, into dist/ (tools/making.py). Signed: make release KEY=~/.ssh/release.
release: dev .venv/build/.ready
	$(BIN)/python -m tools.making dist --python .venv/build/bin/python $(if $(KEY),--key $(KEY)) $(ARGS)

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

# A virtual Raspberry Pi with its own kernel: installed, started, wired, played, updated, its power cut (as root, two
# hours on two cores, 12 GB; tools/appliance). Fewer: make appliance ARGS="--only boot,game".
appliance: dev
	$(BIN)/python -m tools.appliance $(ARGS)

# Both README commands on fresh Debian 12 and 13, as root and as a user (as root, an hour, 5 GB; mmdebstrap or debootstrap).
fresh:
	@$(PYTHON) -m tools.fresh $(ARGS)

# What only tests need: it is installed if we may, otherwise named, and the tests that need it are left out (in CI they fail).
tools:
	@$(PYTHON) -I -B tools/needs.py

# The broker of a hall, for make hall.
broker:
	@$(PYTHON) -I -B tools/needs.py mosquitto

# Lists what can be made, from the comments here.
help:
	@awk '/^# / { said = said ? said " " substr($$0, 3) : substr($$0, 3); next } \
	/^[a-z][a-z ]*:/ && said { sub(/:.*/, ""); sub(/\. .*/, ".", said); printf "make %-21s%s\n", $$0, said } { said = "" }' Makefile

# Sets up what the table needs, in .venv.
setup: python system $(BIN)/.ready

# Sets up what working on it needs besides.
dev: setup $(BIN)/.dev .venv/micropython

python:
	@trap 'exit 130' INT; $(PYTHON) -I -c 'import sys; sys.exit(not $(BOUNDS))' 2>/dev/null || { \
	  have="$$($(PYTHON) -V 2>/dev/null)" && have="and not with $$have" || have="and $(PYTHON) is not installed"; \
	  echo "Tabularium runs with Python 3.11 to 3.13, $$have: install one of these and name it, as in: make run PYTHON=python3.13"; \
	  exit 1; }
	@$(PYTHON) $(ISOLATED) tools/environment.py check

$(BIN)/.ready: pyproject.toml constraints.txt
	@$(PYTHON) $(ISOLATED) tools/environment.py

$(BIN)/.dev: $(BIN)/.ready
	@$(PYTHON) $(ISOLATED) tools/environment.py dev

# A real MicroPython for the hub's firmware, run by Node (540 KB): optional.
.venv/micropython: | $(BIN)/.ready
	@if ! command -v npm >/dev/null; then echo "There is no npm: the hub's firmware runs without MicroPython."; exit 0; fi; \
	echo "Fetching MicroPython for the hub's firmware (540 KB) ..."; trap 'exit 130' INT; rm -rf $@.next; mkdir -p $@.next; \
	npm install --silent --no-audit --no-fund --no-save --no-package-lock --fetch-retries=0 --prefix $@.next \
	@micropython/micropython-webassembly-pyscript@1.27.0 acorn@8.19.0 >/dev/null 2>&1 && mv $@.next $@ || \
	echo "It could not be fetched: the hub's firmware runs without MicroPython. To try again: make $@"

# Each library is tried; what is missing is installed if we may, otherwise listed with the command that installs it.
# A Japanese font and multi-touch (libmtdev) are optional.
system:
	@lib() { $(PYTHON) -I -c "import ctypes; ctypes.CDLL('$$1')" 2>/dev/null || echo "$$2"; }; \
	need="$$($(PYTHON) -I -c 'import ensurepip' 2>/dev/null || echo python3-venv) $$(lib libGL.so.1 libgl1) \
	$$(lib libEGL.so.1 libegl1) $$(lib libGLESv2.so.2 libgles2) $$(ls /usr/lib/*/dri/*_dri.so >/dev/null 2>&1 || echo libgl1-mesa-dri)"; \
	like="$$(lib libmtdev.so.1 libmtdev1) $$(find /usr/share/fonts -iname 'ipagp.*' -o -iname '*CJK*' 2>/dev/null \
	| grep -q . || echo fonts-ipafont-gothic)"; \
	need="$$(echo $$need)"; all="$$(echo $$need $$like)"; \
	if [ -z "$$all" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  $(PYTHON) -I -B tools/apt.py $$all && exit 0; \
	  echo "Not all of them could be installed."; \
	fi; \
	if [ -n "$$need" ]; then echo "Please install first: sudo apt-get install -y $$all"; exit 1; fi; \
	echo "Optional: sudo apt-get install -y $$all"

# Removes .venv; your games and settings stay.
clean:
	rm -rf .venv .venv.next .venv.old
