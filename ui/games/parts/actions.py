"""The acts by finger in any game: a control for each act, and the acts that touched places make."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from companion.games import acts_of
from companion.rules import N_
from companion.rules.outline import Outline
from ui.games.parts import asking
from ui.games.parts.asking import (
    Event,
    Outlines,
    Picked,
    Question,
    asked,
    choices,
    filled,
    fitting,
    missing,
    options,
    places,
    so_far,
    whole,
)
from ui.games.parts.cards import offered
from ui.games.parts.cards import seen as shown_before
from ui.games.parts.status import by_buttons
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Action:
    """A control on the board: an act, with as much of it as is settled."""

    verb: str
    text: str
    seat: str
    picked: Picked = field(default_factory=dict)
    event: Event | None = None
    """The whole event, None while something is still to be asked."""
    main: bool = False
    """Whether it is what the moment calls for."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The wording of a game's acts."""

    aside: Collection[str] = ()
    """Verbs of what people do when they do not do the other thing, beside `ASIDE`."""
    seen: Callable[[Moment], Collection[str]] = shown_before
    """The cards shown since hands were last full."""


ASIDE = ("pass",)


def actions(m: Moment, terms: Terms) -> Sequence[Action]:
    """Return a control for every act possible now; once the game is over, one that opens the result."""
    if m.view["over"]:
        return [Action("end", m.say(N_("The result")), "", main=True)]
    verbs = dict.fromkeys(outline.verb for outline in m.outlines)
    return [
        action for verb in verbs for action in of_verb(m, terms, [found for found in m.outlines if found.verb == verb])
    ]


def off_board(m: Moment, terms: Terms) -> Sequence[Action]:
    """Return the controls for acts that are not made by touching places.

    Once all cards are down there is only the reveal; a card is then changed at the seat's own panel.
    """
    touched = {outline.verb for outline in m.outlines if places(outline)}
    found = [action for action in actions(m, terms) if action.verb not in touched]
    return [action for action in found if action.verb == "reveal"] or found


def of_verb(m: Moment, terms: Terms, found: Outlines) -> Iterator[Action]:
    """Yield one control for the verb, one per seat, or one per answer where there are only two or three."""
    verb, key = found[0].verb, apart(found)
    values = (options(found, key) or ()) if key else ("",)
    if tuple(values) == (True, False):  # yes is at the right, as on the board
        values = (False, True)
    for value in values:
        picked = filled(found, {key: value} if key else {})
        seat = str(value) if key == "seat" else ""
        event = whole(found, verb, picked) if verb != "choose" else None
        main = not (verb == "reveal" and by_buttons(m)) and verb not in (*ASIDE, *terms.aside)
        yield Action(verb, said(m, verb, key, value), seat, picked, event, main)


def apart(found: Outlines) -> str:
    """Return the key whose values have a control each; "" if there is none."""
    if len(options(found, "seat") or ()) > 1:
        return "seat"
    left = missing(found, filled(found, {}))
    few = len(left) == 1 and len(options(found, left[0]) or ()) in (2, 3)
    return left[0] if few and found[0].keys[left[0]][0] not in ("place", "seats") else ""


def said(m: Moment, verb: str, key: str = "", value: object = None) -> str:
    """Return the text of an act's control."""
    if verb == "choose" and value in m.view.get("chosen", ()):
        return m.say(N_("card down"))
    text, act = acts_of(m.game.name).get(verb, ""), verb.replace("_", " ").capitalize()
    if key in ("", "seat"):
        return m.say(text) if text and "{" not in text else m.say(N_("{act}"), act=act)
    if f"{{{key}}}" in text:
        words = m.say(text, **{key: value})
        return words[:1].upper() + words[1:]  # in some languages the value comes first
    return m.say(N_("{act}: {value}"), act=m.say(text) if text else act, value=value)


# -- straight on the board --------------------------------------------------------------------------------------


def taps(found: Outlines) -> Mapping[tuple[str, str], Action | None]:
    """Return the act of a tap on a place after one on another ("" for none); None where an act only begins there."""
    ways: dict[tuple[str, str], list[Outline]] = {}
    for outline in found:
        for path in product(*(outline.keys[key][1] or () for key in places(outline))):
            if len(path) == 2:
                ways.setdefault(("", path[0]), [])
            if 0 < len(path) <= 2:
                ways.setdefault((path[0] if path[1:] else "", path[-1]), []).append(outline)
    return {pair: leads(able, pair) if able else None for pair, able in ways.items()}


def leads(able: Outlines, pair: tuple[str, str]) -> Action:
    """Return the act that two places make; without an event while something is open, such as the piece."""
    verb, keys = able[0].verb, places(able[0])
    picked = filled(able, dict(zip(keys, [place for place in pair if place], strict=True)))
    return Action(verb, "", "", picked, whole(able, verb, picked))


# -- step by step -----------------------------------------------------------------------------------------------


def ask(m: Moment, terms: Terms, verb: str, picked: Picked) -> Question | None:
    """Return the next question of this act; None where nothing is left to ask or the act is no longer possible."""
    of_it = [outline for outline in m.outlines if outline.verb == verb]
    picked = filled(of_it, picked)
    found = fitting(of_it, picked)
    left = missing(found, picked)
    if not left:
        return None
    key, seat = left[0], picked.get("seat")
    kind, values = found[0].keys[key][0], options(found, key)
    some = asking.cards(offered(m, seat or ""), terms.seen(m)) if kind == "card" else choices(m, kind, values or ())
    title = asked(m, said(m, verb), key, kind, seat)
    return Question(key, kind, title, so_far(m, picked), some, values)
