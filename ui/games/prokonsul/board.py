"""Prokonsul's board: the number that matters, the stage of the phase, the seven provinces."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.board import Act, Go, Place, RailShape, Say
from ui.games.parts.headline_widgets import HeadlineText
from ui.games.prokonsul.model import Prokonsul
from ui.games.prokonsul.phases import PARTS, Choosing, LastRound, PhaseBox
from ui.games.prokonsul.provinces import TILE, ProvinceBoard, below
from ui.layout import BETWEEN, EDGE
from ui.widgets.annotations import asks
from ui.widgets.box import put

NUMBER = 132, 150
"""The room of the number at the upper left at most, in dp."""
NARROW = 6
"""The margin beside the board upright, in dp."""
BELOW = 96
"""The room of whom to ask and the pawn row below it, in dp."""


class ProkonsulBoard(FloatLayout):
    """Everything in the board's slot."""

    margin: tuple[float, float] = (EDGE, BETWEEN)
    rail = RailShape()

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__()
        self.act, self.go, self.say, self.upright = act, go, say, upright
        if upright:  # seven names on two lines need the width
            self.margin = NARROW, BETWEEN
        self.parts: dict[type[PhaseBox], PhaseBox] = {}
        self.part: PhaseBox | None = None
        self.turn: str | None = None
        self.away = 0  # the number of the act whose end of a round has been looked at
        self.number = HeadlineText(size_hint=(None, None))
        self.provinces = ProvinceBoard(self._move, size_hint=(None, None))
        self.add_widget(self.number)
        self.add_widget(self.provinces)

    def show(self, centre: Prokonsul) -> None:
        self.centre, self.turn = centre, centre.turn  # the seat that moves the black pawn
        ended = centre.ended if self.stays else None
        self.number.show(ended.number if ended else centre.number)
        asks(self.number.value, *(("target", None) if ended else centre.about))
        asks(self.number.beside, "total" if ended or centre.about[0] == "target" else "")
        self.provinces.show(centre.provinces)
        kind = LastRound if ended else PARTS[centre.phase]
        part = self.parts.get(kind)
        if part is None:
            part = self.parts[kind] = kind(self.act, self.go, self.say, self.upright)
            part.size_hint = None, None
        part.show(centre)
        if isinstance(part, LastRound):
            part.panel.act = self._put_last_round_away
        if part is not self.part:
            if self.part:
                self.remove_widget(self.part)
            self.part = part
            self.add_widget(part)
        self.do_layout()

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        gap = dp(BETWEEN)
        provinces = dp(TILE + below())
        put(self.provinces, x, y, wide, provinces)
        low = y + provinces + gap
        broad, tall = (dp(side) for side in NUMBER)
        tall = min(tall, high - provinces - gap - (dp(theme.either(BELOW, 94)) if not self.upright else high * 0.44))
        put(self.number, x, y + high - tall, broad, tall)
        if self.part:
            self.part.beside(broad + gap, tall + gap)
            put(self.part, x, low, wide, y + high - low)

    @property
    def stays(self) -> bool:
        """Return whether the end of the last round has not been looked at yet."""
        return self.centre.ended is not None and self.centre.ended.act != self.away

    def _put_last_round_away(self) -> None:
        """Put the last round away, so that the table can say what comes next."""
        self.away = self.centre.ended.act if self.centre.ended else 0
        self.go("table")

    def _move(self, province: str) -> None:
        event = {"event": "province", "province": province}
        self.act(event | {"seat": self.turn} if self.turn else event)

    def annexes(self, count: int) -> Sequence[Widget]:  # noqa: ARG002 - its tiles say all there is
        """Return no widgets: the seats' tiles say all there is."""
        return ()

    def free(self) -> Place | None:
        """Return the room between the number and the provinces, which is empty while cards are chosen."""
        if self.centre.phase != "choosing":
            return None
        below = self.part.pawns if isinstance(self.part, Choosing) and self.part.pawns.parent else self.provinces
        low = below.top + dp(BETWEEN)
        return self.x, low, self.width, self.number.y - low

    def unveil(self, centre: Prokonsul, seconds: float) -> None:
        """Turn the cards in their places too, beside the seats' tiles."""
        if isinstance(self.part, Choosing):
            self.part.unveil(centre, seconds)

    def tap_seat(self, seat: str) -> None:
        """Do nothing: a seat has no separate act here."""
