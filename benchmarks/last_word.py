"""Going back, bringing back and amending in a game of 2,000 acts, beside the time its acts take to be judged."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator
from random import Random

from companion import games
from companion.cli.simulate import table
from companion.rules import Amend, Decide, Event, Redo, Undo
from companion.session import Session
from companion.session.receipt import acts

ACTS = 2000
Row = tuple[str, str, str]


def rows() -> Iterator[Row]:
    """Yield undo, redo, amendments and memory after random play with all seats.

    Once a game is over, the table makes house rulings in words until there are enough acts.
    """
    for name in games.NAMES:
        session, judged = long(name)
        numbers = [act.number for act in session.acts]
        back = [asked(session, Undo(to)) for to in (0, numbers[0], numbers[ACTS // 2], numbers[-2], None)]
        amended = [asked(session, Amend(numbers[at], Decide("It was otherwise."))) for at in (0, ACTS // 4, ACTS // 2)]
        aim = f"judging all: {judged:.0f} ms; aim: 100 ms and that"
        worst = f"undo {max(undo for undo, _ in back):.1f} ms, redo {max(redo for _, redo in back):.1f} ms"
        worst += (
            f", an amendment {max(did for did, _ in amended):.1f} ms, undo of it {max(un for _, un in amended):.1f} ms"
        )
        yield f"{name}: back in a game of {ACTS} acts", worst, aim
        less = f"in a game of {ACTS // 4} acts: {memory(name, ACTS // 4):.1f} KiB"
        yield f"{name}: memory an act", f"{memory(name, ACTS):.1f} KiB", less


def long(name: str, count: int = ACTS) -> tuple[Session, float]:
    """Play a game of so many acts, all of them shown; return its session, and the ms it took to judge them."""
    game, rng = games.game(name), Random(name)
    session, spent = Session(game, table(game, game.seats[-1]).setup), 0.0
    while session.standing < count:
        moves = session.legal()
        event: Event = rng.choice(moves).pick(rng.choice) if moves else Decide("We play on.")
        begin = time.perf_counter()
        receipt = session.receive(event)
        spent += time.perf_counter() - begin
        _ = receipt.view, receipt.derived, receipt.open  # as the table shows them
    return session, spent * 1e3


def asked(session: Session, event: Event) -> tuple[float, float]:
    """Return the ms of an event with what is seen of it, and of its reversal: a redo, or an undo after an amendment."""
    return timed(session, event), timed(session, Redo() if isinstance(event, Undo) else Undo())


def timed(session: Session, event: Event) -> float:
    begin = time.perf_counter()
    receipt = session.receive(event)
    _ = receipt.view, receipt.derived, acts(receipt.last)
    assert receipt.ok, receipt
    return (time.perf_counter() - begin) * 1e3


def memory(name: str, count: int) -> float:
    """Return the memory that an act keeps, in KiB."""
    tracemalloc.start()
    session, _ = long(name, count)
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert session.standing == count
    return kept / count / 1024
