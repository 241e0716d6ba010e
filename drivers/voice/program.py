"""Programs that speak: a text goes in, sound comes out, and one that hangs is ended."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from companion.rules.message import Message, system_error
from drivers.voice.interruptible import Wait

PATIENCE = 8.0
"""Seconds in which a program must write something: a Pi that loads a large voice takes a few."""
MOST = 16_000_000
"""Bytes of one text at most: three minutes at 44,100 samples a second. A program that writes more does not stop."""
Process = subprocess.Popen[bytes]


@contextmanager
def started(words: Sequence[str]) -> Iterator[Process]:
    """Start a program, and end it in any case. Raises OSError with a Message."""
    process = start(words)
    try:
        yield process
    finally:
        end(process)


def start(words: Sequence[str]) -> Process:
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, env={**os.environ, "LC_ALL": "C.UTF-8"}
        )
    except FileNotFoundError:
        raise FileNotFoundError(Message("{program} is not installed", program=words[0])) from None
    except OSError as error:
        raise OSError(Message("{program}: {why}", program=words[0], why=system_error(error))) from None


def end(process: Process) -> None:
    """Kill the process if it still runs. One that the kernel holds is left to it."""
    with suppress(OSError):
        process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            with suppress(OSError):
                pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(1)


def stream(words: Sequence[str], text: str, wait: Wait, patience: float = PATIENCE) -> Iterator[bytes]:
    """Yield a program's sound for a text, as it comes. Raises OSError for one that hangs, fails or writes nothing."""
    count = 0
    with started(words) as process:
        assert process.stdin and process.stdout
        with suppress(BrokenPipeError):  # the check below reports why
            process.stdin.write(text.encode())
            process.stdin.close()
        while True:
            if not wait(process.stdout.fileno(), patience):
                raise TimeoutError(Message("{program} does not answer", program=words[0]))
            data = os.read(process.stdout.fileno(), 65536)
            if not data:
                break
            count += len(data)
            if count > MOST:
                raise OSError(Message("{program} does not stop", program=words[0]))
            yield data
        check(process, words[0])
        if not count:
            raise OSError(Message("{program} wrote no sound", program=words[0]))


def check(process: Process, program: str, said: bytes = b"") -> None:
    """Raise OSError with the reason if the program has failed; `said` is its error output so far."""
    try:
        status = process.wait(1)
    except subprocess.TimeoutExpired:
        return  # it has written everything
    if status:
        raise OSError(
            Message("{program}: {why}", program=program, why=_last_error(process, said) or f"exit status {status}")
        )


def _last_error(process: Process, said: bytes) -> str:
    """Return the end of the last line: "aplay: main:831: audio open error: No such device"."""
    assert process.stderr
    os.set_blocking(process.stderr.fileno(), False)
    with suppress(BlockingIOError):
        said += os.read(process.stderr.fileno(), 65536)
    lines = said.decode(errors="replace").strip().splitlines()
    return lines[-1].rpartition(": ")[2][:200] if lines else ""
