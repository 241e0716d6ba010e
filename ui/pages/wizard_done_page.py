"""The end of the set-up: the resulting table, its drawing, and config.yaml as it is written."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.rules import N_
from companion.rules.message import system_error
from companion.rules.words import message
from ui import theme
from ui.page import Sheet
from ui.pages import wizard as model
from ui.pages.where_page import export
from ui.pages.wizard_page import room
from ui.theme import TextSize
from ui.widgets.box import high, wide
from ui.widgets.drawing import Drawing
from ui.widgets.pages import Paged
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap
from ui.widgets.text import Backdrop, Text


class PlaysRow(BoxLayout):
    """A seat, or the centre, and what it plays with."""

    def __init__(self) -> None:
        super().__init__(spacing=dp(theme.PAD), padding=(dp(theme.PAD), dp(4)))
        self.back = Backdrop(self, theme.now.panel)
        self.seat = wide(Shape(most=30), 40)
        self.name = Text("", most=TextSize.TEXT, bold=True, size_hint_x=0.3, lines=1)
        self.text = Text("", most=TextSize.TEXT)
        for part in (self.seat, self.name, self.text):
            self.add_widget(part)

    def show(self, plays: model.Plays) -> None:
        self.seat.seat = plays.seat
        self.name.show(plays.called)
        self.text.show(plays.text)


class WizardDonePage(Sheet):
    """The resulting table: each seat's devices, the drawing and the file, which is written here."""

    title = N_("This is your table.")

    def fill(self) -> None:
        self.list = Paged(PlaysRow, self.say, theme.grown(48))
        self.told = high(Text("", most=TextSize.TEXT), 0)
        self.told.bind(width=lambda told, _: room(told, told.text, 44))  # the page is laid out after it is shown
        self.drawing = Tap(self.say(N_("Drawing")), lambda: self.app.go("set_up_drawing"), most=TextSize.TEXT)
        self.file = Tap(self.say(N_("The file")), lambda: self.app.go("set_up_file"), most=TextSize.TEXT)
        self.keep = Tap(self.say(N_("Save the file elsewhere")), self._export, most=TextSize.TEXT)
        self.write = Tap(self.say(N_("Write it and play")), self._write, kind="main", most=TextSize.TEXT)
        self.start = Tap(self.say(N_("Finish")), self._finish, kind="main", most=TextSize.TEXT)
        self.body.add_widget(self.list)
        self.body.add_widget(self.told)
        self.foot = GridLayout(cols=2 if self.app.upright else 4, spacing=dp(theme.GAP), size_hint_y=None)
        self.foot.height = dp(60 * 2 + theme.GAP if self.app.upright else 60)
        self.body.add_widget(self.foot)

    def enter(self) -> None:
        assert self.app.set_up and self.app.set_up.desk
        self.desk = self.app.set_up.desk
        self.desk.close()
        self.failed, self.told_here = False, ""
        self.app.evening.note = None

    def close(self) -> None:
        self.app.go("set_up_asks")

    def show(self) -> None:
        self.list.show(model.plays(self.desk.walk, self.app.lang))
        note = self.app.evening.note
        into = N_("It will be written to {file}.")
        rehearsal = N_("A rehearsal with emulated devices: nothing is written.")
        plan = self.say(into, file=str(self.desk.path)) if self.desk.path else self.say(rehearsal)
        room(self.told, message(note, self.app.lang) if note else self.told_here or plan, 44)
        self.told.color = theme.rgba(theme.now.stop if self.failed else theme.now.muted)
        self.drawing.show(self.drawing.words.text, disabled=not self.desk.drawing(self.app.lang))
        writes = self.desk.path and not self.failed
        taps = [self.drawing, self.file, self.keep, self.write if writes else self.start]
        if self.foot.children[::-1] != taps:
            self.foot.clear_widgets()
            for tap in taps:
                self.foot.add_widget(tap)

    def _write(self) -> None:
        try:
            aside = self.desk.write(self.app.lang)
        except OSError as error:
            why = N_(
                "That did not work: {error}. Save the file elsewhere, or run this in a terminal: {tabularium} setup"
            )
            self.failed, self.told_here = True, self.say(why, error=system_error(error))
            self.show()
            return
        self.app.go("start")
        self.app.evening.note = model.written(aside)
        self.app.paint()

    def _finish(self) -> None:
        self.app.go("start")

    def _export(self) -> None:
        text = self.desk.text(self.app.lang).encode()
        exports = self.app.evening.exports
        export(self.app, lambda folder: exports.save("config", {".yaml": lambda: text}, folder), "set_up_done")


class WizardFilePage(Sheet):
    """The file as it would be written, without what it says about itself."""

    title = N_("The file")

    def fill(self) -> None:
        note = N_("In the file, every line also says what it is for.")
        self.body.add_widget(high(Text(self.say(note), most=TextSize.TEXT, ink=theme.now.muted), theme.grown(28)))
        self.list = Paged(lambda: Text("", most=TextSize.TEXT, lines=1), self.say, theme.above(TextSize.TEXT))
        self.body.add_widget(self.list)

    def enter(self) -> None:
        self.list.from_the_top()

    def close(self) -> None:
        self.app.go("set_up_done")

    def show(self) -> None:
        assert self.app.set_up and self.app.set_up.desk
        self.list.show(model.lines(self.app.set_up.desk.text(self.app.lang)))


class WizardDrawingPage(Sheet):
    """The wiring as it is drawn in the notes."""

    title = N_("Drawing")

    def fill(self) -> None:
        self.drawing = Drawing()
        hint = N_("Tap to zoom in; drag to move.")
        self.body.add_widget(
            high(
                Text(self.say(hint), most=TextSize.TEXT, ink=theme.now.muted),
                theme.grown(44 if self.app.upright else 24),
            )
        )
        self.body.add_widget(self.drawing)

    def close(self) -> None:
        self.app.go("set_up_done")

    def show(self) -> None:
        assert self.app.set_up and self.app.set_up.desk
        self.drawing.show(self.app.set_up.desk.drawing(self.app.lang))
