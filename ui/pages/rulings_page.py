"""The log, the page that tells why, and the undo."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules import N_, Ruling
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
        self.text = Text("", most=theme.BODY)
        self.rule = wide(Text("", most=theme.SMALL, lines=1, align="right", ink=theme.now.muted), theme.grown(36))
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
        self.list = Paged(lambda: EntryRow(lambda ruling: self.app.go("why", ruling=ruling)), self.say,
                          theme.grown(96 if self.app.upright else 60))  # fmt: skip
        self.body.add_widget(self.list)

    def enter(self) -> None:
        self.list.top()

    def show(self) -> None:
        self.list.show(rulings.log(self.app.moment()))


class UndoPage(Sheet):
    """Takes back one act after another, and says what to put back on the table."""

    title = N_("Undo")

    def fill(self) -> None:
        self.sure = False
        self.caption = high(Text("", most=theme.LEAD, lines=1, bold=True), theme.grown(26))
        self.lines = [Text("", most=theme.BODY) for _ in range(6)]
        self.box = column(*self.lines, pad=(theme.EDGE, 6), gap=2)
        self.hint = high(Text("", most=theme.LEAD, ink=theme.now.accent), theme.grown(64))
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
            line.size_hint_y = 1 + len(line.text) // 80
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
