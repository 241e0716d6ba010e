"""Items of several kinds one under the other, each as high as it needs, a page at a time: nothing is cut off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.leaves import Leaves

Kinds = Mapping[type, Callable[[], Any]]
"""By the class of an item, what makes its widget, which has `show(item)` and `tall(item, width)`, in pixels."""


class FlowStack(BoxLayout):
    """Items one under the other. Widgets are made when they are first needed and used again for the next items. `rest`
    has the room that is left."""

    def __init__(self, kinds: Kinds, gap: float = theme.GAP, rest: Widget | None = None) -> None:
        super().__init__(orientation="vertical", spacing=dp(gap))
        self._kinds = kinds
        self._made: dict[type, list[Any]] = {kind: [] for kind in kinds}
        self._rest = rest or Widget()

    def tall(self, items: Sequence[Any], width: float) -> float:
        """Return the height of all items together, in pixels."""
        gaps = self.spacing * max(0, len(items) - 1)
        return float(gaps + sum(self.measure(item, width) for item in items))

    def measure(self, item: object, width: float) -> float:
        return float(self._widget(type(item), 0).tall(item, width))

    def show(self, items: Sequence[Any], width: float, most: float) -> None:
        """Show the items at this width; none is higher than `most`."""
        used = dict.fromkeys(self._made, 0)
        wanted = []
        for item in items:
            widget = self._widget(type(item), used[type(item)])
            used[type(item)] += 1
            widget.size_hint_y, widget.height = None, min(most, widget.tall(item, width))
            widget.width = width  # as it will be laid out
            widget.show(item)
            wanted.append(widget)
        wanted.append(self._rest)
        if self.children[::-1] != wanted:
            self.clear_widgets()
            for widget in wanted:
                self.add_widget(widget)

    def _widget(self, kind: type, at: int) -> Any:
        made = self._made[kind]
        while len(made) <= at:
            made.append(self._kinds[kind]())
        return made[at]


class Flow(Leaves):
    """As many items at once as there is height for, from any of them on."""

    def __init__(
        self, kinds: Kinds, say: Callable[..., str], gap: float = theme.GAP, rest: Widget | None = None
    ) -> None:
        super().__init__(say)
        self.items: Sequence[Any] = ()
        self.first = self.fit = 0
        self.stack = FlowStack(kinds, gap, rest)
        self.add_widget(self.stack)
        self._paint = Clock.create_trigger(self._fill, -1)
        self.bind(size=self._paint)

    @property
    def space(self) -> float:
        """Return the height there is for items where they take several pages, in pixels."""
        return float(max(1, self.height - (0 if self.outside else dp(theme.TOUCH + theme.GAP))))

    def show(self, items: Sequence[Any]) -> None:
        self.items = items
        self._paint()

    def turn_to(self, first: int) -> None:
        """Turn to the page that begins with this item."""
        self.first = max(0, first)
        self._paint()

    def turn_on(self) -> None:
        self.turn_to(self.first + self.fit)

    def turn_back(self) -> None:
        first, left = self.first, self.space
        while first > 0 and (left := left - self._height_of(first - 1)) >= 0:
            first -= 1
            left -= self.stack.spacing
        self.turn_to(min(first, self.first - 1))

    def _height_of(self, at: int) -> float:
        return min(self.space, self.stack.measure(self.items[at], self.width))

    def _fill(self, *_: object) -> None:
        if self.width <= 1 or self.height <= 1:
            return
        self.first = min(self.first, max(0, len(self.items) - 1))
        whole = self._count_fitting(0, self.height) == len(self.items)
        self.first, self.fit = (
            (0, len(self.items)) if whole else (self.first, self._count_fitting(self.first, self.space))
        )
        shown = self.items[self.first : self.first + self.fit]
        leaf = (
            (0, 1) if whole else self._leaf_number()
        )  # before they are shown: a widget that measures is laid out for that
        self.stack.show(shown, self.width, self.height if whole else self.space)
        self.stand(*leaf)

    def _leaf_number(self) -> tuple[int, int]:
        """Return which leaf is seen, of how many: leaves before it are as full as those after it."""
        before = self._count_leaves(0, self.first)
        return before, before + 1 + self._count_leaves(self.first + self.fit, len(self.items))

    def _count_leaves(self, first: int, end: int) -> int:
        count = 0
        while first < end:
            first, count = first + self._count_fitting(first, self.space), count + 1
        return count

    def _count_fitting(self, first: int, space: float) -> int:
        """Return how many items fit from this one on, one at least; one that `leads` does not end a page."""
        last = first
        while last < len(self.items) and (space := space - self._height_of(last)) >= 0:
            space -= self.stack.spacing
            last += 1
        while first + 1 < last < len(self.items) and getattr(self.items[last - 1], "leads", False):
            last -= 1
        return max(1, last - first) if self.items else 0
