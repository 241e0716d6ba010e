"""Guide to Hannibal gegen Rom: explanations, statistics and the lessons of a first game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.games.hannibal.prompts import CARTHAGE, ROME, SIDES, At, count, fleets, hannibal, legions
from companion.games.hannibal.view import HannibalDerived, HannibalView, Needed
from companion.rules import N_, Options, Ruling, Seat, ruled
from companion.rules.data import Data
from companion.rules.guide import BOARD, Counted, Guide, Lesson, Saying
from companion.rules.vocabulary import CARD

CAPITAL = {ROME: "rome", CARTHAGE: "carthago"}

# -- why --------------------------------------------------------------------------------------------------------

BECAUSE = {
    "battle_won": ("exchange",),
    "battle_over": ("exchange",),
    "eight_chips": ("chip",),
}
"""A battle's result follows from its last exchange, and eight chips from the last one taken."""

QUIET = ("fights", "who_fights", "battle", "cards_back", "no_chip")

MOVES = {"cards_back": N_("That was the fifth exchange: both take all {count} cards back.")}

NAMES = {
    "back": N_("chips given back"),
    "battle": N_("battle"),
    "capital": N_("capital"),
    "core": N_("core control"),
    "enemy": N_("enemy"),
    "exchanges": N_("exchanges of cards"),
    "fighter": N_("fights"),
    "piece": N_("piece"),
    "pieces": N_("pieces in the battle"),
    "places": N_("where"),
    "regions": N_("regions"),
    "removed": N_("lost"),
    "route": N_("route"),
    "routes": N_("routes"),
    "sides": N_("sides"),
    "theirs": N_("other side"),
}

HIDDEN = (
    "phase",
    "rome",
    "carthage",
    "blue",
    "red",
    "cards",
    "loser",
    "winner",
    "place",
    "seat",
    "capital",
    "sides",
    "by",
    "one",
    "other",
    "count",
    "removed",
    "enemy",
    "piece",
    "from",
    "to",
)
"""Facts that the sentences of the rulings, or an exchange's table, already show."""

NEAR = {"exchange": N_("With {value} in all, {seat} would have won the exchange.")}

CLOSING = ("moved", "battle_won", "battle_over", "mediterranean")
"""The rulings that can end a turn; they list what control of the Mediterranean still lacks."""

NUMBERS = {
    "regions": Counted(CLOSING, title=N_("How {of} won these regions")),
    "core": Counted(("chip", "no_chip"), by="", title=N_("How core control came about")),
    "battle": Counted(("battle", "exchange"), since=("battle",), by="", title=N_("How the battle went")),
    "exchanges": Counted(("exchange",), since=("battle",), by="", title=N_("How the exchanges went")),
    "pieces": Counted(("exchange",), by="", title=N_("What the battle has cost")),
}

# -- a first game -----------------------------------------------------------------------------------------------

AIM = N_(
    "Bring a legion into the enemy capital, or hold three regions around the sea at the end of your turn. "
    "Battles are fought with the cards 1–5, and a side without legions has lost."
)


def layout(_: Sequence[Seat], options: Options) -> Sequence[Saying]:
    """Explain how two people lay out the game (H-1, H-2)."""
    lines = [
        Saying("H-1", N_("Put the board between you."), lies={BOARD: {}}),
        Saying(
            "H-1",
            N_("{rome} plays Rome and takes the blue cards 1–5, seven blue counters and three blue pawns."),
            {"rome": ROME},
            {f"hand {ROME}": {CARD: 5}, f"before {ROME}": {"blue legion": 7, "blue fleet": 3}},
        ),
        Saying(
            "H-2",
            N_("Rome: the seven counters are legions and go in {capital}; the pawns are fleets and go on {route}."),
            {"capital": "rome", "route": "rome-corsica"},
            {BOARD: {}, "rome": {"blue legion": 7}, "rome-corsica": {"blue fleet": 3}},
        ),
        Saying(
            "H-1",
            N_("{carthage} plays Carthage and takes the red cards 1–5, seven red counters and three red pawns."),
            {"carthage": CARTHAGE},
            {f"hand {CARTHAGE}": {CARD: 5}, f"before {CARTHAGE}": {"red legion": 7, "red fleet": 3}},
        ),
        Saying(
            "H-2",
            N_(
                "Carthage: stack two counters as Hannibal; he and the other five go in {capital}, the pawns on {route}."
            ),
            {"capital": "carthago", "route": "sardinia-carthago"},
            {BOARD: {}, "carthago": {"red legion": 5, "hannibal": 1}, "sardinia-carthago": {"red fleet": 3}},
        ),
    ]
    if options["core_control"]:
        lines.append(Saying("H-18", N_("Put eight chips beside the board."), lies={"beside": {"chip": 8}}))
    return lines


def moving(at: At) -> bool:
    return at.view["phase"] == "moving"


def sailing(at: At) -> bool:
    """Return whether a fleet can be moved."""
    starts = {place for outline in at.outlines if outline.verb == "move" for place in outline.keys["from"][1] or ()}
    return moving(at) and bool(starts & {*at.view["routes"]})


