"""The virtual table in the line: whose cards are tapped or dragged onto a reader, and all buttons at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from time import monotonic
from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.play.match import Match
from companion.session.receipt import Receipt
from ui import theme
from ui.games.parts.sealed import CardPlace
from ui.games.parts.sealed_cards import SealedCard
from ui.page import App
from ui.page import Dock as VirtualTable
from ui.table.hand import Hand, HandCard, SeatPlate, asked, hand
from ui.table.moment import Moment
from ui.theme import TextSize
from ui.widgets.box import put, wide
from ui.widgets.fresh import Dashed
from ui.widgets.icon import Sign
from ui.widgets.shape import CardFace, Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text, long

CARD = theme.TOUCH, 52
"""The least size of a card, in dp: 9 mm wide on a screen of 7 inches."""
MOST = 50, 60
"""The most of it, where there is room."""
FLAP, SHAPE = 70, 20
"""The width of the owner's flap, and of the shape on it, in dp."""
OTHER_HAND_S = 0.35
"""For so many seconds after the hand has become another player's, a tap was meant for the one before."""
PLATE = theme.TOUCH
"""The width of a reader, in dp."""


class OwnerFlap(Widget):
    """The flap of the hand: whose it is, in the seat's colour."""

    def __init__(self, upright: bool) -> None:
        super().__init__(size_hint=(None, None))
        self.upright = upright
        self.back, self.shape = Backdrop(self, None, radius=0), Shape()
        self.name = Text(most=TextSize.TEXT, lines=1, bold=True, align="left" if upright else "center", cuts=True)
        self.add_widget(self.shape)
        self.add_widget(self.name)
        self.bind(pos=self._lay, size=self._lay)

    def show(self, seat: str, name: str, shorter: tuple[str, ...]) -> None:
        ink = theme.on_seat(seat)
        self.back.paint(theme.SEATS[seat], theme.now.ink)
        self.shape.seat, self.shape.fill = seat, ink
        self.name.show(name, shorter=shorter)
        self.name.color = theme.rgba(ink)

    def _lay(self, *_: object) -> None:
        """Put the name below the shape, upright beside it."""
        (x, y), (wide, high) = self.pos, self.size
        if self.upright:
            side = min(dp(SHAPE), high - dp(4))
            put(self.shape, x + dp(4), y + (high - side) / 2, side, side)
            put(self.name, x + side + dp(8), y, max(1, wide - side - dp(10)), high)
        else:
            line, side = dp(theme.above(TextSize.TEXT)), dp(SHAPE)
            low = y + (high - line - side) / 2
            put(self.name, x + dp(2), low, wide - dp(4), line)
            put(self.shape, x + (wide - side) / 2, low + line, side, side)


class CardTap(Touchable):
    """A card of the seat shown: tapped or dragged onto a reader; which one lies there is not to be seen."""

    def __init__(self, bar: HandBar) -> None:
        super().__init__(size_hint=(None, None))
        self.bar, self.card = bar, HandCard("", False)
        self.always_release = True  # a dragged card ends elsewhere
        self.face = CardFace(most=TextSize.TEXT, size_hint=(None, None))
        self.add_widget(self.face)
        self.bind(pos=self._settle, size=self._settle, state=self._ring)

    def _ring(self, *_: object) -> None:
        """Ring the card for as long as a finger is on it."""
        held = self.state == "down"
        self.face.back.paint(theme.now.card, theme.now.amber if held else theme.now.line, 3 if held else 1)

    def show(self, card: HandCard) -> None:
        self.card = card
        self.face.show(card.card)
        self.face.opacity = 0 if not card.card else 0.3 if card.spent else 1
        self._settle()

    def _settle(self, *_: object) -> None:
        wide = min(dp(MOST[0]), max(dp(CARD[0]), self.width - dp(2)))
        high = min(dp(MOST[1]), max(dp(CARD[1]), self.height - dp(4)))
        put(self.face, self.x + (self.width - wide) / 2, self.y + (self.height - high) / 2, wide, high)

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
            self.act = lambda: self.bar.tap(self.card.card)
        done = bool(super().on_touch_up(touch))
        if mine:
            self._settle()
        return done


