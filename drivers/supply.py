"""The supply of a Raspberry Pi: whether its kernel reports that the voltage is too low."""

from __future__ import annotations

from pathlib import Path

from companion.rules.message import Message
from companion.rules.readings import Health
from drivers import ROOT
from drivers.machine import sags
from drivers.worker import Loop, Put

LOOK = 2.0
"""Seconds between two looks: so often the kernel asks the firmware, and it keeps no dip for longer."""
CALM = 15
"""The number of calm looks to wait for: dips come in bursts."""
LOW = Message("The voltage is too low: use the Pi's own power supply. Until then cards may be missed.")


class SupplyWatch:
    """A watch on the supply, at intervals and on its own thread if started, which reports changes.

    It reports nothing where there is no such sensor.
    """

    def __init__(self, put: Put, root: Path = ROOT) -> None:
        self._put = put
        self._root = root
        # it starts calm, so that a sound supply is never reported
        self._calm = CALM
        self._loop = Loop("supply", self.turn)
        self.start = self._loop.start
        self.stop = self._loop.stop
        self.close = self._loop.close

    def turn(self) -> float:
        """Look once; return the seconds until the next look. Never raises."""
        before, self._calm = self._calm, 0 if sags(self._root) else min(self._calm + 1, CALM)
        if (before < CALM) != (self._calm < CALM):
            self._put(Health("supply", self._calm == CALM, "" if self._calm == CALM else LOW))
        return LOOK
