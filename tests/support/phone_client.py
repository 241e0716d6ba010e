"""A phone without a page: a real WebSocket that answers pings by its own clock."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from time import monotonic_ns
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from drivers.phones.server import PhoneServer
from tests.support.timeouts import SECONDS


def own_time() -> float:
    """Return a phone's time in ms: another one than the table's."""
    return monotonic_ns() / 1_000_000 - 500_000


class PhoneClient:
    """A phone at the port of a server."""

    def __init__(self, server: PhoneServer, time: Callable[[], float] = own_time) -> None:
        self.time = time
        self._open = ExitStack()
        host = f"127.0.0.1:{server.port}"
        way = connect(
            f"ws://{host}/seat", origin=Origin(f"http://{host}"), compression=None, proxy=None, max_queue=None
        )
        self.socket: ClientConnection = self._open.enter_context(way)
        self.pings = 0
        self.number = 0
        """Its number at the server, where a test has found it out."""

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, key: str) -> Any:
        """Return what the next message with this key says; answer pings meanwhile."""
        while True:
            message = self.read()
            if key in message:
                return message[key]

    def read(self, seconds: float = SECONDS) -> dict[str, Any]:
        """Return the next message, and answer it if it is a ping. Raises TimeoutError and ConnectionClosed."""
        message: dict[str, Any] = json.loads(self.socket.recv(seconds))
        if "clock" in message:
            self.say(clock=[message["clock"], self.time()])
            self.pings += 1
        return message

    def settle(self) -> None:
        """Answer the first pings: from then on its fists have a time."""
        while self.pings < 3:
            self.read()

    def close(self) -> None:
        self._open.close()
