"""Caesar's board: the 5x5 squares with their stacks, and the duel with both totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.graphics import Color, Mesh, Rectangle
from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from ui import theme
from ui.games.caesar.model import COLUMNS, ROWS, WAYS, Caesar, Duel, Group, Side, Way
from ui.games.parts.actions import Action
from ui.games.parts.board import Act, Go, Place, Say
from ui.games.parts.field import FieldBoard, PieceField, Sign, edge
from ui.games.parts.headline_widgets import HeadlineBanner
from ui.layout import BETWEEN
from ui.theme import TextSize
from ui.widgets.annotations import asks, lies
from ui.widgets.box import put
from ui.widgets.fresh import Dashed, Ring
from ui.widgets.icon import Tick
from ui.widgets.motion import COME, PAUSE, Turn, turned
from ui.widgets.plate import Plate
from ui.widgets.shape import CardFace, Shape
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, long

MARGIN = 20
"""The margin of the squares' letters and numbers, in dp."""
CARD = 71, 102
"""The size of a duel's card, in dp."""
STRIPE = 6
"""The width of the edge in a seat's colour, in dp."""


TIP_ROWS = 2
"""The number of rows of squares that a lesson covers during a duel."""


class Stack(Widget):
    """A group: a stack of counters, with its colour's shape and its number of counters on the top one.

    The widget that moves it calls `draw`: a board of stacks that redrew themselves for `pos` and again for `size` took
    twice as long.
    """

    def __init__(self) -> None:
        super().__init__()
        self._layers = [Plate(5) for _ in range(LAYERS)]
        for layer in self._layers:
            self.canvas.before.add(layer)
        with self.canvas.before:
            self._on = Color(0, 0, 0, 0)
            self._shape = Mesh(mode="triangle_fan")
        self.number = Text(most=TextSize.CARD, lines=1, align="center", bold=True)
        self.add_widget(self.number)
        self.owner, self.counters = "", 0

    def show(self, owner: str, size: int) -> None:
        if (owner, size) == (self.owner, self.counters):
            return
        self.owner, self.counters = owner, size
        fill = theme.SEATS.get(owner, theme.now.line)
        for at, layer in enumerate(self._layers):
            rim = theme.now.stone if at < LAYERS - 1 else theme.now.ink
            layer.paint(*(fill, rim) if self._seen(at) else (None, None))
        self._on.rgba = theme.rgba(theme.on(fill), 0.9 if owner in theme.SEATS else 0)
        self.number.show(str(size) if owner in theme.SEATS else "")
        self.number.color = theme.rgba(theme.on(fill))
        self.draw()

    def draw(self, *_: object) -> None:
        """Draw the counters; the lower ones show under the top one's edge."""
        step = self.height * 0.055
        broad, tall = self.width, self.height - (LAYERS - 1) * step
        for at, layer in enumerate(self._layers):
            layer.lay((self.x, self.y + at * step), (broad, tall))
        low = self.y + (LAYERS - 1) * step
        tower = self.counters > 9  # two digits need more room
        radius = min(broad, tall) * (0.14 if tower else 0.2)
        x, y = self.x + broad * (0.18 if tower else 0.27), low + tall * 0.5
        points = [(x + radius * cx, y + radius * cy) for cx, cy in theme.SHAPES.get(self.owner, ())]
        fan = [(x, y), *points, *points[:1]] if points else []
        self._shape.vertices = [number for point in fan for number in (*point, 0, 0)]
        self._shape.indices = list(range(len(fan)))
        left = broad * (0.3 if tower else 0.38)
        self.number.pos, self.number.size = (self.x + left, low), (max(1, broad - left - dp(1)), max(1, tall))

    def _seen(self, layer: int) -> bool:
        return bool(self.owner) and layer >= LAYERS - min(self.counters, LAYERS)


LAYERS = 4
"""The number of counters of a stack that can be seen."""


