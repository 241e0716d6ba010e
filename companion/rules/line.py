"""Lines to be heard, and by whom: what the referee hands to the speech output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from companion.rules import Seat

Sound = Literal["card", "fist", "open", "held", "turn", "refused", "won", "back", "lost", "click", "home"]
"""A card was read, a fist closed, all fists are to open, a button has been held for half a second, your turn, refused,
a trick or a lot was won, something was taken back, a device was lost; a step in a list; and a button has been held so
long that letting go leads to the top."""
SOUNDS: tuple[Sound, ...] = get_args(Sound)


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to be heard: a sound, then a sentence; either may be missing.

    `to` is the seat into whose ear it goes, None for everybody. Newer lines for the same place cut off those that
    no longer matter; one that `stays` is said to its end all the same: how something came out.
    """

    say: str = ""
    to: Seat | None = None
    sound: Sound | None = None
    stays: bool = False
    named: bool = True
    """There is a name or a number in it; without one it is worth keeping as it sounds."""
    at_once: bool = False
    """Whether an ear asked for it by its button: other lines wait until the loudspeaker has done."""
    full: str = ""
    """For everybody, all there is to say: what the loudspeaker leaves out of it, ears hear."""


Aloud = Callable[[Line], Line | None]
"""The loudspeaker's form of a line for everybody; None where it keeps quiet."""


def shared(lines: Iterable[Line], ears: Sequence[Seat], aloud: Aloud = lambda line: line) -> list[Line]:
    """Return each line for its listeners: ears hear in full what the loudspeaker shortens or leaves out."""
    found: list[Line] = []
    for line in lines:
        loud = line if line.to else aloud(line)
        found += [replace(loud, full="")] if loud else []
        if not line.to and line.full and not (loud and loud.say == line.full):
            found += [Line(line.full, seat, stays=line.stays, named=line.named) for seat in ears]
    return [line for line in found if line.say or line.sound]
