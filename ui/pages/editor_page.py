"""The position editor: by touch on the game's board or as tiles, part by part; secret parts on their owner's pad."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.answers.editing import Draft, held
from companion.rules import N_
from companion.rules.position_parts import Cards, Count, Field, One, Part, Path, holding
from companion.rules.words import Tongue
from ui import theme
from ui.games.parts.pads import HandTap
from ui.layout import slots
from ui.page import Sheet
from ui.pages import draft_moment, editor
from ui.pages.draft_board import DraftBoard
from ui.pages.editor import PartTile
from ui.pages.place_bar import MAIN, MANY, PlaceBar, fits
from ui.pages.small_board import SmallBoard
from ui.table.moment import Moment
from ui.theme import TextSize
from ui.widgets.box import column, high, page_width, panel, row, swap, wide
from ui.widgets.digits import Digits
from ui.widgets.shape import Shape
from ui.widgets.spine import Control
from ui.widgets.tap import Tap, Touchable
from ui.widgets.text import Backdrop, Text, broad

ROWS = 10
"""The number of rows of cards on an upright page."""
TILE = 92, 112
"""The most height of a tile, and with large text, in dp."""
FEW_ROWS = 2
"""Below so many rows of tiles there is room for the board."""
CAPTION = 0.42
"""The share of a tile that its caption takes."""


class TileTap(Touchable):
    """A part: what it is called over what stands there."""

    def __init__(self) -> None:
        super().__init__(size_hint_min=(dp(theme.TOUCH), dp(theme.TOUCH)), size_hint_max_y=dp(theme.either(*TILE)))
        self.back = Backdrop(self, theme.now.panel)
        self.shape = wide(Shape(most=22), 24)
        self.caption = Text(most=TextSize.LABEL, lines=1, ink=theme.now.muted, size_hint_y=CAPTION)
        self.value = Text(most=TextSize.TEXT, bold=True)
        self.words = column(self.caption, self.value, gap=0)
        self.words.bind(height=self._place_caption)
        self._seated = False
        self.bind(width=self._shrink)
        self.box = row(
            self.shape, self.words, gap=4, pad=(theme.either(6, 4), theme.either(2, 0)), pos_hint={"x": 0, "y": 0}
        )
        self.add_widget(self.box)

    def _shrink(self, *_: object) -> None:
        """Shrink the shape in a narrow tile, where the words need the room."""
        self.shape.width = dp(24 if self.width > dp(100) else 15) if self._seated else 0

    def _place_caption(self, words: BoxLayout, height: float) -> None:
        """Place the caption beside the value if there is no room above it; large letters take whole lines."""
        low = height < dp(theme.above(TextSize.LABEL, 3))
        words.orientation = "horizontal" if low else "vertical"
        self.caption.size_hint = (0.5, 1) if low else (1, CAPTION)
        if theme.letters > 1 and not low:
            lines = 2 if height >= dp(theme.above(TextSize.LABEL, 4)) else 1
            self.caption.show(self.caption.text, lines=lines)
            high(self.caption, theme.above(TextSize.LABEL, lines) + 0.2)

    def show(self, tile: PartTile) -> None:
        self.caption.show(tile.caption)
        self.value.show(tile.value)
        self.shape.seat = tile.seat
        self._seated = bool(tile.seat)
        self._shrink()
        self.back.paint(theme.now.panel, theme.now.stop if tile.wrong else theme.now.line, 2 if tile.wrong else 1)


class PartPane(BoxLayout):
    """One part, a control for each of its values, over the board with `laid`; made anew for each part."""

    def __init__(self, page: EditorPage, part: Part, laid: Callable[[], Moment | None] = lambda: None) -> None:
        super().__init__(orientation="vertical", spacing=dp(theme.GAP), padding=dp(theme.PAD))
        self.page, self.part = page, part
        self.shows: list[Callable[[], None]] = []
        low = not any(_fills(field) for field in part.fields)
        for field in part.fields:
            if field.text:
                caption = Text(page.say(field.text), most=TextSize.TEXT, lines=1, ink=theme.now.muted, upright="bottom")
                self.add_widget(high(caption, theme.grown(20)))
            self.add_widget(self._control(field))
        if low and laid():
            board = SmallBoard(page.app)
            self.add_widget(board)
            self.shows.append(lambda: board.show(laid()))
        else:
            self.add_widget(Widget(size_hint_y=0.001))
        self.show()

    def show(self) -> None:
        for show in self.shows:
            show()

    def value(self, field: Field) -> Any:
        return held(field, self.page.value(self.part))

    def touch(self, field: Field, one: object) -> None:
        self.page.touch(self.part, field, self.value(field), one)

    def _control(self, field: Field) -> Widget:
        if isinstance(field.kind, Cards):
            return self._cards(field, field.kind.values)
        if isinstance(field.kind, Count):
            return self._digits(field) if field.kind.most > MANY else self._count(field, field.kind)
        return self._choices(field)

    def _choices(self, field: Field) -> Widget:
        upright = self.page.app.upright
        found = editor.choices(self.page.draft.setup.seats, field, self.value(field), self.page.tongue)
        cols = abreast([choice.text for choice in found], upright)
        rows = -(-len(found) // cols)
        grid = high(GridLayout(cols=cols, spacing=dp(BETWEEN)), rows * (52 + BETWEEN) - BETWEEN)
        taps = [Tap(most=TextSize.TEXT) for _ in found]
        for tap in taps:
            grid.add_widget(tap)

        def show() -> None:
            said = editor.choices(self.page.draft.setup.seats, field, self.value(field), self.page.tongue)
            for tap, choice in zip(taps, said, strict=True):
                tap.show(choice.text, seat=choice.seat, chosen=choice.chosen, shorter=choice.shorter)
                tap.act = partial(self.touch, field, choice.value)

        self.shows.append(show)
        return grid

    def _count(self, field: Field, kind: Count) -> Widget:
        text = Text(most=TextSize.HEAD, lines=1, bold=True, align="center")
        less = wide(Tap("−", lambda: self.touch(field, int(self.value(field)) - 1), most=TextSize.HEAD), 84)
        more = wide(Tap("+", lambda: self.touch(field, int(self.value(field)) + 1), most=TextSize.HEAD), 84)

        def show() -> None:
            count = self.value(field)
            text.show(
                editor.amount(kind.piece, count, self.page.tongue)
                if count or not kind.flag
                else self.page.tongue.tr(N_("nothing"))
            )
            less.show("−", disabled=int(count) <= (0 if kind.flag else kind.least))
            more.show("+", disabled=int(count) >= kind.most)

        self.shows.append(show)
        return high(row(less, text, more), 60)

    def _digits(self, field: Field) -> Widget:
        digits = Digits(across=3 if self.page.app.upright or len(self.part.fields) == 1 else 6)
        digits.begin(int(self.value(field)))  # half a chip stays until the number is touched
        digits.changed = partial(self.touch, field)
        return digits

    def _cards(self, field: Field, cards: Sequence[str]) -> Widget:
        upright, colours = self.page.app.upright, len({card.split()[0] for card in cards})
        order = high(Text(most=TextSize.TEXT), 26)
        faces = [HandTap() for _ in cards]
        ranks = -(-len(cards) // colours)
        lying = dict(zip(cards, faces, strict=True))
        draft_moment: Sequence[str] = cards
        cols = (4 if upright else 5) if colours == 1 else ranks
        if upright and ranks > ROWS:  # each colour in two rows
            cols = -(-ranks // 2)
            rows = [cards[at : at + ranks] for at in range(0, len(cards), ranks)]
            draft_moment = [card for row in rows for card in (*row, *[""] * (2 * cols - ranks))]
        elif upright and colours > 1:
            cols, draft_moment = colours, [card for at in range(ranks) for card in cards[at::ranks]]
        grid = GridLayout(cols=cols, spacing=dp(2))
        for card in draft_moment:
            grid.add_widget(lying[card] if card else Widget())

        def show() -> None:
            chosen = self.value(field)
            order.show(editor.said(self.part, chosen, self.page.tongue))
            for card, face in lying.items():
                face.show(card, card in chosen)
                face.face.opacity = 1 if card in chosen else UNCHOSEN
                face.act = partial(self.touch, field, card)

        self.shows.append(show)
        return column(order, grid, gap=4)


UNCHOSEN = 0.6
"""The opacity of a card that does not lie there: its number can still be read on both grounds."""
BETWEEN = 4
"""The gap between two values, in dp."""


def _fills(field: Field) -> bool:
    """Return whether the controls of this field take all the height there is."""
    return isinstance(field.kind, Cards) or (isinstance(field.kind, Count) and field.kind.most > MANY)


def abreast(words: Sequence[str], upright: bool) -> int:
    """Return how many values stand side by side."""
    longest = max(len(text) for text in words[1:])
    size = (longest > 3) + (longest > 11) + (longest > 22)
    if len(words) <= (4 if upright else theme.either(8, 5)):
        cols = min(len(words), 5) if size == 3 else len(words)
    elif upright:
        cols = ((8, 3, 2, 2) if len(words) <= 14 else (8, 3, 3, 2))[size]
    else:
        cols = (13, 6, 6 if len(words) > 8 else int(theme.either(6, 4)), 5)[size]
    word = max(dp(theme.TOUCH), *(broad(text, TextSize.LABEL) + dp(4) for text in words))
    return max(1, min(cols, int(dp(page_width(upright) - 2 * theme.PAD) / (word + dp(BETWEEN)))))


class EditorPage(Sheet):
    """The editor for a changed position, with a preview; it ends with `done`, which returns the refusal."""

    title = N_("What is different?")

    def fill(self) -> None:
        self.body.padding, self.body.spacing = 0, 0
        self.stage, self.said, self.table = BoxLayout(), BoxLayout(), object()
        self.grid = GridLayout(spacing=dp(theme.GAP))
        self.taps: list[TileTap] = []
        self.small, self.below = SmallBoard(self.app), BoxLayout(size_hint_y=0.001)
        self.tiles = column(self.grid, self.below, pad=theme.PAD)
        self.shape = Shape(most=150)
        self.ask = Text(most=TextSize.HEAD, align="center", bold=True)
        self.open = Tap("", kind="main", most=TextSize.TEXT)
        middle = high(row(Widget(), wide(self.open, 320), Widget()), 60)
        self.cover = column(
            self.shape, high(self.ask, 76), middle, Widget(size_hint_y=0.2), gap=theme.EDGE, pad=(theme.EDGE, 0)
        )
        self.comes = Text(most=TextSize.HEAD, upright="top")
        self.coming = column(self.comes, pad=theme.EDGE)
        self.note = Text(most=TextSize.TEXT)
        self.main = wide(Tap("", self._take_main, kind="main", most=TextSize.TEXT), theme.grown(MAIN))
        line = row(self.said, self.main, gap=8, pad=(theme.PAD, 4, 8, 4))
        self.body.add_widget(self.stage)
        self.body.add_widget(high(panel(line, theme.now.panel, radius=0), slots(self.app.upright).line))
        self._forget_refusal()

    def enter(self, draft: Draft, *, done: Callable[[Draft], str], back: Callable[[], object], word: str,
              preview: Callable[[Draft], str] | None = None, players: Mapping[str, str] | None = None,
              board: draft_moment.Data = None, at: Path = ()) -> None:  # fmt: skip
        """Start with a draft.

        `word` labels the last control. `preview` returns the effects, and is given only while a game is played. `board`
        is the board's data. `at` is the part to ask about first.
        """
        self._forget_refusal()
        self.draft, self.done, self.back_to, self.word, self.preview = draft, done, back, word, preview
        self.tongue = Tongue(self.app.lang, players or {})
        self.data, self.moment = board, draft_moment.moment(draft, self.tongue, board)
        table = draft.game.name, len(draft.setup.seats)
        if table != self.table:  # a board takes its time to be built
            self.table = table
            self.board = DraftBoard(self.app, draft.game.name, len(draft.setup.seats), self._open_place)
        self.first = next((part for part in draft.parts if part.path == at), None)
        if self.first:
            self.turn_to(self.first)

    def leave(self) -> None:
        """Discard everything about purses and hands, also what is not visible."""
        self._forget_refusal()
        self.stage.clear_widgets()
        self.said.clear_widgets()

    def _forget_refusal(self) -> None:
        self.pane: PartPane | PlaceBar | None = None
        self.brush: tuple[Any, Any] | None = None
        self.part: Part | None = None
        self.among: Sequence[Part] = ()
        self.seen: set[Any] = set()
        self.sure = False
        self.refused = ""

    def close(self) -> None:
        """Go back to all parts, or leave the editor."""
        if self.part is None and not self.sure and not self.among:
            self.back_to()
            return
        if self.part is not None and self.part.secret and self.pane:
            self.seen.add(self.part.path)
        self.pane = self.part = None
        self.among, self.sure = (), False
        self.show()

    # -- what is changed -----------------------------------------------------------------------------------------

    def value(self, part: Part) -> Any:
        """Return a part's content; a secret part's is for its owner, who has the screen."""
        return self.draft.own(part, part.of) if part.secret else self.draft.get(part)

    def touch(self, part: Part, field: Field, value: object, one: object) -> None:
        """Apply a touch on a value."""
        self.refused = ""
        if isinstance(field.kind, One) and not part.secret:
            self.brush = field.kind, one
        self.draft = editor.touched(self.draft, part, field, value, one)
        self.show()

    def _open_place(self, places: Sequence[str]) -> None:
        """Open the part at the touched place of the board, or offer the parts to choose from."""
        found = holding(self._parts_to_edit(), places)
        if len(found) == 1:
            self._repeat_last_value(found[0])
            self.turn_to(found[0])
            return
        self.among, self.part, self.pane = found, None, None
        self.refused = "" if found else self.say(N_("This follows from the rest of the table."))
        self.show()

    def _repeat_last_value(self, part: Part) -> None:
        """Fill an empty place with the last chosen value, in a game that had already begun."""
        kind, one = self.brush or (None, None)
        field = part.fields[0]
        paints = self.preview is None and one is not None and field.kind == kind and not part.secret
        if paints and held(field, self.draft.get(part)) is None:
            self.draft = editor.touched(self.draft, part, field, None, one)

    def others(self) -> None:
        """Offer the parts that the board does not show."""
        self.among, self.part, self.pane = self._unseen_parts(), None, None
        self.show()

    def _unseen_parts(self) -> Sequence[Part]:
        """Return the parts that neither the board nor the tiles beside it show."""
        seen = self.board.shown if self.moment else ()
        return [part for part in self._parts_to_edit() if not {*part.places} & {*seen}]

    def _parts_to_edit(self) -> Sequence[Part]:
        return editor.asked(self.draft, live=self.preview is not None)

    def turn_to(self, part: Part) -> None:
        """Open a part, in the line if it fits there; a secret part stays behind its cover."""
        self.part, self.among = part, ()
        if not part.secret:
            name = editor.caption(part, self.tongue)
            in_line = self.moment is not None and fits(self, part, name)
            self.pane = PlaceBar(self, part, name) if in_line else PartPane(self, part, self._laid)
        self.show()

    def uncover(self) -> None:
        """Show the secret part to its owner, who now has the screen."""
        assert self.part
        self.pane = PartPane(self, self.part)
        self.show()

    # -- showing -------------------------------------------------------------------------------------------------

    def show(self) -> None:
        self.main.opacity = 1
        if self.sure:
            self._show_comes()
        elif self.part is None:
            self._show_all()
        elif self.pane is None:
            self._show_cover(self.part)
        else:
            self._show_part(self.part, self.pane)

    def _show_all(self) -> None:
        self.head.show(self.say(self.title))
        if self.among or not self.moment:
            self._show_tiles(editor.tiles(self.draft, self.among or self._parts_to_edit(), self.tongue, self.seen))
        else:
            self._show_laid()
        status = editor.status(self.draft, self.tongue)
        entered = "" if status.wrong else " ".join(editor.entered(self.draft, self.tongue, self.seen))
        self._fill_foot(self.refused or entered or status.text, bool(self.refused) or status.wrong)
        text = self.say(N_("Show what will move")) if self.preview else self.word
        self.main.show(text, disabled=not status.ready, kind="main")
        others = self.others if self.moment and not self.among and self._unseen_parts() else None
        self.ways = (None, Control("cards", self.say(N_("Others")), others))

    def _laid(self) -> Moment | None:
        """Return the board as the draft lies; if nobody can tell, as it lay before."""
        return draft_moment.moment(self.draft, self.tongue, self.data) or self.moment

    def _show_laid(self) -> None:
        """Show the board as the draft lies; if nobody can tell, show it as it lay before."""
        moment = draft_moment.moment(self.draft, self.tongue, self.data)
        self.moment = moment or self.moment
        assert self.moment
        if not moment:
            self.head.show(self.say(N_("The picture does not show your changes yet.")))
        self.board.show(self.moment, dict.fromkeys(draft_moment.changed(self.draft), ""))
        swap(self.stage, self.board)

    def _show_tiles(self, found: Sequence[PartTile]) -> None:
        swap(self.stage, self.tiles)
        while len(self.taps) < len(found):
            self.taps.append(TileTap())
        for at, tap in enumerate(self.taps):
            if at < len(found):
                tap.show(found[at])
                tap.act = partial(self.turn_to, found[at].part)
            if (at < len(found)) != bool(tap.parent):
                (self.grid.add_widget if at < len(found) else self.grid.remove_widget)(tap)
        many = len(found) > 12
        upright = 2 + (many and theme.letters == 1)
        self.grid.cols = upright if self.app.upright else 3 + many
        self._show_below(-(-len(found) // self.grid.cols))

    def _show_below(self, rows: int) -> None:
        """Show the board below a few tiles."""
        laid = self._laid() if self.moment and rows <= FEW_ROWS else None
        self.below.clear_widgets()
        self.below.size_hint_y = 1 if laid else 0.001
        self.grid.size_hint_y = None if laid else 1
        if laid:
            high(self.grid, rows * (theme.either(*TILE) + theme.GAP) - theme.GAP)
            self.below.add_widget(self.small)
            self.small.show(laid)

    def _show_part(self, part: Part, pane: PartPane | PlaceBar) -> None:
        self.head.show(editor.caption(part, self.tongue))
        pane.show()
        if part.secret:
            wrong = editor.own_mistakes(self.draft, part.of, self.tongue)
            self._fill_foot("; ".join(wrong), True)
        else:
            status = editor.status(self.draft, self.tongue)
            self._fill_foot(status.text, status.wrong)
        if isinstance(pane, PlaceBar):
            self._show_laid()
            swap(self.said, pane)
            status = editor.status(self.draft, self.tongue)
            if status.wrong:
                self.head.show(status.text)
        else:
            swap(self.stage, pane)
        self.main.show(self.say(N_("Keep and hide") if part.secret else N_("This lies there")), kind="main")

    def _show_cover(self, part: Part) -> None:
        self.head.show("")
        self.shape.seat = part.of
        self.ask.show(self.tongue.tr(N_("Pass the screen to {seat}. Nobody else may look."), seat=part.of))
        self.open.show(editor.caption(part, self.tongue))
        self.open.act = self.uncover
        swap(self.stage, self.cover)
        self._fill_foot("", False)
        self.main.show("", disabled=True)
        self.main.opacity = 0

    def _show_comes(self) -> None:
        self.head.show(self.say(N_("This is what moves")))
        assert self.preview
        changed = [*editor.changes(self.draft, self.tongue), *editor.entered(self.draft, self.tongue, self.seen)]
        self.comes.show("\n".join([self.preview(self.draft), *changed]))
        swap(self.stage, self.coming)
        self._fill_foot(self.refused, True)
        self.main.show(self.word, kind="main")

    def _fill_foot(self, text: str, wrong: bool) -> None:
        swap(self.said, self.note)
        self.note.show(text)
        self.note.color = theme.rgba(theme.now.stop if wrong else theme.now.muted)

    def _take_main(self) -> None:
        if self.part is not None:
            alone = self.part is self.first and self.part.secret and self.preview is not None
            self.close()
            if alone and editor.status(self.draft, self.tongue).ready:  # nothing else was asked for
                self.sure = True
                self.show()
        elif self.preview and not self.sure:
            self.sure = editor.status(self.draft, self.tongue).ready
            self.show()
        else:
            self.refused = self.done(self.draft)
            if self.refused:
                self.show()
