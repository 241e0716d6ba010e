"""The fuzzed inputs of the soak: configs, transcripts, decks, verbs and command lines, each through `tabularium` itself.

python -m tools.soak_inputs [--inputs N] [--seed S] [--first N]

Every input follows from the seed and its number: --first N --inputs 1 is the one with that number again.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, TemporaryFile
from time import process_time
from traceback import format_exc
from typing import Any, BinaryIO

from companion import games
from companion.cli import main as tabularium
from companion.rules.cards import DECK
from companion.system.terminal import plain
from tests.support.paths import ROOT

SLOW_S, MUCH_MB = 1.0, 200.0
"""Nothing takes more seconds of the processor, or more memory than an idle program."""
LINE_S = 0.001
"""What a line of a game may take besides. Playing one is linear in its lines: 0.2 ms each as text and up to 0.9 ms as JSON
with everything, in a game of 40 lines as in one of 55,000. A fault in a long one is what takes longer line by line."""

GOLDENS = [path.read_bytes().splitlines()[:40] for path in sorted((ROOT / "tests" / "goldens").glob("*.jsonl"))]
CONFIGS = [path.read_bytes() for path in (ROOT / "config.yaml", *sorted((ROOT / "firmware_notes").rglob("*.yaml")))]
BOARDS = [path.read_bytes() for path in sorted((ROOT / "companion" / "games").glob("*/board.yaml"))]
WORDS = ["red", "blue", "pink", "prokonsul", "hannibal", "asia", "centre", "red 7", "red flag", "reveal", "play", "undo",
         "decide", "amend", "position", "tabularium", "seats", "board", "tags", "players", "options", "chips", "order"]  # fmt: skip
EVIL: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 1e308, 10**14, 10**15, 10**400, -(10**4000), "", " ", "\0", "\x1b[2J", "[/b]", "\ud800"),
    *("x" * 50, "é" * 2500, "~stick/x", "🃏", "名前", [], {}, [[]], [None] * 3, ["red"] * 1500, {"event": "undo"}),
    *({"event": "decide", "words": "x"}, {str(at): "red 7" for at in range(300)}, json.loads("[" * 25 + "]" * 25)),
]  # fmt: skip

Words = Sequence[str]


@dataclass
class Tally:
    """The outcome of the inputs."""

    count: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    largest: tuple[float, str] = (0.0, "")

    def line(self) -> str:
        came = ", ".join(f"{count} {status}" for status, count in sorted(self.statuses.items()))
        return (
            f"{self.count} fuzzed inputs ({came}): {len(self.faults)} faults; "
            f"slowest {self.slowest[0] * 1000:.0f} ms ({self.slowest[1]}); "
            f"most {self.largest[0]:.0f} MB over an idle program ({self.largest[1]})"
        )


# -- what is fuzzed ---------------------------------------------------------------------------------------------


def torn(rng: Random, data: bytes) -> bytes:
    """Return the bytes with parts changed, cut out, doubled and put in."""
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        end = min(end, at + rng.choice((1, 4, 40)))
        put = rng.choice((b"", rng.randbytes(2), data[at:end] * 2, b'"', b"{", b"[", b":", b"\n", b"- ", b"&a", b"!x", b"\\u0000",
                          b"\x1b[2J", b"9" * 30, b"0x_", b"1e999", rng.choice(WORDS).encode()))  # fmt: skip
        data = data[:at] + put + data[end:]
    return data


def bent(rng: Random, data: Any) -> Any:
    """Return plain data with a few values in it changed for others."""
    if rng.random() < 0.15:
        return rng.choice((*EVIL, *WORDS))
    if isinstance(data, dict):
        keys = {key if rng.random() > 0.05 else rng.choice(("\x1b[2J", *WORDS)): of for key, of in data.items()}
        return {key: bent(rng, of) if rng.random() < 0.4 else of for key, of in keys.items()}
    if isinstance(data, list):
        return [bent(rng, of) if rng.random() < 0.3 else of for of in data] * rng.choice((1, 1, 1, 2))
    return data


def line(rng: Random, golden: bytes) -> bytes:
    if rng.random() < 0.7 or not golden.startswith(b"{"):
        return golden
    return json.dumps(bent(rng, json.loads(golden))).encode() if rng.random() < 0.6 else torn(rng, golden)


def transcript(rng: Random) -> bytes:
    """Return a game that was played, bent and torn here and there; one in a hundred is far too large."""
    golden = rng.choice(GOLDENS)
    lines = [line(rng, one) for one in golden[: rng.randrange(2, len(golden) + 1)]]
    if rng.random() < 0.01:
        lines *= rng.choice((3, 50, 5_000))
    if rng.random() < 0.005:
        many = {f"{at:014X}": rng.choice(("red 7", "red 77")) for at in range(rng.choice((500, 5_000, 20_000)))}
        lines[0] = json.dumps(
            {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"], "tags": many}
        ).encode()
    if rng.random() < 0.005:
        lines.append(b'{"event": "' + b"x" * rng.choice((1_000, 900_000, 9_000_000)) + b'"}')
    if rng.random() < 0.005:
        lines.append(b"{" + b",".join(b'"%d": 0' % (at // 2) for at in range(rng.choice((200, 20_000)))) + b"}")
    return b"\n".join(lines)


def yaml(rng: Random, known: Sequence[bytes]) -> bytes:
    text = torn(rng, rng.choice(known))
    if rng.random() < 0.01:
        text *= rng.choice((2, 10, 1_000))
    if rng.random() < 0.01:
        text += b"".join(b"key%d: %d\n" % (at, at) for at in range(rng.choice((100, 2_000, 20_000))))
    return text


def deck(rng: Random) -> bytes:
    cards = [
        f'  {rng.choice((*DECK, "red 77"))}: "{rng.getrandbits(56):014X}"' for _ in range(rng.choice((1, 60, 60, 400)))
    ]
    name = json.dumps(rng.choice(("box", "x" * 300, "\x1b[2J", "[b]x[/b]", "名前", "", "\ud800")))
    return torn(rng, "\n".join((f"deck: {name}", "cards:", *cards)).encode())


# -- how it is asked --------------------------------------------------------------------------------------------

LANGS = ("en", "de", "ja")


def replayed(rng: Random, folder: Path) -> Words:
    (folder / "a.jsonl").write_bytes(transcript(rng))
    command = rng.choice(("replay", "replay", "replay", "why", "now", "layout", "position"))
    words = [command, rng.choice(("a.jsonl", "a.jsonl", "a.jsonl", "-"))]
    if command == "replay":
        words += rng.choice(
            ([], ["--json"], ["--json", "--layout", "--referee"], ["--seat", "red"], ["--referee"], ["--strict"])
        )
    elif rng.random() < 0.5:
        words += ["--at", str(rng.choice((1, 2, 5, 30, 0, -1, 10**9)))]
    return words if command == "position" else [*words, "--lang", rng.choice(LANGS)]


def configured(rng: Random, folder: Path) -> Words:
    (folder / "config.yaml").write_bytes(yaml(rng, CONFIGS))
    return [
        "--config",
        "config.yaml",
        *rng.choice((["games"], ["wiring"], ["wiring"], ["export", "last"], ["deck", "list"])),
    ]


def carded(rng: Random, folder: Path) -> Words:
    (folder / "deck.yaml").write_bytes(deck(rng) if rng.random() < 0.9 else yaml(rng, BOARDS))
    return rng.choice((["deck", "import", "deck.yaml"], ["deck", "import", "deck.yaml"], ["deck", "list"],
                       ["deck", "export", said(rng)], ["deck", "forget", said(rng)]))  # fmt: skip


def said(rng: Random) -> str:
    """Return a word as it can come from a shell: anything but NUL; a byte that is no text is a lone surrogate."""
    word = str(rng.choice((*EVIL, *WORDS, "--", "-", "--json", "--lang", "--at", "box", "\udcff", "x" * 1500)))
    return (
        word.replace("\0", "")
        .encode(errors="surrogateescape" if "\udcff" in word else "replace")
        .decode(errors="surrogateescape")
    )


def commanded(rng: Random, _: Path) -> Words:
    """Return a command and random words, which may mean something to it; none waits, opens a window or a port."""
    first = rng.choice((["replay"], ["why"], ["now"], ["layout"], ["position"], ["rules"], ["games"], ["export"], ["wiring"],
                        ["deck", "list"], ["deck", "export"], ["deck", "forget"], ["deck", "import"],
                        ["simulate", rng.choice(games.NAMES), "--games", "1"], ["rules", rng.choice(games.NAMES)]))  # fmt: skip
    words = [
        word
        for word in (said(rng) for _ in range(rng.choice((0, 1, 1, 2, 4))))
        if not "--games".startswith(word[:5] or "x")
    ]
    return [*first, *words]


KINDS: Sequence[tuple[int, Callable[[Random, Path], Words]]] = (
    (50, replayed),
    (25, configured),
    (15, carded),
    (10, commanded),
)

# -- the soak ---------------------------------------------------------------------------------------------------


@contextmanager
def listening(folder: Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Read standard input from the transcript, and yield the files that take standard output and error.

    They are files, so that they do not count as the memory of the program.
    """
    before = sys.stdout, sys.stderr
    with TemporaryFile() as out, TemporaryFile() as err:
        streams = [TextIOWrapper(stream, write_through=True) for stream in (out, err)]
        sys.stdout, sys.stderr = streams
        try:
            with read_from(folder / "a.jsonl"):
                yield out, err
        finally:
            for wrapped in streams:
                wrapped.detach()  # or it would close what is kept
            sys.stdout, sys.stderr = before


