"""The page of the table check: the board as it should lie; players touch the places that differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from companion.rules.layout import Spot
from companion.rules.mistakes import Mistakes
from companion.rules.position_parts import Field, Part
from companion.rules.words import Tongue
from ui import theme
from ui.layout import slots
from ui.page import App, Sheet
from ui.pages import check, draft_moment
from ui.pages.check import Checked
from ui.pages.draft_board import DraftBoard
from ui.pages.editor_page import PartPane
from ui.pages.place_bar import MAIN, PlaceBar, among, fits
from ui.pages.small_board import SmallBoard
from ui.table.moment import Moment
from ui.theme import TextSize
from ui.widgets.box import column, high, panel, swap, wide
from ui.widgets.spine import Control
from ui.widgets.tap import Tap
from ui.widgets.text import Text


def described(app: App, checked: Checked) -> Moment | None:
    """Return the board with everything that has been said; None if nothing has, or no board can show it."""
    match, moment = app.match, app.moment()
    try:
        draft = check.prefilled(match.game.name, match.draft(), checked.said) if checked.said else None
    except Mistakes:
        return None
    return draft_moment.moment(draft, moment.tongue, moment.board) if draft else None


class CheckPage(Sheet):
    """The expected layout on the game's own board: one touch confirms it, or marks the places that differ."""

    title = N_("Does your table look like this?")

    def fill(self) -> None:
        self.body.padding, self.body.spacing = 0, 0
        self.stage, self.said, self.nothing = BoxLayout(), BoxLayout(), Widget()
        self.note = Text(most=TextSize.TEXT)
        self.main = wide(Tap("", self._take_main, kind="main", most=TextSize.TEXT), theme.grown(MAIN))
        line = BoxLayout(spacing=dp(8), padding=(dp(theme.PAD), dp(4), dp(8), dp(4)))
        line.add_widget(self.said)
        line.add_widget(self.main)
        self.body.add_widget(self.stage)
        self.body.add_widget(high(panel(line, theme.now.panel, radius=0), slots(self.app.upright).line))
        self.table: object = None
        self.checked: Checked | None = None
        self._forget_answer()

    def _forget_answer(self) -> None:
        self.side: str | None = None
        self.spot: Spot | None = None
        self.among: Sequence[Spot] = ()
        self.of: Any = None
        self.part: Part | None = None
        self.pane: PartPane | PlaceBar | None = None
        self.offered: Sequence[tuple[str, Spot]] = ()
        self.choice: Any = None
        self.small: SmallBoard | None = None
        self.lay = False

    def enter(self, checked: Checked | None = None, side: str | None = None, explained: bool = False,
              back: Callable[[], object] | None = None) -> None:  # fmt: skip
        """Start with the answers in `checked`.

        `explained` means that the differences were entered: the pieces lie there already. `back` returns to the page
        that led here.
        """
        self._forget_answer()
        self.way_back = back or super().close
        self.side, self.lay = side, explained
        self.checked = checked
        match = self.app.match
        table = match.game.name, len(match.header.seats)
        if table != self.table:  # a board takes its time to be built
            self.table = table
            self.board = DraftBoard(self.app, match.game.name, len(match.header.seats), self.point)

    def leave(self) -> None:
        self._forget_answer()

    # -- what the table says -------------------------------------------------------------------------------------

    def point(self, places: Sequence[str]) -> None:
        """Ask about the places under a touch on the board or on a seat's tile, or which of several is meant."""
        assert self.checked
        seats = [place.removeprefix("seat ") for place in places if place.startswith("seat ")]
        found = [spot for spot in self.checked.spots if spot.place in places]
        if seats and not found:
            self.side = seats[0]
            found = [spot for spot in self.checked.spots if self.checked.side(spot) == seats[0]]
        self._choose_among(found)

    def others(self) -> None:
        """Ask about the places that the board does not show."""
        self.side = None
        self._choose_among(self._unseen_places())

    def _unseen_places(self) -> Sequence[Spot]:
        """Return the places that neither the board nor the tiles beside it show."""
        assert self.checked
        seen, seats = self.board.shown, self.draft.seats
        return [spot for spot in self.checked.spots if spot.place not in seen and self.checked.side(spot) not in seats]

    def _choose_among(self, found: Sequence[Spot]) -> None:
        if len(found) == 1:
            self.ask(found[0])
            return
        self.among, self.spot, self.part = found, None, None
        self.show()

    def ask(self, spot: Spot) -> None:
        """Ask what lies at a place."""
        assert self.checked
        self.spot, self.among = spot, ()
        self.of = check.value(spot, self.draft.seats, self.checked.there(spot.place))
        self.part = check.part(spot, self.draft.seats)
        self.show()

    def value(self, _: Part) -> Any:
        """Return what has been said of the place so far."""
        return self.of

    def touch(self, part: Part, field: Field, _: object, one: object) -> None:
        """Apply a touch on a value."""
        self.of = check.touched(part, self.of, field, one)
        self.show()

    @property
    def draft(self) -> Any:
        """Return the game's header, which tells a bar the seats."""
        return self.app.match.header

    @property
    def tongue(self) -> Tongue:
        return self.app.moment().tongue

    def close(self) -> None:
        """Go back one step, or leave the page."""
        if self.spot or self.among:
            self.spot, self.part, self.among = None, None, ()
            self.show()
        else:
            self.way_back()

    # -- showing -------------------------------------------------------------------------------------------------

    def show(self) -> None:
        match = self.app.match
        if self.lay and not match.waiting:
            match.turned.put_away()
            self.lay = False
        if self.checked is None:
            self.checked = check.checked(match.game.name, match.header.setup, match.lies)
        elif self.checked.lies != match.lies and not match.waiting:
            self.checked = self.checked.again(match.lies)
        self.head.show(self.say(self.title))
        self._show_board()
        if not self.checked.spots:
            self._fill_foot(N_("This game has no layout to check."), N_("Back"))
        elif self.spot and self.part:
            self._show_place(self.spot, self.part)
        elif self.among:
            self._show_among()
        elif self.checked.said:
            self._fill_foot(N_("Tap anything else that is different."), N_("What happened?"))
        else:
            self._fill_foot(N_("Tap anything that is different on your table."), N_("Everything is right"))
        others = self.others if self.checked.spots and self._unseen_places() else None
        self.ways = (None, Control("cards", self.say(N_("Others")), others))
        self.finish()

    def _show_board(self) -> None:
        """Show the expected layout, with the table's answers if they can be drawn."""
        assert self.checked
        moment = self.app.moment()
        spots = {spot.place: spot for spot in self.checked.spots}
        named = {place: check.label(moment, spots[place]) for place in self.checked.said}
        self.board.show(self._laid(), named)

    def _laid(self) -> Moment:
        """Return the expected layout, with the table's answers if they can be drawn."""
        assert self.checked
        return described(self.app, self.checked) or replace(self.app.moment(), outlines=(), log=())

    def _show_place(self, spot: Spot, part: Part) -> None:
        assert self.checked
        m = self.app.moment()
        name = check.label(m, spot)
        should = check.content(m.tongue, spot, self.checked.lies.get(spot.place, {}))
        text = self.say(N_("{where}. Tabularium has: {what}"), where=name, what=should)
        self.head.show(text if spot.place.endswith(f" {name}") else text[:1].upper() + text[1:])  # it is a2, not A2
        if self.pane is None or self.pane.part is not part:
            short = check.short(m, spot)
            in_line = fits(self, part, short)
            self.pane = PlaceBar(self, part, short) if in_line else PartPane(self, part, self._laid)
        self.pane.show()
        in_line = isinstance(self.pane, PlaceBar)
        swap(self.stage, self.board if in_line else self.pane)
        swap(self.said, self.pane if in_line else self.nothing)
        self.main.show(self.say(N_("This lies there")))

    def _show_among(self) -> None:
        """Offer the places to choose from; for a seat also that everything is correct."""
        m = self.app.moment()
        assert self.checked
        if self.side:
            self.head.show(self.say(N_("{seat}: does something lie differently?"), seat=self.side))
        offered = [(check.told(m, self.checked, spot), spot) for spot in self.among]
        if offered != self.offered:  # else a finger may be on one of them
            self.offered = offered
            self.choice = among([(text, partial(self.ask, spot)) for text, spot in offered], self.app.upright)
            self.small = SmallBoard(self.app) if isinstance(self.choice, GridLayout) else None
            if self.small:
                self.choice.bind(minimum_height=self.choice.setter("height"))
                self.choice.size_hint_y = None
                self.choice = column(self.choice, self.small)
        if self.small:
            self.small.show(self._laid())
        swap(self.stage, self.choice if self.small else self.board)
        swap(self.said, self.nothing if self.small else self.choice)
        self.main.show(self.say(N_("All correct") if self.side else N_("Back")))

    def _fill_foot(self, note: str, main: str) -> None:
        self.note.show(self.say(note))
        swap(self.stage, self.board)
        swap(self.said, self.note)
        self.main.show(self.say(main))

    # -- on ------------------------------------------------------------------------------------------------------

    def _take_main(self) -> None:
        assert self.checked
        if self.spot:
            self.checked = self.checked.say(self.spot.place, check.pieces_of(self.spot, self.of))
            self.spot = self.part = None
            self._explain() if self.checked.said else self.show()
        elif self.among:
            if self.side:
                self.checked = self.checked.agree(self.side)
            self.among = ()
            self.show()
        elif self.checked.said:
            self._explain()
        else:
            self.app.match.turned.put_pieces_away()
            self.way_back()

    def _explain(self) -> None:
        self.app.go("explain", checked=self.checked, side=self.side)
