"""The virtual table: cards that are tapped or dragged onto readers, and buttons that are held."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.play.match import Match
from companion.rules import N_
from ui import theme
from ui.page import App
from ui.page import Dock as VirtualTable
from ui.table.dock import Dock, DockCard, DockSeat, Slot, dock
from ui.table.moment import Moment
from ui.widgets.box import high, row, wide
from ui.widgets.shape import CardFace, Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text

CROWD = 5
"""With more seats than this an upright screen has no room for everything in one row."""
ABREAST = 9
"""How many cards of a finger's width an upright screen has room for in one row."""


class Fist(Touchable):
    """A seat's button: down while a finger is on it."""

    def __init__(self, bar: DockBar) -> None:
        super().__init__()
        self.bar, self.seat = bar, ""
        self.always_release = True  # also where the finger has slid off it
        self.back = Backdrop(self, theme.now.panel)
        self.shape = Shape(size_hint=(None, None), size=(dp(24), dp(24)), pos_hint={"center_x": 0.5, "center_y": 0.6})
        self.digit = Text(
            most=theme.FINE,
            lines=1,
            align="center",
            ink=theme.now.muted,
            size_hint=(1, 0.3),
            pos_hint={"x": 0, "y": 0.02},
            fine=True,
        )
        self.add_widget(self.shape)
        self.add_widget(self.digit)

    def show(self, seat: DockSeat) -> None:
        self.seat, self.shape.seat = seat.seat, seat.seat
        self.digit.show(seat.key)
        look = theme.now
        if seat.closed:  # every shape, also the black one, is seen on the colour of lines
            self.back.paint(look.line, look.ink, 4)
        else:
            self.back.paint(look.panel, look.accent if seat.awaited else look.ink if seat.chosen else look.line)
        self.digit.color = theme.rgba(look.ink if seat.closed else look.muted)

    def on_press(self) -> None:
        self.bar.hold(self.seat, True)

    def on_release(self) -> None:
        self.bar.hold(self.seat, False)


class HandCard(Touchable):
    """A card of the seat shown: tapped or dragged onto a reader, tapped again to lift it."""

    def __init__(self, bar: DockBar) -> None:
        super().__init__()
        self.bar, self.card = bar, DockCard("", False, False)
        self.always_release = True  # a dragged card ends elsewhere
        self.face = CardFace(size_hint=(None, None))
        self.add_widget(self.face)
        self.bind(pos=self._settle, size=self._settle)

    def show(self, card: DockCard) -> None:
        self.card = card
        self.face.show(card.card)
        self.face.opacity = 0 if not card.card else 0.3 if card.spent else 1
        self.face.back.paint(theme.now.card, theme.now.accent if card.lying else theme.now.line)
        self._settle()

    def _settle(self, *_: object) -> None:
        self.face.size = (min(self.width, dp(46)), self.height - dp(8))
        self.face.x = self.x + (self.width - self.face.width) / 2
        self.face.y = self.y + (dp(8) if self.card.lying else 0)

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is self and self.card.card:
            self.face.center = touch.pos
        return bool(super().on_touch_move(touch))

    def on_touch_up(self, touch: Any) -> bool:
        mine = touch.grab_current is self
        moved = mine and abs(touch.x - touch.ox) + abs(touch.y - touch.oy) > dp(16)
        if moved:
            self.act = lambda: self.bar.drop(self.card.card, touch.pos)
        elif mine:
            self.act = lambda: self.bar.tap(self.card)
        done = bool(super().on_touch_up(touch))
        if mine:
            self._settle()
        return done


class ReaderSlot(Touchable):
    """A reader: cards are dropped here; a tap lifts them all."""

    def __init__(self, bar: DockBar) -> None:
        super().__init__()
        self.reader = ""
        self.act = bar.lift_all
        self.back = Backdrop(self, theme.now.sunk, theme.now.line)
        self.text = Text(
            most=theme.SMALL, align="center", fine=True, size_hint=(0.94, 0.5), pos_hint={"center_x": 0.5, "top": 1}
        )
        self.count = Text(
            most=theme.LEAD, lines=1, align="center", bold=True, size_hint=(1, 0.46), pos_hint={"x": 0, "y": 0.04}
        )
        self.add_widget(self.text)
        self.add_widget(self.count)

    def show(self, slot: Slot) -> None:
        self.reader = slot.reader
        self.text.show(slot.text)
        self.count.show(str(slot.count))


