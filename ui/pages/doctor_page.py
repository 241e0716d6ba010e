"""The doctor on the screen: what `tabularium doctor` finds, without stopping the game."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.clock import Clock

from companion.dialogues.doctor import DoctorDialogue
from companion.hardware.doctor import Finding
from companion.rules import N_
from companion.rules.words import device, listed
from ui import theme
from ui.page import Sheet
from ui.pages.device_row import DeviceRow
from ui.pages.device_state import VERDICTS, DeviceState, of_finding
from ui.theme import TextSize
from ui.widgets.box import high
from ui.widgets.pages import Paged
from ui.widgets.text import Text

LOOK_S = 0.1
"""Seconds between two checks whether the doctor has finished."""


class DoctorPage(Sheet):
    """The findings, the worst first; those that need nothing are one line until it is touched.

    The doctor runs in a separate thread, as disks and pins may be slow. While the page is open, cards may be laid for
    the doctor: the game does not hear them.
    """

    title = N_("Doctor")

    def fill(self) -> None:
        assert self.app.services.doctor
        self.doctor = DoctorDialogue(self.app.services.doctor)
        self.note = high(Text("", most=TextSize.TEXT, ink=theme.now.muted), theme.grown(44))
        self.folded: DeviceState | None = None
        self.unfolded = False
        least = theme.above(TextSize.LABEL, 8 if self.app.upright else 5) + 8
        self.list = Paged(lambda: DeviceRow(self._unfold), self.say, least)
        self.body.add_widget(self.note)
        self.body.add_widget(self.list)
        self.look = Clock.create_trigger(self._check_findings, LOOK_S, True)

    def enter(self) -> None:
        self.app.evening.devices.listen = lambda _: None
        self.doctor.begin()
        self.list.from_the_top()
        self.unfolded = False
        self.look()

    def leave(self) -> None:
        self.app.evening.devices.listen = None
        self.look.cancel()

    def show(self) -> None:
        found, summary = self.doctor.findings or (), self.doctor.summary
        self.note.show(self.say(summary.text, **summary.facts))
        quiet = [finding for finding in found if finding.verdict == "pass" and not finding.next]
        self.folded = self._fold(quiet) if len(quiet) > 1 and not self.unfolded else None
        rest = [each for each in found if not self.folded or each not in quiet]
        self.list.show([*map(self._row_of, rest), *([self.folded] if self.folded else [])])

    def _fold(self, quiet: Sequence[Finding]) -> DeviceState:
        lang = self.app.lang
        parts = dict.fromkeys(device(finding.part, lang) for finding in quiet)
        return DeviceState(
            self.say(VERDICTS["pass"]),
            self.say(N_("{count} checks"), count=len(quiet)),
            listed([*parts], lang),
            True,
        )

    def _unfold(self, touched: DeviceState) -> None:
        self.unfolded = self.unfolded or touched is self.folded
        self.show()

    def close(self) -> None:
        self.app.go("hardware")

    def _row_of(self, finding: Finding) -> DeviceState:
        return of_finding(finding, self.app.lang)

    def _check_findings(self, _: float) -> None:
        if self.doctor.findings is not None:
            self.look.cancel()
            self.show()
