"""The installer on a scratch Raspberry Pi."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi import main as installer
from pi import steps
from pi.machine import Machine
from tests.support.scratch_pi import copied, scratch


def install(m: Machine, folder: Path | None = None) -> int:
    return steps.install(installer.all_steps(m, folder), lambda _: None)


@pytest.fixture
def m(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return a machine on which nothing is installed yet."""
    return known(scratch(tmp_path), monkeypatch)


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    made = scratch(tmp_path_factory.mktemp("once"))
    install(made)
    return made


@pytest.fixture
def pi(once: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return a machine on which the program is installed."""
    return known(copied(once, tmp_path), monkeypatch)


def known(made: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    for name in ("PATH", "SCRATCH"):  # for main, which takes the real environment
        monkeypatch.setenv(name, made.env[name])
    return made
