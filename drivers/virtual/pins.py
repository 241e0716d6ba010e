"""Pins without hardware: gpiozero's own mock pins, driven as a finger on a button would."""

from collections import deque
from collections.abc import Mapping
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

PI_5 = "c04170"


class FingerPin(MockPin):
    """A mock pin that a finger can hold low: the finger is stronger than the pull-up, also before it is opened."""

    held = False

    def clear_states(self) -> None:
        """Clear the states, and keep only the latest from now on: an evening is long."""
        super().clear_states()
        self.states: deque[Any] = deque(maxlen=1)

    def drive_high(self) -> None:
        if not self.held:
            super().drive_high()


class VirtualPins:
    """The pins of a Raspberry Pi 5 with a button and a lamp a seat (BCM numbers); changes nothing global.

    Mock pins call back in the thread that drives them: when `hold` or `let_go` returns, the edge is noted.
    """

    def __init__(self, buttons: Mapping[str, int], lamps: Mapping[str, int]) -> None:
        self.factory: Any = MockFactory(PI_5, FingerPin)
        self._buttons = {seat: self.factory.pin(pin) for seat, pin in buttons.items()}
        self._lamps = {seat: self.factory.pin(pin) for seat, pin in lamps.items()}

    def hold(self, seat: str) -> None:
        self._buttons[seat].held = True
        self._buttons[seat].drive_low()

    def let_go(self, seat: str) -> None:
        self._buttons[seat].held = False
        self._buttons[seat].drive_high()

    def lit(self, seat: str) -> bool:
        """Return whether current flows through the seat's lamp at this moment."""
        return bool(self._lamps[seat].state)
