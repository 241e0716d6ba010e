"""A real Mosquitto that carries MQTT and serves the board, as `tabularium hall setup` has it, on ports of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import create_connection, socket
from time import monotonic

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion import hall

BOARD = Path(hall.__file__).parent / "board"


@dataclass(slots=True)
class Broker:
    """A broker's ports, and the process while it runs."""

    folder: Path
    port: int
    web: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def page(self) -> str:
        return f"http://127.0.0.1:{self.web}/"

    def start(self) -> None:
        self.process = subprocess.Popen(
            ["mosquitto", "-c", str(self.folder / "mosquitto.conf")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _await(self.port)
        _await(self.web)

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()


def free_port() -> int:
    with socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _await(port: int) -> None:
    """Until somebody listens there; raises TimeoutError after ten seconds."""
    end = monotonic() + 10
    while monotonic() < end:
        try:
            create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            continue
    raise TimeoutError(f"nobody listens at {port}")


@contextmanager
def broker(folder: Path, board: Path = BOARD) -> Iterator[Broker]:
    """Runs a broker that keeps nothing on disk."""
    found = Broker(folder, free_port(), free_port())
    (folder / "mosquitto.conf").write_text(
        f"listener {found.port} 127.0.0.1\nlistener {found.web} 127.0.0.1\nprotocol websockets\nhttp_dir {board}\n"
        "allow_anonymous true\nuser root\n",
        encoding="utf-8",
    )
    found.start()
    try:
        yield found
    finally:
        found.kill()


def publish(host: str, port: int, messages: Iterable[tuple[str, str | bytes]]) -> None:
    """Publishes all of this, retained, and returns when the broker has it."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2)
    client.max_inflight_messages_set(200)
    client.connect(host, port)
    client.loop_start()
    try:
        for sent in [client.publish(topic, payload, qos=1, retain=True) for topic, payload in messages]:
            sent.wait_for_publish(30)
    finally:
        client.disconnect()
        client.loop_stop()
