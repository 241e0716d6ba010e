"""`tabularium setup` as it is typed: through a pseudo terminal, with emulated devices and on a computer without any."""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.setup_session import unset
from companion.hardware import settings as config
from companion.hardware.settings import Settings
from companion.hardware.wizard.place import save
from drivers.kinds import KINDS
from tests.support.paths import ROOT

BEGUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever is begun in the background inherits that it is ignored
from companion.cli import main
sys.exit(main())
"""


class Terminal:
    """A program in a terminal: what is typed, and what it has printed so far."""

    def __init__(self, process: subprocess.Popen[bytes], near: int) -> None:
        self.process, self.near, self.text = process, near, ""

    def until(self, wanted: str) -> str:
        """What it prints up to these words."""
        while wanted not in self.text:
            try:
                came = os.read(self.near, 4096)
            except OSError:  # it has ended
                came = b""
            assert came, f"{wanted!r} never came:\n{self.text}"
            self.text += came.decode().replace("\r\n", "\n")
        before, _, self.text = self.text.partition(wanted)
        return before + wanted

    def type(self, line: str) -> None:
        os.write(self.near, f"{line}\n".encode())

    def status(self) -> int:
        return self.process.wait()


@contextmanager
def terminal(folder: Path, *words: str) -> Iterator[Terminal]:
    near, far = os.openpty()
    env = os.environ | {"XDG_CONFIG_HOME": str(folder / "config"), "XDG_DATA_HOME": str(folder / "data")}
    env["PCSCLITE_CSOCK_NAME"] = str(folder / "no readers")
    command = [sys.executable, "-c", BEGUN, *words]
    process = subprocess.Popen(
        command,
        stdin=far,
        stdout=far,
        stderr=far,
        cwd=folder,
        env=env | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    os.close(far)
    try:
        yield Terminal(process, near)
    finally:
        process.kill()
        process.wait()
        os.close(near)


def test_the_whole_walk_on_emulated_devices(tmp_path: Path) -> None:
    with terminal(tmp_path, "--virtual", "table", "setup", "--lang", "de") as typed:
        typed.until("SPI0.1")
        typed.until("\n  Rot, Blau, Grün, Gelb, Violett\n")
        for colour in ("violett", "yellow", "grün", "unsinn"):
            typed.type(colour)
        typed.until("Rot, Blau\n")
        typed.type("")
        typed.until("Rot")
        typed.until("q: ")
        typed.type("press gpio 5")
        typed.until("GPIO 5")
        typed.until("Blau")
        typed.until("q: ")
        typed.type("press gpio 5")
        typed.until("Rot")
        typed.type("press box1 place 0")
        typed.until("box1")
        typed.until("q: ")
        typed.type("lay spi0.1")
        typed.until("SPI0.1")
        typed.until("q: ")
        typed.type("b")
        typed.until("q: ")
        typed.type("lay spi0.0")
        typed.until("SPI0.0")
        typed.until("q: ")
        typed.type("n")
        typed.until("q: ")
        for word in ("vielleicht", "b", "s", "", "lay spi9.9", "j"):  # back, on again, and what means nothing here
            typed.type(word)
        written = typed.until("first_seat_side")
        assert typed.status() == 0
    assert "language: de" in written and "red: {button: 5, lamp: 12, reader: red}" in written
    assert "  red: {kind: rc522, bus: 0, device: 0, reset: 25}" in written
    assert re.search(r"box1:\n    serial: \S+\n    seats: \[blue\]", written)
    assert not list(tmp_path.rglob("config*.yaml")), "a rehearsal writes nothing"


def test_config_without_devices_is_written(tmp_path: Path) -> None:
    path = tmp_path / "config" / "tabularium" / "config.yaml"
    for asides in (0, 1):
        with terminal(tmp_path, "setup") as typed:
            typed.until("q: stop)")
            typed.type("")
            typed.until(f"Write {path}?")
            typed.type("y")
            typed.until(f"Written: {path}")
            assert typed.status() == 0
        assert len(list(path.parent.iterdir())) == 1 + asides
    made = config.load(path, KINDS)
    assert made.hardware == "virtual" and list(made.seats) == ["red", "blue", "green", "yellow", "purple"]
    assert path.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("end", ["q", "\x04", "ctrl-c", "n"])
def test_aborted_setup_changes_nothing(tmp_path: Path, end: str) -> None:
    with terminal(tmp_path, "setup") as typed:
        typed.until("q: stop)")
        if end in ("q", "\x04"):
            typed.type(end)
            typed.until("Nothing has been written.")
            assert typed.status() == 0
        elif end == "n":
            typed.type("")
            typed.until("Write ")
            typed.type("n")
            typed.until("Nothing has been written.")
        else:
            typed.process.send_signal(signal.SIGINT)
            assert typed.status() == 130
    assert not list(tmp_path.rglob("config*"))


@pytest.mark.usefixtures("at_home")
def test_without_a_terminal_it_says_what_was_found_and_asks_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open(os.devnull) as nowhere:  # noqa: PTH123
        monkeypatch.setattr("sys.stdin", nowhere)
        assert main(["--virtual", "table", "setup"]) == 0
    said = capsys.readouterr()
    assert "reader SPI0.0: MFRC522 version 2" in said.err
    assert "#centre: {kind: rc522, bus: 0, device: 1, reset: 25}" in said.out
    (tmp_path / "offered.yaml").write_text(said.out, encoding="utf-8")
    assert config.load(tmp_path / "offered.yaml", KINDS).hardware == "pi"
    assert not (tmp_path / "config").exists()


@pytest.mark.usefixtures("at_home")
def test_a_file_with_mistakes_is_named_and_not_carried_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("langauge: de\npress: {no_ms: 700}\n")
    with open(os.devnull) as nowhere:  # noqa: PTH123
        monkeypatch.setattr("sys.stdin", nowhere)
        assert main(["setup"]) == 0
        said = capsys.readouterr()
        assert "config.yaml:1: langauge: unknown key; did you mean 'language'?" in said.err and "no_ms: 600" in said.out
        path.write_text("language: de\npress: {no_ms: 700}\n")
        assert main(["setup"]) == 0
    said = capsys.readouterr()
    assert "config.yaml" not in said.err and "no_ms: 700" in said.out and "language: de" in said.out, (
        "what was set stays"
    )
    assert path.read_text() == "language: de\npress: {no_ms: 700}\n" and Settings().press.no_ms == 600


# -- the first start on a Pi ---------------------------------------------------------------------------------------


def pi(root: Path) -> Path:
    model = root / "proc" / "device-tree" / "model"
    model.parent.mkdir(parents=True)
    model.write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    return root


@pytest.mark.usefixtures("at_home")
def test_a_pi_without_a_config_begins_with_the_set_up_and_nothing_else_does(tmp_path: Path) -> None:
    on_pi, elsewhere = pi(tmp_path / "pi"), tmp_path / "laptop"
    plain = argparse.Namespace(config=None, virtual=None)
    made = unset(plain, on_pi)
    assert made and made.hardware == "pi" and made.screen.fullscreen and not made.readers
    assert unset(plain, elsewhere) is None, "never on a laptop by itself"
    assert unset(argparse.Namespace(config=None, virtual="table"), on_pi) is None
    named = argparse.Namespace(config=tmp_path / "etc" / "config.yaml", virtual=None)
    assert unset(named, on_pi), "the file that was named is not there yet"
    save(named.config, "language: de\n")
    assert unset(named, on_pi) is None
    (tmp_path / "config.yaml").write_text("")
    assert unset(plain, on_pi) is None
