"""Switching off: the game is on disk first, and nothing happens by one touch."""

from __future__ import annotations

from functools import partial
from threading import Thread

from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.rules import N_
from companion.rules.words import message
from ui import theme
from ui.machine import Ask
from ui.page import App, Sheet
from ui.theme import Step
from ui.widgets.box import high, row, wide
from ui.widgets.tap import Tap
from ui.widgets.text import Text

OFF, QUIT = N_("Switch off"), N_("Quit")
SAVED = N_("Everything is saved: stop now and carry on here another evening.")
PLUG = N_("Then pull the plug once the green light on the Pi has stopped flickering.")
LAMP = N_("Then pull the plug once the lamp has gone out.")
GOING = N_("The computer is being switched off…")


def way_out(app: App) -> Widget:
    """What leads here, for the top of a page."""
    tap = Tap(app.say(OFF if app.machine.off else QUIT), partial(app.go, "power"), kind="quiet", pos_hint={"top": 1})
    return wide(high(tap, theme.TOUCH), 130)


class PowerPage(Sheet):
    """Switches the computer off, or starts it anew; on a laptop it only closes the window.

    What is still being written is waited for. Where nothing can be written, it is said what would be lost, and one
    more touch does it all the same.
    """

    title = OFF

    def fill(self) -> None:
        self.machine = self.app.machine
        self.thread: Thread | None = None
        self.refused = ""
        self.wanted: Ask | None = None
        self.all_the_same = False
        if not self.machine.off:
            self.head.show(self.say(QUIT))
        self.note = Text("", most=Step.TEXT, upright="top")
        self.off = Tap(self.say(OFF if self.machine.off else QUIT), self._off, kind="main", most=Step.TEXT)
        taps = [self.off]
        if self.machine.restart:
            taps.append(Tap(self.say(N_("Restart")), partial(self._want, self.machine.restart), most=Step.TEXT))
        self.taps = taps
        self.body.add_widget(self.note)
        self.body.add_widget(Widget(size_hint_y=0.2))
        self.body.add_widget(high(row(*taps), theme.grown(92)))

    def enter(self) -> None:
        self.refused, self.wanted, self.all_the_same = "", None, False

    def leave(self) -> None:
        self.wanted = None

    def show(self) -> None:
        self.note.show(self._said())
        self.note.color = theme.rgba(theme.now.stop if self.refused or self.app.evening.trouble else theme.now.ink)
        for tap in self.taps:
            tap.show(tap.words.text, disabled=self._going)

    @property
    def _going(self) -> bool:
        return self.thread is not None or self.wanted is not None

    def _said(self) -> str:
        if self.refused:
            return self.say(N_("That did not work: {error}"), error=self.refused)
        trouble = self.app.evening.trouble
        if trouble and not self._going:
            told = self.say(N_("Nothing is being saved: {trouble}"), trouble=message(trouble, self.app.lang))
            lost = N_("What has happened since would be lost. Touch again to do it all the same.")
            return f"{told}\n\n{self.say(lost)}" if self.all_the_same else told
        if self.thread:
            return self.say(GOING)
        if self.wanted:
            return self.say(N_("Saving…"))
        saved = self.say(SAVED)
        if not self.machine.off:
            return saved
        return f"{saved}\n\n{self.say(LAMP if self.machine.lamp else PLUG)}"

    # -- switching off -------------------------------------------------------------------------------------------------

    def key(self, key: int, down: bool, edge: bool = True) -> bool:  # noqa: ARG002 - up is up
        """The power button, pressed while the page is open."""
        from ui.app import SWITCH

        if key == SWITCH and down and not self._going:
            self._off()
            return True
        return False

    def _off(self) -> None:
        self._want(self.machine.off or self._quit)

    def _quit(self) -> str:
        Clock.schedule_once(self.app.stop)
        return ""

    def _want(self, ask: Ask) -> None:
        """Now, as soon as everything is on disk, or by one more touch where that cannot be."""
        if self.app.evening.trouble and not self.all_the_same:
            self.all_the_same = True
        elif self.app.evening.saved or self.app.evening.trouble:
            self._go(ask)
        else:
            self.wanted = ask
            Clock.schedule_interval(self._wait, 0.1)
        self.show()

    def _wait(self, _: float) -> bool:
        """False, which ends the waiting, once all is on disk, or cannot be, or nobody wants it any more."""
        ask, waiting = self.wanted, not (self.app.evening.saved or self.app.evening.trouble)
        if ask and waiting:
            return True
        self.wanted = None
        if ask:
            self._want(ask)
        return False

    def _go(self, ask: Ask) -> None:
        """Asks the system on a thread of its own: it may take its time."""
        self.refused = ""

        def asking() -> None:
            refused = ask()
            Clock.schedule_once(lambda _: self._answered(refused))

        self.thread = Thread(target=asking, name="power", daemon=True)
        self.thread.start()

    def _answered(self, refused: str) -> None:
        """If it will be done, the page stays as it is until the program is ended."""
        self.refused = refused
        if refused:
            self.thread = None
        self.show()
