"""Animation: a few short motions, all ended by the next touch, on a clock that runs only for them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock
from kivy.graphics import PopMatrix, PushMatrix, Scale
from kivy.uix.widget import Widget

MOVE, TURN, COUNT, RING, BAND = 0.25, 0.22, 0.3, 0.15, 0.2
"""How long a piece is on its way, a card turns, a card joins what is counted, a ring fades in, the band changes its
colour, in seconds."""
PAUSE, COME, RESULT = 0.25, 0.65, 0.9
"""A reveal: nothing happens between the last card and the turning of all; then they go to where they count, and what it
comes to is said; in seconds, the last two from when they turn."""
SLOW, FIRST = 0.06, 3
"""Where each of so many first frames takes longer than so many seconds, motion is not worth its time."""


@dataclass(slots=True)
class Motion:
    """One motion: `at` is called with its progress, from 0 to 1, and `then` when it is over."""

    seconds: float
    at: Callable[[float], object]
    then: Callable[[], object]
    since: float = 0.0
    frames: int = 0
    slow: bool = True
    """Whether every frame so far took too long."""


class Motions:
    """All motions of a window. Switched off, or on a computer that is too slow, each is at its end at once."""

    def __init__(self) -> None:
        self.on = True
        self.slow = False
        """The first frames of a motion took too long: there are no more until the screen is built anew."""
        self._held = False
        self._playing: dict[Hashable, Motion] = {}
        self._clock = Clock.create_trigger(self._advance, 0, interval=True)

    @property
    def moving(self) -> bool:
        return bool(self._playing)

    def play(
        self, what: Hashable, seconds: float, at: Callable[[float], object], then: Callable[[], object] = lambda: None
    ) -> None:
        """Begin a motion of `what`, in place of one that it is in."""
        self._playing.pop(what, None)
        if not self.on or self.slow:
            at(1.0)
            then()
            return
        at(0.0)
        self._playing[what] = Motion(seconds, at, then)
        self._clock()

    def drop(self, what: Hashable) -> None:
        """Forget a motion, as another caller now says where this is."""
        self._playing.pop(what, None)

    def end(self) -> None:
        """End every motion now, unless they are held."""
        while self._playing and not self._held:
            motion = self._playing.pop(next(iter(self._playing)))
            motion.at(1.0)
            motion.then()
        self._clock.cancel()

    def hold(self, part: float) -> None:
        """Hold every motion at this part of its way, from 0 to 1, until `go` is called: for pictures."""
        self._held = True
        self._clock.cancel()
        for motion in list(self._playing.values()):
            motion.at(part)

    def go(self) -> None:
        """End the motions that were held."""
        self._held = False
        self.end()

    def _advance(self, passed: float) -> None:
        for what, motion in list(self._playing.items()):
            motion.since += passed
            motion.frames += 1
            motion.slow = motion.slow and passed > SLOW
            if motion.slow and motion.frames == FIRST:
                self.slow = True
            if motion.since < motion.seconds:
                motion.at(motion.since / motion.seconds)
            else:
                self._playing.pop(what, None)
                motion.at(1.0)
                motion.then()
        if self.slow:
            self.end()
        if not self._playing:
            self._clock.cancel()


motions = Motions()
"""Those of this window."""


def ease(part: float) -> float:
    """Return the eased part of the way: quick at first, then ever slower."""
    return 1 - (1 - part) ** 2


def glide(widget: Widget, start: tuple[float, float], end: tuple[float, float],
          then: Callable[[], object] = lambda: None) -> None:  # fmt: skip
    """Move the widget from one place to another."""

    def at(part: float) -> None:
        far = ease(part)
        widget.pos = start[0] + (end[0] - start[0]) * far, start[1] + (end[1] - start[1]) * far

    motions.play(widget, MOVE, at, then)


class Turn:
    """A widget's turn like a card's: its width goes to nothing and back, and its content changes between."""

    def __init__(self, widget: Any) -> None:
        self._widget = widget
        self._scale = Scale(1, 1, 1)
        widget.canvas.before.insert(0, PushMatrix())
        widget.canvas.before.insert(1, self._scale)
        widget.canvas.after.add(PopMatrix())

    def show(self, part: float, middle: float | None = None) -> None:
        """Show how far it has turned, from 0 to 1, around this line, by default its own middle."""
        widget = self._widget
        across = widget.x + widget.width / 2 if middle is None else middle
        self._scale.origin = across, widget.y + widget.height / 2, 0
        self._scale.x = max(0.01, abs(1 - 2 * part))


def turned(seconds: float) -> float:
    """Return how far the cards of a reveal have turned so long after the last was down."""
    return min(1.0, max(0.0, (seconds - PAUSE) / TURN))