@contextmanager
def read_from(path: Path) -> Iterator[None]:
    """Read standard input from this file, from nothing where there is none."""
    stdin = os.dup(0)
    try:
        with open(path if path.exists() else os.devnull, "rb") as file:  # noqa: PTH123
            os.dup2(file.fileno(), 0)
        yield
    finally:
        os.dup2(stdin, 0)
        os.close(stdin)


def read(stream: BinaryIO) -> Iterator[str]:
    stream.seek(0)
    return (line.decode() for line in stream)


def run(words: Words, folder: Path) -> tuple[str, str]:
    """Run a command line; return its outcome and what is wrong with it, "" for a status and plain text."""
    with listening(folder) as (out, err):
        try:
            status: Any = tabularium(words)
        except SystemExit as ended:
            status = ended.code
        except Exception:
            return "traceback", format_exc()
        return f"status {status}", wrong(status, out, err)


def wrong(status: object, out: BinaryIO, err: BinaryIO) -> str:
    """Return what is wrong with a status and what was said with it, "" for nothing."""
    said = "".join(read(err))
    if status not in (0, 1, 2):
        return f"status {status}"
    if any(plain(line) != line for line in chain(read(err), read(out))) or "Traceback" in said:
        return f"not plain: {said[:300]!r}"
    if status == 2 and not said:
        return "an error without a word"
    if max(map(len, said.splitlines()), default=0) > 1_200:
        return f"more than a line: {said[:300]!r}"
    return ""


