"""The doctor on the screen: what `tabularium doctor` finds, without stopping the game."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread

from kivy.clock import Clock

from companion.hardware.doctor import ORDER, Finding
from companion.rules import N_
from companion.rules.message import Message
from companion.rules.words import device, listed, message
from ui import theme
from ui.page import Sheet
from ui.pages.start_page import Device, DeviceRow
from ui.theme import Step
from ui.widgets.box import high
from ui.widgets.pages import Paged
from ui.widgets.text import Text

VERDICTS = {"pass": N_("OK"), "warn": N_("check"), "fail": N_("fault")}

UNFINISHED = Finding(
    "doctor",
    "fail",
    Message("The doctor could not finish"),
    Message("Run “{tabularium} doctor” in a terminal to see why"),
)


class DoctorPage(Sheet):
    """What was found, the worst first; what asks for nothing is one line until it is touched. The doctor is asked on a
    thread of its own, as disks and pins may be slow.

    While the page is open, cards may be laid for the doctor: the game does not hear them.
    """

    title = N_("Doctor")

    def fill(self) -> None:
        self.findings: Sequence[Finding] | None = None
        self.note = high(Text("", most=Step.TEXT, ink=theme.now.muted), theme.grown(44))
        self.folded: Device | None = None
        self.unfolded = False
        least = theme.above(Step.LABEL, 8 if self.app.upright else 5) + 8
        self.list = Paged(lambda: DeviceRow(self._unfold), self.say, least)
        self.body.add_widget(self.note)
        self.body.add_widget(self.list)
        self.thread: Thread | None = None

    def enter(self) -> None:
        self.app.evening.devices.listen = lambda _: None
        if self.thread is None:
            self.findings = None
            self.list.from_the_top()
            self.unfolded = False
            self.thread = Thread(target=self._examine, name="doctor", daemon=True)
            self.thread.start()
            Clock.schedule_interval(self._wait, 0.1)

    def leave(self) -> None:
        self.app.evening.devices.listen = None

    def show(self) -> None:
        found = self.findings or ()
        sick = sum(finding.verdict != "pass" for finding in found)
        asking = N_("The doctor is checking…")
        well, ill = N_("Everything is OK."), N_("Needs attention: {sick} of {count}.")
        text = asking if self.findings is None else ill if sick else well
        self.note.show(self.say(text, sick=sick, count=len(found)))
        worst_first = sorted(found, key=lambda finding: -ORDER.index(finding.verdict))
        quiet = [finding for finding in worst_first if finding.verdict == "pass" and not finding.next]
        self.folded = self._fold(quiet) if len(quiet) > 1 and not self.unfolded else None
        rest = [each for each in worst_first if not self.folded or each not in quiet]
        self.list.show([*map(self._row, rest), *([self.folded] if self.folded else [])])

    def _fold(self, quiet: Sequence[Finding]) -> Device:
        lang = self.app.lang
        parts = dict.fromkeys(device(finding.part, lang) for finding in quiet)
        return (
            self.say(VERDICTS["pass"]),
            self.say(N_("{count} checks"), count=len(quiet)),
            listed([*parts], lang),
            True,
        )

    def _unfold(self, touched: Device) -> None:
        self.unfolded = self.unfolded or touched is self.folded
        self.show()

    def close(self) -> None:
        self.app.go("hardware")

    def _row(self, finding: Finding) -> Device:
        told = Message("{what}. {next}", what=finding.what, next=finding.next) if finding.next else finding.what
        lang = self.app.lang
        mark = self.say(VERDICTS[finding.verdict])
        return mark, device(finding.part, lang), message(told, lang), finding.verdict == "pass"

    def _examine(self) -> None:
        assert self.app.doctor
        self.findings = self.app.doctor()

    def _wait(self, _: float) -> bool:
        """False, which ends the waiting, once the thread has ended."""
        if self.thread and self.thread.is_alive():
            return True
        self.thread = None
        self.findings = self.findings or [UNFINISHED]
        self.show()
        return False
