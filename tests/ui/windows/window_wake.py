"""A window whose clock stands still, so that only what wakes it is heard and shown: `python -m tests.ui.windows.window_wake FOLDER`.

The disk answers when it is allowed to. Ends with 0 if all went well.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

from companion.play.evening import Evening
from companion.record.store import Store
from companion.record.store.database import Database
from companion.rules.readings import Health
from tests.support.timeouts import waiting
from ui import window

NEVER = 1e-6
"""Frames a second."""
DONE = object()
TABLE = {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"], "options": {"negotiation": "free"}}


def slow(may: Event) -> None:
    """Lets every database write only while it may."""
    write = Database.write

    def waiting(db: Database, works: Any) -> None:
        may.wait()
        write(db, works)

    Database.write = waiting  # type: ignore[method-assign, assignment]


def aside(call: Callable[[], object]) -> None:
    """From a thread, as drivers and the disk do."""
    Thread(target=call, daemon=True).start()


class Watched:
    """The app, and what each frame that was drawn showed: how many receipts."""

    def __init__(self, folder: Path) -> None:
        window.configure(window.read({"width": 800, "height": 480}))
        from kivy.core.window import Window

        import ui.app

        self.window = Window
        self.may = Event()
        self.may.set()
        slow(self.may)
        self.store = Store(folder / "store.sqlite3")
        self.evening = Evening(self.store)
        self.frames: list[int] = []
        self.steps = script(self)

        class App(ui.app.TableApp):
            def _tick(app, dt: float) -> None:  # noqa: N805
                super()._tick(dt)
                if next(self.steps, DONE) is DONE:
                    app.stop()

        self.app = App(self.evening)
        Window.bind(on_flip=self._drawn)  # before the app does: what it holds back does not come here

    def _drawn(self, _: Any) -> None:
        self.frames.append(len(self.app.match.log) if self.evening.match else 0)
        self.evening.woken()

    def say(self, device: str) -> None:
        aside(lambda: self.evening.devices.inbox.put(Health(device, True)))

    def touch(self, tap: Any) -> None:
        """A finger on a button, as the window hands it on."""
        x, y = tap.to_window(*tap.center)
        for event in ("on_mouse_down", "on_mouse_up"):
            self.window.dispatch(event, x, self.window.height - y, "left", [])


def script(watched: Watched) -> Iterator[None]:
    """Yields until the app has listened again."""
    from kivy.clock import Clock

    evening, app, frames = watched.evening, watched.app, watched.frames
    evening.begin(TABLE)
    app.go("table")
    for _ in range(60):  # what comes behind the first frame
        yield
    Clock._max_fps = NEVER
    yield from heard_at_once(watched, "reader centre")

    patience, app._soon.timeout = app._soon.timeout, 1e6
    watched.may.clear()
    shown = len(app.match.log)
    assert app.act({"event": "province", "province": "asia"}) == ""
    frames.clear()
    yield from heard_at_once(watched, "reader red")  # the main thread waits for nothing
    assert evening.waiting
    assert frames == [], "a frame is held back for the disk"
    aside(watched.may.set)
    yield from waiting(lambda: frames)
    assert frames[0] == shown + 1, "the first frame shows the act"

    app._soon.timeout = patience
    watched.may.clear()
    shown = len(app.match.log)
    assert app.act({"event": "choose", "seat": "red", "card": "red 3"}) == ""
    frames.clear()
    app.go("settings")
    yield from waiting(lambda: frames)
    watched.app.shell._turned = -1.0
    assert frames[-1] == shown, "nothing is shown that is not safe"
    yield from finger_heard(watched)
    assert evening.waiting
    assert set(frames) == {shown}
    aside(watched.may.set)
    while evening.waiting:
        yield
    assert len(app.match.log) == shown + 1


def heard_at_once(watched: Watched, device: str) -> Iterator[None]:
    watched.say(device)
    while device not in watched.evening.devices.health:
        yield


def finger_heard(watched: Watched) -> Iterator[None]:
    watched.touch(watched.app.page.spine.slots[0])
    while watched.app.page.name == "settings":
        yield


def main(folder: Path) -> None:
    watched = Watched(folder)
    watched.app.run()
    watched.store.close()
    print("awake")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
