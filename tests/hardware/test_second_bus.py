"""The Pi's second bus is switched on to look for readers: after asking, never where something else is wired, and back."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import pytest

from companion.cli.setup import second_bus
from companion.hardware.settings import PowerSettings, Settings, Wires
from drivers.rc522.overlay import PINS, Overlay
from drivers.virtual.pins import VirtualPins

ARGS = argparse.Namespace(virtual=None, lang="en", config=None)


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A root folder, and a dtoverlay that makes the bus's files in it, and notes what it is told."""
    (tmp_path / "dev").mkdir()
    program = tmp_path / "bin/dtoverlay"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/said\ncase "$1" in -r) rm -f {tmp_path}/dev/spidev1.*;;'
        f" refuse) echo no such overlay >&2; exit 1;; *) touch {tmp_path}/dev/spidev1.0;; esac\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _: True})())
    return tmp_path


def pins(*grounded: int) -> Any:
    """Emulated pins, of which some are at ground."""
    found = VirtualPins({str(pin): pin for pin in grounded}, {})
    for pin in grounded:
        found.hold(str(pin))
    return lambda: found.factory


def looked(pi: Path, base: Settings | None = None, says: str = "y", grounded: int = 0) -> tuple[bool, list[str]]:
    """Whether the bus was there meanwhile, and what was asked."""
    asked: list[str] = []

    def ask(text: str) -> str:
        asked.append(text)
        return says

    overlay = Overlay(pins(*([grounded] if grounded else [])), pi)
    with second_bus(ARGS, base or Settings(), overlay, ask):
        there = (pi / "dev/spidev1.0").exists()
    assert not (pi / "dev/spidev1.0").exists(), "and it is off again"
    return there, asked


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root switches overlays")


def test_second_bus_uses_its_documented_pins() -> None:
    assert set(range(16, 22)) == PINS


@needs_root
def test_second_bus_is_on_only_during_the_search(pi: Path) -> None:
    there, asked = looked(pi)
    assert there and len(asked) == 1 and "GPIO 16 to 21" in asked[0]
    assert (pi / "said").read_text(encoding="utf-8") == "spi1-3cs\n-r spi1-3cs\n"


@needs_root
@pytest.mark.parametrize("says", ["", "n", "no", "nonsense"])
def test_without_a_yes_nothing_is_driven(pi: Path, says: str) -> None:
    assert looked(pi, says=says)[0] is False and not (pi / "said").exists()


@pytest.mark.parametrize(
    "base",
    [
        Settings(hardware="pi", seats={"red": Wires(button=16)}),
        Settings(hardware="pi", seats={"red": Wires(button=5, lamp=21)}),
        Settings(hardware="pi", power=PowerSettings(button=19)),
    ],
)
def test_second_bus_stays_off_where_its_pins_are_in_use(pi: Path, base: Settings) -> None:
    assert looked(pi, base) == (False, []) and not (pi / "said").exists()


@needs_root
@pytest.mark.parametrize("pin", sorted(PINS))
def test_a_pin_at_ground_keeps_it_off_and_is_named(pi: Path, pin: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert looked(pi, grounded=pin)[0] is False
    assert f"GPIO {pin} is at ground" in capsys.readouterr().out and not (pi / "said").exists()


def test_enabled_second_bus_needs_no_overlay(pi: Path) -> None:
    (pi / "dev/spidev1.0").touch()
    with second_bus(ARGS, Settings(), Overlay(pins(), pi), lambda _: pytest.fail("asked")):
        pass
    assert not (pi / "said").exists()


def test_missing_permission_for_the_overlay_names_the_remedy(
    pi: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert looked(pi) == (False, [])
    assert "sudo dtoverlay spi1-3cs" in capsys.readouterr().out


@needs_root
def test_a_system_that_refuses_is_quoted(
    pi: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.rc522.overlay.NAME", "refuse")
    assert looked(pi)[0] is False
    assert "dtoverlay failed: no such overlay" in capsys.readouterr().out
