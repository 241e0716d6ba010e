"""How fast card readers are, in SPI transfers and emulated time, beside the mfrc522 package's own SimpleMFRC522."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from companion.rules.readings import Health, Press, Reading
from drivers.rc522.reader import SETTLE
from drivers.virtual.chip import CARRIER, DELAY, Chip, air
from drivers.virtual.clock import VirtualClock
from drivers.virtual.rc522 import VirtualRc522, readers
from drivers.virtual.spi import VirtualPi, installed
from drivers.worker import DeviceOwner, ReaderWorker

Row = tuple[str, str, str]
CARD, OTHER = "04A3C6CAE26180", "04A3C6CAE26181"
REST = 16
"""Polls of a card that stays, to take the mean of."""
LAID = 400
"""Cards laid to find the 95th percentile."""
FIVE = ("centre", "red", "blue", "green", "yellow")
FRAMES = ((7, 16), (16, 40), (72, 24), (16, 40), (72, 24))
"""What must go over the air for seven bytes of id, in bits there and back: a call, and twice an anticollision and
a selection (ISO/IEC 14443-3, 6.5)."""

BREATH = 1172 / CARRIER
"""The least time between a tag's answer and the next frame, in s (6.2.1.1)."""


def rows() -> Iterator[Row]:
    """Yield every row. Transfers of two bytes take 50 µs at 1 MHz, longer ones 8 µs a byte more."""
    if not installed():
        yield "readers", "not measured", "the mfrc522 package is not installed"
        return
    yield from _poll_rows()
    yield _uid_row()
    yield _sweep_row(0)
    yield _sweep_row(5)
    yield _event_row()


def _measured(chip: Chip, act: Callable[[], object], times: int = 1) -> str:
    began, before = chip.clock.now, chip.transfers
    for _ in range(times):
        act()
    return f"{(chip.transfers - before) / times:.0f} transfers, {(chip.clock.now - began) / times * 1e3:.1f} ms"


def _alone() -> tuple[VirtualRc522, Any]:
    """Return a reader, and beside it a chip of the same kind under the package's SimpleMFRC522."""
    _, (reader,) = readers(1)
    other = Chip(VirtualClock())
    return reader, (VirtualPi({(0, 0): other}).mfrc522().SimpleMFRC522(), other)


def _poll_rows() -> Iterator[Row]:
    reader, (simple, other) = _alone()
    driver, chip = reader.open(), reader.chip
    for _ in range(3):
        driver.poll()
    yield "empty poll", _measured(chip, driver.poll), _measured(other, simple.read_id_no_block)
    reader.lay(CARD)
    other.field.lay(CARD)
    other.clock.sleep(0.01)
    found = _measured(other, simple.read_id_no_block)
    yield "poll that finds a card", _measured(chip, driver.poll), f"{found}, its field always on"
    resting = _measured(other, simple.read_id_no_block, REST)
    yield "poll of a resting card", _measured(chip, driver.poll, REST), f"{resting}, misses it every other time"
    reader.lift(CARD)
    other.field.lift(CARD)
    yield "poll that misses it", _measured(chip, driver.poll), _measured(other, simple.read_id_no_block)


def _uid_row() -> Row:
    """Measure seven bytes of id from the call on, without the antenna's two writes and the 5 ms before it."""
    reader, _ = _alone()
    driver, chip = reader.open(), reader.chip
    for _ in range(3):
        driver.poll()
    reader.lay(CARD)
    began = chip.clock.now
    driver.poll()
    took = chip.clock.now - began - SETTLE - 2 * 50e-6
    needed = sum(air(there) + DELAY + air(back) for there, back in FRAMES) + (len(FRAMES) - 1) * BREATH
    return (
        "seven bytes of id",
        f"{took * 1e3:.2f} ms, {took / needed:.2f} times the air time",
        f"air time {needed * 1e3:.2f} ms; SimpleMFRC522 tells three of the bytes",
    )


def _rig(cards: int) -> tuple[list[VirtualRc522], DeviceOwner, list[Any], VirtualClock]:
    _, chips = readers(len(FIVE))
    clock = chips[0].chip.clock
    words: list[Reading | Press | Health] = []
    for reader in chips[:cards]:
        reader.lay(CARD)
    workers = [
        ReaderWorker(name, reader.open, words.append, clock.ms, 0.02) for name, reader in zip(FIVE, chips, strict=True)
    ]
    return chips, DeviceOwner("readers", workers, clock.monotonic), words, clock


def _sweep_row(cards: int) -> Row:
    chips, owner, _, clock = _rig(cards)
    took = []
    for _ in range(REST):
        began, before = clock.now, sum(reader.chip.transfers for reader in chips)
        pause = owner.turn()
        took.append((clock.now - began, sum(reader.chip.transfers for reader in chips) - before))
        clock.sleep(pause)
    settled = sorted(took[5:])
    time, transfers = settled[len(settled) // 2]
    lying = "a card on each" if cards else "all empty"
    return (
        f"sweep of five readers, {lying}",
        f"{transfers} transfers, {time * 1e3:.1f} ms (longest {settled[-1][0] * 1e3:.1f})",
        "50 ms; 25 of them are the fields' coming on",
    )


def _event_row() -> Row:
    """Measure the time from a card being laid to its word being put.

    The card is laid at any moment on one of five readers, with cards on the other four.
    """
    chips, owner, words, clock = _rig(5)
    chance = Random(0)
    chips[0].lift(CARD)
    late: list[float] = []
    for _ in range(LAID):
        _run(owner, clock, chance.uniform(0.4, 0.5))
        words.clear()
        laid = clock.now + chance.uniform(0, 0.05)
        clock.at(laid, lambda: chips[0].lay(OTHER))
        while not words:
            clock.sleep(owner.turn())
        late.append(words[0].t / 1000 - laid)
        chips[0].lift(OTHER)
    late.sort()
    return (
        "card laid to word in the queue, five readers",
        f"{late[LAID // 2] * 1e3:.0f} ms, {late[LAID * 95 // 100] * 1e3:.0f} ms at the 95th percentile",
        f"longest {late[-1] * 1e3:.0f} ms",
    )


def _run(owner: DeviceOwner, clock: VirtualClock, seconds: float) -> None:
    end = clock.now + seconds
    while clock.now < end:
        clock.sleep(owner.turn())
