"""Augur: what is expected now."""

from companion.games.augur.rules import AugurView

from companion.rules import N_, Seat
from companion.rules.guide import Known, Saying
from companion.rules.prompts import Can, Now, Prompt, Prompts, yours
from companion.rules.views import Derived

At = Known[AugurView, Derived]


def now(at: At) -> Now:
    text = N_("{seats}: count one, two or three birds that fly off.")
    return Now([Can("count", at.view["waiting"], Saying("A-2", text, {"seats": at.view["waiting"]}))])


def shown(at: At) -> Prompt:
    return Prompt("A-2", at.view["waiting"], N_("count the birds that fly off"), short=N_("count birds"))


def turn(at: At) -> Saying | None:
    return Saying("A-1", N_("{seat} counts."), {"seat": at.view["turn"]}) if at.view["turn"] else None


def mine(at: At, seat: Seat) -> Saying | None:
    return yours(shown(at), seat)


PROMPTS: Prompts[AugurView, Derived] = Prompts(now, shown, turn, mine)
