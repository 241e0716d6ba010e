"""Amending an earlier act: the controls of the moment before it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from companion.rules.mistakes import Mistakes
from ui import theme
from ui.games.parts.actions import Action
from ui.games.parts.asking import Event
from ui.games.parts.past import Then
from ui.page import Sheet
from ui.pages import correct_move, decide, goback
from ui.pages.correct_move import Other
from ui.pages.decide_page import edit
from ui.theme import TextSize
from ui.widgets.box import high
from ui.widgets.tap import Tap
from ui.widgets.text import Text


class CorrectMovePage(Sheet):
    """Everything that could be done then, with what was done marked. Some controls ask more on a separate pad."""

    title = N_("What was it?")

    def fill(self) -> None:
        self.then: Then | None = None
        self.note = high(Text("", most=TextSize.TEXT, ink=theme.now.muted), theme.grown(30))
        self.grid = GridLayout(cols=2 if self.app.upright else 3, spacing=dp(theme.PAD), size_hint_y=None)
        self.grid.bind(minimum_height=self.grid.setter("height"))
        for part in (self.note, self.grid, Widget()):
            self.body.add_widget(part)

    def enter(self, number: int, verb: str = "", back: str = "log", exact: bool = False) -> None:
        """Start with the act to amend; `back` is the page this one was opened from.

        A `verb` fixes the kind of act, and what is left to ask is asked at once. An `exact` number means this act
        alone, else perhaps one of the same kind before or after it.
        """
        self.number, self.verb, self.then, self.way_back, self.exact = number, verb, None, back, exact
        self.grid.clear_widgets()

    def show(self) -> None:
        if self.then:
            return
        m = self.app.moment()
        try:
            self.then = self._pads(self.number)
        except LookupError:
            self.app.go("log")
            return
        self.head.show(goback.named_move(m, self.number))
        if self.then.was["event"] == "decide":
            self._ask_about_decision(self.then)
            return
        found = correct_move.others(m, self.then)
        found = [other for other in found if other.action.verb == self.verb] or found
        found = [other for other in found if other.number == self.number or not self.exact]
        if len(found) == 1 and not found[0].action.event:
            self._choose(found[0].action, found[0].number)
            return
        nothing = all(other.was and other.action.event for other in found)
        text = N_("No other move was possible then.") if nothing else N_("The move as entered is marked.")
        several = any(other.number != self.number for other in found)
        if several:
            self.head.show(m.say(N_("Which move is wrong?")))
        self.note.show("" if several else m.say(text))
        for other in found:
            self.grid.add_widget(self._control_of(other, marked=other.was and not several))

    def _control_of(self, other: Other, marked: bool) -> Tap:
        act = partial(self._choose, other.action, other.number)
        tap = Tap("", act, most=TextSize.TEXT, size_hint_y=None, height=dp(60))
        disabled = other.was and bool(other.action.event)
        tap.show(other.action.text, disabled=disabled, seat=other.action.seat, chosen=marked)
        return tap

    def _choose(self, action: Action, number: int) -> None:
        then = self._pads(number)
        if action.event:
            self._preview(then, action.event)
        elif action.verb == "choose":
            self.app.go("choose", seat=action.picked["seat"], then=then)
        else:
            self.app.go("act", verb=action.verb, picked=action.picked, then=then)

    def _pads(self, number: int) -> Then:
        """Return the pads of the moment before this act. Raises LookupError."""
        then = correct_move.pads(self.app.moment(), self.app.match.past(number), number)
        return replace(then, back=self.way_back)

    def _ask_about_decision(self, then: Then) -> None:
        """Correct a decision by its words; offer its change of the position too if it made one."""
        if not then.was.get("change"):
            self._write_decision(then)
            return
        self.note.show("")
        for text, act in ((N_("The words"), self._write_decision), (N_("What it changed"), self._edit_decision)):
            tap = Tap(self.say(text), partial(act, then), most=TextSize.TEXT, size_hint_y=None, height=dp(60))
            self.grid.add_widget(tap)

    def _write_decision(self, then: Then) -> None:
        def done(words: str) -> None:
            if words:
                self._preview(then, {**then.was, "words": words})
            else:
                self.close()

        self.app.go("write", title=self.say(N_("The table decides")), text=then.was["words"], done=done,
                    back=self.close)  # fmt: skip

    def _edit_decision(self, then: Then) -> None:
        """Open the editor with the decision's change; at once at a purse or a hand if it changed that alone."""
        try:
            draft = self.app.match.decided(then.number)
        except (LookupError, Mistakes):
            self.close()
            return
        ((key, of), *more) = then.was["change"].items()
        secret = next((part for part in draft.parts if part.secret and part.path[0] == key), None)
        alone = secret is not None and not more and len(of) == 1
        edit(self.app, partial(decide.corrected, then.number, then.was["words"]), draft, word=N_("Correct it"),
             back=self.close, then=self.close, at=(key, *of) if alone else ())  # fmt: skip

    def _preview(self, then: Then, event: Event) -> None:
        self.app.go("back", event=then.amended(event), back=then.back, given=then.leads)

    def close(self) -> None:
        self.app.go(self.way_back, **({"number": self.number} if self.way_back == "log" else {}))
