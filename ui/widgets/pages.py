"""A list a page at a time: nothing is cut off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.box import high
from ui.widgets.leaves import Leaves


class Paged(Leaves):
    """Rows of one kind, made by `make` and told by `show(item)`; as many at once as there is height for."""

    def __init__(
        self, make: Callable[[], Widget], say: Callable[..., str], least: float = 56, gap: float = theme.GAP
    ) -> None:
        super().__init__(say)
        self.make, self.least, self.gap = make, least, gap
        self.rows: list[Any] = []
        self.items: Sequence[Any] = ()
        self.page, self.fit, self._wanted = 0, 1, -1
        self.turned: Callable[[], object] = lambda: None
        """Called when another page has been turned to."""
        self.list = BoxLayout(orientation="vertical", spacing=dp(gap))
        self.add_widget(self.list)
        self.list.bind(size=lambda *_: self._paint())

    def show(self, items: Sequence[Any]) -> None:
        self.items = items
        self._paint()

    def from_the_top(self) -> None:
        """Go back to the first page."""
        self.page = 0

    def turn_to(self, at: int) -> None:
        """Turn to the leaf with this item, once it is known how many there is room for."""
        self._wanted = at

    def turn_back(self) -> None:
        self._turn_by(-1)

    def turn_on(self) -> None:
        self._turn_by(1)

    def _turn_by(self, by: int) -> None:
        self.page += by
        self._paint()
        self.turned()

    @property
    def seen(self) -> Sequence[Any]:
        """Return the items on the current page."""
        return self.items[self.page * self.fit : (self.page + 1) * self.fit]

    def _paint(self) -> None:
        space = self.height - (0 if self.outside else dp(theme.TOUCH + theme.GAP))
        fit = self.fit = max(1, int((space + dp(self.gap) + 1) // dp(self.least + self.gap)))
        pages = max(1, -(-len(self.items) // fit))
        if self._wanted >= 0 and self.height > dp(2 * self.least):
            self.page, self._wanted = self._wanted // fit, -1
        self.page = max(0, min(self.page, pages - 1))
        self._fill_page(self.seen, fit)
        self.stand(self.page, pages)

    def _fill_page(self, shown: Sequence[Any], fit: int) -> None:
        while len(self.rows) < max(fit, len(shown)):
            self.rows.append(high(self.make(), self.least))
        for at, line in enumerate(self.rows):
            if at < len(shown):
                line.show(shown[at])
            if (at < len(shown)) != bool(line.parent):
                (self.list.add_widget if at < len(shown) else self.list.remove_widget)(line)
        if not hasattr(self, "rest"):
            self.rest = Widget()
        if self.rest.parent:
            self.list.remove_widget(self.rest)
        self.list.add_widget(self.rest)
