"""What the screen says of Mercator: what is expected, each seat's facts, the acts, what goes back, the sale."""

from __future__ import annotations

from functools import partial

from companion.rules import N_
from ui.games.mercator.at import At
from ui.games.parts import ending, status
from ui.games.parts.deeds import Terms
from ui.games.parts.ending import Chart, concerns
from ui.games.parts.past import latest
from ui.games.parts.readers import few
from ui.games.parts.sentences import common, holding


def expected(m: At) -> str:
    """One sentence: what is expected now, and from whom."""
    return common(m) or in_phase(m)


def in_phase(m: At) -> str:
    view = m.view
    seat, waiting = view["turn"], view["waiting"]
    match view["phase"]:
        case "flipping":
            more = N_("{seat}: flip another card, or start the auction.")
            return m.say(more if view["lot"] else N_("{seat}: flip the first card of the lot."), seat=seat)
        case "fists":
            return fists(m)
        case "bidding" if m.options.get("auction") == "open":
            return m.say(N_("Open outcry: who buys the lot, and for how much?"))
        case "bidding":
            many = N_("Say what was in your fists, one after another.")
            return few(m, N_("{seats}: say what was in your fist."), many, waiting)
    return m.say(N_("{seat}: load the next card from the pile for free."), seat=seat)


def fists(m: At) -> str:
    """Chips are hidden first, then all hold."""
    seats = m.fists or m.view["waiting"]
    hidden = N_("Hide chips in your fists, then open them all together.")
    if not status.by_buttons(m):
        return m.say(N_("Hide chips in your fists, open them together, then touch “{act}”."), act=m.say(OPENED))
    if any(seat in m.closed for seat in seats):
        return holding(m, hidden)
    alone = N_("{seats}: hide chips in your fist, then open it.")
    together = N_("{seats}: hide chips in your fists, then open them together.")
    return few(m, together if len(seats) > 1 else alone, hidden, seats)


STATUS = partial(status.status, facts={"track": N_("cargo: {count}")}, score=N_("chips: {count}"))


def number(m: At, _: str) -> str:
    """What that counts."""
    return "chips" if m.view["over"] else "" if m.fists else "cargo"


OPENED = N_("Fists are open")

TERMS = Terms(
    verbs={
        "flip": N_("Flip a card"),
        "auction": N_("Start auction"),
        "sold": N_("Sold"),
        "unsold": N_("Nobody buys"),
        "load": N_("Load a card"),
        "reveal": OPENED,
    },
    aside=("unsold",),
)

VALUES = {"exact": N_("exact"), "down": N_("rounded down"), "fists": N_("in fists"), "open": N_("out loud")}


def breakdown(m: At, seat: str) -> str:
    """The prize for the cargo, and the chips that were left."""
    prize = next((r.facts["prize"] for r in latest(m) if r.code in ("sale", "shared") and concerns(r, seat)), 0)
    rest = m.result["scores"][seat] - prize
    text = N_("cargo of {cargo} sold for {prize}; chips left: {rest}")
    return m.say(text, cargo=m.view["track"][seat], prize=prize, rest=rest)


def chart(m: At) -> Chart:
    return ending.fortunes(m, N_("Cargo, lot by lot"), lambda view: view["track"])
