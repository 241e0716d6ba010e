"""How fast the screen is: start-up and memory beside a bare Kivy window, and frames beside a slow disk."""

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

ROOT = Path(__file__).parent.parent
RUNS = 5


def _child(name: str, *args: str) -> Any:
    """What a child process printed last, as JSON; each has a window of its own."""
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"SDL_VIDEODRIVER": os.environ.get("SDL_VIDEODRIVER", "offscreen"), "HOME": folder}
        command = [sys.executable, "-m", "benchmarks.window", name, folder, *args]
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT, env=env)
    return json.loads(done.stdout.splitlines()[-1])


def start_rows() -> Iterator[tuple[str, str, str]]:
    """From the start of the process to the first frame, and memory then, beside a window with nothing in it."""
    bare, ours = [], []
    for _ in range(RUNS):  # in turn, so that a busy moment hits both
        bare.append(_child("bare"))
        ours.append(_child("start"))
    seconds = [statistics.median(run["seconds"] for run in runs) for runs in (ours, bare)]
    memory = [statistics.median(run["memory"] for run in runs) for runs in (ours, bare)]
    ratio = statistics.median(o["seconds"] / b["seconds"] for o, b in zip(ours, bare, strict=True))
    yield (
        "start to first frame",
        f"{seconds[0]:.2f} s, {ratio:.2f} times a bare window",
        f"bare window: {seconds[1]:.2f} s",
    )
    yield "memory at the first frame", f"{memory[0]:.0f} MiB, {memory[0] / memory[1]:.2f} times", f"{memory[1]:.0f} MiB"


def frame_rows() -> Iterator[tuple[str, str, str]]:
    """A game by tags on the virtual table: from tag laid to frame painted, with a fast and with a 200 ms disk."""
    fast, slow = _child("frames", "0"), _child("frames", "0.2")
    for what, run, other in (("200 ms disk", slow, fast),):
        yield (
            f"tag laid to frame painted, {what}",
            f"median {run['shown'][0]:.0f} ms, 95 of 100 under {run['shown'][1]:.0f} ms",
            f"disk as it is: median {other['shown'][0]:.0f} ms, 95 of 100 under {other['shown'][1]:.0f} ms",
        )
        yield (
            f"main thread's work a frame, {what}",
            f"95 of 100 under {run['frame'][1]:.1f} ms, longest {run['frame'][2]:.1f} ms",
            f"disk as it is: 95 of 100 under {other['frame'][1]:.1f} ms, longest {other['frame'][2]:.1f} ms",
        )
