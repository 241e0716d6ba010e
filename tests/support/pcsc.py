"""A fake PC/SC service that does what a test says."""

from __future__ import annotations

from collections.abc import Sequence
from time import sleep

from drivers.pcsc import lite
from drivers.pcsc.lite import CardHandle, PcscError


class FakeService:
    """The readers' states by name, and the cards on them.

    `fails` are raised next, `gone` as soon as the card is asked.
    """

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        self.events = dict.fromkeys(names, 0)
        self.cards: dict[str, str] = {}
        self.fails: list[int] = []
        self.gone = 0
        self.commands: list[bytes] = []
        self.contexts = self.open_cards = 0

    def connect(self) -> FakeContext:
        self.fail()
        self.contexts += 1
        return FakeContext(self)

    def fail(self) -> None:
        if self.fails:
            raise PcscError(self.fails.pop(0))

    def lay(self, name: str, tag: str) -> None:
        self.cards[name] = tag
        self.events[name] += 1

    def lift(self, name: str) -> None:
        del self.cards[name]
        self.events[name] += 1

    def unplug(self, name: str) -> None:
        self.names.remove(name)
        self.cards.pop(name, None)


class FakeContext:
    def __init__(self, service: FakeService) -> None:
        self._service = service
        self._open = True

    def readers(self) -> Sequence[str]:
        return self._service.names

    def status(self, reader: str) -> int:
        self._service.fail()
        if reader not in self._service.names:
            return lite.UNKNOWN | lite.UNAVAILABLE
        present = lite.PRESENT if reader in self._service.cards else 0x10
        return self._service.events[reader] << 16 | present

    def wait(self, reader: str, state: int, seconds: float) -> None:
        if self.status(reader) == state:
            sleep(seconds / 20)

    def connect(self, reader: str) -> CardHandle:
        self._service.fail()
        self._service.open_cards += 1
        return FakeCard(self._service, reader)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._service.contexts -= 1


class FakeCard:
    def __init__(self, service: FakeService, reader: str) -> None:
        self._service, self._reader = service, reader

    def transmit(self, command: bytes) -> bytes:
        self._service.fail()
        self._service.commands.append(command)
        if self._service.gone:
            raise PcscError(self._service.gone)
        if self._reader not in self._service.cards:
            raise PcscError(0x80100069)
        return bytes.fromhex(self._service.cards[self._reader]) + b"\x90\x00"

    def close(self) -> None:
        self._service.open_cards -= 1


ACR = "ACS ACR122U PICC Interface 00 00"
