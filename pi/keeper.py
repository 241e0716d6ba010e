"""What root does for the table: looks for a release and puts it in place when it is asked, and watches one on trial.

    python -m pi.keeper asked    (tabularium-update.service, as soon as there is a question)
    python -m pi.keeper trial    (tabularium-trial.service)

The table's user writes a question of a few words, and reads the answer. It decides that something is looked for or put
in place, and from which stick; not what: that must be signed.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.system import files, updates
from companion.system.service import Service
from pi import program, release, trial, update
from pi.account import USER
from pi.machine import OURS, Busy, Failed, Machine
from pi.machine import tell as say
from pi.release import Address, Folder, Release, ReleaseRefused, ReleaseSource
from pi.service import ASKED, RUN, SERVICE, Table

INCOMING = f"{OURS}/incoming"
"""Where a release is copied to before any of it is trusted: only root writes there."""
ASK, SAID = f"{ASKED}/ask.json", f"{RUN}/said.json"
BUSY = f"/{updates.BUSY}"
STICKS = ("media", "run/media", "mnt")
"""The folders below which sticks are mounted; a release lies on a stick, or in its folders up to this depth:"""
DEEP = 3
MANY = 8
"""The number of releases examined at most."""
SPARE_MB = 50
"""The room that must stay free, in MB."""
LONG = 4096
"""The size of a question, in bytes, at most."""


@dataclass(frozen=True, slots=True)
class UpdateRequest:
    """A request: `look` for releases on sticks or at the `address`, `take` the one at a place, or go `back`."""

    number: int
    act: str
    place: str = ""


class UpdateService:
    """The service that answers a request step by step, in a file that everybody can read."""

    def __init__(
        self,
        m: Machine,
        table: Table = SERVICE,
        signers: Path = release.SIGNERS,
        install: Callable[[Path], object] | None = None,
    ) -> None:
        self.m, self._table, self._signers = m, table, signers
        self._install = install or self._by_itself
        self._number = 0

    def answer(self) -> None:
        """Answer the pending request, if there is one; meanwhile hold a lock that the table sees."""
        with _busy(self.m.at(BUSY)):
            asked = self._asked()
            if asked is not None:
                self._number = asked.number
                self._answered(asked)

    def _answered(self, asked: UpdateRequest) -> None:
        self._say("working", step="look" if asked.act == "address" else asked.act)  # acknowledge at once
        try:
            answer: dict[str, Any] = {"state": "done", **self._done(asked)}
        except ReleaseRefused as refused:
            answer = {"state": "refused", "code": refused.code, "facts": refused.facts, "text": refused.what}
        except Failed as failed:
            answer = {"state": "failed", "text": f"{failed.what}\n{failed.remedy}".strip()}
        except OSError as error:
            answer = {"state": "failed", "text": f"{error.filename or ''}: {error.strerror or error}".lstrip(": ")}
        except Exception as error:  # the asker must hear of any error; the journal has its traceback
            traceback.print_exc()
            answer = {"state": "failed", "text": f"{type(error).__name__}: {error}. journalctl -u tabularium-update"}
        if answer["state"] != "done":
            with suppress(Busy, OSError), self.m.alone(wait=0):  # an installer was killed half way
                update.finish(self.m, say, self._table)
        with suppress(OSError):
            self._cleared()
        self._say(**answer)

    def _done(self, asked: UpdateRequest) -> Mapping[str, Any]:
        if asked.act in ("look", "address"):
            return {"offers": list(self._offers(asked.act == "address"))}
        if asked.act == "take":
            return {"version": self._take(asked.place)}
        with self.m.alone():
            return {"version": update.back(self.m, say, self._table)}

    # -- questions and answers -----------------------------------------------------------------------------------------

    def _asked(self) -> UpdateRequest | None:
        """Return the request, and remove its file; None for anything that is no valid request."""
        written = b""
        try:
            number = os.open(self.m.at(ASK), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                written = os.read(number, LONG)
            finally:
                os.close(number)
        except OSError:
            pass
        with suppress(FileNotFoundError):
            there = self.m.at(ASK)
            if there.is_dir() and not there.is_symlink():
                self.m.run("rm", "-rf", "--one-file-system", there)  # at any depth
            else:
                there.unlink()
        try:
            said = json.loads(written)
            asked = UpdateRequest(said["number"], said["act"], said.get("place", ""))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        plain = type(asked.number) is int and isinstance(asked.place, str) and isinstance(asked.act, str)
        return asked if plain and asked.act in ("look", "address", "take", "back") else None

    def _say(self, state: str, **more: Any) -> None:
        there = self.m.at(SAID)
        beside = there.with_name(".said.new")
        beside.write_text(json.dumps({"number": self._number, "state": state} | more), encoding="utf-8")
        beside.chmod(0o644)
        beside.replace(there)

    # -- looking -------------------------------------------------------------------------------------------------------

    def _offers(self, address: bool) -> Iterator[Mapping[str, Any]]:
        """Yield each release that is found, with its description or the reason why it is refused."""
        for place in [self._address()] if address else self._places():
            try:
                found = self._opened(place)
            except ReleaseRefused as refused:
                yield {"place": place, "code": refused.code, "facts": refused.facts, "text": refused.what}
            else:
                yield {
                    "place": place,
                    "version": found.version,
                    "changes": list(found.changes),
                    "further": found.further,
                }

    def _places(self) -> list[str]:
        """Return the paths of the folders on sticks that have checksums."""
        roots = [self.m.at(f"/{name}") for name in STICKS]
        found = (path.parent for root in roots for path in _below(root, DEEP) if path.name == release.SUMS)
        return [str(path) for path, _ in zip(sorted(found), range(MANY), strict=False)]

    def _address(self) -> str:
        """Return the address in config.yaml. Raises ReleaseRefused where there is none."""
        address = program.needs(self.m, program.current(self.m)).get("update")
        if not address:
            raise ReleaseRefused("no-address")
        return str(address)

    def _source(self, place: str) -> ReleaseSource:
        """Return the source at a place. Raises ReleaseRefused for a place that is not among those searched."""
        if place.startswith("/"):
            if place not in self._places():
                raise ReleaseRefused("none", place=place)
            return Folder(Path(place))
        if place != self._address():
            raise ReleaseRefused("none", place=place)
        return Address(place, self.m.other(USER))

    def _opened(self, place: str) -> Release:
        """Return a release's description, verified on a copy.

        Raises ReleaseRefused where it is older than the installed version or the same.
        """
        self._cleared()
        at = self.m.at(INCOMING)
        at.mkdir(mode=0o700)
        found = release.opened(self._source(place), at, self._signers)
        now = program.current(self.m)
        if not program.NAMED.match(now):
            raise Failed("Nothing is installed.", "To install it: sudo ./install")
        if release.number(found.version) < release.number(now):
            raise ReleaseRefused("older", version=found.version, current=now.partition("-")[0])
        if release.number(found.version) == release.number(now):
            raise ReleaseRefused("same", version=found.version)
        return found

    # -- taking --------------------------------------------------------------------------------------------------------

    def _take(self, place: str) -> str:
        """Install the release at a place; return its version."""
        with self.m.alone():
            update.ready(self.m, say, self._table)
        if self._table.playing(self.m):
            raise ReleaseRefused("game")
        found = self._opened(place)
        self._room(found)
        at = self.m.at(INCOMING)
        release.fetched(self._source(place), found, at, lambda size: self._say("working", step="copy", bytes=size))
        self._say("working", step="install", version=found.version)
        source = release.unpacked(at / found.source, at / "source", found.room * release.MB)
        self._install(source)
        if program.current(self.m).partition("-")[0] != found.version:
            raise Failed(f"{program.current(self.m)} is installed instead of {found.version}.")
        return found.version

    def _room(self, found: Release) -> None:
        seen = os.statvfs(self.m.at(OURS))
        free = seen.f_bavail * seen.f_frsize // 1_000_000
        if free < found.room + SPARE_MB:
            raise ReleaseRefused("room", needed=str(found.room + SPARE_MB), free=str(free))

    def _by_itself(self, source: Path) -> None:
        """Let the new version's own installer install it, from the verified files."""
        below = () if self.m.root == Path("/") else ("--root", self.m.root)
        words = (source / "install", "--update", "--offline", self.m.at(INCOMING), *below)
        self.m.run(self.m.python(), *words, show=("  ",), doing="the installer")

    def _cleared(self) -> None:
        self.m.remove(INCOMING)


