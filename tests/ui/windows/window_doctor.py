"""The doctor's page in a separate window, on ill and on virtual hardware.

`python -m tests.ui.windows.window_doctor WIDTH HEIGHT [LANG] [LOOK] [OUTDIR]` prints what does not fit and what is read there.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion.cli.hardware import examined
from companion.hardware.doctor import Finding, computer, wired
from companion.hardware.settings import Settings
from companion.rules.readings import Health
from companion.rules.words import tr
from drivers.probe import LGPIO
from drivers.rc522 import kind as rc522
from drivers.virtual.clock import VirtualClock
from drivers.virtual.rig import VirtualRig
from tests.ui.windows import window_geometry as ui_geometry
from tools import pictures
from tools.scenes.rehearsal import Rehearsal
from ui import theme

PI = "Raspberry Pi 5 Model B Rev 1.0"
BOTH = {"mfrc522": "0.0.7", "spidev": "3.8", "lgpio": "0.2", "rpi-gpio": "0.7", "rpi-lgpio": "0.6"}


def ill() -> list[Finding]:
    """The longest things the doctor says."""
    memory = computer.Disk("/home/table/.local/share/tabularium", "", "overlay", 9000, (5.0,))
    bouncing = wired.Contact("purple", 17, changes=tuple((40 * t, t % 2 == 0) for t in range(40)))
    return [
        *computer.machine(computer.Computer(PI, "aarch64"), pi=False),
        *computer.packages(BOTH, (*rc522.KIND.packages, LGPIO), PI),
        *wired.reader(
            wired.PollSummary("yellow", times=(45.3,) * 969, repaired=31, tags={"04A1B2C3D4E5F6": (300, 1000)})
        ),
        *wired.reader(
            wired.PollSummary(
                "red", "The chip on SPI0.0 does not answer (its version reads FF): check its cable and power"
            )
        ),
        wired.button(bouncing, 12),
        *computer.disk(memory),
    ]


def open_page(app: Any) -> Any:
    """The doctor's page by finger, once the doctor is done."""
    from kivy.base import EventLoop

    app.go("hardware")
    taps = [widget for widget, _ in ui_geometry.visible(app.page) if hasattr(widget, "act")]
    next(tap for tap in taps if tr("Doctor", app.lang) in ui_geometry.words(tap)).act()
    while app.page.doctor.findings is None or app.page.look.is_triggered:
        EventLoop.idle()
    pictures.settle(app)
    return app.page


def told(page: Any) -> list[str]:
    return [widget.text for widget, _ in ui_geometry.visible(page) if getattr(widget, "text", "")]


def unfold(page: Any) -> None:
    """What asks for nothing is the last line; a touch on another leaves it as it is."""
    folded = page.folded
    if not folded:
        return
    while page.list.after:
        page.list.turn_on()
    shown = [line for line in page.list.rows if line.parent]
    assert shown[-1].device is folded
    for line in shown:
        assert page.folded
        line.act()
    assert not page.folded
    page.list.from_the_top()
    page.show()
    pictures.settle(page.app)


def pages(page: Any) -> Iterator[Any]:
    """The page, turned leaf by leaf."""
    yield page
    while page.list.after:
        page.list.turn_on()
        pictures.settle(page.app)
        yield page


def first_hour(app: Any, unit: float) -> dict[str, Any]:
    """The first hour by finger: the first step skipped, the second measured twice, and the report."""
    from kivy.base import EventLoop

    seen: dict[str, Any] = {"problems": [], "texts": [], "verdicts": []}

    def touch(tap: Any) -> None:
        tap.act()
        while page.thread:
            EventLoop.idle()
        pictures.settle(app)
        seen["problems"] += ui_geometry.problems(app.root, unit)
        seen["texts"].append(told(page))

    app.hour = Rehearsal
    app.go("hour")
    page = app.page
    for tap in (page.second, page.first, page.second, page.first):
        touch(tap)
    while page.state != "done":
        touch(page.second)
    touch(page.first)
    app.go("start")
    app.evening.begin({"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]})
    app.go("hour")
    pictures.settle(app)
    seen["playing"] = told(app.page)
    seen["listens"] = app.evening.devices.listen is not None
    app.go("start")
    seen["listens later"] = app.evening.devices.listen is not None
    return seen


def main(wide: str, high: str, lang: str = "en", look: str = "light", outdir: str = "") -> None:
    if lang == "long":
        ui_geometry.stretch()
    app = pictures.stage((int(wide), int(high)), look, lang)
    app.evening.devices.health["reader centre"] = Health("reader centre", True)
    unit = min(int(wide), int(high)) / theme.DESIGN
    rig = VirtualRig(("red",), app.evening.devices.inbox.put)
    with tempfile.TemporaryDirectory() as folder, closing(rig):
        settings = Settings(data=Path(folder))
        doctors = {
            "ill": ill,
            "virtual": lambda: examined(settings, running=rig.polls, disk_clock=VirtualClock().monotonic),
            "broken": sys.exit,
        }
        seen: dict[str, Any] = {}
        for name, app.services.doctor in doctors.items():
            app.pages.clear()
            seen[name] = {"problems": [], "texts": [], "verdicts": []}
            opened = open_page(app)
            seen[name]["folded"] = opened.folded and asdict(opened.folded)
            if outdir:
                app.root.export_to_png(str(Path(outdir) / f"doctor-{name}-folded-{look}-{lang}-{wide}x{high}.png"))
            seen[name]["problems"] += ui_geometry.problems(app.root, unit)
            unfold(opened)
            for leaf, page in enumerate(pages(opened)):
                seen[name]["problems"] += ui_geometry.problems(app.root, unit)
                seen[name]["texts"] += told(page)
                seen[name]["verdicts"] += [line.device.mark for line in page.list.rows if line.parent]
                if outdir:
                    app.root.export_to_png(str(Path(outdir) / f"doctor-{name}-{leaf}-{look}-{lang}-{wide}x{high}.png"))
    print(json.dumps({**seen, "hour": first_hour(app, unit)}, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
