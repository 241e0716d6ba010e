"""Hannibal's board: the map, and in the seats' tiles what each side still needs, or the battle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.games.hannibal.goals import Goal
from ui.games.hannibal.model import Battle, Exchange, Hannibal
from ui.games.hannibal.sea import Sea
from ui.games.parts.action_controls import ActionControls
from ui.games.parts.actions import Action
from ui.games.parts.board import Act, Go, Place, RailShape, Say
from ui.games.parts.field import FieldBoard
from ui.games.parts.headline_widgets import HeadlineBanner
from ui.games.parts.sealed import CardPlace
from ui.games.parts.sealed_cards import CARD, SealedCard
from ui.theme import TextSize
from ui.widgets.annotations import asks
from ui.widgets.box import put
from ui.widgets.fresh import Struck
from ui.widgets.motion import turned
from ui.widgets.shape import Shape
from ui.widgets.text import Text, long

GOALS = 3
SEEN = 6
"""The number of exchanges shown at most."""
LEAST = 50
"""The least width of a card, in dp."""
DIM = 0.5
"""The opacity of a card that has lost."""


class Played(SealedCard):
    """A card of an exchange, the place of the next one, or its back."""

    def show_exchange(self, place: CardPlace, won: bool | None, ink: str) -> None:
        """Show a card that has `won`, lost or is not yet judged; `ink` is the colour of the tile's letters."""
        look = theme.now
        self.show(place, ink)
        self.card.back.paint(*(look.card, look.amber, 4) if won else (look.card, look.line, 1))
        if len(place.card) > 1 and won is False:
            self.card.opacity = DIM


