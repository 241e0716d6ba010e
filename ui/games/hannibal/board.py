"""Hannibal's centre: the map, the battle with its exchanges, which stay after it, and what is left to a victory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.hannibal.goals import Goal
from ui.games.hannibal.model import Exchange, Hannibal
from ui.games.hannibal.sea import Sea
from ui.games.hannibal.sides import CARTHAGE, ROME
from ui.games.parts.big import Big
from ui.games.parts.board import Act, Go, Say
from ui.games.parts.deeds import Deed
from ui.games.parts.field import FieldBoard
from ui.games.parts.rows import Chip
from ui.widgets.asked import asks
from ui.widgets.box import high, wide
from ui.widgets.shape import Shape
from ui.widgets.text import Text


class GoalLine(BoxLayout):
    """One requirement: the side's shape, filled once it is held."""

    def __init__(self) -> None:
        super().__init__(spacing=dp(3))
        self.shape = wide(Shape(most=14), 13)
        self.text = Text(most=theme.BODY, lines=1)
        self.add_widget(self.shape)
        self.add_widget(self.text)

    def show(self, goal: Goal) -> None:
        asks(self.text, "regions", goal.seat)
        self.shape.seat, self.shape.hollow = goal.seat, not goal.held
        self.text.show(goal.text)
        self.text.bold = goal.held


class Goals(BoxLayout):
    """Both sides' requirements."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical")
        self.lines: list[GoalLine] = []

    def show(self, goals: Sequence[Goal]) -> None:
        while len(self.lines) < len(goals):
            self.lines.append(GoalLine())
            self.add_widget(self.lines[-1])
        for line, goal in zip(self.lines, goals, strict=False):
            line.show(goal)


SEEN = 4
"""How many exchanges there is room for."""
TALL, LOW = 96, 42
"""How high they are, and how high above controls, in dp."""


class Exchanges(BoxLayout):
    """The exchanges of a battle, blue above and red below: who won one has an edge, who lost is hollow."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical", spacing=dp(3))
        self.chips = {side: [Chip(most=theme.TITLE) for _ in range(SEEN)] for side in (ROME, CARTHAGE)}
        for side in (ROME, CARTHAGE):
            for chip in self.chips[side]:
                self.add_widget(chip)

    def show(self, exchanges: Sequence[Exchange]) -> None:
        last = exchanges[-SEEN:]
        for side, chips in self.chips.items():
            for at, chip in enumerate(chips):
                exchange = last[at] if at < len(last) else None
                chip.show(f"{side} {exchange.cards[side]}" if exchange else "")
                lost, look = bool(exchange and side in exchange.lost), theme.now
                chip.back.paint(look.sunk if lost else look.card, look.line if lost else look.accent, 1 if lost else 2)
                chip.shape.ink = look.muted if lost else look.card_ink
                chip.shape.hollow = lost
                chip.number.color = theme.rgba(chip.shape.ink)
        self.do_layout()

    def do_layout(self, *_: object) -> None:
        step, tall = min(dp(48), self.width / SEEN), (self.height - dp(3)) / 2
        for side, low in ((ROME, self.y + tall + dp(3)), (CARTHAGE, self.y)):
            for at, chip in enumerate(self.chips[side]):
                chip.lay(self.x + at * step, low, (max(1, step - dp(3)), max(1, tall)))


class HannibalBoard(FieldBoard[Hannibal]):
    """Everything between the seats."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(act, go, say, upright, Sea(self.tap))
        self.asked: Sequence[Deed] = ()
        self.away = 0
        self.goals, self.exchanges = high(Goals(), 114), asks(high(Exchanges(), TALL), "exchanges")
        if not upright:
            wide(self.head, theme.either(222, 238))

    def show(self, centre: Hannibal) -> None:
        self.asked = ()
        self.goals.show(centre.goals)
        self.exchanges.show(centre.exchanges)
        self.field.show(centre)
        self.field.mover.seat = centre.moved.seat if centre.moved else ""
        super().show(centre)
        self.number.show(self.big)

    @property
    def stays(self) -> bool:
        """A battle has been fought, and nobody has touched the map since."""
        return bool(self.centre.fought) and self.centre.fought != self.away

    @property
    def big(self) -> Big:
        """The number that matters, and what it is asked about."""
        fights = self.stays or self.centre.phase in ("declaring", "choosing")
        asks(self.number.value, "battle" if fights else "" if self.centre.over else "regions")
        asks(self.number.beside, "" if fights or self.centre.over else "core" if self.centre.core else "pieces")
        return self.centre.big if fights else self.centre.calm

    def on_touch_down(self, touch: Any) -> bool:
        """A touch on the map puts the last battle away."""
        if self.stays and self.field.collide_point(*touch.pos):
            self.away = self.centre.fought
            self.number.show(self.big)
            self.paint_places()
        return bool(super().on_touch_down(touch))

    def beside(self) -> list[Widget]:
        if self.asked:
            return []
        if self.stays or self.centre.phase in ("declaring", "choosing"):
            self.exchanges.height = dp(LOW if self.controls.children else TALL)
            return [self.exchanges] if self.centre.exchanges else []
        return [] if self.centre.over else [self.goals]

    def do(self, deed: Deed) -> None:
        """Where Hannibal and a legion can both go, one more touch says which does."""
        if deed.verb == "move" and not deed.event:
            self.asked = self.centre.kinds[deed.picked["from"], deed.picked["to"]]
            self.offer(self.asked)
            self.paint_places()
        else:
            super().do(deed)

    def tap(self, place: str) -> None:
        if self.asked:  # another place calls the question off
            self.asked = ()
            self.offer(self.centre.deeds)
            self.paint_places()
        super().tap(place)

    def paint_places(self) -> None:
        super().paint_places()
        for name, spot in self.centre.regions.items():
            sign = self._sign(name, spot.fights)
            self.field.spots[name].show(spot, sign, bool(self.start) and not sign)
        for name, spot in self.centre.routes.items():
            self.field.spots[name].show(spot, self._sign(name, spot.fights))

    def _sign(self, place: str, fights: bool) -> str:
        if self.asked:
            return {self.asked[0].picked["from"]: "start", self.asked[0].picked["to"]: self.sign(place)}.get(place, "")
        return self.sign(place) or ("about" if fights else "")