class Square(Widget):
    """One square of the board."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, None, radius=4)
        self.fresh, self.left = Ring(self, radius=4), Dashed(self)
        self.stack, self.sign = Stack(), Sign()
        self.add_widget(self.stack)
        self.add_widget(self.sign)

    def show(self, group: Group | None, sign: str, dim: bool, fresh: int = 0, left: str = "") -> None:
        """Show the square; `fresh` is the number of the act that has just changed it, `left` the seat that left it."""
        self.left.paint(theme.SEATS.get(left))
        self.stack.show(group.owner if group else "", group.size if group else 0)
        self.fresh.show(bool(fresh) and sign in ("", "begin"), fresh)
        self.back.paint(theme.now.sunk, *edge(sign))
        self.sign.show(sign)
        self.opacity = 0.45 if dim else 1

    def lay(self, pos: tuple[float, float], side: float) -> None:
        self.pos, self.size = pos, (side, side)
        inset = min(dp(4), side * 0.08)
        self.stack.pos = self.x + inset, self.y + inset
        self.stack.size = max(1, self.width - 2 * inset), max(1, self.height - 2 * inset)
        self.stack.draw()
        side = min(dp(20), self.width * 0.4)
        self.sign.pos, self.sign.size = (
            (self.x + self.width - side * 0.9, self.y + self.height - side * 0.9),
            (side, side),
        )


class Squares(PieceField):
    """The board, a1 below on the left; letters and numbers along two edges."""

    def __init__(self, tap: Callable[[str], object], ask: Callable[[str], object]) -> None:
        super().__init__(tap, Stack(), ask)
        self.spots = {at: lies(Square(), f"square {at}") for at in (column + row for row in ROWS for column in COLUMNS)}
        look: dict[str, Any] = {"most": TextSize.LABEL, "lines": 1, "align": "center", "ink": theme.now.muted}
        self.names = {name: Text(name, **look) for name in COLUMNS + ROWS}
        for child in (*self.names.values(), *self.spots.values(), self.trail, self.mover):
            self.add_widget(child)
        self.mover.bind(pos=self.mover.draw, size=self.mover.draw)

    def lay(self) -> None:
        margin, gap = dp(MARGIN), dp(4)
        side = min(self.width, self.height) - margin
        cell = max(1.0, (side + gap) / 5)
        left, low = self.x + (self.width - side - margin) / 2 + margin, self.y + (self.height - side - margin) / 2
        low += margin
        for name, square in self.spots.items():
            at, up = COLUMNS.index(name[0]), int(name[1]) - 1
            square.lay((left + at * cell, low + up * cell), cell - gap)
        for at, (column, row) in enumerate(zip(COLUMNS, reversed(ROWS), strict=True)):
            self.names[column].pos, self.names[column].size = (left + at * cell, low - margin), (cell, margin)
            self.names[row].pos, self.names[row].size = (left - margin, low + at * cell), (margin, cell)
        self.laid()


class DuelSide(FloatLayout):
    """One side of a duel: its card, its group and their total; the winner's side is on wax."""

    def __init__(self) -> None:
        super().__init__(size_hint=(None, None))
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.back = Backdrop(self, None)
        with self.canvas.before:
            self._stripe_ink = Color()
            self._stripe = Rectangle()
        self.slot = Widget(**own)
        self.slot_back, self.place = Backdrop(self.slot, None), Dashed(self.slot)
        self.card, self.shape, self.tick = CardFace(most=TextSize.FIGURE, radius=5, **own), Shape(**own), Tick(**own)
        self.group = Text(most=TextSize.HEAD, lines=1, **own)
        self.total = Text(most=TextSize.FIGURE, lines=1, bold=True, align="right", **own)
        for child in (self.slot, self.card, self.shape, self.tick, self.group, self.total):
            self.add_widget(child)
        self._turns = [Turn(part) for part in (self.slot, self.card, self.shape)]

    def show(self, side: Side) -> None:
        """Show the side: the back of a card face down, only a place for a card still to come."""
        look, up = theme.now, len(side.card) > 1
        self._stripe_ink.rgba = theme.rgba(theme.SEATS[side.seat])
        self.back.paint(*(look.wax, look.accent, 3) if side.wins else (look.panel, look.line, 1))
        self.card.show(side.card if up else "")
        down = theme.SEATS[side.seat] if side.card and not up else None
        self.slot_back.paint(down, look.ink if down else None, 1.5)
        self.place.paint(None if side.card else look.muted)
        self.slot.opacity = 0 if up else 1
        self.shape.seat, self.shape.fill = ("" if up else side.seat), (theme.on_seat(side.seat) if down else "")
        self.tick.show(bool(down))
        self.group.show(f"+ {side.group}")
        self.total.show(side.total)
        self.total.color = theme.rgba(look.ink if side.wins or not side.total else look.muted)
        self.do_layout()

    def turn(self, part: float) -> None:
        """Show how far its card has turned."""
        for turn in self._turns:
            turn.show(part, self.card.x + self.card.width / 2)

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        tall = min(dp(CARD[1]), high - dp(16))
        broad, pad = tall * CARD[0] / CARD[1], dp(STRIPE + 6)
        self._stripe.pos, self._stripe.size = (x + dp(3), y + dp(3)), (dp(STRIPE), high - dp(6))
        low = y + (high - tall) / 2
        for part in (self.card, self.slot):
            put(part, x + pad, low, broad, tall)
        side = broad * 0.45
        put(self.shape, x + pad + (broad - side) / 2, low + (tall - side) / 2, side, side)
        put(self.tick, x + pad + broad - dp(14), low + tall - dp(14), dp(22), dp(22))
        left, right = x + pad + broad + dp(10), x + wide - dp(9)
        line = dp(theme.above(TextSize.HEAD))
        put(self.group, left, y + high - line - dp(4), right - left, line)
        put(self.total, left, y, right - left, high - line)


