"""The place for exported files: this device or a stick; a link can go to a phone as a QR code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kivy.metrics import dp

from companion.dialogues.saving import ExportDialogue
from companion.rules import N_
from companion.rules.menu import Dialogue
from ui import theme
from ui.page import App
from ui.pages.dialogue_page import DialoguePage
from ui.theme import TextSize
from ui.widgets.box import column, high, row
from ui.widgets.code import Code
from ui.widgets.text import Text

WIDE = 1.2
"""The width of a code beside the controls: as wide as the page is high."""


class WherePage(DialoguePage):
    """The question where exported files go. A link can go to a phone at once as a QR code."""

    title = ExportDialogue.title

    def make(self) -> Dialogue:
        return ExportDialogue(self.app.evening.exports, self._save)

    def fill(self) -> None:
        super().fill()
        self.told = high(
            Text("", most=TextSize.TEXT, ink=theme.now.muted, upright="top"), theme.above(TextSize.TEXT, 2)
        )
        self.code, self.link = Code(), ""
        self.code.bind(size=lambda *_: self.show())
        self.body.clear_widgets()
        self.stage.clear_widgets()
        if self.app.upright:
            for part in (self.flow, self.foot, self.told, self.code):
                self.body.add_widget(part)
        else:
            self.abreast = 1
            self.body.add_widget(row(column(self.flow, self.told, self.foot), self.code))

    def enter(self, save: Callable[[Path], object], back: str, link: str = "") -> None:
        self.save, self.above, self.link = save, back, link
        self.code.size_hint_x = 1 if self.app.upright else WIDE if link else 0
        if self.app.upright:  # a code needs most of the height
            self.flow.size_hint_y = None if link else 1
            self.flow.height = dp(theme.above(TextSize.TEXT, 2))
            self.code.size_hint_y = 1 if link else 0
        self.code.show(link)
        super().enter()

    def show(self) -> None:
        super().show()
        fits, long = N_("BG Stats: scan the code with your phone."), N_("Too long for a QR code on this screen.")
        self.told.show(self.say(fits if self.code.fits else long) if self.link else "")

    def _save(self, folder: Path) -> None:
        self.close()
        self.save(folder)


def export(app: App, save: Callable[[Path], object], back: str, link: str = "") -> None:
    """Save on this device, or ask where if a stick is plugged in or there is a link; then turn back.

    It also asks if this device cannot be written to.
    """
    exports = app.evening.exports
    if link or exports.sticks() or exports.unwritable():
        app.go("where", save=save, back=back, link=link)
    else:
        save(exports.folder)
