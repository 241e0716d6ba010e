"""A window run as a service: `python -m tests.ui.windows.window_service FOLDER`. Ends with 0 if all went well.

Minutes pass when they are told to, the disk answers when it may, and the computer is only asked to switch off.
"""

import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from threading import Event
from typing import Any

from companion.dialogues.services import Services
from companion.play.evening import Evening
from companion.record.store import Store
from companion.rules.readings import POWER, Press
from companion.system.service import Machine, Service
from companion.system.updates import ASK, ASKED, SAID, Updates
from drivers.backlight import Backlight
from tests.support.timeouts import waiting
from tests.ui.windows.window_wake import TABLE, slow
from ui import window

DONE = object()


class Table:
    """The app as `run` starts it, the manager's socket, a backlight in a folder, and what was asked of the computer."""

    def __init__(self, folder: Path) -> None:
        window.configure(window.read({"width": 800, "height": 480}))
        self.folder = folder
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(str(folder / "notify"))
        self.manager.setblocking(False)
        service = Service({"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "20000"})
        self.power = folder / "sys/class/backlight/rpi/bl_power"
        self.power.parent.mkdir(parents=True)
        self.power.write_text("0")
        self.may = Event()
        self.may.set()
        slow(self.may)
        self.store = Store(folder / "store.sqlite3")
        self.evening = Evening(self.store)
        self.asked: list[str] = []
        self.refuses = ""
        self.now = 0.0
        self.heard: list[str] = []
        self.steps = script(self)
        self.ready_after: list[bool] = []
        """For each frame that was shown: whether the manager had heard before that the table is up."""
        light = Backlight(folder).light
        self.machine = Machine(light, self._asking("off"), self._asking("restart"), service=service)

    def _asking(self, what: str) -> Callable[[], str]:
        def ask() -> str:
            assert self.store.saved or self.store.trouble, "the game is on disk first"
            self.asked.append(what)
            return self.refuses

        return ask

    def connect(self) -> Generator[None]:
        from kivy.app import App
        from kivy.clock import Clock

        self.app: Any = App.get_running_app()
        self.app.blank._clock = lambda: self.now
        self.app.blank._since = 0.0
        Clock.schedule_interval(self._step, 0)
        yield

    def _step(self, _: float) -> bool:
        self.listen()  # a socket that is full takes nothing more
        return next(self.steps, DONE) is not DONE

    def listen(self) -> list[str]:
        """All that the manager has heard."""
        try:
            while True:
                self.heard += self.manager.recv(4096).decode().split("\n")
        except BlockingIOError:
            return self.heard

    def finger(self, tap: Any, event: str) -> None:
        from kivy.core.window import Window

        x, y = tap.to_window(*tap.center)
        Window.dispatch(event, x, Window.height - y, "left", [])

    def touch(self, tap: Any) -> None:
        self.app.shell._turned = -1.0
        self.finger(tap, "on_mouse_down")
        self.finger(tap, "on_mouse_up")

    def press(self, seat: str) -> None:
        for down in (True, False):
            self.evening.devices.inbox.put(Press(seat, down, 0))

    @property
    def lit(self) -> bool:
        return self.power.read_text() == "0"

    def pixels(self) -> set[bytes]:
        """The colours of the frame that is there."""
        from kivy.core.window import Window
        from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glReadPixels

        width, height = Window.size
        read = glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE)
        return {bytes(read[at : at + 3]) for at in range(0, len(read), 3 * 997)}


def until(true: Callable[[], object]) -> Iterator[None]:
    yield from waiting(true)


def script(table: Table) -> Iterator[None]:
    """Yields until the next frame."""
    yield from until(lambda: "READY=1" in table.listen())
    assert table.ready_after[:2] == [False, False], "the first frame may have been lost"
    yield from is_drawn_again(table)
    yield from until(lambda: table.listen().count("WATCHDOG=1") > 3)
    assert "STATUS=no game is being played" in table.heard
    yield from goes_dark(table)
    yield from stays_lit(table)
    yield from is_updated(table)
    yield from is_switched_off(table)
    os.kill(os.getpid(), signal.SIGTERM)


def is_drawn_again(table: Table) -> Iterator[None]:
    """A still page whose picture was lost comes back, though nobody touches it and nothing happens."""
    from kivy.core.window import Window
    from kivy.graphics.opengl import GL_COLOR_BUFFER_BIT, glClear, glClearColor

    drawn: list[set[bytes]] = []

    def flipped(_: Any) -> None:
        drawn.append(table.pixels())
        glClearColor(0, 0, 0, 1)
        glClear(GL_COLOR_BUFFER_BIT)

    Window.bind(on_flip=flipped)
    yield from until(lambda: len(drawn) > 3)  # by then all that comes behind the first frame has come
    assert all(len(colours) > 1 for colours in drawn)
    Window.unbind(on_flip=flipped)


def darkened(table: Table) -> Iterator[None]:
    table.now += 601
    yield from until(lambda: not table.lit)
    assert table.app.blank.parent


def gone(table: Table) -> Iterator[None]:
    """The cover goes a little after the finger."""
    yield from until(lambda: table.app.blank.parent is None)


def goes_dark(table: Table) -> Iterator[None]:
    from kivy.core.window import Window

    app, drawn = table.app, [set[bytes]()]

    def flipped(_: Any) -> None:
        drawn.append(table.pixels())

    table.now += 599
    for _ in range(3):
        yield
    assert table.lit
    yield from darkened(table)
    Window.bind(on_flip=flipped)
    app.go("start")
    yield from until(lambda: drawn[-1] == {b"\0\0\0"})
    new = app.page.new
    table.finger(new, "on_mouse_down")
    yield from until(lambda: table.lit)
    table.finger(new, "on_mouse_up")
    table.touch(new)  # its ghost
    yield from until(lambda: len(drawn[-1]) > 1)
    Window.unbind(on_flip=flipped)
    assert app.page.name == "start", "and does nothing else"
    yield from gone(table)
    table.touch(new)
    yield from until(lambda: app.page.name == "new")

    yield from darkened(table)
    Window.dispatch("on_key_down", ord("p"), 0, "p", [])
    assert table.lit
    yield from gone(table)

    yield from darkened(table)
    table.evening.devices.inbox.put(Press("red", True, 0))
    yield from until(lambda: table.lit)
    assert table.evening.devices.held == {"red"}, "a fist means what it always means"
    table.evening.devices.inbox.put(Press("red", False, 1))
    yield from gone(table)


def stays_lit(table: Table) -> Iterator[None]:
    from kivy.core.window import Window

    assert Window.allow_screensaver
    table.evening.begin(TABLE)
    table.app.go("table")
    yield from until(lambda: "STATUS=prokonsul is being played" in table.listen())
    for _ in range(3):
        table.now += 36_000
        yield
    assert table.lit and table.app.blank.parent is None
    assert not Window.allow_screensaver
    table.app.go("menu")
    table.now += 36_000
    yield
    assert table.lit


def is_updated(table: Table) -> Iterator[None]:
    """By finger: a game is put away, a release is found, wanted with a second touch, and its installing is told."""
    app, root = table.app, table.folder / "root"
    (root / ASKED).mkdir(parents=True)
    app.services.updates = updates = Updates(root)
    app.evening.playing = updates.playing
    updates.playing(True)
    app.pages.pop("hardware", None)
    played = app.evening.match.number

    def asked() -> dict[str, Any]:
        found: dict[str, Any] = json.loads((root / ASKED / ASK).read_text(encoding="utf-8"))
        return found

    def says(state: str, **more: Any) -> None:
        (root / SAID).write_text(json.dumps({"number": asked()["number"], "state": state} | more), encoding="utf-8")

    def tap(act: str) -> Any:
        return next((tap for tap in app.page.taps if act in tap.words.text), None)

    def touched(act: str) -> Iterator[None]:
        yield from until(lambda: tap(act))
        yield from laid_out()
        tap(act)._acted = -1.0
        table.touch(tap(act))

    def laid_out() -> Iterator[None]:
        for _ in range(3):
            yield

    app.go("hardware")
    yield from until(lambda: any(getattr(of, "words", None) and of.words.text == "Update" for of in app.page.walk()))
    yield from laid_out()
    table.touch(updating(app))
    yield from until(lambda: app.page.name == "update")
    says("done", offers=[{"place": "/media/sda1/new", "version": "0.9.0", "changes": ["Better."]}])
    yield from until(lambda: tap("Stop the game"))
    assert app.evening.match and not tap("Install")
    yield from touched("Stop the game")
    yield from until(lambda: app.evening.match is None and asked()["number"] > 1)
    says("done", offers=[{"place": "/media/sda1/new", "version": "0.9.0", "changes": ["Better."]}])
    yield from touched("Install 0.9.0")
    yield from until(lambda: tap("Yes, now"))
    assert asked()["act"] == "look", "one touch puts nothing in place"
    yield from touched("Yes, now")
    yield from until(lambda: asked()["act"] == "take")
    assert asked()["place"] == "/media/sda1/new"
    says("working", step="install", version="0.9.0")
    yield from until(lambda: any("0.9.0 is being installed" in getattr(of, "text", "") for of in said(app)))
    assert not app.page.taps, "and nothing else can be asked meanwhile"
    says("failed", text="the disk is gone")
    yield from until(lambda: any("the disk is gone" in of.text for of in said(app)))
    app.services.updates = None
    app.go("start")
    app.evening.resume(played)
    app.go("table")


def updating(app: Any) -> Any:
    return next(of for of in app.page.walk() if getattr(of, "words", None) and of.words.text == "Update")


def said(app: Any) -> list[Any]:
    return [of.text for of in app.page.flow.walk() if hasattr(of, "text") and hasattr(of.text, "text")]


def is_switched_off(table: Table) -> Iterator[None]:
    app = table.app

    def off() -> Any:
        return app.page.taps[0] if app.page.taps else None

    def notes() -> str:
        return " ".join(of.text for of in said(app))

    def touched() -> None:
        off()._acted = -1.0
        table.touch(off())

    table.press(POWER)
    yield from until(lambda: app.page.name == "power" and off() and off().width > 200)  # and it is laid out
    assert table.asked == []
    table.refuses = "Interactive authentication required."
    app.shell._turned = -1.0
    pressed = off()
    table.finger(pressed, "on_mouse_down")
    app.paint()  # a device has news
    table.finger(pressed, "on_mouse_up")
    yield from until(lambda: "authentication" in notes() and off() and off().width > 200)
    table.refuses = ""

    table.may.clear()
    assert app.act({"event": "province", "province": "asia"}) == ""
    table.press(POWER)
    yield from until(lambda: "Saving" in notes())
    for _ in range(5):
        yield
    assert table.asked == ["off"], "it waits for the disk"
    table.may.set()
    yield from until(lambda: len(table.asked) == 2)
    yield from until(lambda: "being switched off" in notes())
    assert not app.page.taps

    app.pages.pop("power")
    app.go("power")
    yield from until(lambda: off() and off().width > 200 and app.evening.saved)  # what is written well ends a trouble
    table.store.trouble = "The disk is full."
    touched()
    yield from until(lambda: "lost" in notes() and off() and off().width > 200)
    assert table.asked == ["off", "off"]
    touched()
    yield from until(lambda: len(table.asked) == 3)
    table.store.trouble = None
    assert table.asked == ["off"] * 3
    assert [tap.words.text for tap in app.page.taps] in ([], ["Switch off", "Restart"])


def main(folder: Path) -> None:
    table = Table(folder)
    from kivy.core.window import Window

    from ui.app import run

    def shown(_: Any) -> None:
        table.ready_after.append("READY=1" in table.listen())

    Window.bind(on_flip=shown)  # before the app does: what it holds back does not come here

    run(table.evening, table.connect, {"width": 800, "height": 480}, Services(table.machine))
    table.listen()
    table.machine.service.stopping()
    table.store.close()
    assert table.listen()[-1] == "STOPPING=1"
    assert next(table.steps, DONE) is DONE, "it was closed too early"
    print("switched off")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
