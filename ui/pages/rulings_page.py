"""The log: what was ruled, newest first, with the way to go back to an act or to amend it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.rules import N_, Ruling
from ui import theme
from ui.page import Sheet
from ui.pages import goback, rulings
from ui.pages.goback import Action
from ui.pages.rulings import LogEntry
from ui.pages.small_board import SmallBoard
from ui.table.moment import Moment
from ui.theme import TextSize
from ui.widgets.box import column, high, row, wide
from ui.widgets.list_row import ListRow
from ui.widgets.pages import Paged
from ui.widgets.shape import Shape
from ui.widgets.spine import Control
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text, tall


class EntryRow(Touchable):
    """A ruling in the log; a tap asks about it."""

    def __init__(self, ask: Callable[[LogEntry], object], upright: bool) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel)
        self.number = wide(Text("", most=TextSize.LABEL, lines=1, ink=theme.now.muted), theme.grown(32))
        self.shapes = [wide(Shape(), 18) for _ in range(3)]
        self.marks = wide(row(gap=3), 0)
        self.text = Text("", most=TextSize.TEXT)
        self.rule = Text("", most=TextSize.LABEL, lines=1, align="right", ink=theme.now.muted)
        self.mark = Text("", most=TextSize.LABEL, lines=1, align="right", ink=theme.now.accent)
        own: dict[str, Any] = {"gap": 4, "pad": (theme.PAD, 3), "pos_hint": {"x": 0, "y": 0}}
        if upright:  # the words need all the width
            head = row(self.number, self.marks, self.mark, wide(self.rule, theme.grown(52)), gap=4)
            self.add_widget(column(high(head, theme.above(TextSize.LABEL, 1)), self.text, **own))
        else:
            end = wide(column(self.rule, self.mark, gap=0), theme.grown(120))
            self.add_widget(row(self.number, self.marks, self.text, end, **own))
        self.entry: LogEntry | None = None
        self.act = lambda: self.entry and ask(self.entry)

    def show(self, entry: LogEntry) -> None:
        self.entry = entry
        wide(self.number, theme.grown(32) if entry.move else 0).show(str(entry.move or ""))
        self.text.show(entry.text)
        ink = theme.now.stop if entry.refused else theme.now.muted if entry.gone else theme.now.ink
        self.text.color = theme.rgba(ink)
        self.back.paint(None if entry.gone else theme.now.panel, theme.now.line if entry.gone else None)
        self.rule.show(entry.rule)
        self.mark.show(entry.mark)
        seats = entry.seats if len(entry.seats) <= len(self.shapes) else ()
        for at, shape in enumerate(self.shapes):
            shape.seat = seats[at] if at < len(seats) else ""
            shape.opacity = 0.4 if entry.gone else 1
            if bool(shape.seat) != bool(shape.parent):
                (self.marks.add_widget if shape.seat else self.marks.remove_widget)(shape)
        self.marks.width = dp(21) * len(seats)


class LogRow(ListRow):
    """A ruling in the list: its act, the seats it is about, the sentence; the chosen one is lit."""

    def __init__(self, choose: Callable[[LogEntry], object]) -> None:
        super().__init__(choose, cuts=True, lines=2)
        self.number = wide(Text("", most=TextSize.LABEL, lines=1, ink=theme.now.muted, align="right"), theme.grown(34))
        self.shape = wide(Shape(), 24)
        self.add_widget(row(self.number, self.shape, self.text, gap=8, pad=(6, 1), pos_hint={"x": 0, "y": 0}))
        self.add_widget(self.edge)

    def show(self, item: tuple[LogEntry, bool]) -> None:
        self.item, chosen = item
        entry, look = self.item, theme.now
        self.number.show(str(entry.move or ""))
        self.shape.seat, self.shape.opacity = (entry.seats[0] if entry.seats else ""), 0.4 if entry.gone else 1
        self.text.show(entry.text)
        ink = look.stop if entry.refused else look.muted if entry.gone else look.ink
        self.light(chosen, ink, look.accent if chosen else "")


ROW, LIST = 52, 424
"""The height of a row and the width of the list, in dp."""


class RulingsPage(Sheet):
    """Every ruling of the game, newest first; beside the list what the chosen one came to, and what can be done."""

    title = N_("Log")

    def fill(self) -> None:
        upright = self.app.upright
        self.unfolded: set[int] = set()
        self.chosen: LogEntry | None = None
        self.wanted = 0
        self.seat = ""
        self.list = Paged(lambda: LogRow(self.choose), self.say, theme.either(ROW, 58), gap=0)
        self.list.turned = self._choose_seen
        self.order = wide(Text(self.say(N_("newest first")), most=TextSize.TEXT, lines=1, align="right",
                               ink=theme.now.on_seal), theme.grown(150))  # fmt: skip
        self.titled.add_widget(self.order)
        self.where = Text("", most=TextSize.TEXT, lines=1, ink=theme.now.muted)
        self.lead = Text("", most=TextSize.TEXT, bold=True, upright="top", cuts=True)
        self.board = SmallBoard(self.app)
        self.why = Tap(self.say(N_("Why?")), self._open_why, most=TextSize.TEXT)
        self.other = Tap(self.say(N_("Correct")), self._correct_move, most=TextSize.TEXT)
        self.to = Tap(self.say(N_("Go back to here")), self._undo_to, most=TextSize.TEXT)
        acts = column(high(row(self.why, self.other, gap=8), 52), high(self.to, 52), gap=8)
        below = Widget() if upright else self.board  # where there is room for it
        self.told = column(high(self.where, theme.above(TextSize.TEXT)), below, gap=4)
        side = column(self.told, high(acts, 112), gap=8, pad=(16, 12))
        self.body.padding, self.body.spacing = 0, 0
        if upright:
            self.list.size_hint_y, self.list.height = None, dp(7 * theme.either(ROW, 58))
            self.body.add_widget(column(self.list, side, gap=0))
        else:
            self.body.add_widget(row(wide(self.list, theme.either(LIST, 400)), side, gap=0))

    def enter(self, number: int = 0, ruling: Ruling | None = None) -> None:
        """Open the log; `number` selects an act, and `ruling` one of its rulings."""
        self.unfolded.clear()
        self.wanted, self.ruling, self.chosen, self.seat = number, ruling, None, ""
        self.list.from_the_top()

    def show(self) -> None:
        m = self.app.moment()
        if self.wanted:
            self._unfold(rulings.log(m))
        found = rulings.log(m, self.unfolded, self.seat)
        if self.wanted:
            mine = [at for at, entry in enumerate(found) if entry.number == self.wanted]
            exact = [at for at in mine if found[at].ruling == self.ruling]
            if at := (exact or mine or [0])[0]:
                self.list.turn_to(at)
            self.chosen, self.wanted = (found[at] if found else None), 0
        if self.chosen not in found:
            act = self.chosen.act if self.chosen else None  # of a line that has been unfolded: its newest
            self.chosen = next((entry for entry in found if entry.act is act), found[0] if found else None)
        self.list.show([(entry, entry == self.chosen) for entry in found])
        self._show_entry(m, self.chosen)
        self.ways = (
            Control("check", self.say(N_("Check")), partial(self.app.go, "check", back=self._reopen)),
            Control("filter", m.name(self.seat) if self.seat else self.say(N_("All")), self._next_seat),
        )

    def _unfold(self, found: Sequence[LogEntry]) -> None:
        """Unfold the line that hides the wanted act."""
        folds = [entry.folded for entry in found if 0 < entry.folded <= self.wanted]
        if folds and not any(entry.number == self.wanted for entry in found):
            self.unfolded.add(max(folds))

    def _is_cut(self, text: str) -> bool:
        """Return whether the list has no room for the whole text."""
        room = self.list.width - dp(theme.grown(34) + 24 + 28)
        return bool(tall(text, TextSize.LABEL, room, True) > dp(theme.above(TextSize.LABEL, 2)))

    def _show_entry(self, m: Moment, entry: LogEntry | None) -> None:
        """Show the chosen entry: the act as it stands, and what can be done about it."""
        act = goback.action(m, entry.number) if entry and entry.number else None
        self.where.show((act.sealed if act else "") or (entry.mark if entry else ""))
        self._show_details(m, entry, act)
        self.why.show(self.why.words.text, disabled=entry is None)
        self.other.show(self.other.words.text, disabled=act is None or bool(act.sealed))
        self.to.show(self.to.words.text, disabled=act is None or act.last, kind="main")

    def _show_details(self, m: Moment, entry: LogEntry | None, act: Action | None) -> None:
        """Show what was corrected, or the whole text if the list has no room for it, and the board as it stood then."""
        corrected = (entry and rulings.corrected(m, entry)) or (act.corrected if act else "")
        self.lead.show(corrected or (entry.text if entry and self._is_cut(entry.text) else ""))
        if bool(self.lead.text) != bool(self.lead.parent):
            if self.lead.text:
                self.told.add_widget(self.lead, index=1 - self.app.upright)
            else:
                self.told.remove_widget(self.lead)
        if entry and not self.app.upright:
            self.board.show(m.after(entry.act) if entry.act.number else None)

    def choose(self, entry: LogEntry) -> None:
        """Choose the touched row; a folded row is unfolded."""
        if entry.folded:
            self.unfolded.add(entry.folded)
        self.chosen = entry
        self.app.paint()

    def _choose_seen(self) -> None:
        """Choose the first entry in sight if the chosen one is out of sight."""
        seen = [entry for entry, _ in self.list.seen]
        if self.chosen not in seen:
            self.chosen = next((entry for entry in seen if not entry.folded), seen[0])
            self.app.paint()

    def _next_seat(self) -> None:
        """Show only entries about the next seat; after the last seat, show everything."""
        seats = ["", *self.app.match.header.seats]
        self.seat = seats[(seats.index(self.seat) + 1) % len(seats)]
        self.chosen = None
        self.list.from_the_top()
        self.app.paint()

    def _open_why(self) -> None:
        if self.chosen:
            self.app.go("why", ruling=self.chosen.ruling)

    def _undo_to(self) -> None:
        if self.chosen:
            given = {"number": self.chosen.number, "ruling": self.chosen.ruling}
            self.app.go("back", event={"event": "undo", "to": self.chosen.number}, back="log", given=given)

    def _reopen(self) -> None:
        """Return to the row that was chosen."""
        chosen = self.chosen
        self.app.go("log", number=chosen.number if chosen else 0, ruling=chosen.ruling if chosen else None)

    def _correct_move(self) -> None:
        """Correct the chosen act; an outcome leads to any of the acts that led to it."""
        if self.chosen:
            exact = self.chosen.ruling in self.chosen.act.public[:1]
            self.app.go("otherwise", number=self.chosen.number, exact=exact)
