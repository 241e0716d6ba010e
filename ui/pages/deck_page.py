"""The deck: enrolling its tags, checking it before a game, replacing a lost tag in mid-game."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout

from companion import deck
from companion.deck import Check, Enrolment
from companion.record.preferences import remembered
from companion.rules import N_, AnyGame
from companion.rules.cards import DECK
from companion.rules.readings import Reading
from companion.rules.words import title
from companion.voice import deck as aloud
from ui import theme
from ui.page import Sheet
from ui.pages import deck as model
from ui.pages.deck import CardHere, CardStates
from ui.theme import TextSize
from ui.widgets.box import column, high, row, wide
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text, tall


class CardCell(Touchable):
    """A card of the deck: its rank over its colour's shape; hollow while it is missing."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, None)
        self.rank = Text("", most=TextSize.TEXT, lines=1, align="center",
                         size_hint=(0.92, 0.52), pos_hint={"center_x": 0.5, "top": 0.98})  # fmt: skip
        self.shape = Shape(most=22, size_hint=(1, 0.4), pos_hint={"x": 0, "y": 0.07})
        self.add_widget(self.rank)
        self.add_widget(self.shape)

    def show(self, cell: CardHere) -> None:
        look = theme.now
        fill = look.card if cell.there else look.sunk if cell.asked else None
        self.back.paint(fill, look.accent if cell.asked or cell.weak else look.line, 2.5 if cell.asked else 1)
        self.rank.show(f"{cell.text} !" if cell.weak else cell.text)
        self.rank.bold = cell.there or cell.asked
        ink = look.card_ink if cell.there else look.ink if cell.asked else look.muted
        self.rank.color = self.rank.disabled_color = theme.rgba(ink)
        self.shape.seat, self.shape.hollow = cell.seat, not cell.there
        self.disabled, self.opacity = cell.off, 0.0 if cell.off else 1.0


ABREAST = 5
"""The number of controls in a row of an upright screen."""


