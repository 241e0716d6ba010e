"""Updates with the real program in a scratch root, started as its unit says: `make soak` (TABULARIUM_TESTS=all).

No systemd runs: what starts the program, and sees it die, stands here; everything else is the installer's, root's and
the table's own. The program draws offscreen.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.system.updates import Updates
from pi import account, program, service, trial
from pi.keeper import UpdateService
from pi.machine import OURS, Failed, Machine
from pi.service import Table
from tests.support.cutting import disturbed
from tests.support.releases import Key, commit, committed
from tests.support.scratch_pi import copied as another
from tests.support.tables import EVERYTHING
from tests.support.updating import Stand, kept, played, put, quiet, source
from tools import making

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not EVERYTHING or os.geteuid() != 0, reason="starts the real program thirty times: make soak"),
]
PATIENCE = 120.0


class Service:
    """The table's service, as its unit has it, below a scratch root."""

    def __init__(self, m: Machine) -> None:
        self.m = m
        self._running: subprocess.Popen[bytes] | None = None
        self.table = Table(self.start, self.end, self.state, service.playing, lambda _: None)

    def start(self, m: Machine) -> None:
        """Waits for the first frame. Raises Failed."""
        said = m.text(service.FILES[service.UNIT])
        below = {"%t": "/run", "%C": "/var/cache", "/etc": "/etc", "/var/lib": "/var/lib"}
        env = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        for name, value in re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"^Environment=(.*)", said, re.M))):
            for sign, there in below.items():
                value = value.replace(sign, str(m.at(there))) if value.startswith((sign, "%")) else value  # noqa: PLW2901
            env[name] = value
        env |= {"PYTHONPATH": str(m.at(program.CURRENT)), "SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
        notify = m.root / "run/notify"
        notify.parent.mkdir(exist_ok=True)
        notify.unlink(missing_ok=True)
        for folder in ("run/tabularium", "var/cache/tabularium"):
            (m.root / folder).mkdir(parents=True, exist_ok=True)
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as heard:
            heard.bind(str(notify))
            heard.settimeout(0.2)
            words: list[str | Path] = [m.at(program.CURRENT) / "venv/bin/python", "-P", "-m", "companion"]
            env |= {"NOTIFY_SOCKET": str(notify), "HOME": str(m.at("/var/lib/tabularium")), "SCRATCH": m.env["SCRATCH"]}
            self._running = subprocess.Popen(words, env=env, cwd=m.root / "run/tabularium")
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end and self._running.poll() is None:
                try:
                    if b"READY=1" in heard.recv(4096):
                        return
                except TimeoutError:
                    continue
        self.end(m)
        raise Failed("no first frame")

    def end(self, _: Machine) -> None:
        running, self._running = self._running, None
        if running:
            running.send_signal(signal.SIGTERM)
            running.wait(PATIENCE)

    def state(self, _: Machine) -> service.State:
        if self._running is None:
            return "off"
        return "running" if self._running.poll() is None else "died"


def watched(m: Machine, at_work: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ten minutes are eight seconds."""
    monkeypatch.setattr(trial, "EVERY", 1)
    on = trial.read(m)
    assert on and on.left == trial.SECONDS
    trial.write(m, replace(on, left=8))
    trial.watch(m, print, at_work.table)


@pytest.fixture
def here(once: Machine, tmp_path: Path) -> Iterator[tuple[Machine, Service]]:
    (tmp_path / "pi").mkdir()
    made = another(once, tmp_path / "pi")
    at_work = Service(made)
    yield made, at_work
    at_work.end(made)


def released(at: Path, key: Key, version: str, *changes: tuple[str, str, str]) -> Path:
    """A signed release of the project as it is here, but for these changes."""
    there = at / f"repository-{version}"
    there.mkdir(parents=True)
    committed(there, key, version)
    for name, before, after in changes:
        text = (there / name).read_text(encoding="utf-8")
        assert before in text
        (there / name).write_text(text.replace(before, after), encoding="utf-8")
    if changes:
        commit(there)
    return making.make(there, at, key=key.private, wheels=False)


def asked(m: Machine, at_work: Service, key: Key, act: str, place: str = "") -> dict[str, Any]:
    """The table asks, by its own code, and root answers; the new version's own installer is what puts it in place."""
    updates = Updates(m.root)
    {"take": lambda: updates.take(place), "look": updates.look, "back": updates.back}[act]()
    desk = UpdateService(m, at_work.table, key.signers)
    own = desk._by_itself

    def installed(source: Path) -> None:
        at_work.end(m)  # no systemd runs, so the installer has nobody to tell
        own(source)
        at_work.start(m)

    desk._install = installed
    desk.answer()
    said: dict[str, Any] = json.loads(m.at("/run/tabularium-update/said.json").read_text(encoding="utf-8"))
    assert said["state"] == "done", said
    return said


def test_from_a_stick_to_a_second_release_to_one_that_dies_and_back(
    here: tuple[Machine, Service], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    m, at_work = here
    key, stick = Key(tmp_path / "key"), m.at("/media/sda1")
    m.at(service.ASKED).mkdir(parents=True)
    store, first = played(m, "ja"), program.current(m)
    at_work.start(m)
    released(stick, key, "0.2.0")
    (offer,) = asked(m, at_work, key, "look")["offers"]
    assert offer["version"] == "0.2.0" and offer["changes"] == ["News of 0.2.0."]
    asked(m, at_work, key, "take", offer["place"])
    second = program.current(m)
    assert second.startswith("0.2.0-") and program.good(m) == first and at_work.state(m) == "running"
    watched(m, at_work, monkeypatch)
    assert program.good(m) == second and kept(store) == "ja" and at_work.state(m) == "running"

    version = re.search(r"^VERSION = (\d+)", (program_file(m, "companion/record/store/database.py")), re.M)
    assert version
    newer = f"VERSION = {int(version[1]) + 1}"
    dies = "import os, threading\nthreading.Timer(4, os._exit, (1,)).start()\n"
    main = (
        "from __future__ import annotations\n" if "from __future__" in program_file(m, "companion/__main__.py") else ""
    )
    begin = program_file(m, "companion/__main__.py")
    released(stick, key, "0.3.0", ("companion/record/store/database.py", version[0], newer),
             ("companion/__main__.py", begin, begin.replace(main, main + dies, 1) if main else dies + begin))  # fmt: skip
    offers = {of.get("version", ""): of for of in asked(m, at_work, key, "look")["offers"]}
    asked(m, at_work, key, "take", offers["0.3.0"]["place"])
    assert program.current(m).startswith("0.3.0-")
    watched(m, at_work, monkeypatch)
    last = trial.last(m)
    assert program.current(m) == second == program.good(m) and at_work.state(m) == "running"
    assert (last["what"], last["why"]) == ("back", trial.DIED) and Path(last["aside"]).exists() and kept(store) == "ja"

    asked(m, at_work, key, "take", offers["0.3.0"]["place"])
    at_work.end(m)  # a plug that is pulled
    trial.settle(m, quiet)
    at_work.start(m)
    watched(m, at_work, monkeypatch)
    assert program.current(m) == second, "it dies again, and goes back again"
    at_work.end(m)
    with closing(sqlite3.connect(store)) as db:
        assert db.execute("PRAGMA quick_check").fetchone() == ("ok",)


def program_file(m: Machine, name: str) -> str:
    return (m.at(program.CURRENT) / name).read_text(encoding="utf-8")


def places(lines: Sequence[str], count: int) -> list[int]:
    """So many places to cut at: few while files are only copied beside the version that is at work, most afterwards."""
    begins = next(at for at, line in enumerate(lines, 1) if "trial.json" in line)
    early = max(1, count // 5)
    step, late = begins / early, (len(lines) - begins) / (count - early)
    return [int(step * at) + 1 for at in range(early)] + [begins + int(late * at) for at in range(count - early)]


def checked(m: Machine, versions: set[str], games_of_now: str) -> None:
    """In every case: one whole version is the current one, its own files are in place, and it has its games."""
    now = program.current(m)
    assert now in versions and m.at(f"{OURS}/{now}/{program.WHOLE}").exists()
    assert program.good(m) in versions and m.at(f"{OURS}/{program.good(m)}/{program.WHOLE}").exists()
    assert all(service._same(m, now, name) for name in service.FILES)
    store = m.at(f"{account.DATA}/tabularium.sqlite3")
    assert kept(store) == games_of_now
    assert store.stat().st_uid == m.at(account.DATA).stat().st_uid
    on = trial.read(m)
    assert on is None or (on.phase, on.this) == ("trying", now)


def test_a_plug_pulled_at_twenty_places_always_starts_with_its_games(once: Machine, tmp_path: Path) -> None:
    there = source(tmp_path / "newer")
    this, before = program.version(there), program.current(once)

    def fresh(name: str) -> Machine:
        (tmp_path / name).mkdir()
        made = replace(another(once, tmp_path / name), source=there)
        played(made, "ja")
        return made

    noted = tmp_path / "noted"
    for at in places(disturbed(partial(put, fresh("whole"), Stand()), 0, noted), 20):
        m = fresh(f"at{at}")
        disturbed(partial(put, m, Stand()), at, noted)
        if trial.read(m):
            trial.settle(m, quiet)
        at_work = Service(m)
        at_work.start(m)
        at_work.end(m)
        checked(m, {before, this}, "ja")
