"""What a step of the set-up lays out, as a picture: a row a place, its pieces in their colours and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, Ellipse
from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.pages.layout_guide import Mat, Piece, Step
from ui.pages.small_board import SmallBoard
from ui.table.moment import Moment
from ui.theme import TextSize
from ui.widgets.box import put
from ui.widgets.fresh import Dashed
from ui.widgets.shape import CardFace, PawnShape, Shape
from ui.widgets.text import Backdrop, Text
from ui.widgets.text import tall as tall_of

LINE, FEW, PIECE = 92, 132, 48
"""The most height of a line of pieces, that of at most two lines, and the most of a piece that is no card, in dp."""
MANY = 8
"""More cards than these have smaller numbers."""
LEAST = 16
"""The least size of a piece, in dp: before that they overlap."""
SLIM = 0.68
"""The width of a card against its height."""
NAMED = 0.34, 0.46
"""The share of the width for a seat's name, and for a place's."""


class Counted(FloatLayout):
    """A piece that stands for several: a card's back or a chip with their number."""

    def __init__(self, piece: Piece) -> None:
        super().__init__(size_hint=(None, None))
        back = piece.figure == "back"
        fill = theme.SEATS.get(piece.of, theme.now.seal if back else theme.now.amber)
        ink = theme.now.on_seal if fill == theme.now.seal else theme.on(fill)
        if back:
            self.ground = Backdrop(self, fill, theme.now.ink, radius=4)
        else:
            with self.canvas.before:
                Color(*theme.rgba(theme.now.accent))
                self._edge = Ellipse()
                Color(*theme.rgba(fill))
                self._disc = Ellipse()
        words = piece.of if piece.figure == "piece" and piece.count == 1 else str(piece.count)
        own: dict[str, Any] = {"pos_hint": {"x": 0, "y": 0}}
        self.add_widget(Text(words, most=TextSize.HEAD, lines=1, bold=True, align="center", ink=ink, **own))
        self._round = not back

    def do_layout(self, *args: object, **rest: object) -> None:
        super().do_layout(*args, **rest)
        if self._round:
            (x, y), (wide, high), rim = self.pos, self.size, dp(3)
            self._edge.pos, self._edge.size = (x, y), (wide, high)
            self._disc.pos, self._disc.size = (x + rim, y + rim), (wide - 2 * rim, high - 2 * rim)


class EmptyPlace(Widget):
    """Room that is left for a card."""

    def __init__(self) -> None:
        super().__init__(size_hint=(None, None))
        self.outline = Dashed(self)  # Kivy holds what it notifies weakly
        self.outline.paint(theme.now.muted)


def drawn(piece: Piece, most: TextSize) -> Any:
    """Return the widget of a piece; `most` is the size of a card's number. Any: all of them are Kivy's."""
    own: dict[str, Any] = {"size_hint": (None, None)}
    match piece.figure:
        case "face":
            return CardFace(piece.of, most=most, radius=4, **own)
        case "room":
            return EmptyPlace()
        case "shape" if piece.count == 1:
            return Shape(piece.of, **own)
        case "pawn":
            return PawnShape(piece.of, **own)
    return Counted(piece)


CARDS = ("face", "back", "room")


