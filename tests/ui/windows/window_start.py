"""The program as the command line starts it, up to its first frame: `python -m tests.ui.windows.window_start FOLDER`. Prints what has
been loaded by then, and whether the pages are loaded soon after."""

import json
import sys
from pathlib import Path
from typing import Any


def main(folder: Path) -> None:
    import ui.app
    from companion import cli

    config = folder / "config.yaml"
    config.write_text(f"data: {folder}\nscreen: {{width: 800, height: 480}}\n", encoding="utf-8")
    found: dict[str, Any] = {}

    class App(ui.app.TableApp):
        def _go_on_starting(self, window: Any) -> None:
            found["first"], found["page"] = sorted(sys.modules), self.page.name
            super()._go_on_starting(window)

        def _open_hardware_and_pages(self) -> Any:
            steps = 0
            for steps, _ in enumerate(super()._open_hardware_and_pages(), 1):  # noqa: B007
                yield
            found["steps"], found["later"] = steps, sorted(sys.modules)
            self.stop()

    ui.app.TableApp = App  # type: ignore[misc]
    status = cli.main(["--config", str(config)])
    from kivy import kivy_data_dir
    from kivy.lang import Builder

    print(json.dumps(found | {"status": status, "looks": Builder.files, "kivy": kivy_data_dir}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
