"""Caesar's centre: the 5x5 board with its stacks, and the duel with both totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.graphics import Color, Mesh
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from ui import theme
from ui.games.caesar.model import COLUMNS, ROWS, Caesar, Group, Side
from ui.games.parts.board import Act, Go, Say
from ui.games.parts.field import FieldBoard, PieceField, Sign, edge
from ui.widgets.asked import asks, lies
from ui.widgets.box import high, wide
from ui.widgets.plate import Plate
from ui.widgets.shape import CardFace, Shape
from ui.widgets.text import Backdrop, Text

MARGIN = 19
"""Where the letters and numbers of the squares stand, in dp."""


MOST = 282
"""The board's side at most, so that the totals of a duel have room beside it, in dp."""


class Stack(Widget):
    """A group: counters on one another, on the top one its colour's shape and how many they are.

    Whoever moves it draws it: a board of them that drew themselves for `pos` and again for `size` took twice as long.
    """

    def __init__(self) -> None:
        super().__init__()
        self._layers = [Plate(5) for _ in range(LAYERS)]
        for layer in self._layers:
            self.canvas.before.add(layer)
        with self.canvas.before:
            self._on = Color(0, 0, 0, 0)
            self._shape = Mesh(mode="triangle_fan")
        self.number = Text(most=34, lines=1, align="center", bold=True)
        self.add_widget(self.number)
        self.owner, self.counters = "", 0

    def show(self, owner: str, size: int) -> None:
        if (owner, size) == (self.owner, self.counters):
            return
        self.owner, self.counters = owner, size
        fill = theme.SEATS.get(owner, theme.now.line)
        for at, layer in enumerate(self._layers):
            rim = theme.now.stone if at < LAYERS - 1 else theme.now.ink
            layer.paint(*(fill, rim) if self._seen(at) else (None, None))
        self._on.rgba = theme.rgba(theme.on(fill), 0.9 if owner in theme.SEATS else 0)
        self.number.show(str(size) if owner in theme.SEATS else "")
        self.number.color = theme.rgba(theme.on(fill))
        self.draw()

    def draw(self, *_: object) -> None:
        """The lower counters show under the top one's edge."""
        step = self.height * 0.055
        broad, tall = self.width, self.height - (LAYERS - 1) * step
        for at, layer in enumerate(self._layers):
            layer.lay((self.x, self.y + at * step), (broad, tall))
        low = self.y + (LAYERS - 1) * step
        tower = self.counters > 9  # two digits need more room
        radius = min(broad, tall) * (0.14 if tower else 0.2)
        x, y = self.x + broad * (0.18 if tower else 0.27), low + tall * 0.5
        points = [(x + radius * cx, y + radius * cy) for cx, cy in theme.SHAPES.get(self.owner, ())]
        fan = [(x, y), *points, *points[:1]] if points else []
        self._shape.vertices = [number for point in fan for number in (*point, 0, 0)]
        self._shape.indices = list(range(len(fan)))
        left = broad * (0.3 if tower else 0.38)
        self.number.pos, self.number.size = (self.x + left, low), (max(1, broad - left - dp(1)), max(1, tall))

    def _seen(self, layer: int) -> bool:
        return bool(self.owner) and layer >= LAYERS - min(self.counters, LAYERS)


LAYERS = 4
"""How many counters of a stack can be seen."""


