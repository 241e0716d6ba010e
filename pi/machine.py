"""The computer that is installed on: its files below a root folder, its commands, and what the installer brought."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.system import files
from companion.system.files import sync

OURS = "/opt/tabularium"
"""Where the program is, a folder a version."""
NOTES = f"{OURS}/brought.json"
"""What was not there before: packages, groups, folders. Uninstalling takes back exactly that."""


LOCK = "/run/tabularium-versions.lock"
"""What is held while versions or games are changed."""
WAIT = 10.0
"""Seconds that an installer waits for another one to finish."""
BUSY = "Something else is installing, updating or removing Tabularium right now."


class Failed(Exception):  # noqa: N818 - it is what happened
    """A step failed: what happened, and what to do about it."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


class Busy(Failed):
    """Another program is changing versions or games."""


def tell(line: str) -> None:
    """Print a line for as long as anybody reads: no change of versions ends half way because a terminal, a pipe or the
    journal has gone."""
    try:
        print(line, flush=True)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())  # also what is still to be flushed at the end
        os.close(nowhere)


def plain(text: str) -> dict[str, Any]:
    """Return the JSON object in a file of root's; empty for anything else, such as a file that a disk has spoilt."""
    try:
        said = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


@dataclass(frozen=True, slots=True)
class Machine:
    """`root` is / on a real one. `source` holds the program that is installed, `env` what commands get to see."""

    root: Path = Path("/")
    source: Path = field(default_factory=lambda: Path(__file__).resolve().parent.parent)
    env: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def at(self, path: str | Path) -> Path:
        return self.root / str(path).lstrip("/")

    @property
    def booted(self) -> bool:
        """Whether systemd runs here: not in a scratch root, nor while an image is made."""
        return self.root == Path("/") and self.at("/run/systemd/system").is_dir()

    # -- files ---------------------------------------------------------------------------------------------------------

    def text(self, path: str) -> str:
        """A file's text, "" where there is none. Line ends stay as they are."""
        try:
            with self.at(path).open(encoding="utf-8", errors="surrogateescape", newline="") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """Writes a file beside its place and names it once it is whole; folders that are missing are made and noted."""
        self.folder(str(Path(path).parent))
        there = self.at(path)
        beside = there.with_name(f".{there.name}.new")
        with beside.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(mode)
        beside.replace(there)
        sync(there.parent)

    def folder(self, path: str) -> None:
        """Makes a folder; those that were missing on the way are noted, so that they go again."""
        missing = [str(up) for up in (Path(path), *Path(path).parents) if not self.at(up).exists()]
        for name in reversed(missing):
            self.at(name).mkdir(mode=0o755)
            self.at(name).chmod(0o755)  # whatever the umask says
        others = [name for name in missing if not Path(name).is_relative_to(OURS)]
        if others:
            self.note(folders=others)

    def remove(self, path: str) -> None:
        """Removes a file or a folder with all that is in it, if it is there."""
        there = self.at(path)
        if there.is_dir() and not there.is_symlink():
            shutil.rmtree(there)
        else:
            there.unlink(missing_ok=True)

    # -- what was brought ----------------------------------------------------------------------------------------------

    def brought(self, what: str) -> list[str]:
        found = self._notes().get(what)
        return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []

    def note(self, **brought: Sequence[str]) -> None:
        """Adds to what was brought."""
        notes = self._notes()
        for what, names in brought.items():
            notes[what] = list(dict.fromkeys([*self.brought(what), *names]))
        self.write(NOTES, json.dumps(notes, indent=2) + "\n")

    def _notes(self) -> dict[str, Any]:
        return plain(self.text(NOTES))

    # -- one at a time -------------------------------------------------------------------------------------------------

    @contextmanager
    def alone(self, wait: float | None = None) -> Iterator[None]:
        """Hold the one lock for changing versions and games; it goes with the process, however that ends.

        Nobody but root may open the file, for a lock can be held by all who can; and it lies in memory, so that a full
        disk keeps nobody from it. Raises Busy if another program still holds it after `wait` seconds.
        """
        there = self.at(LOCK)
        there.parent.mkdir(parents=True, exist_ok=True)
        number = os.open(there, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            end = time.monotonic() + (WAIT if wait is None else wait)
            while True:
                try:
                    files.alone(number)
                    break
                except BlockingIOError:
                    if time.monotonic() >= end:
                        raise Busy(BUSY, "Wait until it is done, and try again.") from None
                    time.sleep(0.05)
            yield
        finally:
            os.close(number)

    # -- commands ------------------------------------------------------------------------------------------------------

    def run(
        self, *words: str | Path, remedy: str = "", show: tuple[str, ...] = (), doing: str = "", user: str = ""
    ) -> str:
        """Runs a command and returns what it prints; lines that begin with one of `show` are shown as they come. On a
        real machine it runs as `user`, if there is such a one.

        Raises Failed with what it was `doing` and the last lines it printed.
        """
        lines: list[str] = []
        other = self.other(user)
        try:
            with subprocess.Popen(
                [str(word) for word in words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=dict(self.env) | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"},
                text=True,
                errors="replace",
                user=other,
                group=other,
                extra_groups=None if other is None else [],
            ) as running:
                for line in running.stdout or ():
                    lines.append(line)
                    if line.startswith(show):
                        tell(f"      {line.strip()}"[:100])
        except OSError as error:
            raise Failed(f"{words[0]}: {error.strerror}", remedy) from None
        if running.returncode:
            last = "".join(f"\n      {line.rstrip()}" for line in lines[-8:])
            raise Failed(f"{doing or ' '.join(map(str, words))}{last}", remedy)
        return "".join(lines)

    def other(self, user: str) -> str | None:
        """Who a command runs as: in a scratch root nobody else, as nobody else knows it."""
        known = self.root == Path("/") and f"\n{user}:" in f"\n{self.text('/etc/passwd')}"
        return user if user and known and os.geteuid() == 0 else None

    def succeeds(self, *words: str | Path) -> bool:
        try:
            self.run(*words)
        except Failed:
            return False
        return True

    def python(self) -> str:
        """The system's Python, which apt's packages are for; this very one may be another."""
        return shutil.which("python3", path=self.env.get("PATH")) or sys.executable
