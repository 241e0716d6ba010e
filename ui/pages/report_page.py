"""Saves a report to send in; what is in it is listed before."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

from kivy.clock import Clock

from companion.hardware.report import Report, listed, saved
from companion.rules import N_
from ui import theme
from ui.page import Sheet
from ui.pages.answer_rows import kinds
from ui.pages.answers import Sentence
from ui.pages.save_page import LOOK_S, offer
from ui.theme import Step
from ui.widgets.box import high, row
from ui.widgets.flow import Flow
from ui.widgets.tap import Tap

MAKING = N_("The devices are being asked…")
INSIDE = N_("One file to send in, if something does not work. It holds no cards, no names and no ids of tags:")
NOT = N_("It could not be made: “{tabularium} report” in a terminal says why.")


class ReportPage(Sheet):
    """Made on a thread of its own, as disks and devices may be slow; written where somebody touches."""

    title = N_("Save a report")

    def fill(self) -> None:
        self.report: Report | None = None
        self.thread: Thread | None = None
        self.said = ""
        self.flow = Flow(kinds(), self.say)
        self.here = Tap(self.say(N_("On this device")), lambda: self.save(None), most=Step.TEXT)
        self.sticks = row()
        self.body.add_widget(self.flow)
        self.body.add_widget(high(row(self.here, self.sticks), theme.TOUCH))
        self.look = Clock.create_trigger(self._look, LOOK_S, True)

    def enter(self) -> None:
        self.said, self.report = "", None
        if self.thread is None:
            self.thread = Thread(target=self._make, name="report", daemon=True)
            self.thread.start()
            Clock.schedule_interval(self._wait, 0.1)
        self._look()
        self.look()

    def leave(self) -> None:
        self.look.cancel()

    def show(self) -> None:
        self.here.show(self.here.words.text, disabled=self.report is None)
        if self.said:
            items = [Sentence(self.said, weight="strong")]
        elif self.report is None:
            items = [Sentence(self.say(MAKING if self.thread else NOT))]
        else:
            items = [Sentence(self.say(INSIDE), weight="strong"), *map(Sentence, listed(self.report, self.app.lang))]
        self.flow.show(items)

    def close(self) -> None:
        self.app.go("hardware")

    def save(self, folder: Path | None) -> None:
        """Onto a stick, or beside the transcripts."""
        if self.report is None:
            return
        try:
            path = saved(self.report, folder or self.app.evening.exports.folder)
            self.said = self.say(N_("Saved as {file}"), file=str(path))
        except OSError as error:
            self.said = self.say(N_("That did not work: {error}"), error=error.strerror or str(error))
        self.show()

    def _look(self, *_: object) -> None:
        offer(self.sticks, self.app, self.save)

    def _make(self) -> None:
        assert self.app.report
        self.report = self.app.report()

    def _wait(self, _: float) -> bool:
        """False, which ends the waiting, once the thread has ended."""
        if self.thread and self.thread.is_alive():
            return True
        self.thread = None
        self.show()
        return False
