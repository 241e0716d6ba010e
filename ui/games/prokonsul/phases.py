"""The parts of Prokonsul's centre: one widget per phase, built once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import SystemRandom

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from ui import theme
from ui.games.parts.bar import SumBar
from ui.games.parts.board import Act, Go, Say
from ui.games.parts.sealed_cards import CARD, SealedCards
from ui.games.prokonsul.ask_tiles import AskTile, MovingPawns
from ui.games.prokonsul.model import Prokonsul
from ui.layout import BETWEEN
from ui.theme import TextSize
from ui.widgets.annotations import asks, lies
from ui.widgets.box import column, high, put, row
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text, level, long

OFFER, COALITION, TRANSFER = "prokonsul.offer", "prokonsul.coalition", "prokonsul.transfer"
"""The pads of the negotiations."""


class PhaseBox(BoxLayout):
    """A phase's part of the centre."""

    head = head_width = 0.0
    """The share that the number takes: upright of the height, else of the width."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(orientation="vertical", spacing=dp(theme.GAP))
        self.act, self.go, self.say, self.upright = act, go, say, upright
        self.build()

    def beside(self, wide: float, high: float) -> None:
        """Leave this much room for the number at the upper left."""
        self.head, self.head_width = high, wide
        self.padding = (0, high, 0, 0) if self.upright else (wide, 0, 0, 0)

    def build(self) -> None:
        """Make the widgets."""

    def show(self, centre: Prokonsul) -> None:
        """Change what the widgets show."""


def swap_in(box: BoxLayout, parts: Sequence[Widget]) -> None:
    """Fill the box with these parts and nothing else."""
    if box.children[::-1] != list(parts):
        box.clear_widgets()
        for part in parts:
            box.add_widget(part)


class DrawnPawns(PhaseBox):
    """The pawn row, tapped in as it was drawn."""

    def build(self) -> None:
        self.spacing = dp(3)
        self.order: list[str] = []
        self.seats: Sequence[str] = ()
        self.names: Sequence[tuple[str, ...]] = ()
        self.taps = [Tap("", most=TextSize.TEXT) for _ in range(5)]
        for at, tap in enumerate(self.taps):
            tap.act = partial(self._draw, at)
        cols = 3 if self.upright or theme.letters > 1 else 5  # a name has room in each
        self.left = high(
            GridLayout(cols=cols, spacing=dp(theme.either(2, 0))), theme.either(114, 108) if cols == 3 else 62
        )
        self.slots = [Shape() for _ in range(5)]
        self.drawn = row(*self.slots, pad=(8, 4))
        self.again = Tap(most=TextSize.TEXT)
        self.done = Tap(self.say(N_("Set this row")), self._send_order, kind="main", most=TextSize.TEXT)
        self.note = Text(most=TextSize.TEXT, ink=theme.now.muted)
        self.note.bind(height=self._hint)
        self.add_widget(self.note)
        self.add_widget(self.left)
        self.add_widget(high(row(self.drawn, self.again, self.done), theme.either(52, 60)))

    def show(self, centre: Prokonsul) -> None:
        self.note.show(centre.note)
        self.names = centre.names
        if centre.seats != self.seats:
            self.seats = centre.seats
            self.left.clear_widgets()
            for tap, seat in zip(self.taps, self.seats, strict=False):
                tap.shape.seat = seat
                self.left.add_widget(tap)
        self._start_again()

    def _hint(self, note: Text, height: float) -> None:
        """Hide the note where it lacks height; the top line says it too."""
        note.opacity = 1 if height > dp(theme.above(TextSize.LABEL, 2)) else 0

    def _draw(self, at: int) -> None:
        """Add a pawn to the row; add the last one with it, as it is then known."""
        self.order.append(self.seats[at])
        left = [seat for seat in self.seats if seat not in self.order]
        self.order += left if len(left) == 1 else []
        self._show_order()

    def _start_again(self) -> None:
        self.order = []
        self._show_order()

    def _send_order(self) -> None:
        self.act({"event": "pawns", "order": self.order})

    def _draw_all(self) -> None:
        """Draw the whole row by lot, for people who do not draw pawns from a bag."""
        self.act({"event": "pawns", "order": SystemRandom().sample(self.seats, len(self.seats))})

    def _show_order(self) -> None:
        for tap, seat, (name, *shorter) in zip(self.taps, self.seats, self.names, strict=False):
            tap.show(name, disabled=seat in self.order, seat=seat, shorter=tuple(shorter))
        for at, slot in enumerate(self.slots):
            slot.seat = self.order[at] if at < len(self.order) else ""
        self.again.show(self.say(N_("Start again") if self.order else N_("Draw by lot")))
        self.again.act = self._start_again if self.order else self._draw_all
        self.done.show(self.done.words.text, disabled=len(self.order) < len(self.seats))


class PawnMoves(PhaseBox):
    """The move of the black pawn, by a tap on the provinces below; then the pawn row."""

    def build(self) -> None:
        self.pawns, self.empty = high(MovingPawns(self.say(N_("Pawn row:"))), 24), Widget()
        self.asked = Text(self.say(N_("Tap a province below")), most=TextSize.HEAD, bold=True, upright="bottom")
        self.note = Text(most=TextSize.TEXT, ink=theme.now.muted, upright="top")

    def show(self, centre: Prokonsul) -> None:
        self.note.show(centre.note)
        if centre.row:
            self.pawns.show(centre.row)
        told = [self.asked, self.note] if centre.note else [self.empty]  # a past moment asks for nothing
        swap_in(self, [*told, *([self.pawns] if centre.row else [])])


class Choosing(PhaseBox):
    """The seats' places; below them the call to open, what is to be done, or the pawn row."""

    def build(self) -> None:
        self.pawns = MovingPawns(self.say(N_("Pawn row:")))
        self.sealed = SealedCards()
        self.note = Text(most=TextSize.TEXT, ink=theme.now.muted)
        self.call = Text(most=TextSize.FIGURE, lines=1, align="center", bold=True)
        self.reveal = Tap(self.say(N_("Reveal the cards")), lambda: self.act({"event": "reveal"}), most=TextSize.TEXT)

    def show(self, centre: Prokonsul) -> None:
        self.sealed.show(centre.sealed)
        self.note.show(centre.note)
        self.call.show(centre.call)
        told: Widget = self.call if centre.call else self.note
        if centre.row and not (centre.call or centre.note):
            told = self.pawns
            self.pawns.show(centre.row)
        swap_in(self, [self.sealed, told, *([self.reveal] if centre.reveal else [])])
        self.do_layout()

    def unveil(self, centre: Prokonsul, seconds: float) -> None:
        """Turn the cards in their places; nothing is to be done meanwhile."""
        swap_in(self, [self.sealed])
        if centre.sealed:
            self.sealed.unveil(centre.sealed, seconds)

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high), gap = self.pos, self.size, dp(BETWEEN)
        least = (
            gap if not self.upright else dp(theme.above(TextSize.TEXT))
        )  # the ticks stand out; upright the count below
        tall = max(self.head - gap, dp(CARD[1]) + 2 * least)
        put(self.sealed, x + self.head_width, y + high - tall, wide - self.head_width, tall)
        act = dp(theme.grown(184)) if self.reveal.parent else 0
        put(self.reveal, x + wide - act, y, act, dp(60))
        put(self.note, x, y, wide - act - gap, dp(theme.either(72, 60)))
        put(self.call, x, y, wide - act - gap, dp(theme.either(72, 60)))
        put(self.pawns, x, y, wide - act - gap, dp(24))


