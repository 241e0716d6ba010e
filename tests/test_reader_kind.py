"""Another kind of reader is a module and a name: then it is configured, polled, examined and drawn like any other."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest

import drivers
from companion.cli import main
from companion.cli.common import settings_of
from companion.cli.hardware import examined, real
from companion.hardware.doctor import Finding
from companion.hardware.header import Bus
from companion.hardware.kind import Occupied
from companion.hardware.settings import Settings, load
from companion.rules.mistakes import ConfigError
from companion.rules.readings import Health, Press, Reading
from drivers import kinds
from drivers.virtual.clock import VirtualClock

CARD, OTHER = "04A3C6CAE26180", "0411223344AA55"
Words = SimpleQueue[Reading | Press | Health]


@pytest.fixture(autouse=True)
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy's package beside the other drivers, and its name in the list; nothing else knows it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(drivers, "__path__", [*drivers.__path__, str(Path(__file__).parent)])
    monkeypatch.setattr(kinds, "NAMES", (*kinds.NAMES, "toy"))
    monkeypatch.setattr(kinds, "KINDS", {name: partial(kinds.kind, name) for name in kinds.NAMES})


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A toy reader in config.yaml."""
    (tmp_path / "config.yaml").write_text(
        f"data: {tmp_path}/data\nhardware: pi\nreaders:\n  red: {{kind: toy, file: {tmp_path}/red, wake: 6}}\n"
    )
    (tmp_path / "red").write_text(CARD)
    return tmp_path / "red"


def settings(hardware: str | None = None) -> Settings:
    found: Settings = settings_of(SimpleNamespace(config=None, virtual=hardware))  # type: ignore[arg-type]
    return found


# -- configured --------------------------------------------------------------------------------------------------------


def test_its_keys_become_its_settings(toy: Path) -> None:
    red = settings().readers["red"]
    assert (red.kind.name, red.settings.file, red.settings.speed, red.settings.wake) == ("toy", str(toy), 5, 6)


def test_its_mistakes_are_named_with_all_others(capsys: pytest.CaptureFixture[str]) -> None:
    Path("config.yaml").write_text("""\
hardware: pi
readers:
  red: {kind: toy, file: /red, sped: 3, wake: 11}
  blue: {kind: toy, file: /red, speed: 9}
  green: {kind: toy, speed: 10}
  centre: {kind: rc522, speed: 3}
  yellow: {kind: tay}
seats:
  red: {button: 4}
""")
    assert main(["wiring"]) == 2
    free = "free pins: 5, 6, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27"
    assert [line.removeprefix("config.yaml:") for line in capsys.readouterr().err.splitlines()] == [
        "3: readers.red.sped: unknown key; did you mean 'speed'?",
        f"3: readers.red.wake: pin 11 belongs to SPI0, which the reader 'centre' needs; {free}",
        "4: readers.blue: the file /red is already used by readers.red (line 3)",
        "4: readers.blue.speed: the toy is as fast as that on any other pin",
        "5: readers.green: the key 'file' is missing",
        "5: readers.green.speed: expected a whole number from 1 to 9, not 10",
        "6: readers.centre.speed: unknown key",
        "7: readers.yellow.kind: expected 'virtual', 'rc522' or 'toy', not \"tay\"; did you mean 'toy'?",
        f"9: seats.red.button: pin 4 is already used by readers.blue.wake (line 4); {free}",
    ]


