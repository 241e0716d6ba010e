"""The facts a view gives of each seat and of the table, for any game: rows of facts, strips of cards, the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games import guide_of
from companion.rules import N_
from companion.rules.cards import DECK
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Strip:
    """Cards in a row; the `marked` one has a word under it."""

    caption: str
    cards: Sequence[str]
    marked: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat's facts, one for each column: words, or cards."""

    seat: str
    name: str
    cells: Sequence[str | tuple[str, ...]]
    turn: bool
    about: Sequence[tuple[str, str | None]] = ()
    """The question about each cell, where there is one."""


FRAME = ("game", "phase", "turn", "waiting", "over", "result", "round")
"""The keys that the top line and the number tell already."""

CAPTIONS: Mapping[str, str] = {
    "chips": N_("chips"),
    "chosen": N_("chosen"),
    "counters": N_("counters"),
    "hand_sizes": N_("cards"),
    "out": N_("out"),
    "passed": N_("passed"),
    "pile": N_("pile"),
    "points": N_("points"),
    "trick": N_("The trick, in the order of play"),
    "tricks": N_("tricks"),
}
"""The captions of the view's keys; others as the game's guide names them, or by the key itself."""


def caption(m: Moment, key: str) -> str:
    names = {**guide_of(m.game.name).names, **CAPTIONS}
    return m.say(names[key]) if key in names else key.replace("_", " ")


def columns(m: Moment) -> Mapping[str, object]:
    """Return the facts of each seat, by their key."""
    return {key: value for key, value in m.view.items() if key not in FRAME and seated(m, value)}


def rows(m: Moment) -> Sequence[SeatRow]:
    """Return a row for every seat, with a cell for each of the columns."""
    facts = columns(m).values()
    return [
        SeatRow(seat, m.name(seat), [cell(m, value, seat) for value in facts], seat == m.view["turn"])
        for seat in m.seats
    ]


def seated(m: Moment, value: object) -> bool:
    """Return whether a value is a fact of each seat: a mapping by seat, or a list of seats."""
    if isinstance(value, Mapping):
        return bool(value) and set(value) <= set(m.seats)
    return isinstance(value, list) and bool(value) and set(map(str, value)) <= set(m.seats)


def cell(m: Moment, value: object, seat: str) -> str | tuple[str, ...]:
    """Return a seat's part of a fact, in words or as cards."""
    if isinstance(value, list):
        return "•" if seat in value else ""
    own = value.get(seat, "") if isinstance(value, Mapping) else ""
    if isinstance(own, list):
        return tuple(own)
    return (own,) if own in DECK else m.tongue.phrase(own) if own != "" else ""


def rest(m: Moment) -> str:
    """Return all facts in one line that are about no seat, no cards and no places."""
    facts = [(key, value) for key, value in m.view.items() if key not in FRAME and isinstance(value, str | int)]
    return " · ".join(m.say(N_("{caption}: {value}"), caption=caption(m, key), value=value) for key, value in facts)


def strips(m: Moment) -> Sequence[Strip]:
    """Return every list of cards on the table."""
    found = []
    for key, value in m.view.items():
        if isinstance(value, list) and value:
            cards = [str(lying.get("card") if isinstance(lying, Mapping) else lying) for lying in value]
            if all(card in DECK for card in cards):
                found.append(Strip(caption(m, key), cards))
    return found
