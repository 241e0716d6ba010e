"""Stands in for systemd in the rehearsal: starts what the unit says, as it says, but on no screen; waits for READY=1.

Run inside the emulated system, by its own Python. Exit status 1 if there was no first frame, or no end. With a path it
goes on until there is such a file.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

UNIT = Path("/etc/systemd/system/tabularium.service")
PATIENCE = 600
"""Seconds: this is emulated, and the first start compiles nothing but loads everything."""


def _ready(heard: socket.socket, running: subprocess.Popen[bytes]) -> bool:
    for _ in range(PATIENCE):
        try:
            if b"READY=1" in heard.recv(4096).split(b"\n"):
                return True
        except TimeoutError:
            if running.poll() is not None:
                print(f"it ended with {running.returncode} before its first frame")
                return False
    print("no first frame")
    return False


def _goes_on(until: Path, running: subprocess.Popen[bytes]) -> None:
    for _ in range(PATIENCE):
        if until.exists() or running.poll() is not None:
            return
        time.sleep(1)


@contextmanager
def begun() -> Iterator[subprocess.Popen[bytes]]:
    """Start what the unit says, as it says, and end it afterwards.

    Raises SystemExit without a first frame, and TimeoutExpired without an end.
    """
    said = UNIT.read_text(encoding="utf-8")
    env = {
        name: value.replace("%t", "/run").replace("%C", "/var/cache")
        for name, value in re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"^Environment=(.*)", said, re.M)))
    }
    command = re.findall(r"^ExecStart=(.*)", said, re.M)[0].split()
    runtime = Path("/run/tabularium")
    for folder in (runtime, Path("/var/cache/tabularium")):
        folder.mkdir(mode=0o755, exist_ok=True)
        subprocess.run(["chown", "tabularium:tabularium", folder], check=True)
    heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    Path("/run/notify").unlink(missing_ok=True)
    heard.bind("/run/notify")
    Path("/run/notify").chmod(0o777)
    heard.settimeout(1)
    env |= {"SDL_VIDEODRIVER": "offscreen", "NOTIFY_SOCKET": "/run/notify", "PATH": os.environ["PATH"]}
    env |= {"HOME": "/var/lib/tabularium", "SDL_AUDIODRIVER": "dummy"}
    with subprocess.Popen(
        command, env=env, cwd=runtime, user="tabularium", group="tabularium", extra_groups=[]
    ) as running:
        try:
            if not _ready(heard, running):
                raise SystemExit(1)
            yield running
            running.send_signal(signal.SIGTERM)
            print(f"ended with {running.wait(PATIENCE)}")
        finally:
            running.kill()


def main() -> int:
    with begun() as running:
        for path in map(Path, sys.argv[1:]):
            _goes_on(path, running)
    return 0


if __name__ == "__main__":
    sys.exit(main())
