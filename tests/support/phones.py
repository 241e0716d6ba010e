"""Phones at a table without network: what each is sent, and what its player does by the words on its buttons."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.dialogues.services import Services
from companion.phone.seats import Phones
from companion.phone.view import encoded
from companion.play.evening import Evening
from tests.support.evenings import Desk, settle

JSON = dict[str, Any]


class Network:
    """A table with phones: every message goes through JSON, as on the wire."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.sent: list[tuple[int, bytes]] = []
        self._handsets: dict[int, Handset] = {}
        self.phones = Phones(evening, Services, self._send)

    def _send(self, connection: int, message: Mapping[str, Any]) -> None:
        data = encoded(message)
        self.sent.append((connection, data))
        if handset := self._handsets.get(connection):
            handset.take_in(json.loads(data))

    def join(self, seat: str, lang: str = "en") -> Handset:
        """Return a new phone at this seat."""
        number = len(self._handsets) + 1
        handset = self._handsets[number] = Handset(self, number, seat)
        self.phones.greet(number, lang)
        self.phones.joined(number, seat)
        return handset

    def frames(self, handset: Handset) -> list[bytes]:
        """Return every message that a phone was sent."""
        return [data for number, data in self.sent if number == handset.number]


class Handset:
    """One phone: its view as it was sent last, and all that was said."""

    def __init__(self, network: Network, number: int, seat: str) -> None:
        self.number, self.seat = number, seat
        self.texts: JSON = {}
        self.table: JSON = {}
        self.said: list[str] = []
        self.urgent: list[str] = []
        self._network = network

    def take_in(self, message: JSON) -> None:
        self.texts = message.get("texts", self.texts)
        self.table = message.get("table", self.table)
        self.said += [of["text"] for of in message.get("say", ())]
        self.urgent += [of["text"] for of in message.get("say", ()) if of["now"]]

    @property
    def path(self) -> list[str | int]:
        path: list[str | int] = self.table["list"]["path"]
        return path

    @property
    def notes(self) -> list[str]:
        notes: list[str] = self.table["list"]["notes"]
        return notes

    @property
    def entries(self) -> list[str]:
        return [of["text"] for of in self.table["list"]["entries"]]

    @property
    def mine(self) -> list[str]:
        return [of["value"] for of in self.table["mine"]]

    def send(self, message: JSON) -> None:
        """Send a message, and wait until everything that follows is on disk and shown."""
        self._network.phones.receive(self.number, message)
        settle(self._network.evening)

    def press(self, text: str) -> None:
        """Press a button: open its list, or take it."""
        (entry,) = (of for of in self.table["list"]["entries"] if of["text"] == text)
        self.go(entry)

    def go(self, entry: JSON) -> None:
        path = [*self.path, entry["key"]]
        self.send({"look": path} if entry["opens"] else self.taking(path))

    def taking(self, path: Sequence[str | int]) -> JSON:
        """Return the message that takes what is at a path, as this phone knows the game now."""
        return {"take": list(path), "act": self.table["act"]}

    def enter(self, typed: int | str) -> None:
        """Enter a number, or a text."""
        self.send(self.taking([*self.path, typed]))

    def home(self) -> None:
        """Go to the first list."""
        self.send({"look": []})


def network(path: Path) -> tuple[Desk, Network]:
    """Return a table with a store, and its phones."""
    desk = Desk(path / "store.sqlite3")
    return desk, Network(desk.evening)
