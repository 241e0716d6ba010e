"""The site: each command it shows is run, its words are the screen's, and built twice it is the same."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from companion.cli import main
from companion.cli.arguments import parser
from companion.rules.words import LANGUAGES, catalogue, title, tr
from tests.support.paths import ROOT
from tests.support.tables import EVERYTHING
from tests.support.tracked import tracked
from tools.words import texts

PAGES = sorted((ROOT / "docs/site").glob("*.md"))
ALL = tracked("*.md", ":!tests/", ":!companion/hall/board/")
PROMPTS = ("$ ", "pi$ ", "debian# ", "elsewhere$ ")
"""What a command begins with: one that a test runs, one for a Pi, one for root, one that wants what is not here."""
LABELS = ("Settings", "Hardware", "Update", "Log", "Mistake", "Menu", "New game", "Why?", "Check the table",
          "The table decides", "Board data", "Deck", "Export", "Switch off")  # fmt: skip


LABELLED = [
    ROOT / "README.md",
    *(ROOT / f"docs/site/{name}.md" for name in ("host", "host.de", "host.ja", "play", "settings", "ear", "build")),
]
"""The pages that lead a person over the screen."""


def bare(label: str) -> str:
    return label.rstrip(" …?!.。？！").casefold()


def shown(path: Path) -> Iterator[str]:
    """The lines of a page's console blocks."""
    for block in re.findall(r"^ *```console\n(.*?)^ *```$", path.read_text(encoding="utf-8"), re.M | re.S):
        yield from (line.strip() for line in block.splitlines() if line.strip())


COMMANDS = sorted({line[2:] for path in PAGES for line in shown(path) if line.startswith("$ ")})


# -- commands ----------------------------------------------------------------------------------------------------------


