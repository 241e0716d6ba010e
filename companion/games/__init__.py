"""The games, a folder each: rules, positions, what is asked and said of them, their boards.

A game's `__init__` exports `RECORD`; that is all anybody outside knows of it.
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
    """The game of that name, loaded when first asked for; KeyError for a name that is not in NAMES.

    Which of them a name means is known only at run time, so neither is the type of its states and views.
    """
    return RECORDS[name].game


def position_of(name: str) -> AnyPosition:
    """How a game is written down; a game that does not say plays on without."""
    return _of(name).position


def guide_of(name: str) -> AnyGuide:
    """What a game can tell when it is asked; a game that does not say has any game's."""
    return _of(name).guide


def prompts_of(name: str) -> AnyPrompts:
    """What a game expects, moment by moment; a game that does not say has any game's."""
    return _of(name).prompts


def speech_of(name: str) -> AnySpeech:
    """What a game says aloud; of a game that does not say it is what is read."""
    return _of(name).speech


def acts_of(name: str) -> Mapping[str, str]:
    """What a game offers, by verb; what it does not name is called by its verb."""
    return _of(name).acts


def board_file(name: str) -> Path:
    """The board that is shipped with a game; every game whose rules read one has it."""
    return FOLDER / name / "board.yaml"


@cache
def _of(name: str) -> Record:
    """A game that is in no folder, such as a toy of a test, has every default."""
    return RECORDS.get(name) or Record(f"{__name__}.{name}")