class Pleading(PhaseBox):
    """The bar beside the target; below both the seats to ask or the offer, then the pawn row."""

    def build(self) -> None:
        self.bar = SumBar(self.say(N_("to go")))
        self.held = Text(most=TextSize.TEXT, lines=1, bold=True)
        self.note = Text(most=TextSize.LABEL, lines=1, ink=theme.now.muted, align="right", cuts=True)
        self.asks = [AskTile() for _ in range(4)]
        self.offer = Text(most=TextSize.TEXT, cuts=True)
        self.yes = Tap(self.say(N_("Yes")), lambda: self._answer_offer(True), kind="main", most=TextSize.TEXT)
        self.no = Tap(self.say(N_("No")), lambda: self._answer_offer(False), most=TextSize.TEXT)
        self.change = Tap(self.say(N_("New offer")), lambda: self.go(OFFER, to=self.asked), most=TextSize.TEXT)
        self.pawns = MovingPawns(
            self.say(N_("Ties:")), self.say(N_("Next to plead:")), self.say(N_("If it fails, it goes to"))
        )
        self.asked = ""
        self.answering = False

    def _answer_offer(self, accept: bool) -> None:
        self.act({"event": "answer", "seat": self.asked, "accept": accept})

    def show(self, centre: Prokonsul) -> None:
        plea = centre.plea
        if not plea or not centre.row:
            return
        asks(self.held, "held", plea.bar.seat).show(plea.bar.text)
        lies(asks(self.bar, "held", plea.bar.seat), f"before {plea.bar.seat}")
        self.note.show(centre.note, shorter=centre.note_shorter)
        self.bar.show(plea.bar)
        self.asked, self.answering = plea.asked, bool(plea.offer)
        lies(self.offer, "offer").show(plea.offer)
        for tile, ask in zip(self.asks, plea.ask, strict=False):
            tile.act = partial(self.go, OFFER, to=ask.seat)
            lies(tile, f"before {ask.seat}").show(ask)
        level([tile.name for tile in self.asks[: len(plea.ask)]])
        asks(self.pawns, "row").show(centre.row)
        answers = [self.no, self.yes, *([self.change] if plea.replace else [])]
        below = [self.offer, *answers] if self.answering else self.asks[: len(plea.ask)]
        swap_in(self, [self.held, self.note, self.bar, *below, self.pawns])
        self.do_layout()

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        gap, line, pawns = dp(BETWEEN), dp(theme.above(TextSize.TEXT)), dp(24)
        columns = 2 if self.upright else max(1, len(self.asks_shown))
        rows = -(-max(1, len(self.asks_shown)) // columns)
        rows = 2 if self.answering and self.upright else rows
        wanted = dp(theme.either(58, 56)) * rows + gap * (rows - 1)
        if self.upright:
            left, room = x + self.head_width, wide - self.head_width
            top = y + high
            put(self.held, left, top - line, room, line)
            put(self.note, left, top - 2 * line, room, line)
            self.note.halign = "left"
            put(self.pawns, left, top - self.head + gap, room, pawns)
            low = min(wanted, high - self.head - gap - dp(60))
            put(self.bar, x, y + low + gap, wide, min(high - self.head - low - 2 * gap, dp(108)))
            bottom = y
        else:
            left = x + self.head_width
            share = long(self.held.text, TextSize.TEXT, True) + dp(8)
            put(self.held, left, y + high - line, share, line)
            put(self.note, left + share, y + high - line, x + wide - left - share, line)
            put(self.pawns, x, y, wide, pawns)
            bottom = y + pawns + dp(4)
            low = min(wanted, high - line - pawns - gap - dp(56))
            put(self.bar, left, bottom + low + gap, x + wide - left, y + high - line - dp(6) - bottom - low - gap)
        if self.answering:
            self._lay_answer((x, bottom), (wide, low))
            return
        each, tall = (wide - gap * (columns - 1)) / columns, (low - gap * (rows - 1)) / rows
        for at, tile in enumerate(self.asks_shown):
            row_, column_ = divmod(at, columns)
            put(tile, x + column_ * (each + gap), bottom + low - tall - row_ * (tall + gap), each, tall)

    @property
    def asks_shown(self) -> Sequence[AskTile]:
        return [tile for tile in self.asks if tile.parent]

    def _lay_answer(self, pos: tuple[float, float], size: tuple[float, float]) -> None:
        """Place the offer in words, and the possible answers."""
        (x, y), (wide, high), gap = pos, size, dp(BETWEEN)
        taps = [tap for tap in (self.change, self.no, self.yes) if tap.parent]
        tall = min(dp(52), high)
        if self.upright:
            each = (wide - gap * (len(taps) - 1)) / len(taps)
            put(self.offer, x, y + tall + gap, wide, high - tall - gap)
            for at, tap in enumerate(taps):
                put(tap, x + at * (each + gap), y, each, tall)
            return
        each = min(dp(theme.grown(96)), wide * 0.6 / len(taps) - gap)
        for at, tap in enumerate(reversed(taps)):
            put(tap, x + wide - (at + 1) * each - at * gap, y + (high - tall) / 2, each, tall)
        put(self.offer, x, y, wide - len(taps) * (each + gap), high)


class Dealing(PhaseBox):
    """Free negotiation: the controls for a coalition, chips handed over, or no decision."""

    def build(self) -> None:
        self.note = Text(most=TextSize.TEXT, ink=theme.now.muted)
        coalition = Tap(self.say(N_("Name a coalition")), partial(self.go, COALITION), kind="main", most=TextSize.TEXT)
        transfer = Tap(self.say(N_("Hand over chips")), partial(self.go, TRANSFER), most=TextSize.TEXT)
        self.none = Tap(self.say(N_("No decision")), lambda: self.act({"event": "no_decision"}), most=TextSize.TEXT)
        cols = 2 if self.upright or theme.letters > 1 else 3
        self.taps = GridLayout(cols=cols, spacing=dp(theme.GAP), row_default_height=dp(60), row_force_default=True,
                               size_hint_y=None)  # fmt: skip
        self.taps.bind(minimum_height=self.taps.setter("height"))
        self.taps.add_widget(coalition)
        self.taps.add_widget(transfer)
        for part in (self.note, self.taps) if theme.letters == 1 else (self.taps,):
            self.add_widget(part)

    def show(self, centre: Prokonsul) -> None:
        self.note.show(centre.note)
        if centre.no_decision != bool(self.none.parent):
            (self.taps.add_widget if centre.no_decision else self.taps.remove_widget)(self.none)


class LastRound(PhaseBox):
    """The end of the last round, until it is touched or the next act comes."""

    def build(self) -> None:
        self.panel = Touchable()
        back = theme.now
        self.panel.back = Backdrop(self.panel, back.panel, back.accent)
        self.text = Text(most=TextSize.TEXT, bold=True, cuts=True)
        self.bar = SumBar()
        self.bar.size_hint_max_y = dp(theme.either(96, 44))
        hint = high(
            Text(self.say(N_("Tap to continue")), most=TextSize.LABEL, lines=1, align="right", ink=back.accent),
            theme.grown(18),
        )
        self.inside = column(self.text, self.bar, hint, pad=(theme.PAD, 6), pos_hint={"x": 0, "y": 0})
        self.panel.add_widget(self.inside)
        self.add_widget(self.panel)

    def show(self, centre: Prokonsul) -> None:
        if centre.ended:
            self.text.show(centre.ended.text)
            self.bar.show(centre.ended.bar)
            self.bar.opacity = 1 if centre.ended.bar.cards else 0
            self.bar.size_hint_y = 1 if centre.ended.bar.cards else 0.001


class Over(PhaseBox):
    """The winners, and the way to the result."""

    def build(self) -> None:
        self.shapes = [Shape(most=72) for _ in range(5)]
        self.line = BoxLayout(spacing=dp(theme.PAD))
        result = Tap(self.say(N_("The result")), lambda: self.go("end"), kind="main", most=TextSize.TEXT)
        self.add_widget(self.line)
        self.add_widget(high(result, 56))

    def show(self, centre: Prokonsul) -> None:
        for at, shape in enumerate(self.shapes):
            shape.seat = centre.winners[at] if at < len(centre.winners) else ""
            if bool(shape.seat) != bool(shape.parent):
                (self.line.add_widget if shape.seat else self.line.remove_widget)(shape)


PARTS: dict[str, type[PhaseBox]] = {
    "pawns": DrawnPawns,
    "province": PawnMoves,
    "choosing": Choosing,
    "pleading": Pleading,
    "answering": Pleading,
    "negotiating": Dealing,
    "over": Over,
}
