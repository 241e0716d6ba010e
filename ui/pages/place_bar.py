"""The contents of a place, edited in the line below the board; other parts need a full page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.answers.editing import Draft, held
from companion.rules import Setup
from companion.rules.position_parts import Cards, Count, Field, Part
from companion.rules.words import Tongue
from ui import theme
from ui.page import App
from ui.pages import editor
from ui.theme import TextSize
from ui.widgets.box import high, page_width, wide
from ui.widgets.shape import Shape
from ui.widgets.tap import Tap
from ui.widgets.text import Text, long

MANY = 30
"""More than so many of a piece are typed, fewer are counted up and down."""
STEP, COUNT, WHOSE = 48, 34, 50
"""The width of a control that counts, of the number between two of them, and of a seat's shape to be chosen, in dp."""
WORDS, MAIN = 118, 132
"""The room of the place's name at most, and of the control at the end of the line, in dp."""
FEW = 5
"""Among how many things the line lets people choose."""


class SeatSource(Protocol):
    """A source of the seats: a draft, or the header of a game."""

    @property
    def setup(self) -> Setup: ...


class PartKeeper(Protocol):
    """A page on which a part is changed."""

    app: App
    say: Callable[..., str]

    @property
    def draft(self) -> Draft | SeatSource: ...
    @property
    def tongue(self) -> Tongue: ...
    def value(self, part: Part) -> Any: ...
    def touch(self, part: Part, field: Field, value: object, one: object) -> None: ...


class PlaceBar(BoxLayout):
    """One part in a line, a control for each of its values; made anew for each part."""

    def __init__(self, page: PartKeeper, part: Part, name: str) -> None:
        super().__init__(spacing=dp(4))
        self.page, self.part = page, part
        self.shows: list[Callable[[], None]] = []
        broad = min(float(dp(WORDS)), long(name, TextSize.TEXT, True) + dp(10))
        self.add_widget(wide(Text(name, most=TextSize.TEXT, bold=True, cuts=True), broad / dp(1)))
        for field in part.fields:
            self._add_controls(field)
        self.add_widget(Widget())
        self.show()

    def show(self) -> None:
        for show in self.shows:
            show()

    def _value_held(self, field: Field) -> Any:
        return held(field, self.page.value(self.part))

    def _touch(self, field: Field, one: object) -> None:
        self.page.touch(self.part, field, self._value_held(field), one)

    def _add(self, field: Field, by: int) -> None:
        self._touch(field, int(self._value_held(field)) + by)

    def _add_controls(self, field: Field) -> None:
        if isinstance(field.kind, Count):
            self._count(field, field.kind)
        else:
            self._choices(field)

    def _choices(self, field: Field) -> None:
        """Add a control for each value: seats by their shapes, all else in a word."""
        if field.text:
            words = self.page.say(field.text)
            self.add_widget(wide(Text(words, most=TextSize.LABEL, lines=1), long(words, TextSize.LABEL) / dp(1) + 4))
        found = editor.choices(self.page.draft.setup.seats, field, self._value_held(field), self.page.tongue)
        taps = [wide(Tap(most=TextSize.TEXT), _wide(choice)) for choice in found]
        for tap in taps:
            self.add_widget(high(tap, theme.TOUCH))
            tap.pos_hint = {"center_y": 0.5}

        def show() -> None:
            said = editor.choices(self.page.draft.setup.seats, field, self._value_held(field), self.page.tongue)
            for tap, choice in zip(taps, said, strict=True):
                at, _, name = choice.text.rpartition(". ")
                words = at if choice.seat else name if at else choice.text
                tap.show(words, seat=choice.seat, chosen=choice.chosen)
                tap.act = partial(self._touch, field, choice.value)

        self.shows.append(show)

    def _count(self, field: Field, kind: Count) -> None:
        seat = field.key.partition(" ")[0]
        if kind.flag:
            self._add_flag(field)
            return
        number = wide(Text(most=TextSize.HEAD, lines=1, bold=True, align="center"), COUNT)
        less, more = (
            wide(Tap(sign, partial(self._add, field, by), most=TextSize.HEAD), STEP)
            for sign, by in (("−", -1), ("+", 1))
        )
        if seat in theme.SHAPES:
            self.add_widget(wide(Shape(seat, most=22), 26))
        elif field.text:
            words = self.page.say(field.text)
            self.add_widget(wide(Text(words, most=TextSize.LABEL, lines=1), long(words, TextSize.LABEL) / dp(1) + 4))
        for part in (less, number, more):
            self.add_widget(part)
            part.size_hint_y, part.pos_hint = None, {"center_y": 0.5}
            part.height = dp(theme.TOUCH)

        def show() -> None:
            count = int(self._value_held(field))
            number.show(str(count))
            less.show("−", disabled=count <= kind.least)
            more.show("+", disabled=count >= kind.most)

        self.shows.append(show)

    def _add_flag(self, field: Field) -> None:
        """Add a control for a piece that is there or not."""
        words = _flagged(self.page, field)
        tap = wide(Tap(words, most=TextSize.TEXT), long(words, TextSize.TEXT) / dp(1) + 16)
        tap.size_hint_y, tap.height, tap.pos_hint = None, dp(theme.TOUCH), {"center_y": 0.5}
        self.add_widget(tap)

        def show() -> None:
            there = bool(self._value_held(field))
            tap.show(words, chosen=there)
            tap.act = partial(self._touch, field, int(not there))

        self.shows.append(show)


