"""What stands in Prokonsul's centre in each phase: one widget a phase, built once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from ui import theme
from ui.games.parts.board import Act, Go, Say
from ui.games.prokonsul.model import Prokonsul
from ui.games.prokonsul.plea_bar import MovingPawns, PleaBar
from ui.widgets.asked import asks, lies
from ui.widgets.box import column, high, row, swap
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text

OFFER, COALITION, TRANSFER = "prokonsul.offer", "prokonsul.coalition", "prokonsul.transfer"
"""The pads of the negotiations."""


class Part(BoxLayout):
    """A phase's part of the centre."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(orientation="vertical", spacing=dp(theme.GAP))
        self.act, self.go, self.say, self.upright = act, go, say, upright
        self.build()

    def build(self) -> None:
        """Makes the widgets."""

    def show(self, centre: Prokonsul) -> None:
        """Changes what they show."""


def swap_in(box: BoxLayout, parts: Sequence[Widget]) -> None:
    """The box holds these and nothing else."""
    if box.children[::-1] != list(parts):
        box.clear_widgets()
        for part in parts:
            box.add_widget(part)


class DrawnPawns(Part):
    """The row is tapped in as it was drawn."""

    def build(self) -> None:
        self.spacing = dp(3)
        self.order: list[str] = []
        self.seats: Sequence[str] = ()
        self.names: Sequence[str] = ()
        self.taps = [Tap("", most=theme.LEAD) for _ in range(5)]
        for at, tap in enumerate(self.taps):
            tap.act = partial(self._draw, at)
        cols = 3 if self.upright else 5  # a name has room in each
        self.left = high(
            GridLayout(cols=cols, spacing=dp(theme.either(2, 0))), theme.either(114, 108) if self.upright else 62
        )
        self.slots = [Shape() for _ in range(5)]
        self.drawn = row(*self.slots, pad=(8, 4))
        self.again = Tap(self.say(N_("Start again")), self._again)
        self.done = Tap(self.say(N_("Set this row")), self._done, kind="main")
        self.note = Text(most=theme.BODY, ink=theme.now.muted)
        self.note.bind(height=self._hint)
        self.add_widget(self.note)
        self.add_widget(self.left)
        self.add_widget(high(row(self.drawn, self.again, self.done), theme.either(52, theme.TOUCH)))

    def show(self, centre: Prokonsul) -> None:
        self.note.show(centre.note)
        self.names = centre.names
        if centre.seats != self.seats:
            self.seats = centre.seats
            self.left.clear_widgets()
            for tap, seat in zip(self.taps, self.seats, strict=False):
                tap.shape.seat = seat
                self.left.add_widget(tap)
        self._again()

    def _hint(self, note: Text, height: float) -> None:
        """The top line says it too."""
        note.opacity = 1 if height > dp(theme.lines(2, theme.SMALL)) else 0

    def _draw(self, at: int) -> None:
        self.order.append(self.seats[at])
        self._paint()

    def _again(self) -> None:
        self.order = []
        self._paint()

    def _done(self) -> None:
        self.act({"event": "pawns", "order": self.order})

    def _paint(self) -> None:
        for tap, seat, name in zip(self.taps, self.seats, self.names, strict=False):
            tap.show(name, disabled=seat in self.order, seat=seat)
        for at, slot in enumerate(self.slots):
            slot.seat = self.order[at] if at < len(self.order) else ""
        self.done.show(self.done.words.text, disabled=len(self.order) < len(self.seats))


class PawnMoves(Part):
    """The black pawn moves: the provinces below are tapped."""

    def build(self) -> None:
        self.head = Text(self.say(N_("Tap a province below")), most=theme.TITLE, bold=True, upright="bottom")
        self.note = Text(most=theme.BODY, ink=theme.now.muted, upright="top")
        self.add_widget(self.head)
        self.add_widget(self.note)

    def show(self, centre: Prokonsul) -> None:
        self.note.show(centre.note)


