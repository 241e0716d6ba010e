"""The parts of a position that people change: path, name and possible values of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules import N_, Setup
from companion.rules.cards import DECK, PAWNS
from companion.rules.data import Data

Path = tuple[str | int, ...]
"""Keys and indexes from the top of a position."""
Written = Data
"""A position, or what everybody may know of it, as JSON."""


@dataclass(frozen=True, slots=True)
class One:
    """One of these values; None among them is none."""

    values: Sequence[str | None]


@dataclass(frozen=True, slots=True)
class Some:
    """Any of these seats, in the order they are named."""

    values: Sequence[str]


@dataclass(frozen=True, slots=True)
class Count:
    """A number of one piece, as a layout calls it."""

    piece: str
    least: int = 0
    most: int = 999
    flag: bool = False
    """Whether the piece is there or not: true or false in the position."""


@dataclass(frozen=True, slots=True)
class Cards:
    """Any of these cards, in the order they are named."""

    values: Sequence[str]


Kind = One | Some | Count | Cards


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a part: its key, "" where the part is no object, and what it is asked for by."""

    key: str
    kind: Kind
    text: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """What a person takes for one thing: a place with what is on it, a list of cards, whose turn it is.

    An object whose first value is none is not there; an empty one neither.
    """

    path: Path
    text: str
    """The name of the part; `{of}` is its owner, or its place."""
    of: str = ""
    fields: Sequence[Field] = ()
    section: str = ""
    secret: bool = False
    """Whether only the seat `of` may know it."""
    covered: bool = False
    """While a game is played it is not shown again, though everybody has seen it."""
    places: Sequence[str] = ()
    """The places where it lies: those of a layout, "seat red" for red's plate, and others that its board shows."""


TURN, BOARD, CARDS, SEATS = N_("Turn"), N_("Board"), N_("Cards"), N_("Purses and hands")
"""The sections, in their order."""


def holding(found: Sequence[Part], places: Collection[str]) -> Sequence[Part]:
    """Return the parts that lie at one of these places; several where a touch cannot tell them apart."""
    return [part for part in found if not set(places).isdisjoint(part.places)]


def alone(path: str, text: str, kind: Kind, section: str = TURN, places: Sequence[str] = ()) -> Part:
    """Return a part that is one value; where it names seats, it lies on each of their plates."""
    seats = [value for value in kind.values if value in PAWNS] if isinstance(kind, One | Some) else ()
    return Part((path,), text, "", (Field("", kind),), section, places=(*places, *(f"seat {seat}" for seat in seats)))


def purse_of(seat: str) -> Part:
    """Return the part for the chips that only their owner counts."""
    chips = (Field("", Count("chip")),)
    return Part(("chips", seat), N_("{of:of} purse"), seat, chips, SEATS, secret=True, places=(f"seat {seat}",))


def hand_of(seat: str, cards: Sequence[str]) -> Part:
    """Return the part for the cards that only their owner sees; the cards outside the hand follow from it."""
    places = [f"{place} {seat}" for place in ("seat", "hand", "sealed", "aside")]
    return Part(("hand", seat), N_("{of:of} hand"), seat, (Field("", Cards(cards)),), SEATS, secret=True, places=places)


def dealt(setup: Setup, opening: Callable[[Setup], Any]) -> Mapping[str, Sequence[str]]:
    """Return every seat's whole hand as the game begins."""
    hands = opening(setup).hands
    return {seat: [name for name, card in DECK.items() if card in cards] for seat, cards in hands.items()}
