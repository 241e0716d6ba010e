"""The hardware set-up: the search for devices, the questions to each seat, and writing config.yaml."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from threading import Thread
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.hardware.doctor.search_findings import WINDOW
from companion.hardware.doctor.search_findings import key as source
from companion.hardware.wizard.session import WizardSession
from companion.rules import N_
from companion.rules.readings import Press, now
from companion.rules.words import LANGUAGES, name
from ui import theme
from ui.background import background
from ui.fonts import japanese
from ui.page import Sheet
from ui.pages import wizard as model
from ui.pages.device_row import DeviceRow
from ui.theme import TextSize
from ui.widgets.box import column, high, row, swap, wide
from ui.widgets.pages import Paged
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap
from ui.widgets.text import Text, tall

HELD_S = 0.3
"""Seconds a hand holds an emulated button, or leaves a card."""
LOOK_S = 0.05
"""Seconds between two looks whether something has been heard."""
TITLE = N_("Set up the table")
ON = N_("Go on")


class WizardStartPage(Sheet):
    """An introduction to the set-up, then the findings of the search, which runs in a separate thread."""

    title = TITLE

    def fill(self) -> None:
        welcome = N_("The program looks for card readers, buttons, displays and hubs (boards with several "
"readers and buttons); it switches nothing on. Then each of you presses a button and "
"lays a card. You write nothing by hand and may skip everything: what is not wired is "
"done by finger.")  # fmt: skip
        self.welcome = Text(self.say(welcome), most=TextSize.TEXT, upright="top")
        self.langs = {
            lang: Tap(called, partial(self._set_language, lang), most=TextSize.TEXT)
            for lang, called in LANGUAGES.items()
        }
        if font := japanese():
            self.langs["ja"].words.font_name = str(font)
        else:
            self.langs["ja"].words.show("Japanese")
        self.note = high(Text("", most=TextSize.TEXT), theme.grown(44))
        self.list = Paged(self._language_row, self.say, theme.above(TextSize.LABEL, 4 if self.app.upright else 3) + 8)
        self.look = Tap(self.say(N_("Look for devices")), self._start_search, kind="main", most=TextSize.TEXT)
        self.again = Tap(self.say(N_("Look again")), self._start_search, most=TextSize.TEXT)
        self.rehearse = Tap(
            self.say(N_("Try it with emulated devices")), partial(self._start_search, True), most=TextSize.TEXT
        )
        self.on = Tap(self.say(ON), lambda: self.app.go("set_up_asks"), kind="main", most=TextSize.TEXT)
        self.stage = column()
        self.foot = row()
        self.body.add_widget(self.stage)
        self.body.add_widget(high(self.foot, 60))
        self.thread: Thread | None = None

    def enter(self, look: bool = False) -> None:
        """Open the set-up; `look` starts the search at once, after the program has offered new devices."""
        if look and not self.desk:
            self._start_search()

    def _language_row(self) -> DeviceRow:
        line = DeviceRow()
        line.name.size_hint_x = 0.5 if self.app.upright else 0.3
        return line

    @property
    def desk(self) -> WizardSession | None:
        return self.app.set_up.desk if self.app.set_up else None

    def close(self) -> None:
        if not self.thread:  # leaving would reopen the table's hardware on the pins being searched
            self.app.go(self.app.home)

    def show(self) -> None:
        desk = self.desk
        self.back = replace(self.back, act=None if desk is not None and not desk.looked else self.close)
        if desk is None:
            langs = high(row(*self._detached(self.langs.values())), 60)
            self._fill([self.welcome, langs], [self.look])
            for lang, tap in self.langs.items():
                tap.show(tap.words.text, chosen=lang == self.app.lang)
        elif not desk.looked:
            self.note.show(self.say(N_("Looking for readers, hubs and displays …")))
            self._fill([self.note, Widget()], [])
        else:
            self.note.show(model.summary(desk, self.app.lang))
            found = desk.walk.found
            nothing = not found.sources and not found.pi and not found.buttons
            self._fill([self.note, self.list], [self.again, *([self.rehearse] if nothing else []), self.on])
            self.list.show(model.found(desk, self.app.lang))

    def _fill(self, parts: list[Any], taps: list[Any]) -> None:
        for box, wanted in ((self.stage, parts), (self.foot, taps)):
            if box.children[::-1] != wanted:
                box.clear_widgets()
                for part in self._detached(wanted):
                    box.add_widget(part)

    @staticmethod
    def _detached(parts: Any) -> list[Any]:
        """Detach the widgets from their parents and return them."""
        free = list(parts)
        for part in free:
            if part.parent:
                part.parent.remove_widget(part)
        return free

    def _start_search(self, rehearse: bool = False) -> None:
        set_up = self.app.set_up
        if not set_up or self.thread:
            return
        desk = set_up.desk
        if desk is None or rehearse:
            desk = set_up.begin(rehearse)
        desk.looked = False
        self.show()
        self.thread = background("search", desk.look, self._done)

    def _done(self) -> None:
        self.thread = None
        if self.app.page is self:
            self.show()

    def _set_language(self, lang: str) -> None:
        self.app.evening.lang = lang
        self.app.rebuild()


class WizardQuestionPage(Sheet):
    """One question after the other, answered by the devices. Back leads to the question before."""

    title = TITLE

    def fill(self) -> None:
        upright = self.app.upright
        self.where = wide(Text("", most=TextSize.TEXT, lines=1, align="right", ink=theme.now.on_seal), 90)
        self.titled.add_widget(self.where)
        self.seat = wide(Shape(most=64), 76)
        self.text = Text("", most=TextSize.HEAD, bold=True)
        self.told = high(Text("", most=TextSize.TEXT), 0)
        self.help = Text("", most=TextSize.TEXT, ink=theme.now.muted, upright="top")
        self.answers = row()
        self.taps = {
            seat: Tap(name(seat, self.app.lang), partial(self._sit, seat), seat=seat, most=TextSize.TEXT)
            for seat in model.colours()
        }
        self.colours = GridLayout(cols=3 if upright else 4, spacing=dp(theme.GAP))
        for tap in self.taps.values():
            self.colours.add_widget(tap)
        self.yes = Tap(self.say(N_("Yes, as drawn")), partial(self._light, True), kind="main", most=TextSize.TEXT)
        self.no = Tap(self.say(N_("No, or there are none")), partial(self._light, False), most=TextSize.TEXT)
        self.skip = Tap(self.say(N_("Skip")), self._skip, most=TextSize.TEXT)
        self.nobody = Tap(self.say(N_("Nobody else has one")), self._skip_all, most=TextSize.TEXT)
        self.on = Tap(self.say(ON), self._skip, kind="main", most=TextSize.TEXT)
        self.hands = GridLayout(cols=3 if upright else 5, spacing=dp(theme.GAP), size_hint_y=None)
        self.foot = row()
        self.question = high(row(self.seat, self.text), theme.grown(96))
        for part in (self.question, self.told, self.help, self.answers, self.hands, high(self.foot, 60)):
            self.body.add_widget(part)
        self.hand_for = ""

    def enter(self) -> None:
        assert self.app.set_up and self.app.set_up.desk
        self.desk = self.app.set_up.desk
        if self.desk.walk.step.kind == "done":
            self.desk.walk = self.desk.walk.back()
        self.desk.listen()
        self.down: set[int] = set()
        self.hand_for = ""
        Clock.schedule_interval(self._drain, LOOK_S)

    def leave(self) -> None:
        Clock.unschedule(self._drain)

    def key(self, key: int, down: bool, edge: bool = True) -> bool:
        """Take a window key as an answer if no better source hears keys; repeats of a held key are ignored."""
        if not self.desk.walk.found.window:
            return False
        if down != (key in self.down):
            (self.down.add if down else self.down.discard)(key)
            self.desk.inbox.put(Press(source(WINDOW, key), down, now(), edge))
        return True

    def close(self) -> None:
        if self.desk.walk.at == 0:
            self.desk.close()
            self.app.go("set_up")
        else:
            self._set_walk(self.desk.walk.back())

    def show(self) -> None:
        asked = model.asked(self.desk.walk, self.app.lang)
        self.where.show(asked.where)
        self.seat.seat, self.seat.width = asked.seat, dp(76 if asked.seat else 0)
        self.text.show(asked.text)
        kind = self.desk.walk.step.kind
        self.question.height = dp(theme.grown(60 if kind == "seats" else 96))
        room(self.told, asked.told, 0 if kind == "seats" else 44)
        self.told.color = theme.rgba(theme.now.stop if asked.wrong else theme.now.good)
        self.help.show(asked.help)
        for seat, tap in self.taps.items():
            tap.show(tap.words.text, chosen=seat in asked.seats)
        self.answers.size_hint_y = 1.6 if kind == "seats" else 0.001
        swap(self.answers, self.colours if kind == "seats" else Widget())
        self._show_controls(asked)
        self._show_rehearsal(kind)

    def _show_controls(self, asked: model.Asked) -> None:
        taps = [self.yes, self.no] if asked.yes else [self.skip] if asked.skips else [self.on]
        taps += [self.nobody] if asked.skips and asked.several else []
        if self.foot.children[::-1] != taps:
            self.foot.clear_widgets()
            for tap in taps:
                self.foot.add_widget(tap)
        self.on.show(self.on.words.text, disabled=not self.desk.walk.answers.seats)

    def _show_rehearsal(self, kind: str) -> None:
        """Show what can be pressed or laid in a rehearsal."""
        hand = self.app.set_up.hand if self.app.set_up else None
        if not hand or kind == self.hand_for:
            return
        self.hand_for = kind
        buttons, readers = hand.sources
        acts = {"button": (buttons, hand.hold, hand.let_go), "reader": (readers, hand.lay, hand.lift)}
        self.hands.clear_widgets()
        sources, begin, end = acts.get(kind, ((), hand.hold, hand.let_go))
        for of in sources:
            self.hands.add_widget(Tap(model.called(of, self.app.lang), partial(self._act_briefly, begin, end, of)))
        rows = -(-len(sources) // self.hands.cols)
        self.hands.height = rows * dp(theme.TOUCH + theme.GAP)

    def _act_briefly(self, begin: Any, end: Any, source: str) -> None:
        begin(source)
        Clock.schedule_once(lambda _: end(source), HELD_S)

    def _drain(self, _: float) -> None:
        if self.desk.drain():
            self._set_walk(self.desk.walk)

    def _sit(self, seat: str) -> None:
        self._set_walk(self.desk.walk.sit(seat))

    def _light(self, lamps: bool) -> None:
        self._set_walk(self.desk.walk.light(lamps))

    def _skip(self) -> None:
        self._set_walk(self.desk.walk.skip())

    def _skip_all(self) -> None:
        self._set_walk(self.desk.walk.skip_all())

    def _set_walk(self, walk: Any) -> None:
        self.desk.walk = walk
        if walk.step.kind == "done":
            self.app.go("set_up_done")
        else:
            self.show()


def room(words: Text, text: str, least: float) -> None:
    """Show a text at the height it needs, at least `least` dp."""
    words.show(text)
    words.height = max(dp(theme.grown(least)), tall(text, TextSize.TEXT, words.width) + dp(4) if text else 0)
