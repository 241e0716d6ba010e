"""A game's face: one record with everything the screen needs of a game; a field left out has any game's default."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from traceback import walk_tb
from typing import Any, Generic, TypeVar

from companion.rules import Ruling
from companion.rules.record import neighbour
from ui.games.parts import cards, ending, sentences
from ui.games.parts import status as seats
from ui.games.parts.actions import Terms
from ui.games.parts.board import Board
from ui.games.parts.ending import Chart, ScorePart
from ui.games.parts.status import Opened, Resting
from ui.games.parts.status import resting as any_resting
from ui.games.parts.sum import Sum
from ui.lazy import late
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class TurnsUp:
    """Cards turned up from a pile: the verb that turns one, the verb that ends it, and the cards' key in the view."""

    act: str
    ends: str
    to: str


M = TypeVar("M", bound=Moment)
C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Face(Generic[M, C]):
    """Everything the screen needs of one game, whose moments are M; all fields but the first two are optional.

    `centre` makes the view-model C of the board from what may be shown, `board` names the widget that shows it, as
    "package.module.Class". Everything named so brings Kivy and is loaded late.
    """

    centre: Callable[[M], C]
    board: str
    """A `Board` of C."""

    # around the board
    awaited: Callable[[M], Sequence[str]] = sentences.awaited
    """The seats it is expected from, as shapes beside the sentence."""
    status: Callable[[M, str], str] = seats.status
    """A seat's part of the moment in a word or two."""
    figure: Callable[[M, str], float | None] = seats.figure
    """The number of a seat, in its tile; None for none."""
    caption: Callable[[M, str], str] = lambda *_: ""
    """What that number counts, in a short word; "" where it goes without saying."""
    hand: Callable[[M, str], int | None] = seats.hand
    """The number of cards a seat holds; None where nobody knows, or has any."""
    mark: Callable[[M, str], str] = lambda *_: ""
    """The sign of what it has, beside its name; "" for none."""
    out: Callable[[M, str], bool] = seats.out
    """Whether it has no part in the current round: passed, sold, out of the game."""
    counters: Callable[[M, str], int | None] = lambda *_: None
    """The number of counters a seat has left of its five, None in a game without them."""
    number: Callable[[M, str], str] = lambda *_: ""
    """The word for a seat's number, as its guide has it; "" where it cannot be asked about."""
    lying: Callable[[M, str], Sequence[str]] = lambda *_: ()
    """The cards that lie open before a seat."""
    acts_on_tile: bool = True
    """A touch on the tile of a seat that is awaited is its act, where it has only one."""
    tapped: Callable[[M, str], Opened] = seats.tapped
    """The page a touch on a seat's tile opens; None where the board decides."""

    # by finger
    terms: Terms = field(default_factory=Terms)
    """The wording of its acts and of the questions for them."""
    pads: Mapping[str, str] = field(default_factory=dict)
    """Pages of this game alone: those that `go("<game>.<pad>")` turns to."""
    laying: Callable[[M], bool] = cards.laying
    """Seats lay cards of their hands now: the virtual table offers them."""

    turns_up: TurnsUp | None = None
    """Cards of a pile that are turned up, where a game has such."""

    # in words
    sides: Mapping[str, str] = field(default_factory=dict)
    """The side of a seat in this game, where it is more than a colour."""

    # at the end
    parts: Callable[[M, str], Sequence[ScorePart]] = lambda *_: ()
    """The parts of a seat's score."""
    breakdown: Callable[[M, str], str] = ending.breakdown
    """The same in words, where there are no parts."""
    why_won: Callable[[M, str], str] = ending.why_won
    """What a winner's score came from, in one sentence."""
    length: Callable[[M], str] = ending.length
    """How long the game was, as its players count it: "21 rounds"."""
    chart: Callable[[M], Chart | None] = ending.chart
    """The seats' fortunes over the game; None where nothing is counted."""

    # beside the game
    data: str = ""
    """The page on which the owner checks the board's data: `go("<game>.data")`."""

    # in answers
    summed: Callable[[M, Ruling], Sum | None] = lambda *_: None
    """The cards that a ruling added up towards a target, as the board's bar shows them."""

    # over time
    resting: Callable[[M], Resting] = any_resting
    """The number that is seen from afar while the table rests."""
    reveals: Collection[str] = ()
    """The codes of the rulings that turn up what was chosen face down."""

    def page(self, name: str) -> str:
        """Return the page of that name, as "package.module.Class". Raises KeyError."""
        return self.data if self.data and name == "data" else self.pads[name]


AnyFace = Face[Any, Any]
"""Some game's face. Any: which moments it takes, and what its board shows, is known by the name of its game alone."""


ANY = "any"
"""The folder with any game's face."""
_failed: set[str] = set()


def face_of(game: str) -> AnyFace:
    """Return the face of a game, loaded when first asked for.

    A game without a folder, or whose face has failed, has any game's face.
    """
    found = (None if failed(game) else neighbour(f"ui.games.{game}")) or neighbour(f"ui.games.{ANY}")
    assert found
    face: AnyFace = found.FACE
    return face


def board_of(face: Face[M, C]) -> type[Board[C]]:
    """Return the widget class that shows the view-model of the face's `centre`; load it now."""
    found: type[Board[C]] = late(face.board)
    return found


def with_data(games: Sequence[str]) -> Sequence[str]:
    """Return the games whose board data the owner can check."""
    return [game for game in games if face_of(game).data]


def failed(game: str) -> bool:
    """Return whether a game's face has raised, so that any game's stands in for it until the program ends."""
    return game in _failed


def give_up(fault: BaseException) -> str:
    """Put any game's face in the place of the one that raised a fault; return its game, "" where no face did."""
    modules = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(fault.__traceback__)]
    games = [module.split(".")[2] for module in modules if module.startswith("ui.games.") and module.count(".") > 1]
    found = next((game for game in games if game not in ("parts", "face", ANY) and not failed(game)), "")
    _failed.update([found] if found else [])
    return found
