"""Augur (2-4 players): birds fly off in ones, twos and threes; the last one is an omen.

A-1 (text) Twenty-one birds sit on the roof. The first seat begins; turns go clockwise.
A-2 (text) The seat to move counts one, two or three birds that fly off, but never more than are left.
A-3 (text) Whoever counts the last bird reads the omen. The game is over at once.
A-4 (text) The omen is good, and the reader wins alone.
A-5 (variant) Bad omen, if agreed: everybody but the reader wins.
A-6 (decided) Series: the number of games won counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.rules import N_, Game, Moves, Option, Ruling, Seat, Setup, Touch, left_of, require, result, ruled
from companion.rules.views import Result, View

BIRDS, MOST = 21, 3


@dataclass(frozen=True, slots=True)
class Count:
    """This many birds fly off."""

    seat: Seat
    birds: int


@dataclass(frozen=True, slots=True)
class State:
    setup: Setup
    turn: Seat
    birds: int = BIRDS


class AugurView(View):
    birds: int


def setup(given: Setup) -> State:
    return State(given, given.seats[0])


def apply(s: State, event: Count) -> tuple[State, Sequence[Ruling]]:
    seat, birds = event.seat, event.birds
    require(s.birds, "over", N_("The last bird has flown: the game is over."), "A-3")
    require(seat == s.turn, "turn", N_("It is {turn:of} turn, not {seat:of}."), turn=s.turn, seat=seat)
    most = min(MOST, s.birds)
    require(1 <= birds <= most, "count", N_("{seat} counts at least 1 bird and at most {most}."), "A-2",
            seat=seat, most=most)  # fmt: skip
    s = replace(s, birds=s.birds - birds)
    counted = ruled("counted", "A-2", N_("{seat} counts {birds}; {left} left."), seat=seat, birds=birds, left=s.birds)
    if not s.birds:
        return s, (counted, ruled("omen", "A-3", N_("{seat} reads the omen: {winners}."), seat=seat, **outcome(s)))
    return replace(s, turn=left_of(s.setup.seats, seat)), (counted,)


def outcome(s: State) -> Result:
    """A-4, A-5: the reader of the omen wins alone, or everybody else does."""
    bad = bool(s.setup.options["bad_omen"])
    return result({seat: int((seat == s.turn) != bad) for seat in s.setup.seats})


def legal(s: State) -> list[Moves[Count]]:
    most = min(MOST, s.birds)
    return [Moves(Count, {"seat": (s.turn,), "birds": range(1, most + 1)})] if most else []


def view(s: State, seat: Seat | None = None) -> AugurView:
    over = not s.birds
    turn = None if over else s.turn
    public: AugurView = {"game": "augur", "phase": "over" if over else "counting", "turn": turn,
                         "waiting": [turn] if turn else [], "over": over, "result": outcome(s) if over else None, "birds": s.birds}  # fmt: skip
    return {**public, "private": {}} if seat else public


def read(_s: State, _touch: Touch) -> None:
    """Neither cards nor buttons mean anything here."""


GAME: Game[State, AugurView] = Game(
    name="augur",
    title="Augur",
    seats=range(2, 5),
    events=(Count,),
    options=(Option("bad_omen", (False, True), "A-5", N_("Everybody wins but the reader of the omen.")),),
    setup=setup,
    apply=apply,
    legal=legal,
    read=read,
    fists=lambda _: (),
    view=view,
    clauses=__doc__ or "",
)
