"""The program's log, for its maintainers. Nothing in it is hidden at the table (law 2).

Of an act it has the verb, the seat, the number and the codes of the public rulings: never a card, an amount or words.
Of a fault it has the frames and the kind of error: neither its message nor the values at hand, which may name a card.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from traceback import format_tb

from companion.system import files
from companion.system.terminal import plain

FILE = "tabularium.log"
BYTES, FILES = 500_000, 5
"""The size in bytes at which the file is put aside, and the number of files in all."""
FORM = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")

TOP = logging.getLogger("tabularium")
TOP.addHandler(logging.NullHandler())
TOP.propagate = False  # Kivy takes the root logger for itself


def writing(part: str) -> logging.Logger:
    """Return the logger of a part of the program."""
    return TOP.getChild(part)


@contextmanager
def kept(folder: Path, verbose: bool = False) -> Iterator[None]:
    """Keep the log in this folder, and on the terminal too if `verbose`. A separate thread writes to the disk.

    Where the folder cannot be written there is no file, and the program goes on.
    """
    from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler  # a replay needs none of them

    places: list[logging.Handler] = [logging.StreamHandler(sys.stderr)] if verbose else []
    try:
        files.folder(folder)
        places.append(RotatingFileHandler(folder / FILE, maxBytes=BYTES, backupCount=FILES - 1, encoding="utf-8"))
    except OSError as error:
        missing = f"no log is kept in {folder}: {error.strerror}"
    else:
        missing = ""
    for place in places:
        place.setFormatter(FORM)
        place.addFilter(_plain)
    logging.raiseExceptions = False  # a full disk has a warning of its own
    queue: SimpleQueue[logging.LogRecord] = SimpleQueue()
    listener, handler, before = QueueListener(queue, *places), QueueHandler(queue), TOP.level
    TOP.addHandler(handler)
    TOP.setLevel(logging.INFO)
    listener.start()
    try:
        if missing:
            TOP.warning(missing)
        yield
    except Exception as error:  # raised again: only the log must have it
        TOP.critical("the program ends with an error\n%s", trace(error))
        raise
    finally:
        TOP.info("the end")
        TOP.removeHandler(handler)
        TOP.setLevel(before)
        listener.stop()
        for place in places:
            place.close()


def _plain(record: logging.LogRecord) -> bool:
    """Escape control characters in a record: a hub's text may be read on a terminal one day."""
    record.msg, record.args = plain(record.getMessage()), None
    return True


def trace(error: BaseException) -> str:
    """Return an error's origin: its frames and its kind, and those of its causes; no message, no values."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = f"{trace(cause)}\n" if cause else ""
    return f"{before}{''.join(format_tb(error.__traceback__))}{type(error).__qualname__}"
