"""The rail: a tile per seat in turn order, filled for the player to move; on the virtual table a tile is a button."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.table.frame import Tile
from ui.theme import TextSize
from ui.widgets.annotations import asks, lies
from ui.widgets.box import put
from ui.widgets.fresh import Struck
from ui.widgets.icon import Earphone, Sign, Tick
from ui.widgets.motion import Turn
from ui.widgets.shape import CardFace, Shape
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, broad, long

STRIPE = 6
"""The width of the edge in the seat's colour, in dp."""
SHAPE, DOT, CARD = 22, 11, (32, 36)
EAR, TICK = 17, 22
ROW = 136
"""The width of shape and name where the row continues, in dp."""
PALE = "yellow", "white"
"""The colours that hardly differ from a panel: a filled tile has an edge in ink besides."""
CROWD = 5
"""The number of seats above which a tile has one line."""
SECOND = 31
"""The height of the second line over a panel of the game's own, in dp."""
FAINT = 0.45
"""The opacity of the shape of a seat that is out."""
BORDER = 1.5
"""The width of the line between two tiles, in dp."""
NARROW = 110
"""Less wide than this, an upright tile has no room for a mark beside the name, in dp."""
COUNTERS = 5
"""The number of counters a seat has at most."""
PLACED = 0.4
"""The opacity of a counter that has been placed."""
LEAST = 7
"""A counter is drawn no smaller than this, in dp."""
HOLD_S = 0.4
"""A tile that is touched for longer than so many seconds was held, and not tapped."""


