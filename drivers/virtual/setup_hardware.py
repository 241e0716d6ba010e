"""A table that is not set up yet, without hardware: chips, pins and a hub to find, and hands that act on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.hardware.doctor.search_findings import pin, place
from companion.hardware.kind import Kind, Reader
from drivers.port import Plugged, Where
from drivers.rc522.discovery import search
from drivers.rc522.kind import KIND
from drivers.rc522.reader import Rc522
from drivers.rc522.settings import Rc522Settings
from drivers.search import SearchTarget
from drivers.virtual import spi
from drivers.virtual.chip import Chip
from drivers.virtual.clock import VirtualClock
from drivers.virtual.faults import Faults
from drivers.virtual.hub import VirtualHub
from drivers.virtual.hub.rig import HubCable
from drivers.virtual.pins import VirtualPins

TAG = "04A1B2C3D4E5F6"
NOWHERE = Path("/nowhere")
"""The root of an empty system."""


class VirtualSetupHardware:
    """The wired hardware: chips on the buses, buttons on pins, and one hub. Hands act from one thread.

    Where the mfrc522 package is not installed there are no chips.
    """

    def __init__(
        self,
        chips: Sequence[spi.Place] = ((0, 0), (0, 1)),
        buttons: Sequence[int] = (5, 6, 13),
        places: Sequence[str] = ("rbl", "rbl"),
        pi: bool = True,
    ) -> None:
        self._clock = VirtualClock()
        wired = chips if spi.installed() else ()
        self.chips = {at: Chip(self._clock, Faults(number)) for number, at in enumerate(wired)}
        self.pi = spi.VirtualPi(self.chips)
        self.hub = VirtualHub(places) if places else None
        self._folder = TemporaryDirectory(prefix="tabularium-hub-")
        self.cable = HubCable(self.hub, Path(self._folder.name) / "box") if self.hub else None
        self.buttons = list(buttons)
        self._held: set[int] = set()
        self._pins: VirtualPins | None = None
        self.ground = SearchTarget(
            kinds=lambda: [self._kind()],
            pins=self._open_pins,
            ports=self._ports,
            root=NOWHERE,
            environment={"DISPLAY": ":0"},
            where=lambda hub: Where(path=hub.box.port),
            model=lambda _: "Raspberry Pi 5" if pi else "",
        )

    def _kind(self) -> Kind[Any]:
        there = partial(sorted, self.chips)
        looked = partial(search, there, partial(spi.SpiDev, self.chips), self._clock)
        return replace(KIND, packages=(), file=None, search=looked, open=self._open)

    def _open(self, at: Rc522Settings) -> Reader:
        return Rc522(at.bus, at.device, at.reset, self.pi.mfrc522, self._clock, gain=at.gain)

    def _open_pins(self) -> Any:
        """Return new pins, as each program finds them; held buttons stay held."""
        self._pins = VirtualPins({pin(number): number for number in {*self.buttons, *self._held}}, {})
        for number in self._held:
            self._pins.hold(pin(number))
        return self._pins.factory

    def _ports(self) -> list[Plugged]:
        if not self.hub or not self.cable or not self.cable.plugged:
            return []
        return [Plugged(str(self.cable.path), "2E8A:0005", self.hub.board.identity)]

    # -- the hand ------------------------------------------------------------------------------------------------

    def hold(self, source: str) -> None:
        """Hold the button of a pin or of a hub's place."""
        number, at_hub = _numbered(source)
        if at_hub:
            assert self.hub
            self.hub.hold(number)
        else:
            self._held.add(number)
            if self._pins:
                self._pins.hold(source)

    def let_go(self, source: str) -> None:
        number, at_hub = _numbered(source)
        if at_hub:
            assert self.hub
            self.hub.let_go(number)
        else:
            self._held.discard(number)
            if self._pins:
                self._pins.let_go(source)

    def lay(self, source: str, tag: str = TAG) -> None:
        """Lay a card onto a reader of the Pi or of a hub's place."""
        self._field(source)(tag)

    def lift(self, source: str, tag: str = TAG) -> None:
        self._field(source, lift=True)(tag)

    def _field(self, source: str, lift: bool = False) -> Callable[[str], None]:
        number, at_hub = _numbered(source)
        if at_hub:
            assert self.hub
            field = self.hub.chip(number).field
        else:
            bus, device = source.removeprefix("SPI").split(".")
            field = self.chips[int(bus), int(device)].field
        return field.lift if lift else field.lay

    @property
    def sources(self) -> tuple[list[str], list[str]]:
        """Return the names of all buttons, and of all readers."""
        places = list(enumerate(self.hub.board.places)) if self.hub else []
        buttons = [pin(number) for number in self.buttons]
        buttons += [place("box1", number) for number, has in places if "b" in has]
        readers = [f"SPI{bus}.{device}" for bus, device in self.chips]
        return buttons, readers + [place("box1", number) for number, has in places if "r" in has]

    def close(self) -> None:
        """Switch the hub off and remove the folder; harmless a second time."""
        if self.hub:
            self.hub.close()
        self._folder.cleanup()


def _numbered(source: str) -> tuple[int, bool]:
    """Return the number of a pin or of a hub's place, and whether it is at the hub."""
    _, at, number = source.partition(" place ")
    if at:
        return int(number), True
    return (int(source.removeprefix("GPIO ")), False) if source.startswith("GPIO") else (0, False)
