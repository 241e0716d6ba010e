"""Whatever comes down the wire, the hub goes on, says only what it may say and keeps to its memory.

`TABULARIUM_LINES` sets how many lines, of which MicroPython gets a tenth; a million take about a minute.
"""

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.support.hub_firmware import Lab, Maker, line, lines, right
from tools.needs import needs_micropython

LINES = int(os.environ.get("TABULARIUM_LINES", "20000"))
BATCH = 25
WORDS = ("hello", "state", "again", "ack", "ping", "lamp", "debounce", "dance", "event", "beat", "", "*", "?")
VALUES = ("0", "1", "2", "7", "8", "64", "513", "99999999999999999999", "1" * 40, "off", "on", "blink", "-1", "01", "x")
CARDS = ("04A3C6CAE26180", "04A3C6CAE26181", "DEADBEEF", "04112233445566778899")


def spoiled(random: Random, whole: bytes) -> bytes:
    """A line to which something has happened."""
    at = random.randrange(len(whole))
    match random.randrange(5):
        case 0:
            return whole[:at]
        case 1:
            return whole[:at] + bytes([whole[at] ^ 1 << random.randrange(8)]) + whole[at + 1 :]
        case 2:
            return random.randbytes(random.randrange(80)) + whole
        case 3:
            return b"z" * random.choice((400, 511, 512, 3000)) + whole
        case _:
            return whole[:at] + b"\n" + whole[at:]


def garbage(random: Random) -> Iterator[bytes]:
    while True:
        words = [random.choice(WORDS[:7] if random.random() < 0.7 else WORDS)]
        words += random.choices(VALUES, k=random.choice((0, 1, 1, 1, 2, 2, 3)))
        if random.random() < 0.2:
            words = ["hello", "1"]
        if random.random() < 0.1:
            words = ["ack", str(random.randrange(2000))]
        whole = line(" ".join(words))
        yield spoiled(random, whole) if random.random() < 0.3 else whole


@pytest.mark.timeout(600 + LINES // 500)
@pytest.mark.parametrize("under", ["CPython", "MicroPython"])
def test_firmware_survives_random_bytes(under: str) -> None:
    if under == "MicroPython":
        needs_micropython()
    lab = Lab() if under == "MicroPython" else None
    try:
        fuzz(Maker(lab)(linked=False), Random(7), LINES // 10 if lab else LINES)
    finally:
        if lab:
            lab.close()


def fuzz(hub: Any, random: Random, count: int) -> None:
    """Lines come while buttons are pressed, cards are laid and readers fail; the host reads now and then."""
    source, now, reported = garbage(random), 0, 0
    for _ in range(count // BATCH):
        now += random.randrange(20_000)
        batch = b"".join(next(source) for _ in range(BATCH))
        cut = random.randrange(len(batch))
        hub.feed(batch[:cut], now)
        hub.buttons(random.randrange(16), now)
        if random.random() < 0.1:
            hub.failed(random.randrange(2), "settings", now)
        else:
            hub.seen(random.randrange(2), random.sample(CARDS, k=random.randrange(5)), now)
        hub.feed(batch[cut:], now)
        hub.tick(now)
        if random.random() < 0.3:
            bodies = [right(taken) for taken in lines(hub)]
            assert len(bodies) <= 96 + 64, "what waits is little"
            reported += len(bodies)
    assert reported > count // 20
    hub.feed(b"\n" + line("hello 1") + line("ping 5"), now)
    assert right(lines(hub)[-1])
    hub.feed(line("ping 6"), now)
    assert hub.take() == line(f"pong 6 {now}")
