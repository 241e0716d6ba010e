"""The line of the acts that stand, and how undo, redo and amend turn it (T-5, T-7, T-8).

Nothing is inverted: every turn leads to another line, and the one that was left is kept as it was.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules import Ruling
from companion.session.receipt import Receipt


@dataclass(frozen=True, slots=True)
class ActLine:
    """Acts, each of which knows the one before it: `last` is the newest, None at the opening."""

    last: Receipt | None = None
    amended: Amended | None = None
    """The newest amendment in it."""
    left: ActLine | None = None
    """The line that a redo brings back: the one that the last undo has left."""

    def after(self, act: Receipt) -> ActLine:
        """With one more act; what was left cannot be brought back any more."""
        return ActLine(act, self.amended)

    @property
    def step(self) -> Amended | None:
        """The amendment that is its newest step, None where an act is."""
        return self.amended if self.amended and self.amended.after is self.last else None

    def undone(self) -> ActLine:
        """Without its newest step: an amendment as a whole, or else an act. Needs a line with an act in it."""
        if self.step:
            return ActLine(self.step.before.last, self.step.before.amended, self)
        assert self.last
        return ActLine(self.last.before, self.amended, self)

    def back_to(self, act: Receipt | None) -> ActLine:
        """Up to this act, from where each that stands is a step of its own."""
        return ActLine(act, None, self)

    def amended_to(self, last: Receipt, ruling: Ruling | None = None) -> ActLine:
        """The line that an amendment has made of it, which is one step, told by this ruling."""
        return ActLine(last, Amended(last, self, ruling))


@dataclass(frozen=True, slots=True)
class Amended:
    """An amendment: the end of the line it made, and the line as it was before."""

    after: Receipt
    before: ActLine
    ruling: Ruling | None = None
