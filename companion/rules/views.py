"""What everybody may see of a game: the shape of its `view`, and of what the rules derive from it.

Keys and values are those that a transcript's replay prints. Cards are texts ("red 7"), seats are colours, "neutral" is
nobody's. `derived` is what follows from what everybody sees: said by the rules themselves, with the functions they rule
with, and not worked out again by the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

from companion.rules.data import Data

if TYPE_CHECKING:
    from typing_extensions import ReadOnly
else:

    class ReadOnly:
        """A key that a game's own view may say more exactly. Python 3.13 has it in `typing`."""

        def __class_getitem__(cls, kind: object) -> object:
            return kind


class Result(TypedDict):
    """How a game ended: the best share the victory, places are 1, 2, 2, 4."""

    winners: list[str]
    scores: dict[str, int | float]
    places: dict[str, int]
    unconfirmed_board: bool


class View(TypedDict):
    """What the views of all games have."""

    game: str
    phase: ReadOnly[str]
    turn: str | None
    waiting: list[str]
    over: bool
    result: Result | None
    chosen: NotRequired[ReadOnly[list[str]]]
    """The seats with a card face down, in games with sealed choices."""
    private: NotRequired[ReadOnly[Data]]
    """The view of one seat besides, present only in a view for that seat; each game has its own."""


class Derived(TypedDict):
    """What a game says beside its view; a game of which everything is in the view says nothing."""


class Sealed(TypedDict):
    """A hand, and the card of it that lies face down."""

    hand: list[str]
    choice: str | None
