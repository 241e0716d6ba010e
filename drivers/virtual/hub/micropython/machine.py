"""MicroPython's `machine` without hardware, as far as the firmware's main.py goes. Runs under MicroPython, in node.mjs.

Every pin has a level by its number, 1 at first, and keeps the levels it was given. Each transfer is asked of the
process outside, with the pins that are low. Time does not pass by itself: a test calls the timer's callback.
"""
# ruff: noqa: ARG002 - what a constructor takes is checked by its being taken

from host import ask  # type: ignore[import-not-found]

LEVELS: dict[object, int] = {}
GIVEN: dict[object, list[int]] = {}
MEALS = [0]


def unique_id() -> bytes:
    return bytes.fromhex("E6614C775B8B2C36")


class Pin:
    IN, OUT, PULL_UP = 0, 1, 1

    def __init__(self, name: object, mode: int = IN, pull: int = 0, value: int = 1) -> None:
        self.name = name
        LEVELS[name] = value
        GIVEN[name] = []

    def value(self, *levels: int) -> int:
        for level in levels:
            LEVELS[self.name] = int(level)
            GIVEN[self.name].append(int(level))
        return LEVELS[self.name]


class SPI:
    def __init__(self, bus: int, baudrate: int, sck: Pin, mosi: Pin, miso: Pin) -> None:
        self.baudrate = baudrate

    def write_readinto(self, data: bytes, answer: bytearray) -> None:
        low = ",".join([str(name) for name, level in LEVELS.items() if level == 0])
        answer[:] = bytes.fromhex(ask(f"spi {low or '-'} {data.hex()}"))


class Timer:
    PERIODIC = 1

    def __init__(self, number: int, period: int, mode: int, callback: object, hard: bool) -> None:
        self.callback = callback


class WDT:
    def __init__(self, timeout: int) -> None:
        self.timeout = timeout

    def feed(self) -> None:
        MEALS[0] += 1
