"""Positions of Caesar: reading, writing and checking them, and the layout of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.caesar.rules import (
    COUNTERS,
    NEUTRAL,
    SQUARES,
    Attack,
    Group,
    State,
    duellists,
    enemies,
    joined,
    survivors,
)
from companion.games.caesar.rules import setup as opening
from companion.games.caesar.view import CaesarView
from companion.rules import N_, Options, Setup, plural
from companion.rules.data import Data
from companion.rules.layout import Layout, Spot, by_seat, cards_of, counted, there
from companion.rules.message import Message
from companion.rules.position import Position
from companion.rules.position_parts import BOARD, TURN, Count, Field, One, Part, Path, Written, alone, dealt, hand_of
from companion.rules.position_reader import PositionReader

KEYS = ("phase", "turn", "board", "duel", "passes", "hand", "choice")
PHASES = ("placing", "turn", "choosing", "over")


def write(s: State) -> Data:
    return {
        "phase": s.phase,
        "turn": s.turn,
        "board": {square: {"owner": s.board[square].owner, "size": s.board[square].size}
                  for square in SQUARES if square in s.board},
        "duel": {"from": s.duel.from_, "to": s.duel.to} if s.duel else None,
        "passes": s.passes,
        "hand": s.hands,
        "choice": s.choices,
    }  # fmt: skip


def read(setup: Setup, written: Data) -> State:
    """Return the state that a position describes. Raises Mistakes."""
    r, full = PositionReader(written, KEYS, setup.seats), opening(setup)
    phase = r.word(("phase",), r.get("phase"), PHASES)
    turn = r.seat(("turn",), r.get("turn"))
    board = _board(r, setup)
    duel = _duel(r, turn) if r.get("duel") is not None else None
    hands = r.hands(full.hands)
    passes = r.whole(("passes",), r.get("passes"))
    sealed = r.sealed(hands)
    r.end()
    s = State(setup, phase, turn, board, hands, passes, duel, sealed)  # type: ignore[arg-type] # one of PHASES
    (_placing if phase == "placing" else _main)(r, s)
    r.end(s)
    return s


def _board(r: PositionReader, setup: Setup) -> dict[str, Group]:
    """Read the occupied squares, in the order of the squares, and check the number of counters."""
    found: dict[str, Group] = {}
    squares = r.object(("board",), r.get("board"), SQUARES)
    for square in SQUARES:
        if square not in squares:
            continue
        group = r.object(("board", square), squares[square], ("owner", "size"))
        owner = r.word(("board", square, "owner"), group.get("owner"), (*setup.seats, NEUTRAL))
        size = r.whole(("board", square, "size"), group.get("size"), 1, len(SQUARES))
        r.check(owner != NEUTRAL or size == 1, Message("a neutral counter stands alone"), "board", square, "size")
        found[square] = Group(owner, size)
    most, there = len(SQUARES), sum(group.size for group in found.values())
    r.check(there <= most, Message("there are {most} counters, not {there}", most=most, there=there), "board")
    most, there = most - COUNTERS * len(setup.seats), sum(group.owner == NEUTRAL for group in found.values())
    r.check(there <= most, Message("there are {most} neutral counters, not {there}", most=most, there=there), "board")
    for seat in setup.seats:
        groups = sum(group.owner == seat for group in found.values())
        what = Message("{seat} has {most} counters, and cannot be on top of {groups} groups",
                       seat=seat, most=COUNTERS, groups=groups)  # fmt: skip
        r.check(groups <= COUNTERS, what, "board")
    return found


def _duel(r: PositionReader, turn: str) -> Attack:
    duel = r.object(("duel",), r.get("duel"), ("from", "to"))
    for end in ("from", "to"):
        r.check(duel.get(end) is not None, Message("is missing: which square?"), "duel", end)
    ends = [r.word(("duel", end), duel.get(end) or SQUARES[0], SQUARES) for end in ("from", "to")]
    return Attack(turn, *ends)


def _placing(r: PositionReader, s: State) -> None:
    """Check that counters were placed one a turn, clockwise from the first seat (C-2)."""
    placed, seats = len(s.board), len(s.seats)
    r.check(placed < COUNTERS * seats, Message("every counter is placed: the placing is over"), "board")
    turn = s.seats[placed % seats]
    text = plural(
        "after {placed} counter it is {seat:of} turn", "after {placed} counters it is {seat:of} turn", "placed"
    )
    r.check(s.turn == turn, Message(text, placed=placed, seat=turn), "turn")
    for at, seat in enumerate(s.seats):
        own = sum(group.owner == seat for group in s.board.values())
        share = (placed - at + seats - 1) // seats
        text = plural(
            "{seat} has placed {own} counter, where it should be {share}",
            "{seat} has placed {own} counters, where it should be {share}",
            "own",
        )
        r.check(own == share, Message(text, seat=seat, own=own, share=share), "board")
    for square, group in s.board.items():
        alone = group.size == 1 and group.owner != NEUTRAL
        r.check(alone, Message("while counters are placed each stands alone"), "board", square)
    quiet = s.duel is None and not s.passes
    r.check(quiet, Message("nobody attacks or passes while counters are placed"), "phase")
    _unspent(r, s)
    r.check(not s.choices, Message("no card lies face down while counters are placed"), "choice")


def _unspent(r: PositionReader, s: State) -> None:
    for seat, hand in s.hands.items():
        r.check(len(hand) == 10, Message("no card has been played yet: ten are in hand"), "hand", seat)


def _main(r: PositionReader, s: State) -> None:
    """Check the turn, the duel or the end, and that the game has not ended unnoticed (C-4 to C-15)."""
    alive, spent = survivors(s), [10 - len(hand) for hand in s.hands.values()]
    ended = not joined(s.board) or not all(s.hands.values()) or s.passes >= len(alive)
    paired = sum(spent) % 2 == 0 and 2 * max(spent) <= sum(spent)
    r.check(paired, Message("cards are spent in duels, one on either side"), "hand")
    if s.phase == "over":
        r.check(ended, Message("the game is not over: an attack can still arise"), "phase")
    else:
        what = Message("the game would be over: nobody can attack any more, a hand is empty or all have passed")
        r.check(not ended, what, "phase")
        r.check(s.turn in alive, Message("{seat} has no group any more", seat=s.turn), "turn")
    if s.phase == "choosing":
        _duelling(r, s)
    else:
        r.check(s.duel is None, Message("there is no duel in this phase"), "duel")
        r.check(not s.choices, Message("no card lies face down outside a duel"), "choice")


def _duelling(r: PositionReader, s: State) -> None:
    """Check that the attacker sees the other group and only the duellists choose cards (C-6, C-9)."""
    r.check(not s.passes, Message("an attack ends the run of passes"), "passes")
    if not r.check(s.duel, Message("is missing: who attacks?"), "duel"):
        return
    assert s.duel
    group = s.board.get(s.duel.from_)
    own = r.check(group and group.owner == s.turn, Message("{seat} has no group there", seat=s.turn), "duel", "from")
    unseen = Message("this cannot be attacked from there")
    if own and r.check(s.duel.to in enemies(s.board, s.duel.from_, s.turn), unseen, "duel", "to"):
        for seat in s.choices:
            r.check(seat in duellists(s), Message("{seat} is not in the duel", seat=seat), "choice", seat)


# -- what lies where --------------------------------------------------------------------------------------------


def layout(view: CaesarView, _: Options) -> Layout:
    """Lay out the counters on the squares and those still to place, and the cards in hand, face down and spent."""
    places: dict[str, dict[str, int]] = {}
    for seat, size in view["hand_sizes"].items():
        places |= cards_of(seat, size, seat in (view.get("chosen") or ()), 10)
        places[f"before {seat}"] = {"counter": view["to_place"].get(seat, 0) if view["to_place"] else 0}
    for square, group in view["board"].items():
        places[f"square {square}"] = {"counter": group["size"]}
    there = sum(of.get("counter", 0) for of in places.values())
    places["box"] = {"counter": len(SQUARES) - there}
    return counted(places)


# -- what people change, part by part --------------------------------------------------------------------------------

ROWS = [column + row for row in "54321" for column in "abcde"]
"""The squares as the board shows them, row by row."""
FOLLOWS = ("before", "box")
"""Counters still to place are before their seats; all others that are not on the board are in the box."""


def follow(setup: Setup, written: Written) -> Written:
    """Derive the turn while counters are placed, and the first turn after the last one (C-2, C-3)."""
    board = written.get("board") or {}
    if written.get("phase") != "placing":
        return {}
    placed, seats = len(board), setup.seats
    if placed < COUNTERS * len(seats):
        return {"turn": seats[placed % len(seats)]}
    each = [sum(group["owner"] == seat for group in board.values()) for seat in seats]
    if any(own != COUNTERS for own in each):
        return {}
    rest = {square: {"owner": NEUTRAL, "size": 1} for square in SQUARES if square not in board}
    return {"phase": "turn", "turn": seats[0], "board": {**board, **rest}}


def parts(setup: Setup, written: Written) -> Sequence[Part]:
    group = (Field("owner", One((None, *setup.seats, NEUTRAL))), Field("size", Count("counter", 1, len(SQUARES))))
    attacker = Field("from", One((None, *SQUARES)), N_("Attacking square"))
    duel = (attacker, Field("to", One(SQUARES), N_("Attacked square")))
    cards, fought = dealt(setup, opening), [f"square {square}" for square in (written.get("duel") or {}).values()]
    return [
        alone("turn", N_("Whose turn"), One(setup.seats)),
        alone("phase", N_("What is going on"), One(PHASES)),
        alone("passes", N_("Passes in a row"), Count("", 0, len(setup.seats))),
        Part(("duel",), N_("Attack"), "", duel, TURN, places=fought),
        *(Part(("board", square), N_("{of}"), square, group, BOARD, places=(f"square {square}",)) for square in ROWS),
        *(hand_of(seat, cards[seat]) for seat in setup.seats),
    ]


# -- what people compare, place by place -----------------------------------------------------------------------------


def places(setup: Setup) -> Sequence[Spot]:
    groups = [*(f"{seat} counter" for seat in setup.seats), "counter"]
    return [
        *by_seat(setup.seats, ("hand", "sealed", "aside")),
        *by_seat(setup.seats, ("before",), ("counter",)),
        *(Spot(f"square {square}", groups, one=True) for square in ROWS),
    ]


def look(view: CaesarView, laid: Layout) -> Layout:
    """Return the layout with each group in the colour of its top counter."""
    groups: dict[str, Mapping[str, int]] = {
        f"square {square}": {"counter" if group["owner"] == NEUTRAL else f"{group['owner']} counter": group["size"]}
        for square, group in view["board"].items()
    }
    return {**laid, **groups}


def rebuilt(view: CaesarView, laid: Layout) -> Layout:
    """Return the layout with the black pawn: in a duel it stands between the two groups (C-8)."""
    duel = view["duel"]
    pawn = f"between {duel['from']}–{duel['to']}" if duel else "beside"
    return {**look(view, laid), pawn: {"black pawn": 1}}


def entered(_: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    square = place.removeprefix("square ")
    if square not in SQUARES:
        return None
    found = there(pieces)
    whose = found[0].removesuffix("counter").strip() or NEUTRAL if found else None
    return ("board", square), {"owner": whose, "size": pieces[found[0]]} if found else None


POSITION: Position[State, CaesarView] = Position(
    write,
    read,
    ("hand", "choice"),
    layout,
    parts=parts,
    follow=follow,
    follows=FOLLOWS,
    places=places,
    look=look,
    rebuilt=rebuilt,
    entered=entered,
)
