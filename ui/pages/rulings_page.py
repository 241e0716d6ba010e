"""The log, the page that tells why, and the undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_, Ruling
from companion.why import why
from ui import theme
from ui.page import Sheet
from ui.pages import rulings
from ui.pages.rulings import LogEntry
from ui.widgets.box import column, high, panel, row, wide
from ui.widgets.pages import Paged
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text


class EntryRow(Touchable):
    """A ruling in the log; a tap asks why."""

    def __init__(self, ask: Callable[[Ruling], object]) -> None:
        super().__init__()
        self.back = Backdrop(self, theme.now.panel)
        self.shapes = [wide(Shape(), 18) for _ in range(3)]
        self.text = Text("", most=theme.BODY, least=9)
        self.rule = wide(Text("", most=theme.SMALL, lines=1, align="right", ink=theme.now.muted), 44)
        self.add_widget(row(*self.shapes, self.text, self.rule, gap=4, pad=(theme.PAD, 3), pos_hint={"x": 0, "y": 0}))
        self.entry: LogEntry | None = None
        self.act = lambda: self.entry and ask(self.entry.ruling)

    def show(self, entry: LogEntry) -> None:
        self.entry = entry
        self.text.show(entry.text)
        self.text.color = theme.rgba(theme.now.accent if entry.refused else theme.now.ink)
        self.rule.show(entry.rule)
        for at, shape in enumerate(self.shapes):
            shape.seat = entry.seats[at] if at < len(entry.seats) else ""


class LogPage(Sheet):
    """Every ruling of the game, newest first."""

    title = N_("Rulings, newest first")

    def fill(self) -> None:
        self.list = Paged(lambda: EntryRow(lambda ruling: self.app.go("why", ruling=ruling)), self.say)
        self.body.add_widget(self.list)

    def enter(self) -> None:
        self.list.top()

    def show(self) -> None:
        self.list.show(rulings.log(self.app.moment()))


class StoodPawns(Widget):
    """A pawn row, as it stood."""

    def __init__(self) -> None:
        super().__init__()
        self.caption = Text("", most=theme.SMALL, ink=theme.now.muted)
        self.shapes = [wide(Shape(), 26) for _ in range(5)]
        self.box = row(wide(self.caption, 70), *self.shapes, Widget())
        self.add_widget(self.box)
        self.bind(pos=self._fill, size=self._fill)

    def _fill(self, *_: Any) -> None:
        self.box.pos, self.box.size = self.pos, self.size

    def show(self, caption: str, seats: Sequence[str]) -> None:
        self.caption.show(caption if seats else "")
        for at, shape in enumerate(self.shapes):
            shape.seat = seats[at] if at < len(seats) else ""


class WhyPage(Sheet):
    """A ruling, the facts it weighed, and the clause it rests on."""

    title = N_("Why?")

    def fill(self) -> None:
        upright = self.app.upright
        self.text = Text("", most=theme.TITLE, least=12, bold=True)
        self.rule = high(Text("", most=theme.BODY, lines=1, bold=True, ink=theme.now.accent), 24)
        self.clause = Text("", most=theme.LEAD, least=10, upright="top")
        self.before, self.after = StoodPawns(), StoodPawns()
        self.rows = column(self.before, self.after, gap=2)
        self.facts = [(Text("", most=theme.BODY, lines=1, ink=theme.now.muted, size_hint_x=0.5),
                       Text("", most=theme.BODY, least=9)) for _ in range(9)]  # fmt: skip
        self.grid = GridLayout(cols=2, spacing=(dp(theme.PAD), dp(2)))
        side = column(self.rule, self.clause)
        weighed = column(self.grid, Widget(size_hint_y=0.001), high(self.rows, 72))
        self.body.add_widget(high(panel(row(self.text, pad=(theme.EDGE, 6))), 92))
        self.body.add_widget(column(side, weighed) if upright else row(side, weighed, gap=theme.EDGE))

    def enter(self, ruling: Ruling | None = None) -> None:
        self.back_to = "log" if ruling else "table"
        self.ruling = ruling

    def close(self) -> None:
        self.app.go(self.back_to)

    def show(self) -> None:
        m = self.app.moment()
        found = why(m.game, m.tongue, m.log, self.ruling)
        if found is None:
            self.app.go("table")
            return
        link = found.lead
        self.text.show(link.text)
        self.rule.show(self.say(N_("Clause {rule}"), rule=link.rule))
        self.clause.show(link.clause)
        rows = dict(zip((self.before, self.after), link.rows, strict=False))
        for line in (self.before, self.after):
            line.show(*rows.get(line, ("", ())))
        self.rows.height = dp(72) if rows else 0
        self.rows.opacity = int(bool(rows))
        self.grid.size_hint_max_y = dp(32) * len(link.facts)
        for at, (key, value) in enumerate(self.facts):
            fact = link.facts[at] if at < len(link.facts) else ("", "")
            key.show(fact[0])
            value.show(fact[1])
            for part in (key, value):
                if bool(fact[0]) != bool(part.parent):
                    (self.grid.add_widget if fact[0] else self.grid.remove_widget)(part)


class UndoPage(Sheet):
    """Takes back one act after another, and says what to put back on the table."""

    title = N_("Undo")

    def fill(self) -> None:
        self.sure = False
        self.caption = high(Text("", most=theme.LEAD, lines=1, bold=True), 28)
        self.lines = [Text("", most=theme.BODY, least=9) for _ in range(6)]
        self.box = column(*self.lines, pad=(theme.EDGE, 6), gap=2)
        self.hint = high(Text("", most=theme.LEAD, least=10, ink=theme.now.accent), 64)
        self.take = Tap("", self._take, kind="main", most=theme.LEAD)
        self.done = Tap(self.say(N_("Done")), self.close, most=theme.LEAD)
        self.body.add_widget(self.caption)
        self.body.add_widget(panel(self.box))
        self.body.add_widget(self.hint)
        self.body.add_widget(high(row(self.take, self.done, gap=theme.PAD), 60))

    def enter(self) -> None:
        self.sure = False

    def show(self) -> None:
        undo = rulings.undo(self.app.moment(), self.app.match.undoable)
        self.caption.show(self.say(N_("This will be taken back:") if undo else N_("There is nothing to take back.")))
        for at, line in enumerate(self.lines):
            line.show(undo.lines[at] if undo and at < len(undo.lines) else "")
        ask = N_("Cards were revealed here: everybody has seen them. Take it back all the same?")
        self.hint.show(self.say(ask) if undo and self.sure else undo.hint if undo else "")
        word = N_("Yes, take back the reveal") if self.sure else N_("Take back")
        self.take.show(self.say(word), disabled=undo is None)
        self.sealed = bool(undo and undo.sealed)

    def _take(self) -> None:
        if self.sealed and not self.sure:
            self.sure = True
            self.show()
            return
        self.sure = False
        self.app.act({"event": "undo"})
