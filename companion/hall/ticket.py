"""A one-time ticket that brings the organiser's key to the browser of the same computer.

The key must be neither in an address nor in a command: a browser keeps addresses in its history, and everybody on a
computer can list the words of commands. So the page is opened with a ticket, which it swaps for the key here; after
that, or a while later, the ticket is worth nothing.
"""

from __future__ import annotations

import json
import secrets
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Event, Thread

LASTS_S = 60.0
"""For how many seconds a ticket is good."""


class Ticket:
    """A ticket for the key of a hall, which a page of this `origin` can swap once. Raises OSError."""

    def __init__(self, hall: str, key: str, origin: str) -> None:
        self._words = json.dumps({"hall": hall, "key": key}).encode()
        self._origin, self._secret, self._swapped = origin, secrets.token_urlsafe(24), Event()
        self._server = HTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), name="ticket", daemon=True)
        self._thread.start()

    @property
    def words(self) -> str:
        """Return the part that is added behind the page's address."""
        return f"ticket={self._server.server_port}-{self._secret}"

    def wait(self, seconds: float = LASTS_S) -> bool:
        """Wait until the ticket has been swapped; return False if nobody has come by then."""
        return self._swapped.wait(seconds)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        ticket = self

        class Swap(BaseHTTPRequestHandler):
            """A handler that gives the key to the page, and nothing to anybody else."""

            timeout = 5.0

            def do_OPTIONS(self) -> None:  # a browser asks before it turns to its own computer
                self._answer(204, b"")

            def do_GET(self) -> None:
                good = secrets.compare_digest(self.path, f"/{ticket._secret}")
                if not good or self.headers.get("Origin") != ticket._origin or ticket._swapped.is_set():
                    self._answer(404, b"")
                    return
                ticket._swapped.set()
                self._answer(200, ticket._words)

            def _answer(self, status: int, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Access-Control-Allow-Origin", ticket._origin)
                self.send_header("Access-Control-Allow-Private-Network", "true")
                self.send_header("Cache-Control", "no-store")
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Write nothing to any log."""

        return Swap
