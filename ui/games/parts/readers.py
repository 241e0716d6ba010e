"""What the devices ask of people: how a card is laid, which card must come off, what to do while one is ill."""

from __future__ import annotations

from collections.abc import Sequence

from companion.play.lying import LyingCard
from companion.rules import N_
from companion.rules.readings import CENTRE
from companion.rules.words import message
from ui.table.moment import Moment

FEW = 3
"""How many names there is room for."""


WAYS = {
    "shared": N_("hold your card to the reader, then lay it face down before you"),
    "own": N_("lay your card face down on your reader"),
    None: N_("touch your colour and choose a card on the screen"),
}
"""How a card is chosen face down, by the reader a seat has."""


def by_means(m: Moment, seats: Sequence[str]) -> str:
    """How these seats choose a card; "" where they have different things, or an ear that is told."""
    if m.virtual:
        return N_("choose a card below")
    ways = {m.means[seat].reader for seat in seats if seat in m.means}
    by_ear = ways == {None} and any(seat in m.ears for seat in seats)  # and not on the screen
    return WAYS[ways.pop()] if len(ways) == 1 and not by_ear else ""


def next_at_reader(m: Moment) -> str:
    """Who of several comes to the one reader first, so that no two reach for it at once; "" where nobody has to wait.
    Nobody must keep to it: a card is taken from whoever shows one."""
    waiting = m.view["waiting"]
    queue = (
        m.choosing and not m.virtual and all(seat in m.means and m.means[seat].reader == "shared" for seat in waiting)
    )
    return waiting[0] if queue and len(waiting) > 1 else ""


def first_of_all(m: Moment, expected: str) -> str:
    """A card that is in the way of the next comes off its reader first, then what is expected; "" where none is."""
    found = in_the_way(m)
    if not found or m.virtual:  # where cards make room by themselves
        return ""
    first = take_off(m, found)
    return first if m.choosing or not m.acts else m.say(N_("{first} {then}"), first=first, then=expected)


def in_the_way(m: Moment) -> Sequence[LyingCard]:
    """Cards on readers that hear one at a time: before the first act, and where the next card is to be laid."""
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
    """A reader that is ill: it hears no card, and does not say what has been taken off it."""
    return _ill(m, f"reader {reader}") or _ill(m, f"box {reader}")


def take_off(m: Moment, found: Sequence[LyingCard]) -> str:
    """Which card is to come off; a card nobody knows yet is not named."""
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
    "box": N_("Hub not connected: plug it in, or act by finger."),
    "reader": N_("Reader out of order: act by finger."),
    "button": N_("Button out of order: act by finger."),
}
"""What is to be done about a device; whose it is, its tile says."""


def without(m: Moment, seat: str) -> str:
    """How a seat acts that is without something; "" while all it has is well."""
    return m.say(N_("by finger")) if any(_ill(m, f"{device} {seat}") for device in ILL) else ""


def remedy(m: Moment) -> str:
    """What to do about the worst that is ill; "" while everything is well."""
    ill = (text for device, text in ILL.items() if any(_ill(m, f"{device} {seat}") for seat in m.seats))
    worst = next(ill, ILL["reader"] if deaf(m, CENTRE) else "")
    return m.say(worst) if worst else ""


def _ill(m: Moment, device: str) -> bool:
    return device in m.health and not m.health[device].well
