"""The virtual table in the line: cards that are tapped or dragged onto a reader, and all buttons at once."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.play.match import Match
from companion.session.receipt import Receipt
from ui import theme
from ui.page import App
from ui.page import Dock as VirtualTable
from ui.table.hand import Hand, HandCard, SeatPlate, hand
from ui.table.moment import Moment
from ui.theme import TextSize
from ui.widgets.box import wide
from ui.widgets.icon import Sign
from ui.widgets.shape import CardFace, Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text

CARD = 46, 49
"""The size of a card, in dp; with its gap it is 48 wide."""
PLATE = 52
"""The width of a reader, in dp."""


class CardTap(Touchable):
    """A card of the seat shown: tapped or dragged onto a reader, tapped again to lift it."""

    def __init__(self, bar: HandBar) -> None:
        super().__init__(size_hint_x=None, width=dp(theme.TOUCH))
        self.bar, self.card = bar, HandCard("", False, False)
        self.always_release = True  # a dragged card ends elsewhere
        self.face = CardFace(most=TextSize.TEXT, size_hint=(None, None), size=(dp(CARD[0]), dp(CARD[1])))
        self.add_widget(self.face)
        self.bind(pos=self._settle, size=self._settle)

    def show(self, card: HandCard) -> None:
        self.card = card
        self.face.show(card.card)
        self.face.opacity = 0 if not card.card else 0.3 if card.spent else 1
        self.face.back.paint(theme.now.card, theme.now.amber if card.lying else theme.now.line, 3 if card.lying else 1)
        self._settle()

    def _settle(self, *_: object) -> None:
        self.face.size = min(dp(CARD[0]), self.width - dp(2)), min(dp(CARD[1]), self.height - dp(4))
        self.face.x = self.x + (self.width - self.face.width) / 2
        self.face.y = self.y + (self.height - self.face.height) / 2 + (dp(3) if self.card.lying else 0)

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


class ReaderPlate(Touchable):
    """A reader: cards are dropped here; a tap lifts them all."""

    def __init__(self, bar: HandBar) -> None:
        super().__init__(bar.lift_all)
        self.back = Backdrop(self, theme.now.sunk, theme.now.line)
        self.count = Text(
            most=TextSize.TEXT, lines=1, align="center", bold=True, size_hint=(1, 0.5), pos_hint={"x": 0, "top": 0.98}
        )
        self.sign = Sign("cards", 1.8, size_hint=(0.5, 0.4), pos_hint={"center_x": 0.5, "y": 0.06})
        self.add_widget(self.count)
        self.add_widget(self.sign)

    def show(self, plate: SeatPlate) -> None:
        self.count.show(str(plate.count))


class HandBar(BoxLayout):
    """The hand's seat, its cards, and their reader."""

    def __init__(self, app: App, table: VirtualTable) -> None:
        super().__init__(spacing=dp(4), padding=(dp(8), dp(2)))
        self.back = Backdrop(self, theme.now.wax, radius=0)
        self.app, self.table, self.seat = app, table, ""
        self._keys: set[int] = set()
        self.shape = wide(Shape(), 26)
        self.cards = [CardTap(self) for _ in range(12)]
        self.dealt = BoxLayout(size_hint_x=None)
        self.dealt.bind(minimum_width=self.dealt.setter("width"))
        self.rest = Widget()
        self.plate = wide(ReaderPlate(self), PLATE)
        self.act = wide(Tap("", self._do_main, most=TextSize.TEXT), theme.grown(112))
        """All buttons at once, or the top card of the pile: it stands beside the last ruling."""
        self.further = wide(Tap("›", self._turn_page, most=TextSize.HEAD), theme.TOUCH)
        self._page = 0
        self._game: Match | None = None
        self._last: Receipt | None = None  # the last standing act at the previous call of `show`
        self._order: list[str] = []  # the pile's cards, shuffled once per game
        self._hand: Hand | None = None

    def show(self, m: Moment) -> None:
        if self.app.match is not self._game:
            self._game, self._order = self.app.match, [str(card) for card in m.game.cards(m.options, None)]
            self.table.chance.shuffle(self._order)
            self.seat, self._last = "", None
        if self._last and all(act is not self._last for act in m.acts):  # that act was taken back or changed
            self.seat = ""
        self._last = m.acts[-1] if m.acts else None
        model = hand(m, self.seat, self.table.deck, self._on_readers(), self._order)
        if model.seat != self.seat:
            self._page = 0
        self.seat = model.seat
        for card in model.up:
            self._lift_card(card)
        if model != self._hand:
            self._hand = model
            self._paint(model)

    @property
    def dealt_out(self) -> bool:
        """Return whether there are cards to touch."""
        return self._hand is not None and bool(self._hand.cards)

    @property
    def acts(self) -> bool:
        """Return whether there is another control to touch: all buttons, or the pile."""
        return self._hand is not None and bool(self._hand.act)

    def _paint(self, model: Hand) -> None:
        shown = self._cards_on_page(model.cards)
        for at, card in enumerate(self.cards):
            if at < len(shown):
                card.show(shown[at])
        self.shape.seat = model.seat if model.cards else ""
        if model.plate:
            self.plate.show(model.plate)
        main = model.all_hold if model.all_text else bool(model.top)
        self.act.show(model.act, kind="main" if main else "plain", disabled=not (model.all_text or model.top))
        self._fill(self.dealt, self.cards[: len(shown)])
        self._fill(self, [
            *([self.shape, self.dealt] if shown else []),
            *([self.further] if len(shown) < len(model.cards) else []),
            self.rest,
            *([self.plate] if model.plate and not self.app.upright else []),
        ])  # fmt: skip

    def _cards_on_page(self, cards: tuple[HandCard, ...] | Any) -> list[HandCard]:
        """Return as many of the cards as fit on the current page; upright, a full hand needs more than one."""
        room = 9 if self.app.upright else len(self.cards)
        if len(cards) <= room:
            return list(cards)
        room -= 1
        pages = -(-len(cards) // room)
        begin = min(self._page % pages * room, len(cards) - room)
        return list(cards[begin : begin + room])

    @staticmethod
    def _fill(box: BoxLayout, wanted: list[Any]) -> None:
        if box.children[::-1] != wanted:
            box.clear_widgets()
            for child in wanted:
                box.add_widget(child)

    def _turn_page(self) -> None:
        """Turn to the rest of the hand."""
        self._page += 1
        if self._hand:
            self._paint(self._hand)

    # -- cards ---------------------------------------------------------------------------------------------------

    def _on_readers(self) -> dict[str, set[str]]:
        """Return the cards on each reader."""
        known = {tag: card for card, tag in self.table.deck.items()}
        return {reader: {known[tag] for tag in self.table.tags_on(reader)} for reader in self.table.readers}

    def _lying_anywhere(self) -> set[str]:
        """Return the cards on any reader."""
        return {card for on in self._on_readers().values() for card in on}

    def tap(self, card: HandCard) -> None:
        """Lay a card on the seat's reader, or lift it if it lies on one."""
        if card.lying:
            self._lift_card(card.card)
        else:
            self._lay_card(self.seat if self.seat in self.table.readers else self.table.readers[0], card.card)
        self.app.paint()

    def drop(self, card: str, pos: tuple[float, float]) -> None:
        """Lay a dragged card on the reader if it was dropped there."""
        if self.plate.parent and self.plate.collide_point(*pos) and self._hand and self._hand.plate:
            self._lay_card(self._hand.plate.reader, card)
        self.app.paint()

    def _do_main(self) -> None:
        if self._hand and self._hand.all_text:
            self._hold_all()
        else:
            self._flip_top()

    def _flip_top(self) -> None:
        """Turn up the top card of the pile on its reader."""
        if self._hand and self._hand.top:
            self.table.lay(self._hand.top_reader, self.table.deck[self._hand.top])
        self.app.paint()

    def _lay_card(self, reader: str, card: str) -> None:
        """Lay a card and lift the cards it replaces: a reader hears one card at a time."""
        for lying in self._lying_anywhere():
            if reader == "centre" or lying.split()[0] == card.split(maxsplit=1)[0]:
                self._lift_card(lying)
        self.table.lay(reader, self.table.deck[card])

    def _lift_card(self, card: str) -> None:
        for reader in self.table.readers:
            if self.table.deck[card] in self.table.tags_on(reader):
                self.table.lift(reader, self.table.deck[card])

    def lift_all(self) -> None:
        for card in self._lying_anywhere():
            self._lift_card(card)

    # -- buttons -------------------------------------------------------------------------------------------------

    def hold(self, seat: str, down: bool) -> None:
        """Press or release a seat's button; pressing it shows the seat's cards."""
        if down:
            self.seat = seat
            self._hand = None
            self.app.paint()
        (self.table.hold if down else self.table.let_go)(seat)

    def _hold_all(self) -> None:
        """Hold or release all buttons at once, for one person who plays every seat."""
        lets_go = bool(self._hand and self._hand.all_hold)
        for seat in self.app.match.header.seats:
            (self.table.let_go if lets_go else self.table.hold)(seat)

    def key(self, key: int, down: bool, edge: bool) -> bool:
        """Hold and release the seats' buttons with the digit keys."""
        seats = self.app.match.header.seats
        at = key - ord("1")
        if not 0 <= at < len(seats):
            return False
        if down != (key in self._keys):  # a held key repeats
            self._keys ^= {key}
            (self.table.hold if down else self.table.let_go if edge else self.table.found_open)(seats[at])
        return True
