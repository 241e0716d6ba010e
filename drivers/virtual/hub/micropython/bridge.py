"""The board as MicroPython sees it without hardware: every request goes to the process that owns the emulated parts.

Runs under MicroPython, in node.mjs; node.py answers.
"""

from host import ask  # type: ignore[import-not-found]
from loop import Loop  # type: ignore[import-not-found]
from rc522 import Rc522  # type: ignore[import-not-found]


class BridgeBus:
    """One reader's place on the bus. Its waiting time is sent along with the next transfer."""

    def __init__(self, place: int) -> None:
        self.place = place
        self.waited = 0

    def wait(self, us: int) -> None:
        self.waited += us

    def reset(self) -> None:
        ask("reset")

    def transfer(self, data: bytes) -> bytes:
        answer = ask(f"transfer {self.place} {self.waited} {data.hex()}")
        self.waited = 0
        return bytes.fromhex(answer)


class BridgeBoard:
    """The board. It sends the lamps only if they change: most requests would be superfluous."""

    def __init__(self) -> None:
        identity, boot, held, places = ask("who").split()
        self.identity = identity
        self.boot = boot
        self.held = int(held)
        self.places = places.split(",")
        self.readers = []
        for place, has in enumerate(self.places):
            bus = BridgeBus(place)
            self.readers.append(Rc522(bus.transfer, bus.wait, bus.reset) if "r" in has else None)
        self.shown = ""

    def now(self) -> int:
        return int(ask("now"))

    def edges(self) -> list[tuple[int, int]]:
        words = [int(word) for word in ask("edges").split()]
        return [(words[at], words[at + 1]) for at in range(0, len(words), 2)]

    def receive(self) -> bytes:
        return bytes.fromhex(ask("receive"))

    def send(self, data: bytes) -> int:
        return int(ask(f"send {data.hex()}"))

    def show(self, lit: int, linked: bool) -> None:
        shown = f"show {lit} {int(linked)}"
        if shown != self.shown:
            ask(shown)
            self.shown = shown

    def feed(self) -> None:
        pass

    def rest(self, us: int) -> None:
        ask(f"rest {us}")


loop = Loop(BridgeBoard())


def turn() -> bool:
    """Run as many turns as may pass before the garbage is collected; return whether all went well."""
    return all(loop.turn() for _ in range(20))