class SeatTile(Touchable):
    """One seat; a tap is what the seat can do at the moment, and on the virtual table a hold is its fist."""

    def __init__(self, upright: bool, annex: Widget | None = None) -> None:
        """Build the tile; `annex` is what the game adds, on the right of a row, else below."""
        super().__init__()
        self.annex = annex
        self.always_release = True  # also if the finger has slid off the tile
        self.held: Callable[[bool], object] | None = None
        self.upright, self.one_line = upright, False
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.back = Backdrop(self, theme.now.panel, radius=0)
        with self.canvas.before:
            self._stripe_ink = Color()
            self._stripe = Rectangle()
            Color(*theme.rgba(theme.now.line))
            self._rule = Rectangle()
        self.shape = Shape(**own)
        self.name = Text(most=TextSize.TEXT, lines=1, bold=True, cuts=True, **own)
        self.ear = Earphone(**own)
        self.tick = Tick(**own)
        self.mark = Sign("", 1.8, **own)
        self.figure = Text(most=TextSize.HEAD, lines=1, bold=True, align="right", **own)
        self.caption = Text(most=TextSize.LABEL, lines=1, align="right", **own)
        self.was = Struck(TextSize.TEXT, **own)
        self.status = Text(most=TextSize.TEXT, cuts=True, **own)
        self.sign = Sign("cards", 1.8, **own)
        self.count = Text(most=TextSize.TEXT, lines=1, **own)
        self.counters: list[Shape] = []
        self.cards: list[CardFace] = []
        self._turns: list[Turn] = []
        self.dots = Widget(**own)
        marks = self.ear, self.tick, self.mark, self.was, self.caption, self.figure
        for part in (self.dots, self.shape, self.name, *marks, self.status, self.sign, self.count):
            self.add_widget(part)
        if annex:
            self.add_widget(annex)
        self.tile: Tile | None = None
        self._pressed = 0.0
        self.bind(pos=self._arrange, size=self._arrange)

    def show(self, tile: Tile) -> None:
        if tile == self.tile:
            return
        self.tile = tile
        look = theme.now
        ground = theme.SEATS[tile.seat] if tile.awaited else look.sunk if tile.out else look.panel
        ink = theme.on_seat(tile.seat) if tile.awaited else look.ink
        faint = ink if tile.awaited else look.muted
        edge, width = (look.stop, 3) if not tile.well else (None, 1)
        if tile.alone and tile.well and tile.seat in PALE:
            edge, width = theme.LIGHT.ink, 4
        elif tile.awaited and tile.well and theme.now is theme.DARK:
            edge, width = look.ink, 2
        self.back.paint(ground, edge, width)
        dark = tile.awaited and tile.seat in PALE  # among several a frame would mark one of them
        self._stripe_ink.rgba = theme.rgba(theme.LIGHT.ink if dark else theme.SEATS[tile.seat])
        lies(self, f"seat {tile.seat}").shape.seat = tile.seat
        self.shape.fill, self.shape.opacity = (ink if tile.awaited else ""), FAINT if tile.out else 1
        self.name.show(tile.name, shorter=tile.shorter)
        self.name.color = theme.rgba(look.muted if tile.out and not tile.awaited else ink)
        self.ear.show(tile.ear, ink)
        self.tick.show(tile.done)
        self.mark.show(tile.mark, ink)
        self.figure.show(tile.figure)
        self.figure.color = theme.rgba(ink)
        self.caption.show(tile.caption)
        self.caption.color = self.was.color = theme.rgba(faint)
        self.status.show(tile.status, shorter=tile.status.rpartition(" · ")[2])
        self.status.color = theme.rgba(look.stop if not tile.well and not tile.awaited else faint)
        self.sign.show("cards" if tile.hand is not None else "", faint)
        self.count.show(str(tile.hand) if tile.hand is not None else "")
        asks(self.count, *(tile.hand_about if tile.hand is not None else ("", None)))
        self.count.color = theme.rgba(faint)
        asks(self.figure, *tile.about)
        asks(self.dots, "counters" if tile.counters is not None else "", tile.seat)
        self._make_pieces(tile)
        for at, dot in enumerate(self.counters):
            dot.seat = tile.seat if tile.counters is not None else ""
            dot.fill, dot.hollow = (ink if tile.awaited else ""), at >= (tile.counters or 0)
        for at, face in enumerate(self.cards):
            face.show(tile.cards[at] if at < len(tile.cards) else "")
        self._arrange()

    def _make_pieces(self, tile: Tile) -> None:
        """Create the counters and cards, in games that put some before their seats."""
        own: dict[str, Any] = {"size_hint": (None, None)}
        while tile.counters is not None and len(self.counters) < COUNTERS:
            self.counters.append(Shape(**own))
            self.add_widget(self.counters[-1])
        while len(self.cards) < len(tile.cards):
            self.cards.append(CardFace(most=TextSize.TEXT, **own))
            self._turns.append(Turn(self.cards[-1]))
            self.add_widget(self.cards[-1])

    def turn(self, part: float) -> None:
        """Show how far the open cards before the seat have turned."""
        for turn in self._turns:
            turn.show(part)

    # -- where everything stands ---------------------------------------------------------------------------------

    def _arrange(self, *_: object) -> None:
        tile = self.tile
        if not tile:
            return
        x, y, wide, high = self.x, self.y, self.width, self.height
        if self.upright:
            self._stripe.pos, self._stripe.size = (x, y + high - dp(STRIPE)), (wide, dp(STRIPE))
            self._rule.pos, self._rule.size = (x + wide - dp(BORDER), y), (dp(BORDER), high)
            x, wide, high = x + dp(5), wide - dp(10), high - dp(STRIPE)
        else:
            self._stripe.pos, self._stripe.size = (x, y), (dp(STRIPE), high)
            self._rule.pos, self._rule.size = (x, y), (wide, dp(BORDER))
            x, wide = x + dp(STRIPE + 5), wide - dp(STRIPE + 10)
        line = dp(theme.above(TextSize.TEXT))
        side = dp(SHAPE)
        if self.one_line and self.annex:
            own = dp(theme.either(ROW, 140)) - (x - self.x)
            put(self.annex, x + own, y, wide - own + dp(5), high)
            self._first_line(tile, (x, y), (own - dp(4), high), side)
            self._hide_annexed()
            return
        if self.one_line and not self.upright:
            self._on_one_line(tile, (x, y), (wide, high))
            return
        if self.annex:
            head = line + dp(SECOND)
            put(self.annex, x, y + dp(4), wide, high - head - dp(8))
            y, high = y + high - head - dp(2), head
        low = min(high - line, max(dp(38), high * 0.55))
        block = min(line + low, high)
        top = y + high - (high - block) / 2
        below = self._lowered(tile, wide)
        self._first_line(tile, (x, top - line), (wide, line), side, below)
        self._second_line(tile, (x, top - block + dp(2)), (wide, block - line - dp(2)), below)

    def _first_line(self, tile: Tile, pos: tuple[float, float], size: tuple[float, float], side: float,
                    below: Sequence[Widget] = ()) -> None:  # fmt: skip
        (x, y), (wide, high) = pos, size
        self.shape.size, self.shape.pos = (side, side), (x, y + (high - side) / 2)
        left = x + side + dp(5)
        right = self._lay_marks([mark for mark in self._marks(tile) if mark[0] not in below], x + wide, y, high)
        self.name.pos, self.name.size = (left, y), (max(1.0, right - left), high)

    def _marks(self, tile: Tile) -> Sequence[tuple[Widget, float, object]]:
        """Return the marks beside the name, how wide each is in dp, and whether it is seen."""
        return (self.tick, TICK, tile.done), (self.mark, EAR, tile.mark), (self.ear, EAR, tile.ear)

    @staticmethod
    def _lay_marks(marks: Sequence[tuple[Widget, float, object]], right: float, y: float, high: float) -> float:
        """Place the marks that are seen, from the right edge in pixels, and return where they begin."""
        for mark, side, on in marks:
            mark.size = (dp(side), dp(side)) if on else (0, 0)
            right -= dp(side + 2) if on else 0
            mark.pos = right, y + (high - dp(side)) / 2
        return right

    def _lowered(self, tile: Tile, wide: float) -> Sequence[Widget]:
        """Return the mark that stands on the second line, for in a narrow tile the name needs its room."""
        narrow = self.upright and wide < dp(NARROW)
        return [mark for mark, _, on in self._marks(tile) if on and narrow][:1]

    def _second_line(self, tile: Tile, pos: tuple[float, float], size: tuple[float, float],
                     below: Sequence[Widget] = ()) -> None:  # fmt: skip
        (x, y), (wide, high) = pos, size
        right = self._lay_marks([mark for mark in self._marks(tile) if mark[0] in below], x + wide, y, high)
        brief = self.upright and bool(tile.status)
        """Upright there is room for one thing beside the number."""
        crowded = brief or (self.upright and tile.counters is not None and bool(tile.cards))
        step = TextSize.TEXT if crowded else TextSize.HEAD
        figure = "" if brief and theme.letters > 1 else tile.figure  # large letters have room for the word alone
        number = long(figure, step, True) + dp(3) if figure else 0
        if crowded and right - number - x - dp(LEAST + 4) < len(tile.cards) * dp(1.2 * theme.size(TextSize.LABEL)):
            figure, number = "", 0  # the cards need the room for their numbers
        self.figure.show(figure, step)
        self.figure.pos, self.figure.size = (right - number, y), (max(1.0, number), high)
        right -= number + (dp(4) if number else 0)
        end = right
        kept = dp(LEAST + 4) if tile.counters is not None and not brief and tile.cards else 0  # the cards lie closer
        right = self._place_cards(tile.cards, right, y, x + kept, high)
        left = x
        for part in self.counters:
            part.opacity = 0 if brief else 1
        self.sign.opacity = self.count.opacity = 0 if brief else 1
        if tile.counters is not None and not brief:
            caption = "" if tile.status or tile.cards else tile.caption
            words = broad(tile.status or caption, TextSize.LABEL) + dp(6) if tile.status or caption else 0
            if caption and right - x - words < 3 * dp(LEAST):
                words = 0  # the caption stands after the name, or not at all
            left += self._place_counters((x, y), (right - x - words, high))
        icon = dp(20) if tile.hand is not None and not brief else 0
        if icon and left + icon + dp(4) + long(self.count.text, TextSize.TEXT) > right:
            icon = 0  # a long number needs the room
            self.sign.opacity = self.count.opacity = 0
        self.sign.size, self.sign.pos = (icon, icon), (left, y + (high - icon) / 2)
        left += icon + (dp(4) if icon else 0)
        count = long(self.count.text, TextSize.TEXT) + dp(3) if icon else 0
        self.count.pos, self.count.size = (left, y), (max(1.0, count), high)
        left += count + (dp(4) if count else 0)
        right = self._place_caption(tile.caption if figure else "", left, (right, y), high)
        right = self._show_previous(tile.was if figure and end == right and not brief else "", left, (right, y), high)
        self.status.halign = "right" if tile.counters is not None else "left"
        self.status.pos, self.status.size = (left, y), (max(1.0, right - left), high)

    def _place_counters(self, pos: tuple[float, float], size: tuple[float, float]) -> float:
        """Place the counters on as few lines as there is room for, and return the width they take, in pixels."""
        (x, y), (wide, high) = pos, size
        columns = next((at for at, least in ((5, DOT), (3, LEAST), (2, LEAST)) if wide >= at * dp(least)), 1)
        lines = -(-COUNTERS // columns)
        step = min(dp(DOT), wide / columns, high / lines)
        seen = step >= dp(LEAST) - 0.5
        for at, dot in enumerate(self.counters):
            line, column = divmod(at, columns)
            dot.opacity = (PLACED if dot.hollow else 1) if seen else 0
            put(dot, x + column * step, y + high / 2 + (lines / 2 - line - 1) * step, step, step)
        taken = columns * step if seen else 0.0
        put(self.dots, x, y, taken, high)
        return taken + dp(4) if seen else 0.0

    def _place_caption(self, caption: str, left: float, end: tuple[float, float], high: float) -> float:
        """Place the caption before the number, else after the name, and return the new right edge, in pixels."""
        right, y = end
        wide = long(caption, TextSize.LABEL) + dp(3) if caption else 0
        self.caption.opacity = 1 if caption else 0
        if not caption:
            return right
        assert self.tile
        if not (self.tile.cards or self.tile.status) and left + wide <= right:
            put(self.caption, right - wide, y, wide, high)
            return float(right - wide - dp(4))
        if self.name.width >= long(self.tile.name, TextSize.TEXT, True) + dp(6) + wide:
            put(self.caption, self.name.right - wide, self.name.y, wide, self.name.height)
        else:
            self.caption.opacity = 0
        return right

    def _show_previous(self, was: str, left: float, end: tuple[float, float], high: float) -> float:
        """Show the previous number if everything else leaves room, and return the new right edge, in pixels."""
        right, y = end
        self.was.show(was)
        words = long(self.status.text, TextSize.TEXT) if self.status.text else 0
        room = self.was.room()
        if not was or left + words + room + dp(4) > right:
            self.was.show("")
            return float(right)
        put(self.was, right - room, y, room, high)
        return float(right - room - dp(4))

    def _place_cards(self, cards: Sequence[str], right: float, y: float, left: float, high: float) -> float:
        """Place the cards at the right end, and return where they begin, in pixels."""
        broad, tall = dp(CARD[0]), min(dp(CARD[1]), high)
        step = min(broad + dp(1), (right - left) / max(1, len(cards)))
        begin = right - step * len(cards)
        for at, face in enumerate(self.cards):
            face.size = (min(broad, step), tall) if at < len(cards) else (1, 1)
            face.pos = begin + at * step, y + (high - tall) / 2
        return float(begin - (dp(4) if cards else 0))

    def _hide_annexed(self) -> None:
        """Hide the parts that a row shows in its annex."""
        annexed = self.figure, self.caption, self.was, self.status, self.sign, self.count, self.dots
        for part in (*annexed, *self.counters, *self.cards):
            part.opacity = 0

    def _on_one_line(self, tile: Tile, pos: tuple[float, float], size: tuple[float, float]) -> None:
        (x, y), (wide, high) = pos, size
        broad = long(tile.figure, TextSize.HEAD, True) + dp(3) if tile.figure else 0
        half = high if not tile.status else min(high, dp(theme.above(TextSize.TEXT)))
        self._first_line(tile, (x, y + high - half), (wide - broad, half), dp(SHAPE))
        self._second_line(tile, (x, y), (wide, high))
        self.was.show("")  # the name needs the room
        self.caption.opacity = 0
        for part in (self.sign, self.count):
            part.size = 0, 0
        self.status.pos = x + dp(SHAPE + 5), y
        self.status.size = max(1.0, wide - broad - dp(SHAPE + 9)), high - half
        self.status.halign = "left"

    # -- fingers -------------------------------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        """Leave touches on a number to the page, which explains it; all others belong to the seat."""
        on = (each for each in (self.figure, self.dots, self.count) if getattr(each, "about", None))
        if any(each.collide_point(*touch.pos) for each in on):
            return False
        return bool(super().on_touch_down(touch))

    def on_press(self) -> None:
        self._pressed = monotonic()
        if self.held:
            self.held(True)

    def on_release(self) -> None:
        if self.held:
            self.held(False)
        if not self.held or monotonic() - self._pressed < HOLD_S:
            super().on_release()


class Rail:
    """The tiles of all seats, from the first one, clockwise."""

    def __init__(self, count: int, upright: bool, act: Callable[[str], object],
                 held: Callable[[str, bool], object] | None = None) -> None:  # fmt: skip
        self._count, self._upright, self._act, self._held = count, upright, act, held
        self.box = BoxLayout()
        self.tiles: Sequence[SeatTile] = ()

    def wear(self, board: Any, *, rows: bool) -> None:
        """Build the tiles with the board's annexes.

        `rows` makes a tile a row, also upright. `board` is typed Any, as it may be any game's.
        """
        annexes, across = board.annexes(self._count), self._upright and not rows
        self.tiles = [SeatTile(across, annexes[at] if annexes else None) for at in range(self._count)]
        self.box.clear_widgets()
        self.box.orientation = "horizontal" if across else "vertical"
        for tile in self.tiles:
            tile.one_line = rows or self._count > CROWD
            self.box.add_widget(tile)

    def show(self, tiles: Sequence[Tile]) -> None:
        for widget, tile in zip(self.tiles, tiles, strict=True):
            widget.act = partial(self._act, tile.seat)
            widget.held = partial(self._held, tile.seat) if self._held else None
            widget.show(tile)

    def unveil(self, tiles: Sequence[Tile], part: float) -> None:
        """Show every card face down, then the open cards before the seats as they turn."""
        for widget, tile in zip(self.tiles, tiles, strict=True):
            before = widget.tile
            if before:
                down = before.awaited or before.done
                cards = tile.cards if part >= 0.5 else before.cards
                widget.show(replace(before, awaited=False, alone=False, done=down and part < 0.5, cards=cards))
                widget.turn(part)