def timed(words: Words, folder: Path) -> tuple[tuple[str, str], float]:
    """Return the outcome and the processor time in seconds, which other work of the machine does not affect."""
    began = process_time()
    return run(words, folder), process_time() - began


def limit(folder: Path) -> float:
    """Return after how many seconds an input has taken too long."""
    played = folder / "a.jsonl"
    return SLOW_S + LINE_S * (played.read_bytes().count(b"\n") if played.exists() else 0)


def memory(key: str) -> float:
    """Return megabytes of this process: VmRSS now, VmHWM the most since it was last reset."""
    found = re.search(rf"{key}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def soak_inputs(count: int, seed: int, first: int = 0) -> Tally:
    tally = Tally()
    shares, kinds = zip(*KINDS, strict=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {"XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
        os.chdir(folder)
        run(["games"], folder)
        gc.collect()
        idle = memory("VmRSS")
        for number in range(first, first + count):
            rng = Random(f"{seed} {number}")
            words = rng.choices(kinds, shares)[0](rng, folder)
            Path("/proc/self/clear_refs").write_text("5")
            (status, fault), took = timed(words, folder)
            most = memory("VmHWM") - idle
            if took > (slow := limit(folder)):  # a cold cache may have been the cause: try again
                took = min(took, timed(words, folder)[1])
            asked = f"input {number}: {' '.join(words)[:80]!a}"
            tally.count += 1
            tally.statuses[status] += 1
            tally.slowest = max(tally.slowest, (took, asked))
            tally.largest = max(tally.largest, (most, asked))
            if fault or took > slow or most > MUCH_MB:
                tally.faults.append(f"{asked}: {took:.2f} s, {most:.0f} MB {fault}")
            for file in folder.iterdir():
                if file.is_file():
                    file.unlink()
        os.chdir(ROOT)
    return tally


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m tools.soak_inputs", description=__doc__)
    arguments.add_argument("--inputs", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--first", type=int, default=0)
    args = arguments.parse_args()
    tally = soak_inputs(args.inputs, args.seed, args.first)
    print(*tally.faults[:20], tally.line(), sep="\n")
    sys.exit(bool(tally.faults))


if __name__ == "__main__":
    main()
