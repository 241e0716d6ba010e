"""Prompts of Spartacus: what the game expects at each moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from companion.games.spartacus.view import SpartacusDerived, SpartacusView
from companion.rules import N_, Seat
from companion.rules.guide import Known, Saying
from companion.rules.prompts import Can, Now, Prompt, Prompts, Way, yours

At = Known[SpartacusView, SpartacusDerived]
"""A moment of Spartacus, as everybody may know it."""

BY_CARD: Sequence[Way] = ("card", "finger")

# -- the situation ------------------------------------------------------------------------------------------------

Situation = Literal[
    "leads", "open", "nothing", "nothing but the flag", "nothing but a joker", "lower", "lower or the flag",
    "lower or a joker",
]  # fmt: skip
"""What may lie on the trick: anything, as nothing lies (S-2) or only flags do (S-3, S-14); a lower number, where there
is one, and a flag that may still come (S-4)."""
ASKED: Mapping[Situation, tuple[str, str, str]] = {
    "leads": ("S-2", N_("play any card"), N_("{seats}: lead any card.")),
    "open": ("S-3", N_("play any card; nobody may pass yet"), N_("{seats}: play any card.")),
    "nothing": (
        "S-4",
        N_("pass; nothing is below 1"),
        N_("{seats}: nothing is lower than 1, so no card can be played."),
    ),
    "nothing but the flag": (
        "S-4",
        N_("play your flag or pass"),
        N_("{seats}: play the flag; nothing is lower than 1."),
    ),
    "nothing but a joker": (
        "S-4",
        N_("play your joker or pass"),
        N_("{seats}: play a joker; nothing is lower than 1."),
    ),
    "lower": ("S-4", N_("play below {rank}, or pass"), N_("{seats}: play a number lower than {rank}.")),
    "lower or the flag": (
        "S-4",
        N_("play below {rank}, the flag, or pass"),
        N_("{seats}: play a number lower than {rank}, or the flag."),
    ),
    "lower or a joker": (
        "S-4",
        N_("play below {rank}, a joker, or pass"),
        N_("{seats}: play a number lower than {rank}, or a joker."),
    ),
}
"""The clause, what is asked of the seat to move, and what it may do."""


def situation(at: At) -> Situation:
    """Return which cards may be played to the trick now."""
    below = at.derived["below"]
    if not at.view["trick"]:
        return "leads"
    if below is None:
        return "open"
    if not any(seat in at.derived["flags"] for seat in seats(at)):
        return "nothing" if below == 1 else "lower"
    if jokers(at):
        return "nothing but a joker" if below == 1 else "lower or a joker"
    return "nothing but the flag" if below == 1 else "lower or the flag"


def jokers(at: At) -> bool:
    """Return whether flags are jokers (S-14)."""
    return bool(at.options["flags"] == "joker")


def may_pass(at: At) -> bool:
    """Return whether the seat to move may pass: a number has been played (S-5)."""
    return situation(at) not in ("leads", "open")


def flag_may_come(at: At) -> bool:
    """Return whether the seat to move may still have its flag, as far as is public (S-4)."""
    return situation(at).endswith(("flag", "joker"))


def seats(at: At) -> Sequence[Seat]:
    """Return the seat to move."""
    return tuple(at.view["waiting"])


def named(at: At, **more: object) -> dict[str, Any]:
    """Return the facts of a sentence, with the seat to move."""
    return {"seats": seats(at), **more}


# -- what is awaited ----------------------------------------------------------------------------------------------


def shown(at: At) -> Prompt:
    """Ask for one of the cards that may be played."""
    of = situation(at)
    rule, text, _ = ASKED[of]
    facts = {"rank": at.derived["below"], "trick": len(at.view["trick"])}
    if of == "leads":
        return Prompt(rule, seats(at), text, facts, N_("{seats} leads:"))
    return Prompt(rule, seats(at), text, facts, short=N_("play any card") if of == "open" else "")


# -- what may be done ----------------------------------------------------------------------------------------------


def now(at: At) -> Now:
    """Return what may be done at this moment, and why other moves are not possible."""
    can = [Can("play", seats(at), played(at), BY_CARD)]
    if may_pass(at):
        text = N_("{seats}: pass, and be out of this trick.")
        can.append(Can("pass", seats(at), Saying("S-5", text, named(at)), ("press", "finger")))
    return Now(can, list(cannot(at)))


def played(at: At) -> Saying:
    """Explain which cards may be played (S-2 to S-4)."""
    of, below = situation(at), at.derived["below"]
    rule, _, text = ASKED[of]
    rank = {"rank": below} if of.startswith("lower") else {}
    return Saying("S-14" if of == "open" and jokers(at) else rule, text, named(at, **rank))


def cannot(at: At) -> Iterator[Saying]:
    """Explain why nobody may pass yet, and who is out."""
    match situation(at):
        case "leads":
            yield Saying("S-2", N_("The leader of a trick cannot pass."))
        case "open" if jokers(at):
            yield Saying("S-14", N_("Nobody may pass while only jokers have been played."))
        case "open":
            yield Saying("S-3", N_("Nobody may pass while only flags have been played."))
    if out := tuple(at.view["passed"]):
        yield Saying("S-5", N_("No card from {seats} until this trick is taken."), {"seats": out})


# -- by ear -------------------------------------------------------------------------------------------------------


def turn(at: At) -> Saying:
    """Return the prompt that everybody hears; it adds the cards allowed if the last card does not tell."""
    trick, below, of = at.view["trick"], at.derived["below"], situation(at)
    text = N_("{seat} to play.")
    if of == "leads":
        text = N_("{seat} leads.")
    elif of == "open":
        text = N_("{seat}, any card.")
    elif "flag" in trick[-1]["card"] and "lower" in of:
        text = N_("{seat}, below {rank}.")
    return Saying("S-4", text, {"seat": at.view["turn"], "rank": below, "trick": len(trick)})


def mine(at: At, seat: Seat) -> Saying | None:
    """Return the prompt for one seat's ear."""
    return yours(shown(at), seat)


PROMPTS: Prompts[SpartacusView, SpartacusDerived] = Prompts(now, shown, turn, mine)
