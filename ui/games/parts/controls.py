"""Controls for the acts possible now, and a board that has them: tapped places, a pad for missing values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, Protocol, TypeVar

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.actions import Action
from ui.games.parts.board import Act, Go, Place, RailShape, Say
from ui.games.parts.headline_widgets import HeadlineBanner
from ui.layout import BETWEEN, EDGE
from ui.theme import TextSize
from ui.widgets.tap import Tap


class Controls(GridLayout):
    """A grid with a control for every act possible now."""

    def __init__(self, done: Callable[[Action], object], upright: bool) -> None:
        super().__init__(spacing=dp(theme.GAP), size_hint_y=None)
        self._done, self._upright = done, upright
        self.taps: list[Tap] = []

    def show(self, actions: Sequence[Action]) -> None:
        count = len(actions)
        seated = any(action.seat for action in actions)
        main = [action for action in actions if action.main and not action.seat]
        third = self._upright or not seated  # beside the board a shape takes its room
        self.cols = 1 + (count > 2 or seated) + (count > 4 and third)
        rows = -(-count // self.cols)
        self.height = rows * dp(54) + max(0, rows - 1) * dp(theme.GAP)
        while len(self.taps) < count:
            self.taps.append(Tap("", most=TextSize.TEXT))
        for at, tap in enumerate(self.taps):
            if at < count:
                action = actions[at]
                tap.act = partial(self._done, action)
                tap.show(action.text, kind="main" if main == [action] else "plain", seat=action.seat)
            if (at < count) != bool(tap.parent):
                (self.add_widget if at < count else self.remove_widget)(tap)


class Offering(Protocol):
    """A view-model that offers acts."""

    @property
    def actions(self) -> Sequence[Action]: ...


C = TypeVar("C", bound=Offering)


class ActBoard(BoxLayout, Generic[C]):
    """A board with the number that matters and controls for the possible acts."""

    margin: tuple[float, float] = (EDGE, BETWEEN)
    """The margin inside the board's slot, in dp."""
    rail = RailShape()
    """The position of the seats' rail beside it."""
    centre: C
    """The view-model shown; there is none before the first."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(orientation="vertical" if upright else "horizontal", spacing=dp(theme.PAD))
        self.act, self.go, self.say, self.upright = act, go, say, upright
        self.controls = Controls(self.do, upright)
        self.number: Widget = HeadlineBanner()  # a board may have a number of its own

    def do(self, action: Action) -> None:
        """Carry out the act of a tapped control, or open the page that asks for missing values."""
        if action.verb == "end":
            self.go("end")
        elif action.verb == "choose":
            self.go("choose", seat=action.picked["seat"], own=True)
        elif action.event:
            self.act(dict(action.event))
        else:
            self.go("act", verb=action.verb, picked=action.picked)

    def unveil(self, centre: C, seconds: float) -> None:
        """Do nothing: most games reveal no cards."""

    def free(self) -> Place | None:
        """Return None: most boards fill their slot."""
        return None

    def annexes(self, count: int) -> Sequence[Widget]:  # noqa: ARG002 - most games add nothing
        """Return the widgets the board adds to the seats' tiles: none by default."""
        return ()

    def tap_seat(self, seat: str) -> None:
        """Carry out the only act of a tapped seat; do nothing where it has several or none."""
        mine = [action for action in self.centre.actions if action.seat == seat]
        if len(mine) == 1:
            self.do(mine[0])
