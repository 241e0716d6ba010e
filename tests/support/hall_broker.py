"""A real Mosquitto, set up by `tabularium hall setup`'s own code, and a cable to it that can be pulled."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from signal import SIGKILL
from threading import Event, Lock, Thread

from companion.hall import mosquitto, setup
from companion.hall.link import Broker
from companion.hall.plan import Plan
from tools.needs import needs

TABLES = ("1", "2", "3")


PORTS = range(20_000, 32_000)
"""Below the ports that the system hands out by itself, so that no other process gets one that was just found free."""
EACH = 600
"""How many of them a worker has for itself, of twenty workers."""
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % (len(PORTS) // EACH)
_ports = cycle(PORTS[_worker * EACH : (_worker + 1) * EACH])


def free_port() -> int:
    """Return a free port that this worker is not given again soon."""
    while True:
        port = next(_ports)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


@dataclass
class Running:
    """A broker with its folder; it can be killed and started again on the same ports."""

    plan: Plan
    process: subprocess.Popen[bytes] | None = None
    descriptors: int = mosquitto.DESCRIPTORS

    @property
    def passwords(self) -> dict[str, str]:
        return dict(setup.passwords(self.plan.folder))

    def as_(self, user: str | None, port: int | None = None) -> Broker:
        """Return how this user reaches the broker; None is the public."""
        assert self.process is None or self.process.poll() is None, self.said
        if user is None:
            return setup.broker(self.plan, None)
        tls = self.plan.folder / "hall.crt" if self.plan.tls else None
        password = self.passwords[user] if user else None
        return Broker("127.0.0.1", port or self.plan.port, user, password, tls)

    def start(self) -> None:
        room = ["prlimit", f"--nofile={self.descriptors}"]
        command = [*room, needs("mosquitto"), "-c", str(self.plan.folder / "mosquitto.conf")]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(command, stderr=log)
        waiting = [self.plan.port, self.plan.web, self.plan.desk]
        while waiting and self.process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", waiting[0]), 1):
                del waiting[0]
        if waiting:
            raise RuntimeError(f"mosquitto does not start: {self.said}")

    @property
    def _log(self) -> Path:
        return self.plan.folder / "mosquitto.log"

    @property
    def said(self) -> str:
        """Return the end of what the broker has written."""
        return self._log.read_text(encoding="utf-8", errors="replace")[-2000:]

    def kill(self) -> None:
        """Kill the broker, as a power cut would."""
        if self.process:
            self.process.kill()
            self.process.wait()


@contextmanager
def broker(folder: Path, *, tables: tuple[str, ...] = TABLES, tls: bool = False) -> Iterator[Running]:
    """Yield a running broker for the hall "friday" on free ports, with the board."""
    needs("mosquitto")
    folder.mkdir(parents=True, exist_ok=True)
    plan = Plan(folder / "hall", "friday", tables, "localhost", free_port(), free_port(), tls, free_port())
    setup.set_up(plan)
    running = Running(plan)
    running.start()
    try:
        yield running
        assert running.process and running.process.poll() in (None, 0, -SIGKILL), running.said
    finally:
        running.kill()


class Proxy:
    """A cable between a table and the broker.

    While it is pulled, connections stay open and nothing comes through; what was sent meanwhile comes later, as TCP
    sends again what was lost.
    """

    def __init__(self, port: int) -> None:
        self._goal = port
        self._ears = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._ears.getsockname()[1]
        self._plugged, self._passing = Event(), Lock()
        self._plugged.set()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._stopping = False
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with DefaultSelector() as eyes:
            eyes.register(self._ears, EVENT_READ, None)
            while not self._stopping:
                for key, _ in eyes.select(0.1) if self._plugged.wait(0.1) else ():
                    if key.data is None:
                        self._accept(eyes)
                        continue
                    with self._passing:
                        if self._plugged.is_set():
                            self._pass_on(eyes, key.fileobj, key.data)  # type: ignore[arg-type] # sockets are

    def pull(self) -> None:
        """Let nothing through from now on."""
        with self._passing:
            self._plugged.clear()

    def plug(self) -> None:
        """Let everything through again."""
        self._plugged.set()

    def _accept(self, eyes: DefaultSelector) -> None:
        near, _ = self._ears.accept()
        try:
            far = socket.create_connection(("127.0.0.1", self._goal), 1)
        except OSError:
            near.close()
            return
        self._pairs.append((near, far))
        eyes.register(near, EVENT_READ, far)
        eyes.register(far, EVENT_READ, near)

    def _pass_on(self, eyes: DefaultSelector, here: socket.socket, there: socket.socket) -> None:
        try:
            data = here.recv(65_536)
            if data:
                there.sendall(data)
        except OSError:
            data = b""
        if not data:
            for end in (here, there):
                with suppress(KeyError, ValueError):
                    eyes.unregister(end)
                end.close()

    def close(self) -> None:
        self._stopping = True
        self._thread.join(5)
        self._ears.close()
        for pair in self._pairs:
            for end in pair:
                end.close()
