"""A table with phones: an evening with its store and a real port, drained by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.cli.phones import TablePhones
from companion.dialogues.services import Services
from companion.ear import AudioSeatFactory
from companion.play.evening import Evening
from companion.record.store import Store
from companion.rules.readings import now
from drivers.phones.server import PhoneServer
from tests.support.evenings import TABLE, TAGS
from tests.support.phone_client import PhoneClient
from tests.support.timeouts import waiting


class PhoneTable:
    """An evening whose phones may connect."""

    def __init__(self, store: Store) -> None:
        self.services = Services()
        self.evening = Evening(store, TAGS, listening=AudioSeatFactory(lambda: self.services), clock=now)
        self.phones = TablePhones(self.evening, store, 0, lambda: self.services)
        self.services.phones = self.phones

    @property
    def server(self) -> PhoneServer:
        assert self.phones._server
        return self.phones._server

    def until(self, done: Callable[[], object]) -> None:
        """Let the table work until it is done."""
        for _ in waiting(done):
            self.evening.drain()

    def phone(self, token: str = "", lang: str = "en", **more: Any) -> TablePhone:
        phone = TablePhone(self, **more)
        phone.say(hello=1, token=token, lang=lang)
        phone.hear("texts")
        return phone

    def seated(self, seat: str) -> TablePhone:
        """Return a phone that has got this seat by the picture and the screen."""
        phone = self.phone(self.invitation)
        phone.hear("seats")
        phone.say(sit=seat)
        phone.hear("waiting")
        self.phones.agree(seat)
        phone.token = phone.hear("token")
        return phone

    @property
    def invitation(self) -> str:
        assert self.phones._pairing
        return self.phones._pairing.invitation


class TablePhone(PhoneClient):
    """A phone at such a table, which works while the phone waits."""

    token = ""

    def __init__(self, table: PhoneTable, **more: Any) -> None:
        super().__init__(table.server, **more)
        self._table = table
        self._came: list[dict[str, Any]] = []

    def hear(self, key: str) -> Any:
        found: list[Any] = []

        def look() -> bool:
            try:
                message = self.read(0.02)
            except TimeoutError:
                return False
            found.extend([message[key]] if key in message else [])
            return bool(found)

        self._table.until(look)
        return found[0]


@contextmanager
def phone_table(folder: Path, game: bool = True, on: bool = True) -> Iterator[PhoneTable]:
    with closing(Store(folder / "tabularium.sqlite3")) as store:
        table = PhoneTable(store)
        if game:
            table.evening.begin(TABLE)
            table.until(lambda: not table.evening.waiting)
        if on:
            table.phones.start()
        with closing(table.phones):
            yield table
