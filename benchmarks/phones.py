"""What seven idle phones cost, and how soon a fist on one of them is heard; the phones are another process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from time import monotonic, monotonic_ns, process_time, sleep
from typing import Any

from companion.rules.cards import PAWNS

ROOT = Path(__file__).parent.parent
IDLE_S = 30
TIMES = 200
PACE_S = 0.06
"""Seconds between two fists: a phone may send twenty messages a second."""
PING_S = 5
Row = tuple[str, str, str]


def rows() -> Iterator[Row]:
    """Yield what the port costs, beside the same phones at the library's own server with a thread or two for each."""
    ours, theirs = (_child("serve", which) for which in ("ours", "threads"))
    beside = "{library}: {theirs}"
    for what, key, unit in (
        ("seven phones, idle, share of a core", "share", "%"),
        ("memory that the port takes, of which most is the library", "memory", "MiB"),
        ("the same without what its import takes", "own", "MiB"),
        ("threads", "threads", ""),
    ):
        library = beside.format(library="websockets' threading server", theirs=f"{theirs[key]:.3g} {unit}".rstrip())
        yield what, f"{ours[key]:.3g} {unit}".rstrip(), library
    late = sorted(ours["late"])
    middle, most = late[len(late) // 2], late[len(late) * 95 // 100]
    yield "a fist on one of them is heard", f"{middle:.1f} ms, 95 % in {most:.1f} ms", "sent by another process"


def _child(*words: str) -> Any:
    command = [sys.executable, "-m", "benchmarks.phones", *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return json.loads(done.stdout.splitlines()[-1])


def _memory() -> float:
    """Return the process's memory, in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1024 / 1024


# -- the table's process ----------------------------------------------------------------------------------------------


def _serve(which: str) -> dict[str, Any]:
    import threading

    before = _memory()
    words: SimpleQueue[Any] = SimpleQueue()
    if which == "ours":
        from drivers.phones.server import PhoneServer

        imported = _memory()
        server = PhoneServer(words.put, lambda _: None, 0, "127.0.0.1")
        port = server.port
    else:
        port, imported = _threading_server(words)
    command = [sys.executable, "-m", "benchmarks.phones", "phones", str(port), which]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as phones:
        assert phones.stdin
        numbers = [words.get(timeout=30).connection for _ in PAWNS] if which == "ours" else [words.get() for _ in PAWNS]
        for number, seat in zip(numbers, PAWNS, strict=True):
            if which == "ours":
                server.sit(number, seat)
        sleep(3)
        began, used = monotonic(), process_time()
        sleep(IDLE_S)
        share = 100 * (process_time() - used) / (monotonic() - began)
        late = []
        if which == "ours":
            for _ in range(TIMES):
                sleep(PACE_S)
                print("fist", file=phones.stdin, flush=True)
                press = words.get(timeout=30)
                while not hasattr(press, "slack"):
                    press = words.get(timeout=30)
                late.append(monotonic_ns() / 1e6 - press.t)
        found = {"share": share, "memory": _memory() - before, "own": _memory() - imported,
                 "threads": threading.active_count() - 1, "late": late}  # fmt: skip
        phones.kill()
    return found


def _threading_server(words: SimpleQueue[Any]) -> tuple[int, float]:
    """Serve as the library's documentation does it, with a clock message every five seconds; return port and memory."""
    from threading import Thread

    from websockets.exceptions import ConnectionClosed
    from websockets.sync.server import ServerConnection, serve

    imported = _memory()

    def handle(connection: ServerConnection) -> None:
        due, waits = monotonic(), True
        try:
            while True:
                try:
                    message = json.loads(connection.recv(max(0.0, due - monotonic())))
                    if waits and "hello" in message:
                        words.put(connection)
                        waits = False
                except TimeoutError:
                    due = monotonic() + PING_S
                    connection.send(json.dumps({"clock": monotonic_ns() // 1000}).ljust(256))
        except ConnectionClosed:
            return

    server = serve(handle, "127.0.0.1", 0, compression=None, ping_interval=None)
    Thread(target=server.serve_forever, daemon=True).start()
    return server.socket.getsockname()[1], imported


# -- the phones' process ----------------------------------------------------------------------------------------------


class _Plain:
    """No seal: what the library's own server is sent."""

    def seal(self, text: bytes) -> bytes:
        return text

    def open(self, frame: bytes) -> bytes:
        return frame


def _phones(port: int, which: str) -> None:
    """Be seven phones that answer pings; one of them moves its fist for each line of input."""
    from contextlib import ExitStack
    from threading import Lock, Thread

    from websockets.sync.client import ClientConnection, connect
    from websockets.typing import Origin

    from tests.support.phone_client import PageSeal, padded

    host = f"127.0.0.1:{port}"

    def time() -> float:
        return monotonic_ns() / 1e6

    class Bench:
        """One phone, which may be told to send from two threads at once."""

        def __init__(self, socket: ClientConnection) -> None:
            self.socket, self.lock = socket, Lock()
            self.seal = PageSeal(socket.recv()) if which == "ours" else _Plain()

        def say(self, **message: object) -> None:
            with self.lock:
                self.socket.send(self.seal.seal(padded(message)), text=which != "ours")

        def answer(self) -> None:
            for data in self.socket:
                message = json.loads(self.seal.open(data.encode() if isinstance(data, str) else data))
                if "clock" in message:
                    self.say(clock=[message["clock"], time()])

    with ExitStack() as opened:
        ways = [connect(f"ws://{host}/seat", origin=Origin(f"http://{host}"), compression=None, proxy=None,
                        ping_interval=None) for _ in PAWNS]  # fmt: skip
        phones = [Bench(opened.enter_context(way)) for way in ways]
        for phone in phones:
            phone.say(hello=1)
            Thread(target=phone.answer, daemon=True).start()
        closed = False
        for _ in sys.stdin:
            closed = not closed
            phones[0].say(fist="closed" if closed else "open", t=time())


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["phones", port, which]:
            _phones(int(port), which)
        case ["serve", which]:
            print(json.dumps(_serve(which)), flush=True)
            import os

            os._exit(0)  # the library's threads are no daemons
