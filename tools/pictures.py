"""`python -m tools.pictures OUTDIR`: every page as a picture, from scripted games; `--help` says how to take fewer."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion.rules.words import LANGUAGES
from tools.scenes.every import scenes
from tools.scenes.rehearsal import Counter, evening

if TYPE_CHECKING:
    from ui.app import TableApp

if not os.environ.keys() & {"DISPLAY", "WAYLAND_DISPLAY"}:
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")  # before kivy looks: elsewhere a window has another size

Size = tuple[int, int]

SIZES: tuple[Size, ...] = ((800, 480), (1280, 720), (720, 1280))
LOOKS = ("light", "dark")
TEXTS = ("normal", "large")


def stage(size: tuple[int, int], look: str = "light", lang: str = "en", text: str = "normal") -> TableApp:
    """Return an app in a window of this size, not yet running."""
    from ui import window

    screen = window.Screen(width=size[0], height=size[1], theme=look, text=text)
    window.configure(screen)
    from kivy.clock import Clock

    from ui.app import TableApp

    Clock._max_fps = 0  # nobody watches: as fast as it goes

    table = evening()
    table.lang = lang
    app = TableApp(table, Counter(table), screen=screen)
    app._run_prepare()
    gc.freeze()
    gc.set_threshold(1_000_000, 1_000, 1_000)  # every page is opened, and nobody counts the memory
    atexit.register(gc.freeze)  # collecting took a third of the time, mostly at the end
    return app


def settle(app: TableApp, frames: int = 8) -> None:
    """Run the clock, without drawing, until the page is laid out and every movement has ended."""
    from kivy.clock import Clock

    from ui.widgets.motion import motions

    for _ in range(frames):
        app._tick(0)
        motions.end()
        Clock.tick()
        Clock.tick_draw()


CHOSEN = {
    ((800, 480), "light"): {
        "bought": "table",
        "mercator-middle": "mercator",
        "spartacus-middle": "spartacus",
        "hannibal-middle": "hannibal",
    },
    ((480, 800), "dark"): {"caesar-middle": "caesar"},
}
"""By size and look: which scenes the README shows, and under what name."""


def shoot(app: TableApp, file: Path) -> None:
    from kivy.base import EventLoop

    EventLoop.idle()
    app.root.export_to_png(str(file))


def take(asked: argparse.Namespace) -> int:
    """Take the pictures of one size in this process; return how many."""
    (size,), count = asked.size, 0
    app = stage(size, asked.look, asked.lang, asked.text)
    for scene in scenes(app, asked.game):
        if name := called(scene, asked):
            settle(app)
            shoot(app, asked.outdir / f"{name}.png")
            count += 1
        else:
            app._tick(0)  # what was laid on the table is heard, and the play goes on
    return count


PAGES = "prokonsul"
"""Whose scenes go by the name of what they show, as the pages' do that belong to no game."""


def called(scene: str, asked: argparse.Namespace) -> str:
    """Return the name of a scene's picture, "" where there is to be none."""
    (size,) = asked.size
    if asked.docs:
        return CHOSEN.get((size, asked.look), {}).get(scene, "")
    fits = asked.game in ("", game_of(scene)) and any(fnmatch(scene, pattern) for pattern in asked.only)
    return f"{scene}-{size[0]}x{size[1]}" if fits else ""


def game_of(scene: str) -> str:
    return next((name for name in names() if scene.startswith(f"{name}-")), PAGES)


@cache
def names() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(game.name for game in evening().games)


def size(text: str) -> Size:
    """Return the two numbers of a text like 800x480. Raises ArgumentTypeError."""
    found = re.fullmatch(r"([1-9]\d{1,3})x([1-9]\d{1,3})", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is no size: write it as 800x480.")
    return int(found[1]), int(found[2])


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        usage="python -m tools.pictures OUTDIR [--only GLOB …] [--game NAME] [--size WxH …] [--look LOOK] [--lang LANG]"
        " [--text SIZE]",
        description="Takes a picture of every page from scripted games.",
        epilog="Example: python -m tools.pictures screenshots --only 'caesar-*' --size 480x800 --lang de",
    )
    top.add_argument("outdir", type=Path, metavar="OUTDIR", help="where the pictures go")
    sizes = ", ".join(f"{wide}x{high}" for wide, high in SIZES)
    top.add_argument("--size", type=size, nargs="+", metavar="WxH", help=f"one or several sizes (default: {sizes})")
    top.add_argument("--look", choices=LOOKS, default="light", help="the palette (default: light)")
    top.add_argument("--lang", choices=list(LANGUAGES), default="en", help="the language (default: en)")
    top.add_argument("--text", choices=TEXTS, default="normal", help="the size of the text (default: normal)")
    top.add_argument("--only", nargs="+", default=["*"], metavar="GLOB", help="only scenes of these names: 'caesar-*'")
    top.add_argument("--game", choices=names(), default="", help="only one game's scenes")
    top.add_argument("--docs", action="store_true", help="only the README's pictures, under the names they have there")
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Take one size in this process, several in a process each; return 2 where there is nothing to take."""
    asked = parser().parse_args(argv)
    asked.outdir.mkdir(parents=True, exist_ok=True)
    if asked.size and len(asked.size) == 1:
        count = take(asked)
        if not count:
            print("No scene has such a name.", file=sys.stderr)
        return 0 if count else 2
    shots = CHOSEN if asked.docs else [(size, asked.look) for size in asked.size or SIZES]
    return max(_in_a_process(asked, *shot) for shot in shots)


def _in_a_process(asked: argparse.Namespace, size: Size, look: str) -> int:
    command = [sys.executable, "-m", "tools.pictures", str(asked.outdir), "--lang", asked.lang, "--look", look]
    command += ["--text", asked.text]
    command += ["--size", "x".join(map(str, size)), "--only", *asked.only]
    command += ["--game", asked.game] if asked.game else []
    command += ["--docs"] if asked.docs else []
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
