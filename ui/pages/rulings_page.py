"""The log: what was ruled, newest first, with the way to go back to an act or to amend it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.metrics import dp

from companion.rules import N_
from ui import theme
from ui.page import Sheet
from ui.pages import rulings
from ui.pages.rulings import LogEntry
from ui.widgets.box import column, high, row, wide
from ui.widgets.pages import Paged
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text


class EntryRow(Touchable):
    """A ruling in the log; a tap asks about it."""

    def __init__(self, ask: Callable[[LogEntry], object], upright: bool) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel)
        self.number = wide(Text("", most=theme.SMALL, lines=1, ink=theme.now.muted), theme.grown(32))
        self.shapes = [wide(Shape(), 18) for _ in range(3)]
        self.marks = wide(row(gap=3), 0)
        self.text = Text("", most=theme.BODY)
        self.rule = Text("", most=theme.SMALL, lines=1, align="right", ink=theme.now.muted)
        self.mark = Text("", most=theme.SMALL, lines=1, align="right", ink=theme.now.accent)
        own: dict[str, Any] = {"gap": 4, "pad": (theme.PAD, 3), "pos_hint": {"x": 0, "y": 0}}
        if upright:  # the words need all the width
            head = row(self.number, self.marks, self.mark, wide(self.rule, theme.grown(52)), gap=4)
            self.add_widget(column(high(head, theme.lines(1, theme.SMALL)), self.text, **own))
        else:
            end = wide(column(self.rule, self.mark, gap=0), theme.grown(120))
            self.add_widget(row(self.number, self.marks, self.text, end, **own))
        self.entry: LogEntry | None = None
        self.act = lambda: self.entry and ask(self.entry)

    def show(self, entry: LogEntry) -> None:
        self.entry = entry
        wide(self.number, theme.grown(32) if entry.number else 0).show(str(entry.number or ""))
        self.text.show(entry.text)
        ink = theme.now.stop if entry.refused else theme.now.muted if entry.gone else theme.now.ink
        self.text.color = theme.rgba(ink)
        self.back.paint(None if entry.gone else theme.now.panel, theme.now.line if entry.gone else None)
        self.rule.show(entry.rule)
        self.mark.show(entry.mark)
        for at, shape in enumerate(self.shapes):
            shape.seat = entry.seats[at] if at < len(entry.seats) else ""
            shape.opacity = 0.4 if entry.gone else 1
            if bool(shape.seat) != bool(shape.parent):
                (self.marks.add_widget if shape.seat else self.marks.remove_widget)(shape)
        self.marks.width = dp(21) * min(len(entry.seats), len(self.shapes))


class LogPage(Sheet):
    """Every ruling of the game, newest first; a touch on an act that stands leads to what can be done about it."""

    title = N_("Log, newest first")

    def fill(self) -> None:
        self.unfolded: set[int] = set()
        least = theme.either(116, 130) if self.app.upright else theme.either(76, 93)
        self.list = Paged(lambda: EntryRow(self._ask, self.app.upright), self.say, theme.grown(least))
        self.body.add_widget(self.list)
        check = Tap(self.say(N_("Check the table")), lambda: self.app.go("check"))
        if self.app.upright:
            self.body.add_widget(high(check, theme.TOUCH))
        else:
            self.children[-1].add_widget(wide(check, theme.grown(150)))

    def enter(self) -> None:
        self.unfolded.clear()
        self.list.from_the_top()

    def show(self) -> None:
        self.list.show(rulings.log(self.app.moment(), self.unfolded))

    def _ask(self, entry: LogEntry) -> None:
        if entry.folded:
            self.unfolded.add(entry.folded)
            self.show()
        elif entry.number:
            self.app.go("deed", number=entry.number, ruling=entry.ruling)
        else:
            self.app.go("why", ruling=entry.ruling)