class SidePanel(FloatLayout):
    """A side's panel below its name: its goals; its cards and pieces in a battle; or its possible acts."""

    def __init__(self, done: Any) -> None:
        super().__init__(size_hint=(None, None))
        own: dict[str, Any] = {"size_hint": (None, None)}
        self.wants, self.left = (Text(most=TextSize.LABEL, lines=1, cuts=True, **own) for _ in range(2))
        self.shapes = [Shape(most=14, **own) for _ in range(GOALS)]
        self.goals = [Text(most=TextSize.LABEL, lines=1, cuts=True, **own) for _ in range(GOALS)]
        self.tally = Text(most=TextSize.LABEL, lines=1, **own)
        self.cards = [Played() for _ in range(SEEN + 1)]
        self.was = Struck(TextSize.HEAD, **own)
        self.what, self.there = (
            Text(most=TextSize.TEXT, lines=1, **own),
            Text(most=TextSize.CARD, lines=1, bold=True, **own),
        )
        self.acts = ActionControls(done)
        self.acts.size_hint = None, None
        self._parts: list[Widget] = []
        self._played = 0

    def show(self, side: str, centre: Hannibal, actions: Sequence[Action], *, fights: bool, lit: bool) -> None:
        """Show the side's goals, battle or acts; `lit` if the tile has the side's colour."""
        ink = theme.on_seat(side) if lit else theme.now.ink
        self.was.color = theme.rgba(ink)
        for text in (self.wants, self.left, self.tally, self.what, self.there, *self.goals):
            text.color = theme.rgba(ink)
        self.acts.show(actions)
        if fights and centre.battle:
            self._battle(side, centre.battle, centre.exchanges[-SEEN:], ink, acts=bool(actions))
        elif actions:
            self._hold([self.acts])
        elif centre.over:
            self._hold([])
        else:
            self._goals(side, centre, ink)
        self.do_layout()

    def _goals(self, side: str, centre: Hannibal, ink: str) -> None:
        mine: list[Goal] = [goal for goal in centre.goals if goal.seat == side]
        self.wants.show(centre.wants[side])
        self.wants.bold = side in centre.near
        asks(self.left, "pieces").show(centre.left[side], shorter=centre.left_briefly[side])
        self.tally.show(centre.tally[side])
        asks(self.tally, "core" if centre.tally[side] else "")
        for shape, text, goal in zip(self.shapes, self.goals, mine, strict=False):
            asks(text, "regions", side).show(goal.text, shorter=goal.shorter)
            text.bold = goal.held
            shape.seat, shape.hollow, shape.ink = side, not goal.held, ink
            shape.fill = ink if goal.held else ""
        count = len(mine)
        self._hold([self.left, self.wants, *self.shapes[:count], *self.goals[:count], self.tally])

    def _battle(self, side: str, battle: Battle, exchanges: Sequence[Exchange], ink: str, *, acts: bool) -> None:
        """Show the exchanges from the first, then the card that is still to come.

        Below them are the pieces, which the map shows too, or the possible acts.
        """
        for at, exchange in enumerate(exchanges):
            place = CardPlace(side, f"{side} {exchange.cards[side]}")
            self.cards[at].show_exchange(place, side not in exchange.lost, ink)
        self._played = len(exchanges) + battle.choosing
        if battle.choosing:
            self.cards[len(exchanges)].show(CardPlace(side, "?" if side in battle.chosen else ""), ink)
        for card in self.cards:
            asks(card, "exchanges")
        self.what.show(battle.what)
        asks(self.there, "battle").show(str(battle.there[side]))
        self.was.show(battle.before.get(side, ""))
        below = [self.acts] if acts else [self.what, self.was, self.there]
        self._hold([*self.cards[: self._played], *below])

    def unveil(self, side: str, centre: Hannibal, seconds: float, ink: str) -> None:
        """Show the card of the last exchange face down, then turning; the pieces left there come last."""
        exchange, part = centre.exchanges[-1], turned(seconds)
        self._played = min(len(centre.exchanges), SEEN)
        played = self.cards[self._played - 1]
        played.show_exchange(CardPlace(side, f"{side} {exchange.cards[side]}" if part >= 0.5 else "?"), None, ink)
        self._hold([*self.cards[: self._played], self.what, self.was, self.there])
        self.do_layout()
        played.turn(part)

    def _hold(self, parts: list[Widget]) -> None:
        if parts != self._parts:
            self._parts = parts
            self.clear_widgets()
            for part in parts:
                self.add_widget(part)

    def do_layout(self, *_: object, **__: object) -> None:
        (x, y), (wide, high) = self.pos, self.size
        put(self.acts, x, y, wide, dp(theme.either(48, 60)) if self.cards[0] in self._parts else high)
        self._lay_goals((x, y), (wide, high))
        foot = dp(theme.either(50, 62)) if self.acts in self._parts else dp(theme.above(TextSize.HEAD))
        tall = min(dp(CARD[1]), high - foot - dp(2))
        broad = max(dp(LEAST), tall * CARD[0] / CARD[1])
        step = min(broad + dp(8), (wide - broad) / max(1, self._played - 1))
        for at, card in enumerate(self.cards):
            put(card, x + at * step, y + high - tall, broad, tall)
        number = long(self.there.text, TextSize.CARD, True) + dp(4)
        was = self.was.room()
        put(self.was, x + wide - number - was - dp(4), y, was, max(foot, dp(theme.size(TextSize.CARD))))
        put(self.what, x, y, wide - number - was - dp(8), foot)
        put(self.there, x + wide - number, y, number, max(foot, dp(theme.size(TextSize.CARD))))

    def _lay_goals(self, pos: tuple[float, float], size: tuple[float, float]) -> None:
        """Lay out the goals line by line.

        Where there is little height, hide the purpose of the goals first, then the pieces left; a bold purpose is
        hidden last.
        """
        (x, y), (wide, high) = pos, size
        least = dp(theme.size(TextSize.LABEL) + 1)
        told = [self.left, self.wants, *self.goals, *([self.tally] if self.tally.text else [])]
        for given_up in (self.left, self.wants) if self.wants.bold else (self.wants, self.left):
            if len(told) * least > high:
                told.remove(given_up)
        line = min(dp(theme.above(TextSize.LABEL) + 2), high / len(told))
        for part in (self.left, self.wants, self.tally):
            part.opacity = 1 if part in told else 0
        for at, part in enumerate(told, start=1):
            goal = self.goals.index(part) if part in self.goals else -1
            if goal >= 0:
                put(self.shapes[goal], x, y + high - at * line, dp(16), line)
            put(part, x + (dp(22) if goal >= 0 else 0), y + high - at * line, wide - (dp(22) if goal >= 0 else 0), line)


