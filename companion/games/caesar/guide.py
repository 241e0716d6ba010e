"""Guide to Caesar: explanations, statistics and the lessons of a first game."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.caesar.prompts import At, mover, outlines
from companion.games.caesar.view import CaesarView
from companion.rules import N_, Options, Seat
from companion.rules.guide import BOARD, Counted, Guide, Lesson, Saying
from companion.rules.views import Derived
from companion.rules.vocabulary import CARD

# -- why --------------------------------------------------------------------------------------------------------

QUIET = ("opens",)

BECAUSE = dict.fromkeys(("won", "equal", "eliminated"), ("totals",))

NAMES = {
    "between": N_("in between"),
    "counters": N_("counters"),
    "duel": N_("duel"),
    "duellists": N_("in the duel"),
    "group": N_("group size"),
    "open": N_("attacks from"),
    "passes": N_("passes in a row"),
    "survivors": N_("still in the game"),
    "to_place": N_("still to place"),
    "total": N_("total"),
}

HIDDEN = (
    "phase",
    "attacker",
    "card",
    "count",
    "counters",
    "defender",
    "from",
    "gains",
    "groups",
    "left",
    "loser",
    "other",
    "owner",
    "places",
    "scores",
    "seat",
    "seats",
    "size",
    "square",
    "squares",
    "sum",
    "to",
    "turn",
    "waiting",
    "winner",
    "winners",
)
"""Facts that the sentences of the rulings already say."""

NEAR = {"duel": N_("With a total of {value}, {seat} would have won the duel.")}

NUMBERS = {
    "cards": Counted(("revealed",), by="left", title=N_("Where {of:of} cards went")),
    "counters": Counted(
        ("placed", "alliance", "won", "equal"), by="gains", title=N_("Where {of:of} counters come from")
    ),
    "duel": Counted(("attack", "revealed", "flag", "totals"), since=("attack",), by="", title=N_("How the duel went")),
    "group": Counted(
        ("placed", "neutrals", "alliance", "won"),
        by=("square", "squares", "to"),
        joins="from",
        title=N_("How the group on {of} grew"),
    ),
    "to_place": Counted(("placed",), title=N_("What {of} has placed so far")),
}

# -- a first game -----------------------------------------------------------------------------------------------

AIM = N_(
    "Build groups by stacking counters: a group belongs to the player whose counter is on top, and duels with secret"
    " cards decide who that is. The most counters at the end, of any colour, win."
)

COUNTERS = {"blue": 10, "red": 5, "green": 5, "yellow": 5, "purple": 5}
"""The number of counters of each colour in the box: blue ones for neutrals too."""
SQUARES = 25


def layout(seats: Sequence[Seat], _: Options) -> Sequence[Saying]:
    """Explain how to lay out the board, the counters, the cards and the neutrals."""
    laid = [
        Saying(
            "C-1",
            N_("Lay the board in the middle: 5×5 squares, columns a–e, rows 1–5."),
            lies={BOARD: {}, "beside": {"black pawn": 1}},
        ),
        Saying("C-1", N_("The black pawn goes beside the board.")),
        Saying(
            "C-1",
            N_("{seats} each take five counters of their colour."),
            {"seats": seats},
            {f"before {seat}": {"counter": 5} for seat in seats},
        ),
        Saying(
            "C-1",
            N_(
                "Each player takes the cards 1–9 and one flag of their colour in hand; the other cards stay in the box."
            ),
            lies={f"hand {seat}": {CARD: 10} for seat in seats},
        ),
    ]
    neutral = neutrals(seats)
    if neutral:
        text = N_("Put {count} neutral counters beside the board, in colours nobody plays: {counters}.")
        beside = {f"{colour} counter": count for colour, count in neutral.items()}
        laid.append(Saying("C-2", text, {"count": sum(neutral.values()), "counters": neutral}, {"beside": beside}))
    return [*laid, Saying("C-2", N_("{seat} begins; the turn goes clockwise."), {"seat": seats[0]})]


def neutrals(seats: Sequence[Seat]) -> dict[str, int]:
    """Return the colours that serve as neutral counters, with their numbers: as few unused colours as possible."""
    found: dict[str, int] = {}
    missing = SQUARES - 5 * len(seats)
    for colour, count in COUNTERS.items():
        if colour not in seats and missing:
            found[colour] = min(count, missing)
            missing -= found[colour]
    return found


# -- lessons ----------------------------------------------------------------------------------------------------


def turning(at: At) -> bool:
    return at.view["phase"] == "turn"


def duelling(at: At) -> bool:
    return at.view["phase"] == "choosing"


def fewest(at: At) -> int:
    """Return the smallest number of cards that a player has left."""
    return min(at.view["hand_sizes"].values())


def to_mover(at: At) -> Sequence[Seat]:
    return [mover(at)]


def to_duellists(at: At) -> Sequence[Seat]:
    duel = at.view["duel"]
    return [duel["attacker"], duel["defender"]] if duel else []


def nearly_out(at: At) -> Sequence[Seat]:
    """Return the seats with a single group."""
    owners = [group["owner"] for group in at.view["board"].values()]
    return [seat for seat in at.seats if owners.count(seat) == 1]


LESSONS: Sequence[Lesson[CaesarView, Derived]] = (
    Lesson(
        "place",
        "C-2",
        N_("Place a counter on any empty square: groups join and fight along rows and columns."),
        lambda at: at.view["phase"] == "placing",
        to_mover,
        acts=("place",),
    ),
    Lesson(
        "neutrals",
        "C-2",
        N_("After the last counter, neutral counters fill the empty squares: they belong to nobody and never move."),
        lambda at: sum(at.view["to_place"].values()) == 1 and len(at.seats) < len(COUNTERS),
    ),
    Lesson(
        "turn",
        "C-4",
        N_(
            "Do one thing: move a group of yours onto another of yours or a neutral counter (an alliance), or attack "
            "another player's group."
        ),
        turning,
        to_mover,
        acts=("ally", "attack"),
    ),
    Lesson(
        "sight",
        "C-5",
        N_("A group reaches only what it sees: the nearest counters in its row and its column, never diagonally."),
        turning,
    ),
    Lesson(
        "top",
        "C-7",
        N_(
            "A group belongs to the player whose counter is on top, no matter what lies below, and is never taken "
            "apart again."
        ),
        lambda at: turning(at) and any(group["size"] > 1 for group in at.view["board"].values()),
    ),
    Lesson(
        "total",
        "C-11",
        N_(
            "Choose a card in secret: the number on it and the size of your group are added, and the higher total wins."
        ),
        duelling,
        to_duellists,
        acts=("choose",),
    ),
    Lesson(
        "flag",
        "C-10",
        N_("A flag saves your group: if either card is a flag, nothing happens, but both cards are spent."),
        duelling,
        to_duellists,
    ),
    Lesson(
        "winner",
        "C-11",
        N_("The winner's group moves onto the loser's and takes all its counters, even if it was the one attacked."),
        lambda at: duelling(at) and bool(at.view["chosen"]),
    ),
    Lesson(
        "equal",
        "C-12",
        N_("If both totals are equal, both groups leave the board with all their counters."),
        lambda at: duelling(at) and bool(at.view["chosen"]) and fewest(at) < 10,
    ),
    Lesson(
        "spent",
        "C-9",
        N_("A card that was played is spent, for the winner too, and everybody may see how many cards you have left."),
        lambda at: turning(at) and fewest(at) < 10,
    ),
    Lesson(
        "pass",
        "C-4",
        N_("You may pass only because none of your groups can attack."),
        turning,
        to_mover,
        acts=("pass",),
    ),
    Lesson(
        "out",
        "C-13",
        N_("This is your last group: lose it, and you are out of the game and score nothing."),
        lambda at: turning(at) and bool(nearly_out(at)),
        nearly_out,
    ),
    Lesson(
        "tenth",
        "C-14",
        N_("The game ends right after the duel in which somebody plays the tenth card."),
        lambda at: turning(at) and fewest(at) <= 3,
    ),
    Lesson(
        "never",
        "C-14",
        N_("The game also ends as soon as no attack can ever happen again, no matter which alliances are made."),
        lambda at: turning(at) and bool(outlines(at, "pass")),
    ),
)

DID = {
    "placed": N_("{seat} placed a counter on {square}."),
    "alliance": N_("{seat} moved from {from} to {to} in an alliance."),
    "attack": N_("{attacker} attacked {to} from {from}."),
    "passed": N_("{seat} passed."),
    "revealed": N_("The cards were revealed."),
}

GUIDE: Guide[CaesarView, Derived] = Guide(
    because=BECAUSE,
    quiet=QUIET,
    did=DID,
    ends={"opens": N_("The placing"), "won": N_("Duel {number}"), "equal": N_("Duel {number}")},
    names=NAMES,
    hidden=HIDDEN,
    near=NEAR,
    numbers=NUMBERS,
    begins=("choose", "place", "ally", "attack"),
    aim=AIM,
    minutes=20,
    spare=Saying(
        "C-1",
        N_("With fewer than five players leave {colour} free: its ten counters are the neutral ones."),
        {"colour": "blue"},
    ),
    layout=layout,
    lessons=LESSONS,
)
