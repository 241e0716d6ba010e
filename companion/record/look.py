"""A stored game for viewing, move by move; nothing can be done in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.games import position_of
from companion.record.store.history import Entry, Stored
from companion.record.transcript import Header, parse, read_event, read_header
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.views import Derived, View
from companion.session import Session
from companion.session.receipt import Receipt
from companion.system.logs import trace, writing

log = writing("look")


@dataclass(frozen=True)
class Look:
    """A game from its opening to where its journal ends, or to the first act that today's rules refuse."""

    number: int
    header: Header
    opening: View
    at_first: Derived
    """The derived facts at its opening."""
    receipts: tuple[Receipt, ...]
    note: str | None = None
    """The reason why it ends before its journal does, if so."""

    def view(self, move: int) -> View:
        """Return what everybody could see after this many acts; 0 is the opening."""
        return self.receipts[move - 1].view if move else self.opening

    def position(self, move: int) -> Data:
        """Return the whole position after this many acts: for a new game, never for the screen. Raises Mistakes."""
        header = self.header
        if move:
            return position_of(header.game.name).written(self.receipts[move - 1].state)
        return position_of(header.game.name).written(Session(header.game, header.setup, position=header.position).state)

    def derived(self, move: int) -> Derived:
        """Return what the game said beside that view."""
        return self.receipts[move - 1].derived if move else self.at_first


def look(stored: Stored, fair_ms: int) -> Look:
    """Replay a stored game. Raises Mistakes for one whose header cannot be read."""
    header = read_header(parse(stored.header))
    session = Session(header.game, header.setup, fair_ms, header.position)
    opening, at_first = session.view(), session.derived()
    receipts = tuple(replayed(session, header, stored.events))
    return Look(stored.number, header, opening, at_first, receipts, as_far(stored, len(receipts)).note)


def as_far(stored: Stored, acts: int) -> Stored:
    """Return the game up to an act; where its journal is longer, `note` says why the game ends there."""
    if acts == len(stored.events):
        return stored
    refused = Message(
        "Move {act} of game {game} is not possible under today's rules.", act=acts + 1, game=stored.number
    )
    return replace(stored, events=stored.events[:acts], note=refused)


def replayed(session: Session, header: Header, events: Iterable[Entry]) -> Iterator[Receipt]:
    """Yield the receipts of a journal's acts, up to the first that today's rules cannot read, refuse, or fail at."""
    for number, (line, by, at) in enumerate(events, 1):
        mark = session.mark()
        try:
            receipt = session.receive(read_event(header, parse(line)).event, by, at)
        except Exception as error:  # rules change: what today's cannot repeat ends the journal here
            session.back_to(mark)
            log.error("act %d of a journal cannot be repeated\n%s", number, trace(error))
            return
        if not receipt.ok:
            return
        yield receipt
