"""The questions that complete an act, one after another, from outlines alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules import N_, as_json
from companion.rules.data import Data
from companion.rules.outline import Outline
from ui.table.moment import Moment

Outlines = Sequence[Outline]
Picked = Data
"""Values of an event by their key, each of its own kind."""
Event = Data
"""An act as a transcript writes it."""


@dataclass(frozen=True, slots=True)
class AskedValue:
    """One answer to choose; `seat` gives it a shape, `gone` marks a card that has been shown before."""

    value: Any
    text: str
    seat: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """The next question, and what has been settled so far."""

    key: str
    kind: str
    text: str
    settled: str
    choices: Sequence[AskedValue]
    """Empty where any amount may be named."""
    values: Sequence[Any] | None
    """The legal values, None where anything may be tried."""


def fitting(found: Outlines, picked: Picked) -> Outlines:
    """Return the outlines that agree with the picked values."""
    return [
        outline
        for outline in found
        if all(
            key in outline.keys and (outline.keys[key][1] is None or value in (outline.keys[key][1] or ()))
            for key, value in picked.items()
        )
    ]


def options(found: Outlines, key: str) -> Sequence[Any] | None:
    """Return every legal value of the key, each once; None where any may be tried."""
    values: dict[Any, None] = {}
    for outline in found:
        of = outline.keys[key][1] if key in outline.keys else ()
        if of is None:
            return None
        values |= dict.fromkeys(of)
    return tuple(values)


def filled(found: Outlines, picked: Picked) -> Picked:
    """Return the picked values, with every value added that leaves no choice."""
    found = fitting(found, picked)
    for key in found[0].keys if found else ():
        values = options(found, key)
        if key not in picked and values is not None and len(values) == 1:
            picked = {**picked, key: values[0]}
    return picked


def missing(found: Outlines, picked: Picked) -> Sequence[str]:
    """Return the keys still to be asked; words and times are never needed."""
    return [
        key
        for key, (kind, _) in (found[0].keys if found else {}).items()
        if key not in picked and kind not in ("text", "opened")
    ]


def places(outline: Outline) -> Sequence[str]:
    """Return the keys of an outline that take places."""
    return [key for key, (kind, _) in outline.keys.items() if kind == "place"]


def whole(found: Outlines, verb: str, picked: Picked) -> Event | None:
    """Return the event as a transcript writes it; None while something is missing or does not fit."""
    if not fitting(found, picked) or missing(found, picked):
        return None
    return {"event": verb} | {key: as_json(value) for key, value in picked.items() if value is not None}


def settled(found: Outlines, verb: str, picked: Picked) -> Event | None:
    """Return the whole event once nothing is left to ask, else None."""
    found = [outline for outline in found if outline.verb == verb]
    picked = filled(found, picked)
    return whole(fitting(found, picked), verb, picked)


def group(m: Moment, values: Sequence[Any] | None, seats: Sequence[str]) -> Any:
    """Return these seats as one of the values, in this order or the table's; None if neither is a value."""
    table = tuple(seat for seat in m.seats if seat in seats)
    return next((way for way in (tuple(seats), table) if values is None or way in values), None)


# -- the question in words --------------------------------------------------------------------------------------

QUESTIONS: Mapping[str, str] = {
    "seat": N_("who?"),
    "from": N_("from where?"),
    "to": N_("where to?"),
    "square": N_("on which square?"),
    "piece": N_("which piece?"),
    "card": N_("which card?"),
    "chips": N_("how many chips?"),
    "number": N_("how many?"),
    "seats": N_("which players, in order?"),
    "place": N_("where?"),
}
"""The question for a value, by its key or else by its kind."""
TO_WHOM = N_("to whom?")
"""That for a seat under the key `to`."""


def asked(m: Moment, said: str, key: str, kind: str, seat: str | None) -> str:
    """Return the title of the pad; `said` is the text of the act's control."""
    question = TO_WHOM if (key, kind) == ("to", "seat") else QUESTIONS.get(key) or QUESTIONS.get(kind) or N_("{key}?")
    text = m.say(question, key=key.replace("_", " "))
    title = N_("{seat} · {act}: {question}") if seat else N_("{act}: {question}")
    return m.say(title, seat=seat, act=said, question=text)


def so_far(m: Moment, picked: Picked) -> str:
    """Return what has been settled so far in words, except the seat, which the title names."""
    return " · ".join(shown(m, value) for key, value in picked.items() if key != "seat" and value is not None)


def shown(m: Moment, value: object) -> str:
    """Return a value in words; a route by its two ends."""
    if isinstance(value, str) and "-" in value:
        return "\u00a0– ".join(m.name(end) for end in value.split("-"))
    return m.say(N_("{value}"), value=value)


def choices(m: Moment, kind: str, values: Sequence[Any]) -> Sequence[AskedValue]:
    """Return the answers to choose from; a seat has its shape."""
    if kind == "seats":
        values = m.seats
    return [AskedValue(value, shown(m, value), value if kind in ("seat", "seats") else "") for value in values]


def cards(offered: Sequence[str], gone: Collection[str]) -> Sequence[AskedValue]:
    """Return the offered cards as answers, and mark those that have been shown before."""
    return [AskedValue(card, card, card.split()[0], card in gone) for card in offered]
