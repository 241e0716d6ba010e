"""A toy game whose functions fail when they are asked to, naming a secret; and a journal on paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.play.match import Match, Times
from companion.play.port import Port, Shown
from companion.record.transcript import Header
from companion.rules import Game, Laid, Moves, Option, Ruling, Seat, Setup, Touch, ruled
from companion.rules.views import View

SECRET = "red 7"
SEATS = ("red", "blue")


@dataclass(frozen=True, slots=True)
class Bet:
    """A number of things that are not chips."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class State:
    setup: Setup
    bets: tuple[int, ...] = ()

    def may_fail(self, part: str) -> None:
        """Raise LookupError in the part agreed on, once somebody has bet."""
        if self.setup.options["fails"] == part and self.bets:
            secret = SECRET
            raise LookupError(f"the hidden card is {secret}")


def apply(s: State, event: Bet) -> tuple[State, Sequence[Ruling]]:
    s.may_fail("apply")
    whisper = Ruling("whisper", "T-1", "For {seat} alone.", {"seat": event.seat}, seat=event.seat)
    return replace(s, bets=(*s.bets, event.count)), (ruled("bet", "T-1", "{seat} bets.", seat=event.seat), whisper)


def legal(s: State) -> list[Moves[Bet]]:
    s.may_fail("legal")
    return [Moves(Bet, {"seat": s.setup.seats, "count": range(3)})]


def read(s: State, touch: Touch) -> Bet:
    s.may_fail("read")
    return Bet(touch.card.colour if isinstance(touch, Laid) else touch.seat, 1)


def fists(s: State) -> tuple[Seat, ...]:
    s.may_fail("fists")
    return s.setup.seats


def view(s: State, seat: Seat | None = None) -> View:
    s.may_fail("private" if seat else "view")
    over = len(s.bets) == 5
    scores: dict[str, int | float] = {"red": 1, "blue": 0}
    public: View = {
        "game": "toy",
        "phase": "betting",
        "turn": None,
        "waiting": list(s.setup.seats),
        "over": over,
        "result": {"winners": ["red"], "scores": scores, "places": {"red": 1, "blue": 2}, "unconfirmed_board": False}
        if over
        else None,
    }
    return {**public, "private": {"hand": [SECRET]}} if seat else public


PARTS = ("nothing", "apply", "legal", "read", "fists", "view", "private")
TOY: Game[State, View] = Game(
    name="toy",
    title="Toy",
    seats=range(2, 3),
    events=(Bet,),
    options=(Option("fails", PARTS, "T-1", "Which part fails."),),
    setup=State,
    apply=apply,
    legal=legal,
    read=read,
    fists=fists,
    view=view,
    clauses="",
)


class Paper:
    """A journal; nothing in it is safe until somebody says so."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, int, str, str | None]] = []
        self.dated = True
        self.results: list[tuple[int, str | None]] = []
        self.safe = 0
        self.trouble: str | None = None

    def number(self, game: int) -> int:
        return game

    def append(self, game: int, number: int, event: str, by: str | None, at: str | None) -> int:
        self.lines.append((game, number, event, by))
        self.dated = at is not None
        return len(self.lines)

    def finish(self, game: int, result: str | None) -> int:
        self.results.append((game, result))
        return len(self.lines)


class Sat:
    """A toy game at the table, with a listener at its port."""

    def __init__(self, fails: str = "nothing", port: Port | None = None, ticket: int = 0) -> None:
        self.paper, self.heard, self.port = Paper(), list[Shown](), port or Port()
        self.port.subscribe(self.heard.append)
        header = Header(TOY, Setup(SEATS, {"fails": fails}), {}, None, {}, "fists", None)
        self.match = Match(header, 7, self.paper, self.port, Times(), ticket=ticket)

    def bet(self, seat: str = "red", count: int = 1) -> list[str]:
        """Bet, and return what the referee says to everybody."""
        receipts = self.match.act({"event": "bet", "seat": seat, "count": count})
        return [ruling.code for receipt in receipts for ruling in receipt.public]

    def settle(self) -> None:
        """Count everything as written to the disk, and show it."""
        self.paper.safe = len(self.paper.lines)
        self.match.show()
