"""The band: whose move it is, in that player's colour, and what is expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from time import monotonic

from kivy.graphics import Color, Ellipse
from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.play.round_clock import RoundClock
from ui import theme
from ui.table import frame
from ui.theme import TextSize
from ui.widgets.motion import BAND, motions
from ui.widgets.shape import ROUND, Shape, Stroke
from ui.widgets.text import Backdrop, Text, long, tall

BIG, DISC = 44, 34
"""The size of the shape of the one awaited, and of those of several, in dp."""
PAD = 14
LEFT = 1.5
"""Half the height of the line that says how much time is left, in dp."""


class Disc(Widget):
    """A seat's shape on a white disc."""

    def __init__(self) -> None:
        super().__init__(size_hint=(None, None), size=(dp(DISC), dp(DISC)))
        with self.canvas:
            Color(*theme.rgba(theme.LIGHT.card))
            self._disc = Ellipse(segments=ROUND)
        self.shape = Shape(ink=theme.LIGHT.ink, size_hint=(None, None), size=(dp(24), dp(24)))
        self.add_widget(self.shape)
        self.bind(pos=self._draw)

    def show(self, seat: str) -> None:
        self.shape.seat = seat
        self.opacity = 1 if seat else 0

    def _draw(self, *_: object) -> None:
        self._disc.pos, self._disc.size = self.pos, self.size
        side = self.shape.width
        self.shape.pos = self.x + (self.width - side) / 2, self.y + (self.height - side) / 2


class BandWidget(FloatLayout):
    """The player to move in bold and what is expected: on one line if both fit, else on two, else in fewer words.

    The request keeps its large type as long as possible: the colour and the shape already tell whose move it is.
    """

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.seal, radius=0)
        self.before = Backdrop(self, None, radius=0)
        """Its colour until now, while the new one comes."""
        self._ground = ""
        self.shape = Shape(size_hint=(None, None))
        self.who = Text(most=TextSize.HEAD, lines=1, bold=True, size_hint=(None, None))
        self.what = Text(most=TextSize.HEAD, size_hint=(None, None))
        self.discs = [Disc() for _ in range(7)]
        for part in (self.shape, self.who, self.what, *self.discs):
            self.add_widget(part)
        self._band: frame.Band | None = None
        self._time, self._ink = Stroke(LEFT), ""
        self._left: float | None = None
        self.canvas.after.add(self._time)
        self.bind(pos=self._arrange, size=self._arrange)

    def show(self, band: frame.Band) -> None:
        self._band = band
        look = theme.now
        ground, ink = (theme.SEATS[band.seat], theme.on_seat(band.seat)) if band.seat else (look.seal, look.on_seal)
        if band.fault:
            ground, ink = look.panel, look.ink
        self.back.paint(ground, ink if band.seat in ("black", "white") or band.fault else None, 1.5)
        if self._ground and ground != self._ground:
            self.before.paint(self._ground)
            motions.play(self, BAND, self._fade, partial(self.before.paint, None))
        self._ground = ground
        self.shape.seat, self.shape.fill = band.seat, "" if band.fault else ink
        self._ink = ink
        for text in (self.who, self.what):
            text.color = theme.rgba(ink)
        if band.fault:
            self.who.color = theme.rgba(look.stop)
        self._arrange()

    def time(self, clock: RoundClock | None) -> None:
        """Draw the time left in the round as a thin line along the lower edge, or nothing without a clock."""
        self._left = clock.part(monotonic()) if clock else None
        self._draw_time()

    def _draw_time(self) -> None:
        self._time.paint(None if self._left is None else self._ink)
        if self._left is not None:
            y = self.y + dp(LEFT)
            self._time.lines[0].points = [self.x, y, self.x + self.width * self._left, y]

    def _fade(self, part: float) -> None:
        self.before.plate.fade(1 - part)

    def _arrange(self, *_: object) -> None:
        if not self._band:
            return
        band = self._band
        self._draw_time()
        side = dp(BIG) if band.seat else 0
        self.shape.size = side, side
        self.shape.pos = self.x + dp(10), self.y + (self.height - side) / 2
        left = self.x + (dp(10) + side + dp(12) if band.seat else dp(PAD))
        right = self.x + self.width - dp(PAD) - self._place_discs(() if band.fault else band.awaited)
        self._place_words(band, left, max(1.0, right - left))

    def _place_discs(self, awaited: Sequence[str]) -> float:
        """Place the discs of several seats at the right, and return their total width in pixels."""
        step = min(dp(DISC + 2), (self.width * 0.4) / max(1, len(awaited)))
        for at, disc in enumerate(self.discs):
            disc.show(awaited[at] if at < len(awaited) else "")
            disc.pos = self.x + self.width - dp(8) - step * (len(awaited) - at), self.y + (self.height - dp(DISC)) / 2
        return float(step * len(awaited))

    def _place_words(self, band: frame.Band, left: float, wide: float) -> None:
        for wording in wordings(band):
            if fits(wording, wide, self.height):
                break
        who, named, what, step, lines = wording
        apart = lines > 1 and bool(who)
        gap = dp(9) if who else 0
        head = long(who, named, True) + dp(2) if who else 0
        high = dp(theme.above(named))
        self.who.show(who, named, lines=0 if band.fault else 1)
        self.what.show(what, step, lines=0)
        if apart:
            edge = max(0.0, (self.height - high - min(self.height - high, tall(what, step, wide))) / 2)
            first = max(dp(theme.above(step)), tall(who, TextSize.LABEL, wide, bold=True)) if band.fault else high
            self.who.pos, self.who.size = (left, self.y + self.height - edge * (not band.fault) - first), (wide, first)
            bottom = self.y + edge * (not band.fault)
            self.what.pos, self.what.size = (left, bottom), (wide, self.who.y - bottom)
        else:
            self.who.pos, self.who.size = (left, self.y), (head, self.height)
            self.what.pos = left + head + gap, self.y
            self.what.size = max(1.0, wide - head - gap), self.height


Wording = tuple[str, TextSize, str, TextSize, int]
"""The seat and the request, each with the size of its type, and the number of lines that they take."""


def wordings(band: frame.Band) -> Iterator[Wording]:
    """Yield the wordings from the best to the shortest; the last one is used even if it does not fit."""
    who, what, short = band.expected
    head, text = TextSize.HEAD, TextSize.TEXT
    if band.fault:
        yield band.fault, text, band.expected.sentence, text, 2
        yield band.fault, text, short or what, text, 2
        return
    asked = [one for one in (what, short) if one]
    for one in asked:
        yield who, head, one, head, 1
        if who and not band.awaited:
            yield who, text, one, head, 2
        else:  # the discs show who is awaited
            yield "", text, one[:1].upper() + one[1:], head, 1
    for one in asked:
        if who and not band.awaited:
            yield who, text, one, text, 2
        else:
            yield "", text, one[:1].upper() + one[1:], text, 2


def fits(wording: Wording, wide: float, high: float) -> bool:
    """Return whether the wording fits into this width and height, in pixels."""
    who, named, what, step, lines = wording
    head = long(who, named, True) + dp(11) if who else 0
    if lines == 1:
        return bool(head + long(what, step) <= wide and dp(theme.above(step)) <= high + dp(1))
    above = dp(theme.above(named)) if who else 0
    return bool(head <= wide + dp(11) and above + tall(what, step, wide) <= high + dp(2))
