"""The faults of a reader and its field, with seeded chance."""

from dataclasses import dataclass, field
from random import Random
from typing import Literal

Position = Literal["absolute", "aligned", "frame"]
"""How a chip counts the place of a collision.

It counts in the whole part of the id, in the answer with the bits that align it, or in the answer's own bits. The data
sheet (9.3.1.15) leaves it open; the three agree in a first answer.
"""


@dataclass(slots=True)
class Faults:
    """One chip's faults; all may be changed while it runs. Chances are per frame, from 0 to 1."""

    seed: int = 0
    dead: int | None = None
    """The value of every register while the bus is dead: 0x00 or 0xFF."""
    stuck: bool = False
    """No register accepts a write until the reset line has been low; that revives a `dead` chip too."""
    deaf: float = 0.0
    """A tag does not hear the reader: a weak field."""
    miss: float = 0.0
    """The reader does not hear a tag's answer, though the tag gave one."""
    weak: float = 0.0
    """The share of answers not heard at the receiver's own gain of 33 dB; twice as many at 5 dB less, half at 5 more.
    """
    near: bool = False
    """Another reader is so near that at a gain of 48 dB nothing can be heard."""
    flip: float = 0.0
    """A byte of an answer arrives changed, with matching parity."""
    reset: float = 0.0
    """The chip loses its registers without a word, as when the supply dips."""
    slow: float = 0.0
    """The delay of every answer, in seconds."""
    crypto: bool = False
    """The chip enciphers what it sends without a command, until the bit is cleared."""
    version: int = 0x92
    capture: bool = False
    """Whether only the nearest of several tags, the one laid last, is heard."""
    position: Position = "absolute"
    lying: bool = False
    """Whether every collision is reported one bit too late."""
    parity: bool = False
    """A collision is reported as a parity error as well."""
    holds: Literal["", "awake", "always"] = ""
    """The chip's board keeps driving MISO: every other chip on the bus reads 0x00.

    "awake": unless this one is held in reset; "always": even then.
    """
    start: float = 0.0
    """Seconds the chip takes to start after a reset: until then it reads 0x00 and ignores writes."""
    chance: Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)

    def missed(self, gain: int) -> float:
        """Return the chance that an answer is not heard at this gain, in dB."""
        if self.near and gain >= 48:
            return 1.0
        return min(1.0, self.miss + self.weak * 2 ** ((33 - gain) / 5))

    def happens(self, chance: float) -> bool:
        return chance > 0 and self.chance.random() < chance
