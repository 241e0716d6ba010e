"""The children of the screen's figures, each a process with a window:
`python -m benchmarks.window NAME FOLDER WIDTH HEIGHT [MORE …]`."""

from __future__ import annotations

import time

BEGAN = time.perf_counter()

import json  # noqa: E402 - the clock starts before anything is loaded
import resource  # noqa: E402
import sys  # noqa: E402
from collections.abc import Callable  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import TYPE_CHECKING, Any  # noqa: E402

if TYPE_CHECKING:
    from kivy.app import App

    from companion.play.devices import Word

IDLE = 10.0
"""How long an idle table is watched, in s."""


SETTLED = 60
"""Frames after which all that waits for the first frame has been loaded."""


def report(**figures: Any) -> None:
    print(json.dumps(figures))


def configure(width: int, height: int) -> None:
    from ui import window

    window.configure(window.read({"width": width, "height": height}))


# -- the start --------------------------------------------------------------------------------------------------


def bare() -> None:
    """Run the smallest Kivy program: one empty widget, configured as ours is, with Kivy's own widget styles."""
    from kivy.app import App
    from kivy.uix.widget import Widget

    class Bare(App):
        def build(self) -> Any:
            _at_first_frame(self.stop)
            return Widget()

    Bare().run()


def start(folder: Path, width: int, height: int) -> None:
    """Start Tabularium as from the command line, on a virtual table, up to the start page."""
    config = folder / "config.yaml"
    config.write_text(f"data: {folder}\nscreen: {{width: {width}, height: {height}}}\n", encoding="utf-8")
    import ui.app
    from companion import cli

    class App(ui.app.TableApp):
        def on_start(self) -> None:
            super().on_start()
            _at_first_frame(self.stop)

    ui.app.TableApp = App  # type: ignore[misc]
    sys.exit(cli.main(["--config", str(config)]))


def _at_first_frame(stop: Callable[[], object]) -> None:
    from kivy.core.window import Window

    def flipped(*_: Any) -> None:
        Window.unbind(on_flip=flipped)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        report(seconds=time.perf_counter() - BEGAN, cpu=time.process_time(), memory=memory)
        stop()

    Window.bind(on_flip=flipped)


# -- the table --------------------------------------------------------------------------------------------------


class Frames:
    """The cost of an app's frames."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.work: list[float] = []
        """The main thread's processor time for each frame, in ms."""
        self.drawn: list[float] = []
        """How long each frame took until its pixels were there, in ms."""
        self.awaited: list[tuple[Callable[[], object], Callable[[float], object]]] = []
        """What a frame is to show, and a callback: it is called once, with the time at which the pixels are there."""
        self._cpu, self._began = time.thread_time(), time.perf_counter()

    def run(self, step: Callable[[], object]) -> None:
        """Run the app; call `step` before every frame after the first `SETTLED`."""
        from kivy.clock import Clock
        from kivy.core.window import Window

        def before(_: float) -> None:
            cpu = time.thread_time()
            self.work.append((cpu - self._cpu) * 1e3)
            self._cpu, self._began = cpu, time.perf_counter()
            if len(self.work) > SETTLED:
                step()

        Clock.schedule_interval(before, 0)
        Window.bind(on_flip=self._after)
        self.app.run()

    def _after(self, *_: Any) -> None:
        from kivy.graphics.opengl import glFinish

        glFinish()  # without a display nobody waits for the pixels
        self.drawn.append((time.perf_counter() - self._began) * 1e3)
        self._painted()

    def _painted(self) -> None:
        now = time.perf_counter()
        for one in [one for one in self.awaited if one[0]()]:
            self.awaited.remove(one)
            one[1](now)


class Watched(Frames):
    """An evening at a virtual table in a window."""

    def __init__(self, folder: Path) -> None:
        from companion.cli.virtual import VirtualDock, virtual_deck
        from companion.play.evening import Evening
        from companion.play.lamps import lit
        from companion.record.store import Store
        from companion.rules.cards import DECK, PAWNS
        from drivers.virtual.rig import VirtualRig
        from ui.app import TableApp

        deck = virtual_deck()
        self.store = Store(folder / "store.sqlite3")
        self.evening = Evening(self.store, {tag: DECK[card] for card, tag in deck.items()})
        self.heard = 0.0
        """When the last word of the hardware was put into the queue."""
        self.rig = VirtualRig(PAWNS, self._hear)
        self.dock = VirtualDock(self.rig, deck)
        super().__init__(TableApp(self.evening, self.dock))
        self.evening.port.subscribe(lit(self.rig.show))

    def _hear(self, word: Word) -> None:
        self.heard = time.perf_counter()
        self.evening.devices.inbox.put(word)

    def run(self, step: Callable[[], object]) -> None:
        super().run(step)
        self.rig.close()
        self.store.close()


def idle(folder: Path, game: str) -> None:
    """Report the share of a core that the whole process takes while nobody does anything at the table."""
    from benchmarks.evening import header

    watched = Watched(folder)
    began: list[tuple[float, float]] = []

    def step() -> None:
        if not watched.evening.match:
            watched.evening.begin(header(game))
            watched.app.go("table")
        elif len(watched.work) == 2 * SETTLED:
            began.append((time.perf_counter(), time.process_time()))
        elif began and time.perf_counter() - began[0][0] >= IDLE:
            wall, cpu = began[0]
            report(share=(time.process_time() - cpu) / (time.perf_counter() - wall))
            watched.app.stop()

    watched.run(step)


def main(name: str, folder: Path, width: int, height: int, *more: str) -> None:
    if name == "start":
        start(folder, width, height)
        return
    configure(width, height)
    if name == "bare":
        bare()
        return
    from benchmarks import evening, phones

    parts: dict[str, Callable[..., None]] = {"idle": idle, "cards": evening.cards, "play": evening.play}
    parts |= {"long": evening.long, "label": evening.label, "phones": phones.play}
    parts[name](folder, *more)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), *sys.argv[5:])