class Choosing(Part):
    """Who has a card down; whose fist is closed; the word everybody waits for."""

    def build(self) -> None:
        self.taps = [Tap("") for _ in range(5)]
        self.line = row(gap=2, size_hint_y=None, height=dp(theme.grown(66)))
        self.bind(height=self._fit)
        self.note = Text(most=theme.BODY, ink=theme.now.muted)
        self.call = Text(most=theme.TARGET, least=theme.BANNER, lines=1, align="center", bold=True, ink=theme.now.ink)
        self.reveal = Tap(self.say(N_("Reveal the cards")), lambda: self.act({"event": "reveal"}), size_hint_y=None,
                          height=dp(52), pos_hint={"center_y": 0.5})  # fmt: skip
        self.below = BoxLayout()
        self.hint = row(self.note)
        self.add_widget(self.line)
        self.add_widget(self.below)
        self.seats: Sequence[str] = ()

    def show(self, centre: Prokonsul) -> None:
        if centre.seats != self.seats:
            self.seats = centre.seats
            self.line.clear_widgets()
            for tap in self.taps[: len(self.seats)]:
                self.line.add_widget(tap)
        for tap, chooser in zip(self.taps, centre.choosers, strict=False):
            tap.act = partial(self.go, "choose", seat=chooser.seat)
            tap.show(chooser.text, kind="quiet" if chooser.down else "plain", seat=chooser.seat)
        self.note.show(centre.note)
        self.call.show(centre.call)
        if centre.reveal and self.reveal.parent is None:
            self.hint.add_widget(self.reveal)
        elif not centre.reveal and self.reveal.parent:
            self.hint.remove_widget(self.reveal)
        self._fit()
        swap(self.below, self.call if centre.call else self.hint)

    def _fit(self, *_: object) -> None:
        """Where there is little height the seats give way to what all wait for, and what the top line says goes."""
        below = dp(52) + self.spacing if self.reveal.parent else 0
        self.line.height = max(dp(theme.TOUCH), min(dp(theme.grown(66)), self.height - below))
        self.note.opacity = 1 if self.height - self.line.height > dp(theme.lines(1, theme.SMALL)) + self.spacing else 0


class Pleading(Part):
    """The bar, whom to ask or what is offered, and the pawn row."""

    def build(self) -> None:
        self.bar = PleaBar(size_hint_max_y=dp(64), size_hint_min_y=dp(theme.grown(23)))
        self.held = Text(most=theme.LEAD, lines=1, bold=True)
        self.note = Text(most=theme.SMALL, lines=1, ink=theme.now.muted,
                         align="left" if self.upright else "right", size_hint_x=1)  # fmt: skip
        self.asks = [Tap("") for _ in range(4)]
        self.ask = GridLayout(cols=2 if self.upright else 4, spacing=dp(theme.GAP))
        self.offer = Text(most=theme.LEAD)
        self.yes = Tap(self.say(N_("Yes")), lambda: self._answer(True), kind="main", most=theme.LEAD)
        self.no = Tap(self.say(N_("No")), lambda: self._answer(False), most=theme.LEAD)
        self.change = Tap(self.say(N_("New offer")), lambda: self.go(OFFER, to=self.asked), size_hint_x=1.6)
        self.answers = high(row(self.yes, self.no), 48)
        self.answer = column(self.offer, self.answers, gap=3)
        self.middle = high(BoxLayout(), self._asking())
        least, most = (44, 84) if self.upright else (28, 54)
        self.pawns = MovingPawns(  # the first to have what height there is, and the first to give some back
            self.upright, size_hint_y=100, size_hint_min_y=dp(theme.grown(least)), size_hint_max_y=dp(theme.grown(most))
        )
        self.asked, self.offered = "", False
        self.spacing = dp(3)
        stacked = self.upright or theme.letters > 1
        self.stacked = stacked
        self.heads = high((column if stacked else row)(self.held, self.note, gap=2), 0)
        self.bind(height=self._fit)

    def _answer(self, accept: bool) -> None:
        self.act({"event": "answer", "seat": self.asked, "accept": accept})

    def show(self, centre: Prokonsul) -> None:
        plea = centre.plea
        if not plea or not centre.row:
            return
        asks(self.held, "held", plea.bar.seat).show(plea.bar.text)
        lies(asks(self.bar, "held", plea.bar.seat), f"before {plea.bar.seat}")
        self.note.show(centre.note)
        self.note.size_hint_x = max(0.7, min(1.3, len(centre.note) / max(1, len(plea.bar.text))))
        self.bar.show(plea.bar)
        self.asked = plea.asked
        lies(self.offer, "offer").show(plea.offer)
        self._buttons(centre)
        swap(self.middle, self.answer if plea.offer else self.ask)
        asks(self.pawns, "row").show(centre.row)
        self.offered = bool(plea.offer)
        self._fit()

    def _asking(self) -> float:
        """How high those who can be asked are, in dp; large words stand below their shapes."""
        return theme.TOUCH + 3 + theme.either(57, 90) if self.upright else theme.either(theme.TOUCH, 74)

    def _fit(self, *_: object) -> None:
        """Where there is little height, what is said elsewhere too gives way: the note, the row, the bar.

        An offer is said in large letters: the row comes back with the answer.
        """
        wanted = theme.TOUCH + 3 + theme.grown(51) if self.offered and not self.upright else self._asking()
        room, line = self.height, dp(theme.grown(20))
        least = line + dp(wanted if not self.offered else theme.TOUCH + 3 + theme.lines(2, theme.SMALL)) + self.spacing
        bar = least + self.bar.size_hint_min_y + self.spacing <= room
        least += (self.bar.size_hint_min_y + self.spacing) * bar
        row_ = self.upright or not self.offered
        short = dp(wanted - theme.TOUCH - 3 - theme.lines(2, theme.SMALL)) if self.offered else 0
        row_ = row_ and least + short + self.pawns.size_hint_min_y + self.spacing <= room
        least += (self.pawns.size_hint_min_y + self.spacing) * row_
        note = not self.stacked or least + short + dp(theme.grown(18)) <= room
        self.heads.height = line + dp(theme.grown(18)) * (self.stacked and note)
        swap_in(self.heads, [self.held, self.note] if note else [self.held])
        rest = self.heads.height + self.spacing + (self.bar.size_hint_min_y + self.spacing) * bar
        self.middle.height = max(1.0, min(dp(wanted), room - rest))
        parts = [self.heads, *[self.bar] * bar, self.middle, *[self.pawns] * row_]
        swap_in(self, parts)

    def _buttons(self, centre: Prokonsul) -> None:
        assert centre.plea
        for tap, ask in zip(self.asks, centre.plea.ask, strict=False):
            tap.act = partial(self.go, OFFER, to=ask.seat)
            lies(tap, f"before {ask.seat}").show(ask.text, disabled=not ask.can, seat=ask.seat)
            if tap.parent is None:
                self.ask.add_widget(tap)
        if not self.upright:
            self.ask.cols = len(centre.plea.ask)
        if centre.plea.replace != bool(self.change.parent):
            (self.answers.add_widget if centre.plea.replace else self.answers.remove_widget)(self.change)


