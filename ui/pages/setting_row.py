"""A setting in a row: its values side by side, or a scale with steps down and up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from companion.rules.menu import Entry, Setting
from ui import theme
from ui.fonts import japanese, own_name
from ui.theme import TextSize
from ui.widgets.box import wide
from ui.widgets.icon import Sign
from ui.widgets.tap import Tap
from ui.widgets.text import Backdrop, Text, broad

ROW = 52
"""The height of a setting, in dp."""
MOST = 3
"""Among how many values side by side a setting chooses at most."""
NO_FONT = N_("No font with Japanese characters is installed: sudo apt install fonts-ipafont-gothic")


class SettingRow(BoxLayout):
    """A setting and its values; a touched value is passed to `choose`."""

    def __init__(self, upright: bool, say: Callable[..., str], choose: Callable[[Entry], object]) -> None:
        super().__init__(spacing=dp(theme.GAP), padding=(dp(theme.PAD), dp(1), 0, dp(1)))
        self._say, self._choose = say, choose
        self.back = Backdrop(self, theme.now.panel)
        self.sign, self.name = wide(Sign("", 2), 30), Text(most=TextSize.TEXT)
        width = theme.either(96, 104) if upright else 136
        self.taps = [Tap("", most=TextSize.TEXT, size_hint_x=10, size_hint_max_x=dp(width)) for _ in range(MOST)]
        self.value = wide(Text("", most=TextSize.TEXT, lines=1, bold=True, align="center"), width - 2 * theme.GAP)
        self.down, self.up = (wide(Tap(text, most=TextSize.HEAD), theme.TOUCH + 4) for text in ("−", "+"))

    def show(self, item: Setting) -> None:
        self.name.show(self._name_text(item))
        self.name.size_hint_min_x = broad(self.name.text, TextSize.LABEL) + dp(2)  # no word of it is broken
        self.sign.show(item.sign, theme.now.ink)
        parts: list[Widget] = [*([self.sign] if item.sign else []), self.name]
        parts += self._scale_taps(item) if item.scale else self._value_taps(item)
        if self.children[::-1] != parts:
            self.clear_widgets()
            for part in parts:
                self.add_widget(part)

    def tall(self, _: Setting, __: float) -> float:
        return float(dp(ROW))

    def _name_text(self, item: Setting) -> str:
        """Return the setting's name; the language has a sign instead, which every reader understands."""
        if item.sign:
            return "" if japanese() else self._say(NO_FONT)
        return self._say(item.name)

    def _value_taps(self, item: Setting) -> list[Widget]:
        taps = self.taps[: len(item.values)]
        for at, (tap, value) in enumerate(zip(taps, item.values, strict=True)):
            words, font = own_name(self._say(value.text, **value.facts))
            tap.show(words, chosen=at == item.now)
            if font:
                tap.words.font_name = font
            tap.act = partial(self._choose, value)
        return taps

    def _scale_taps(self, item: Setting) -> list[Widget]:
        now = item.values[item.now]
        self.value.show(self._say(now.text, **now.facts))
        for tap, by in ((self.down, -1), (self.up, 1)):
            value = item.near(by)
            tap.show(tap.words.text, disabled=value is None)
            tap.act = partial(self._choose, value) if value else None
        return [self.down, self.value, self.up]
