"""Mercator's auction as an arc: the seats clockwise from the flipper's left, their fists, their bids, who won."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.graphics import Color, Line, Triangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.mercator.model import Auction, Bidder
from ui.widgets.asked import asks, lies
from ui.widgets.plate import Plate
from ui.widgets.shape import Shape
from ui.widgets.stroke import Stroke
from ui.widgets.text import Text, broad

Point = tuple[float, float]
LEAST = 27
"""How much height shapes and arc need above amounts, in dp."""


class BidderSpot(Widget):
    """One seat on the arc: a closed fist has a ground, the winner has a ring."""

    def __init__(self) -> None:
        super().__init__()
        self._hand, self._ring = Plate(5), Stroke(1.8)
        for part in (self._hand, self._ring):
            self.canvas.add(part)
        self.shape = Shape()
        self.amount = Text(most=theme.LEAD, lines=1, align="center", bold=True)
        self.add_widget(self.shape)
        self.add_widget(self.amount)

    def show(self, bidder: Bidder | None) -> None:
        look = theme.now
        self.opacity = 1 if bidder else 0
        self.shape.seat = bidder.seat if bidder else ""
        asks(self.amount, "bid" if bidder else "", bidder.seat if bidder else None).show(bidder.text if bidder else "")
        lies(self.amount, f"bid {bidder.seat}" if bidder else "")
        if bidder:
            self.shape.opacity = 1 if bidder.part else 0.3
            self._hand.paint(look.muted if bidder.closed else None)
            self._ring.paint(look.accent if bidder.wins else None)
            self.amount.color = theme.rgba(look.accent if bidder.best else look.ink)

    def stand(self, middle: Point, side: float, step: float) -> None:
        x, y = middle
        self.shape.size, self.shape.pos = (side, side), (x - side / 2, y - side / 2)
        edge = side + dp(5)
        self._hand.lay((x - edge / 2, y - edge / 2), (edge, edge))
        self._ring.lines[0].circle = (x, y, side / 2 + dp(2.6))
        step = max(step, broad(self.amount.text, theme.SMALL, True) + dp(3))
        self.amount.size, self.amount.pos = (
            (max(1, step), dp(theme.grown(20))),
            (x - step / 2, y - side / 2 - dp(theme.grown(22))),
        )


class Arc(Widget):
    """The arc runs clockwise, from the seat that wins ties first to the flipper, who comes last."""

    def __init__(self) -> None:
        super().__init__()
        with self.canvas:
            self._thin = Color(*theme.rgba(theme.now.muted))
            self._line = Line(width=dp(1))
            self._head = Triangle()
            self._tied = Color(*theme.rgba(theme.now.accent))
            self._way = Line(width=dp(2.4))
        self.note = Text(most=theme.BODY, lines=1, align="center", ink=theme.now.muted)
        self.add_widget(self.note)
        self.places: list[BidderSpot] = []
        self._auction = Auction((), "", False)
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, auction: Auction) -> None:
        while len(self.places) < len(auction.bidders):
            self.places.append(BidderSpot())
            self.add_widget(self.places[-1])
        for at, place in enumerate(self.places):
            place.show(auction.bidders[at] if at < len(auction.bidders) else None)
        self.note.show(auction.note)
        self.opacity = 1 if auction.bidders else 0
        self._auction = auction
        self._line_up()

    def _line_up(self, *_: object) -> None:
        count = len(self._auction.bidders)
        if not count:
            return
        named = any(bidder.text for bidder in self._auction.bidders)
        line, below = dp(theme.grown(19)), dp(theme.grown(22)) if named else dp(4)
        step = (self.width - dp(14)) / count
        room = self.height - line - below - dp(6)
        self.note.opacity = 1
        if named and room < dp(LEAST):  # who bids is told apart by shape; that they are bids can be guessed
            line, room, self.note.opacity = 0, room + line, 0
        side = max(dp(8), min(dp(34), step - dp(5), room - dp(11)))
        rise = max(dp(11), min(room - side, dp(12) * count, dp(44)))
        low = self.y + line + below + side / 2 + max(0, room - rise - side) / 2
        for place, spot in zip(self.places, spots(count, self.x + step / 2, step, low, rise), strict=False):
            place.stand(spot, side, step)
        self.note.pos, self.note.size = self.pos, (self.width, max(1, line))
        self._draw(count, self.x + step / 2, step, low, rise)

    def _draw(self, count: int, left: float, step: float, low: float, rise: float) -> None:
        """The whole way thin, and after a tie the way from the flipper's left to the winner thick."""
        fine = spots(count * 6 - 5, left, step / 6, low, rise)
        x, y = fine[-1]
        tip = (x + step / 2 + dp(10), y - dp(6))
        self._line.points = [number for point in (*fine, tip) for number in point]
        head = ((3, -2), (-5, 6), (-7, -4))
        self._head.points = [number for dx, dy in head for number in (tip[0] + dp(dx), tip[1] + dp(dy))]
        wins = next((at for at, bidder in enumerate(self._auction.bidders) if bidder.wins), 0)
        self._thin.a = count > 1  # a lone bidder stands in no order
        way = fine[: wins * 6 + 1] if self._auction.tie and wins else []
        self._way.points = [number for point in way for number in point]


def spots(count: int, left: float, step: float, low: float, rise: float) -> Sequence[Point]:
    """That many points on a flat arc, from left to right."""
    half = max(1.0, (count - 1) / 2)
    return [(left + at * step, low + rise * (1 - ((at - half) / half) ** 2)) for at in range(count)]
