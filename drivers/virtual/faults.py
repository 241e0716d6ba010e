"""What can go wrong on a reader and in its field, with seeded chance."""

from dataclasses import dataclass, field
from random import Random
from typing import Literal

Position = Literal["absolute", "aligned", "frame"]
"""How a chip counts the place of a collision: in the whole part of the id, in the answer with the bits that align
it, or in the answer's own bits. The data sheet (9.3.1.15) leaves it open; the three agree in a first answer."""


@dataclass(slots=True)
class Faults:
    """One chip's faults; all may be changed while it runs. Chances are per frame, from 0 to 1."""

    seed: int = 0
    dead: int | None = None
    """What every register reads while the bus is dead: 0x00 or 0xFF."""
    stuck: bool = False
    """No register takes what is written to it, until the reset line has been low; that wakes a `dead` one too."""
    deaf: float = 0.0
    """A tag does not hear the reader: a weak field."""
    miss: float = 0.0
    """The reader does not hear a tag's answer, though the tag gave one."""
    flip: float = 0.0
    """A byte of an answer arrives changed, with a parity that fits."""
    reset: float = 0.0
    """The chip loses its registers without a word, as when the supply dips."""
    slow: float = 0.0
    """Seconds that every answer comes late."""
    crypto: bool = False
    """The chip enciphers what it sends though nobody asked it to, until the bit is cleared."""
    version: int = 0x92
    capture: bool = False
    """Of several tags only the nearest, the one laid last, is heard."""
    position: Position = "absolute"
    lying: bool = False
    """Every collision is reported one bit too late."""
    parity: bool = False
    """A collision is reported as a parity error as well."""
    start: float = 0.0
    """Seconds the chip takes to start after a reset: until then it reads 0x00 and takes nothing."""
    chance: Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)

    def happens(self, chance: float) -> bool:
        return chance > 0 and self.chance.random() < chance
