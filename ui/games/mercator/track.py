"""Mercator's track: a road of numbered spaces that winds to and fro, and a pawn for every seat."""

from __future__ import annotations

from collections.abc import Mapping

from kivy.animation import Animation
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.asked import asks, lies
from ui.widgets.plate import Plate
from ui.widgets.shape import Shape
from ui.widgets.text import Text, broad

ROWS, HARBOUR = 3, 5
"""Rows of spaces, and how many spaces wide space 0 is: every pawn begins there."""
BEND = 3
"""The gap between two rows, in dp."""
SPILL = 1.3
"""How much wider than their space pawns that share it may stand."""
MOVE = 0.3
"""How long a pawn is on its way, in seconds."""

Box = tuple[float, float, float, float]


class Pawn(Shape):
    """A pawn `at` a space, or between two while it moves."""

    at = NumericProperty(0)


class Track(Widget):
    """The spaces from 0 to the last; pawns that share one stand side by side."""

    def __init__(self, **rest: object) -> None:
        super().__init__(**rest)
        self._spaces: list[Plate] = []
        self._numbers: dict[int, Text] = {}
        self._pawns: dict[str, Pawn] = {}
        self._track: dict[str, int] = {}
        self._long = 1  # spaces in a row
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, track: Mapping[str, int], last: int) -> None:
        """Every pawn stands where it stood before, and sets out for where it stands now."""
        if len(self._spaces) <= last:
            self._build(last)
        for seat in track:
            if seat not in self._pawns:
                self._pawns[seat] = asks(Pawn(seat), "cargo", seat)
                self._pawns[seat].bind(at=lambda pawn, _: self._stand(pawn))
                self.add_widget(self._pawns[seat])
        before, self._track = self._track, dict(track)
        for seat, pawn in self._pawns.items():
            Animation.cancel_all(pawn)
            pawn.at = before.get(seat, track[seat])
        self._line_up()
        for seat, at in track.items():
            lies(self._pawns[seat], f"space {at}")
            if at != self._pawns[seat].at:
                Animation(at=at, duration=MOVE, transition="in_out_quad").start(self._pawns[seat])

    def _build(self, last: int) -> None:
        self._long = -(-(last + 1) // ROWS)
        for at in range(len(self._spaces), last + 1):
            self._spaces.append(Plate(2))
            self._spaces[-1].paint(theme.now.line if at % 10 == 0 else theme.now.panel)
            self.canvas.add(self._spaces[-1])
            if at % 5 == 0 or at == last:
                ink = theme.now.ink if at % 10 == 0 else theme.now.muted
                self._numbers[at] = Text(str(at), most=12, lines=1, align="center", ink=ink)
                self.add_widget(self._numbers[at])

    def _line_up(self, *_: object) -> None:
        for at, space in enumerate(self._spaces):
            x, y, wide, tall = self.box(at)
            turns = at and at % self._long == 0  # into the next row
            space.lay((x, y), (wide, tall + BEND * dp(2) if turns else tall))
        for at, number in self._numbers.items():
            x, y, wide, tall = self.box(at)
            room = max(wide, broad(number.text, theme.SMALL) + dp(3))
            number.pos, number.size = (x + (wide - room) / 2, y), (room, tall)
            number.opacity = 0 if at in self._track.values() else 1
        for pawn in self._pawns.values():
            self._stand(pawn)

    def box(self, at: int) -> Box:
        """Where a space lies: every other row runs back, and a row begins under the end of the one above."""
        long = self._long
        line, along = divmod(at, long)
        unit = self.width / (long if line else long + HARBOUR - 1)
        left, count = (along, 1) if line else (along + HARBOUR - 1, 1) if at else (0, HARBOUR)
        if line % 2:
            left = long - 1 - left
        tall = self.height / ROWS
        low = self.top - (line + 1) * tall + dp(BEND)
        return self.x + left * unit, low, unit * count - dp(1), max(1.0, tall - dp(BEND))

    def _stand(self, pawn: Pawn) -> None:
        """Puts a pawn among those it shares its space with; on the way it goes straight from space to space."""
        here = [seat for seat, at in self._track.items() if at == self._track[pawn.seat]]
        low, part = int(pawn.at), pawn.at % 1
        one, other = self.box(low), self.box(min(low + 1, len(self._spaces) - 1))
        x, y, wide, tall = (a + (b - a) * part for a, b in zip(one, other, strict=True))
        columns, side = packed(len(here), wide * (SPILL if low else 1), tall)
        line, along = divmod(here.index(pawn.seat), columns)
        count = min(columns, len(here) - line * columns)
        lines = -(-len(here) // columns)
        pawn.size = (side, side)
        pawn.pos = (
            x + wide / 2 + (along - count / 2) * side,
            y + tall / 2 + (lines / 2 - line - 1) * side,
        )


def packed(count: int, wide: float, tall: float) -> tuple[int, float]:
    """In how many columns that many squares are largest in a box, and how large."""
    sides = [(min(wide / columns, tall / -(-count // columns)), columns) for columns in range(1, count + 1)]
    side, columns = max(sides, key=lambda found: (found[0], -found[1]))
    return columns, side
