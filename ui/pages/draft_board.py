"""The game's own board as a draft lies, beside the seats' tiles: a touch only says which place is meant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from time import monotonic
from typing import Any

from kivy.graphics import Color, InstructionGroup, Line
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.face import board_of, face_of
from ui.page import App
from ui.table import frame
from ui.table.moment import Moment
from ui.table.page import place
from ui.table.rail import Rail
from ui.theme import TextSize
from ui.widgets.annotations import controls, lying, seen
from ui.widgets.box import put
from ui.widgets.tap import GHOST, Touchable
from ui.widgets.text import Backdrop, Text, long


class ChangedMark(InstructionGroup):
    """One edge around all widgets that show a place whose contents have changed, and what the place is called."""

    def __init__(self, widgets: Sequence[Widget], names: Sequence[str], within: Widget) -> None:
        super().__init__()
        self._widgets, self._within, self._line = widgets, within, Line(width=dp(2))
        for part in (Color(*theme.rgba(theme.now.ink)), self._line):
            self.add(part)
        self.label = Text(" · ".join(names), most=TextSize.LABEL, lines=1, bold=True, align="center",
                          ink=theme.now.card_ink, size_hint=(None, None))  # fmt: skip
        self.back = Backdrop(self.label, theme.now.amber if any(names) else None)
        self.add(self.label.canvas)
        for widget in (*widgets, within):
            widget.bind(pos=self._draw, size=self._draw)
        self._draw()

    def _draw(self, *_: object) -> None:
        left, low = (min(getattr(each, side) for each in self._widgets) for side in ("x", "y"))
        right, top = (max(getattr(each, side) for each in self._widgets) for side in ("right", "top"))
        self._line.rounded_rectangle = (left, low, right - left, top - low, dp(4))
        board, words = self._within, self.label.text
        wide = long(words, TextSize.LABEL, True) + dp(12) if words else 0
        high = dp(theme.above(TextSize.LABEL)) if words else 0
        x = max(board.x, min((left + right - wide) / 2, board.right - wide))
        put(self.label, x, top if top + high <= board.top else low - high, wide, high)

    def end(self) -> None:
        for widget in (*self._widgets, self._within):
            widget.unbind(pos=self._draw, size=self._draw)


class DraftBoard(BoxLayout):
    """A board for pointing only; `touched` is called with the places under the finger."""

    def __init__(self, app: App, game: str, count: int, touched: Callable[[Sequence[str]], object]) -> None:
        upright = app.upright
        super().__init__(orientation="vertical" if upright else "horizontal")
        self._touched, self._down, self._acted = touched, tuple[str, ...](), 0.0
        self._face = face_of(game)
        self.board = board_of(self._face)(_ignore, _ignore, app.say, upright)
        self.rail = Rail(count, upright, _ignore)
        across, up = self.board.margin
        middle = BoxLayout(padding=(dp(across), dp(up)))
        middle.add_widget(self.board)
        place(self.rail, self.board, self, middle, mirrored=app.mirrored)
        self._marks: list[ChangedMark] = []
        self._hidden: list[Widget] = []

    def show(self, moment: Moment, changed: Mapping[str, str]) -> None:
        """Show the layout, with an edge around each place that has changed, and its name; "" shows the edge alone."""
        for control in self._hidden:
            control.opacity = 1
        self.rail.show(frame.rail(moment))
        self.board.show(self._face.centre(moment))
        self._hidden = [*controls(self.board, Touchable)]  # here they would do nothing
        for control in self._hidden:
            control.opacity = 0
        for mark in self._marks:
            mark.end()
            self.canvas.after.remove(mark)
        self._marks = [ChangedMark(widgets, names, self) for widgets, names in self._places(changed)]
        for mark in self._marks:
            self.canvas.after.add(mark)

    def _places(self, changed: Mapping[str, str]) -> Sequence[tuple[Sequence[Widget], Sequence[str]]]:
        """Return the widgets that show each changed place, with the names of all places they show."""
        shown = [*seen(self, "lies_at")]
        found: dict[tuple[int, ...], tuple[list[Widget], list[str]]] = {}
        for at, name in changed.items():
            widgets = [widget for widget in shown if at in widget.lies_at]
            widgets = [widget for widget in widgets if widget.parent is widgets[0].parent]
            names = found.setdefault(tuple(map(id, widgets)), (widgets, []))[1]
            names += [name] if name else []
        return [each for each in found.values() if each[0]]

    @property
    def shown(self) -> Collection[str]:
        """Return the places that can be seen, and so touched."""
        return {place for widget in seen(self, "lies_at") for place in widget.lies_at}

    def on_touch_down(self, touch: Any) -> bool:
        """Take the touch, so that no control of the board reacts to it."""
        if self.collide_point(*touch.pos):
            self._down = tuple(lying(self, touch.pos))
            touch.grab(self)
        return bool(self.collide_point(*touch.pos))

    def on_touch_move(self, touch: Any) -> bool:
        return touch.grab_current is self

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        places, now = tuple(lying(self, touch.pos)), monotonic()
        if places and places == self._down and now - self._acted >= GHOST:
            self._acted = now
            self._touched(places)
        return True


def _ignore(*_: object, **__: object) -> str:
    """Ignore a control of the board."""
    return ""
