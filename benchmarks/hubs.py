"""How soon a press at a hub is heard, and how many: through firmware, port and driver, beside gpiozero's mock pins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Event
from time import perf_counter

from companion.rules.cards import PAWNS
from companion.rules.readings import Health, Press, Reading
from drivers.hub.worker import Hub
from drivers.port import Where
from drivers.rig import Rig, Wiring
from drivers.virtual.hub import VirtualHub, micropython_process
from drivers.virtual.pins import VirtualPins
from drivers.virtual.rig import BUTTON_PINS

Row = tuple[str, str, str]
SEATS = (*PAWNS, "grey")
"""Eight, as many as a hub has places; the last is of no game."""
TIMES = 200
EDGES = 100_000
"""From six buttons that are pressed and let go at once."""
KEPT = 300
"""Edges that nobody has heard yet; a hub keeps 512."""
PAUSE = 0.0015
"""Seconds a button is held and left: a contact counts as open after one millisecond here."""
Hand = Callable[[str, bool], object]


class Ear:
    """A counter of presses, with the time of each seat's latest one."""

    def __init__(self) -> None:
        self.came: dict[str, float] = {}
        self.count = 0
        self._news = Event()

    def put(self, word: Reading | Press | Health) -> None:
        if isinstance(word, Press):
            self.came[word.seat] = perf_counter()
            self.count += 1
            self._news.set()

    def until(self, count: int) -> None:
        """Wait until this many presses have come. Raises RuntimeError after 10 s without one."""
        while self.count < count:
            if not self._news.wait(10):
                raise RuntimeError(f"{count - self.count} presses were lost")
            self._news.clear()


def rows() -> Iterator[Row]:
    """Yield the latencies and rates of hubs, beside gpiozero's mock pins.

    Everything runs on this machine: the hub's part is its firmware's work, not that of a microcontroller.
    """
    one, eight = text(pinned(SEATS[:1])), text(pinned(SEATS))
    for under, micropython in (("CPython", False), ("MicroPython", True)):
        if micropython and micropython_process.missing():
            yield "hubs under MicroPython", "not measured", micropython_process.missing()
            continue
        yield f"a press at a hub, {under}", text(at_hub("rbl", SEATS[:1], micropython)), f"gpiozero's mock pins: {one}"
        yield f"eight at once, {under}", text(at_hub("bl", SEATS, micropython)), f"gpiozero's mock pins: {eight}"
        yield f"the same, with eight readers, {under}", text(at_hub("rbl", SEATS, micropython)), "the same"
        yield sixes(under, micropython)


def text(late: Sequence[float]) -> str:
    ordered = sorted(late)
    middle, most = ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100]
    return f"{middle:.1f} ms, 95 % in {most:.1f} ms, all in {ordered[-1]:.1f} ms"


# -- presses at once ---------------------------------------------------------------------------------------------------


def presses(hand: Hand, ear: Ear, seats: Sequence[str]) -> list[float]:
    """Return the ms from the finger on the button to the word in the queue; the seats press at once, repeatedly."""
    late: list[float] = []
    for _ in range(TIMES):
        began = {}
        before = ear.count
        for seat in seats:
            began[seat] = perf_counter()
            hand(seat, True)
        ear.until(before + len(seats))
        late += [(ear.came[seat] - began[seat]) * 1e3 for seat in seats]
        for seat in seats:
            hand(seat, False)
        ear.until(before + 2 * len(seats))
        Event().wait(PAUSE * (len(late) % 7))  # at any moment of what else is done
    return late


def pinned(seats: Sequence[str]) -> list[float]:
    ear, buttons = Ear(), dict(zip(seats, (*BUTTON_PINS, 25), strict=False))
    pins = VirtualPins(buttons, {})
    rig = Rig(Wiring(buttons=buttons, pins=lambda: pins.factory), ear.put)
    late = presses(lambda seat, down: (pins.hold if down else pins.let_go)(seat), ear, seats)
    rig.close()
    return late


class OneHub:
    """One hub whose places all have the same devices, and the presses that it reports."""

    def __init__(self, has: str, seats: Sequence[str], micropython: bool, release_ms: int = 12) -> None:
        self.hub = VirtualHub([has] * len(seats), micropython)
        self.ear = Ear()
        wired = Hub(Where(path=str(self.hub.port)), seats)
        self.rig = Rig(Wiring(hubs={"hub": wired}, release_ms=release_ms), self.ear.put)
        self.places = {seat: place for place, seat in enumerate(seats)}
        for seat in seats:  # it is there once it has reported something
            self.hand(seat, True)
        self.ear.until(len(seats))
        for seat in seats:
            self.hand(seat, False)
        self.ear.until(2 * len(seats))

    def hand(self, seat: str, down: bool) -> None:
        (self.hub.hold if down else self.hub.let_go)(self.places[seat])

    def close(self) -> None:
        self.rig.close()
        self.hub.close()


def at_hub(has: str, seats: Sequence[str], micropython: bool) -> list[float]:
    table = OneHub(has, seats, micropython)
    late = presses(table.hand, table.ear, seats)
    table.close()
    return late


# -- as many as it takes -----------------------------------------------------------------------------------------------


def sixes(under: str, micropython: bool) -> Row:
    """Press six buttons at once, as fast as the presses are heard. Raises RuntimeError if one is lost."""
    seats = SEATS[:6]
    table = OneHub("bl", seats, micropython, release_ms=1)
    began, first, made = perf_counter(), table.ear.count, 0
    while made < EDGES:
        for down in (True, False):
            for seat in seats:
                table.hand(seat, down)
            made += len(seats)
            Event().wait(PAUSE)
        table.ear.until(first + made - KEPT)
    table.ear.until(first + made)
    rate = made / (perf_counter() - began)
    heard = table.ear.count - first
    table.close()
    return (
        f"six buttons at once, {under}",
        f"{heard} of {made} edges heard, {rate:,.0f} a second",
        f"{len(seats) / PAUSE:,.0f} a second are as many as hands make here",
    )
