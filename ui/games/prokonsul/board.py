"""Prokonsul's centre: the number that matters, the stage of the phase, the seven provinces."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.games.parts.big_number import BigNumber
from ui.games.parts.board import Act, Go, Say
from ui.games.prokonsul.model import Prokonsul
from ui.games.prokonsul.phases import PARTS, LastRound, Part
from ui.games.prokonsul.provinces import ProvinceBoard
from ui.widgets.asked import asks
from ui.widgets.box import swap


class ProkonsulBoard(BoxLayout):
    """Everything between the seats."""

    edge = 76
    """How high the seats' panels are upright, in dp: with cards and counters in them."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(orientation="vertical", spacing=dp(theme.GAP))
        self.act, self.go, self.say, self.upright = act, go, say, upright
        self.parts: dict[type[Part], Part] = {}
        self.turn: str | None = None
        self.away = 0  # the number of the act whose end of a round has been looked at
        self.number = BigNumber(size_hint_x=0.48 if upright else theme.either(0.36, 0.31))
        self.middle = BoxLayout()
        self.upper = BoxLayout(spacing=dp(theme.PAD))
        self.upper.add_widget(self.number)
        self.upper.add_widget(self.middle)
        self.provinces = ProvinceBoard(
            self._move, size_hint_y=None, height=dp(theme.either(110, 118 if upright else 126))
        )
        self.add_widget(self.upper)
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
        part.show(centre)
        if isinstance(part, LastRound):
            part.panel.act = self._put_away
        swap(self.middle, part)

    @property
    def stays(self) -> bool:
        """Whether the end of the last round has not been looked at yet."""
        return self.centre.ended is not None and self.centre.ended.act != self.away

    def _put_away(self) -> None:
        """The last round has been seen: the table may say what comes next."""
        self.away = self.centre.ended.act if self.centre.ended else 0
        self.go("table")

    def _move(self, province: str) -> None:
        event = {"event": "province", "province": province}
        self.act(event | {"seat": self.turn} if self.turn else event)

    def tap_seat(self, seat: str) -> None:
        """A seat has nothing of its own to do here."""
