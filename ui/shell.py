"""The frame of the window: a warning where there is one, and the page."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.theme import TextSize
from ui.widgets.box import high, panel, row, swap, wide
from ui.widgets.tap import GHOST, Tap
from ui.widgets.text import Backdrop, Text

Kept = TypeVar("Kept")


class Shell(BoxLayout):
    """The frame around one page; a touch right after the page has turned was meant for the page before."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical")
        self._turned = 0.0
        self.back = Backdrop(self, None, radius=0)
        self._build()

    def _build(self) -> None:
        self.stage = BoxLayout()
        self._shared: dict[type, Any] = {}
        self.warns = False
        self.text = Text(most=TextSize.TEXT, ink=theme.now.stop, bold=True, cuts=True)
        self.save = wide(Tap(""), theme.either(120, 140))
        bar = row(self.text, self.save, pad=(theme.EDGE, 1, theme.GAP, 1))
        self.warning = high(panel(bar, theme.now.panel, theme.now.stop), 0)
        self.add_widget(self.stage)

    def clear(self) -> None:
        """Forget every page, for another size or look."""
        self.clear_widgets()
        self._build()

    def shared(self, kind: type[Kept], make: Callable[[], Kept]) -> Kept:
        """Return the widget of this kind that all pages share, as only one is seen; make it when first needed."""
        if kind not in self._shared:
            self._shared[kind] = make()
        kept: Kept = self._shared[kind]
        return kept

    def turn(self, page: Widget) -> None:
        swap(self.stage, page)
        self._turned = monotonic()

    def export_as_image(self, *args: object, **kwargs: object) -> Any:
        """Paint the background for a picture, which has no window of the right colour behind it."""
        self.back.paint(theme.now.stone)
        try:
            return super().export_as_image(*args, **kwargs)
        finally:
            self.back.paint(None)

    def warn(self, warning: tuple[str, str], act: Callable[[], object], wrong: bool = True) -> None:
        """Show a text and a button in a bar above every page, red if `wrong`; hide the bar for an empty text."""
        text, button = warning
        self.text.color = theme.rgba(theme.now.stop if wrong else theme.now.ink)
        self.warning.backdrop.paint(theme.now.panel, theme.now.stop if wrong else theme.now.ink)
        self.warning.height = dp(theme.either(52, 90 if self.height > self.width else 60))
        self.warns = bool(text)
        self.text.show(text)
        self.save.act = act
        self.save.show(button)
        above = self.warns and not (self.stage.children and self.stage.children[0].warns)
        if above != (self.warning.parent is self):
            if above:
                if self.warning.parent:
                    self.warning.parent.remove_widget(self.warning)
                self.add_widget(self.warning, index=1)
            else:
                self.remove_widget(self.warning)

    def on_touch_down(self, touch: object) -> bool:
        if monotonic() - self._turned < GHOST:
            return True
        return bool(super().on_touch_down(touch))
