"""The same page without a Pi: drawn offscreen by the program as it is here, to compare pictures with.

`python -m tools.appliance.twin FILE WIDTH HEIGHT` draws the page of the first start.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.support.paths import ROOT

CONFIG = "data: {data}\nhardware: virtual\nscreen: {{width: {width}, height: {height}}}\n"


def language_page(file: Path, size: tuple[int, int]) -> Path:
    """Draw the page of the first start into a file."""
    words = [sys.executable, "-m", "tools.appliance.twin", str(file.resolve()), *map(str, size)]
    subprocess.run(words, check=True, cwd=ROOT, env=os.environ | {"SDL_VIDEODRIVER": "offscreen", "KIVY_NO_ARGS": "1"})
    return file


def main(file: Path, width: str, height: str) -> None:
    import ui.app
    from companion import cli

    class App(ui.app.TableApp):
        """The program, which ends once its second frame is drawn."""

        def _go_on_starting(self, _: Any) -> None:
            from kivy.clock import Clock
            from kivy.core.window import Window

            def done(__: float) -> None:
                Path(Window.screenshot(str(file))).replace(file)  # it puts a number into the name
                self.stop()

            Clock.schedule_once(done, 1)

    with TemporaryDirectory() as data:
        config = Path(data, "config.yaml")
        config.write_text(CONFIG.format(data=data, width=width, height=height), encoding="utf-8")
        ui.app.TableApp = App  # type: ignore[misc]
        sys.exit(cli.main(["--config", str(config)]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:4])
