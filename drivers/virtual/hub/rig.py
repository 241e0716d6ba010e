"""A whole table of seat boxes without hardware: hubs with the reference firmware, and the driver of real ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.hardware.tap import Taps, unheard
from drivers.hub.worker import Hub
from drivers.port import Where
from drivers.rig import Rig, Wiring
from drivers.virtual.hub import VirtualHub, micropython_process
from drivers.worker import Put

HUBS: Mapping[str, int] = {"A": 4, "B": 3}
"""The number of seats at each hub: two hubs, so that a reveal involves both."""


class HubCable:
    """A hub's USB cable, plugged in at first. While it is in, there is a port at `path`: a link, as udev makes them."""

    def __init__(self, hub: VirtualHub, path: Path) -> None:
        self.hub = hub
        self.path = path
        self.plug()

    @property
    def plugged(self) -> bool:
        return self.path.is_symlink()

    def plug(self) -> None:
        """Plug the cable in; harmless if it is in."""
        self.hub.plug()
        if not self.plugged:
            self.path.symlink_to(str(self.hub.port))

    def unplug(self) -> None:
        """Unplug the cable; the hub keeps its power, and the events."""
        self.path.unlink(missing_ok=True)
        self.hub.unplug()


class HubRig:
    """A reader, a button and a lamp for each of up to seven seats, at two hubs.

    `under` names the Python that runs the firmware: a real MicroPython if there is one, or as it is asked for.
    """

    def __init__(self, seats: Sequence[str], put: Put, micropython: bool | None = None, taps: Taps = unheard) -> None:
        if micropython is None:
            micropython = not micropython_process.missing()
        self.under = "MicroPython" if micropython else "CPython"
        self.readers = tuple(seats)
        self.cables: dict[str, HubCable] = {}
        self._folder = TemporaryDirectory(prefix="tabularium-hubs-")
        self._places: dict[str, tuple[VirtualHub, int]] = {}
        rest = list(seats)
        for name, count in HUBS.items():
            mine, rest = rest[:count], rest[count:]
            if mine:
                self._add(name, mine, VirtualHub(["rbl"] * len(mine), micropython))
        hubs = {name: self._wired(cable) for name, cable in self.cables.items()}
        self.put = put
        self._rig = Rig(Wiring(hubs=hubs, taps=taps), put)
        self.wiring, self.hubs, self.show = self._rig.wiring, self._rig.hubs, self._rig.show
        self.lend = self._rig.lend
        self.errors, self.polls = self._rig.errors, self._rig.polls

    fitted: Mapping[str, Mapping[str, Any]] = {}
    """The readers wired to this computer: none."""

    def _add(self, name: str, seats: Sequence[str], hub: VirtualHub) -> None:
        self.cables[name] = HubCable(hub, Path(self._folder.name) / name)
        self._places |= {seat: (hub, place) for place, seat in enumerate(seats)}

    def _wired(self, cable: HubCable) -> Hub:
        return Hub(Where(path=str(cable.path)), [seat for seat, (hub, _) in self._places.items() if hub is cable.hub])

    def lay(self, reader: str, tag: str) -> None:
        hub, place = self._places[reader]
        hub.lay(place, tag)

    def lift(self, reader: str, tag: str) -> None:
        hub, place = self._places[reader]
        hub.lift(place, tag)

    def tags_on(self, reader: str) -> frozenset[str]:
        hub, place = self._places[reader]
        return frozenset(tag.uid.hex().upper() for tag in hub.chip(place).field.tags)

    def hold(self, seat: str) -> None:
        hub, place = self._places[seat]
        hub.hold(place)

    def let_go(self, seat: str) -> None:
        hub, place = self._places[seat]
        hub.let_go(place)

    def lamp(self, seat: str) -> bool:
        """Return whether the seat's lamp is lit just now."""
        hub, place = self._places[seat]
        return hub.lamp(place)

    def close(self) -> None:
        """Close the rig and its hubs; harmless a second time."""
        self._rig.close()
        while self.cables:
            self.cables.popitem()[1].hub.close()
        self._folder.cleanup()
