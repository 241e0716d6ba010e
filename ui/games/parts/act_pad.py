"""The pad for any act, which asks for the missing values one after another."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.rules import N_, as_json
from companion.rules.cards import DECK
from companion.rules.data import Data
from ui import theme
from ui.games.face import face_of
from ui.games.parts.actions import ask
from ui.games.parts.asking import Picked, Question, group, settled
from ui.games.parts.cards import BoardMark
from ui.games.parts.pads import HandTap, Pad, SeatTaps
from ui.games.parts.past import Then
from ui.games.parts.places import tiles
from ui.games.parts.tile_grid import TileGrid
from ui.theme import TextSize
from ui.widgets.box import column, high, swap
from ui.widgets.digits import Digits
from ui.widgets.tap import Tap
from ui.widgets.text import Text


class ActPad(Pad):
    """One page for every act of every game; each missing value is asked for by its kind."""

    title = N_("A move")

    def fill(self) -> None:
        super().fill()
        self.verb = ""
        self.picked: Picked = {}
        self.order: list[str] = []  # the keys as they were answered, for the way back
        self.group: list[str] = []
        self.asked: Question | None = None
        upright = self.app.upright
        self.so_far = high(Text("", most=TextSize.TEXT, lines=1, ink=theme.now.muted), 20)
        self.stage = BoxLayout()
        self.seats = SeatTaps(self._seat_tapped, cols=2 if upright else 4)
        self.done = high(Tap(self.say(N_("Done")), self._pick_members, kind="main", most=TextSize.TEXT), 56)
        self.several = column(self.seats, self.done)
        self.digits = Digits()
        name = high(Tap(self.say(N_("This many")), self._pick_amount, kind="main", most=TextSize.TEXT), 56)
        self.amount = column(self.digits, name)
        self.places = TileGrid(self.pick)
        self.words = GridLayout(cols=2 if upright else 3, spacing=dp(theme.PAD))
        self.cards = GridLayout(spacing=dp(4))
        self.faces: dict[str, HandTap] = {}
        self._cards: list[str] = []
        for part in (self.so_far, self.stage, self.refused):
            self.body.add_widget(part)

    def enter(self, verb: str, picked: Picked | None = None, then: Then | None = None) -> None:
        self.then = then
        self.verb, self.picked, self.order, self.group = verb, dict(picked or {}), [], []
        self.asked = None
        self.digits.put(0)
        self.refused.show("")

    def show(self) -> None:
        moment = self.moment()
        asked = ask(moment, face_of(moment.game.name).terms, self.verb, self.picked)
        if asked is None:
            self.app.go("table")
        elif asked != self.asked:
            self.asked = asked
            self.head.show(asked.text)
            self.so_far.show(self._settled(asked))
            PARTS.get(asked.kind, ActPad._show_words)(self, asked)

    def _settled(self, asked: Question) -> str:
        """Return what has been settled so far and, in a correction, the earlier value."""
        was = self.was(asked.key) if self._is_same_verb() else None
        stood = [self.moment().say(N_("It was: {value}"), value=value_of(asked, was))] if was is not None else []
        return " · ".join(part for part in (asked.settled, *stood) if part)

    def _is_same_verb(self) -> bool:
        return bool(self.then and self.then.was["event"] == self.verb)

    def _had_value(self, asked: Question, value: object) -> bool:
        """Return whether the act to correct had this value."""
        return self._is_same_verb() and as_json(value) == self.was(asked.key)

    def close(self) -> None:
        """Take back the last answer; with none left, close the pad."""
        if not self.order:
            super().close()
            return
        gone = self.order.pop()
        self.picked = {key: value for key, value in self.picked.items() if key != gone}
        self.refused.show("")
        self.show()

    def pick(self, value: object) -> None:
        """Take an answer: carry out the act, or ask the next question."""
        if self.asked is None:
            return
        picked = {**self.picked, self.asked.key: value}
        event = settled(self.moment().outlines, self.verb, picked)
        if event:
            self.do(dict(event))
            return
        self.order.append(self.asked.key)
        self.picked = picked
        self.show()

    # -- one question a kind -------------------------------------------------------------------------------------

    def _show_seats(self, asked: Question) -> None:
        self.group = [seat for seat in self.group if seat in {choice.value for choice in asked.choices}]
        short = self.moment().short_names
        self.seats.show([
            BoardMark(choice.value, choice.text, choice.value in self.group, True, short.get(choice.value, ()))
            for choice in asked.choices
        ])  # fmt: skip
        self.done.show(self.done.words.text, disabled=self._members() is None)
        if (asked.kind == "seats") != bool(self.done.parent):
            (self.several.add_widget if asked.kind == "seats" else self.several.remove_widget)(self.done)
        swap(self.stage, self.several)

    def _show_places(self, asked: Question) -> None:
        can = {choice.value for choice in asked.choices}
        start = next((str(self.picked[key]) for key in ("from",) if key in self.picked), "")
        chosen = [self.was(asked.key)] if self._is_same_verb() else []
        self.places.show(tiles(self.moment(), chosen), can, can, start)
        swap(self.stage, self.places)

    def _show_amount(self, asked: Question) -> None:
        self.digits.begin(self.was(asked.key) or 0 if self._is_same_verb() else 0)
        swap(self.stage, self.amount)

    def _show_words(self, asked: Question) -> None:
        self.words.clear_widgets()
        for choice in asked.choices:
            tap = Tap(choice.text, partial(self.pick, choice.value), most=TextSize.HEAD, seat=choice.seat)
            tap.show(choice.text, chosen=self._had_value(asked, choice.value))
            self.words.add_widget(tap)
        swap(self.stage, self.words)

    def _show_cards(self, asked: Question) -> None:
        cards = [choice.value for choice in asked.choices]
        if cards != self._cards:
            self._cards = cards
            self._lay_cards(cards)
        for choice in asked.choices:
            tap = self.faces[choice.value]
            tap.show(choice.value, self._had_value(asked, choice.value))
            tap.act = partial(self.pick, choice.value)
            tap.face.opacity = 0.25 if choice.gone else 1
        swap(self.stage, self.cards)

    def _lay_cards(self, cards: list[str]) -> None:
        """Lay one colour per row, upright one per column; wrap a single colour over several rows."""
        colours = len({card.split()[0] for card in cards})
        ranks = len(cards) // max(1, colours)
        upright = self.app.upright
        self.cards.clear_widgets()
        self.cards.cols = (3 if upright else 5) if colours == 1 else colours if upright else ranks
        turned = [cards[at::ranks] for at in range(ranks)] if upright and colours > 1 else [cards]
        for card in (card for line in turned for card in line):
            self.faces.setdefault(card, HandTap())
            self.cards.add_widget(self.faces[card])

    # -- answers -------------------------------------------------------------------------------------------------

    def _seat_tapped(self, seat: str) -> None:
        if self.asked and self.asked.kind == "seats":
            self.group = [one for one in self.group if one != seat] if seat in self.group else [*self.group, seat]
            self._show_seats(self.asked)
        else:
            self.pick(seat)

    def _members(self) -> Any:
        return group(self.moment(), self.asked.values, self.group) if self.asked else None

    def _pick_members(self) -> None:
        self.pick(self._members())

    def _pick_amount(self) -> None:
        self.pick(self.digits.value)


def value_of(asked: Question, was: object) -> Any:
    """Return the earlier value in the form in which the question offers it."""
    offered = next((choice.value for choice in asked.choices if as_json(choice.value) == was), was)
    return DECK.get(offered, offered) if isinstance(offered, str) else offered


PARTS: Data = {
    "seat": ActPad._show_seats,
    "seats": ActPad._show_seats,
    "place": ActPad._show_places,
    "chips": ActPad._show_amount,
    "number": ActPad._show_amount,
    "card": ActPad._show_cards,
}
"""The part that asks for each kind of value; any other as words to tap."""
