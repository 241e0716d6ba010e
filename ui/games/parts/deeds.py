"""What can be done by finger in any game, and what is still to be asked for it: from outlines alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from companion.outline import Outline
from companion.rules import N_, as_json
from ui.games.parts.cards import cards, seen
from ui.table.moment import Moment

Outlines = Sequence[Outline]
Picked = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Deed:
    """A control on the board: an act, with as much of it as is settled."""

    verb: str
    text: str
    seat: str
    picked: Picked = field(default_factory=dict)
    event: Mapping[str, Any] | None = None
    """The whole event, None while something is still to be asked."""
    main: bool = False
    """It is what the moment calls for."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer; `seat` gives it a shape, and what is `gone` has been shown before."""

    value: Any
    text: str
    seat: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """What is to be asked next, and what has been settled so far."""

    key: str
    kind: str
    text: str
    told: str
    choices: Sequence[Choice]
    """Empty where any amount may be named."""
    values: Sequence[Any] | None
    """What is legal, None where anything may be tried."""


# -- which acts -------------------------------------------------------------------------------------------------


def deeds(m: Moment, found: Outlines) -> Sequence[Deed]:
    """A control for everything that can be done now."""
    verbs = dict.fromkeys(outline.verb for outline in found)
    return [deed for verb in verbs for deed in of_verb(m, [outline for outline in found if outline.verb == verb])]


def of_verb(m: Moment, found: Outlines) -> Iterator[Deed]:
    """One control for the verb, or one a seat, or one an answer where only a few words can be said."""
    verb, key = found[0].verb, apart(found)
    for value in (options(found, key) or ()) if key else ("",):
        picked = filled(found, {key: value} if key else {})
        seat = str(value) if key == "seat" else ""
        event = whole(found, verb, picked) if verb != "choose" else None
        by_fists = verb == "reveal" and m.reveal == "fists"
        yield Deed(verb, words(m, verb, key, value), seat, picked, event, not by_fists and verb not in ASIDE)


def apart(found: Outlines) -> str:
    """The key each value of which has a control of its own; "" if there is none."""
    if len(options(found, "seat") or ()) > 1:
        return "seat"
    left = missing(found, filled(found, {}))
    few = len(left) == 1 and len(options(found, left[0]) or ()) in (2, 3)
    return left[0] if few and found[0].keys[left[0]][0] not in ("place", "seats") else ""


ASIDE = ("pass", "unsold", "no_decision", "transfer", "undo")
"""What people do when they do not do the other thing."""

VERBS = {
    "flip": N_("Flip a card"),
    "auction": N_("Stop: auction"),
    "bid": N_("Bid"),
    "sold": N_("Sold"),
    "unsold": N_("Nobody buys"),
    "load": N_("Load a card"),
    "play": N_("Play a card"),
    "pass": N_("Pass"),
    "place": N_("Place a counter"),
    "ally": N_("Alliance"),
    "attack": N_("Attack"),
    "choose": N_("Choose"),
    "move": N_("Move a piece"),
    "defend": N_("Fights: {value}"),
    "answer": N_("Answer: {value}"),
}
"""What a control says, by its verb."""

OPEN = {"mercator": N_("Fists are open")}
CHOSEN, NAMED = N_("card down"), N_("bid: {chips}")


def words(m: Moment, verb: str, key: str = "", value: Any = None) -> str:
    """What the control of an act says."""
    if verb == "reveal":
        return m.say(OPEN.get(m.game.name, N_("Turn the cards up")))
    if verb == "choose" and value in m.view.get("chosen", ()):
        return m.say(CHOSEN)
    if verb == "bid" and value in m.view["bids"]:
        return m.say(NAMED, chips=m.view["bids"][value])
    text = VERBS.get(verb, N_("{act}: {value}") if key not in ("", "seat") else N_("{act}"))
    return m.say(text, act=verb.replace("_", " ").capitalize(), value=value)


# -- step by step -----------------------------------------------------------------------------------------------


def fitting(found: Outlines, picked: Picked) -> Outlines:
    """The outlines that agree with what was picked."""
    return [
        outline
        for outline in found
        if all(
            key in outline.keys and (outline.keys[key][1] is None or value in (outline.keys[key][1] or ()))
            for key, value in picked.items()
        )
    ]


def options(found: Outlines, key: str) -> Sequence[Any] | None:
    """Every legal value of the key, each once; None where any may be tried."""
    values: dict[Any, None] = {}
    for outline in found:
        of = outline.keys[key][1] if key in outline.keys else ()
        if of is None:
            return None
        values |= dict.fromkeys(of)
    return tuple(values)


def filled(found: Outlines, picked: Picked) -> Picked:
    """What was picked, and every value that leaves no choice."""
    found = fitting(found, picked)
    for key in found[0].keys if found else ():
        values = options(found, key)
        if key not in picked and values is not None and len(values) == 1:
            picked = {**picked, key: values[0]}
    return picked


