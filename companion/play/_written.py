"""A game as it is written down: in the journal at once, and as a transcript of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Protocol

from companion.record.transcript import Header, dump, dump_event, dump_header
from companion.rules.views import Result
from companion.session.receipt import Receipt


class Journal(Protocol):
    """Where a game is written down. Writes return at once, with a ticket."""

    safe: int
    """The newest ticket that is on disk, with all before it."""
    trouble: str | None
    """Why nothing can be written at the moment, None while all is well."""

    def number(self, game: int) -> int: ...
    def append(self, game: int, number: int, event: str, by: str | None, at: str | None) -> int: ...
    def finish(self, game: int, result: str | None) -> int: ...


class MatchJournal:
    """One game in the journal; `ticket` is that of what was written of it last, at first of its header."""

    def __init__(self, journal: Journal, number: int, header: Header, ticket: int, now: Callable[[], datetime]) -> None:
        self.ticket = self._first = ticket
        self._journal, self._begun_as, self._now = journal, number, now
        self._lines = [dump_header(header)]

    @property
    def number(self) -> int:
        """The game's number in the store."""
        return self._journal.number(self._begun_as)

    def take_up(self, acts: Iterable[Receipt]) -> None:
        """These acts are in the journal already."""
        self._lines += [dump_event(act.event, act.by, act.at) for act in acts if act.event]

    def go_on_as(self, number: int) -> None:
        """It has another number in the store from now on."""
        self._begun_as = number

    def append(self, receipt: Receipt) -> None:
        """One more act that was accepted."""
        assert receipt.event
        at, line = self._now().isoformat(timespec="milliseconds"), dump_event(receipt.event)
        self.ticket = self._journal.append(self._begun_as, receipt.number, line, receipt.by, at)
        self._lines.append(dump_event(receipt.event, receipt.by, at))

    def finish(self, result: Result | None) -> None:
        """How the game ended; None where an undo has taken the end back."""
        self.ticket = self._journal.finish(self._begun_as, dump(result) if result else None)

    def after(self, ticket: int) -> None:
        """What comes now is not to be seen before this ticket is safe."""
        self.ticket = max(self.ticket, ticket)

    @property
    def begun(self) -> bool:
        """The header is safe: the game may be seen."""
        return self.safe(self._first)

    def safe(self, ticket: int) -> bool:
        """It is on disk, or the disk is ill, which has a warning of its own."""
        return ticket <= self._journal.safe or self._journal.trouble is not None

    @property
    def transcript(self) -> str:
        """The game so far, as a file of its own."""
        return "".join(f"{line}\n" for line in self._lines)