def _below(root: Path, deep: int) -> Iterator[Path]:
    """Yield the files in a folder and in its folders, `deep` levels down; follow no link."""
    try:
        there = sorted(os.scandir(root), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in there:
        with suppress(OSError):
            if entry.is_file(follow_symlinks=False):
                yield Path(entry.path)
            elif deep and entry.is_dir(follow_symlinks=False):
                yield from _below(Path(entry.path), deep - 1)


@contextmanager
def _busy(path: Path) -> Iterator[None]:
    """Hold the file that tells the table that an update is running, as `Updates.busy` checks; release it in the end.

    If the lock cannot be taken, the update continues: a user who blocks it misleads only the table.
    """
    with path.open("w", encoding="utf-8") as file:
        path.chmod(0o644)
        for _ in range(100):  # the table may hold it for the moment of its check
            with suppress(BlockingIOError):
                files.alone(file)
                break
            time.sleep(0.01)
        yield


def tried(m: Machine, table: Table = SERVICE, wait: Callable[[float], object] = time.sleep) -> None:
    """Settle an interrupted update, tell systemd, and watch the version on trial."""
    settled = False
    with suppress(Busy), m.alone(wait=0):  # while another process holds the lock, nothing is half done
        settled = trial.settle(m, say)
    Service().ready()  # the units that wait for this may start
    if settled:
        trial.at_work(m, say, table)
    trial.watch(m, say, table, wait)


def main(words: Sequence[str] | None = None) -> int:
    what = (sys.argv[1:] if words is None else list(words)) or [""]
    m = Machine()
    if what == ["asked"]:
        UpdateService(m).answer()
    elif what == ["trial"]:
        tried(m)
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
