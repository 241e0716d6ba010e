"""A bar of labelled parts of a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.parts.ending import ScorePart
from ui.theme import TextSize
from ui.widgets.box import put
from ui.widgets.text import Backdrop, Text, long

LEAST, MARGIN = 26, 10
"""The least width of a part, and the margin around its words, in dp."""


class PartBox(Widget):
    """A part's number over what it is for, or before it; in the seat's colour what the seat has earned."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, None)
        self.number = Text(most=TextSize.TEXT, lines=1, bold=True, align="center")
        self.label = Text(most=TextSize.LABEL, align="center")
        self._words: Words = ("", "", False)
        self.add_widget(self.number)
        self.add_widget(self.label)
        self.bind(pos=self._lay, size=self._lay)

    def show(self, part: ScorePart, words: Words, seat: str) -> None:
        look, own = theme.now, part.earned and bool(part.value)
        ink = theme.on_seat(seat) if own else look.card_ink
        self.back.paint(theme.SEATS[seat] if own else look.card, look.ink)
        for text in (self.number, self.label):
            text.color = theme.rgba(ink)
        self._words = words
        self._lay()

    def _lay(self, *_: object) -> None:
        number, label, broken = self._words
        self.number.show(number)
        self.label.show(label, lines=0 if broken else 1)
        if broken:
            left = long(number, TextSize.TEXT, True) + dp(MARGIN)
            put(self.number, self.x, self.y, left, self.height)
            put(self.label, self.x + left, self.y, self.width - left - dp(2), self.height)
            return
        low = (self.height + dp(theme.size(TextSize.LABEL) - theme.size(TextSize.TEXT))) / 2 if label else 0
        put(self.number, self.x, self.y + low, self.width, self.height - low)
        put(self.label, self.x + dp(2), self.y, self.width - dp(4), low)


Words = tuple[str, str, bool]
"""A part's number, its label, and whether the label stands beside the number, where it may take two lines."""


def _room(words: Words, lines: int) -> float:
    """Return the least width of a part in these words, with so many lines for a label beside its number."""
    number, label, beside = words
    if beside:
        return float(long(number, TextSize.TEXT, True) + _label_width(label, lines) + dp(2 * MARGIN))
    number_width, label_width = long(number, TextSize.TEXT, True) + dp(6), long(label, TextSize.LABEL) + dp(MARGIN)
    return float(max(dp(LEAST), number_width, label_width))


def _label_width(label: str, lines: int) -> float:
    """Return the least width of a label on one line or two."""
    words = label.replace("・", "・ ").split()
    if lines < 2 or len(words) < 2:
        return long(label, TextSize.LABEL)
    halves = ((" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words)))
    return min(max(long(half, TextSize.LABEL) for half in both) for both in halves)


class PartsBar(Widget):
    """The parts one after the other, each as wide as it counts, but never too narrow for its words."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: list[PartBox] = []
        self._parts: Sequence[ScorePart] = ()
        self._numbers: Sequence[str] = ()
        self._seat, self._most = "", 1.0
        self.bind(pos=self._lay, size=self._lay)

    def show(self, seat: str, parts: Sequence[ScorePart], numbers: Sequence[str], most: float) -> None:
        """Show the parts; `most` is the value of the full width, `numbers` are the values in writing."""
        self._seat, self._parts, self._numbers, self._most = seat, parts, numbers, most
        while len(self.boxes) < len(parts):
            self.boxes.append(PartBox())
        wanted = self.boxes[: len(parts)]
        if self.children[::-1] != wanted:
            self.clear_widgets()
            for box in wanted:
                self.add_widget(box)
        self._lay()

    def _wordings(self, lines: int) -> Iterator[Sequence[Words]]:
        """Yield the words of all parts: whole labels below the numbers, some beside them, shorter ones, none."""
        pairs = [*zip(self._numbers, self._parts, strict=True)]
        if below := self.height >= dp(theme.size(TextSize.TEXT) + theme.size(TextSize.LABEL) + 4):
            yield [(number, part.label, False) for number, part in pairs]
        if lines:
            yield [(number, part.label, not below or _label_width(part.label, lines) < long(part.label, TextSize.LABEL))
                   for number, part in pairs]  # fmt: skip
        if below:
            yield [(number, (part.shorter or (part.label,))[0], False) for number, part in pairs]
        yield [(number, "", False) for number, _ in pairs]

    def _lay(self, *_: object) -> None:
        """Place the parts; those that need more than their share take it from the others."""
        lines = min(2, int(self.height // dp(theme.above(TextSize.LABEL))))
        for said in self._wordings(lines):
            least = [_room(words, lines) for words in said]
            if sum(least) <= self.width:
                break
        share, left = self.width / self._most, self.x
        rooms = [max(room, abs(part.value) * share) for room, part in zip(least, self._parts, strict=True)]
        over, spare = max(0.0, sum(rooms) - self.width), sum(rooms) - sum(least) or 1.0
        for box, part, words, room, low in zip(self.boxes, self._parts, said, rooms, least, strict=False):
            given = room - (room - low) / spare * min(over, spare)
            box.show(part, words, self._seat)
            put(box, left, self.y, given, self.height)
            left += given
