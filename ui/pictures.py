"""`python -m ui.pictures OUTDIR`: every page at the three sizes, from a scripted game; `docs`: those of the README."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from ui.rehearsal import Counter, evening
from ui.scenes import scenes

SIZES = ((800, 480), (1280, 720), (720, 1280))
DOCS = "docs"


def stage(size: tuple[int, int], look: str = "light", lang: str = "en") -> Any:
    """An app in a window of this size, not yet running."""
    from ui import window

    screen = window.Screen(width=size[0], height=size[1], theme=look)
    window.configure(screen)
    from kivy.config import Config

    Config.set("graphics", "maxfps", "0")  # nobody watches: as fast as it goes
    from ui.app import TableApp

    table = evening()
    table.lang = lang
    app = TableApp(table, Counter(table), screen=screen)
    app._run_prepare()
    return app


def settle(app: Any, frames: int = 8) -> None:
    """Lets the clock run, without drawing, until the page is laid out and every movement has ended."""
    from kivy.animation import Animation
    from kivy.clock import Clock

    for _ in range(frames):
        app._tick(0)
        Clock.tick()
        Clock.tick_draw()
    while Animation._instances:
        Clock.tick()


def take(outdir: Path, size: tuple[int, int], look: str, lang: str) -> None:
    app = stage(size, look, lang)
    for name in scenes(app):
        settle(app)
        shoot(app, outdir / f"{name}-{size[0]}x{size[1]}.png")


def choose(outdir: Path, size: tuple[int, int], look: str) -> None:
    """Only the pictures of the README that have this size and look."""
    app = stage(size, look)
    wanted = CHOSEN[size, look]
    for name in scenes(app):
        settle(app)
        if name in wanted:
            shoot(app, outdir / f"{wanted[name]}.png")


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


def shoot(app: Any, file: Path) -> None:
    from kivy.base import EventLoop

    EventLoop.idle()
    app.root.export_to_png(str(file))


def main(outdir: str, wide: str = "", high: str = "", look: str = "light", lang: str = "en") -> None:
    """With a size: this size, in this process; without one: each size in a process of its own."""
    Path(outdir).mkdir(parents=True, exist_ok=True)
    size = (int(wide), int(high)) if wide else None
    if size and outdir == DOCS:
        choose(Path(outdir), size, look)
    elif size:
        take(Path(outdir), size, look, lang)
    else:
        for one, its_look in CHOSEN if outdir == DOCS else [(size, "light") for size in SIZES]:
            subprocess.run([sys.executable, "-m", "ui.pictures", outdir, *map(str, one), its_look], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
