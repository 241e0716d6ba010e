"""A small guide in place of the one of Spartacus, so that what is asked does not hang on a game's own words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.games import guide_of, prompts_of
from companion.rules import Options, Seat
from companion.rules.guide import AnyGuide, Counted, Known, Lesson, Saying
from companion.rules.prompts import AnyPrompts, Can, Now


def now(at: Known[Any, Any]) -> Now:
    """Return what the player to move may do: play a card, or say yes or no by button."""
    seats = tuple(at.view["waiting"])
    act = Saying("S-4", "{seats}: play a card.", {"seats": seats})
    button = Saying("S-5", "{seats}: yes or no?", {"seats": seats})
    return Now(
        (Can("play", seats, act, ("card", "finger")), Can("pass", seats, button, ("press", "hold"), "yes", "no")),
        (Saying("S-3", "Nobody can pass before a number lies."),),
    )


def layout(seats: Sequence[Seat], _: Options) -> list[Saying]:
    return [Saying("S-1", "{seat}: ten cards.", {"seat": seat}) for seat in seats]


def length(at: Known[Any, Any]) -> int:
    return len(at.view["trick"])


LESSONS: tuple[Lesson[Any, Any], ...] = (
    Lesson("lead", "S-3", "{seats}, lead!", lambda at: not length(at), lambda at: at.view["waiting"],
           lambda at: {"seats": at.view["waiting"]}),
    Lesson("below", "S-4", "Play below that.", lambda at: length(at) == 1),
    Lesson("out", "S-5", "Who passes is out.", lambda at: length(at) == 1),
)  # fmt: skip


def small() -> AnyGuide:
    return replace(
        guide_of("spartacus"),
        numbers={
            "cards": Counted(("play",), title="Where {of:of} cards went"),
            "points": Counted(("play",), title="Where {of:of} points come from"),
        },
        aim="Take few tricks.",
        layout=layout,
        lessons=LESSONS,
    )


def prompts() -> AnyPrompts:
    return replace(prompts_of("spartacus"), now=now)
