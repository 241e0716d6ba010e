"""The record of a game: in the journal at once, and as a separate transcript."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Protocol

from companion.record.transcript import Header, dump, dump_event, dump_header
from companion.rules.views import Result
from companion.session.receipt import Receipt


class Journal(Protocol):
    """The journal of the games. Writes return at once, with a ticket."""

    safe: int
    """The newest ticket on disk; all earlier ones are there too."""
    trouble: str | None
    """The reason why nothing can be written at the moment, None while all is well."""

    def number(self, game: int) -> int: ...
    def append(self, game: int, number: int, event: str, by: str | None, at: str | None) -> int: ...
    def finish(self, game: int, result: str | None) -> int: ...


class MatchJournal:
    """One game in the journal; `ticket` is that of its latest write, at first of its header."""

    def __init__(self, journal: Journal, number: int, header: Header, ticket: int, now: Callable[[], datetime]) -> None:
        self.ticket = self._first = ticket
        self._journal, self._begun_as, self._now = journal, number, now
        self._lines = [dump_header(header)]

    @property
    def number(self) -> int:
        """Return the game's number in the store."""
        return self._journal.number(self._begun_as)

    def take_up(self, acts: Iterable[Receipt]) -> None:
        """Add acts to the transcript that are in the journal already."""
        self._lines += [dump_event(act.event, act.by, act.at) for act in acts if act.event]

    def go_on_as(self, number: int) -> None:
        """Continue the game under another number in the store."""
        self._begun_as = number

    def append(self, receipt: Receipt) -> None:
        """Write one more accepted act."""
        assert receipt.event
        # one time for both, so that journal and transcript agree
        at, line = self._now().isoformat(timespec="milliseconds"), dump_event(receipt.event)
        self.ticket = self._journal.append(self._begun_as, receipt.number, line, receipt.by, at)
        self._lines.append(dump_event(receipt.event, receipt.by, at))

    def finish(self, result: Result | None) -> None:
        """Write how the game ended; None where an undo has taken the end back."""
        self.ticket = self._journal.finish(self._begun_as, dump(result) if result else None)

    def after(self, ticket: int) -> None:
        """Keep what comes next hidden until this ticket is safe."""
        self.ticket = max(self.ticket, ticket)

    @property
    def begun(self) -> bool:
        """Return whether the header is safe, so that the game may be seen."""
        return self.safe(self._first)

    def safe(self, ticket: int) -> bool:
        """Return whether the ticket is on disk, or the disk fails, which has a separate warning."""
        # a failing disk must not stop the game: players are warned that nothing is being saved
        return ticket <= self._journal.safe or self._journal.trouble is not None

    @property
    def transcript(self) -> str:
        """Return the game so far as a transcript."""
        return "".join(f"{line}\n" for line in self._lines)