def missing(found: Outlines, picked: Picked) -> Sequence[str]:
    """The keys that are still to be asked; words and times are never needed."""
    return [
        key
        for key, (kind, _) in (found[0].keys if found else {}).items()
        if key not in picked and kind not in ("text", "opened")
    ]


def whole(found: Outlines, verb: str, picked: Picked) -> Mapping[str, Any] | None:
    """The event as a transcript writes it, None while something is missing or does not fit."""
    if not fitting(found, picked) or missing(found, picked):
        return None
    return {"event": verb} | {key: as_json(value) for key, value in picked.items() if value is not None}


def ask(m: Moment, found: Outlines, verb: str, picked: Picked) -> Ask | None:
    """The next question of this act, None where nothing is left to ask or the act is no longer there."""
    found = [outline for outline in found if outline.verb == verb]
    picked = filled(found, picked)
    found = fitting(found, picked)
    left = missing(found, picked)
    if not left:
        return None
    key = left[0]
    kind = found[0].keys[key][0]
    title, some = question(m, verb, key, kind, picked), choices(m, found, key, kind, picked)
    return Ask(key, kind, title, told(m, picked), some, options(found, key))


def settled(found: Outlines, verb: str, picked: Picked) -> Mapping[str, Any] | None:
    """The whole event once nothing is left to ask, else None."""
    found = [outline for outline in found if outline.verb == verb]
    picked = filled(found, picked)
    return whole(fitting(found, picked), verb, picked)


QUESTIONS = {
    "seat": N_("who?"),
    "from": N_("from where?"),
    "to": N_("where to?"),
    "square": N_("on which square?"),
    "piece": N_("which piece?"),
    "card": N_("which card?"),
    "chips": N_("how many chips?"),
    "seats": N_("which seats, in order?"),
    "place": N_("where?"),
}


def question(m: Moment, verb: str, key: str, kind: str, picked: Picked) -> str:
    """The title of the pad."""
    text = m.say(QUESTIONS.get(key) or QUESTIONS.get(kind) or N_("{key}?"), key=key.replace("_", " "))
    act, seat = m.say(ACTS.get(verb, N_("{act}")), act=verb.replace("_", " ").capitalize()), picked.get("seat")
    return m.say(N_("{seat} · {act}: {question}") if seat else N_("{act}: {question}"), seat=seat, act=act,
                 question=text)  # fmt: skip


ACTS = VERBS | {"defend": N_("Fights"), "answer": N_("Answer")}


def told(m: Moment, picked: Picked) -> str:
    """What has been settled so far, but for the seat, which the title names."""
    return " · ".join(shown(m, value) for key, value in picked.items() if key != "seat" and value is not None)


def shown(m: Moment, value: Any) -> str:
    """A value in words; a route by its two ends."""
    if isinstance(value, str) and "-" in value:
        return "\u00a0– ".join(m.name(end) for end in value.split("-"))
    return m.say(N_("{value}"), value=value)


def choices(m: Moment, found: Outlines, key: str, kind: str, picked: Picked) -> Sequence[Choice]:
    """The answers there are."""
    if kind == "card":
        gone = seen(m)
        return [Choice(card, card, card.split()[0], card in gone) for card in cards(m, picked.get("seat", ""))]
    values = m.seats if kind == "seats" else options(found, key) or ()
    seats = values if kind in ("seat", "seats") else ()
    return [Choice(value, shown(m, value), value if value in seats else "") for value in values]


def group(m: Moment, values: Sequence[Any] | None, seats: Sequence[str]) -> Any:
    """These seats as one of the values, in this order or the table's; None if they are none of them."""
    table = tuple(seat for seat in m.seats if seat in seats)
    return next((way for way in (tuple(seats), table) if values is None or way in values), None)


# -- straight on the board --------------------------------------------------------------------------------------


def where(outline: Outline) -> Sequence[str]:
    """The keys of an outline that take places."""
    return [key for key, (kind, _) in outline.keys.items() if kind == "place"]


def taps(found: Outlines) -> Mapping[tuple[str, str], Deed | None]:
    """What a tap on a place does after one on another ("" for none); None where an act only begins there."""
    ways: dict[tuple[str, str], list[Outline]] = {}
    for outline in found:
        for path in product(*(outline.keys[key][1] or () for key in where(outline))):
            if len(path) == 2:
                ways.setdefault(("", path[0]), [])
            if 0 < len(path) <= 2:
                ways.setdefault((path[0] if path[1:] else "", path[-1]), []).append(outline)
    return {pair: leads(able, pair) if able else None for pair, able in ways.items()}


def leads(able: Outlines, pair: tuple[str, str]) -> Deed:
    """The act two places make; without an event where it is not yet clear, say with which piece."""
    verb, keys = able[0].verb, where(able[0])
    picked = filled(able, dict(zip(keys, [place for place in pair if place], strict=True)))
    return Deed(verb, "", "", picked, whole(able, verb, picked))
