"""What was found: printed, and kept line by line in a file, with the minutes since the beginning."""

from __future__ import annotations

import time
from pathlib import Path


class Report:
    """The findings of one run. `folder` takes report.txt and the pictures."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.failed = 0
        self._pictures = 0
        self._file = folder / "report.txt"
        self._file.write_text("", encoding="utf-8")
        self._began = time.monotonic()

    def say(self, line: str) -> None:
        text = f"{(time.monotonic() - self._began) / 60:5.1f} min  {line}"
        print(text, flush=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")

    def picture(self, name: str) -> Path:
        """Return the file for the next picture."""
        self._pictures += 1
        return self.folder / f"{self._pictures:02}-{name}.png"

    def check(self, what: str, well: bool, details: str = "") -> bool:
        """Note whether something is as it should be; the details are shown where it is not."""
        self.failed += not well
        self.say(f"{'ok  ' if well else 'FAIL'}  {what}")
        if not well and details:
            self.say("\n".join(f"            {line}" for line in details.splitlines()[-40:]).lstrip())
        return well
