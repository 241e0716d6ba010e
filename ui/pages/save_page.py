"""Where files go: the evening itself to another place, and what is exported to this device or a stick."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp

from companion.rules import N_, Said
from companion.rules.words import message
from companion.system.files import free
from companion.system.home import home, written
from ui import theme
from ui.page import App, Sheet
from ui.theme import Step
from ui.widgets.box import column, high, row
from ui.widgets.code import Code
from ui.widgets.tap import Tap
from ui.widgets.text import Text

FILE = "tabularium.db"
LOOK_S = 1.0
"""How often it is looked whether a stick has been plugged in, in seconds."""
MOST = 3
"""More sticks than this nobody plugs in at once."""
WIDE = 1.2
"""How wide a code is beside the controls: as wide as the page is high."""


class SavePage(Sheet):
    """Where else the evening can be written to; what became of it is said here."""

    title = N_("Save elsewhere")

    def fill(self) -> None:
        self.path = str((home() or Path("/")) / FILE)
        self.note = high(Text(self.say(N_("A folder on another disk or USB stick, and a file name.")), most=Step.TEXT,
                              ink=theme.now.muted), theme.grown(52))  # fmt: skip
        self.sticks = high(row(), 60)
        self.where = high(Tap("", self._write, most=Step.TEXT), 60)
        self.save = high(Tap(self.say(N_("Save here")), self._save, kind="main", most=Step.TEXT), 60)
        self.told = Text("", most=Step.TEXT, ink=theme.now.ink, upright="top")
        for part in (self.note, self.sticks, self.where, self.save, self.told):
            self.body.add_widget(part)
        self.look = Clock.create_trigger(self._look, LOOK_S, True)

    def enter(self, path: str = "") -> None:
        self.path = path or self.path
        self.said, self.app.evening.note = "", None
        self._look()
        self.look()

    def leave(self) -> None:
        self.look.cancel()
        self.app.evening.note = None

    def show(self) -> None:
        note = self.app.evening.note
        self.told.show(message(note, self.app.lang) if note else self.said)
        self.where.show(self.path)

    def _look(self, *_: object) -> None:
        offer(self.sticks, self.app, lambda stick: self._choose(str(free(stick / FILE))))

    def _choose(self, path: str) -> None:
        self.path = path
        self.show()

    def _write(self) -> None:
        self.app.go(
            "write", title=self.say(N_("File")), text=self.path, done=lambda path: self.app.go("save", path=path)
        )

    def _save(self) -> None:
        self.app.evening.note = None
        try:
            self.app.evening.save_elsewhere(written(self.path))
            self.said = self.say(N_("Saving …"))
        except OSError as error:
            self.said = self.say(N_("That did not work: {error}"), error=str(error))
        self.show()


class WherePage(Sheet):
    """Asks where exported files go, and turns back. What a link says can go to a telephone at once, by its QR code."""

    title = N_("Save where?")

    def fill(self) -> None:
        upright = self.app.upright
        self.here = high(Tap(self.say(N_("On this device")), lambda: self._save(None), most=Step.TEXT), 60)
        self.sticks = high((row if upright else column)(), 60)
        self.told = Text("", most=Step.TEXT, ink=theme.now.muted, upright="top")
        self.code, self.link = Code(), ""
        if upright:
            for part in (self.here, self.sticks, high(self.told, theme.grown(52)), self.code):
                self.body.add_widget(part)
        else:
            self.body.add_widget(row(column(self.here, self.sticks, self.told), self.code))
        self.code.bind(size=lambda *_: self.show())
        self.look = Clock.create_trigger(self._look, LOOK_S, True)

    def enter(self, save: Callable[[Path | None], object], back: str, link: str = "") -> None:
        self.save, self.come_from, self.link = save, back, link
        self.code.size_hint_x = 1 if self.app.upright else WIDE if link else 0
        self.code.show(link)
        self._look()
        self.look()

    def leave(self) -> None:
        self.look.cancel()

    def show(self) -> None:
        fits, long = N_("BG Stats: scan the code with your phone."), N_("Too long for a QR code on this screen.")
        self.told.show(self.say(fits if self.code.fits else long) if self.link else "")

    def close(self) -> None:
        self.app.go(self.come_from)

    def _look(self, *_: object) -> None:
        offer(self.sticks, self.app, self._save)
        self.sticks.height = dp(60) * (1 if self.app.upright else len(self.sticks.children))

    def _save(self, folder: Path | None) -> None:
        self.close()
        self.save(folder)


def offer(box: Any, app: App, act: Callable[[Path], object]) -> None:
    """Offer each stick that is plugged in; say which ones can only be read, or that there is none."""
    sticks, locked = app.evening.exports.sticks()[:MOST], app.evening.exports.unwritable()[:MOST]
    if getattr(box, "offered", None) == (sticks, locked):
        return
    box.offered = sticks, locked
    box.clear_widgets()
    for stick in sticks:
        text = app.say(N_("USB stick {name}"), name=Said(stick.name))
        box.add_widget(Tap(text, partial(act, stick), most=Step.TEXT))
    for stick in locked:
        text = app.say(
            N_("USB stick {name} can only be read. Eject it safely from Windows, or unlock it."), name=Said(stick.name)
        )
        box.add_widget(Text(text, most=Step.TEXT, ink=theme.now.muted))
    if not sticks and not locked:
        box.add_widget(Text(app.say(N_("No USB stick is plugged in.")), most=Step.TEXT, ink=theme.now.muted))


def export(app: App, save: Callable[[Path | None], object], back: str, link: str = "") -> None:
    """Save on this device, or ask where to, if a stick is plugged in or there is a link; then turn back."""
    exports = app.evening.exports
    if link or exports.sticks() or exports.unwritable():
        app.go("where", save=save, back=back, link=link)
    else:
        save(None)
