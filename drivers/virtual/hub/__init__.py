"""A hub without hardware: the reference firmware itself, under this Python or a real MicroPython, on emulated parts."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from threading import Thread
from typing import Protocol

from drivers.virtual.chip import Chip
from drivers.virtual.hub.board import PowerOff, VirtualBoard
from drivers.virtual.hub.firmware import Firmware
from drivers.virtual.hub.node import Node

__all__ = ["VirtualHub"]


class _Runner(Protocol):
    def run(self, board: VirtualBoard) -> None: ...


class VirtualHub:
    """A hub on the table: powered and plugged in when it is made. `places` as in the protocol: "rbl", "b", "-".

    Places are counted from 0. Hands, power and plug are moved from one thread; cards and fingers stay where they are
    when the power goes. Raises OSError if there is no MicroPython to run it under, or no firmware.
    """

    def __init__(self, places: Sequence[str], micropython: bool = False, identity: str = "") -> None:
        self._runner: _Runner = Node() if micropython else Firmware()
        self.board = VirtualBoard(places, identity or secrets.token_hex(8).upper())
        self._thread: Thread | None = None
        self.plug()
        self.power_on()

    # -- cable and power ----------------------------------------------------------------------------------------------

    @property
    def port(self) -> str | None:
        """The serial port's path; None while it is unplugged."""
        return self.board.plug.port

    def plug(self) -> None:
        """A cable that carries data: a new port."""
        self.board.plug.plug()

    def unplug(self) -> None:
        """The cable goes, the power stays."""
        self.board.plug.unplug()

    def power_on(self) -> None:
        """The firmware starts, with a new boot id; harmless if it runs."""
        if self._thread is None:
            self.board.power_on()
            self._thread = Thread(target=self._run, name="virtual hub", daemon=True)
            self._thread.start()

    def power_off(self) -> None:
        """The firmware stops in the middle of whatever it does; the port stays."""
        thread, self._thread = self._thread, None
        if thread:
            self.board.power_off()
            thread.join()
            self.board.forget()

    def close(self) -> None:
        """Harmless a second time."""
        self.power_off()
        self.board.plug.close()

    def _run(self) -> None:
        """A firmware that gives up is restarted by its watchdog."""
        try:
            while True:
                self._runner.run(self.board)
                self.board.restart()
        except PowerOff:
            return

    # -- the hands at the table ---------------------------------------------------------------------------------------

    def lay(self, place: int, tag: str) -> None:
        """Raises ValueError if no tag can have that id."""
        self.chip(place).field.lay(tag)

    def lift(self, place: int, tag: str) -> None:
        self.chip(place).field.lift(tag)

    def hold(self, place: int) -> None:
        self.board.finger(place, True)

    def let_go(self, place: int) -> None:
        self.board.finger(place, False)

    def lamp(self, place: int) -> bool:
        """Whether the place's lamp is lit just now."""
        return bool(self.board.lit >> place & 1)

    # -- faults -------------------------------------------------------------------------------------------------------

    def chip(self, place: int) -> Chip:
        """The place's reader: its `faults` may be set at any time, its tags stand in `field.tags`."""
        return self.board.chips[place]

    def hear(self, data: bytes) -> None:
        """The hub receives these bytes, as if the host had sent them."""
        self.board.inject(data)

    def say(self, data: bytes) -> None:
        """The host receives these bytes, as if the hub had sent them."""
        self.board.plug.write(data)
