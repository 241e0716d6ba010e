"""The doctor: what is wrong with computer and hardware, the worst first, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.dialogues.services import Job
from companion.hardware.doctor import ORDER, Finding
from companion.rules import N_
from companion.rules.menu import Choice, Dialogue, Note, noted
from companion.rules.message import Message

UNFINISHED = Finding(
    "doctor",
    "fail",
    Message("The doctor could not finish"),
    Message("Run “{tabularium} doctor” in a terminal to see why"),
)
CHECKING, WELL, ILL = (
    N_("The doctor is checking …"),
    N_("Everything is OK."),
    N_("Needs attention: {sick} of {count}."),
)


class DoctorDialogue(Dialogue):
    """The doctor's findings, from a background thread, as disks and pins may be slow."""

    title = N_("Doctor")

    def __init__(self, examine: Callable[[], Sequence[Finding]]) -> None:
        self._examine = examine
        self._job: Job[Sequence[Finding]] | None = None

    def begin(self) -> None:
        if not self._job or not self._job.running:
            self._job = Job("doctor", self._examine)

    @property
    def findings(self) -> Sequence[Finding] | None:
        """Return what was found, the worst first; None while the doctor is checking."""
        if not self._job or self._job.running:
            return None
        return sorted(self._job.result or [UNFINISHED], key=lambda finding: -ORDER.index(finding.verdict))

    @property
    def summary(self) -> Note:
        """Return a summary of the findings in one sentence."""
        found = self.findings
        sick = sum(finding.verdict != "pass" for finding in found or ())
        text = CHECKING if found is None else ILL if sick else WELL
        return Note(text, {"sick": sick, "count": len(found or ())})

    def menu(self) -> Choice:
        ill = [finding for finding in self.findings or () if finding.verdict != "pass"]
        return Choice(None, [], title=self.title, body=[self.summary, *map(_told, ill)])


def _told(finding: Finding) -> Note:
    words = tuple(map(Message, finding.part.split()))
    part = Message("{kind} {name}", kind=words[0], name=words[1]) if len(words) == 2 else words[0]
    return noted(Message("{part}: {what}", part=part, what=told(finding)))


def told(finding: Finding) -> str:
    """Return what was found, and what to do."""
    if not finding.next:
        return finding.what
    return Message("{what}. {next}", what=finding.what, next=finding.next)
