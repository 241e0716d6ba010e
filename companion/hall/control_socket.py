"""The hall's control socket for its owner on the same computer: one line for an order and one back.

Where no hall runs, the order is carried out on its store at once: before the evening and after it.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from select import select
from threading import Thread
from typing import Any

from companion.hall.new_evening import name_aside
from companion.hall.organiser import Organiser
from companion.hall.published import stand
from companion.hall.records import Payload
from companion.hall.sessions import forget
from companion.hall.store import HallInUse, HallStore
from companion.system.limits import LINE
from companion.system.logs import trace, writing

SOCKET, STORE = "hall.sock", "hall.sqlite3"
"""What they are called in the data directory."""
PATIENCE_S = 5.0
"""How long a client of the socket may take to send its order, in seconds."""
ANSWER_S = 600.0
"""How long an answer may take: a plan of many rounds for hundreds of players on a slow computer."""
WAITING_S = 1.0
"""How often a client that waits for an answer says so."""

log = writing("hall")


class ControlSocket:
    """A control socket that takes orders from the organiser's terminals, each in a separate thread.

    It passes each order to `answer`, with a way to check whether the terminal has hung up, or has ended its side of the
    line to cancel. If another thread owns the store, `answer` must hand the order over and wait. Raises OSError.
    """

    def __init__(self, path: Path, answer: Callable[[Payload, Callable[[], bool]], Payload]) -> None:
        self._path, self._answer = path, answer
        with suppress(FileNotFoundError):
            path.unlink()  # of a hall that has died: a living one holds the lock of its store
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            self._socket.bind(str(path))
            self._socket.listen(8)
        except BaseException:  # raised again: only the socket must not stay open
            self._socket.close()
            raise
        finally:
            os.umask(before)
        self._thread = Thread(target=self._serve, name="organiser", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop taking orders, and remove the socket."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # ends the wait for the next one
        self._socket.close()
        with suppress(FileNotFoundError):
            self._path.unlink()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            Thread(target=self._converse, args=(line,), name="order", daemon=True).start()

    def _converse(self, line: socket.socket) -> None:
        with line:
            try:
                line.settimeout(PATIENCE_S)
                order = _read(line)
                line.settimeout(ANSWER_S)
                _write(line, self._answer(order, lambda: _ended(line)))
            except (OSError, ValueError) as error:  # the client has gone, or sent no valid order
                log.info("an order came to nothing: %s", type(error).__name__)
            except Exception as error:  # one order's failure must not stop the next
                log.error("an order failed\n%s", trace(error))


def ask(folder: Path, order: Payload, tries: int = 3, waiting: Callable[[float], object] = lambda _: None) -> Payload:
    """Return the answer to an order: the running hall's, else its store's. Raises OSError and ValueError.

    `waiting` is called every second with the seconds since. Ctrl-C cancels the planning that the order may need; the
    answer says whether it was in time.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        try:
            line.connect(str(folder / SOCKET))
        except (FileNotFoundError, ConnectionRefusedError):
            pass
        else:
            _write(line, order)
            return _awaited(line, waiting)
    try:
        store = HallStore(folder / STORE)
    except HallInUse:  # it has begun meanwhile
        if tries:
            time.sleep(0.2)
            return ask(folder, order, tries - 1, waiting)
        raise
    try:
        return Organiser(store).answer(order)
    finally:
        store.close()


def _awaited(line: socket.socket, waiting: Callable[[float], object]) -> Payload:
    began = time.monotonic()
    try:
        while not select([line], [], [], WAITING_S)[0] and (took := time.monotonic() - began) < ANSWER_S:
            waiting(took)
    except KeyboardInterrupt:
        line.shutdown(socket.SHUT_WR)
    line.settimeout(PATIENCE_S)
    return _read(line)


def put_aside(folder: Path) -> Path | None:
    """Rename the store after its evening's day, so that another one can take its place; end all sessions.

    Return the new path, or None if there is no store. Raises HallInUse while the hall runs, and OSError.
    """
    path = folder / STORE
    if not path.exists():
        return None
    with closing(HallStore(path, patience_s=0.5)) as store:
        aside = name_aside(folder, stand(store))
    path.rename(aside)  # once it is closed, all of it is in the one file
    forget(folder)
    return aside


def _ended(line: socket.socket) -> bool:
    """Return whether the other end has hung up, or has ended its side of the line."""
    return bool(select([line], [], [], 0)[0]) and not line.recv(1, socket.MSG_PEEK)


def _write(line: socket.socket, data: Payload) -> None:
    line.sendall(json.dumps(data, ensure_ascii=False).encode() + b"\n")


def _read(line: socket.socket) -> dict[str, Any]:
    with line.makefile("rb") as file:
        read = file.readline(LINE)
    data = json.loads(read) if read else None
    if not isinstance(data, dict):
        raise ValueError("a line with a JSON object was expected")
    return data
