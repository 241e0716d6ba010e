"""Random legal play, through the same session code as a real table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import TextIO

from companion.record.transcript import Header, dump_event, dump_header, header_data, read_header, wrong_number
from companion.rules import AnyGame, as_json
from companion.rules.mistakes import Mistake, Mistakes
from companion.session import Session
from companion.session.receipt import Receipt

LIMIT = 20_000
"""More events than any game takes: a playout that reaches it does not end, and that is a fault of the rules."""


def table(game: AnyGame, seats: int, options: dict[str, object] | None = None) -> Header:
    """Return a header for that many seats, in the colours' order, on the shipped board. Raises Mistakes."""
    if seats not in game.seats:
        raise Mistakes([Mistake(("seats",), wrong_number(game, seats))])
    colours = list(game.fixed or game.colours[:seats])
    return read_header({"tabularium": 1, "game": game.name, "seats": colours, "options": options})


def play(header: Header, rng: Random) -> Iterator[tuple[Session, Receipt]]:
    """Play one game to its end. Raises RuntimeError if it does not end or a legal event is refused."""
    session = Session(header.game, header.setup)
    for _ in range(LIMIT):
        moves = session.legal()
        if not moves:
            return
        receipt = session.receive(rng.choice(moves).pick(rng.choice), by="script")
        if not receipt.ok:
            raise RuntimeError(f"{receipt.event} was legal and is refused: {receipt.rulings[0]}")
        yield session, receipt
    raise RuntimeError(f"no end after {LIMIT} events of {header_data(header)}")


Progress = Callable[[Iterable[int], int], Iterator[int]]


def simulate(header: Header, count: int, seed: int, file: TextIO | None, progress: Progress) -> Iterator[str]:
    """Play `count` games, write them to `file` as transcripts, and return the summary."""
    events, wins, shared, began = 0, dict.fromkeys(header.seats, 0), 0, time.perf_counter()
    for number in progress(range(count), count):
        if file:
            file.write(dump_header(header) + "\n")
        for _, receipt in play(header, Random(f"{seed} {number}")):
            events += 1
            if file and receipt.event:
                file.write(dump_event(receipt.event) + "\n")
        result = receipt.view["result"]
        winners = result["winners"] if result else ()
        shared += len(winners) > 1
        if len(winners) == 1:
            wins[winners[0]] += 1
    return _summary(header, count, events, wins | {"shared": shared}, time.perf_counter() - began)


def _summary(header: Header, count: int, events: int, wins: dict[str, int], seconds: float) -> Iterator[str]:
    options = ", ".join(f"{name} {as_json(value)}" for name, value in header.options.items())
    yield f"{header.game.title}, {len(header.seats)} seats ({options})"
    yield f"{count} games, {events} events, {events / count:.1f} a game, {events / seconds:,.0f} a second"
    wins |= {"nobody": count - sum(wins.values())}
    yield "won: " + ", ".join(f"{who} {won}" for who, won in wins.items() if won or who in header.seats)
