"""A report to send in: made, listed, and saved on this device or a USB stick."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.dialogues.saving import places, sticks
from companion.dialogues.services import Job
from companion.hardware.report import Report, listed, saved
from companion.play.exports import Exports
from companion.rules import N_
from companion.rules.menu import Choice, Dialogue, Note, Then, noted
from companion.rules.message import Message, system_error

MAKING = N_("Asking the devices …")
INSIDE = N_("One file to send in if something does not work. It contains no cards, no names and no tag numbers:")
NOT = N_("The report failed. Run “{tabularium} report” in a terminal to see why.")


class ReportDialogue(Dialogue):
    """The report, made in a background thread, as disks and devices may be slow."""

    title = N_("Save a report")

    def __init__(self, make: Callable[[], Report], exports: Exports) -> None:
        self._make, self._exports = make, exports
        self.job: Job[Report] | None = None
        """Makes the report."""
        self._told: Note | None = None

    def begin(self) -> None:
        self._told = None
        if not self.job or not self.job.running:
            self.job = Job("report", self._make)

    def menu(self) -> Choice:
        report = self.job.result if self.job else None
        if self._told:
            said = [self._told, *sticks(self._exports)]
        elif report:
            said = [*sticks(self._exports), Note(INSIDE, {}, "strong"), *map(noted, listed(report))]
        else:
            said = [noted(Message(MAKING if self.job and self.job.running else NOT))]
        entries = list(places(self._exports, partial(self._save, report))) if report else []
        return Choice(None, entries, title=self.title, body=said)

    def _save(self, report: Report, folder: Path) -> Then:
        try:
            self.told(Message("Saved as {file}", file=str(saved(report, folder))))
        except OSError as error:
            self.told(Message("That did not work: {error}", error=system_error(error)))
        return self.menu

    def told(self, what: Message) -> None:
        """Show the outcome above everything."""
        self._told = noted(what, "strong")
