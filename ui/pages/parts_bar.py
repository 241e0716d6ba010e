"""Where a score comes from: a bar of labelled parts."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.ending import Part
from ui.theme import Step
from ui.widgets.box import put
from ui.widgets.text import Backdrop, Text, long

LEAST = 26
"""How wide a part is at least, in dp."""
SHORT = 40
"""A label is left out where not even this much of it has room."""


class PartBox(Widget):
    """A part's number over what it is for: in the seat's colour what the seat has earned."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, None)
        self.number = Text(most=Step.TEXT, lines=1, bold=True, align="center")
        self.label = Text(most=Step.LABEL, lines=1, align="center", cuts=True)
        self.add_widget(self.number)
        self.add_widget(self.label)
        self.bind(pos=self._lay, size=self._lay)

    def show(self, part: Part, number: str, seat: str) -> None:
        look, ink = theme.now, theme.on_seat(seat) if part.earned else theme.now.card_ink
        self.back.paint(theme.SEATS[seat] if part.earned else look.card, look.ink)
        for text, words in ((self.number, number), (self.label, part.label)):
            text.color = theme.rgba(ink)
            text.show(words)

    def _lay(self, *_: object) -> None:
        labelled = self.width >= min(long(self.label.text, Step.LABEL), dp(SHORT)) + dp(6)
        labelled = labelled and self.height >= 2 * dp(theme.size(Step.LABEL) + 2)
        half = self.height / 2 if labelled else 0
        self.label.opacity = 1 if labelled else 0
        put(self.number, self.x, self.y + half, self.width, self.height - half)
        put(self.label, self.x + dp(3), self.y + dp(1), self.width - dp(6), half)


class PartsBar(Widget):
    """The parts one after the other, each as wide as it counts."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: list[PartBox] = []
        self._parts: Sequence[Part] = ()
        self._most = 1.0
        self.bind(pos=self._lay, size=self._lay)

    def show(self, seat: str, parts: Sequence[Part], numbers: Sequence[str], most: float) -> None:
        """Show the parts; `most` is the value of the full width, `numbers` are the values in writing."""
        self._parts, self._most = parts, most
        while len(self.boxes) < len(parts):
            self.boxes.append(PartBox())
        for box, part, number in zip(self.boxes, parts, numbers, strict=False):
            box.show(part, number, seat)
        wanted = self.boxes[: len(parts)]
        if self.children[::-1] != wanted:
            self.clear_widgets()
            for box in wanted:
                self.add_widget(box)
        self._lay()

    def _lay(self, *_: object) -> None:
        """Place the parts: a small one is as wide as its number needs, and the others give up the room."""
        share, least, left = self.width / self._most, dp(LEAST), self.x
        rooms = [max(least, abs(part.value) * share) for part in self._parts]
        over, spare = max(0.0, sum(rooms) - self.width), sum(room - least for room in rooms) or 1.0
        for box, room in zip(self.boxes, rooms, strict=False):
            given = room - (room - least) / spare * min(over, spare)
            put(box, left, self.y, given, self.height)
            left += given