class ReaderPlate(Touchable):
    """A reader, drawn as on the board: the place for a card, then its back; a tap lifts all cards."""

    def __init__(self, bar: HandBar) -> None:
        super().__init__(bar.lift_all)
        self.back = Backdrop(self, theme.now.sunk, theme.now.line)
        self.place = SealedCard()
        self.add_widget(self.place)
        self.bind(pos=self._settle, size=self._settle)

    def show(self, plate: SeatPlate, seat: str) -> None:
        """Show the place for a card of the seat, or the back of one."""
        self.place.show(CardPlace(seat, "?" if plate.taken else ""))

    def _settle(self, *_: object) -> None:
        inset = dp(6)
        put(self.place, self.x + inset, self.y + inset, self.width - 2 * inset, self.height - 2 * inset)


class HandBar(Widget):
    """Whose hand it is, the cards, and their reader."""

    def __init__(self, app: App, table: VirtualTable) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.wax, radius=0)
        self.app, self.table, self.seat = app, table, ""
        self._keys: set[int] = set()
        self._holds_all = False
        self.flap = OwnerFlap(app.upright)
        self.cards: list[CardTap] = []
        self.plate = ReaderPlate(self)
        self.act = wide(Tap("", self._do_main, most=TextSize.TEXT), theme.grown(112))
        self.outlines = [Dashed(part) for part in (self, self.act)]  # Kivy holds what it notifies weakly
        """The sign of all that stands for real cards and buttons."""
        for outline in self.outlines:
            outline.paint(theme.now.muted)
        """All buttons at once, or the top card of the pile: it stands beside the last ruling."""
        self.further = Tap("", self._turn_page)
        self.further.add_widget(Sign("next", size_hint=(0.6, 0.6), pos_hint={"center_x": 0.5, "center_y": 0.5}))
        self._page = 0
        self._turned = -OTHER_HAND_S  # when the hand became another player's
        self._game: Match | None = None
        self._last: Receipt | None = None  # the last standing act at the previous call of `show`
        self._asked: Collection[str] = ()  # the seats that were to lay a card then
        self._order: list[str] = []  # the pile's cards, shuffled once per game
        self._hand: Hand | None = None
        self.bind(pos=self._lay, size=self._lay)

    def show(self, m: Moment) -> None:
        if self.app.match is not self._game:
            self._game, self._order = self.app.match, [str(card) for card in m.game.cards(m.options, None)]
            self.table.chance.shuffle(self._order)
            self._last, self._asked = None, ()
        if self._begins_anew(m):
            self.seat = ""
            if m.game.owned and not m.view.get("chosen"):  # a card still there from the last round would not be read
                self.lift_all()
        self._last, self._asked = (m.acts[-1] if m.acts else None), asked(m)
        model = hand(m, self.seat, self.table.deck, self._on_readers(), self._order)
        if model.seat != self.seat:
            self._page = 0
            self._turned = monotonic() if self.seat else self._turned
        self.seat = model.seat
        if self._holds_all and not model.all_text:  # opened on the screen: the next fists are not closed yet
            self._hold_all(lets_go=True)
        for card in model.up:
            self._lift_card(card)
        if model != self._hand:
            self._hand = model
            self._paint(model)

    def _begins_anew(self, m: Moment) -> bool:
        """Return whether the first seat awaited comes first: cards are called for again, or an act is another one."""
        changed = self._last is not None and all(act is not self._last for act in m.acts)
        return changed or not set(asked(m)) <= set(self._asked)

    @property
    def dealt_out(self) -> bool:
        """Return whether there are cards to touch."""
        return self._hand is not None and bool(self._hand.cards)

    @property
    def acts(self) -> bool:
        """Return whether there is another control to touch: all buttons, or the pile."""
        return self._hand is not None and bool(self._hand.act)

    def _paint(self, model: Hand) -> None:
        if model.cards:
            self.flap.show(model.seat, model.owner, model.owner_shorter)
        if model.plate:
            self.plate.show(model.plate, model.seat)
        main = bool(model.all_text) and model.all_hold  # a card from the pile is one of the board's acts
        self.act.show(model.act, kind="main" if main else "plain", disabled=not (model.all_text or model.top))
        self._lay()

    def _lay(self, *_: object) -> None:
        """Place the flap, as many cards as there is room for, and the reader; upright the flap lies above the cards.

        Where a hand does not fit, the reader is left out, then the cards that have been played.
        """
        if not self._hand:
            return
        (x, y), (broad, high), gap, cards = self.pos, self.size, dp(4), self._hand.cards
        end = x + broad
        if self.app.upright:
            line = max(dp(SHAPE), high - dp(MOST[1]))
            name = long(self._hand.owner, TextSize.TEXT, True) + dp(SHAPE + 12)
            put(self.flap, x, y + high - line, min(broad, max(dp(FLAP), name)), line)
            high -= line
        else:
            put(self.flap, x, y, dp(FLAP), high)
            x += dp(FLAP) + gap
        least = dp(CARD[0])
        beside = dp(PLATE) + gap
        plate = self._hand.plate if not self.app.upright and x + len(cards) * least + beside <= end else None
        if plate:
            put(self.plate, end - dp(PLATE), y + dp(2), dp(PLATE), high - dp(4))
            end -= beside
        fit = int((end - x + 0.5) // least)
        cards = cards if len(cards) <= fit else [card for card in cards if not card.spent]
        shown = self._cards_on_page(cards, fit)
        more = len(shown) < len(cards)
        step = min(dp(MOST[0] + 2), (end - x) / max(1, len(shown) + more))
        while len(self.cards) < len(shown):
            self.cards.append(CardTap(self))
        for at, (tap, card) in enumerate(zip(self.cards, shown, strict=False)):
            put(tap, x + at * step, y, step, high)
            tap.show(card)
        put(self.further, x + len(shown) * step, y + dp(2), least, high - dp(4))
        wanted = [
            *([self.flap] if self._hand.cards else []),
            *self.cards[: len(shown)],
            *([self.further] if more else []),
            *([self.plate] if plate else []),
        ]
        if self.children[::-1] != wanted:
            self.clear_widgets()
            for child in wanted:
                self.add_widget(child)

    def _cards_on_page(self, cards: Sequence[HandCard], fit: int) -> Sequence[HandCard]:
        """Return as many of the cards as `fit`, on the current page of them."""
        if not cards or len(cards) <= fit:  # before it is laid out, not even none fit
            return cards
        room = max(1, fit - 1)
        begin = min(self._page % -(-len(cards) // room) * room, len(cards) - room)
        return cards[begin : begin + room]

    def _turn_page(self) -> None:
        """Turn to the rest of the hand."""
        self._page += 1
        self._lay()

    # -- cards ---------------------------------------------------------------------------------------------------

    def _on_readers(self) -> dict[str, set[str]]:
        """Return the cards on each reader."""
        known = {tag: card for card, tag in self.table.deck.items()}
        return {reader: {known[tag] for tag in self.table.tags_on(reader)} for reader in self.table.readers}

    def _lying_anywhere(self) -> set[str]:
        """Return the cards on any reader."""
        return {card for on in self._on_readers().values() for card in on}

    def tap(self, card: str) -> None:
        """Lay a card on the seat's reader, unless the second half of a double tap has met the next player's hand."""
        if monotonic() - self._turned < OTHER_HAND_S:
            return
        self._lay_card(self.seat if self.seat in self.table.readers else self.table.readers[0], card)
        self.app.paint()

    def drop(self, card: str, pos: tuple[float, float]) -> None:
        """Lay a dragged card on the reader if it was dropped there."""
        if self.plate.parent and self.plate.collide_point(*pos) and self._hand and self._hand.plate:
            self._lay_card(self._hand.plate.reader, card)
        self.app.paint()

    def _do_main(self) -> None:
        if self._hand and self._hand.all_text:
            self._hold_all(lets_go=self._hand.all_hold)
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

    def _hold_all(self, *, lets_go: bool) -> None:
        """Hold or release all buttons at once, for one person who plays every seat."""
        self._holds_all = not lets_go
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
