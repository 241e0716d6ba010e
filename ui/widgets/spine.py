"""The controls at the side of every page: five slots that never move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.theme import TextSize
from ui.widgets.box import high, put, wide
from ui.widgets.icon import Sign
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, long

SLOTS = 5
ICON = 28
"""The size of a sign, in dp."""
LEAST = 20
"""Its size over a word of two lines, where a slot is low."""
FAINT = 0.35
"""The opacity of a slot that does nothing now: it is never gone."""


@dataclass(frozen=True, slots=True)
class Control:
    """The content of a slot: a sign over its word, and what a touch does; None where it does nothing now."""

    sign: str
    word: str
    act: Callable[[], object] | None
    lit: bool = False
    """Something has just happened for which it is the way on."""


class SpineSlot(Touchable):
    """A sign over its word."""

    def __init__(self) -> None:
        super().__init__()
        self.sign = Sign(size_hint=(None, None))
        self.words = Text(most=TextSize.LABEL, lines=1, align="center", size_hint=(None, None))
        self.text = ""
        self.rule = Backdrop(self, None, radius=0)
        self.add_widget(self.sign)
        self.add_widget(self.words)
        self.bind(pos=self._arrange, size=self._arrange)

    def show(self, control: Control | None) -> None:
        """Show the control; None is an empty slot."""
        self.act = control.act if control else None
        self.disabled = self.act is None
        self.opacity = 0 if control is None else 1 if self.act else FAINT
        self.rule.paint(theme.now.wax if control and control.lit else None)
        if control:
            self.sign.show(control.sign, theme.now.ink)
            self.text = control.word
            self.words.disabled_color = theme.rgba(theme.now.ink)
        self._arrange()

    def _arrange(self, *_: object) -> None:
        high = dp(theme.above(TextSize.LABEL))

        def fits(text: str) -> bool:
            lines = text.split("\n")
            wide = max(long(line, TextSize.LABEL) for line in lines)
            return bool(wide <= self.width - dp(2) and dp(LEAST) + dp(2) + len(lines) * high <= self.height)

        forms = self.text.replace("-\n", ""), self.text  # a translator's hyphen, only where it is needed
        text = next(filter(fits, forms), "")  # a word that is too long leaves the sign alone
        lines = text.count("\n") + 1
        tall = lines * high if text else 0.0
        side = min(dp(ICON), self.height - tall - dp(2))
        self.words.show(text, lines=lines)
        edge = (self.height - side - tall - dp(2)) / 2
        self.sign.size = side, side
        self.sign.pos = self.x + (self.width - side) / 2, self.y + self.height - edge - side
        self.words.pos, self.words.size = (self.x + dp(1), self.y + edge), (self.width - dp(2), tall)


class Spine(BoxLayout):
    """Five slots, one over the other; upright side by side. There is one, and the page that is seen has it."""

    owner: Controls | None = None

    def __init__(self, upright: bool) -> None:
        super().__init__(orientation="horizontal" if upright else "vertical")
        self.back = Backdrop(self, theme.now.sunk, radius=0)
        self.slots = [SpineSlot() for _ in range(SLOTS)]
        self.place = Text(most=TextSize.LABEL, lines=1, bold=True, align="center", size_hint=(None, None))
        for at, slot in enumerate(self.slots):
            if at == SLOTS - 1:
                self.add_widget((wide if upright else high)(self._between(), 0))
            self.add_widget(slot)

    def _between(self) -> Widget:
        """Return a widget that takes no room, for the place between the last two slots."""
        spot = Widget()
        spot.add_widget(self.place)

        def follow(*_: object) -> None:
            wide_, high_ = dp(theme.size(TextSize.LABEL) * 4), dp(theme.above(TextSize.LABEL))
            middle = spot.x + spot.width / 2, spot.y + spot.height / 2
            put(self.place, middle[0] - wide_ / 2, middle[1] - high_ / 2, wide_, high_)

        spot.bind(pos=follow, size=follow)
        return spot

    def show(self, controls: Sequence[Control | None], place: str = "") -> None:
        """Show the controls in the slots, from the top or the left, and `place` between the last two."""
        self.place.show(place, shorter=place.partition("/")[0])
        for slot, control in zip(self.slots, controls, strict=True):
            slot.show(control)


class Controls:
    """A page's own controls: they stand in the spine while the page is seen."""

    def __init__(self, spine: Spine) -> None:
        self.spine = spine
        self._shown: tuple[Sequence[Control | None], str] = (None,) * SLOTS, ""

    @property
    def slots(self) -> Sequence[SpineSlot]:
        return self.spine.slots

    def show(self, controls: Sequence[Control | None], place: str = "") -> None:
        """Set the controls in the slots and `place` between the last two; show them if the page is seen."""
        self._shown = controls, place
        if self.spine.owner is self:
            self.spine.show(controls, place)

    def take(self) -> None:
        """Show these controls in the spine, as the page is turned to."""
        self.spine.owner = self
        self.spine.show(*self._shown)
