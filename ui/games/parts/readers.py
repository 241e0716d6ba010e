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


def few(m: Moment, text: str, many: str, seats: Sequence[str]) -> str:
    """The text with the seats' names, or `many` without them: their shapes stand beside it anyhow."""
    return m.say(text if 0 < len(seats) <= FEW else many, seats=seats)


WAYS = {
    "shared": N_("hold your card to the reader, then lay it face down before you"),
    "own": N_("lay your card face down on your reader"),
    None: N_("touch your colour and choose a card on the screen"),
}
"""How a card is chosen face down, by the reader a seat has."""


def by_means(m: Moment, seats: Sequence[str]) -> str:
    """How these seats choose a card; "" where they have different things, or an ear that is told."""
    ways = {m.means[seat].reader for seat in seats if seat in m.means}
    by_ear = ways == {None} and any(seat in m.ears for seat in seats)  # and not on the screen
    return WAYS[ways.pop()] if len(ways) == 1 and not by_ear else ""


def first_of_all(m: Moment, expected: str) -> str:
    """A card that is in the way of the next comes off its reader first, then what is expected; "" where none is."""
    found = in_the_way(m)
    if not found:
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
    """Which card is to come off, and who is waiting for that; a card nobody knows yet is not named."""
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
    others = [seat for seat in m.view["waiting"] if seat != lying.seat] if m.choosing else []
    if not others:
        return m.say(N_("{seat}: take your card off the reader."), seat=lying.seat)
    one = N_("{seat}: take your card off the reader. {seats} is waiting.")
    more = N_("{seat}: take your card off the reader. {seats} are waiting.")
    many = N_("{seat}: take your card off the reader. The others are waiting.")
    text = many if len(others) > FEW else more if len(others) > 1 else one
    return m.say(text, seat=lying.seat, seats=others)


# -- what is ill ------------------------------------------------------------------------------------------------

ILL = {
    "box": (N_("no hub: by finger"), N_("{seats}: hub not connected. Plug it in, or touch your plate."),
            N_("Hubs not connected: plug them in, or touch your plate.")),
    "reader": (N_("no reader: by finger"), N_("{seats}: reader out of order. Touch your plate."),
               N_("Readers out of order: touch your plate.")),
    "button": (N_("no button: by finger"), N_("{seats}: button out of order. Touch the screen."),
               N_("Buttons out of order: touch the screen.")),
}  # fmt: skip
"""By device: a word on the plate of a seat that is without it, what these seats are to do, and what many are."""


def without(m: Moment, seat: str) -> str:
    """What the seat is without, in a word or two; "" while all it has is well."""
    return next((m.say(word) for device, (word, *_) in ILL.items() if _ill(m, f"{device} {seat}")), "")


def remedy(m: Moment) -> str:
    """What to do about the worst that is ill; "" while everything is well."""
    for device, (_, one, many) in ILL.items():
        seats = [seat for seat in m.seats if _ill(m, f"{device} {seat}")]
        if seats:
            return few(m, one, many, seats)
    return m.say(N_("Reader out of order: touch your plate.")) if deaf(m, CENTRE) else ""


def _ill(m: Moment, device: str) -> bool:
    return device in m.health and not m.health[device].well
