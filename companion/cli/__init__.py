"""`tabularium`: the one place that wires companion, drivers and screen together. Imports late: replay needs no Kivy."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from companion.cli.arguments import parser
from companion.cli.common import fail


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit status: 0, 1 (`replay --strict`, `doctor`) or 2 for an error."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or open(os.devnull, "w")  # noqa: PTH123, SIM115 - a service may have closed it
        setattr(sys, name, stream)
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    args = parser().parse_args(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone: `replay FILE | head`
        _write_no_more()
        return 0
    except OSError as error:  # the disk is full: `export last > game.jsonl`
        _write_no_more()
        return fail(f"{error.filename or 'output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return 130
    return status


def _write_no_more() -> None:
    """Drops what is still to be printed: Python would try once more as it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
