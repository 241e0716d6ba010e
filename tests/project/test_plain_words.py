"""How code is worded and named, as far as a machine can tell: CONTRIBUTING.md, "Words"."""

import ast
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from tests.support.paths import ROOT

PRODUCT = ("companion", "drivers", "ui", "pi")
NO_VERBS = re.compile(
    r"(An?|The|Th(is|at|ese|ose|ey|eir|ere)|Its?|Wh(at|ich|om?|ose|y|ere|en|ile|ether|oever|atever)|How|Every|Each|All|Any"
    r"|Some|Several|(An)?other|Both|N?either|(No|Some|Every)(body|thing)|One|Two|Three|Four|As|By|For|From|In(to)?|Of|On"
    r"|Out|To|Up|Down|With(out)?|After|Before|Until|If|Only|Not?|Same|Such)\b"
)
"""Words that docstrings of functions used to begin with."""
PRESENT = re.compile(r"[A-Z][a-z]+[^s]s\b")
"""Third person or a plural: "Returns", "Cards"."""
SHARE = 0.95
RIDDLES = re.compile(r"\b(whoever|whatever|what came of|what comes of|those who|somebody's doing)\b", re.IGNORECASE)
"""Relative clauses in the place of a noun: name the player, the reader, the outcome."""
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "docs/hall/*.md", "docs/site/*.md",
         "firmware_notes/*.md")  # fmt: skip


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield where each function's docstring of the product stands, and the docstring."""
    for package in PRODUCT:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and (found := ast.get_docstring(node)):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", found


def test_docstrings_of_functions_begin_with_a_verb() -> None:
    every = list(docstrings())
    wrong = [place for place, text in every if NO_VERBS.match(text) or PRESENT.match(text)]
    assert len(every) > 3000 and len(wrong) <= (1 - SHARE) * len(every), wrong


def test_no_docstring_speaks_in_riddles() -> None:
    assert not [(place, found[0]) for place, text in docstrings() if (found := RIDDLES.search(text))]


def test_no_page_speaks_in_riddles() -> None:
    pages = [page for glob in PAGES for page in ROOT.glob(glob)]
    lines = ((page.name, line) for page in pages for line in page.read_text(encoding="utf-8").splitlines())
    assert len(pages) > 20 and not [(name, line) for name, line in lines if RIDDLES.search(line)]


def test_the_readme_can_be_read_at_once() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_no_two_modules_of_a_folder_are_told_apart_by_a_letter() -> None:
    """Nor by an underscore: `set_up` stood beside `setup`."""
    folders: dict[Path, list[str]] = {}
    for package in PRODUCT:
        for path in (ROOT / package).rglob("*.py"):
            folders.setdefault(path.parent, []).append(path.stem)
    near = [(folder.name, *pair) for folder, names in folders.items() for pair in combinations(sorted(names), 2)
            if alike(*(name.replace("_", "") for name in pair)) and pair not in DIFFERENT]  # fmt: skip
    assert not near


DIFFERENT = {("band", "hand")}
"""Words of a game, which nobody confuses."""


def alike(one: str, other: str) -> bool:
    """Return whether one edit at most makes one name of the other; names of three letters are too short to tell."""
    short, long = sorted((one, other), key=len)
    if len(short) <= 3 or len(long) - len(short) > 1:
        return False
    if len(short) == len(long):
        return sum(a != b for a, b in zip(one, other, strict=True)) <= 1
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
