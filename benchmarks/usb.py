"""Card readers on USB: from laid to known with the real pcscd, idle, and a PN532's polls at line speed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing
from ctypes import byref
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from companion.rules.readings import Health, Press, Reading
from drivers.pcsc import lite
from drivers.pcsc.reader import PcscReader
from drivers.pn532.reader import Pn532
from drivers.port import SerialPort
from drivers.worker import ReaderWorker
from tests.support.pcscd import NAMES, Pcscd
from tests.support.pn532 import BYTES_A_SECOND, VirtualPn532

Row = tuple[str, str, str]
CARDS, POLLS, IDLE_S = 60, 60, 10.0


def rows() -> Iterator[Row]:
    """Yield each figure beside what is allowed, or beside the least it can cost."""
    yield from _pcsc_rows()
    yield _pn532_row("no card")
    yield _pn532_row("one card", "04A3C6CAE26180")
    yield _pn532_row("two cards", "04A3C6CAE26180", "0411223344AA55")


def _pcsc_rows() -> Iterator[Row]:
    with TemporaryDirectory() as folder, closing(Pcscd(Path(folder))) as pcscd:
        os.environ["PCSCLITE_CSOCK_NAME"] = str(pcscd.socket)
        words: SimpleQueue[tuple[Reading | Press | Health, float]] = SimpleQueue()
        worker = ReaderWorker(
            "centre", lambda: PcscReader("Virtual"), lambda word: words.put((word, time.monotonic())), interval=0.02
        )
        worker.start()
        began = time.process_time()
        time.sleep(IDLE_S)
        idle = (time.process_time() - began) / IDLE_S
        yield "a reader on USB with nothing on it", f"{100 * idle:.2f} % of a core", "allowed: 1 %"
        after: list[float] = []
        for number in range(CARDS):
            seen: list[float] = []
            bare = Thread(target=_bare, args=(seen,))
            bare.start()
            time.sleep(0.05)  # until it waits
            pcscd.lay(0, f"04{number:012X}")
            _, known = words.get(timeout=60)
            bare.join()
            after.append(1000 * (known - seen[0]))
            pcscd.lift(0)
            words.get(timeout=60)
        worker.close()
        after.sort()
        middle, most = after[CARDS // 2], after[round(0.95 * (CARDS - 1))]
        yield (
            "from a bare client's notice to known at the table",
            f"{middle:.0f} ms, p95 {most:.0f} ms",
            "allowed: 80 ms",
        )


def _bare(seen: list[float]) -> None:
    """Wait for a card as a client that does nothing else; append the moment to `seen`."""
    with closing(lite.LiteContext()) as context:
        state: Any = lite._ReaderState(NAMES[0].encode())
        lite._call("SCardGetStatusChange", context._handle, 0, byref(state), 1)
        while not state.event & lite.PRESENT:
            state.current = state.event
            lite._call("SCardGetStatusChange", context._handle, 60_000, byref(state), 1)
        seen.append(time.monotonic())


def _pn532_row(name: str, *tags: str) -> Row:
    with closing(VirtualPn532(paced=True)) as board, closing(Pn532(SerialPort(board.port))) as reader:
        board.chip.lay(*tags)
        reader.poll()
        moved, began = board.moved, time.monotonic()
        for _ in range(POLLS):
            reader.poll()
        took, least = time.monotonic() - began, (board.moved - moved) / BYTES_A_SECOND
    ms = f"{1000 * took / POLLS:.1f} ms"
    return (
        f"a PN532's poll, {name}",
        ms,
        f"{took / least:.2f} times what its bytes take ({1000 * least / POLLS:.1f} ms)",
    )