class DuelPanel(FloatLayout):
    """The duel: where it is fought, both sides, and the outcome."""

    def __init__(self, say: Say, upright: bool) -> None:
        super().__init__(size_hint=(None, None))
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.upright = upright
        self.title = Text(say(N_("Duel")), most=TextSize.TEXT, lines=1, bold=True, **own)
        self.where = Text(most=TextSize.TEXT, lines=1, align="right", ink=theme.now.muted, **own)
        self.sides = asks(DuelSide(), "duel"), asks(DuelSide(), "duel")
        self.shape, self.result = Shape(**own), Text(most=TextSize.HEAD, bold=True, **own)
        for child in (*self.sides, self.title, self.where, self.shape, self.result):
            self.add_widget(child)

    def show(self, duel: Duel) -> None:
        self.where.show(duel.where, shorter=duel.squares)
        for widget, side in zip(self.sides, duel.sides, strict=True):
            widget.show(side)
        self.shape.seat = duel.winner
        self.result.show(duel.result)
        self.result.bold = bool(duel.winner)
        self.do_layout()

    def unveil(self, duel: Duel, seconds: float) -> None:
        """Show both cards face down, then turning, then the totals; the winner comes last."""
        part, counts = turned(seconds), seconds >= PAUSE + COME
        up = part >= 0.5
        sides = [
            replace(side, card=side.card if up else "?", total=side.total if counts else "", wins=False)
            for side in duel.sides
        ]
        self.show(replace(duel, sides=sides, result="", winner=""))
        for widget in self.sides:
            widget.turn(part)

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high), gap = self.pos, self.size, dp(BETWEEN)
        line = dp(theme.above(TextSize.TEXT))
        if self.upright:
            for part in (self.title, self.where, self.shape, self.result):
                part.opacity = 0
            each = (wide - gap) / 2
            for at, side in enumerate(self.sides):
                put(side, x + at * (each + gap), y, each, high)
            return
        head = long(self.title.text, TextSize.TEXT, True) + dp(6)
        put(self.title, x, y + high - line, head, line)
        put(self.where, x + head, y + high - line, wide - head, line)
        foot = max(theme.either(line, 2.1 * line), min(dp(76), high - line - 2 * dp(122) - 3 * gap))
        each = (high - line - foot - 2 * gap) / 2
        for at, side in enumerate(self.sides):
            put(side, x, y + foot + gap + (1 - at) * (each + gap) - gap / 2, wide, each)
        mark = dp(28) if self.shape.seat else 0
        put(self.shape, x, y + (foot - mark) / 2, mark, mark)
        put(self.result, x + mark + (dp(8) if mark else 0), y, wide - mark - dp(8), foot)


