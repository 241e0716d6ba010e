"""The tiles of the seats to ask, and the pawn row."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.prokonsul.plea import Askable, PawnRow
from ui.theme import TextSize
from ui.widgets.annotations import lies
from ui.widgets.box import put
from ui.widgets.fresh import Dashed
from ui.widgets.icon import Tick
from ui.widgets.motion import glide, motions
from ui.widgets.shape import Shape
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, long

PAWN = 22


class AskTile(Touchable):
    """A seat that might be asked: its name, what its cards would come to, and whether that is enough."""

    def __init__(self) -> None:
        super().__init__()
        own: dict[str, tuple[None, None]] = {"size_hint": (None, None)}
        self.back, self.gone = Backdrop(self, None), Dashed(self)
        self.shape = Shape(size_hint=(None, None))
        self.name = Text(most=TextSize.TEXT, lines=1, bold=True, cuts=True, size_hint=(None, None))
        self.words = Text(most=TextSize.TEXT, lines=1, cuts=True, size_hint=(None, None))
        self.tick = Tick(**own)
        for part in (self.shape, self.name, self.words, self.tick):
            self.add_widget(part)
        self.enough = False
        self.bind(pos=self._arrange, size=self._arrange)

    def show(self, ask: Askable) -> None:
        look = theme.now
        self.shape.seat, self.shape.opacity = ask.seat, 1 if ask.can else 0.45
        self.name.show(ask.name, shorter=ask.shorter)
        self.words.show(ask.text, shorter="".join(ask.text.partition("=")[1:]))
        self.enough = ask.enough
        self.tick.show(ask.enough)
        self.disabled = not ask.can
        for text in (self.name, self.words):
            text.color = text.disabled_color = theme.rgba(look.ink if ask.can else look.muted)
        self.back.paint(*(look.panel, look.accent, 1.5) if ask.can else (None,))
        self.gone.paint(None if ask.can else look.line)
        self._arrange()

    def _arrange(self, *_: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        side, line, pad = dp(26), min(high / 2, dp(theme.above(TextSize.TEXT))), dp(8)
        low = y + (high - 2 * line) / 2
        put(self.shape, x + pad, low + line + (line - side) / 2, side, side)
        left = x + pad + side + dp(6)
        put(self.name, left, low + line, x + wide - left - dp(4), line)
        tick = dp(22) if self.enough else 0
        put(self.words, x + pad, low, wide - 2 * pad - tick, line)
        put(self.tick, x + wide - pad - tick, low + (line - tick) / 2, tick, tick)


class MovingPawns(Widget):
    """The pawn row, which settles ties, then the next pleaders; a pawn that pays is seen moving to the end."""

    def __init__(self, row: str, then: str = "", wins: str = "") -> None:
        super().__init__()
        self._then, self._wins = then, wins
        self.caption = Text(row, most=TextSize.LABEL, lines=1, ink=theme.now.muted)
        self.words = Text(most=TextSize.LABEL, lines=1, ink=theme.now.muted)
        self.next = [Shape() for _ in range(4)]
        for part in (self.caption, self.words, *self.next):
            self.add_widget(part)
        self._pawns: dict[str, Shape] = {}
        self._row: Sequence[str] = ()
        self.bind(pos=self._at_once, size=self._at_once)

    def show(self, row: PawnRow) -> None:
        for at, seat in enumerate(row.seats, start=1):
            if seat not in self._pawns:
                self._pawns[seat] = Shape(seat, size=(dp(PAWN), dp(PAWN)))
                self.add_widget(self._pawns[seat])
            lies(self._pawns[seat], f"row {at}")
        then = row.next or ([row.first] if row.first else [])
        self.words.show(self._then if row.next else self._wins if then else "")
        for at, shape in enumerate(self.next):
            shape.seat = then[at] if at < len(then) else ""
        before, self._row = self._row, tuple(row.seats)
        for seat, shape in self._pawns.items():
            shape.opacity = 1 if seat in self._row else 0
        moved = sorted(before) == sorted(self._row) and before != self._row
        standing = [pawn.pos for pawn in self._pawns.values()]
        self._at_once()
        if moved:
            for pawn, stood in zip(self._pawns.values(), standing, strict=True):
                glide(pawn, stood, tuple(pawn.pos))

    def _at_once(self, *_: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        side, step = dp(PAWN), dp(PAWN + 6)
        row = len(self._row) * step
        room = wide - row - sum(bool(shape.seat) for shape in self.next) * step - dp(20)
        first, then = (
            long(text.text, TextSize.LABEL) + dp(8) if text.text else 0 for text in (self.caption, self.words)
        )
        first = first if first + then <= room else 0
        then = then if then <= room + dp(20) else 0
        self.words.opacity = 1 if then else 0
        self.caption.opacity = 1 if first else 0
        left, low = x, y + (high - side) / 2
        put(self.caption, left, y, first, high)
        left += first
        for seat in self._row:
            motions.drop(self._pawns[seat])
            self._pawns[seat].pos = left, low
            left += step
        left = max(left + dp(12), x + wide - then - sum(bool(shape.seat) for shape in self.next) * step)
        put(self.words, left, y, min(then, room - first + dp(20)), high)
        left += then
        for shape in self.next:
            put(shape, left, low, side, side)
            left += step
