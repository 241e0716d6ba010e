"""The line below the board: what happened, what goes where, a lesson, a press or the hand of the virtual table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.rules import N_, NC_
from ui import theme
from ui.games.parts.board import Place
from ui.table import frame
from ui.table.rest import Told
from ui.theme import TextSize
from ui.widgets.box import put, row, wide
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text, tall

FEW = 3
"""The number of shapes there is room for: some of many would say nothing."""
ACT = 100
"""The width of the one act of a lesson or a list, in dp."""


class Shapes(BoxLayout):
    """The seats that a sentence is about."""

    def __init__(self, side: float = 24) -> None:
        super().__init__(spacing=dp(4), size_hint_x=None, width=0)
        self._side = side
        self.shapes = [wide(Shape(), side) for _ in range(FEW)]

    def show(self, seats: Sequence[str]) -> None:
        seats = seats if len(seats) <= FEW else ()
        for at, shape in enumerate(self.shapes):
            shape.seat = seats[at] if at < len(seats) else ""
            if bool(shape.seat) != bool(shape.parent):
                (self.add_widget if shape.seat else self.remove_widget)(shape)
        self.width = dp(self._side + 4) * len(seats)


class RulingLine(Touchable):
    """The last ruling as a sentence; a refusal has an edge."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel, radius=0)
        with self.canvas.before:
            self._edge_ink = Color(0, 0, 0, 0)
            self._edge = Rectangle()
        self.marks, self.text = Shapes(), Text(most=TextSize.TEXT, cuts=True)  # the rest is one touch away
        self.add_widget(row(self.marks, self.text, pad=(theme.PAD, 1), pos_hint={"x": 0, "y": 0}))
        self.bind(pos=self._follow, size=self._follow)

    def show(self, line: frame.LastRuling) -> None:
        self.text.show(line.text)
        self.text.color = theme.rgba(theme.now.stop if line.refused else theme.now.ink)
        self._edge_ink.rgba = theme.rgba(theme.now.stop) if line.refused else (0, 0, 0, 0)
        self.marks.show(line.seats)

    def _follow(self, *_: object) -> None:
        self._edge.pos, self._edge.size = (self.x, self.y + self.height - dp(3)), (self.width, dp(3))


class GoesBar(BoxLayout):
    """The line of what goes where on the real table; a touch shows all of it, one on the button puts it away.

    After a move it asks whether that had been done before.
    """

    def __init__(
        self, say: Callable[..., str], whole: Callable[[], Any], lies: Callable[[], Any], not_yet: Callable[[], Any]
    ) -> None:
        super().__init__(spacing=dp(theme.GAP), padding=(dp(theme.PAD), dp(1), 0, dp(1)))
        self.back = Backdrop(self, theme.now.wax, radius=0)
        self.text = Text(most=TextSize.TEXT, pos_hint={"x": 0, "y": 0})
        line = Touchable(whole)
        line.add_widget(self.text)
        self.add_widget(line)
        self.done = wide(
            Tap(say(NC_("pieces to move", "All in place")), lies, most=TextSize.TEXT), theme.grown(ACT + 20)
        )
        self.answers = [
            wide(Tap(say(text), act, most=TextSize.TEXT), theme.grown(ACT // 2 + 10))
            for text, act in ((N_("Yes"), lies), (N_("No"), not_yet))
        ]
        self.add_widget(self.done)

    def show(self, wordings: Sequence[str], answers: int = 0) -> None:
        """Show the first of the wordings that fits; none for nothing. A question has one answer, Yes, or two."""
        buttons = self.answers[:answers] or [self.done]
        if self.children[-2::-1] != buttons:
            self.clear_widgets(self.children[:-1])
            for button in buttons:
                self.add_widget(button)
        text, *shorter = wordings or [""]
        self.text.show(text, shorter=tuple(shorter))


class LessonBar(Touchable):
    """A lesson for newcomers, with the shapes of those it matters to; put away with one touch.

    It lies on the board where there is room; in the line, one that is too long comes in parts, with a touch for each.
    """

    def __init__(self, say: Callable[..., str], got_it: Callable[[], Any]) -> None:
        super().__init__(self._turn)
        self.back = Backdrop(self, theme.now.wax, radius=0)
        self.shapes, self.text = Shapes(), Text(most=TextSize.TEXT, cuts=True)
        self.out = wide(Tap("", self._turn, most=TextSize.TEXT), theme.grown(ACT))
        self.row = row(self.shapes, self.text, self.out, pad=(theme.PAD, 1, 0, 1), pos_hint={"x": 0, "y": 0})
        self.add_widget(self.row)
        self._words, self._got_it = (say(N_("More")), say(N_("Got it"))), got_it
        self._told: Told | None = None
        self.text.bind(shown=self._name_the_way_on)

    def show(self, told: Told) -> None:
        if told != self._told:
            self._told = told
            self.text.show(told.text)
            self.shapes.show(told.seats)

    def fill(self) -> None:
        """Fill the line."""
        whole: tuple[float | None, float | None] = (1, 1)
        self.size_hint = whole
        if not self.out.parent:
            self.row.add_widget(self.out)

    def lie(self, place: Place) -> None:
        """Lie on the board, in the middle of this place and no higher than the text needs; a touch anywhere ends it."""
        (left, low, broad, room), pad = place, dp(theme.PAD)
        self.row.remove_widget(self.out)
        shapes = self.shapes.width + dp(theme.GAP) * bool(self.shapes.width)
        words = tall(self.text.text, TextSize.TEXT, broad - shapes - 2 * pad)
        height = min(room, max(dp(theme.grown(56)), words + pad))
        self.size_hint = None, None
        put(self, left, low + (room - height) / 2, broad, height)

    def _name_the_way_on(self, *_: object) -> None:
        more, got_it = self._words
        self.out.show(more if self.text.left_out else got_it)

    def _turn(self) -> None:
        """Show the next part, or put the lesson away after the last one."""
        if rest := self.text.left_out:
            self.text.show(f"… {rest}")
        else:
            self._told = None
            self._got_it()