class CardsPage(Sheet):
    """All cards of a deck. While the page is open, the readers report to it and not to the game."""

    state: Enrolment | Check

    def fill(self) -> None:
        upright = self.app.upright
        self.lead = Text("", most=TextSize.TEXT if upright else TextSize.HEAD, bold=True, size_hint_y=0.6)
        self.asked = wide(Shape(most=48), 0)
        self.told = Text("", most=TextSize.TEXT, cuts=True)
        self.count = wide(Text("", most=TextSize.HEAD, lines=1, bold=True, align="right"), theme.grown(96))
        self.cells = [CardCell() for _ in DECK]
        self.grid = GridLayout(cols=6 if upright else 12, spacing=(dp(4), dp(1 if upright else 4)))
        for cell, card in zip(self.cells, DECK, strict=True):
            cell.act = partial(self.tap, card)
            self.grid.add_widget(cell)
        taps = self.feet()
        lines = 1 + (upright and len(taps) > ABREAST)
        head = 64 if lines > 1 else 100 if upright else 84
        self.lead.size_hint_y = 0.6 if lines == 1 and not upright else 1
        self.body.add_widget(high(row(self.asked, column(self.lead, self.told, gap=0), self.count), head))
        self.body.add_widget(self.grid)
        foot = GridLayout(cols=-(-len(taps) // lines), spacing=dp(4))
        for tap in taps:
            foot.add_widget(tap)
        self.body.add_widget(high(foot, 2 * theme.TOUCH + 4 if lines > 1 else theme.either(theme.TOUCH, 56)))
        if upright:  # sixty cards of a finger's height need all of it
            self.body.padding = dp(theme.PAD), dp(2)
        self._laid: tuple[str, str] | None = None  # the reader and tag laid by this page on the virtual table
        self._told: Enrolment | Check | None = None  # the state that the voice last announced

    def feet(self) -> list[Tap]:
        """Return the controls below the cards."""
        return []

    def tap(self, card: str) -> None:
        """React to a touch on a card; does nothing by default."""

    def enter(self, *_: Any, **__: Any) -> None:
        self.app.evening.devices.listen = self.hear
        self._told = None
        dock = self.app.dock
        if not dock:
            return
        for reader in dock.readers:
            for tag in dock.tags_on(reader):
                dock.lift(reader, tag)

    def leave(self) -> None:
        self.app.evening.devices.listen = None
        self._lift()

    def hear(self, reading: Reading) -> None:
        """Take a reading: a card came onto a reader or left it."""
        errors = None if reading.present else self.app.evening.devices.errors(reading.reader, reading.tag)
        self.state = self.state.hear(reading, errors)
        if reading.present and self._laid == (reading.reader, reading.tag):
            self._lift()

    def lay(self, tag: str) -> None:
        """Lay a tag on the virtual reader; it is lifted when it has been read."""
        dock = self.app.dock
        if dock and not self._laid:
            self._laid = dock.readers[0], tag
            dock.lay(*self._laid)

    def _lay_card(self, card: str) -> None:
        """Lay a card with its tag in this deck, or with the virtual table's own."""
        if dock := self.app.dock:
            self.lay(model.laid_by_hand(dock.deck, self.state.tags, self.state.name)[card])

    def _lift(self) -> None:
        laid, self._laid = self._laid, None
        if laid and self.app.dock:
            self.app.dock.lift(*laid)

    def speak(self, state: Enrolment | Check) -> None:
        """Say what is shown: which card is next, and what was read."""
        told, self._told = self._told, state
        if self.app.services.voice and state is not told:
            lang = self.app.lang
            self.app.services.voice.say(aloud.heard(told, state, lang) if told else aloud.begun(state, lang))

    def paint(self, cards: CardStates) -> None:
        self.head.show(cards.title)
        self.lead.show(cards.lead)
        self.lead.color = theme.rgba(theme.now.good if cards.done else theme.now.ink)
        self.asked.seat, self.asked.width = cards.asked, dp(52 if cards.asked else 0)
        self.told.show(cards.told)
        self.told.color = theme.rgba(theme.now.stop if cards.wrong else theme.now.muted)
        self.count.show(cards.count)
        for cell, shown in zip(self.cells, cards.cells, strict=True):
            cell.show(shown)


class DeckPage(CardsPage):
    """The enrolment of a deck: card after card is laid, and touching a card selects it.

    The page shows the enrolment as it is on disk; the current one is ahead of it until the write is confirmed.
    """

    state: Enrolment

    def feet(self) -> list[Tap]:
        self.undo = Tap(self.say(N_("Undo last card")), self._undo)
        self.check = Tap(self.say(N_("Check the deck")), lambda: self.app.go("deck_check", named=self.state.name))
        others = Tap(self.say(N_("All decks")), lambda: self.app.go("decks"))
        blank = Tap(self.say(N_("Use a new tag")), lambda: self.lay(deck.blank(self.state.tags)))
        self.own = Tap(self.say(N_("Lay this card")), self._lay_own)
        return [self.undo, *([blank, self.own] if self.app.dock else []), self.check, others]

    def _lay_own(self) -> None:
        """Lay the card that is asked for with an existing tag: this deck's, or the virtual table's own."""
        self._lay_card(str(self.state.asked))

    def enter(self, named: str = "") -> None:
        super().enter()
        evening = self.app.evening
        there = deck.names(evening.deck.tags)
        last = remembered(evening.store, "deck", there.__contains__)
        name = named or last or next(iter(there), self.say(N_("Our deck")))
        evening.store.keep("deck", name)
        playing = evening.is_playing
        self.state = self.shown = deck.enrolment(evening.deck.tags, name, sealed=playing)

    def show(self) -> None:
        if self.app.evening.deck.settled:
            self.shown = self.state
        shown = self.shown
        self.speak(shown)
        self.paint(model.enrolling(shown, self.app.lang))
        self.undo.show(self.undo.words.text, disabled=shown.before is None)
        self.own.show(self.own.words.text, disabled=not shown.asked)
        self.check.show(self.check.words.text, disabled=shown.sealed)  # a check would name the face-down cards
        replaced = self.app.home == "table" and shown.before and not shown.asked
        self.back = replace(self.back, lit=bool(replaced))  # lit: the tag is replaced, so play can continue

    def tap(self, card: str) -> None:
        self.state = self.state.pick(DECK[card])
        self.show()

    def hear(self, reading: Reading) -> None:
        before = self.state
        super().hear(reading)
        self._keep_tags(before)

    def _undo(self) -> None:
        before, self.state = self.state, self.state.undo()
        self._keep_tags(before)
        self.show()

    def _keep_tags(self, before: Enrolment) -> None:
        if self.state.tags is before.tags:
            return
        self.app.evening.deck.enrol(self.state.tags)
        own = self.app.dock.deck if self.app.dock else {}
        for card, tag in own.items():  # the virtual table's own cards have got new tags
            if tag in before.tags and tag not in self.state.tags:
                own[card] = next(reversed(self.state.deck.of(DECK[card])), tag)


class DeckCheckPage(CardsPage):
    """Before an evening: all cards of a game are laid, and those that are missing or strange are named."""

    state: Check

    def fill(self) -> None:
        super().fill()
        self.strange = high(Text("", most=TextSize.TEXT, ink=theme.now.stop), 0)
        self.told.parent.add_widget(self.strange)

    def feet(self) -> list[Tap]:
        lang = self.app.lang
        self.games = [(game, Tap(title(game, lang), partial(self._begin, game))) for game in self.app.evening.games]
        return [*(tap for _, tap in self.games), Tap(self.say(N_("Start again")), lambda: self._begin(self.state.game))]

    def enter(self, named: str = "") -> None:
        super().enter()
        evening = self.app.evening
        last = evening.match.game.name if evening.match else (evening.regulars.last_table or {}).get("game")
        game = next((game for game in evening.games if game.name == last), evening.games[0])
        self.state = Check(evening.deck.tags, named, game)

    def show(self) -> None:
        self.speak(self.state)
        self.paint(model.checking(self.state, self.app.lang))
        strange = model.strange(self.state, self.app.lang)
        self.strange.show(strange)
        self.strange.height = max(dp(20), tall(strange, TextSize.LABEL, self.body.width)) if strange else 0
        for game, tap in self.games:
            tap.show(title(game, self.app.lang), chosen=game is self.state.game)

    def tap(self, card: str) -> None:
        """Lay the card on the virtual table."""
        self._lay_card(card)

    def _begin(self, game: AnyGame) -> None:
        self.state = Check(self.app.evening.deck.tags, self.state.name, game)
        self.show()

    def close(self) -> None:
        self.app.go("deck", named=self.state.name)
