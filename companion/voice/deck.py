"""A deck that is enrolled or checked by ear: which card is next, and what was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.deck.check import Check
from companion.deck.enrol import Enrolment
from companion.rules import N_, Ruling
from companion.rules.cards import DECK
from companion.rules.data import Data
from companion.rules.line import Line, Sound
from companion.voice.spoken_language import Spoken

LAY = N_("Lay the {card}.")
DONE = N_("Done: {count} cards.")
CHECK = N_("Lay all cards, one after the other.")
ALL = N_("All {count} cards are here.")
HEARD: Mapping[str, str] = {
    "enrolled": N_("{card} is read."),
    "known": N_("{card}, known already: lay another one."),
    "taken": N_("{card} of the deck {deck}, known already. If it is to be the {asked}, lay it again."),
    "two": N_("Two tags at once: lift both, then lay one."),
    "changed": N_("Read as two different tags: lift it and lay it again."),
    "random": N_("This tag changes its number every time: use another."),
    "unasked": N_("An unknown tag, and every card has one already."),
    "weak": N_("The tag of {card} is hard to read: stick it flat, or use another."),
    "laid": N_("{card} is here."),
    "stranger": N_("An unknown tag: put this card aside."),
    "other_deck": N_("{card} of the deck {deck}: put it aside."),
    "not_played": N_("{card} is not needed: put it aside."),
}
"""By code: the outcome of laying a card, for the ear; a ruling without words here is said as it is read."""
OWN = N_("{card}, known already: lay another one. If it is to be the {asked}, lay it again.")
"""Words about the deck being enrolled."""
NOBODYS = N_("This tag is hard to read: use another.")
"""The warning about a weak tag of no card."""
FINE = ("enrolled", "laid", "undone")


Told = tuple[Sound | None, str, Data]
"""A sound, and a text with its facts."""


def begun(state: Enrolment | Check, lang: str) -> Sequence[Line]:
    """Return what is said first."""
    return [_line(lang, *told) for told in first(state)]


def heard(before: Enrolment | Check, after: Enrolment | Check, lang: str) -> Sequence[Line]:
    """Return what is said of a card, a wish or a tag taken away, and the next card; nothing where nothing changed."""
    return [_line(lang, *told) for told in news(before, after)]


def first(state: Enrolment | Check) -> Sequence[Told]:
    """Return the request for the next card."""
    return [(None, *_next(state))]


def news(before: Enrolment | Check, after: Enrolment | Check) -> Iterator[Told]:
    """Yield the outcome and the next card, to be said in any language."""
    ruling = after.ruling
    if ruling and ruling is not before.ruling:
        yield _sound(ruling), _words(ruling, after.name), ruling.facts
    if _next(after) != _next(before):
        yield None, *_next(after)


def _next(state: Enrolment | Check) -> tuple[str, Data]:
    """Return the request for the next card, or that there is none."""
    if isinstance(state, Enrolment):
        return (LAY, {"card": state.asked}) if state.asked else (DONE, {"count": len(DECK)})
    return (CHECK, {}) if state.missing else (ALL, {"count": len(state.laid)})


def _words(ruling: Ruling, deck: str) -> str:
    if ruling.code == "taken" and ruling.facts["deck"] == deck:
        return OWN
    if ruling.code == "weak" and ruling.facts["card"] is None:
        return NOBODYS
    return HEARD.get(ruling.code, ruling.text)


def _sound(ruling: Ruling) -> Sound:
    return "back" if ruling.code == "undone" else "card" if ruling.code in FINE else "refused"


def _line(lang: str, sound: Sound | None, text: str, facts: Data) -> Line:
    said = Spoken(lang).tr(text, **{key: fact for key, fact in facts.items() if f"{{{key}}}" in text})
    return Line(said[:1].upper() + said[1:], None, sound, named="{" in text)
