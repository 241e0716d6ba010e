"""Spartacus: what is expected now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.games.spartacus.view import SpartacusDerived, SpartacusView
from companion.rules import N_, Seat
from companion.rules.guide import Known, Saying
from companion.rules.prompts import Can, Now, Prompt, Prompts, Way, yours

At = Known[SpartacusView, SpartacusDerived]
"""A moment of Spartacus, as everybody may know it."""

BY_CARD: Sequence[Way] = ("card", "finger")

# -- what is awaited ----------------------------------------------------------------------------------------------


BELOW: Mapping[str, tuple[str, str]] = {
    "double": (N_("play your flag or pass"), N_("play below {rank}, the flag, or pass")),
    "joker": (N_("play your joker or pass"), N_("play below {rank}, a joker, or pass")),
    "none": (N_("pass; nothing is below 1"), N_("play below {rank}, or pass")),
}
"""By what a flag is that may still come: what to play on a 1, and on any other number."""


def shown(at: At) -> Prompt:
    """The cards that may be played."""
    below, facts = low(at), {"rank": low(at), "trick": len(at.view["trick"])}
    if not at.view["trick"]:
        return Prompt("S-2", seats(at), N_("play any card"), facts, N_("{seats} leads:"))
    if below is None:
        return Prompt("S-3", seats(at), N_("play any card; nobody may pass yet"), facts, short=N_("play any card"))
    lowest, lower = BELOW[str(at.options["flags"]) if flag(at) else "none"]
    return Prompt("S-4", seats(at), lowest if below == 1 else lower, facts)


# -- what may be done ----------------------------------------------------------------------------------------------


def now(at: At) -> Now:
    """What may be done at this moment, and why something else is not possible."""
    can = [Can("play", seats(at), played(at), BY_CARD)]
    if low(at) is not None:
        text = N_("{seats}: pass, and be out of this trick.")
        can.append(Can("pass", seats(at), Saying("S-5", text, named(at)), ("press", "finger")))
    return Now(can, list(cannot(at)))


def seats(at: At) -> Sequence[Seat]:
    """Whose turn it is."""
    return tuple(at.view["waiting"])


def named(at: At, **more: object) -> dict[str, Any]:
    """What a sentence names of it."""
    return {"seats": seats(at), **more}


def low(at: At) -> int | None:
    """What a number is played below; None while no number lies."""
    return at.derived["below"]


def flag(at: At) -> bool:
    """The seat to move may still have its flag, as far as everybody may know."""
    return any(seat in at.derived["flags"] for seat in seats(at))


def played(at: At) -> Saying:
    """S-2 to S-4: which cards may be played."""
    below, joker = low(at), at.options["flags"] == "joker"
    if not at.view["trick"]:
        return Saying("S-2", N_("{seats}: lead any card."), named(at))
    if below is None:
        return Saying("S-14" if joker else "S-3", N_("{seats}: play any card."), named(at))
    if below == 1:
        none = N_("{seats}: nothing is lower than 1, so no card can be played.")
        only = (
            N_("{seats}: play a joker; nothing is lower than 1.")
            if joker
            else N_("{seats}: play the flag; nothing is lower than 1.")
        )
        return Saying("S-4", only if flag(at) else none, named(at))
    text = N_("{seats}: play a number lower than {rank}.")
    if flag(at):
        text = N_("{seats}: play a number lower than {rank}, or the flag.")
        if joker:
            text = N_("{seats}: play a number lower than {rank}, or a joker.")
    return Saying("S-4", text, named(at, rank=below))


def cannot(at: At) -> Iterator[Saying]:
    """Why nobody may pass yet, and who is out."""
    joker = at.options["flags"] == "joker"
    if not at.view["trick"]:
        yield Saying("S-2", N_("Whoever leads cannot pass."))
    elif low(at) is None:
        text = (
            N_("Nobody may pass while only jokers have been played.")
            if joker
            else N_("Nobody may pass while only flags have been played.")
        )
        yield Saying("S-14" if joker else "S-3", text)
    if out := tuple(at.view["passed"]):
        yield Saying("S-5", N_("No card from {seats} until this trick is taken."), {"seats": out})


# -- by ear -------------------------------------------------------------------------------------------------------


def turn(at: At) -> Saying:
    """For everybody: with what is asked for where the last card does not say it."""
    trick, below = at.view["trick"], at.derived["below"]
    text = N_("{seat}.")
    if not trick:
        text = N_("{seat} leads.")
    elif below is None:
        text = N_("{seat}, any card.")
    elif "flag" in trick[-1]["card"] and below > 1:
        text = N_("{seat}, below {rank}.")
    return Saying("S-4", text, {"seat": at.view["turn"], "rank": below, "trick": len(trick)})


def mine(at: At, seat: Seat) -> Saying | None:
    """For the one who is to act."""
    return yours(shown(at), seat)


PROMPTS: Prompts[SpartacusView, SpartacusDerived] = Prompts(now, shown, turn, mine)