class DockBar(BoxLayout):
    """The dock under the table; with `fold` it lies over the foot of the table until that is called."""

    def __init__(self, app: App, dock: VirtualTable, fold: Callable[[], Any] | None = None) -> None:
        super().__init__(orientation="vertical", spacing=dp(4), size_hint_y=None)
        self.folds = bool(fold)
        self.app, self.dock, self.seat = app, dock, ""
        self._keys: set[int] = set()
        self.fists = [wide(Fist(self), 52) for _ in range(7)]
        self.buttons = row(gap=4)
        self.hint = Text(most=theme.BODY, ink=theme.now.muted, fine=True)
        self.all = wide(Tap("", self._all), 92)
        self.slots = [wide(ReaderSlot(self), 74) for _ in range(2)]
        self.readers = row(gap=4)
        self.pile = wide(Tap("", self._flip), 74)
        self._game: Match | None = None
        self._order: list[str] = []  # of the cards of the pile, which is shuffled once a game
        self.cards = [high(HandCard(self), 52 if app.upright else 58) for _ in range(13)]
        self.hand = GridLayout(cols=13, spacing=dp(3), size_hint_y=None)
        self.hand.bind(minimum_height=self.hand.setter("height"))
        self.readers.size_hint_x = self.buttons.size_hint_x = None
        self.first = high(row(self.buttons, self.readers, self.all), 52)
        if fold:
            self.back, self.padding = Backdrop(self, theme.now.stone, theme.now.accent, 2), dp(theme.GAP)
            self.close = wide(Tap(app.say(N_("Back")), fold), theme.grown(66))
        if app.upright and fold:
            self.first.remove_widget(self.all)
            self.first.add_widget(Widget(), index=1)
            self.add_widget(high(row(self.hint, self.all, self.close, pad=(theme.GAP, 0)), theme.TOUCH))
        elif app.upright:
            self.add_widget(high(self.hint, 22))
            self.first.add_widget(Widget(), index=2)
        else:
            self.first.add_widget(self.hint, index=2)
            if fold:
                self.first.add_widget(self.close)
        self.add_widget(self.first)
        self.bind(minimum_height=self.setter("height"))
        self._dock: Dock | None = None
        self._deal_next = Clock.create_trigger(self._deal)
        """Deals in the next frame, for which that is work enough."""

    def show(self, m: Moment) -> None:
        if self.app.match is not self._game:
            self._game, self._order = self.app.match, [str(card) for card in m.game.cards(m.options, None)]
            self.dock.chance.shuffle(self._order)
        model = dock(m, self.seat, self.dock.deck, self._on_readers(), self._order)
        self.seat = model.seat
        for card in model.up:
            self._lift(card)
        if model != self._dock:
            self._dock = model
            self._paint(model)

    def hush(self, on: bool) -> None:
        """Upright the hint gives its room to a lesson."""
        if self.app.upright and not self.folds and on == bool(self.hint.parent):
            self.remove_widget(self.hint) if on else self.add_widget(self.hint, index=len(self.children))

    def _paint(self, model: Dock) -> None:
        for at, fist in enumerate(self.fists):
            if at < len(model.seats):
                fist.show(model.seats[at])
            _present(self.buttons, fist, at < len(model.seats))
        squeezed = self.folds and not self.app.upright and len(model.seats) > CROWD
        self.hint.show("" if squeezed else model.hint)
        self.all.show(model.all_text, kind="main" if model.all_hold else "plain")
        for at, slot in enumerate(self.slots):
            if at < len(model.slots):
                slot.show(model.slots[at])
            _present(self.readers, slot, at < len(model.slots))
        self.pile.show(model.pile, kind="main" if model.top else "plain", disabled=not model.top)
        _present(self.readers, self.pile, bool(model.pile))
        self._measure(len(model.seats))
        if bool(model.cards) == bool(self.hand.parent):
            self._deal()
        else:  # the whole page makes room for it
            self._deal_next()

    def _deal(self, *_: object) -> None:
        assert self._dock
        cards = self._dock.cards
        if self.app.upright and cards:
            rows = -(-len(cards) // ABREAST)
            self.hand.cols = -(-len(cards) // rows)
        for at, card in enumerate(self.cards):
            if at < len(cards):
                card.show(cards[at])
            _present(self.hand, card, at < len(cards))
        if bool(cards) != bool(self.hand.parent):  # above the buttons, which must not move away under a finger
            self.add_widget(self.hand, index=1) if cards else self.remove_widget(self.hand)

    def _measure(self, seats: int) -> None:
        """How wide everything in the row of fists and readers is, for so many seats."""
        crowded = self.app.upright and seats > CROWD
        fist, self.buttons.spacing = (theme.TOUCH, 0) if crowded else (52, dp(4))
        slot = 52 if crowded and not self.folds else 74
        for widget in self.fists:
            wide(widget, fist)
        for widget in self.slots:
            wide(widget, slot)
        wide(self.all, 52 if crowded and not self.folds else 92)
        self.buttons.width = (dp(fist) + self.buttons.spacing) * seats
        wide(self.pile, slot)
        self.readers.width = dp(slot + 4) * len(self.readers.children)

    def on_touch_down(self, touch: Any) -> bool:
        """What it lies over is not touched through it."""
        return bool(super().on_touch_down(touch) or (self.folds and self.collide_point(*touch.pos)))

    # -- cards ---------------------------------------------------------------------------------------------------

    def _on_readers(self) -> dict[str, set[str]]:
        """The cards on each reader."""
        known = {tag: card for card, tag in self.dock.deck.items()}
        return {reader: {known[tag] for tag in self.dock.tags_on(reader)} for reader in self.dock.readers}

    def _lying(self) -> set[str]:
        """The cards on any reader."""
        return {card for on in self._on_readers().values() for card in on}

    def tap(self, card: DockCard) -> None:
        """Lays a card on the seat's reader, or lifts it."""
        if card.lying:
            self._lift(card.card)
        else:
            self._lay(self.seat if self.seat in self.dock.readers else self.dock.readers[0], card.card)
        self.app.paint()

    def drop(self, card: str, pos: tuple[float, float]) -> None:
        """A dragged card was let go."""
        for slot in self.slots:
            if slot.parent and slot.collide_point(*pos):
                self._lay(slot.reader, card)
        self.app.paint()

    def _flip(self) -> None:
        """Turns up the top card of the pile, as its reader sees it."""
        if self._dock and self._dock.top:
            self.dock.lay(self._dock.top_reader, self.dock.deck[self._dock.top])
        self.app.paint()

    def _lay(self, reader: str, card: str) -> None:
        colour = card.split(maxsplit=1)[0]
        for lying in self._lying():
            if lying.split()[0] == colour:
                self._lift(lying)
        self.dock.lay(reader, self.dock.deck[card])

    def _lift(self, card: str) -> None:
        for reader in self.dock.readers:
            if self.dock.deck[card] in self.dock.tags_on(reader):
                self.dock.lift(reader, self.dock.deck[card])

    def lift_all(self) -> None:
        for card in self._lying():
            self._lift(card)

    # -- buttons -------------------------------------------------------------------------------------------------

    def hold(self, seat: str, down: bool) -> None:
        """A seat's button goes down or up."""
        if down:
            self.seat = seat
            self._dock = None
            self.app.paint()
        (self.dock.hold if down else self.dock.let_go)(seat)

    def _all(self) -> None:
        """Everybody's button at once, for one person who plays all the seats."""
        lets_go = bool(self._dock and self._dock.all_hold)
        for fist in self.fists[: len(self.app.match.header.seats)]:
            (self.dock.let_go if lets_go else self.dock.hold)(fist.seat)

    def key(self, key: int, down: bool) -> bool:
        """The digits hold the seats' buttons."""
        seats = self.app.match.header.seats
        at = key - ord("1")
        if not 0 <= at < len(seats):
            return False
        if down != (key in self._keys):  # a held key repeats
            self._keys ^= {key}
            (self.dock.hold if down else self.dock.let_go)(seats[at])
        return True


def _present(box: BoxLayout, child: Widget, wanted: bool) -> None:
    if wanted != bool(child.parent):
        (box.add_widget if wanted else box.remove_widget)(child)