class Square(Widget):
    """One square of the board."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, None, radius=4)
        self.stack, self.sign = Stack(), Sign()
        self.add_widget(self.stack)
        self.add_widget(self.sign)

    def show(self, group: Group | None, sign: str, dim: bool) -> None:
        self.stack.show(group.owner if group else "", group.size if group else 0)
        self.back.paint(theme.now.sunk, *edge(sign))
        self.sign.show(sign)
        self.opacity = 0.45 if dim else 1

    def lay(self, pos: tuple[float, float], side: float) -> None:
        self.pos, self.size = pos, (side, side)
        inset = min(dp(4), side * 0.08)
        self.stack.pos = self.x + inset, self.y + inset
        self.stack.size = max(1, self.width - 2 * inset), max(1, self.height - 2 * inset)
        self.stack.draw()
        side = min(dp(20), self.width * 0.4)
        self.sign.pos, self.sign.size = (
            (self.x + self.width - side * 0.9, self.y + self.height - side * 0.9),
            (side, side),
        )


class Squares(PieceField):
    """The board, a1 below on the left; letters and numbers along two edges."""

    def __init__(self, tap: Callable[[str], object], ask: Callable[[str], object]) -> None:
        super().__init__(tap, Stack(), ask)
        self.spots = {at: lies(Square(), f"square {at}") for at in (column + row for row in ROWS for column in COLUMNS)}
        self.names = {name: Text(name, lines=1, align="center", ink=theme.now.muted) for name in COLUMNS + ROWS}
        for child in (*self.names.values(), *self.spots.values(), self.mover):
            self.add_widget(child)
        self.mover.bind(pos=self.mover.draw, size=self.mover.draw)

    def lay(self) -> None:
        margin, gap = dp(MARGIN), dp(3)
        side = min(self.width, self.height) - margin
        cell = max(1.0, (side + gap) / 5)
        left, low = self.x + (self.width - side - margin) / 2 + margin, self.y + (self.height - side - margin) / 2
        low += margin
        for name, square in self.spots.items():
            at, up = COLUMNS.index(name[0]), int(name[1]) - 1
            square.lay((left + at * cell, low + up * cell), cell - gap)
        for at, (column, row) in enumerate(zip(COLUMNS, reversed(ROWS), strict=True)):
            self.names[column].pos, self.names[column].size = (left + at * cell, low - margin), (cell, margin)
            self.names[row].pos, self.names[row].size = (left - margin, low + at * cell), (margin, cell)
        self.laid()


class DuelSide(BoxLayout):
    """One side of a duel: its card and its group."""

    def __init__(self, mirrored: bool) -> None:
        super().__init__(spacing=dp(4))
        self.card, self.group = wide(CardFace(), 40), Text(most=theme.TITLE, lines=1, bold=True)
        asks(self, "duel")
        self.group.halign = "right" if mirrored else "left"
        self.down = Backdrop(self.card, None, radius=3)
        for child in (self.group, self.card) if mirrored else (self.card, self.group):
            self.add_widget(child)

    def show(self, side: Side) -> None:
        """A card that lies face down shows its back; before it lies there is only its place."""
        look, up = theme.now, len(side.card) > 1
        self.card.show(side.card if up else "")
        self.card.opacity = 1
        self.card.back.paint(look.card if up else look.ink if side.card else None, look.line)
        self.group.show(f"+ {side.group}")


class DuelLine(BoxLayout):
    """Card and group of both sides, towards each other."""

    def __init__(self) -> None:
        super().__init__(spacing=dp(8))
        self.sides = DuelSide(False), DuelSide(True)
        for side in self.sides:
            self.add_widget(side)

    def show(self, duel: Sequence[Side]) -> None:
        for widget, side in zip(self.sides, duel, strict=False):
            widget.show(side)


class Counters(GridLayout):
    """Every seat's shape with a number; upright three in a line."""

    def __init__(self, upright: bool) -> None:
        super().__init__(cols=6 if upright else 10, spacing=dp(3))
        self.shapes = [wide(Shape(), 20) for _ in range(5)]
        self.texts = [Text(most=theme.LEAD, lines=1, bold=True) for _ in range(5)]

    def show(self, counters: Sequence[tuple[str, str]], word: str) -> None:
        """The word is what the numbers are, to be asked about."""
        if len(self.children) != 2 * len(counters):
            self.clear_widgets()
            for shape, text in list(zip(self.shapes, self.texts, strict=True))[: len(counters)]:
                self.add_widget(shape)
                self.add_widget(text)
        for shape, text, (seat, count) in zip(self.shapes, self.texts, counters, strict=False):
            shape.seat = seat
            asks(text, word, seat).show(count)


class CaesarBoard(FieldBoard[Caesar]):
    """Everything between the seats."""

    peaceful, meanings = "join", {"join": N_("Alliance"), "fight": N_("Attack")}

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(act, go, say, upright, Squares(self.tap, self.ask))
        self._away = 0  # the number of the duel that was put away
        self.duel, self.counters = high(DuelLine(), 52), high(Counters(upright), 60 if upright else 30)
        self.field.size_hint = (1, 1) if upright else (None, 1)
        if upright:
            high(self.head, theme.either(142, self.tall))  # a board of five lines needs the height
        else:
            self.field.bind(height=lambda field, height: setattr(field, "width", min(height, dp(MOST))))

    def show(self, centre: Caesar) -> None:
        if centre.fought and centre.fought == self._away:
            centre = centre.put_away()
        asks(self.number.value, *(centre.about or ("",)))
        self.duel.show(centre.duel)
        self.counters.show(centre.counters, centre.counted)
        super().show(centre)
        moved = centre.moved
        self.field.mover.show(moved.seat if moved else "", moved.size if moved else 0)

    def beside(self) -> list[Widget]:
        """The duel; while cards are chosen, the controls for that say enough."""
        if any(deed.verb == "choose" for deed in self.centre.deeds):
            return []
        return [self.duel] if self.centre.duel else [self.counters]

    def tap(self, place: str) -> None:
        """A touch puts a duel away that has been fought. Where nothing can be done, it asks about the group."""
        if self.centre.fought:
            self._away = self.centre.fought
            self.show(self.centre)
        if self.centre.phase in ("choosing", "over"):
            self.ask(place)
        else:
            super().tap(place)

    def ask(self, place: str) -> None:
        """A finger rests on a group: what is it made of?"""
        if place in self.centre.groups:
            self.go("why", number=("group", place))

    def paint_places(self) -> None:
        super().paint_places()
        for place, square in self.field.spots.items():
            group = self.centre.groups.get(place)
            sign = self.sign(place) or ("about" if group and group.fights else "")
            square.show(group, sign, bool(self.start and group and not sign))
