"""Requests of the devices to players: how to lay a card, which card to take off, what to do about a faulty device."""

from __future__ import annotations

from collections.abc import Sequence

from companion.play.cards_on_readers import LyingCard
from companion.rules import N_
from companion.rules.phrases import THEN
from companion.rules.readings import CENTRE
from companion.rules.words import message
from ui.table.moment import Moment

FEW = 3
"""The number of names there is room for."""


WAYS = {
    "shared": N_("hold your card to the reader, then lay it face down before you"),
    "own": N_("lay your card face down on your reader"),
    None: N_("touch your colour and choose a card on the screen"),
}
"""The way a card is chosen face down, by the reader a seat has."""


def by_means(m: Moment, seats: Sequence[str]) -> str:
    """Return how these seats choose a card; "" where their devices differ, or where an audio seat is told."""
    if m.virtual:
        return N_("choose a virtual card below")
    ways = {m.means[seat].reader for seat in seats if seat in m.means}
    by_ear = ways == {None} and any(seat in m.ears for seat in seats)  # an audio seat does not choose on the screen
    return WAYS[ways.pop()] if len(ways) == 1 and not by_ear else ""


def next_at_reader(m: Moment) -> str:
    """Return the seat that comes to the shared reader first; "" where nobody has to wait.

    Naming a seat keeps two players from reaching for the reader at once. The order is not binding: the table takes a
    card from any of them.
    """
    waiting = m.view["waiting"]
    queue = (
        m.choosing and not m.virtual and all(seat in m.means and m.means[seat].reader == "shared" for seat in waiting)
    )
    return waiting[0] if queue and len(waiting) > 1 else ""


def first_of_all(m: Moment, expected: str) -> str:
    """Return that a card in the way comes off its reader first, then what is expected; "" where none is."""
    found = in_the_way(m)
    if not found or m.virtual:  # virtual cards make room by themselves
        return ""
    first = take_off(m, found)
    return first if m.choosing or not m.acts else m.say(THEN, first=first, then=expected)


def in_the_way(m: Moment) -> Sequence[LyingCard]:
    """Return the cards in the way on readers that read one card at a time.

    Before the first act these are all cards, later those where the next card is to be laid.
    """
    alive = [each for each in m.lying if not deaf(m, each.reader)]
    if m.view["over"] or not m.acts:
        return () if m.view["over"] else alive
    turn = m.view["turn"]
    waiting = [turn] if turn else m.view["waiting"]
    if not any(kind == "card" for outline in m.outlines for kind, _ in outline.keys.values()):
        return ()
    shared = any(m.means[seat].reader == "shared" for seat in waiting if seat in m.means)
    return [each for each in alive if (shared if each.reader == CENTRE else each.reader in waiting)]


def deaf(m: Moment, reader: str) -> bool:
    """Return whether a reader is faulty: it reads no card, and does not report a card taken off it."""
    return _is_faulty(m, f"reader {reader}") or _is_faulty(m, f"box {reader}")


def take_off(m: Moment, found: Sequence[LyingCard]) -> str:
    """Return which card is to come off, in words; an unknown card is not named."""
    lying = found[0]
    says = m.health.get(f"reader {lying.reader}")
    if says and says.detail:
        return message(says.detail, m.lang)
    if lying.reader != CENTRE:
        return m.say(N_("{seat}: take the card off your reader."), seat=lying.reader)
    if lying.card:
        return m.say(N_("Take {card} off the reader."), card=lying.card)
    if not lying.seat:
        return m.say(N_("Take the card off the reader."))
    return m.say(N_("{seat}: take your card off the reader."), seat=lying.seat)


# -- what is ill ------------------------------------------------------------------------------------------------

ILL = {
    "box": N_("Hub not connected: plug it in, or play on the screen."),
    "reader": N_("Reader out of order: play on the screen."),
    "button": N_("Button out of order: play on the screen."),
}
"""The remedies for devices; a device's tile says whose it is."""


def without(m: Moment, seat: str) -> str:
    """Return how a seat with a faulty device acts; "" while all its devices work."""
    return m.say(N_("taps")) if any(_is_faulty(m, f"{device} {seat}") for device in ILL) else ""


def remedy(m: Moment) -> str:
    """Return what to do about the worst fault; "" while all devices work."""
    ill = (text for device, text in ILL.items() if any(_is_faulty(m, f"{device} {seat}") for seat in m.seats))
    worst = next(ill, ILL["reader"] if deaf(m, CENTRE) else "")
    return m.say(worst) if worst else ""


def _is_faulty(m: Moment, device: str) -> bool:
    return device in m.health and not m.health[device].well
