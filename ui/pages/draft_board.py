"""The game's own board as a draft lies, beside the seats' tiles: a touch only says which place is meant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
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
from ui.widgets.annotations import lying, seen
from ui.widgets.tap import GHOST


class ChangedMark(InstructionGroup):
    """An edge that follows a widget whose place has changed."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self._widget, self._line = widget, Line(width=dp(2))
        for part in (Color(*theme.rgba(theme.now.ink)), self._line):
            self.add(part)
        widget.bind(pos=self._draw, size=self._draw)
        self._draw()

    def _draw(self, *_: object) -> None:
        (x, y), (broad, tall) = self._widget.pos, self._widget.size
        self._line.rounded_rectangle = (x, y, broad, tall, dp(4))

    def end(self) -> None:
        self._widget.unbind(pos=self._draw, size=self._draw)


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

    def show(self, moment: Moment, changed: Collection[str]) -> None:
        """Show the layout, with an edge around the places that have changed."""
        self.rail.show(frame.rail(moment))
        self.board.show(self._face.centre(moment))
        for mark in self._marks:
            mark.end()
            self.canvas.after.remove(mark)
        places = set(changed)
        self._marks = [ChangedMark(widget) for widget in seen(self, "lies_at") if not places.isdisjoint(widget.lies_at)]
        for mark in self._marks:
            self.canvas.after.add(mark)

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
