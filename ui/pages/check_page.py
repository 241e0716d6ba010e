"""Does it lie like this? The whole table at once, or seat by seat; where it does not, what lies there instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from companion.rules.parts import Field, Part
from companion.rules.words import Tongue
from ui import theme
from ui.page import Sheet
from ui.pages import check
from ui.pages.check import Checked, CheckSide, SpotTile
from ui.pages.editor_page import PartPane
from ui.theme import Step
from ui.widgets.box import column, high, row, swap, wide
from ui.widgets.flow import Flow
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text, tall


class SpotCell(BoxLayout):
    """A place in the picture of the whole table: what it is called over what lies there."""

    def __init__(self) -> None:
        super().__init__(spacing=dp(4))
        self.shape = wide(Shape(most=18), 20)
        self.caption = Text(most=Step.LABEL, lines=1, ink=theme.now.muted, size_hint_y=0.45)
        self.value = Text(most=Step.TEXT, bold=True, size_hint_y=0.55)
        self.add_widget(self.shape)
        self.add_widget(column(self.caption, self.value, gap=0))

    def show(self, tile: SpotTile) -> None:
        self.caption.show(tile.caption)
        self.value.show(tile.value)
        self.value.color = theme.rgba(theme.now.accent if tile.said else theme.now.ink)
        self.shape.seat = tile.seat
        self.shape.width = dp(20) if tile.seat else 0


class SideRow(Touchable):
    """One side of the table with all that should lie there; a touch looks closer."""

    HEAD, NAME = 28, 130

    def __init__(self, upright: bool, open_: Callable[[CheckSide], object]) -> None:
        super().__init__()
        self.upright = upright
        self.back = Backdrop(self, theme.now.panel)
        self.shape = wide(Shape(most=22), 26)
        self.title = Text(most=Step.TEXT, lines=1, bold=True)
        self.mark = Text(most=Step.LABEL, lines=1)
        self.head = column(row(self.shape, self.title), self.mark, gap=0)
        self.grid = GridLayout(spacing=(dp(theme.PAD), dp(2)))
        self.cells: list[SpotCell] = []
        self.box = column(self.head, self.grid, gap=4, pad=(theme.PAD, 4), pos_hint={"x": 0, "y": 0})
        self.add_widget(self.box)
        self.act = lambda: open_(self.side)

    def show(self, side: CheckSide) -> None:
        self.side = side
        self.title.show(side.title)
        self.shape.seat = side.seat
        self.shape.width = dp(26) if side.seat else 0
        self.mark.show(side.mark)
        high(self.mark, theme.above(Step.LABEL, 1) if side.mark else 0)
        beside = self._beside(side)
        self.box.orientation = "horizontal" if beside else "vertical"
        (wide(self.head, theme.grown(self.NAME)) if beside else high(self.head, self._head(side)))
        if beside:
            self.head.size_hint_y = 1
        else:
            self.head.size_hint_x = 1
        self.mark.color = theme.rgba(theme.now.accent if side.otherwise else theme.now.good)
        self.back.paint(theme.now.panel, theme.now.accent if side.otherwise else None, 2)
        while len(self.cells) < len(side.shown):
            self.cells.append(SpotCell())
        self.grid.cols = self._cols(side)
        self.grid.clear_widgets()
        for cell, tile in zip(self.cells, side.shown, strict=False):
            cell.show(tile)
            self.grid.add_widget(cell)

    def tall(self, side: CheckSide, width: float) -> float:
        cols, beside = self._cols(side), self._beside(side)
        room = (width - dp(theme.PAD) * (cols + 1) - (dp(theme.grown(self.NAME)) if beside else 0)) / cols
        lines = [side.shown[at : at + cols] for at in range(0, len(side.shown), cols)]
        heights = [max(self._cell(tile, room) for tile in line) for line in lines]
        self.grid.rows_minimum = dict(enumerate(heights))
        head = 0 if beside else self._head(side)
        return float(dp(head + 12) + sum(heights) + dp(2) * len(heights))

    def _beside(self, side: CheckSide) -> bool:
        """The name stands beside what lies there, not over it."""
        return not self.upright and not side.grid and len(side.shown) <= 5

    def _head(self, side: CheckSide) -> float:
        return theme.grown(self.HEAD) + (theme.above(Step.LABEL, 1) if side.mark else 0)

    def _cell(self, tile: SpotTile, room: float) -> float:
        room -= dp(24) if tile.seat else 0
        value = max(tall(tile.value, Step.TEXT, room, True), dp(theme.above(Step.TEXT)))
        return float(value / 0.55 if value > dp(theme.above(Step.TEXT)) else dp(theme.grown(42)))

    def _cols(self, side: CheckSide) -> int:
        if side.grid or self._beside(side):
            return 5
        return int(theme.either(3, 2) if self.upright else 4)


class CheckTap(Touchable):
    """A place: what it is called over what lies there."""

    def __init__(self) -> None:
        super().__init__(size_hint_min=(dp(theme.TOUCH), dp(theme.TOUCH)), size_hint_max_y=dp(theme.grown(92)))
        self.back = Backdrop(self, theme.now.panel)
        self.shape = wide(Shape(most=22), 24)
        self.caption = high(Text(most=Step.LABEL, lines=1, ink=theme.now.muted), theme.above(Step.LABEL, 1))
        self.value = Text(most=Step.TEXT, bold=True)
        self.add_widget(row(self.shape, column(self.caption, self.value, gap=0), gap=4, pad=(theme.either(6, 4), 2),
                            pos_hint={"x": 0, "y": 0}))  # fmt: skip

    def show(self, tile: SpotTile) -> None:
        self.caption.show(tile.caption)
        self.value.show(tile.value)
        self.shape.seat = tile.seat
        self.shape.width = dp(24) if tile.seat else 0
        self.back.paint(theme.now.panel, theme.now.accent if tile.said else theme.now.line, 2 if tile.said else 1)


class SidePane(BoxLayout):
    """One side, a tile a place: whatever is different is touched."""

    def __init__(self, upright: bool, open_: Callable[[SpotTile], object]) -> None:
        super().__init__(orientation="vertical")
        self.upright, self.open = upright, open_
        self.grid = GridLayout(spacing=dp(theme.GAP))
        self.taps: list[CheckTap] = []
        self.add_widget(self.grid)
        self.add_widget(Widget(size_hint_y=0.001))

    def show(self, side: CheckSide) -> None:
        while len(self.taps) < len(side.tiles):
            self.taps.append(CheckTap())
        self.grid.clear_widgets()
        more = len(side.tiles) > 12
        few, many = (2, theme.either(3, 2)) if self.upright else (3, 4)
        self.grid.cols = 5 if side.grid else int(many if more else few)
        for tap, tile in zip(self.taps, side.tiles, strict=False):
            tap.show(tile)
            tap.act = partial(self.open, tile)
            self.grid.add_widget(tap)


class CheckPage(Sheet):
    """The table as it should lie: one touch where all of it does, else where it does not, and what lies there."""

    title = N_("Does your table look like this?")

    def fill(self) -> None:
        self.stage = BoxLayout()
        self.flow = Flow({CheckSide: lambda: SideRow(self.app.upright, self.open)}, self.say)
        self.pane = SidePane(self.app.upright, self.ask)
        self.note = Text(most=Step.TEXT, ink=theme.now.muted)
        self.other = wide(Tap("", self._other, most=Step.TEXT), 200)
        self.main = wide(Tap("", self._main, kind="main", most=Step.TEXT), 200)
        self.notes = high(self.note, theme.grown(40) if self.app.upright else 0)
        self.body.add_widget(self.stage)
        if self.app.upright:
            self.other.size_hint_x = self.main.size_hint_x = 1
            self.body.add_widget(self.notes)
            self.body.add_widget(high(row(self.other, self.main, gap=theme.PAD), 60))
        else:
            self.note.size_hint_y = 1
            self.body.add_widget(high(row(self.note, self.other, self.main, gap=theme.PAD), 60))
        self.checked: Checked | None = None
        self._forget()

    def _forget(self) -> None:
        self.side: str | None = None
        self.tile: SpotTile | None = None
        self.of: Any = None
        self.part: PartPane | None = None
        self.urged = self.lay = False

    def enter(self, checked: Checked | None = None, side: str | None = None, explained: bool = False) -> None:
        """`checked` is what the table has said so far; `explained`: what was done about it lies there already."""
        self._forget()
        self.side, self.lay = side, explained
        self.checked = checked
        self.flow.turn_to(0)

    def leave(self) -> None:
        self.part = None
        swap(self.stage, self.flow)

    # -- what the table says -------------------------------------------------------------------------------------

    def open(self, side: CheckSide) -> None:
        """A closer look at one side."""
        self.side, self.urged = side.seat, False
        self.show()

    def ask(self, tile: SpotTile) -> None:
        """What lies at that place."""
        assert self.checked
        self.tile = tile
        self.of = check.value(tile.spot, self.draft.setup.seats, self.checked.there(tile.spot.place))
        self.part = PartPane(self, check.part(tile.spot, self.draft.setup.seats))
        self.show()

    def value(self, _: Part) -> Any:
        """What has been said of the place so far."""
        return self.of

    def touch(self, part: Part, field: Field, _: object, one: object) -> None:
        """A value was touched."""
        self.of = check.touched(part, self.of, field, one)
        self.show()

    @property
    def draft(self) -> Any:
        """What a pane asks about the game: its header has the seats."""
        return self.app.match.header

    @property
    def tongue(self) -> Tongue:
        return self.app.moment().tongue

    def close(self) -> None:
        """One step back, or out."""
        if self.tile:
            self.tile = self.part = None
        elif self.side is not None:
            self.side = None
        else:
            super().close()
            return
        self.show()

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
        found = check.sides(self.app.moment(), self.checked)
        if not found:
            self._show_nothing()
        elif self.tile and self.part:
            self._show_place(self.tile, self.part)
        elif self.side is not None:
            self._show_side(next(side for side in found if side.seat == self.side))
        else:
            self._show_all(found)

    def _show_nothing(self) -> None:
        self.head.show(self.say(self.title))
        self._foot(N_("Nobody has written down yet what lies where in this game."), "", N_("Back"))

    def _show_all(self, found: Sequence[CheckSide]) -> None:
        assert self.checked
        self.head.show(self.say(self.title))
        self.flow.show(found)
        swap(self.stage, self.flow)
        if self.checked.said:
            self._foot("", N_("Go on looking"), N_("What explains it?"))
        else:
            self._foot(N_("Touch a part of the table to look closer."), N_("Seat by seat"), N_("Yes, all of it"))

    def _show_side(self, side: CheckSide) -> None:
        self.head.show(self.say(N_("{side}: does it lie like this?"), side=side.title))
        self.pane.show(side)
        swap(self.stage, self.pane)
        self._foot(N_("Touch whatever is different on the table."), N_("It does not"), N_("It does"), self.urged)

    def _show_place(self, tile: SpotTile, part: PartPane) -> None:
        assert self.checked
        m = self.app.moment()
        self.head.show(self.say(N_("{where}: what lies there?"), where=self.tongue.place(tile.spot.place)))
        part.show()
        swap(self.stage, part)
        should = check.content(m.tongue, tile.spot, self.checked.lies.get(tile.spot.place, {}))
        self._foot(N_("It should be: {what}"), "", N_("This lies there"), what=should)

    def _foot(self, note: str, other: str, main: str, urged: bool = False, **facts: object) -> None:
        self.note.show(self.say(note, **facts) if note else "")
        self.note.color = theme.rgba(theme.now.stop if urged else theme.now.muted)
        self.note.bold = urged
        self.other.show(self.say(other) if other else "", disabled=not other)
        self.other.opacity = 1 if other else 0
        self.main.show(self.say(main))

    # -- on ------------------------------------------------------------------------------------------------------

    def _main(self) -> None:
        assert self.checked
        if self.tile:
            self.checked = self.checked.say(self.tile.spot.place, check.pieces_of(self.tile.spot, self.of))
            self.tile = self.part = None
            self._explain() if self.checked.said else self.show()
        elif self.side is not None:
            self.checked = self.checked.agree(self.side)
            self._on()
        elif self.checked.said:
            self._explain()
        else:
            self.app.match.turned.put_away()
            self.close()

    def _other(self) -> None:
        if self.side is not None:
            self.urged = True
            self.show()
        else:
            self._on()

    def _on(self) -> None:
        """The next side of which nobody has said anything; after the last the table lies as it should, or not."""
        assert self.checked
        found = check.sides(self.app.moment(), self.checked)
        left = [side.seat for side in found if not side.agreed and not side.otherwise]
        self.side, self.urged = left[0] if left else None, False
        if left:
            self.show()
        elif self.checked.said:
            self._explain()
        else:
            self.app.match.turned.put_away()
            super().close()

    def _explain(self) -> None:
        self.app.go("explain", checked=self.checked, side=self.side)
