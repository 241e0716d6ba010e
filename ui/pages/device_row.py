"""A device and its state, in a row."""

from __future__ import annotations

from collections.abc import Callable

from kivy.metrics import dp

from ui import theme
from ui.pages.device_state import DeviceState
from ui.theme import TextSize
from ui.widgets.box import row, wide
from ui.widgets.shape import Shape
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, broad, tall

LEAST, SHAPE = 52, 22
"""The least height of a row that is as high as it needs, and the width of its seat's shape, in dp."""


class DeviceRow(Touchable):
    """A row for one device; a touch calls `ask`. A `shaped` row has room for its seat's shape."""

    def __init__(self, ask: Callable[[DeviceState], object] = lambda _: None, shaped: bool = False) -> None:
        super().__init__(lambda: ask(self.device))
        self.device = DeviceState("", "", "", True)
        self.back = Backdrop(self, theme.now.panel)
        self.shape = wide(Shape(), 0)
        self.mark = wide(Text("", most=TextSize.TEXT, lines=1, bold=True), theme.grown(90 if shaped else 82))
        self.name = Text("", most=TextSize.TEXT, bold=True, size_hint_x=0.4 if shaped else 0.3)
        self.detail = Text("", most=TextSize.TEXT)
        parts = [*([self.shape] if shaped else []), self.mark, self.name, self.detail]
        self.add_widget(row(*parts, pad=(theme.PAD, 3 if shaped else 4), pos_hint={"x": 0, "y": 0}))

    def show(self, device: DeviceState) -> None:
        self.device = device
        self.shape.seat, self.shape.width = device.seat, dp(SHAPE if device.seat else 0)
        self.mark.show(device.mark)
        self.mark.color = theme.rgba(theme.now.good if device.well else theme.now.stop)
        self.back.paint(theme.now.panel, None if device.well else theme.now.stop)
        self.name.show(device.name)
        self.name.size_hint_min_x = broad(device.name, TextSize.LABEL, True) + dp(2)  # no word of it is broken
        self.detail.show(device.detail)

    def tall(self, device: DeviceState, width: float) -> float:
        """Return the height in pixels that the row needs at this width."""
        room = (width - dp(theme.grown(90) + 2 * theme.PAD + 3 * theme.GAP + SHAPE)) / 1.4
        return float(max(dp(LEAST), tall(device.detail, TextSize.LABEL, room) + dp(10)))