class HannibalBoard(FieldBoard[Hannibal]):
    """The map, which fills the slot; each side's tile shows its pieces and goals."""

    margin = 0, 0
    rail = RailShape(wide=(196, 194), high=(182, 170))

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(act, go, say, upright, Sea(self.tap))
        self.asked: Sequence[Action] = ()
        self.away = 0
        self.call = HeadlineBanner()
        self.sides: list[SidePanel] = []

    def annexes(self, count: int) -> Sequence[Widget]:
        """Return a panel per side, for its goals or its part of the battle."""
        self.sides = [SidePanel(self.do) for _ in range(count)]
        return self.sides

    def show(self, centre: Hannibal) -> None:
        self.asked = ()
        self.field.show(centre)
        self.field.mover.seat = centre.moved.seat if centre.moved else ""
        super().show(centre)

    @property
    def stays(self) -> bool:
        """Return whether a battle has been fought and nobody has touched the map since."""
        return bool(self.centre.fought) and self.centre.fought != self.away

    def offer(self, actions: Sequence[Action]) -> None:
        """Show each act in the tile of the side that can do it; a choice face down is made at the seat's tile."""
        centre = self.centre
        fights = self.stays or centre.phase in ("declaring", "choosing")
        found = [action for action in actions if action.verb != "choose"]
        whose = [
            action.seat or str(action.picked.get("seat", "")) or centre.turn or centre.seats[-1] for action in found
        ]
        for side, panel in zip(centre.seats, self.sides, strict=False):
            mine = [action for action, seat in zip(found, whose, strict=True) if seat == side]
            panel.show(side, centre, mine, fights=fights, lit=side in centre.awaited)

    def unveil(self, centre: Hannibal, seconds: float) -> None:
        """Reveal the cards in the sides' tiles; the map stays as it was."""
        for side, panel in zip(centre.seats, self.sides, strict=False):
            panel.unveil(side, centre, seconds, theme.now.ink)

    def do_layout(self, *_: object, **__: object) -> None:
        put(self.field, *self.pos, *self.size)
        if not hasattr(self, "centre"):
            return
        (x, y), (wide, high) = self.pos, self.size
        told: list[Widget] = []
        if self.centre.big.value or self.centre.big.seats:
            self.call.show(self.centre.big)
            put(self.call, x + wide * 0.25, y + high * 0.25, wide * 0.5, high * 0.5)
            told = [self.call] if not self.centre.over else []
        self.present(*told)

    def free(self) -> Place | None:
        """Return the half of the sea without the battle: nobody touches the map until it is fought."""
        places = {**self.centre.regions, **self.centre.routes}
        fought = next((place for place, spot in places.items() if spot.fights), None)
        if self.centre.phase != "choosing" or fought is None:
            return None
        field, spot = self.field, self.field.spots[fought]
        high = field.height * 0.3
        low = field.y + field.height * (0.15 if spot.center_y > field.center_y else 0.55)
        return field.x + field.width * 0.1, low, field.width * 0.8, high

    def on_touch_down(self, touch: Any) -> bool:
        """Put the last battle away on a touch on the map."""
        if self.stays and self.field.collide_point(*touch.pos):
            self.away = self.centre.fought
            self.offer(self.centre.actions)
        return bool(super().on_touch_down(touch))

    def do(self, action: Action) -> None:
        """Carry out an act; where Hannibal and a legion can both go, ask for one more touch to say which does."""
        if action.verb == "move" and not action.event:
            self.asked = self.centre.kinds[action.picked["from"], action.picked["to"]]
            self.offer(self.asked)
            self.paint_places()
        else:
            super().do(action)

    def tap(self, place: str) -> None:
        if self.asked:  # another place calls the question off
            self.asked = ()
            self.offer(self.centre.actions)
            self.paint_places()
        super().tap(place)

    def paint_places(self) -> None:
        super().paint_places()
        for name, spot in self.centre.regions.items():
            sign = self._sign(name, spot.fights)
            self.field.spots[name].show(spot, sign, bool(self.start) and not sign, self._fresh(name))
        for name, spot in self.centre.routes.items():
            self.field.spots[name].show(spot, self._sign(name, spot.fights), self._fresh(name))

    def _fresh(self, place: str) -> int:
        if self.centre.hit:
            return self.centre.fought or -1 if place == self.centre.hit and not self.start else 0
        return self.marked.number if self.marked and place == self.marked.to else 0

    def _sign(self, place: str, fights: bool) -> str:
        if self.asked:
            return {self.asked[0].picked["from"]: "start", self.asked[0].picked["to"]: self.sign(place)}.get(place, "")
        return self.sign(place) or ("about" if fights else "")
