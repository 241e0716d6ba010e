"""Traces made on the emulator: hands that lay and lift, faults, and what the recorder heard of it.

`python -m tools.traces_made` writes those in tests/traces anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from queue import SimpleQueue
from random import Random
from typing import Any

from companion.hardware.trace import LAYERS, SPI, Line, line, written
from companion.hardware.trace.recorder import Recorder
from companion.rules.cards import PAWNS
from companion.rules.readings import Health, Press, Reading
from drivers.buttons import Buttons
from drivers.rig import heard
from drivers.trace.masks import masked
from drivers.virtual.clock import VirtualClock
from drivers.virtual.hub.rig import HubRig
from drivers.virtual.pins import VirtualPins
from drivers.virtual.rc522 import VirtualRc522, readers
from drivers.worker import DeviceOwner, ReaderWorker
from tests.support.paths import TESTS

FOLDER = TESTS / "traces"
ROLL = ("04A3C6CAE26180", "04A3C6CAE26181", "04A3C6CAE2E180", "0411223344AA55", "DEADBEEF", "04A1B2C3D4E5F60718FF")
"""Stickers of one roll, whose ids begin alike, and others of four, seven and ten bytes."""
Act = tuple[float, Callable[[VirtualRc522], object]]
Trace = tuple[Line, list[Line]]
Word = Reading | Press | Health


def lay(tag: str) -> Callable[[VirtualRc522], object]:
    return lambda reader: reader.lay(tag)


def lift(tag: str) -> Callable[[VirtualRc522], object]:
    return lambda reader: reader.lift(tag)


def head(**config: Any) -> Line:
    return {"trace": 1, "at": "2026-11-22T20:00:00+01:00", "model": "emulated", "tags": "made up", "config": config}


def one_reader(
    acts: Iterable[Act], seconds: float, *, spi: bool = False, seed: int = 0, gain: int | None = None, **faults: Any
) -> Trace:
    """Return the trace of an emulated RC522: an evening of so many emulated seconds."""
    _, (reader,) = readers(1, seed)
    reader.gain = gain
    clock = reader.chip.clock
    recorder = Recorder((*LAYERS, SPI) if spi else LAYERS, lambda: round(1e9 * clock.now))
    notes: list[Any] = []
    recorder.listen(notes.append)
    put = heard(lambda _: None, recorder.tap("words", ""))
    opener = partial(reader.open, lambda layer: recorder.tap(layer, "centre"))
    worker = ReaderWorker("centre", opener, put, clock.ms, 0.02, tap=recorder.tap("reader", "centre"))
    owner = DeviceOwner("reader", [worker], clock.monotonic)
    for fault, value in faults.items():
        setattr(reader.chip.faults, fault, value)
    for t, act in acts:
        clock.at(t, partial(act, reader))
    while clock.now < seconds:
        clock.sleep(owner.turn())
    return head(readers={"centre": reader.wired}, debounce_ms=12), list(map(line, notes))


def hands(seed: int, seconds: float) -> list[Act]:
    """Return the acts of hands that lay and lift tags at random, up to two at a time."""
    random, acts, lying, t = Random(seed), list[Act](), list[str](), 0.2
    while t < seconds:
        if len(lying) == 2 or (lying and random.random() < 0.5):
            acts.append((t, lift(lying.pop(random.randrange(len(lying))))))
        else:
            lying.append(random.choice([tag for tag in ROLL if tag not in lying]))
            acts.append((t, lay(lying[-1])))
        t += random.uniform(0.2, 0.6)
    return acts


def buttons(edges: Sequence[tuple[int, bool]]) -> Trace:
    """Return the trace of a button whose contact opens and closes at these ms."""
    clock, notes = VirtualClock(), list[Any]()
    recorder = Recorder(clock=lambda: round(1e9 * clock.now))
    recorder.listen(notes.append)
    pins = VirtualPins({"red": 4}, {})
    put = heard(lambda _: None, recorder.tap("words", ""))
    red = Buttons({"red": 4}, put, clock.ms, pins.factory, taps=recorder.tap)
    for ms, down in edges:
        while clock.ms() < ms:
            clock.sleep(0.001)
            red.turn()
        (pins.hold if down else pins.let_go)("red")
        red.turn()
    clock.sleep(0.1)
    red.turn()
    red.close()
    return head(buttons={"red": 4}, debounce_ms=12), list(map(line, notes))


def _is(tag: str, word: Word) -> bool:
    return isinstance(word, Reading) and word.tag == tag


def hubs() -> Trace:
    """Return the trace of two virtual hubs with cards and fists, one of which is unplugged for a while."""
    recorder, notes = Recorder(), list[Any]()
    recorder.listen(notes.append)
    words: SimpleQueue[Word] = SimpleQueue()
    rig = HubRig(PAWNS, words.put, micropython=False, taps=recorder.tap)

    def until(done: Callable[[Any], bool]) -> None:
        while not done(words.get(timeout=600)):
            pass

    for seat, tag in (("red", ROLL[0]), ("red", ROLL[1]), ("white", ROLL[4])):
        rig.lay(seat, tag)
        until(partial(_is, tag))
    for seat in ("red", "white"):
        rig.hold(seat)
        until(lambda word: isinstance(word, Press) and word.down)
    rig.cables["A"].unplug()
    until(lambda word: isinstance(word, Health) and word.device == "hub A")
    rig.let_go("red")
    rig.lift("red", ROLL[0])
    rig.cables["A"].plug()
    rig.hubs["A"].wake()
    until(lambda word: isinstance(word, Reading) and not word.present)
    rig.close()
    wiring = {name: {"seats": list(hub.seats)} for name, hub in rig.wiring.hubs.items()}
    return head(hubs=wiring, debounce_ms=12), list(map(line, notes))


def made() -> dict[str, Trace]:
    """Return the traces in tests/traces, by name."""
    one, other = ROLL[:2]
    bounce = [
        (100, True),
        (101, False),
        (102, True),
        (400, False),
        (404, True),
        (409, False),
        (900, True),
        (960, False),
    ]
    faults = hands(3, 6)
    faults += [(2.5, lambda reader: reader.fail()), (3.4, lambda reader: reader.heal())]
    return {
        "one-card": one_reader([(0.3, lay(one)), (1.0, lift(one))], 1.5),
        "two-cards": one_reader([(0.2, lay(one)), (0.5, lay(other)), (1.2, lift(one)), (1.6, lift(other))], 2.0),
        "bus": one_reader([(0.02, lay(one)), (0.06, lay(ROLL[5])), (0.12, lift(one))], 0.22, spi=True),
        "noise": one_reader(faults, 6, seed=3, deaf=0.1, flip=0.05, miss=0.02, reset=0.002),
        "lying-chip": one_reader(hands(4, 3), 3, seed=4, lying=True, position="frame"),
        "button": buttons(bounce),
        "hubs": hubs(),
    }


def main() -> None:
    for name, (header, lines) in made().items():
        (FOLDER / f"{name}.jsonl").write_bytes(b"".join(written([header, *masked(partial(list, lines))])))


if __name__ == "__main__":
    main()
