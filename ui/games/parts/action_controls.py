"""The controls for acts by finger, at the lower right of a board: the main act lowest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.actions import Action
from ui.layout import BETWEEN
from ui.theme import TextSize
from ui.widgets.box import put
from ui.widgets.tap import Tap

ACROSS = 4
"""The gap between two columns, in dp: beside a map there is little width."""
WIDE, HIGH = 124, 60
"""The size of a control, in dp; smaller where there are many, but never less than a finger."""


# not named ActionBar: Kivy styles widgets by the name of their class, and has rules for one of that name
class ActionControls(Widget):
    """Controls that stand on the right and grow upwards, in as many columns as it takes."""

    def __init__(self, done: Callable[[Action], object]) -> None:
        super().__init__()
        self._done = done
        self.taps: list[Tap] = []
        self._count = 0
        self.bind(pos=self._lay, size=self._lay)

    def show(self, actions: Sequence[Action]) -> None:
        """Show a control for each act; the main act comes last, and so lowest."""
        ordered = sorted(actions, key=lambda action: action.main and not action.seat)
        one = sum(action.main and not action.seat for action in actions) == 1
        while len(self.taps) < len(ordered):
            self.taps.append(Tap("", most=TextSize.TEXT))
            self.taps[-1].size_hint = None, None
        for at, tap in enumerate(self.taps):
            if at < len(ordered):
                action = ordered[at]
                tap.act = partial(self._done, action)
                tap.show(
                    action.text, kind="main" if action.main and one and not action.seat else "plain", seat=action.seat
                )
            if (at < len(ordered)) != bool(tap.parent):
                (self.add_widget if at < len(ordered) else self.remove_widget)(tap)
        self._count = len(ordered)
        self._lay()

    def needed(self, wide: float, high: float) -> float:
        """Return the width of the controls in a space of that size, in pixels."""
        columns, _ = self._grid(high)
        taken: float = columns * (self._broad(wide, columns) + dp(ACROSS)) - dp(ACROSS)
        return taken if self._count else 0.0

    def _grid(self, high: float) -> tuple[int, int]:
        """Return how many columns and rows the controls take."""
        rows = max(1, min(self._count, int((high + dp(BETWEEN)) // dp(theme.TOUCH + BETWEEN))))
        return max(1, -(-self._count // rows)), rows

    @staticmethod
    def _broad(wide: float, columns: int) -> float:
        each: float = (wide + dp(ACROSS)) / columns - dp(ACROSS)
        return min(float(dp(theme.grown(WIDE))), each)

    def _lay(self, *_: object) -> None:
        """Place the controls from the foot up, then in further columns to the left."""
        columns, rows = self._grid(self.height)
        tall = max(dp(theme.TOUCH), min(dp(theme.either(HIGH, 68)), (self.height + dp(BETWEEN)) / rows - dp(BETWEEN)))
        broad, right = self._broad(self.width, columns), self.x + self.width
        for at, tap in enumerate(self.taps[: self._count]):
            column, row = divmod(self._count - 1 - at, rows)
            left = right - (column + 1) * broad - column * dp(ACROSS)
            put(tap, left, self.y + row * (tall + dp(BETWEEN)), broad, tall)
