"""Why: the reason first, with all that stands behind it; then the chain from what was done to all that followed."""

from __future__ import annotations

from functools import partial

from companion.answers import why
from companion.answers.why import Reason, Why
from companion.rules import N_, Ruling
from ui.page import Sheet
from ui.pages import answers
from ui.pages.answer_rows import kinds
from ui.table.moment import Moment
from ui.widgets.asked import About
from ui.widgets.flow import Flow


class WhyPage(Sheet):
    """A ruling, a number on the table or the last act, and everything it rests on."""

    title = N_("Why?")

    def fill(self) -> None:
        self.flow = Flow(kinds(lambda act: self._choose(act.link)), self.say)
        self.body.add_widget(self.flow)

    def enter(self, ruling: Ruling | None = None, number: About | None = None, shown: Reason | None = None,
              back: str = "table") -> None:  # fmt: skip
        """Asked about a ruling of the log, a number on the table, or else the last act; `shown` is in full again."""
        self.ruling, self.number, self.shown, self.way_back = ruling, number, shown, back
        self.flow.turn_to(0)

    def close(self) -> None:
        self.app.go("log" if self.ruling else self.way_back)

    def tell(self, word: str, seat: str | None) -> None:  # noqa: ARG002 - a clause is nobody's
        again = partial(self.app.go, "why", ruling=self.ruling, number=self.number, shown=self.shown,
                        back=self.way_back)  # fmt: skip
        self.app.go("rules", rule=word, back=again)

    def show(self) -> None:
        m = self.app.moment()
        found = self._found(m)
        self.head.show(answers.title(m, self.number))
        if found is None:
            self.flow.show([answers.Sentence(m.say(N_("No act has changed this number yet.")))])
            return
        self.flow.show(answers.answer(m, found, self.shown or found.lead, bool(self.number)))

    def _found(self, m: Moment) -> Why | None:
        if self.number:
            return why.number(m.game, m.tongue, m.log, *self.number)
        return why.why(m.game, m.tongue, m.log, self.ruling)

    def _choose(self, link: Reason) -> None:
        self.shown = link
        self.flow.turn_to(0)
        self.show()
