"""Mercator's ships, six berths each, and the lot that is sold to one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.graphics import Color, Line, Mesh
from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.mercator.model import SHIP, Lot, Ship
from ui.games.parts.deeds import Deed
from ui.games.parts.rows import Chip, room
from ui.widgets.asked import asks, lies
from ui.widgets.shape import CardFace, Shape
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, broad

STERN, PROW = 5, 10
"""How far the hull reaches beyond its berths, in dp."""

NARROW = 30
"""Below this width, in dp, a card is read from top to bottom."""


class Berth(Chip):
    """A card in its berth: number and shape side by side, or where it is narrow the number above."""

    def lay(self, x: float, y: float, size: tuple[float, float]) -> None:
        super().lay(x, y, size)
        if size[0] < dp(NARROW):
            side = min(size[1] * 0.3, max(dp(4), size[1] - dp(theme.grown(theme.SMALL))))
            self.number.pos, self.number.size = (x, y + side), (max(room(self.number), size[0]), size[1] - side)
            self.shape.pos, self.shape.size = (x + (size[0] - side) / 2, y + dp(1)), (side, side)


class ShipTap(Touchable):
    """One ship: its seat, its berths, what it is worth; a tap does what its seat does now."""

    def __init__(self, do: Callable[[Deed], object]) -> None:
        super().__init__()
        self._do = do
        self.back = Backdrop(self, theme.now.panel)
        with self.canvas:
            Color(*theme.rgba(theme.now.line))
            self._hull = Mesh(mode="triangle_fan", indices=[0, 1, 2, 3])
            Color(*theme.rgba(theme.now.muted))
            self._berths = [Line(width=1) for _ in range(SHIP)]
        own: dict[str, Any] = dict(size_hint=(None, None))
        self.shape = Shape(**own)
        self.cargo = Text(most=theme.TITLE, lines=1, bold=True, align="right", **own)
        self.words = Text(most=theme.LEAD, lines=1, **own)
        self.chips = [Berth() for _ in range(SHIP)]
        for child in (self.shape, self.cargo, self.words, *self.chips):
            self.add_widget(child)
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, ship: Ship) -> None:
        look = theme.now
        lies(self, f"ship {ship.seat}").shape.seat = ship.seat
        asks(self.cargo, "cargo", ship.seat).show(ship.cargo)
        self.words.show(ship.text)
        for at, chip in enumerate(self.chips):
            chip.show(ship.cards[at] if at < len(ship.cards) else "")
        self.act = partial(self._do, ship.deed) if ship.deed else None
        self.disabled = not ship.deed
        self.words.bold = ship.lit
        ink = theme.rgba(look.accent if ship.lit else look.muted)
        self.words.color = self.words.disabled_color = ink
        self.cargo.color = self.cargo.disabled_color = theme.rgba(look.muted if ship.faint else look.ink)
        for chip in self.chips:
            chip.number.disabled_color = theme.rgba(look.card_ink)
        self.shape.opacity = 0.4 if ship.faint else 1
        fill = look.stone if ship.faint else look.card if ship.lit and look is theme.LIGHT else look.panel
        self.back.paint(fill, look.accent if ship.lit else look.line if ship.faint else None)
        self._line_up()  # a number may need more room than another

    def _line_up(self, *_: object) -> None:
        """The seat's shape, the words and the cargo over the berths on their hull."""
        pad, head = dp(5), max(dp(20), min(dp(30), self.height * 0.4))
        x, wide, low = self.x + pad, self.width - 2 * pad, self.top - head - dp(1)
        worth = theme.either(dp(40), broad(self.cargo.text, theme.LEAD, True) + dp(3))
        self.shape.size, self.shape.pos = (head - dp(3), head - dp(3)), (x, low + dp(1))
        self.cargo.size, self.cargo.pos = (worth, head), (self.right - pad - worth, low)
        left = x + head + dp(2)
        self.words.size, self.words.pos = (max(1, self.cargo.x - left), head), (left, low)
        tall = max(1.0, min(low - self.y - dp(theme.either(4, 2)), dp(34)))
        below = self.y + (low - self.y - tall) / 2
        step = min((wide - dp(STERN + PROW)) / SHIP, tall * 1.6)
        for at, (chip, berth) in enumerate(zip(self.chips, self._berths, strict=True)):
            spot = x + dp(STERN) + at * step
            chip.lay(spot, below, (max(1, step - dp(2)), tall))
            berth.rounded_rectangle = (spot + 1, below + 1, max(1, step - dp(2) - 2), max(1, tall - 2), dp(3))
        self._draw_hull(x, below - dp(2), step * SHIP, tall)

    def _draw_hull(self, left: float, low: float, long: float, tall: float) -> None:
        aft, fore, deck = left + dp(STERN), left + dp(STERN) + long, low + tall * 0.8
        corners = (left, deck), (aft, low), (fore - dp(2), low), (fore + dp(PROW), deck)
        self._hull.vertices = [number for corner in corners for number in (*corner, 0, 0)]


