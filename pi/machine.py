"""The computer to install on: its files below a root folder, its commands, and a record of what the installer added."""

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
"""The program's folder, with a folder for each version."""
NOTES = f"{OURS}/brought.json"
"""The record of what was not there before: packages, groups, folders. Uninstalling removes exactly that."""


LOCK = "/run/tabularium-versions.lock"
"""The lock that is held while versions or games are changed."""
WAIT = 10.0
"""Seconds that an installer waits for another one to finish."""
BUSY = "Another process is installing, updating or removing Tabularium right now."


class Failed(Exception):  # noqa: N818 - it is what happened
    """A step failed: what happened, and what to do about it."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


class Busy(Failed):
    """Another program is changing versions or games."""


def tell(line: str) -> None:
    """Print a line; ignore a reader that has gone.

    No change of versions may end half way because a terminal, a pipe or the journal has gone.
    """
    try:
        print(line, flush=True)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())  # also for the text that is still to be flushed at the end
        os.close(nowhere)


def plain(text: str) -> dict[str, Any]:
    """Return the JSON object in a file of root's; empty for any other content, as after damage to the disk."""
    try:
        said = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


@dataclass(frozen=True, slots=True)
class Machine:
    """The computer.

    `root` is / on a real one. `source` holds the program to install, `env` the commands' environment.
    """

    root: Path = Path("/")
    source: Path = field(default_factory=lambda: Path(__file__).resolve().parent.parent)
    env: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def at(self, path: str | Path) -> Path:
        return self.root / str(path).lstrip("/")

    @property
    def booted(self) -> bool:
        """Return whether systemd runs here: not in a scratch root, nor while an image is built."""
        return self.root == Path("/") and self.at("/run/systemd/system").is_dir()

    # -- files ---------------------------------------------------------------------------------------------------------

    def text(self, path: str) -> str:
        """Return a file's text, "" where there is none. Line ends stay as they are."""
        try:
            with self.at(path).open(encoding="utf-8", errors="surrogateescape", newline="") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """Write a file under a temporary name and rename it once it is complete; missing folders are made and noted."""
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
        """Make a folder; note the missing folders on the way, so that uninstalling removes them."""
        missing = [str(up) for up in (Path(path), *Path(path).parents) if not self.at(up).exists()]
        for name in reversed(missing):
            self.at(name).mkdir(mode=0o755)
            self.at(name).chmod(0o755)  # independent of the umask
        others = [name for name in missing if not Path(name).is_relative_to(OURS)]
        if others:
            self.note(folders=others)

    def remove(self, path: str) -> None:
        """Remove a file, or a folder with all its content, if it exists."""
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
        """Add names to the record of what the installer added."""
        notes = self._notes()
        for what, names in brought.items():
            notes[what] = list(dict.fromkeys([*self.brought(what), *names]))
        self.write(NOTES, json.dumps(notes, indent=2) + "\n")

    def _notes(self) -> dict[str, Any]:
        return plain(self.text(NOTES))

    # -- one at a time -------------------------------------------------------------------------------------------------

    @contextmanager
    def alone(self, wait: float | None = None) -> Iterator[None]:
        """Hold the one lock for changing versions and games; it ends with the process.

        Only root may open the file, as any process that can open it could hold the lock. It lies in memory, so that a
        full disk does not prevent it. Raises Busy if another program still holds it after `wait` seconds.
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
                        raise Busy(BUSY, "Wait until it is finished, then try again.") from None
                    time.sleep(0.05)
            yield
        finally:
            os.close(number)

    # -- commands ------------------------------------------------------------------------------------------------------

    def run(
        self, *words: str | Path, remedy: str = "", show: tuple[str, ...] = (), doing: str = "", user: str = ""
    ) -> str:
        """Run a command and return its output; show lines that begin with one of `show` as they come.

        On a real machine it runs as `user`, if that user exists. Raises Failed with what it was `doing` and the last
        lines of its output.
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
        """Return the user to run a command as, None for the present one: a scratch root knows no other users."""
        known = self.root == Path("/") and f"\n{user}:" in f"\n{self.text('/etc/passwd')}"
        return user if user and known and os.geteuid() == 0 else None

    def succeeds(self, *words: str | Path) -> bool:
        try:
            self.run(*words)
        except Failed:
            return False
        return True

    def python(self) -> str:
        """Return the system's Python, which apt's packages are for; this process may run another one."""
        return shutil.which("python3", path=self.env.get("PATH")) or sys.executable
