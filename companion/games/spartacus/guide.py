"""Guide to Spartacus: explanations, statistics and the lessons of a first game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.spartacus.prompts import At, flag_may_come, may_pass, seats, situation
from companion.games.spartacus.view import SpartacusDerived, SpartacusView
from companion.rules import N_, Options, Seat
from companion.rules.guide import Counted, Guide, Lesson, Saying
from companion.rules.vocabulary import CARD

# -- a first game -----------------------------------------------------------------------------------------------

AIM = N_(
    "You want to take tricks full of high numbers, but the lowest number in a trick takes it. What a trick is worth "
    "counts for you, what is left in your hand at the end counts against you, and the highest total wins."
)


def layout(seats: Sequence[Seat], options: Options) -> Sequence[Saying]:
    """Explain what to lay out, in the usual order."""
    flags = options["flags"] != "none"
    rule, hand = "S-1", N_("Each player takes the cards 1–10 and one flag of their own colour into the hand.")
    if not flags:
        rule, hand = "S-15", N_("Each player takes the cards 1–10 of their own colour into the hand. No flags.")
    return [
        Saying(rule, hand, lies={f"hand {seat}": {CARD: 10 + flags} for seat in seats}),
        Saying(
            "S-1",
            N_("The 12s, the second flags and the colours that nobody plays stay in the box."),
            lies={"box": {f"{seat} {rank}": 1 for seat in seats for rank in ("12", "flag")}},
        ),
        Saying("S-1", N_("{seat} leads the first trick."), {"seat": seats[0]}),
    ]


When = Callable[[At], bool]


def first(where: Callable[[At], object]) -> When:
    """Return a test that the game is on and `where` holds."""
    return lambda at: not at.view["over"] and bool(where(at))


a_flag_lies = first(lambda at: any("flag" in lies["card"] for lies in at.view["trick"]))
nearly_over = first(lambda at: min(at.view["hand_sizes"].values()) <= 2)


def taker(at: At) -> Sequence[Seat]:
    """Return the seat that takes the trick so far."""
    takes = at.derived["takes"]
    return [takes["seat"]] if takes else []


LESSONS: Sequence[Lesson[SpartacusView, SpartacusDerived]] = (
    Lesson(
        "lead",
        "S-2",
        N_("You lead: play any card. Low numbers take tricks, high ones make them worth taking."),
        first(lambda at: situation(at) == "leads"),
        seats,
        acts=("play",),
    ),
    Lesson(
        "flags",
        "S-3",
        N_("Only flags have been played, so you must play: any card will do."),
        first(lambda at: situation(at) == "open"),
        seats,
        acts=("play",),
    ),
    Lesson(
        "lower",
        "S-4",
        N_("Play a number lower than every number in the trick, or your flag; or pass, even if you could play."),
        first(flag_may_come),
        seats,
        acts=("play", "pass"),
        only={"flags": ("double", "joker")},
    ),
    Lesson(
        "lower without flags",
        "S-4",
        N_("Play a number lower than every number in the trick; or pass, even if you could play."),
        first(may_pass),
        seats,
        acts=("play", "pass"),
        only={"flags": ("none",)},
    ),
    Lesson(
        "double",
        "S-10",
        N_("A flag doubles what the trick is worth, and a second flag doubles it again."),
        a_flag_lies,
        only={"flags": ("double",)},
    ),
    Lesson(
        "joker",
        "S-14",
        N_("A flag is a joker: it beats any card, and the last card played takes the trick."),
        a_flag_lies,
        only={"flags": ("joker",)},
    ),
    Lesson(
        "out",
        "S-5",
        N_("A player who has passed is out of this trick and plays again in the next one."),
        first(lambda at: at.view["passed"]),
        lambda at: at.view["passed"],
    ),
    Lesson(
        "takes",
        "S-6",
        N_("If the turn comes back to you while your number is the lowest, you take the whole trick."),
        first(lambda at: len(at.view["trick"]) > 1 and taker(at)),
        taker,
        only={"flags": ("double", "none")},
    ),
    Lesson(
        "worth",
        "S-10",
        N_("A trick is worth the sum of its numbers."),
        first(lambda at: any(at.view["tricks"].values())),
    ),
    Lesson(
        "leads next",
        "S-8",
        N_("The next trick is led by the player on the left of the one who took the last."),
        first(lambda at: any(at.view["tricks"].values()) and not at.view["trick"]),
        seats,
    ),
    Lesson(
        "end",
        "S-9",
        N_("The game is over as soon as somebody plays their last card, in the middle of a trick or not."),
        first(lambda at: min(at.view["hand_sizes"].values()) <= 3),
    ),
    Lesson(
        "hand",
        "S-11",
        N_("The numbers left in your hand are then subtracted, twice over if your flag is left too."),
        nearly_over,
        only={"flags": ("double",)},
    ),
    Lesson(
        "hand without doubling",
        "S-11",
        N_("The numbers left in your hand are then subtracted."),
        nearly_over,
        only={"flags": ("joker", "none")},
    ),
)

# -- why --------------------------------------------------------------------------------------------------------

QUIET = ("leads", "hand", "tricks", "worth")
"""Never a move's main ruling: the board shows what a trick is worth; the move's result is who took it, and why."""

BECAUSE = {"leads": ("taken",)}

NAMES = {
    "cost": N_("costs"),
    "costs": N_("costs"),
    "last": N_("place in the trick"),
    "leader": N_("leads"),
    "lowest": N_("lowest"),
    "number": N_("lowest number"),
    "points": N_("points"),
    "score": N_("total points"),
    "strongest": N_("strongest"),
    "totals": N_("totals"),
    "tricks": N_("tricks"),
    "working": N_("sum"),
    "worth": N_("worth of the trick"),
}

HIDDEN = (
    "card",
    "cards",
    "costs",
    "count",
    "points",
    "scores",
    "leader",
    "lowest",
    "seat",
    "strongest",
    "totals",
    "tricks",
    "winners",
    "working",
)
"""Facts that the sentences of the rulings already say."""

NEAR = {"trick": N_("By playing {value}, {seat} would have taken the trick.")}

NUMBERS = {
    "worth": Counted(("play",), ("leads",), by="", title=N_("Why the trick is worth this much")),
    "points": Counted(("worth", "tricks", "hand"), title=N_("Where {of:of} points come from")),
    "score": Counted(("worth", "tricks", "hand", "over"), by="", title=N_("How the points add up")),
}

DID = {
    "play": N_("{seat} played {card}."),
    "passed": N_("{seat} passed."),
}

GUIDE: Guide[SpartacusView, SpartacusDerived] = Guide(
    because=BECAUSE,
    quiet=QUIET,
    did=DID,
    ends=dict.fromkeys(("taken", "last_trick", "nobody"), N_("Trick {number}")),
    names=NAMES,
    hidden=HIDDEN,
    near=NEAR,
    numbers=NUMBERS,
    aim=AIM,
    minutes=10,
    layout=layout,
    lessons=LESSONS,
)
