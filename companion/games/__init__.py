"""The games, one folder each: rules, positions, prompts, guide, speech and boards.

A game's `__init__` exports `RECORD`; no other part of a game's folder is used from outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from companion.rules.record import Record

if TYPE_CHECKING:  # loaded with the first game that has them
    from companion.rules import AnyGame
    from companion.rules.guide import AnyGuide
    from companion.rules.position import AnyPosition
    from companion.rules.prompts import AnyPrompts
    from companion.rules.speech import AnySpeech

FOLDER = Path(__file__).parent


def _records() -> dict[str, Record]:
    found = [import_module(f"{__name__}.{path.parent.name}").RECORD for path in FOLDER.glob("*/__init__.py")]
    return {record.name: record for record in sorted(found, key=lambda record: (record.number, record.name))}


RECORDS = _records()
NAMES = tuple(RECORDS)
"""In the order of the book; games that are not in it follow."""


def game(name: str) -> AnyGame:
    """Return the game of that name, loaded on first use. Raises KeyError for a name that is not in NAMES.

    The game is known only at run time, and so are the types of its states and views.
    """
    return RECORDS[name].game


def position_of(name: str) -> AnyPosition:
    """Return how a game's positions are written and read; a game without its own has the defaults."""
    return _record_of(name).position


def guide_of(name: str) -> AnyGuide:
    """Return a game's guide: explanations, statistics and lessons; a game without its own has the defaults."""
    return _record_of(name).guide


def prompts_of(name: str) -> AnyPrompts:
    """Return a game's prompts, for every moment; a game without its own has the defaults."""
    return _record_of(name).prompts


def speech_of(name: str) -> AnySpeech:
    """Return how a game sounds; for a game without its own speech the written text is read aloud."""
    return _record_of(name).speech


def acts_of(name: str) -> Mapping[str, str]:
    """Return the names of a game's moves, by verb; a move without a name is called by its verb."""
    return _record_of(name).acts


def board_file(name: str) -> Path:
    """Return the path of the board shipped with a game; every game whose rules read a board has one."""
    return FOLDER / name / "board.yaml"


@cache
def _record_of(name: str) -> Record:
    """Return the record of that name; a game without a folder, such as a test's toy game, has every default."""
    return RECORDS.get(name) or Record(f"{__name__}.{name}")
