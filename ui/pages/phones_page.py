"""Phones at the table: the picture that lets one in, the code, and who has joined."""

from __future__ import annotations

from kivy.metrics import dp

from companion.dialogues.phones import PhonesDialogue
from companion.rules.menu import Dialogue
from ui import theme
from ui.pages.dialogue_page import DialoguePage
from ui.widgets.code import Code

WIDE = 0.8
"""The width of the picture beside the words, as a part of theirs."""
HIGH = 1.2
"""Its height below them upright, as a part of theirs."""


class PhonesPage(DialoguePage):
    title = PhonesDialogue.title

    def make(self) -> Dialogue:
        assert self.app.services.phones
        return PhonesDialogue(self.app.services.phones)

    def fill(self) -> None:
        super().fill()
        self.code = Code()
        self.code.size_hint = (1, HIGH) if self.app.upright else (WIDE, 1)
        self.stage.spacing = dp(theme.EDGE)

    def show(self) -> None:
        phones = self.app.services.phones
        assert phones
        link = phones.link if phones.on and not self.path else ""
        if bool(link) != bool(self.code.parent):  # before the words are laid out: they take all the room that is left
            (self.stage.add_widget if link else self.stage.remove_widget)(self.code)
        self.code.show(link)
        super().show()
