"""`tabularium`: the one place that wires companion, drivers and screen together.

It imports late: replay needs no Kivy, and Ctrl-C is heard from our first line on.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    It is 0, 1 (`replay --strict`, `doctor`), 2 for an error, or 130 for Ctrl-C.
    """
    try:
        from companion.system.terminal import guarded

        with guarded():
            return _run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return 130


def _run(words: Sequence[str]) -> int:
    from companion.cli.arguments import parser
    from companion.cli.common import fail
    from companion.system import limits
    from companion.system.terminal import drop

    if any(len(word) > limits.WORD for word in words):
        return fail(f"an argument may have at most {limits.WORD:,} characters")
    args = parser().parse_args(words)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone: `replay FILE | head`
        drop(sys.stdout.fileno())
        return 0
    except OSError as error:  # the disk is full: `export last > game.jsonl`
        drop(sys.stdout.fileno())
        return fail(f"{error.filename or 'output'}: {error.strerror or error}")
    return status
