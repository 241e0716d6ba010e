"""Another version in place of the one that is installed, on a scratch Raspberry Pi."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.record.store import Store
from pi import account, keeper, program, service, steps, trial, update
from pi import main as installer
from pi.keeper import UpdateService
from pi.machine import Failed, Machine
from pi.service import Table
from tests.support.paths import ROOT
from tests.support.releases import Key

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files to another user")


def quiet(_: str) -> None:
    pass


@dataclass
class Stand:
    """A stand-in for the service: what was started and ended, and how it does. It shows no first frame where `dark`."""

    done: list[str] = field(default_factory=list)
    dark: set[str] = field(default_factory=set)
    states: list[Any] = field(default_factory=list)
    at_start: Callable[[Machine], object] = quiet  # type: ignore[assignment]

    @property
    def table(self) -> Table:
        return Table(self._start, lambda _: self.done.append("end"), self._state, service.playing, lambda _: None)

    def _start(self, m: Machine) -> None:
        self.done.append(program.current(m))
        self.at_start(m)
        if program.current(m) in self.dark:
            raise Failed("no first frame", "plug it in")

    def _state(self, _: Machine) -> service.State:
        return self.states.pop(0) if self.states else "running"


def source(at: Path, *changes: tuple[str, str, str]) -> Path:
    """Write the source of another version; a change is a file, the text there, and the text to be there."""
    at.mkdir()
    for part in program.PARTS:
        (at / part).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, at / part)
    with (at / "pi/files/tabularium.service").open("a", encoding="utf-8") as file:
        file.write("# newer\n")
    for name, before, after in changes:
        text = (at / name).read_text(encoding="utf-8")
        assert before in text, name
        (at / name).write_text(text.replace(before, after), encoding="utf-8")
    return at


def played(m: Machine, name: str) -> Path:
    """Return a store with one setting in it, as the installed program would leave it."""
    at = m.at(f"{account.DATA}/tabularium.sqlite3")
    with closing(Store(at)) as store:
        store.keep("language", name)
    return at


def kept(store: Path) -> str:
    with closing(sqlite3.connect(store)) as db:
        return str(db.execute("SELECT value FROM settings WHERE key = 'language'").fetchone()[0]).strip('"')


def put(m: Machine, stand: Stand) -> str:
    """Put the other version in place by hand; return which it is."""
    this = program.version(m.source)
    steps.install(installer.brought(m), quiet)
    update.switch(m, this, quiet, stand.table)
    return this


def minutes(m: Machine, stand: Stand) -> None:
    """Let the ten minutes of probation pass, or as many as they are."""
    trial.watch(m, quiet, stand.table, lambda _: None)


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Key:
    return Key(tmp_path_factory.mktemp("key"))


@dataclass
class Asking:
    """The table's side, and an update service that answers and notes what it would install."""

    m: Machine
    key: Key
    stand: Stand = field(default_factory=Stand)
    installed: list[Path] = field(default_factory=list)
    number: int = 0

    def __call__(self, act: str, place: str = "", install: Callable[[Path], object] | None = None) -> dict[str, Any]:
        self.number += 1
        asked = json.dumps({"number": self.number, "act": act, "place": place})
        self.m.at(keeper.ASK).write_text(asked, encoding="utf-8")
        UpdateService(self.m, self.stand.table, self.key.signers, install or self.installed.append).answer()
        assert not self.m.at(keeper.ASK).exists() and not self.m.at(keeper.INCOMING).exists()
        said: dict[str, Any] = json.loads(self.m.at(keeper.SAID).read_text(encoding="utf-8"))
        assert said["number"] == self.number
        return said
