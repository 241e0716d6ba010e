"""The children of the screen's figures, each a process with a window: bare, start, frames."""

from __future__ import annotations

import time

BEGAN = time.perf_counter()

import json  # noqa: E402 - the clock starts before anything is loaded
import resource  # noqa: E402
import statistics  # noqa: E402
import sys  # noqa: E402
from collections.abc import Iterator  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402


def tell(**figures: Any) -> None:
    print(json.dumps(figures))


def first_frame() -> None:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    tell(seconds=time.perf_counter() - BEGAN, memory=memory)


def bare() -> None:
    """The least a Kivy program is: one empty widget, configured as ours is."""
    from ui import window

    window.configure(window.read({"width": 1280, "height": 720}))
    from kivy.app import App
    from kivy.uix.widget import Widget

    class Bare(App):
        def build(self) -> Any:
            return Widget()

    _run(Bare())


def start(folder: Path) -> None:
    """Ours with its store and its virtual table, at the start screen."""
    app, _, _ = _table(folder)
    _run(app)


def _run(app: Any) -> None:
    from kivy.core.window import Window

    def flipped(*_: Any) -> None:
        first_frame()
        Window.unbind(on_flip=flipped)
        app.stop()

    Window.bind(on_flip=flipped)
    app.run()


def _table(folder: Path) -> tuple[Any, Any, Any]:
    from ui import window

    window.configure(window.read({"width": 1280, "height": 720}))
    from companion.cards import DECK, PAWNS
    from companion.cli import Dock, virtual_deck
    from companion.evening import Evening
    from companion.store import Store
    from drivers.virtual.rig import VirtualRig
    from ui.app import TableApp

    deck = virtual_deck()
    evening = Evening(Store(folder / "store.sqlite3"), {tag: DECK[card] for card, tag in deck.items()})
    rig = VirtualRig(PAWNS, evening.words.put)
    return TableApp(evening, Dock(rig, deck), rig.show), evening, rig


def frames(folder: Path, delay: float) -> None:
    """Cards laid on the virtual reader for ten rounds: when each is painted, and how long each frame's work is."""
    from companion.database import Database

    write = Database.write

    def slowly(db: Database, works: Any) -> None:
        time.sleep(delay)
        write(db, works)

    Database.write = slowly  # type: ignore[method-assign, assignment]
    app, evening, rig = _table(folder)
    from kivy.clock import Clock
    from kivy.core.window import Window

    shown: list[float] = []
    work: list[float] = []
    began = [0.0]
    steps = _play(app, evening, shown)

    def before(_: float) -> None:
        began[0] = time.perf_counter()
        if next(steps, "over") == "over":
            app.stop()

    def after(*_: Any) -> None:
        if began[0]:
            work.append((time.perf_counter() - began[0]) * 1000)

    Clock.schedule_interval(before, 0)
    Window.bind(on_flip=after)
    app.run()
    rig.close()
    evening.store.close()
    tell(shown=_percentiles(shown), frame=_percentiles(work))


def _percentiles(values: list[float]) -> tuple[float, float, float]:
    return statistics.median(values), statistics.quantiles(values, n=20)[-1], max(values)


def _play(app: Any, evening: Any, shown: list[float]) -> Iterator[None]:
    """Yields once a frame; ten rounds without a decision, so that every card of three hands is laid."""
    options = {"negotiation": "free", "no_decision": True}
    evening.begin({"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"], "options": options})
    app.go("table")
    evening.act({"event": "province", "province": "asia"})
    while evening.view["phase"] != "choosing":
        yield
    for rank in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12):
        for seat in ("red", "blue", "green"):
            tag = app.dock.deck[f"{seat} {rank}"]
            laid = time.perf_counter()
            app.dock.lay("centre", tag)
            while seat not in evening.view["chosen"]:
                yield
            yield  # painted with the frame that has just ended
            shown.append((time.perf_counter() - laid) * 1000)
            app.dock.lift("centre", tag)
        for event in ({"event": "reveal"}, {"event": "no_decision"}):
            evening.act(event)
        while evening.view["chosen"] or evening.view["phase"] != "choosing":
            yield


if __name__ == "__main__":
    name, folder = sys.argv[1], Path(sys.argv[2])
    if name == "bare":
        bare()
    elif name == "start":
        start(folder)
    else:
        frames(folder, float(sys.argv[3]))
