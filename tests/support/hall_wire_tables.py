"""Simulated tables of a hall: each with its own connection, sending again what the hall does not have yet."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from random import Random
from socket import SHUT_RDWR, socket
from typing import Any

from companion import __version__
from companion.hall._wire import Topics, write
from companion.hall.link import Broker, BrokerLink, Post
from companion.hall.records import checksum
from companion.rules import result
from tests.support.hall_tables import until

AGAIN_S = 1.0
JSON = Mapping[str, Any]


class WireTable:
    """A device that plays what it is told, without the game itself."""

    def __init__(self, name: str, hall: str, broker: Broker) -> None:
        self.name, self._topics, self._kept = name, Topics(hall), dict[str, tuple[bytes, bool]]()
        self.have: JSON = {}
        self.alive = True
        self._key: JSON = {}
        self._number, self._approvals = 0, dict[str, bool]()
        self._crc: int | None = None
        self._games, self._connection, self._sent_at = 0, 0, 0.0
        status = self._topics.table(name, "status")
        self.link = BrokerLink(
            broker,
            subscribed=[self._topics.have(name)],
            came=self._came,
            changed=self._changed,
            will=(status, write("status", {"here": False})),
        )
        self._keep("status", {"here": True, "version": __version__}, retain=True)
        self.link.open()
        until(lambda: self.link.connected)

    def _came(self, post: Post) -> None:
        if post.payload:
            self.have = json.loads(post.payload)

    def _changed(self) -> None:
        if self.link.connected and self._connection != self.link.connections:
            self._connection = self.link.connections
            self.send()

    def send(self) -> None:
        """Send everything of the current game, once more if need be."""
        self._sent_at = time.monotonic()
        for topic, (payload, retain) in list(self._kept.items()):
            self.link.publish(topic, payload, retain=retain)

    def _keep(self, kind: str, payload: JSON, which: object = None, *, retain: bool = False) -> None:
        topic = self._topics.table(self.name, kind, which)
        self._kept[topic] = write(kind, payload), retain
        if self.link.connected:
            self.link.publish(topic, self._kept[topic][0], retain=retain)

    def begin(self, seating: JSON, number: int, entry: JSON, moves: int = 3) -> None:
        """Begin what is seated here in this round, and make a few moves."""
        self._games += 1
        self._key = {"game": self._games, "begun": _now()}
        seats = {of["seat"]: of["id"] for of in entry["seats"]}
        header = {"tabularium": 1, "game": entry["game"], "seats": list(seats), "options": entry["options"],
                  "evening": seating["evening"], "ids": seats}  # fmt: skip
        status = self._topics.table(self.name, "status")
        self._kept = {status: self._kept[status]}
        self._number, self._crc, self._approvals = 0, None, {}
        self._keep("header", {**self._key, "header": header, "round": number}, retain=True)
        for _ in range(moves):
            self.move(next(iter(seats)))

    def move(self, seat: str) -> None:
        self._number += 1
        event = {"event": "pass", "seat": seat}
        self._keep("event", {**self._key, "number": self._number, "event": event, "at": _now()}, self._number)

    def end(self, entry: JSON, random: Random) -> None:
        """End the game with scores that depend on the random numbers alone."""
        seats = [of["seat"] for of in entry["seats"]]
        told = result(dict(zip(seats, random.sample(range(40), len(seats)), strict=True)))
        self._crc, self._approvals = checksum(told), {}
        message = {**self._key, "number": self._number, "result": told, "crc": self._crc}
        self._keep("result", message, retain=True)

    def approve(self, seats: Sequence[str], approves: bool = True) -> None:
        for seat in seats:
            self._approvals[seat] = approves
            self._keep("approval", {**self._key, "seat": seat, "crc": self._crc, "approves": approves}, seat)

    @property
    def settled(self) -> bool:
        """Return whether the hall has everything; send it again where it has not for a while."""
        wanted = {**self._key, "number": self._number, "result": self._crc, "approvals": self._approvals}
        if not self._key or all(self.have.get(key) == value for key, value in wanted.items()):
            return True
        if time.monotonic() - self._sent_at > AGAIN_S:
            self.send()
        return False

    def close(self) -> None:
        self.link.close()

    def die(self) -> None:
        """Go as a device does whose plug is pulled: the broker says so in its place."""
        self.alive = False
        client = self.link._client
        client._reconnect_on_failure = False
        line = client.socket()
        assert isinstance(line, socket)
        line.shutdown(SHUT_RDWR)


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")
