"""A hub without hardware: the reference firmware, under this Python or a real MicroPython, on emulated parts."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from threading import Thread
from typing import Protocol

from drivers.virtual.chip import Chip
from drivers.virtual.hub.board import PowerOff, VirtualBoard
from drivers.virtual.hub.firmware import Firmware
from drivers.virtual.hub.micropython_process import MicroPythonProcess
from drivers.virtual.plug import VirtualPlug

__all__ = ["VirtualHub"]


class _Runner(Protocol):
    def run(self, board: VirtualBoard) -> None: ...


class VirtualHub:
    """A hub on the table, powered and plugged in at first. `places` as in the protocol: "rbl", "b", "-".

    `plug` is the hub's end of its cable: of a pseudo terminal by default.

    Places are counted from 0. Hands, power and plug are moved from one thread; cards and fingers stay where they are
    when the power goes. Raises OSError if there is no MicroPython to run it under, or no firmware.
    """

    def __init__(
        self, places: Sequence[str], micropython: bool = False, identity: str = "", plug: VirtualPlug | None = None
    ) -> None:
        self._runner: _Runner = MicroPythonProcess() if micropython else Firmware()
        self.board = VirtualBoard(places, identity or secrets.token_hex(8).upper(), plug)
        self._thread: Thread | None = None
        self.plug()
        self.power_on()

    # -- cable and power ----------------------------------------------------------------------------------------------

    @property
    def port(self) -> str | None:
        """Return the serial port's path; None while it is unplugged."""
        return self.board.plug.port

    def plug(self) -> None:
        """Plug in a cable that carries data: the hub gets a new port."""
        self.board.plug.plug()

    def unplug(self) -> None:
        """Unplug the cable; the power stays on."""
        self.board.plug.unplug()

    def power_on(self) -> None:
        """Start the firmware, with a new boot id; harmless if it runs."""
        if self._thread is None:
            self.board.power_on()
            self._thread = Thread(target=self._run, name="virtual hub", daemon=True)
            self._thread.start()

    def power_off(self) -> None:
        """Stop the firmware at any point of its work; the port stays."""
        thread, self._thread = self._thread, None
        if thread:
            self.board.power_off()
            thread.join()
            self.board.forget()

    def close(self) -> None:
        """Switch the hub off and close its plug; harmless a second time."""
        self.power_off()
        self.board.plug.close()

    def _run(self) -> None:
        """Run the firmware; restart it when it gives up, as its watchdog does."""
        try:
            while True:
                self._runner.run(self.board)
                self.board.restart()
        except PowerOff:
            return

    # -- the hands at the table ---------------------------------------------------------------------------------------

    def lay(self, place: int, tag: str) -> None:
        """Lay a tag on a place's reader. Raises ValueError if no tag can have that id."""
        self.chip(place).field.lay(tag)

    def lift(self, place: int, tag: str) -> None:
        self.chip(place).field.lift(tag)

    def hold(self, place: int) -> None:
        self.board.finger(place, True)

    def let_go(self, place: int) -> None:
        self.board.finger(place, False)

    def lamp(self, place: int) -> bool:
        """Return whether the place's lamp is lit just now."""
        return bool(self.board.lit >> place & 1)

    # -- faults -------------------------------------------------------------------------------------------------------

    def chip(self, place: int) -> Chip:
        """Return the place's chip: its `faults` may be set at any time, its tags are in `field.tags`."""
        return self.board.chips[place]

    def hear(self, data: bytes) -> None:
        """Let the hub receive these bytes, as if the host had sent them."""
        self.board.inject(data)

    def say(self, data: bytes) -> None:
        """Let the host receive these bytes, as if the hub had sent them."""
        self.board.plug.write(data)