def test_a_virtual_one_in_its_place_takes_its_keys(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = Path("config.yaml")
    config.write_text(config.read_text().replace("toy", "virtual"))
    assert settings().readers["red"].kind.virtual
    config.write_text(config.read_text().replace("wake", "wkae"))
    assert main(["wiring"]) == 2
    assert "unknown key; did you mean 'wake'?" in capsys.readouterr().err


def test_it_has_no_place_on_a_virtual_table(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = Path("config.yaml")
    config.write_text(config.read_text().replace("hardware: pi", "hardware: virtual"))
    assert main(["wiring"]) == 2
    reported = "config.yaml:4: readers.red.kind: a toy is on no virtual table: set hardware to pi, or kind to virtual\n"
    assert capsys.readouterr().err == reported


# -- polled ------------------------------------------------------------------------------------------------------------


def test_it_is_polled_into_the_queue_and_its_faults_stay_out_of_the_game(toy: Path) -> None:
    words: Words = SimpleQueue()
    rig = real(settings(), words.put)
    laid = words.get(timeout=600)
    assert isinstance(laid, Reading) and (laid.reader, laid.tag, laid.present) == ("red", CARD, True)
    toy.rename(toy.with_name("away"))
    ill = words.get(timeout=600)
    assert isinstance(ill, Health) and (ill.device, ill.well) == ("reader red", False)
    assert ill.detail.startswith("The toy has lost red. ")
    toy.write_text("")
    assert words.get(timeout=600) == Health("reader red", True)
    lifted = words.get(timeout=600)
    assert isinstance(lifted, Reading) and (lifted.tag, lifted.present) == (CARD, False)
    rig.close()


def test_toys_take_turns_on_one_thread(toy: Path) -> None:
    from companion.cli.hardware import wired

    assert wired(settings()).owners == {"red": "toys"}


# -- examined ----------------------------------------------------------------------------------------------------------


def findings(part: str, **given: Any) -> list[Finding]:
    return [finding for finding in examined(settings(), polls=4, clock=VirtualClock(), **given) if finding.part == part]


def test_the_doctor_polls_it_and_knows_its_chip(toy: Path) -> None:
    found = findings("reader red")
    assert {finding.verdict for finding in found} == {"pass"}
    said = [finding.what for finding in found]
    assert f"{toy} can be used" in said and "toy number 7" in said and "polls without an error: 4" in said


def test_the_doctor_misses_its_package_and_its_file(toy: Path) -> None:
    (missing,) = findings("packages")
    assert (missing.verdict, missing.what, missing.next) == ("fail", "Not installed: no-such-toy", "make pi")
    toy.unlink()
    (absent,) = findings("reader red")
    assert (absent.verdict, absent.next) == ("fail", "Make one")


def test_the_doctor_knows_the_next_step_by_the_faults_code(toy: Path) -> None:
    words: Words = SimpleQueue()
    toy.unlink()
    rig = real(settings(), words.put)
    words.get(timeout=600)
    found = findings("reader red", running=rig.polls)
    rig.close()
    assert "Look under the table" in [finding.next for finding in found]


# -- drawn, installed --------------------------------------------------------------------------------------------------


def test_it_is_drawn(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wiring"]) == 0
    svg = capsys.readouterr().out
    for word in ("reader red", "A toy", "WAKE", "GPIO 6", "at 31", "5V", "at 4", "ODD", "free"):
        assert f">{word}</text>" in svg, word
    assert "Switch the Pi off before you wire. Toys are for children.<" in svg


def test_its_package_is_installed_by_make_pi() -> None:
    assert "no-such-toy" in kinds.packages(alone=False) and "mfrc522" in kinds.packages(alone=True)


def test_settings_load_no_driver(toy: Path) -> None:
    """A table that stands in config.yaml is opened behind the first frame: until then none of its libraries is loaded."""
    script = (
        "import sys; from pathlib import Path; from companion.hardware.settings import load; from drivers.kinds import KINDS;"
        "load(Path('pi.yaml'), KINDS);"
        "print([m for m in ('gpiozero', 'mfrc522', 'serial', 'drivers.rc522.reader', 'drivers.worker') if m in sys.modules])"
    )
    Path("pi.yaml").write_text("hardware: pi\nreaders: {centre: {kind: rc522}}")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_reader_on_i2c_and_the_power_button_on_one_of_its_pins_are_a_mistake(toy: Path, tmp_path: Path) -> None:
    i2c = replace(kinds.kind("toy"), occupied=lambda at: Occupied(at.file, Bus("I2C", {"SDA": 2, "SCL": 3})))
    path = tmp_path / "both.yaml"
    path.write_text(
        "hardware: pi\npower: {button: 3}\nreaders:\n  red: {kind: toy, file: /red}\nseats:\n  red: {button: 5, reader: red}\n"
    )
    with pytest.raises(ConfigError, match=r"power\.button: pin 3 belongs to I2C"):
        load(path, {"toy": lambda: i2c})