def fighting(at: At) -> bool:
    return at.view["phase"] == "choosing"


def mover(at: At) -> Sequence[Seat]:
    return tuple(at.view["waiting"])


def attack(at: At) -> bool:
    """Return whether some move leads to a place with enemy pieces."""
    turn = at.view["turn"]
    places = {**at.view["regions"], **at.view["routes"]}
    enemy = CARTHAGE if turn == ROME else ROME
    ends = {place for outline in at.outlines if outline.verb == "move" for place in outline.keys["to"][1] or ()}
    return moving(at) and any(count(places[place], enemy) for place in ends)


def abroad(at: At) -> bool:
    """Return whether a legion stands outside its own capital."""
    regions = at.view["regions"].items()
    return any(count(there, side) and place != CAPITAL[side] for place, there in regions for side in SIDES)


def groups(side: Seat, at: At) -> Data:
    """Return a side's three requirements for the Mediterranean, in words."""
    one, two, three = map(either, at.derived["mediterranean"][side])
    return {"one": one, "two": two, "three": three}


def either(needed: Needed) -> str | Ruling:
    if len(needed["regions"]) == 1:
        return needed["regions"][0]
    one, other = needed["regions"]
    return ruled("either", "H-14", N_("{one} or {other}"), one=one, other=other)


def turn_of(side: Seat, at: At) -> bool:
    return moving(at) and at.view["turn"] == side


CONTROL = N_("You win if at the end of your turn you have a legion in {one}, one in {two} and one in {three}.")

LESSONS: Sequence[Lesson[HannibalView, HannibalDerived]] = (
    Lesson(
        "legion",
        "H-5",
        N_("Move one piece: a legion goes to a neighbouring region, or along a route with a fleet of yours."),
        moving,
        mover,
        acts=("move",),
    ),
    Lesson("fleet", "H-7", N_("Instead of a legion you may move a fleet, to any other route."), sailing, mover),
    Lesson("rome", "H-14", CONTROL, lambda at: turn_of(ROME, at), mover, partial(groups, ROME)),
    Lesson("carthage", "H-14", CONTROL, lambda at: turn_of(CARTHAGE, at), mover, partial(groups, CARTHAGE)),
    Lesson(
        "hannibal",
        "H-6",
        N_("Hannibal moves by land only."),
        lambda at: turn_of(CARTHAGE, at) and hannibal(at.view),
        mover,
    ),
    Lesson(
        "core",
        "H-18",
        N_(
            "The islands and the Hispanias are the core: a legion in one of them, or beyond it, controls it, and "
            "three at the end of your turn earn a chip."
        ),
        moving,
        mover,
        only={"core_control": (True,)},
    ),
    Lesson(
        "chips",
        "H-18",
        N_("Eight chips win; when one side takes a chip, the other gives all of its chips back."),
        lambda at: moving(at) and any((at.derived["core"] or {}).values()),
        only={"core_control": (True,)},
    ),
    Lesson(
        "capital",
        "H-13",
        N_("Watch your capital: an enemy legion that enters it wins at once, however many of yours are there."),
        lambda at: moving(at) and abroad(at),
    ),
    Lesson("battle", "H-8", N_("Moving to where the enemy is means a battle."), attack, mover),
    Lesson(
        "who",
        "H-11",
        N_("Say before the cards are chosen who fights, Hannibal or a legion."),
        lambda at: at.view["phase"] == "declaring",
        lambda _: (CARTHAGE,),
        acts=("defend",),
    ),
    Lesson(
        "exchange",
        "H-9",
        N_("Both lay a card face down and reveal together: the lower costs a piece, equal cards cost each side one."),
        fighting,
    ),
    Lesson(
        "elephants",
        "H-12",
        N_("Hannibal fights, so Carthage's card counts one more; if it is still lower, or equal, he is gone for good."),
        lambda at: fighting(at) and bool(at.view["battle"] and at.view["battle"]["hannibal"]),
    ),
    Lesson(
        "aside",
        "H-10",
        N_("Cards that have been played come back only after the fifth exchange, all five at once."),
        lambda at: fighting(at) and min(at.view["hand_sizes"].values()) < 5,
    ),
    Lesson(
        "alive",
        "H-15",
        N_("A side without legions loses; Hannibal counts as one, fleets do not."),
        lambda at: not moving(at) and min(legions(at.view, side) for side in SIDES) <= 2,
    ),
    Lesson(
        "stuck",
        "H-16",
        N_("Without fleets, do not leave all your legions on islands: a side that cannot move loses."),
        lambda at: moving(at) and not fleets(at.view, at.view["turn"] or ROME),
        mover,
    ),
)

GUIDE: Guide[HannibalView, HannibalDerived] = Guide(
    because=BECAUSE,
    quiet=QUIET,
    moves=MOVES,
    did={"exchange": N_("The cards were revealed.")},
    ends=dict.fromkeys(("battle_over", "battle_won"), N_("Battle {number}")),
    names=NAMES,
    hidden=HIDDEN,
    near=NEAR,
    numbers=NUMBERS,
    begins=("choose", "move"),
    aim=AIM,
    minutes=10,
    layout=layout,
    lessons=LESSONS,
)
