"""Random legal play, through the same session code as a real table."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.rules import Game
from companion.session import Receipt, Session
from companion.transcript import Header, header_data, read_header

LIMIT = 20_000
"""More events than any game takes: a playout that reaches it does not end, and that is a fault of the rules."""


def table(game: Game, seats: int, options: dict[str, object] | None = None) -> Header:
    """A header for so many seats, in the colours' order, on the shipped board."""
    colours = list(game.fixed or game.colours[:seats])
    return read_header({"tabularium": 1, "game": game.name, "seats": colours, "options": options})


def play(header: Header, rng: Random) -> Iterator[tuple[Session, Receipt]]:
    """Plays one game to its end; raises RuntimeError if it does not end or a legal event is refused."""
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
