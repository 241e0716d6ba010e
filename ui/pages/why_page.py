"""Why: the reason with all that stands behind it, beside it the clause; below that all that followed from the act."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.answers import why
from companion.answers.why import Reason, Why
from companion.games import guide_of
from companion.rules import N_, Ruling
from ui import theme
from ui.layout import slots
from ui.page import Sheet
from ui.pages import answer_items
from ui.pages.answer_items import Act
from ui.pages.answer_rows import kinds
from ui.pages.clause_panel import ClausePanel, least
from ui.pages.small_board import SmallBoard
from ui.table.moment import Moment
from ui.theme import TextSize
from ui.widgets.annotations import About
from ui.widgets.box import column, high, panel, row, wide
from ui.widgets.flow import Flow
from ui.widgets.leaves import Leaves
from ui.widgets.shape import Shape
from ui.widgets.spine import Control
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, long, tall

LEFT, ROW, LINKS, MARGIN = 456, 52, 3, 12
"""The width of the reason and the height of a link, in dp; the number of links seen at most; the margin beside them."""


class LinkRow(Touchable):
    """Another ruling of the chain; a touch shows it in full."""

    def __init__(self, choose: Callable[[Reason], object]) -> None:
        super().__init__()
        self.back = Backdrop(self, None)
        self.number = wide(Text(most=TextSize.TEXT, lines=1, bold=True, align="center", ink=theme.now.accent), 26)
        self.shape = wide(Shape(), 22)
        self.text = Text(most=TextSize.TEXT, cuts=True)
        self.add_widget(row(self.number, self.shape, self.text, pad=(4, 1, 6, 1), pos_hint={"x": 0, "y": 0}))
        self.act = lambda: choose(self.item.link)

    def show(self, item: Act) -> None:
        self.item = item
        look = theme.now
        wide(self.number, max(26, long(str(item.number), TextSize.TEXT, True) / dp(1) + 6)).show(str(item.number))
        self.shape.seat = item.seats[0] if item.seats else ""
        wide(self.shape, 22 if item.seats else 0)
        self.text.show(item.text)
        self.back.paint(look.panel, look.line)


class WhyPage(Sheet):
    """A ruling, a number on the table or the last act, and everything it rests on: a screen for each step."""

    title = N_("Why?")

    def fill(self) -> None:
        upright = self.app.upright
        self.board = SmallBoard(self.app)
        """The table after that act, below the reason or below the clause: where it is larger."""
        self.rest = BoxLayout()
        self.flow = Flow(kinds(), self.say, rest=self.rest)
        self.leaf = ClausePanel()
        self.head_of = high(Text("", most=TextSize.TEXT, ink=theme.now.muted, lines=1), theme.above(TextSize.TEXT))
        self.rows = [high(LinkRow(self._choose_link), ROW) for _ in range(LINKS)]
        self.links = column(gap=4, size_hint_y=None)
        self.links.bind(minimum_height=self.links.setter("height"))
        self.beside = column(*([] if upright else [self.leaf]), self.head_of, self.links)
        reason = column(self.flow, pad=(16, 10))
        panel(reason, theme.now.panel, radius=0)
        self.body.padding, self.body.spacing = 0, 0
        self.beside.padding = dp(MARGIN)
        if upright:
            self.beside.size_hint_y = None
            self.beside.bind(minimum_height=self.beside.setter("height"))
        else:
            wide(self.beside, self._side_width())
        self.body.add_widget((column if upright else row)(reason, self.beside, gap=0))
        self.found: Why | None = None

    def enter(self, ruling: Ruling | None = None, number: About | None = None, shown: Reason | None = None,
              back: str | Callable[[], object] = "table", past: Moment | None = None) -> None:  # fmt: skip
        """Explain a ruling of the log, a number on the table, or else the last act; `shown` restores a link.

        `back` is the page to return to, or what returns there; `past` is the moment of a stored game.
        """
        self.ruling, self.number, self.shown, self.way_back, self.past = ruling, number, shown, back, past
        self.flow.turn_to(0)

    def close(self) -> None:
        if callable(self.way_back):
            self.way_back()
        elif self.ruling:
            links = self.found.links if self.found else ()
            number = next((link.number for link in links if link.ruling is self.ruling), 0)
            self.app.go("log", number=number, ruling=self.ruling)
        else:
            self.app.go(self.way_back)

    def tell(self, word: str, seat: str | None) -> None:
        """Turn to the rules for a clause, and to the explanation of a number."""
        game = self._moment().game
        if word in guide_of(game.name).numbers:
            self.app.go("why", number=(word, seat), back=self._reopening(), past=self.past)
        else:
            self.app.go("rules", game=game, rule=word, back=self._reopening())

    def _reopening(self) -> Callable[[], object]:
        """Return what shows this explanation again."""
        given = dict(ruling=self.ruling, number=self.number, shown=self.shown, back=self.way_back, past=self.past)
        return partial(self.app.go, "why", **given)

    def _moment(self) -> Moment:
        return self.past or self.app.moment()

    # -- showing -------------------------------------------------------------------------------------------------

    def show(self) -> None:
        m = self._moment()
        self.found = self._find_why(m)
        self.head.show(answer_items.title(m, self.number))
        if self.found is None:
            self.flow.show([answer_items.Sentence(m.say(N_("No move has changed this number yet.")))])
            self.beside.opacity = 0
            self.board.show(m)
            self._move_board(self.rest)
            return
        shown = self.shown or self.found.lead
        cited = answer_items.cited(shown) if self.app.upright else []
        items = [*answer_items.reason(m, shown), *cited]
        self.flow.show(items)
        self.board.show(self._table_then(m, shown))
        self.leaf.show(shown)
        self._show_links(m, self.found, shown)
        self._place_board(items, shown)
        self.beside.opacity = 1
        back = self._reopening()
        rules = partial(self.app.go, "rules", game=m.game, rule=shown.rule, back=back) if shown.clause else None
        log = partial(self.app.go, "log", number=shown.number, ruling=shown.ruling)
        self.ways = (
            None if self.past else Control("log", self.say(N_("Log")), log),
            Control("help", self.say(N_("Rules")), rules),
        )

    def _place_board(self, items: Sequence[object], shown: Reason) -> None:
        """Put the board where it has more room."""
        if self.app.upright:
            self._move_board(self.rest)
            return
        beside, most = dp(self._side_width()), dp(480 - slots(False).band)
        width = dp(736) - beside - dp(32)
        left = self.board.scale(width, most - dp(20) - self.flow.stack.tall(items, width))
        links = len(self.links.children)
        clause = tall(shown.clause, TextSize.TEXT, beside - dp(2 * MARGIN + 26)) + least(shown, beside - dp(2 * MARGIN))
        clause -= tall(shown.clause, TextSize.LABEL, beside - dp(2 * MARGIN + 26))
        room = most - dp(2 * MARGIN + 3 * theme.GAP) - clause - dp(ROW + 4) * links
        room -= dp(theme.above(TextSize.TEXT)) if links else 0
        below = self.board.scale(beside - dp(2 * MARGIN), room) > left
        self._move_board(self.beside if below else self.rest)
        self.leaf.size_hint_y, self.leaf.height = None if below else 1, clause

    def _move_board(self, where: BoxLayout) -> None:
        """Move the board there: between clause and links, or below the reason."""
        if self.board.parent is not where:
            if self.board.parent:
                self.board.parent.remove_widget(self.board)
            where.add_widget(self.board, index=2 if where is self.beside else 0)

    @staticmethod
    def _table_then(m: Moment, shown: Reason) -> Moment | None:
        """Return the table after that act; None if the act no longer stands."""
        act = next((act for act in m.acts if act.number == shown.number), None)
        return m.after(act) if act else None

    def _show_links(self, m: Moment, found: Why, shown: Reason) -> None:
        """Show the links around the chosen one, which stands beside them in full."""
        acts = answer_items.chain(m, found, shown)
        at, most = self._index_of(found, shown), self._links_that_fit(shown)
        others = [act for act in acts if not act.chosen]
        first = max(0, min(at - 1, len(others) - most))
        seen = others[first : first + most]
        self.head_of.show(
            self.say(N_("The moves behind it") if self.number else N_("In the same move")) if seen else ""
        )
        wanted = self.rows[: len(seen)]
        for line, act in zip(wanted, seen, strict=True):
            line.show(act)
        if self.links.children[::-1] != wanted:
            self.links.clear_widgets()
            for line in wanted:
                self.links.add_widget(line)

    def _links_that_fit(self, shown: Reason) -> int:
        """Return how many links have room; the whole clause comes before them."""
        if self.app.upright:
            return LINKS - (theme.letters > 1)
        width = dp(self._side_width() - 2 * MARGIN)
        room = dp(480 - slots(False).band - 2 * MARGIN - theme.above(TextSize.TEXT) - theme.GAP) - least(shown, width)
        self.leaf.text.cuts = room < 0  # a few clauses need more than a page: the rules have all of them
        return int(min(LINKS, max(0, (room - dp(theme.GAP)) // dp(ROW + 4))))

    @staticmethod
    def _side_width() -> float:
        """Return the width of the column beside the reason, in dp."""
        return theme.either(736 - LEFT, 290)

    @staticmethod
    def _index_of(found: Why, shown: Reason) -> int:
        """Return the index of the link; -1 if it is none of them."""
        return next((at for at, link in enumerate(found.links) if link.ruling is shown.ruling), -1)

    def _find_why(self, m: Moment) -> Why | None:
        if self.number:
            return why.number(m.game, m.tongue, m.log, *self.number)
        return why.why(m.game, m.tongue, m.log, self.ruling)

    # -- turning -------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Let Up and Down go through the leaves of a step, and then through the steps."""
        found = getattr(self, "found", None)
        links: Sequence[Reason] = found.links if found else ()
        at = self._index_of(found, self.shown or found.lead) if found else -1
        flow: Leaves | None = getattr(self, "flow", None)
        if flow is None or (len(links) < 2 and not flow.many):
            self.spine.show([self.back, *self.ways, None, None])
            return
        back = flow.turn_back if flow.before else partial(self._choose_link, links[at - 1]) if at > 0 else None
        on = flow.turn_on if flow.after else partial(self._choose_link, links[at + 1]) if at + 1 < len(links) else None
        before, after = self.say(N_("Up")), self.say(N_("Down"))
        place = f"{max(at, 0) + 1}/{len(links)}" if len(links) > 1 else flow.place
        self.spine.show([self.back, *self.ways, Control("up", before, back), Control("down", after, on)], place)

    def _choose_link(self, link: Reason) -> None:
        self.shown = link
        self.flow.turn_to(0)
        self.show()
        self.finish()
