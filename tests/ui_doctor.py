"""Opens the doctor's page on ill and on virtual hardware: `python -m tests.ui_doctor WIDTH HEIGHT [LOOK [OUTDIR]]`."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from companion.cli import examined
from companion.config import Settings
from companion.doctor import Finding
from companion.table import Health
from tests import ui_geometry
from ui import pictures, theme

ILL = [
    Finding("computer", "pass", "Raspberry Pi 5 Model B Rev 1.0"),
    Finding("packages", "fail", "RPi.GPIO is installed beside rpi-lgpio: both are the module RPi.GPIO",
            ".venv/bin/pip uninstall -y RPi.GPIO rpi-lgpio, then make pi"),
    Finding("reader yellow", "warn", "31 of 1000 polls went wrong (3 %): the chip had lost its settings and was repaired",
            "Its 3.3V dips: shorter wires, and 10 µF with 100 nF between 3.3V and GND at the reader"),
    Finding("disk", "warn", "/home/table/.local/share/tabularium is on overlay: all games may be lost when the power goes",
            "Set data to a partition of its own that is written to (ext4), or a USB stick"),
]  # fmt: skip


def opened(app: Any) -> Any:
    """The doctor's page by finger, once the doctor is done."""
    from kivy.base import EventLoop

    app.go("hardware")
    taps = [widget for widget, _ in ui_geometry.visible(app.page) if hasattr(widget, "act")]
    next(tap for tap in taps if "Doctor" in ui_geometry.words(tap)).act()
    while app.page.thread:
        EventLoop.idle()
    pictures.settle(app)
    return app.page


def told(page: Any) -> list[str]:
    return [widget.text for widget, _ in ui_geometry.visible(page) if getattr(widget, "text", "")]


def main(wide: str, high: str, look: str = "light", outdir: str = "") -> None:
    app = pictures.stage((int(wide), int(high)), look)
    app.evening.health["reader centre"] = Health("reader centre", True)
    unit = min(int(wide), int(high)) / theme.DESIGN
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.model_validate({"data": folder})
        doctors = {"ill": lambda: ILL, "virtual": lambda: examined(settings, polls=10), "broken": sys.exit}
        seen = {}
        for name, app.doctor in doctors.items():
            app.pages.clear()
            page = opened(app)
            seen[name] = {"problems": list(ui_geometry.problems(app.root, unit)), "texts": told(page)}
            if outdir:
                app.root.export_to_png(str(Path(outdir) / f"doctor-{name}-{look}-{wide}x{high}.png"))
    print(json.dumps(seen, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
