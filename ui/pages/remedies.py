"""The ways on when something went wrong: each is one touch, to a prepared page or the act itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from companion.rules import N_
from companion.rules.data import Data
from companion.rules.outline import Outline
from companion.rules.position_parts import Path
from companion.session.receipt import Receipt, unseen
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Way:
    """One way on: the page to turn to with its arguments, or without a page the act itself."""

    text: str
    page: str
    given: Data = field(default_factory=dict)
    seat: str = ""
    event: Data | None = None


@dataclass(frozen=True, slots=True)
class PossibleMistake:
    """Something that can have happened: what people call it, what is to be said about it, and the ways on."""

    key: str
    text: str
    remedy: str
    ways: Sequence[Way]
    urgent: bool = False
    """Whether it has just happened: the referee has refused it."""


def row(m: Moment, key: str, text: str, remedy: str, ways: Sequence[Way]) -> PossibleMistake:
    """Return a mistake with its remedy, in the language of the screen."""
    return PossibleMistake(key, m.say(text), m.say(remedy), ways)


def looked_at(text: str, event: Data, seat: str = "") -> Way:
    """Return the way to preview an event of the table before it is carried out."""
    return Way(text, "back", {"event": event, "back": "wrong"}, seat)


def otherwise(text: str, act: Receipt, verb: str = "", seat: str = "") -> Way:
    """Return the way to amend an act, on the pads of its moment."""
    return Way(text, "otherwise", {"number": act.number, "verb": verb, "back": "wrong"}, seat)


def undone(text: str, act: Receipt) -> Way:
    """Return the way back to the moment before an act."""
    return looked_at(text, {"event": "undo", "to": act.before.number if act.before else 0})


def decided(text: str, words: str, seat: str = "", part: Path = ()) -> Way:
    """Return the way to a decision in these words; `part` of the position is changed first."""
    return Way(text, "decide", {"words": words, **({"part": part} if part else {})}, seat)


def table(m: Moment) -> Way:
    """Return the way to the table, where nothing needs to be done."""
    return Way(m.say(N_("Show the table")), "table")


def choices(m: Moment, seats: Sequence[str]) -> Sequence[Way]:
    """Return the ways to the private pads on which these seats choose a card."""
    return [Way(m.name(seat), "choose", {"seat": seat}, seat) for seat in seats]


def by_finger(m: Moment) -> Sequence[Way]:
    """Return the ways to the pads on which the awaited seats play their cards."""
    return [way for outline in m.outlines for way in _by_finger(m, outline)]


def _by_finger(m: Moment, outline: Outline) -> Iterator[Way]:
    if any(kind == "card" for kind, _ in outline.keys.values()):
        seats = [seat for seat in outline.keys["seat"][1] or () if seat in m.view["waiting"]]
        if outline.verb == "choose":
            yield from choices(m, seats)
        else:
            given = {"verb": outline.verb}
            yield from (Way(m.name(seat), "act", {**given, "picked": {"seat": seat}}, seat) for seat in seats)


def covered(m: Moment) -> Collection[int]:
    """Return the numbers of the acts in which a card was chosen that nobody has seen."""
    return {number for numbers in unseen(m.acts) for number in numbers}
