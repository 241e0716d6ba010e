"""A bar of labelled parts of a score."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.ending import ScorePart
from ui.theme import TextSize
from ui.widgets.box import put
from ui.widgets.text import Backdrop, Text, long

LEAST = 26
"""The least width of a part, in dp."""


class PartBox(Widget):
    """A part's number over what it is for: in the seat's colour what the seat has earned."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, None)
        self.number = Text(most=TextSize.TEXT, lines=1, bold=True, align="center")
        self.label = Text(most=TextSize.LABEL, lines=1, align="center")
        self._labels: Sequence[str] = ()
        self.add_widget(self.number)
        self.add_widget(self.label)
        self.bind(pos=self._lay, size=self._lay)

    def show(self, part: ScorePart, number: str, seat: str) -> None:
        look, ink = theme.now, theme.on_seat(seat) if part.earned else theme.now.card_ink
        self.back.paint(theme.SEATS[seat] if part.earned else look.card, look.ink)
        for text in (self.number, self.label):
            text.color = theme.rgba(ink)
        self.number.show(number)
        self._labels = part.label, *part.shorter
        self._lay()

    def _lay(self, *_: object) -> None:
        """Leave the label out where there is no room for any wording of it."""
        room = self.width - dp(6) if self.height >= 2 * dp(theme.size(TextSize.LABEL) + 2) else 0
        label = next((text for text in self._labels if long(text, TextSize.LABEL) + 2 <= room), "")
        half = self.height / 2 if label else 0
        self.label.show(label)
        put(self.number, self.x, self.y + half, self.width, self.height - half)
        put(self.label, self.x + dp(3), self.y + dp(1), self.width - dp(6), half)


class PartsBar(Widget):
    """The parts one after the other, each as wide as it counts."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: list[PartBox] = []
        self._parts: Sequence[ScorePart] = ()
        self._most = 1.0
        self.bind(pos=self._lay, size=self._lay)

    def show(self, seat: str, parts: Sequence[ScorePart], numbers: Sequence[str], most: float) -> None:
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
