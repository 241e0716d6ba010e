"""A game's face: everything the screen needs of one game, in one record; what a game leaves out is any game's."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from ui.table.moment import Moment

Sentence = Callable[[Moment], str]


@dataclass(frozen=True, slots=True)
class Face:
    """What the screen needs of one game; every part but the first two may be left out.

    `centre` makes the view-model of the board from what may be shown, `board` names the widget that shows it, as
    "package.module.Class": it is loaded late, since it brings Kivy.
    """

    centre: Callable[[Moment], Any]
    board: str
    expected: Sentence
    """The one sentence of the top line: what is expected now, and from whom."""
    awaited: Callable[[Moment], Sequence[str]]
    status: Callable[[Moment, str], str]
    """A seat's part of the moment in a word or two."""
    counters: Callable[[Moment, str], int | None]
    """How many of its counters a seat has left, None in a game without them."""
    lying: Callable[[Moment, str], Sequence[str]]
    """The cards that lie open before a seat."""
    quiet: Collection[str]
    """Codes of rulings that say only what comes next, which the top line says anyhow."""
    back: Mapping[str, str]
    """By verb: what people put back on the real table when it is undone."""
    names: Mapping[str, str]
    """What the facts of this game's rulings are called on the page that says why."""
    verbs: Mapping[str, str]
    """What a control says, by its verb."""
    score: Callable[[Moment, str], str]
    """What a seat has come to at the end; "" where a game is won or lost."""
    breakdown: Callable[[Moment, str], str]
    """Where a seat's score comes from."""
    chart: Callable[[Moment], tuple[str, Mapping[str, Sequence[int]]]]
    """The seats' fortunes over the game: a title, and a line a seat."""
    hint: Callable[[Moment], str]
    """What to do on the virtual table now, for a newcomer."""
    tapped: Callable[[Moment, str], Mapping[str, Any] | None]
    """What a touch on a seat's panel opens: "page" and what it is given; None where the board decides."""
    pads: Mapping[str, str] = field(default_factory=dict)
    """Pages of this game alone, by the name they are turned to, as "package.module.Class"."""
    data: str = ""
    """The page on which the owner checks the board's data."""
    scenes: Callable[[Any], Iterator[str]] | None = None
    """Plays the game for pictures: yields the name of each picture when it is there to be taken."""


def face_of(game: str) -> Face:
    """The face of a game, loaded when first asked for; a game without a folder has any game's."""
    try:
        face: Face = import_module(f"ui.games.{game}").FACE
    except ModuleNotFoundError as missing:
        if missing.name != f"ui.games.{game}":
            raise
        face = import_module("ui.games.any").FACE
    return face