class MatRow(FloatLayout):
    """A place: its name and what lies there in words, and its pieces, a line for each kind."""

    def __init__(self) -> None:
        super().__init__(size_hint=(None, None))
        self.back = Backdrop(self, theme.now.sunk)  # an edge would make a button of it
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.shape = Shape(**own)
        self.name = Text(most=TextSize.TEXT, bold=True, upright="bottom", **own)
        self.words = Text(most=TextSize.LABEL, ink=theme.now.muted, upright="top", **own)
        self.lines: list[list[Any]] = []
        self._mat = Mat("", "", "", ())

    def show(self, mat: Mat) -> None:
        self._mat = mat
        self.clear_widgets()
        self.shape.seat = mat.seat
        self.name.cuts = bool(mat.seat)  # a name is known by its shape, too
        self.name.show(mat.name, lines=1 if mat.seat else 0, shorter=mat.shorter)
        self.lines = [
            [drawn(piece, TextSize.HEAD if len(line) <= MANY else TextSize.TEXT) for piece in line]
            for line in mat.lines
        ]
        for part in (self.shape, self.name, self.words, *(piece for line in self.lines for piece in line)):
            self.add_widget(part)
        self.do_layout()

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high), pad = self.pos, self.size, dp(8)
        side = dp(24) if self._mat.seat else 0
        put(self.shape, x + pad, y + (high - side) / 2, side, side)
        begin = x + pad + (side + pad if side else 0)
        named = wide * NAMED[not side] if self._mat.name else begin - x
        room = x + named - begin
        line = min(dp(theme.above(TextSize.TEXT, 2)), high / 2)
        words = self._mat.words
        two = bool(words) and tall_of(words, TextSize.LABEL, room) <= high / 2  # the picture says it as well
        self.words.show(words if two else "")
        self.name.valign = "bottom" if two else "middle"
        if two:
            put(self.name, begin, y + high / 2, room, line)
            put(self.words, begin, y + dp(2), room, high / 2 - dp(2))
        else:
            put(self.name, begin, y, room, high)
        tall = high / max(1, len(self.lines))
        for at, pieces in enumerate(self.lines):
            low = y + high - (at + 1) * tall
            self._lay(pieces, self._mat.lines[at], (x + named + pad, low), (wide - named - 2 * pad, tall))

    def _lay(
        self, widgets: Sequence[Any], pieces: Sequence[Piece], pos: tuple[float, float], room: tuple[float, float]
    ) -> None:
        """Lay the pieces side by side; where there are too many, each lies on the one before it."""
        (x, y), (wide, high) = pos, room
        card = bool(pieces) and pieces[0].figure in CARDS
        each = wide / max(1, len(widgets)) - dp(4)  # where none lies on another
        most = (dp(FEW), max(dp(PIECE), each / SLIM)) if card else (dp(PIECE), max(dp(LEAST), each))
        tall = min(high - dp(10), *most)
        broad = tall * SLIM if card else tall
        step = min(broad + dp(4), (wide - broad) / max(1, len(widgets) - 1))
        for at, widget in enumerate(widgets):
            if isinstance(widget, CardFace):
                widget.seen = step if step < broad and at < len(widgets) - 1 else 0.0
            put(widget, x + at * step, y + (high - tall) / 2, broad, tall)


class LayoutPicture(Widget):
    """The picture of a step: the game's board, where it belongs to it, and the places below."""

    def __init__(self, board: SmallBoard) -> None:
        super().__init__()
        self.board = board
        self._rows: list[MatRow] = []
        self._step = Step((), ())
        self.bind(pos=self._arrange, size=self._arrange)

    def show(self, step: Step, moment: Moment) -> None:
        self._step = step
        self.clear_widgets()
        while len(self._rows) < len(step.mats):
            self._rows.append(MatRow())
        if step.board:
            self.board.show(moment)
            self.add_widget(self.board)
        for row, mat in zip(self._rows, step.mats, strict=False):
            row.show(mat)
            self.add_widget(row)
        self._arrange()

    def _arrange(self, *_: object) -> None:
        (x, y), (wide, high), gap = self.pos, self.size, dp(theme.GAP)
        top = y + high
        if self._step.board:
            scale = self.board.scale(wide, high - len(self._step.mats) * (dp(PIECE) + gap))
            tall = self.board.tall(scale) if scale else 0.0
            put(self.board, x, top - tall, wide, tall)
            top -= tall + gap
        lines = [max(1, len(mat.lines)) for mat in self._step.mats]
        each = min(dp(LINE if sum(lines) > 2 else FEW), (top - y + gap) / max(1, sum(lines)) - gap)
        for row, count in zip(self._rows, lines, strict=False):
            tall = each * count
            put(row, x, top - tall, wide, tall)
            top -= tall + gap