class Dealing(Part):
    """Free negotiation."""

    def build(self) -> None:
        self.note = Text(most=theme.BODY, ink=theme.now.muted)
        coalition = Tap(self.say(N_("Name a coalition")), partial(self.go, COALITION), kind="main", most=theme.LEAD)
        transfer = Tap(self.say(N_("Hand over chips")), partial(self.go, TRANSFER), most=theme.LEAD)
        self.none = Tap(self.say(N_("No decision")), lambda: self.act({"event": "no_decision"}), most=theme.LEAD)
        cols = 2 if self.upright and theme.letters > 1 else 3
        self.taps = GridLayout(cols=cols, spacing=dp(theme.GAP), row_default_height=dp(60), row_force_default=True,
                               size_hint_y=None)  # fmt: skip
        self.taps.bind(minimum_height=self.taps.setter("height"))
        self.taps.add_widget(coalition)
        self.taps.add_widget(transfer)
        for part in (Widget(size_hint_y=0.3), self.taps, self.note):
            self.add_widget(part)

    def show(self, centre: Prokonsul) -> None:
        self.note.show(centre.note)
        if centre.no_decision != bool(self.none.parent):
            (self.taps.add_widget if centre.no_decision else self.taps.remove_widget)(self.none)


class LastRound(Part):
    """How the last round was won, until it is touched or the next act comes."""

    def build(self) -> None:
        self.panel = Touchable()
        back = theme.now
        self.panel.back = Backdrop(self.panel, back.panel, back.accent)
        self.text = Text(most=theme.TITLE, bold=True)
        self.bar = PleaBar(size_hint_max_y=dp(64), size_hint_min_y=dp(30))
        hint = high(
            Text(self.say(N_("Touch to go on")), most=theme.BODY, lines=1, align="right", ink=back.accent),
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
            self.bar.size_hint_y = theme.either(1, 0.2) if centre.ended.bar.cards else 0.001


class Over(Part):
    """The winners, and the way to the result."""

    def build(self) -> None:
        self.shapes = [Shape(most=72) for _ in range(5)]
        self.line = BoxLayout(spacing=dp(theme.PAD))
        result = Tap(self.say(N_("The result")), lambda: self.go("end"), kind="main", most=theme.LEAD)
        self.add_widget(self.line)
        self.add_widget(high(result, 56))

    def show(self, centre: Prokonsul) -> None:
        for at, shape in enumerate(self.shapes):
            shape.seat = centre.winners[at] if at < len(centre.winners) else ""
            if bool(shape.seat) != bool(shape.parent):
                (self.line.add_widget if shape.seat else self.line.remove_widget)(shape)


PARTS: dict[str, type[Part]] = {
    "pawns": DrawnPawns,
    "province": PawnMoves,
    "choosing": Choosing,
    "pleading": Pleading,
    "answering": Pleading,
    "negotiating": Dealing,
    "over": Over,
}
