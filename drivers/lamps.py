"""The seats' lamps over gpiozero: one LED a seat."""

from collections.abc import Mapping
from typing import Any, Literal

from gpiozero import LED

from companion.rules.message import Message
from drivers.worker import HealthWatch, Put

Mode = Literal["off", "on", "blink"]

BLINK = 0.5
"""Seconds a blinking lamp is on, and off."""


class Lamps:
    """All lamps of the table, each between its pin (BCM number), a resistor and ground; dark at first.

    `shown` is what each does now. A lamp that fails is reported once and tried again whenever lamps are shown.
    """

    def __init__(self, pins: Mapping[str, int], put: Put, pin_factory: Any = None) -> None:
        self.shown: dict[str, Mode] = {}
        self._leds: dict[str, Any] = {}
        self._conditions: dict[str, HealthWatch] = {}
        for seat, pin in pins.items():
            remedy = Message(
                "Check the wire to pin {pin} and its number in config.yaml; the screen shows what the lamp would.",
                pin=pin,
            )
            self._conditions[seat] = HealthWatch(f"lamp {seat}", put, remedy)
            with self._conditions[seat].guard():
                self._leds[seat] = LED(pin, pin_factory=pin_factory)
                self.shown[seat] = "off"

    def show(self, modes: Mapping[str, Mode]) -> None:
        """Set the lamps that are to change; a seat without a lamp is skipped."""
        for seat, mode in modes.items():
            if self.shown.get(seat, mode) != mode:
                with self._conditions[seat].guard():
                    _set(self._leds[seat], mode)
                    # only once it is set: a lamp that failed is tried again with the next call
                    self.shown[seat] = mode
                    self._conditions[seat].recovered()

    def close(self) -> None:
        """Switch all lamps off and release their pins; harmless a second time."""
        for seat, led in self._leds.items():
            with self._conditions[seat].guard():
                led.close()


def _set(led: Any, mode: Mode) -> None:
    match mode:
        case "off":
            led.off()
        case "on":
            led.on()
        case "blink":
            led.blink(BLINK, BLINK)
