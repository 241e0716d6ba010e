"""What runs in the guest as root: the devices that a table is wired to, below the kernel's own drivers.

Each is a separate program. It reads its orders, a line each, from a FIFO, and writes "ready" once it is there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

RUN = Path("/run/appliance")
"""The folder of the FIFOs and logs."""


def obey(name: str, orders: Mapping[str, Callable[..., object]]) -> None:
    """Carry out the orders that come through a FIFO, for ever; print each, and what is wrong with it."""
    RUN.mkdir(exist_ok=True)
    fifo = RUN / name
    if not fifo.exists():
        os.mkfifo(fifo)
    print("ready", flush=True)
    while True:
        with fifo.open(encoding="utf-8") as lines:
            for line in lines:
                order, *words = line.split() or [""]
                try:
                    print(line.strip(), orders[order](*words), flush=True)
                except (KeyError, ValueError, OSError, TypeError) as wrong:
                    print(f"{line.strip()}: {wrong!r}", flush=True)
