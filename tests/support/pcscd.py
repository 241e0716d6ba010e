"""The real pcscd with two virtual readers (vpcd), in its own namespaces: cards are laid, swapped and lifted there.

`python -m tests.support.pcscd FOLDER PROGRAM` is the inside: it starts the service, and plays the cards as it is told,
line by line.
"""

from __future__ import annotations

import fcntl
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Final

from tests.support.paths import ROOT
from tools.needs import VPCD, apart, needs

PORT: Final = 0x8C7B
ATR = bytes.fromhex("3B8F8001804F0CA0000003060300030000000068")
"""An NTAG's, as readers make it up (PC/SC part 3)."""
NAMES = ("Virtual PCD 00 00", "Virtual PCD 00 01")
OFF, ON, RESET, ASK_ATR = 0, 1, 2, 4
ADMIN = 0x01
"""SIOCSIFFLAGS: a network is up."""


class Pcscd:
    """The service from outside. Its socket is at `socket`, for PCSCLITE_CSOCK_NAME."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "run/pcscd/pcscd.comm"
        program = needs("pcscd", "vpcd", "namespaces")
        self._inside = subprocess.Popen(
            [*apart("--mount", "--net"), sys.executable, "-m", "tests.support.pcscd", str(folder), program],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        assert self._said() == "ready", "pcscd does not start: see above"

    def _said(self) -> str:
        assert self._inside.stdout
        return self._inside.stdout.readline().strip()

    def do(self, *words: str) -> str:
        """Give an order to the inside and wait until it is done; return the answer."""
        assert self._inside.stdin
        print(*words, file=self._inside.stdin, flush=True)
        return self._said()

    def lay(self, slot: int, uid: str) -> None:
        assert self.do("lay", str(slot), uid) == "done"

    def lift(self, slot: int) -> None:
        assert self.do("lift", str(slot)) == "done"

    def kill(self) -> None:
        """Kill the service, as if its plug had been pulled."""
        assert self.do("kill") == "done"

    def start(self) -> None:
        assert self.do("start") == "done"

    def close(self) -> None:
        with suppress(OSError):
            self.do("kill")
        self._inside.communicate(timeout=30)


# -- inside ------------------------------------------------------------------------------------------------------------


class VirtualCard:
    """A card on a slot: as long as it is connected it lies there."""

    def __init__(self, slot: int, uid: bytes) -> None:
        self._uid = uid
        self._line = socket.create_connection(("127.0.0.1", PORT + slot))
        Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        with suppress(OSError, struct.error):  # it is lifted, or the service has gone
            while True:
                (length,) = struct.unpack(">H", self._take(2))
                said = self._take(length)
                if length == 1 and said[0] in (OFF, ON, RESET):
                    continue
                if length == 1 and said[0] == ASK_ATR:
                    answer = ATR
                else:
                    answer = self._uid + b"\x90\x00" if said == bytes.fromhex("FFCA000000") else b"\x6a\x81"
                self._line.sendall(struct.pack(">H", len(answer)) + answer)

    def _take(self, length: int) -> bytes:
        taken = b""
        while len(taken) < length:
            more = self._line.recv(length - len(taken))
            if not more:
                raise OSError
            taken += more
        return taken

    def lift(self) -> None:
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._line.close()


class Inside:
    def __init__(self, folder: Path, program: str) -> None:
        self._folder, self._program = folder, program
        self._cards: dict[int, VirtualCard] = {}
        run = folder / "run"
        (run / "pcscd").mkdir(parents=True, exist_ok=True)
        (folder / "conf").mkdir(exist_ok=True)
        (folder / "conf/vpcd").write_text(
            f'FRIENDLYNAME "Virtual PCD"\nDEVICENAME /dev/null:{PORT:#x}\nLIBPATH {VPCD}\nCHANNELID {PORT:#x}\n'
        )
        subprocess.run(["mount", "--bind", run, "/run"], check=True)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH22x", b"lo", ADMIN))
        self._log = (folder / "log").open("ab")
        options = subprocess.run([program, "--help"], check=False, capture_output=True, text=True)
        known = "--disable-polkit" in options.stdout + options.stderr
        self._without_polkit = ["--disable-polkit"] if known else []  # it asks a bus that is hidden here
        self.start()

    def start(self) -> None:
        for left in (self._folder / "run/pcscd").iterdir():
            left.unlink()
        self._service = subprocess.Popen(
            [self._program, "-f", "-c", str(self._folder / "conf"), *self._without_polkit],
            stdout=self._log,
            stderr=self._log,
        )
        end = monotonic() + 60
        while not self._listens():
            assert self._service.poll() is None and monotonic() < end, "pcscd does not start"
            sleep(0.005)

    def _listens(self) -> bool:
        """Return whether the service listens; its slots are there before its socket is."""
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect("/run/pcscd/pcscd.comm")
        except OSError:
            return False
        finally:
            line.close()
        return True

    def kill(self) -> None:
        self._service.kill()
        self._service.wait()
        for slot in [*self._cards]:
            self.lift(slot)

    def lay(self, slot: int, uid: str) -> None:
        self.lift(slot)
        self._cards[slot] = VirtualCard(slot, bytes.fromhex(uid))

    def lift(self, slot: int) -> None:
        if card := self._cards.pop(slot, None):
            card.lift()

    def do(self, word: str, *given: str) -> None:
        match word, given:
            case "lay", (slot, uid):
                self.lay(int(slot), uid)
            case "lift", (slot,):
                self.lift(int(slot))
            case "kill", ():
                self.kill()
            case "start", ():
                self.start()


def main(folder: str, program: str) -> None:
    inside = Inside(Path(folder), program)
    print("ready", flush=True)
    for line in sys.stdin:
        inside.do(*line.split())
        print("done", flush=True)
    inside.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