def test_each_command_says_where_it_is_for() -> None:
    for path in PAGES:
        assert all(line.startswith(PROMPTS) for line in shown(path)), path.name
    assert len(COMMANDS) > 15


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_is_shown_runs(
    command: str, at_home: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among the files of a checkout; `make run` opens a window, which other tests do."""
    program, *words = shlex.split(command)
    if program == "make":
        assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
        return
    assert program == "tabularium"
    for name in ("tests", "firmware_notes"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.setattr("drivers.commissioning.POLLS", 5)
    monkeypatch.setattr("drivers.commissioning.SWEEP", 2)
    monkeypatch.setattr("drivers.virtual.scripted_hands.WEAK", 3)
    try:
        assert main(words) == 0
    except SystemExit as ended:  # --help
        assert ended.code == 0


def typed(text: str) -> Iterator[str]:
    """Every command of ours that a page shows, in a block or between backticks."""
    for block in re.findall(r"^```(?:\w+)?\n(.*?)^```$", text, re.M | re.S):
        yield from block.splitlines()
    yield from re.findall(r"^    (\S.*)$", text, re.M)
    yield from re.findall(r"`((?:\.venv/bin/)?tabularium [^`]+)`", text)


def unknown(words: list[str]) -> str:
    """The first word of a command that its parser does not know; "" for none. What is an argument is not asked."""
    of, given = parser(), False
    for word in words:
        if word.startswith("-") and word.partition("=")[0] not in of._option_string_actions:
            return word
        choices = next((act.choices for act in of._actions if isinstance(act, argparse._SubParsersAction)), None)
        if choices is not None and not word.startswith("-") and not given:
            if word not in choices:
                return word
            of = choices[word].filled()
            continue
        given = word.startswith("-")  # what follows may be its value
    return ""


def test_every_command_on_every_page_is_one_that_there_is() -> None:
    wrong, count = [], 0
    for path in ALL:
        for line in typed(path.read_text(encoding="utf-8")):
            bare = re.sub(r"^(?:\$ |pi\$ |elsewhere\$ |cat \S+ \| )", "", line.strip()).split(" #")[0].strip()
            bare = re.split(r" ?[>|;]", bare)[0].removeprefix(".venv/bin/")
            if re.match(r"tabularium [a-z-]", bare) and not re.search(r"…|\.\.\.|\[", bare):
                count += 1
                if word := unknown(shlex.split(bare)[1:]):
                    wrong.append(f"{path.relative_to(ROOT)}: {bare} ({word})")
    assert wrong == [] and count > 80


def test_every_target_of_make_on_every_page_is_one_that_there_is() -> None:
    targets = set(re.findall(r"^([a-z][\w/.-]*)(?: [a-z ]+)?:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    for path in ALL:
        for target in re.findall(r"^(?:    |`)make ([a-z]+)\b", path.read_text(encoding="utf-8"), re.M):
            assert target in targets, f"{path.name}: make {target}"


# -- words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", LABELLED, ids=lambda page: page.name)
def test_what_a_page_has_in_bold_stands_on_the_screen(page: Path) -> None:
    """So may a sentence, which ends with a full stop, and a link."""
    lang = next((lang for lang in LANGUAGES if page.stem.endswith(f".{lang}")), "en")
    bold = re.findall(r"\*\*([^*]+)\*\*", page.read_text(encoding="utf-8"))
    labels = {" ".join(words.split()) for words in bold if not words.endswith((".", "。")) and "](" not in words}
    titles = [title(games.game(name), lang) for name in games.NAMES]
    said = [catalogue(lang)(text) for text, _ in texts() if isinstance(text, str)]
    shown = {bare(text.replace("{game}", game)) for text in said for game in (titles if "{game}" in text else [""])}
    assert labels and not {label for label in labels if bare(label) not in shown}


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
def test_the_hosts_page_calls_things_as_the_screen_does(lang: str) -> None:
    name = "host.md" if lang == "en" else f"host.{lang}.md"
    bold = set(re.findall(r"\*\*([^*]+)\*\*", (ROOT / "docs/site" / name).read_text(encoding="utf-8")))
    assert {tr(label, lang) for label in LABELS} <= bold


def test_each_who_comes_has_a_way_in() -> None:
    index = (ROOT / "docs/site/index.md").read_text(encoding="utf-8")
    ways = re.findall(r"^- \*\*\[[^]]+\]\((\w+)\.md\)\*\*", index, re.M)
    assert ways == ["play", "host", "build", "club", "ear", "further"]
    hidden = set(re.findall(r"^((?:docs|firmware_notes|image)/\S+|\w+(?:\.\w+)?)$", index, re.M))
    there = {str(path.relative_to(ROOT).with_suffix("")) for path in ALL if path.parts[-2] != "site"}
    missing = {name for name in there if not name.startswith(".github")} - hidden
    assert missing == set(), "every page is on the site"


# -- built -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not EVERYTHING, reason="wants Sphinx: make soak")
def test_the_site_is_built_without_a_warning_and_twice_the_same(tmp_path: Path) -> None:
    """Sphinx takes a link inside that leads nowhere for an error; those that lead out are listed."""
    sphinx = ROOT / ".venv/site/bin/python"
    if not sphinx.exists():
        subprocess.run(["make", ".venv/site/.ready"], cwd=ROOT, check=True)
    built = []
    for name in ("one", "two"):
        words: list[str | Path] = [sys.executable, ROOT / "docs/site/build.py", tmp_path / name, "--sphinx", sphinx]
        env = dict(os.environ) | {"TZ": "Asia/Tokyo" if name == "two" else "UTC"}
        done = subprocess.run([*words, "--no-pictures"], check=False, capture_output=True, text=True, env=env)
        assert done.returncode == 0, done.stdout + done.stderr
        files = (path for path in (tmp_path / name).rglob("*") if path.is_file())
        built.append({str(path.relative_to(tmp_path / name)): path.read_bytes() for path in files})
    assert built[0] == built[1]
    assert "https://jsonlines.org" in built[0]["leads-out.txt"].decode().split()
    assert b"companion.rules.contract.Game" in built[0]["contract.html"] and "search.html" in built[0]
