"""The set-up's pages in a window of their own, led through by fingers and by emulated devices.

`python -m tests.ui.windows.window_set_up FOLDER SIZE [LANG] [TEXT] [OUTDIR]` prints what does not fit, and what came of it. A
config.yaml is written in FOLDER.
"""

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from companion.cli.setup_session import SetUpSession
from companion.hardware.settings import Settings
from companion.hardware.wizard.walk import FINGER_MS
from companion.rules.readings import now
from drivers.virtual.setup_hardware import VirtualSetupHardware
from tests.support.timeouts import waiting
from tests.ui.windows import window_geometry as ui_geometry
from tools import pictures
from tools.scenes.rehearsal import evening
from ui import theme


class Leader:
    """Leads through the pages; looks at each, and takes its picture where there is a place for it."""

    def __init__(self, app: Any, outdir: str, called: str) -> None:
        self.app, self.outdir, self.called = app, outdir, called
        self.unit = min(app.root.size) / theme.DESIGN
        self.problems: dict[str, list[str]] = {}
        self.count = 0

    def see(self, name: str) -> None:
        pictures.settle(self.app)
        if wrong := list(ui_geometry.problems(self.app.root, self.unit)):
            self.problems[name] = wrong
        if self.outdir:
            self.count += 1
            pictures.shoot(self.app, Path(self.outdir) / f"{self.count:02}-{name}-{self.called}.png")

    def until(self, done: Callable[[], object]) -> None:
        """Lets the window run until this has come about."""
        from kivy.base import EventLoop
        from kivy.core.window import Window

        for _ in waiting(done, self.told):
            Window.mainloop()  # what SDL has to say
            EventLoop.idle()

    def tap(self, tap: Any) -> None:
        assert tap.parent and not tap.disabled, tap
        tap._acted = -1.0  # no ghost
        tap.dispatch("on_release")
        pictures.settle(self.app)

    def told(self) -> str:
        return " ".join(str(getattr(widget, "text", "")) for widget, _ in ui_geometry.visible(self.app.page))


class Play:
    """The whole set-up once: three colours, a button on the Pi, one at the hub, and a reader."""

    def __init__(self, path: Path, set_up: SetUpSession, opened: list[Settings], lead: Leader) -> None:
        self.path, self.set_up, self.opened = path, set_up, opened
        self.lead, self.app = lead, lead.app
        self.found: dict[str, Any] = {"first": self.app.page.name, "path": str(path)}

    @property
    def hand(self) -> VirtualSetupHardware:
        assert self.set_up.hand
        return self.set_up.hand

    @property
    def desk(self) -> Any:
        return self.set_up.desk

    def run(self) -> dict[str, Any]:
        self.look()
        self.press()
        self.lay()
        self.see()
        self.write()
        return self.found | {"problems": self.lead.problems}

    def look(self) -> None:
        lead, app = self.lead, self.app
        app.go("hardware")
        lead.see("hardware")
        app.go("set_up")
        lead.see("welcome")
        lead.tap(app.page.look)
        lead.until(lambda: app.page.thread is None)
        for _ in waiting(lambda: any(hub.box.hub for hub in self.desk.walk.found.hubs), lead.told):
            lead.tap(app.page.again)  # on a busy machine the emulated hub may still be starting
            lead.until(lambda: app.page.thread is None)
        lead.see("found")
        lead.tap(app.page.on)
        lead.see("seats")
        for seat in ("purple", "yellow"):
            lead.tap(app.page.taps[seat])
        lead.tap(app.page.on)

    def press(self) -> None:
        lead, hand, desk = self.lead, self.hand, self.desk
        lead.see("button")
        hand.hold("GPIO 5")
        lead.until(lambda: self._held("GPIO 5"))
        lead.see("down")
        hand.let_go("GPIO 5")
        lead.until(lambda: desk.walk.step.seat == "blue")
        lead.see("next")
        self._press("GPIO 5")
        lead.see("refused")
        self._press("box1 place 0")
        assert hand.cable
        hand.cable.unplug()
        lead.until(lambda: desk.walk.ill)
        lead.see("unplugged")
        self.found["ill"] = dict(desk.walk.ill)
        hand.cable.plug()
        lead.until(lambda: not desk.walk.ill)
        lead.tap(self.app.page.skip)

    def _held(self, source: str) -> bool:
        down = self.desk.walk.down
        return source in down and now() - down[source] > FINGER_MS

    def _press(self, source: str) -> None:
        before = self.desk.walk.told
        self.hand.hold(source)
        self.lead.until(lambda: self._held(source))
        self.hand.let_go(source)
        self.lead.until(lambda: source not in self.desk.walk.down and self.desk.walk.told is not before)

    def lay(self) -> None:
        lead, page = self.lead, self.app.page
        for source in ("SPI0.1", "SPI0.0"):
            self.hand.lay(source)
            lead.until(partial(self._laid, source))
            self.hand.lift(source)
        lead.see("reader")
        lead.tap(page.spine.slots[0])
        lead.tap(page.nobody)
        lead.see("lamps")
        lead.tap(page.yes)

    def _laid(self, source: str) -> bool:
        return source in self.desk.walk.answers.readers.values()

    def see(self) -> None:
        lead, app = self.lead, self.app
        lead.see("done")
        lead.tap(app.page.file)
        lead.see("file")
        self.found["file"] = lead.told()
        lead.tap(app.page.spine.slots[0])
        lead.tap(app.page.drawing)
        lead.see("drawing")
        app.page.drawing._tap(app.page.drawing.center)
        lead.see("drawing-near")
        lead.tap(app.page.spine.slots[0])
        app.rebuild()
        lead.see("turned")
        self.found["turned"] = app.page.name

    def write(self) -> None:
        """A rehearsal writes nothing: here it is made to, at first where that cannot be."""
        lead, app, desk = self.lead, self.app, self.desk
        app.go("set_up_done")
        desk.path = Path("/proc/nowhere/config.yaml")
        app.page.show()
        lead.see("writes")
        lead.tap(app.page.write)
        lead.see("unwritable")
        self.found["unwritable"] = app.page.name
        desk.path = self.path
        app.go("set_up_done")
        lead.tap(app.page.write)
        lead.see("written")
        self.found["note"] = app.page.sub.text
        self.found |= {"page": app.page.name, "over": self.desk is None, "opened": len(self.opened)}


def stage(size: pictures.Size, lang: str, text: str, set_up: SetUpSession) -> Any:
    """An app whose table has never been set up, in a window of this size."""
    from ui import window

    screen = window.Screen(width=size[0], height=size[1], text=text)
    window.configure(screen)
    from kivy.config import Config

    Config.set("graphics", "maxfps", "0")
    from ui.app import TableApp

    table = evening()
    table.lang = lang
    app = TableApp(table, screen=screen, set_up=set_up)
    app._run_prepare()
    return app


def main(folder: str, size: str, lang: str = "en", text: str = "normal", outdir: str = "") -> None:
    if lang == "long":
        ui_geometry.stretch()
    path = Path(folder) / "config.yaml"
    opened: list[Settings] = []

    def note(settings: Settings) -> None:
        opened.append(settings)

    set_up = SetUpSession(argparse.Namespace(virtual="table", config=path), Settings(), opened.clear, note, first=True)
    app = stage(pictures.size(size), lang, text, set_up)
    play = Play(path, set_up, opened, Leader(app, outdir, f"{lang}-{text}-{size}"))
    try:
        print(json.dumps(play.run(), ensure_ascii=False))
    finally:
        set_up.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
