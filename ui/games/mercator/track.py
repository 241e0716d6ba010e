"""Mercator's track: a straight scale of spaces, and a pawn for every seat."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from ui import theme
from ui.theme import TextSize
from ui.widgets.annotations import asks, lies
from ui.widgets.box import put
from ui.widgets.fresh import Trail
from ui.widgets.motion import MOVE, ease, motions
from ui.widgets.shape import Shape
from ui.widgets.text import Text

PAWN = 18
"""The size of a pawn, in dp; those that would stand on one another stack up."""
LEAST = 14
"""The size of a pawn in a high stack, in dp."""


class Pawn(Shape):
    """A pawn `at` a space, or between two while it moves."""

    at = NumericProperty(0)


class Track(Widget):
    """The spaces from 0 to the last."""

    def __init__(self) -> None:
        super().__init__()
        with self.canvas:
            Color(*theme.rgba(theme.now.ink))
            self._road = Rectangle()
            self._ticks = [Rectangle() for _ in range(15)]
        self._numbers = [
            Text(str(10 * at), most=TextSize.LABEL, lines=1, align="center", ink=theme.now.muted) for at in range(8)
        ]
        for number in self._numbers:
            self.add_widget(number)
        self._pawns: dict[str, Pawn] = {}
        self._track: dict[str, int] = {}
        self._last = 60
        self._stood: Mapping[str, int] = {}
        self._trail = Trail()
        self.add_widget(self._trail)
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, track: Mapping[str, int], last: int, stood: Mapping[str, int] | None = None) -> None:
        """Put every pawn where it stood before, then move it to where it stands now."""
        self._last = -(-last // 10) * 10
        self._stood = stood or {}
        for seat in self._pawns.keys() - track.keys():  # another table's: pages keep one small board for all games
            motions.drop(self._pawns[seat])
            self.remove_widget(self._pawns.pop(seat))
        for seat in track:
            if seat not in self._pawns:
                self._pawns[seat] = asks(Pawn(seat), "cargo", seat)
                self._pawns[seat].bind(at=lambda pawn, _: self._place_pawn(pawn))
                self.add_widget(self._pawns[seat])
        before, self._track = self._track, dict(track)
        for seat, pawn in self._pawns.items():
            motions.drop(pawn)
            pawn.at = before.get(seat, track[seat])
        self._line_up()
        for seat, at in track.items():
            lies(self._pawns[seat], f"space {at}", f"track {seat}")
            if at != self._pawns[seat].at:
                self._start_moving(self._pawns[seat], at)

    @staticmethod
    def _start_moving(pawn: Pawn, to: int) -> None:
        start = pawn.at

        def at(part: float) -> None:
            pawn.at = start + (to - start) * ease(part)

        motions.play(pawn, MOVE, at)

    def _line_up(self, *_: object) -> None:
        low = self._road_height()
        self._road.pos, self._road.size = (self._x(0), low), (self._x(self._last) - self._x(0), dp(2))
        for at, tick in enumerate(self._ticks):
            tall = (dp(8) if at % 2 == 0 else dp(5)) if 5 * at <= self._last else 0
            tick.pos, tick.size = (self._x(5 * at) - dp(1), low - tall), (dp(2), tall)
        for at, number in enumerate(self._numbers):
            seen = 10 * at <= self._last
            number.opacity = 1 if seen else 0
            wide = dp(theme.size(TextSize.LABEL) * 2)
            put(number, self._x(10 * at) - wide / 2, self.y, wide, dp(theme.above(TextSize.LABEL)))
        for pawn in self._pawns.values():
            self._place_pawn(pawn)
        self._trace()

    def _trace(self) -> None:
        """Show where the last pawn to move stood, and the way it went; show no trail if several moved."""
        if len(self._stood) != 1:
            self._trail.clear()
            return
        ((seat, was),) = self._stood.items()
        low, side = self._low_and_side(seat)
        start, end = ((self._x(at) - side / 2, low, side, side) for at in (was, self._track[seat]))
        self._trail.show(start, end, theme.SEATS[seat])

    def _road_height(self) -> float:
        """Return the height of the road, above its numbers."""
        return float(self.y + dp(theme.above(TextSize.LABEL)) + dp(8))

    def _x(self, at: float) -> float:
        edge = dp(theme.size(TextSize.LABEL))
        return float(self.x + edge + (self.width - 2 * edge) * min(at, self._last) / self._last)

    def _place_pawn(self, pawn: Pawn) -> None:
        """Place a pawn over its own space: on the road, or on top of the pawns within its width."""
        low, side = self._low_and_side(pawn.seat)
        put(pawn, self._x(pawn.at) - side / 2, low, side, side)

    def _low_and_side(self, seat: str) -> tuple[float, float]:
        """Return the foot and the size of a pawn; where a stack is too high, pawns shrink and then overlap."""
        levels = self._levels()
        most, road = 1 + max(levels.values()), self._road_height() + dp(3)
        room = self.y + self.height - road
        side = min(dp(PAWN), max(dp(LEAST), room / most))
        step = min(side, (room - side) / max(1, most - 1))
        return road + levels[seat] * step, side

    def _levels(self) -> Mapping[str, int]:
        """Return the level of each pawn: the lowest that is free at its space; the seats come in table order."""
        found: dict[str, int] = {}
        for seat, at in self._track.items():
            near = {
                level for other, level in found.items() if abs(self._x(at) - self._x(self._track[other])) < dp(PAWN) - 1
            }
            found[seat] = next(level for level in count() if level not in near)
        return found
