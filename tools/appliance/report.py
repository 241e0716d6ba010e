"""What was found: printed, and kept line by line in a file, with the minutes since the beginning."""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path


class Report:
    """The findings of one run, or of one of its stages. `folder` takes report.txt and the pictures."""

    def __init__(self, folder: Path, stage: str = "") -> None:
        self.folder = folder
        self.failed = 0
        self._stage = stage
        self._file = folder / "report.txt"
        self._numbers, self._began = count(1), time.monotonic()
        if not stage:
            folder.mkdir(parents=True, exist_ok=True)
            for old in folder.glob("*.png"):
                old.unlink()
            self._file.write_text("", encoding="utf-8")

    def of(self, stage: str) -> Report:
        """Return the report of one stage, which goes into the same file: stages run beside each other."""
        part = Report(self.folder, stage)
        part._numbers, part._began = self._numbers, self._began
        return part

    def say(self, line: str) -> None:
        text = f"{(time.monotonic() - self._began) / 60:5.1f} min  {f'{self._stage}: ' if self._stage else ''}{line}"
        print(text, flush=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")

    def picture(self, name: str) -> Path:
        """Return the file for the next picture."""
        return self.folder / f"{next(self._numbers):02}-{name}.png"

    def check(self, what: str, well: bool, details: str = "") -> bool:
        """Note whether something is as it should be; the details are shown where it is not."""
        self.failed += not well
        self.say(f"{'ok  ' if well else 'FAIL'}  {what}")
        if not well and details:
            self.say("\n".join(f"            {line}" for line in details.splitlines()[-40:]).lstrip())
        return well
