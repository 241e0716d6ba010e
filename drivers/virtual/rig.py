"""A whole table without hardware, working through the same threads, pins and queue as a real one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from companion.hardware.kind import Reader
from companion.hardware.tap import Taps, unheard
from companion.rules.readings import CENTRE, now
from drivers.lamps import Mode
from drivers.rig import Rig, Wiring
from drivers.virtual import rc522, spi
from drivers.virtual.pins import VirtualPins
from drivers.virtual.reader import VirtualReader
from drivers.worker import Put

BUTTON_PINS = (4, 5, 6, 12, 13, 16, 17)
LAMP_PINS = (18, 19, 20, 21, 22, 23, 24)


class VirtualRig:
    """One shared reader or one for each seat, and a button and a lamp for each of up to seven seats.

    Where the mfrc522 package is installed, a reader is an emulated RC522 under that package and the real driver. Where
    it is not, as it cannot be required with its dependencies, a reader is a plain one that only knows its tags.
    """

    def __init__(self, seats: Sequence[str], put: Put, shared: bool = True, clock: Callable[[], int] = now,
                 interval: float = 0.03, *, taps: Taps = unheard) -> None:  # fmt: skip
        """Create the table; `interval` is how long a reader rests between polls, in s."""
        self.put = put
        names = [CENTRE] if shared else list(seats)
        self.readers = _readers(names)
        buttons = dict(zip(seats, BUTTON_PINS, strict=False))
        lamps = dict(zip(seats, LAMP_PINS, strict=False))
        self.pins = VirtualPins(buttons, lamps)
        openers = {name: _opener(reader, name, taps) for name, reader in self.readers.items()}
        owners = dict.fromkeys(names, "rc522 readers")  # the chips share one emulated clock
        wiring = Wiring(openers, buttons, lamps, lambda: self.pins.factory, interval, clock=clock, owners=owners)
        self._rig = Rig(replace(wiring, taps=taps), put)
        self.errors, self.polls, self.hubs = self._rig.errors, self._rig.polls, self._rig.hubs
        self.wiring, self.lend = self._rig.wiring, self._rig.lend
        self.ill, self.held = self._rig.ill, self._rig.held

    def lay(self, reader: str, tag: str) -> None:
        self.readers[reader].lay(tag)

    def lift(self, reader: str, tag: str) -> None:
        self.readers[reader].lift(tag)

    def tags_on(self, reader: str) -> frozenset[str]:
        return self.readers[reader].tags

    def hold(self, seat: str) -> None:
        self.pins.hold(seat)

    def let_go(self, seat: str) -> None:
        self.pins.let_go(seat)

    def show(self, modes: Mapping[str, Mode]) -> None:
        self._rig.show(modes)

    def lamp(self, seat: str) -> Mode:
        """Return the mode of the seat's lamp; `pins.lit` says whether a blinking one is lit just now."""
        return self._rig.lamps.shown[seat]

    @property
    def fitted(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the wiring of the emulated chips, for a trace."""
        return {name: reader.wired for name, reader in self.readers.items()}

    def close(self) -> None:
        self._rig.close()


def _opener(reader: VirtualReader | rc522.VirtualRc522, name: str, taps: Taps) -> Callable[[], Reader]:
    if isinstance(reader, VirtualReader):
        return reader.open
    return partial(reader.open, lambda layer: taps(layer, name))


def _readers(names: Sequence[str]) -> Mapping[str, VirtualReader | rc522.VirtualRc522]:
    if not spi.installed():
        return {name: VirtualReader() for name in names}
    _, readers = rc522.readers(len(names))
    return dict(zip(names, readers, strict=True))