class Ships(GridLayout):
    """Every seat's ship, in the order of the seats."""

    def __init__(self, do: Callable[[Deed], object], upright: bool) -> None:
        super().__init__(spacing=dp(4))
        self._do, self.upright = do, upright
        self.taps: list[ShipTap] = []

    def show(self, ships: Sequence[Ship]) -> None:
        few, many = (6, 3) if self.upright else (4, 2)
        self.cols = many if len(ships) > few else many - 1
        while len(self.taps) < len(ships):
            self.taps.append(ShipTap(self._do))
            self.add_widget(self.taps[-1])
        for tap, ship in zip(self.taps, ships, strict=True):
            tap.show(ship)


class LotBox(Widget):
    """The number that matters; beside it the cards it is made of, or the seats it is about, over a remark."""

    def __init__(self, upright: bool) -> None:
        super().__init__()
        self._need = dp(122 if upright else 70)
        self._digit = theme.either(0.66, 0.592 if upright else 0.615)
        self.value = Text(most=132 if upright else 76, least=theme.BANNER, lines=1, align="center", bold=True,
                          ink=theme.now.ink)  # fmt: skip
        self.note = Text(most=theme.BODY, align="center", ink=theme.now.muted)
        self.faces = [CardFace(most=theme.TITLE, size_hint=(None, None)) for _ in range(3)]
        self.shapes = [Shape() for _ in range(2)]
        for child in (self.value, self.note, *self.faces, *self.shapes):
            self.add_widget(child)
        self._cards, self._seats = 0, 0
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, lot: Lot) -> None:
        lies(asks(self.value, *lot.about), lot.about[0]).show(lot.value)
        lies(asks(self.note, "pile" if lot.about[0] in ("lot", "cargo") else ""), "pile").show(lot.note)
        for at, face in enumerate(self.faces):
            lies(face, "lot").show(lot.cards[at] if at < len(lot.cards) else "")
        for at, shape in enumerate(self.shapes):
            shape.seat = lot.seats[at] if at < len(lot.seats) else ""
        self._cards, self._seats = len(lot.cards), min(2, len(lot.seats))
        self._line_up()

    def _line_up(self, *_: object) -> None:
        (x, y), (wide, tall) = self.pos, self.size
        digits = max(2, len(self.value.text)) * self._need * self._digit
        beside = wide - broad(self.note.text, theme.SMALL) - dp(6)
        near = digits - dp(8) <= beside  # for the sake of a word the number gives way, but only a little
        left = min(digits, wide * 0.8, beside if near else digits)
        self.value.pos, self.value.size = (x, y), (max(1, left), max(1, tall))
        room, line = wide - left - dp(4), min(tall * theme.either(0.45, 0.55), dp(theme.grown(40)))
        count = self._cards or self._seats
        self.note.pos = x + left + dp(4), y + (dp(2) if count else 0)
        self.note.size = max(1, room), line if count else tall
        high = min(tall - line - dp(4), dp(64))
        low = y + line + (tall - line - high) / 2
        step = min(room / max(1, count), high * (0.76 if self._cards else 1))
        begin = x + left + dp(4) + (room - step * count) / 2
        shown: tuple[Sequence[Widget], ...] = (self.faces, self.shapes)
        for children in shown:
            for at, child in enumerate(children):
                child.size, child.pos = (max(1, step - dp(3)), max(1, high)), (begin + at * step, low)
