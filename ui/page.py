"""What every page has in common: entering, showing, leaving, and a title with the way back."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.rules import N_
from ui import theme
from ui.widgets.box import high, row, wide
from ui.widgets.tap import Tap
from ui.widgets.text import Text


class Page(BoxLayout):
    """A page fills the window. It is built once, and told to show itself whenever something is new."""

    def __init__(self, app: Any) -> None:
        super().__init__(orientation="vertical", padding=dp(theme.PAD), spacing=dp(theme.GAP))
        self.app = app
        self.name = ""
        self.say = app.say
        self.build()

    def build(self) -> None:
        """Makes the widgets."""

    def enter(self, *_: Any, **__: Any) -> None:
        """The page is turned to, with what it needs to know."""

    def show(self) -> None:
        """Something new may be shown."""

    def leave(self) -> None:
        """The page is turned away from: what is private must be gone."""

    def key(self, key: int, down: bool) -> bool:  # noqa: ARG002 - most pages need no keys
        """A key of a keyboard; true if it meant something here."""
        return False


class Sheet(Page):
    """A page with a title, opened over another and closed again."""

    title = ""

    def build(self) -> None:
        self.head = Text(self.say(self.title), most=theme.TITLE, least=14, bold=True, lines=1)
        self.back = wide(Tap(self.say(N_("Back")), self.close, kind="quiet"), 104)
        self.add_widget(high(row(self.back, self.head, gap=theme.EDGE), theme.TOUCH))
        self.body = BoxLayout(orientation="vertical", spacing=dp(theme.GAP))
        self.add_widget(self.body)
        self.fill()

    def fill(self) -> None:
        """Makes what stands below the title."""

    def close(self) -> None:
        """Back to the table or the start, wherever we came from."""
        self.app.go(self.app.home)