Offer = tuple[str, Callable[[], object]]
"""The words of a control, and what a touch on it does."""


def among(offers: Sequence[Offer], upright: bool) -> Widget:
    """Return the choice between several places: side by side if they fit the line, else a grid for a full page."""
    share = dp(page_width(upright) - theme.grown(MAIN) - 2 * theme.PAD) / max(1, len(offers)) - dp(12)
    lines = [line for words, _ in offers for line in words.split("\n")]
    if len(offers) <= FEW and not upright and all(long(line, TextSize.LABEL) <= share for line in lines):
        box = BoxLayout(spacing=dp(4))
        for words, act in offers:
            box.add_widget(Tap(words, act, most=TextSize.TEXT))
        return box
    grid = GridLayout(cols=2 if upright else 3, spacing=dp(8), padding=dp(theme.PAD), row_force_default=True,
                      row_default_height=dp(theme.either(60, 76)))  # fmt: skip
    for words, act in offers:
        grid.add_widget(Tap(words, act, most=TextSize.TEXT))
    return grid


def fits(page: PartKeeper, part: Part, name: str) -> bool:
    """Return whether the line has room for this part; any other part gets a full page."""
    app = page.app
    whole = dp(page_width(app.upright)) - dp(20)
    if app.upright:
        whole -= dp(8)
    room = whole - dp(theme.grown(MAIN)) - dp(8)
    taken = min(float(dp(WORDS)), long(name, TextSize.TEXT, True) + dp(10)) + dp(4)
    for field in part.fields:
        if isinstance(field.kind, Cards) or (isinstance(field.kind, Count) and field.kind.most > MANY):
            return False
        if isinstance(field.kind, Count) and field.kind.flag:
            taken += long(_flagged(page, field), TextSize.TEXT) + dp(20)
        elif isinstance(field.kind, Count):
            seated = field.key.partition(" ")[0] in theme.SHAPES
            name = page.say(field.text) if field.text else ""
            label = dp(30) if seated else long(name, TextSize.LABEL) + dp(8) if name else 0
            taken += dp(2 * STEP + COUNT + 12) + label
        else:
            found = editor.choices(page.draft.setup.seats, field, held(field, page.value(part)), page.tongue)
            taken += sum(dp(_wide(choice) + 4) for choice in found)
            taken += long(page.say(field.text), TextSize.LABEL) + dp(8) if field.text else 0
    return bool(taken <= room and not part.secret)


def _flagged(page: PartKeeper, field: Field) -> str:
    """Return the name of a piece that is there or not."""
    assert isinstance(field.kind, Count)
    return page.say(field.text) if field.text else editor.amount(field.kind.piece, 1, page.tongue)


def _wide(choice: editor.FieldValue) -> float:
    """Return the width of a value's control, in dp."""
    return float(WHOSE if choice.seat else max(theme.TOUCH, long(choice.text, TextSize.LABEL) / dp(1) + 14))
