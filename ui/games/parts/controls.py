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
from ui.games.parts.big_number import Banner
from ui.games.parts.board import Act, Go, RailShape, Say
from ui.games.parts.deeds import Deed
from ui.layout import BETWEEN, EDGE
from ui.theme import Step
from ui.widgets.tap import Tap


class Controls(GridLayout):
    """A grid with a control for every act possible now."""

    def __init__(self, done: Callable[[Deed], object]) -> None:
        super().__init__(spacing=dp(theme.GAP), size_hint_y=None)
        self._done = done
        self.taps: list[Tap] = []

    def show(self, deeds: Sequence[Deed]) -> None:
        count = len(deeds)
        self.cols = 1 + (count > 2 or any(deed.seat for deed in deeds)) + (count > 4)
        rows = -(-count // self.cols)
        self.height = rows * dp(54) + max(0, rows - 1) * dp(theme.GAP)
        while len(self.taps) < count:
            self.taps.append(Tap("", most=Step.TEXT))
        for at, tap in enumerate(self.taps):
            if at < count:
                deed = deeds[at]
                tap.act = partial(self._done, deed)
                tap.show(deed.text, kind="main" if deed.main and not deed.seat else "plain", seat=deed.seat)
            if (at < count) != bool(tap.parent):
                (self.add_widget if at < count else self.remove_widget)(tap)


class Offering(Protocol):
    """A view-model that offers acts."""

    @property
    def deeds(self) -> Sequence[Deed]: ...


C = TypeVar("C", bound=Offering)


class ActBoard(BoxLayout, Generic[C]):
    """A board with the number that matters and controls for the possible acts."""

    margin: tuple[float, float] = (EDGE, BETWEEN)
    """The margin inside the board's slot, in dp."""
    rail = RailShape()
    """How the seats' rail stands beside it."""
    centre: C
    """The view-model shown; there is none before the first."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(orientation="vertical" if upright else "horizontal", spacing=dp(theme.PAD))
        self.act, self.go, self.say, self.upright = act, go, say, upright
        self.controls = Controls(self.do)
        self.number: Widget = Banner()  # a board may have a number of its own

    def do(self, deed: Deed) -> None:
        """Carry out the act of a tapped control, or open the page that asks for missing values."""
        if deed.verb == "end":
            self.go("end")
        elif deed.verb == "choose":
            self.go("choose", seat=deed.picked["seat"], own=True)
        elif deed.event:
            self.act(dict(deed.event))
        else:
            self.go("act", verb=deed.verb, picked=deed.picked)

    def unveil(self, centre: C, seconds: float) -> None:
        """Do nothing: most games reveal no cards."""

    def annexes(self, count: int) -> Sequence[Widget]:  # noqa: ARG002 - most games add nothing
        """Return the widgets the board adds to the seats' tiles: none by default."""
        return ()

    def tap_seat(self, seat: str) -> None:
        """Carry out the only act of a tapped seat; do nothing where it has several or none."""
        mine = [deed for deed in self.centre.deeds if deed.seat == seat]
        if len(mine) == 1:
            self.do(mine[0])
