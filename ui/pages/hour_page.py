"""The first hour with a new reader: step by step, each with what it measures and what that means, and a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread
from typing import Literal

from kivy.uix.boxlayout import BoxLayout

from companion.hardware.doctor import Finding
from companion.hardware.doctor.hour import END, NUMBERED, HourStep
from companion.rules import N_
from companion.rules.message import Message, system_error
from companion.rules.words import message
from ui import theme
from ui.background import background
from ui.page import Hour, Sheet
from ui.pages.device_row import DeviceRow
from ui.pages.device_state import DeviceState, of_finding
from ui.pages.drawings import drawing
from ui.theme import TextSize
from ui.widgets.box import column, high, row, swap
from ui.widgets.drawing import Drawing
from ui.widgets.pages import Paged
from ui.widgets.tap import Tap
from ui.widgets.text import Text

State = Literal["ask", "busy", "found", "done", "saved"]

NOTHING = N_("Nothing that can be measured is wired to this computer. A hub is tested with “{tabularium} hub test”.")
PLAYING = N_("A game is being played: the steps need the readers, buttons and lamps. Finish it first.")


class CommissioningPage(Sheet):
    """The steps with a new reader, measured in a separate thread; meanwhile the game hears no cards."""

    title = N_("The first hour")

    def fill(self) -> None:
        self.hour: Hour | None = None
        self.at = 0
        self.state: State = "ask"
        self.findings: Sequence[Finding] = ()
        self.saved = ""
        self.thread: Thread | None = None
        self.head_line = high(Text("", most=TextSize.TEXT, bold=True, lines=1), theme.above(TextSize.TEXT, 1))
        self.ask = high(Text("", most=TextSize.HEAD), theme.above(TextSize.HEAD, 3 if self.app.upright else 2) + 8)
        self.why = Text("", most=TextSize.TEXT, ink=theme.now.muted, upright="top")
        self.drawing = Drawing()
        self.asking = (column if self.app.upright else row)(self.why, self.drawing, gap=theme.EDGE)
        if self.app.upright:
            high(self.why, theme.above(TextSize.TEXT, 4))
        self.list = Paged(DeviceRow, self.say, theme.above(TextSize.LABEL, 8 if self.app.upright else 5) + 8)
        self.stage = BoxLayout()
        self.first, self.second = Tap("", self._take_first, kind="main"), Tap("", self._take_second)
        for part in (self.head_line, self.ask, self.stage, high(row(self.first, self.second), theme.TOUCH)):
            self.body.add_widget(part)

    def enter(self) -> None:
        self.app.evening.devices.listen = lambda _: None
        if self.hour is None and not self._playing and self.app.hour:
            self.hour = self.app.hour()
            self.at, self.state, self.findings, self.saved = 0, "ask", (), ""

    def leave(self) -> None:
        self.app.evening.devices.listen = None
        hour, self.hour, thread = self.hour, None, self.thread
        if hour:
            Thread(target=_ended, args=(hour, thread), name="first hour").start()

    def close(self) -> None:
        self.app.go("hardware")

    @property
    def _playing(self) -> bool:
        return self.app.evening.is_playing

    # -- what it says ----------------------------------------------------------------------------------------------

    def show(self) -> None:
        steps = self.hour.steps if self.hour else ()
        asking = bool(steps) and self.state in ("ask", "busy", "found")
        step = steps[self.at] if asking and self.at < len(steps) else None
        title = self.say(step.title) if step else ""
        self.head_line.show(self.say(NUMBERED, step=self.at + 1, count=len(steps), title=title) if step else "")
        self.ask.show(self.say(step.ask) if step else self._end_text(bool(steps)))
        self.why.show(self._why_text(step))
        self.drawing.show(drawing(step.name if step else "report" if steps else ""))
        self.list.show([*map(self._row_of, self.findings)])
        swap(self.stage, self.list if self.findings else self.asking)
        first, second = self._control_texts(bool(steps))
        for tap, words in ((self.first, first), (self.second, second)):
            tap.show(words, disabled=not words)
            tap.opacity = int(bool(words))

    def _why_text(self, step: HourStep | None) -> str:
        if step is None:
            return self.saved
        return self.say(N_("Measuring …") if self.state == "busy" else step.why)

    def _end_text(self, steps: bool) -> str:
        return self.say(END if steps else PLAYING if self._playing else NOTHING)

    def _control_texts(self, steps: bool) -> tuple[str, str]:
        """Return the texts of the two controls; "" for one that does nothing."""
        if not steps or self.state in ("busy", "saved"):
            return "", ""
        words = {
            "ask": (N_("Begin"), N_("Skip")),
            "found": (N_("Go on"), N_("Measure again")),
            "done": (N_("Save the report"), ""),
        }[self.state]
        return self.say(words[0]), self.say(words[1]) if words[1] else ""

    def _row_of(self, finding: Finding) -> DeviceState:
        return of_finding(finding, self.app.lang)

    # -- what it does ----------------------------------------------------------------------------------------------

    def _take_first(self) -> None:
        if self.state == "ask":
            self._measure()
        elif self.state == "found":
            self._next_step()
        elif self.state == "done":
            self._run_in_background(self._save)

    def _take_second(self) -> None:
        if self.state == "ask":
            self._next_step()
        elif self.state == "found":
            self._measure()

    def _next_step(self) -> None:
        assert self.hour
        self.at, self.findings = self.at + 1, ()
        self.state = "ask" if self.at < len(self.hour.steps) else "done"
        self.list.from_the_top()
        self.show()

    def _measure(self) -> None:
        self.findings = ()
        self._run_in_background(self._measure_step)

    def _measure_step(self) -> None:
        assert self.hour
        hour = self.hour
        try:
            self.found(hour.measure(hour.steps[self.at]))
        except OSError as error:
            self.found([Finding("recording", "fail", system_error(error))])

    def found(self, findings: Sequence[Finding]) -> None:
        """Take the findings of a step."""
        self.findings, self.state = findings, "found"

    def _save(self) -> None:
        assert self.hour
        self.hour.lang = lang = self.app.lang
        try:
            self.saved = message(Message("Saved as {file}", file=str(self.hour.save())), lang)
            self.state = "saved"
        except OSError as error:
            self.saved = message(Message("That did not work: {error}", error=system_error(error)), lang)
            self.state = "done"

    def _run_in_background(self, job: Callable[[], None]) -> None:
        """Run a job in a separate thread, as hands are slow and disks may be."""
        self.state = "busy"
        self.thread = background("first hour", job, self._done)
        self.show()

    def _done(self) -> None:
        self.thread = None
        self.show()


def _ended(hour: Hour, thread: Thread | None) -> None:
    """Close the trace once the current measurement has ended; the doctor's page says where the trace is."""
    if thread:
        thread.join()
    try:
        hour.close()
    except OSError:
        return
