"""A card reader without hardware, emulated down to the chip, under the mfrc522 package and the real driver."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.hardware.tap import Layers, unheard
from drivers.rc522.reader import Rc522
from drivers.virtual.chip import Chip
from drivers.virtual.clock import VirtualClock
from drivers.virtual.faults import Faults
from drivers.virtual.spi import RESET_PIN, Place, VirtualPi


class VirtualRc522:
    """One reader of a virtual Pi. One thread opens and polls; cards are laid and lifted from one other thread.

    The tags lie there whether it is open, closed or broken, as cards do. `chip.faults` may be set at any time, and
    `gain` before it is opened.
    """

    def __init__(self, chip: Chip, load: Callable[[], Any], place: Place = (0, 0)) -> None:
        self.chip = chip
        self.gain: int | None = None
        self._load = load
        self._place = place

    def open(self, taps: Layers = unheard) -> Rc522:
        """Return the driver on this chip, as after switching on. Raises OSError as on a real bus."""
        bus, device = self._place
        return Rc522(bus, device, RESET_PIN, self._load, self.chip.clock, gain=self.gain, taps=taps)

    @property
    def wired(self) -> Mapping[str, Any]:
        """Return the reader's wiring, as a trace records it."""
        bus, device = self._place
        gain = {} if self.gain is None else {"gain": self.gain}
        return {"kind": "rc522", "bus": bus, "device": device, "reset": RESET_PIN, **gain}

    @property
    def tags(self) -> frozenset[str]:
        return frozenset(tag.uid.hex().upper() for tag in self.chip.field.tags)

    # -- the hand at the table --------------------------------------------------------------------------------

    def lay(self, tag: str) -> None:
        """Lay a tag on the reader. Raises ValueError if no tag can have that id."""
        self.chip.field.lay(tag)

    def lift(self, tag: str) -> None:
        self.chip.field.lift(tag)

    # -- faults -----------------------------------------------------------------------------------------------

    def fail(self, reads: int = 0x00) -> None:
        """Make the bus dead until it is healed: every register reads 0x00 or 0xFF."""
        self.chip.faults.dead = reads

    def heal(self) -> None:
        self.chip.faults.dead = None
        self.chip.reset()


def readers(count: int, seed: int = 0) -> tuple[VirtualPi, list[VirtualRc522]]:
    """Return this many readers on one virtual Pi, on one clock: for one thread."""
    clock = VirtualClock()
    chips = {(0, device): Chip(clock, Faults(seed + device)) for device in range(count)}
    pi = VirtualPi(chips)
    return pi, [VirtualRc522(chip, pi.mfrc522, place) for place, chip in chips.items()]
