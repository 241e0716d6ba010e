"""A drawn board on which a touch means the nearest place: it begins an act, completes it, or is refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from time import monotonic
from typing import Any, Protocol, TypeVar

from kivy.clock import Clock
from kivy.graphics import Color, Ellipse
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.rules import N_, NC_
from ui import theme
from ui.games.parts.action_controls import ActionControls
from ui.games.parts.actions import Action
from ui.games.parts.asking import Event
from ui.games.parts.board import Act, Go, Say
from ui.games.parts.controls import ActBoard, Offering
from ui.games.parts.headline import Headline
from ui.games.parts.past import Moved
from ui.theme import TextSize
from ui.widgets.box import wide
from ui.widgets.fresh import Box, Trail
from ui.widgets.motion import glide, motions
from ui.widgets.shape import ROUND, Stroke
from ui.widgets.tap import GHOST
from ui.widgets.text import Text

HELD = 0.6
"""Seconds a finger rests on a place to ask about it."""
REACH = 40
"""The distance from the middle of a place at which a finger may land, in dp."""


class Sign(Widget):
    """The sign of what a touch does at a place: a plus joins, a cross fights, a dot just moves there."""

    def __init__(self, **rest: object) -> None:
        super().__init__(**rest)
        with self.canvas:
            self._fill = Color(0, 0, 0, 0)
            self._disc = Ellipse(segments=ROUND)
            self._ink = Color(0, 0, 0, 0)
            self._dot = Ellipse(segments=ROUND)
        self._strokes = Stroke(1.6, lines=2)
        self.canvas.add(self._strokes)
        self.kind = ""
        self._redraw = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._redraw, size=self._redraw)

    def show(self, kind: str) -> None:
        if kind == self.kind:
            return
        self.kind = kind
        look = theme.now
        self._fill.rgba = theme.rgba(look.seal if kind == "fight" else GO) if kind in GLYPHS else (0, 0, 0, 0)
        self._ink.rgba = theme.rgba(look.on_seal) if kind in GLYPHS else (0, 0, 0, 0)
        self._strokes.paint(look.on_seal if GLYPHS.get(kind) else None)
        self._redraw()

    def _draw(self, *_: object) -> None:
        side = min(self.size)
        x, y, arm = self.x + self.width / 2, self.y + self.height / 2, side * 0.26
        disc = side if self.kind in GLYPHS else 0
        self._disc.pos, self._disc.size = (x - disc / 2, y - disc / 2), (disc, disc)
        for line, turn in zip(self._strokes.lines, GLYPHS.get(self.kind, ()), strict=False):
            dx, dy = turn[0] * arm, turn[1] * arm
            line.points = [x - dx, y - dy, x + dx, y + dy]
        dot = side * 0.4 if self.kind == "go" else 0
        self._dot.pos, self._dot.size = (x - dot / 2, y - dot / 2), (dot, dot)


GO = "2F6231"
"""Under the sign of a peaceful move; white is readable on it."""
GLYPHS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "join": ((1, 0), (0, 1)),
    "fight": ((0.8, 0.8), (0.8, -0.8)),
    "go": (),
}
"""The strokes of each sign, by their direction."""


def edge(sign: str) -> tuple[str, float]:
    """Return the colour and the width of a place's edge, by its sign."""
    look = theme.now
    colours = {"start": look.ink, "join": look.good, "go": look.good}
    colours |= dict.fromkeys(("begin", "fight", "about"), look.accent)
    return (colours[sign], 3) if sign in colours else (look.line, 1)


class PieceField(Widget):
    """Places under a finger, and a piece that is seen moving from one to another.

    `ask` handles a finger that rests on a place; without it, that is a tap too.
    """

    def __init__(self, tap: Callable[[str], object], mover: Widget, ask: Callable[[str], object] | None = None) -> None:
        super().__init__()
        self._tap, self._ask, self._since = tap, ask or tap, 0.0
        self.spots: dict[str, Any] = {}
        self._down, self._acted = "", dict[str, float]()
        self.mover, self._moved, self._way = mover, -1, ("", "")
        self.mover.opacity = 0
        self.trail, self.fresh = Trail(), Moved(0, "", "", "")
        """Where the last act's piece came from."""
        self.line_up = Clock.create_trigger(lambda _: self.lay(), -1)
        self.bind(pos=self.line_up, size=self.line_up)

    def lay(self) -> None:
        """Put every place where it belongs."""

    def nearest(self, x: float, y: float) -> str:
        """Return the place that a finger at this point means, "" for none."""

        def far(place: str) -> float:
            spot = self.spots[place]
            return float(((spot.center_x - x) ** 2 + (spot.center_y - y) ** 2) ** 0.5)

        place = min(self.spots, key=far, default="")
        return place if place and far(place) <= dp(REACH) else ""

    def on_touch_down(self, touch: Any) -> bool:
        place = self.nearest(*touch.pos) if self.collide_point(*touch.pos) and not self.disabled else ""
        if place:
            self._down, self._since = place, monotonic()
            touch.grab(self)
        return bool(place)

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        place, now = self.nearest(*touch.pos), monotonic()
        if place == self._down and now - self._acted.get(place, -GHOST) >= GHOST:
            self._acted[place] = now
            (self._ask if now - self._since >= HELD else self._tap)(place)
        return True

    def move(self, moved: Moved | None) -> None:
        """Show the last act's piece on its way, once; the next act ends the motion."""
        number = moved.number if moved else 0
        before, self._moved = self._moved, number
        if moved and moved.start and before >= 0 and number != before:
            self._way = moved.start, moved.to
            self._glide()

    def mark(self, moved: Moved | None) -> None:
        """Mark where the last act's piece stood, and the way it went; None takes the mark away."""
        self.fresh = moved or Moved(0, "", "", "")
        self._trace()

    def stood(self, place: str) -> Box:
        """Return the outline of a piece at this place."""
        spot = self.spots[place]
        return spot.x, spot.y, spot.width, spot.height

    def _trace(self) -> None:
        fresh = self.fresh
        if fresh.start in self.spots:
            self.trail.show(self.stood(fresh.start), self.stood(fresh.to), theme.SEATS[fresh.seat])
        else:
            self.trail.clear()

    def _glide(self) -> None:
        start, to = (self.spots[place] for place in self._way)
        motions.drop(self.mover)
        self.mover.size, self.mover.opacity = start.size, 1
        across, up = start.width / 2, start.height / 2
        ends = [(spot.x + spot.width / 2 - across, spot.y + spot.height / 2 - up) for spot in (start, to)]
        glide(self.mover, ends[0], ends[1], self._hide_mover)

    def _hide_mover(self) -> None:
        self.mover.opacity = 0

    def laid(self) -> None:
        """Make the moving piece and its trail follow places that have moved."""
        if self.mover.opacity:
            self._glide()
        self._trace()


