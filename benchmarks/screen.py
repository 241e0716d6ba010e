"""How fast the screen is: start-up and memory beside a bare Kivy window, frames, and what a finger and a card wait for.

The size aimed at is the 7-inch display's; the larger one stands beside it. Everything is drawn by the processor, as
there is no display: a frame is there when its last pixel is.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion import games

ROOT = Path(__file__).parent.parent
RUNS = 9
SMALL, LARGE = (800, 480), (1280, 720)
Row = tuple[str, str, str]


def child(name: str, size: tuple[int, int], *args: str, cache: str = "") -> Any:
    """Return the JSON that a child process with its own window printed last. Byte code is kept in `cache`."""
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"SDL_VIDEODRIVER": os.environ.get("SDL_VIDEODRIVER", "offscreen"), "HOME": folder}
        if cache:
            env |= {"PYTHONPYCACHEPREFIX": cache, "PYTHONDONTWRITEBYTECODE": ""}
        command = [sys.executable, "-m", "benchmarks.window", name, folder, *map(str, size), *args]
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT, env=env)
    return json.loads(done.stdout.splitlines()[-1])


def start_rows() -> Iterator[Row]:
    """Yield the time from process start to the first frame, and memory then, beside a window with nothing in it.

    Both have their byte code cached: the first run of each, which writes it, does not count.
    """
    with tempfile.TemporaryDirectory() as cache:
        warm, *pairs = [  # in turn, so that a busy moment hits both
            (child("bare", SMALL, cache=cache), child("start", SMALL, cache=cache)) for _ in range(RUNS + 1)
        ]
    for what, key, unit, aim in (
        ("start to first frame", "seconds", "s", ""),
        ("processor time of that", "cpu", "s", "; aim: 1.5 times"),
        ("memory at the first frame", "memory", "MiB", ""),
    ):
        other, mine = (statistics.median(run[key] for run in runs) for runs in zip(*pairs, strict=True))
        ratio = statistics.median(ours[key] / bare[key] for bare, ours in pairs)
        yield what, f"{mine:.3g} {unit}, {ratio:.2f} times a bare window", f"bare window: {other:.3g} {unit}{aim}"
    yield "processor time without cached byte code", f"{warm[1]['cpu']:.3g} s", f"bare window: {warm[0]['cpu']:.3g} s"


def idle_rows() -> Iterator[Row]:
    """Yield the processor time of the whole process while nobody does anything."""
    small, large = (child("idle", size, "prokonsul")["share"] for size in (SMALL, LARGE))
    yield "idle at the table, of one core", f"{small:.1%}", f"at 1280x720: {large:.1%}; aim: 3 %"


def card_rows() -> Iterator[Row]:
    """Yield the waits of a game by tags and fists on the virtual table, with the real disk and with one of 200 ms."""
    fast, slow = child("cards", SMALL, "0"), child("cards", SMALL, "0.2")
    aim = "; aim: 95 of 100 under 100 ms"
    for what, key, more in (
        ("word of a reader or button", "heard", ""),
        ("card laid", "card", ""),
        ("button pressed", "button", ""),
        ("card or button", "whole", aim),
    ):
        yield f"{what} to frame painted", _wait(fast[key]), f"200 ms disk: {_wait(slow[key])}{more}"
    yield "main thread's work a frame, by card", _work(fast["work"]), f"200 ms disk: {_work(slow['work'])}"


def finger_rows() -> Iterator[Row]:
    """Yield the wait for the frame that shows an act, and the work of frames, in random legal play by finger.

    There are ten acts a second. Beside it stands a bare Kivy window whose one label changes as often.
    """
    bare = child("label", SMALL)
    for name in games.NAMES:
        small, large = child("play", SMALL, name), child("play", LARGE, name)
        for what, text in (
            ("finger lifted to frame painted", _late),
            ("main thread's work a frame", _over),
            ("a painted frame, with its pixels", _pixels),
        ):
            yield f"{name}: {what}", text(small), f"a bare window's label: {text(bare)}\nat 1280x720: {text(large)}"


def long_rows() -> Iterator[Row]:
    """Yield the memory in the course of a long evening, all games in turn."""
    sizes = [round(size) for size in child("long", SMALL)["memory"]]
    grown = f"{sizes[-1]} MiB at the end, {sizes[-1] - sizes[1]:+} since the 500th"  # by then every game was seen once
    yield "memory over 2000 events, 100 a game", grown, f"after each 250: {', '.join(map(str, sizes))} MiB"


def _late(run: Any) -> str:
    return _wait(run["late"])


def _pixels(run: Any) -> str:
    return _wait(run["drawn"])


def _over(run: Any) -> str:
    return f"{_work(run['work'])}, {run['over']} of {run['frames']} over 50 ms"


def _wait(times: tuple[float, float, float]) -> str:
    return f"median {times[0]:.0f} ms, 95 of 100 under {times[1]:.0f} ms"


def _work(times: tuple[float, float, float]) -> str:
    return f"95 of 100 under {times[1]:.0f} ms, longest {times[2]:.0f} ms"
