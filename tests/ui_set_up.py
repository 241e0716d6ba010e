"""The set-up's pages in a window of their own, led through by fingers and by emulated devices.

`python -m tests.ui_set_up FOLDER WIDTH HEIGHT [LANG] [TEXT] [OUTDIR]` prints what does not fit, and what came of it. A
config.yaml is written in FOLDER.
"""

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from companion.cli.outfit import SetUp
from companion.setting_up.walk import FINGER_MS
from companion.settings import Settings
from companion.table import now
from drivers.virtual.ground import VirtualGround
from tests import ui_geometry
from ui import pictures, theme


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

        while not done():
            EventLoop.idle()

    def tap(self, tap: Any) -> None:
        assert tap.parent and not tap.disabled, tap
        tap._acted = -1.0  # no ghost
        tap.dispatch("on_release")
        pictures.settle(self.app)

    def told(self) -> str:
        return " ".join(getattr(widget, "text", "") for widget, _ in ui_geometry.visible(self.app.page))


def main(folder: str, wide: str, high: str, lang: str = "en", text: str = "normal", outdir: str = "") -> None:
    if lang == "long":
        ui_geometry.stretch()
    app = pictures.stage((int(wide), int(high)), lang=lang, text=text)
    path = Path(folder) / "config.yaml"
    opened: list[Settings] = []
    args = argparse.Namespace(virtual="table", config=path)
    set_up = SetUp(args, Settings(), lambda: opened.clear(), lambda settings: opened.append(settings), first=False)
    app.set_up = set_up
    lead = Leader(app, outdir, f"{lang}-{text}-{wide}x{high}")
    found: dict[str, Any] = {}

    app.go("hardware")
    lead.see("hardware")
    app.go("set_up")
    lead.see("welcome")
    lead.tap(app.page.look)
    lead.see("looking")
    lead.until(lambda: app.page.thread is None)
    lead.see("found")
    hand: Any = set_up.hand
    desk: Any = set_up.desk
    assert isinstance(hand, VirtualGround) and desk
    lead.tap(app.page.on)
    lead.see("seats")
    for seat in ("purple", "yellow"):
        lead.tap(app.page.taps[seat])
    lead.tap(app.page.on)
    lead.see("button")
    press = partial(_press, lead, hand, desk)
    hand.hold("GPIO 5")
    lead.until(lambda: desk.walk.down)
    lead.see("down")
    lead.until(lambda: now() - desk.walk.down["GPIO 5"] > FINGER_MS)
    hand.let_go("GPIO 5")
    lead.until(lambda: desk.walk.step.seat == "blue")
    lead.see("next")
    press("GPIO 5")
    lead.see("refused")
    press("box1 place 0")
    assert hand.hub
    hand.hub.unplug()
    lead.until(lambda: desk.walk.ill)
    lead.see("unplugged")
    found["ill"] = dict(desk.walk.ill)
    hand.hub.plug()
    lead.tap(app.page.skip)
    for source in ("SPI0.1", "SPI0.0"):
        hand.lay(source)
        lead.until(lambda source=source: source in desk.walk.answers.readers.values())
        hand.lift(source)
    lead.see("reader")
    lead.tap(app.page.back)
    lead.tap(app.page.nobody if app.page.nobody.parent else app.page.skip)
    lead.see("lamps")
    if desk.walk.step.kind == "lamps":
        lead.tap(app.page.yes)
    lead.see("done")
    lead.tap(app.page.file)
    lead.see("file")
    found["file"] = lead.told()
    lead.tap(app.page.back)
    lead.tap(app.page.drawing)
    lead.see("drawing")
    app.page.drawing._tap(app.page.drawing.center)
    lead.see("drawing-near")
    lead.tap(app.page.back)
    app.rebuild()
    lead.see("turned")
    found["turned"] = app.page.name
    app.go("set_up_done")
    found["text"] = desk.text(lang if lang in ("de", "ja") else "en")
    desk.path = path
    app.page.show()
    lead.see("writes")
    desk.path = Path("/proc/nowhere/config.yaml")
    lead.tap(app.page.write)
    lead.see("unwritable")
    found["unwritable"] = app.page.name
    desk.path = path
    app.go("set_up_done")
    lead.tap(app.page.write)
    lead.see("written")
    found |= {"page": app.page.name, "desk": set_up.desk is None, "opened": len(opened)}
    set_up.close()
    print(json.dumps(found | {"problems": lead.problems}, ensure_ascii=False))


def _press(lead: Leader, hand: VirtualGround, desk: Any, source: str) -> None:
    before = desk.walk.told
    hand.hold(source)
    lead.until(lambda: source in desk.walk.down and now() - desk.walk.down[source] > FINGER_MS)
    hand.let_go(source)
    lead.until(lambda: source not in desk.walk.down and desk.walk.told is not before)


if __name__ == "__main__":
    main(*sys.argv[1:])