class Legend(BoxLayout):
    """The meanings of the signs on the board."""

    def __init__(self, **rest: object) -> None:
        super().__init__(spacing=dp(4), **rest)
        self.signs = [wide(Sign(), 22) for _ in range(2)]
        self.words = [Text(most=TextSize.TEXT, lines=1) for _ in range(2)]
        for sign, words in zip(self.signs, self.words, strict=True):
            self.add_widget(sign)
            self.add_widget(words)

    def show(self, meanings: Mapping[str, str]) -> None:
        for sign, words, (kind, text) in zip(self.signs, self.words, meanings.items(), strict=True):
            sign.show(kind)
            words.show(text)


class OnField(Offering, Protocol):
    """A view-model of places that are touched one after another."""

    @property
    def big(self) -> Headline: ...
    @property
    def note(self) -> str: ...
    @property
    def moved(self) -> Moved | None: ...
    @property
    def begins(self) -> Collection[str]: ...
    @property
    def foes(self) -> Collection[str]: ...
    @property
    def taps(self) -> Mapping[tuple[str, str], Action | None]: ...

    def tried(self, start: str, place: str, /) -> Event | None:
        """Return the act a wrong touch asks for, so that the referee can say why not."""


F = TypeVar("F", bound=OnField)


class FieldBoard(ActBoard[F]):
    """A drawn board with what matters now beside it; each game lays them out in `do_layout`."""

    peaceful, meanings = "go", {"go": NC_("piece", "Move"), "fight": N_("Battle")}
    """The sign of a place an act leads to without a fight, and what the signs mean."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool, field: PieceField) -> None:
        super().__init__(act, go, say, upright)
        self.field, self.start = field, ""
        self._seen = 0  # the number of the act whose mark has been touched
        self.note = Text(most=TextSize.TEXT, ink=theme.now.muted)
        self.legend = Legend()
        self.legend.show({sign: say(text) for sign, text in self.meanings.items()})
        self.acts = ActionControls(self.do)
        self.add_widget(self.field)

    def show(self, centre: F) -> None:
        self.centre = centre
        if self.start not in centre.begins:
            self.start = ""
        self.note.show(centre.note)
        self.offer(centre.actions)
        self.paint_places()
        self.field.move(centre.moved)

    def offer(self, actions: Sequence[Action]) -> None:
        """Show the possible acts; a choice face down is made at the seat's tile."""
        self.acts.show([action for action in actions if action.verb != "choose"])

    @property
    def marked(self) -> Moved | None:
        """Return what the last act moved, until it is touched or another act begins."""
        moved = self.centre.moved
        return moved if moved and moved.number != self._seen and not self.start else None

    def paint_places(self) -> None:
        """Show where an act begins and where it leads, and what stands beside the board."""
        self.do_layout()
        self.field.mark(self.marked)

    def present(self, *wanted: Widget) -> None:
        """Show these widgets beside the field, and nothing else."""
        for child in [child for child in self.children if child is not self.field and child not in wanted]:
            self.remove_widget(child)
        for child in wanted:
            if child.parent is None:
                self.add_widget(child)

    def sign(self, place: str) -> str:
        """Return the sign of what a touch on this place would do, "" for nothing."""
        if self.start and place == self.start:
            return "start"
        if not self.start and place in self.centre.begins and self.centre.taps:
            return "begin"
        leads = self.start and (self.start, place) in self.centre.taps
        return ("fight" if place in self.centre.foes else self.peaceful) if leads else ""

    def tap(self, place: str) -> None:
        """Begin an act, carry it out, or call it off; send a wrong touch to the referee, who says why not."""
        if self.marked and place in (self.marked.start, self.marked.to):
            self._seen = self.marked.number
        action = self.centre.taps.get((self.start, place))
        if action is None and (place == self.start or place in self.centre.begins):
            self.start = "" if place == self.start else place
            self.paint_places()
        elif action:
            self.do(action)
        elif event := self.centre.tried(self.start, place):
            self.act(dict(event))