class WayTap(Touchable):
    """A kind of act that can be chosen, and its explanation."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__(act, size_hint=(None, None))
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.back = Backdrop(self, None)
        self.verb = Text(most=TextSize.HEAD, lines=1, bold=True, **own)
        self.text = Text(most=TextSize.TEXT, upright="top", **own)
        self.add_widget(self.verb)
        self.add_widget(self.text)

    def show(self, way: Way, chosen: bool) -> None:
        look = theme.now
        self.back.paint(*(look.seal, look.rim, 1) if chosen else (look.panel, look.accent, 1.5))
        for text, words, ink in ((self.verb, way.verb, look.ink), (self.text, way.text, look.muted)):
            text.show(words)
            text.color = theme.rgba(look.on_seal if chosen else ink)

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high), pad = self.pos, self.size, dp(12)
        head = dp(theme.above(TextSize.HEAD))
        put(self.verb, x + pad, y + high - head - dp(4), wide - 2 * pad, head)
        put(self.text, x + pad, y + dp(2), wide - 2 * pad, high - head - dp(8))


class WayPanel(Widget):
    """The kinds of act open to the seat to move: a touch on one lights the groups that can begin it."""

    def __init__(self, choose: Callable[[str], object]) -> None:
        super().__init__()
        self.title = Text(most=TextSize.TEXT, lines=1, bold=True)
        self.taps = {act: WayTap(partial(choose, act)) for act in WAYS}
        self.add_widget(self.title)
        self.bind(pos=self._lay, size=self._lay)

    def show(self, title: str, ways: Sequence[Way], chosen: str) -> None:
        self.title.show(title)
        for way in ways:
            self.taps[way.act].show(way, way.act == chosen)
        shown = [self.taps[way.act] for way in ways]
        for tap in self.taps.values():
            if (tap in shown) != bool(tap.parent):
                (self.add_widget if tap in shown else self.remove_widget)(tap)
        self._lay()

    def _lay(self, *_: object) -> None:
        (x, y), (wide, high), gap = self.pos, self.size, dp(BETWEEN)
        line = dp(theme.above(TextSize.TEXT))
        abreast = self.width > 2 * self.height  # no room then for the title; the band names the seat
        self.title.opacity = 0 if abreast else 1
        put(self.title, x, y + high - line, wide, line)
        shown = [tap for tap in self.taps.values() if tap.parent]
        top, count = y + high - (0 if abreast else line + gap), max(1, len(shown))
        broad = (wide - gap * (count - 1)) / count if abreast else wide
        tall = min(dp(theme.either(104, 124)), (top - y) if abreast else (top - y - gap * (count - 1)) / count)
        for at, tap in enumerate(shown):
            put(tap, x + at * (broad + gap) * abreast, top - tall - at * (tall + gap) * (not abreast), broad, tall)


class CaesarBoard(FieldBoard[Caesar]):
    """The squares, and beside them the duel, the possible acts, or the number that matters."""

    peaceful, meanings = "join", {"join": N_("Alliance"), "fight": N_("Attack")}
    margin = 10, 4

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(act, go, say, upright, Squares(self.tap, self.ask))
        self._away = 0  # the number of the duel that was put away
        self.way = ""  # the kind of act that has been chosen
        self.number = HeadlineBanner()
        self.duel, self.ways = DuelPanel(say, upright), WayPanel(self.choose)

    def show(self, centre: Caesar) -> None:
        if centre.fought and centre.fought == self._away:
            centre = centre.put_away()
        asks(self.number.value, *(centre.about or ("",)))
        if centre.duel:
            self.duel.show(centre.duel)
        if self.way not in [way.act for way in centre.ways]:
            self.way = ""
        self.number.show(centre.big)
        super().show(centre)
        moved = centre.moved
        self.field.mover.show(moved.seat if moved else "", moved.size if moved else 0)

    def unveil(self, centre: Caesar, seconds: float) -> None:
        """Reveal the duel; the squares stay as they were until the winner is announced."""
        if centre.duel:
            self.acts.show([])  # there is nothing to be done meanwhile
            self.do_layout()
            self.duel.unveil(centre.duel, seconds)

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high), gap = self.pos, self.size, dp(BETWEEN)
        margin = dp(MARGIN)
        if self.upright:
            side = min(wide, high - dp(92) - gap)
            put(self.field, x + (wide - side) / 2, y, side, side)
            self._lay_panel((x, y + side + gap), (wide, high - side - gap))
        else:
            side = min(high, 5 * dp(theme.either(64, 58)) + 4 * dp(4) + margin)
            put(self.field, x + wide - side, y + (high - side) / 2, side, side)
            self._lay_panel((x, y + dp(4)), (wide - side - gap, high - dp(8)))

    def _lay_panel(self, pos: tuple[float, float], size: tuple[float, float]) -> None:
        """Place the panel beside the squares, and below it what a finger can do."""
        if not hasattr(self, "centre"):
            return
        (x, y), (wide, high), gap = pos, size, dp(BETWEEN)
        centre, foot = self.centre, dp(theme.above(TextSize.TEXT, 2))
        below: list[Widget] = [self.acts] if self.acts.taps and self.acts.taps[0].parent else []
        if not below and centre.note and not centre.duel and (self.start or not (self.upright and centre.ways)):
            below = [self.legend if self.start else self.note]
        if self.upright and below:
            share = min(wide * 0.4, self.acts.needed(wide, high)) if below == [self.acts] else wide * 0.42
            put(below[0], x + wide - share, y, share, high)
            wide -= share + gap
        elif below:
            foot = min(foot if below != [self.acts] else dp(2 * 60 + 8), high / 2)
            put(below[0], x, y, wide, foot)
            y, high = y + foot + gap, high - foot - gap
        shown: Widget = self.number
        if centre.duel and centre.phase != "over":
            shown = self.duel
        elif centre.ways and not (self.upright and below):
            shown = self.ways
        put(shown, x, y, wide, high)
        self.present(shown, *below)

    def free(self) -> Place | None:
        """Return the rows of squares above or below a duel: nobody touches them until it is fought."""
        if self.centre.phase != "choosing":
            return None
        fought = {int(place[1]) for place, group in self.centre.groups.items() if group.fights}
        spots = self.field.spots
        above, below = 5 - max(fought, default=0), min(fought, default=6) - 1
        if max(above, below) < TIP_ROWS:
            return None
        first = 6 - TIP_ROWS if above >= below else 1
        low, high = spots[f"a{first}"], spots[f"e{first + TIP_ROWS - 1}"]
        return low.x, low.y, high.right - low.x, high.top - low.y

    def tap(self, place: str) -> None:
        """Put away a fought duel, then act; where nothing can be done, ask about the group."""
        if self.centre.fought:
            self._away = self.centre.fought
            self.show(self.centre)
        if self.centre.phase in ("choosing", "over"):
            self.ask(place)
            return
        action = self.centre.taps.get((self.start, place))
        other = self.start and action is not None and action.verb != self.way
        if self.way and (other or (not self.start and place not in self.centre.able(self.way))):
            self.way = self.start = ""  # another group of the same player is taken up, for any of its acts
        super().tap(place)

    def choose(self, way: str) -> None:
        """Choose a kind of act, or no longer; a single group that can begin it is taken up at once."""
        self.way = "" if way == self.way else way
        able = self.centre.able(self.way)
        self.start = next(iter(able)) if len(able) == 1 else ""
        self.paint_places()

    def do(self, action: Action) -> None:
        self.way = ""
        super().do(action)

    def sign(self, place: str) -> str:
        """Return the sign of a place; of the kind of act that has been chosen, if one has."""
        sign = super().sign(place)
        if not self.way or sign in ("", "start"):
            return sign
        action = self.centre.taps.get((self.start, place))
        fits = action is not None and action.verb == self.way if self.start else place in self.centre.able(self.way)
        return sign if fits else ""

    def ask(self, place: str) -> None:
        """Ask what the group at this place is made of; do nothing where there is none."""
        if place in self.centre.groups:
            self.go("why", number=("group", place))

    def paint_places(self) -> None:
        self.ways.show(self.centre.title, self.centre.ways, self.way)
        self.note.show(next((way.next for way in self.centre.ways if way.act == self.way), self.centre.note))
        super().paint_places()
        for place, square in self.field.spots.items():
            group = self.centre.groups.get(place)
            sign = self.sign(place) or ("about" if group and group.fights else "")
            fresh = self.marked.number if self.marked and place == self.marked.to else 0
            left = self.centre.left.get(place, "") if not self.start else ""
            square.show(group, sign, bool(self.start and group and not sign), fresh, left)
