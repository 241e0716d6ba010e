"""Another kind of reader is a module and a name: then it is configured, polled, examined and drawn like any other."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest

import drivers
from companion.cli import main
from companion.cli.common import settings_of
from companion.cli.hardware import examined
from companion.cli.needs import boot
from companion.cli.rigs import real
from companion.hardware.doctor import Finding
from companion.hardware.settings import Settings
from companion.rules.readings import Health, Press, Reading
from drivers import kinds
from drivers.virtual.clock import VirtualClock
from tests.support.paths import TESTS

CARD, OTHER = "04A3C6CAE26180", "0411223344AA55"
Words = SimpleQueue[Reading | Press | Health]


@pytest.fixture(autouse=True)
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The toys' packages beside the other drivers, and their names in the list; nothing else knows them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(drivers, "__path__", [*drivers.__path__, str(TESTS / "support")])
    monkeypatch.setattr(kinds, "NAMES", (*kinds.NAMES, "toy", "toy_i2c"))
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
        "7: readers.yellow.kind: expected 'virtual', 'rc522', 'pcsc', 'pn532', 'typed', 'toy' or 'toy_i2c', not \"tay\"; did you mean 'toy'?",
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
    reported = "config.yaml:4: readers.red.kind: a toy is on no virtual table: set hardware to usb (on a Pi: pi), or kind to virtual\n"
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
    from companion.cli.rigs import wired

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
    for word in ("reader red", "A toy", "WAKE", "GPIO 6", "at 31", "5V", "at 4", "ODD", "unused"):
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


# -- on I²C: several on two wires --------------------------------------------------------------------------------------


@pytest.fixture
def bus(tmp_path: Path) -> Path:
    """Two readers on one bus in config.yaml; both answer, and a card lies on one."""
    (tmp_path / "config.yaml").write_text(
        f"data: {tmp_path}/data\nhardware: pi\nreaders:\n"
        f"  red: {{kind: toy_i2c, file: {tmp_path}/i2c}}\n  blue: {{kind: toy_i2c, file: {tmp_path}/i2c, address: 0x29}}\n"
    )
    (tmp_path / "i2c").write_text(f"28 {CARD}\n29\n")
    return tmp_path / "i2c"


def test_readers_on_i2c_share_its_wires_and_no_address(bus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert settings().readers["blue"].settings.address == 0x29
    Path("config.yaml").write_text("""\
hardware: pi
power: {button: 3}
readers:
  red: {kind: toy_i2c}
  blue: {kind: toy_i2c, address: 0x28}
  green: {kind: toy_i2c, address: 0x78}
seats:
  red: {button: 2}
""")
    assert main(["wiring"]) == 2
    said = capsys.readouterr().err
    for mistake in (
        "2: power.button: pin 3 belongs to I2C",
        "5: readers.blue: address 28 of I2C is already used by readers.red (line 4)",
        "6: readers.green.address: expected a whole number from 8 to 119, not 120",
        "8: seats.red.button: pin 2 belongs to I2C",
    ):
        assert f"config.yaml:{mistake}" in said, said
    assert "readers.green: address" not in said, "which it would have, were its own address right"


def test_readers_on_i2c_take_turns_and_fall_silent_one_by_one(bus: Path) -> None:
    from companion.cli.rigs import wired

    assert wired(settings()).owners == {"red": "I2C", "blue": "I2C"}
    words: Words = SimpleQueue()
    rig = real(settings(), words.put)
    laid = words.get(timeout=600)
    assert isinstance(laid, Reading) and (laid.reader, laid.tag, laid.present) == ("red", CARD, True)
    bus.write_text(f"28 {CARD}\n")
    ill = words.get(timeout=600)
    assert isinstance(ill, Health) and (ill.device, ill.well) == ("reader blue", False)
    assert "Nothing answers at 29" in ill.detail
    bus.write_text(f"28 {CARD}\n29 {OTHER}\n")
    assert words.get(timeout=600) == Health("reader blue", True)
    laid = words.get(timeout=600)
    assert isinstance(laid, Reading) and (laid.reader, laid.tag, laid.present) == ("blue", OTHER, True)
    rig.close()


def test_the_system_is_told_what_i2c_needs(bus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "dtparam=i2c_arm=on" in boot(settings())
    assert "no-such-smbus" in kinds.packages(alone=False)
    bus.write_text("29\n")
    assert "Look at its two wires" in [finding.next for finding in findings("reader red")]
    bus.unlink()
    assert "Switch I2C on" in [finding.next for finding in findings("reader red")]
    assert main(["wiring"]) == 0
    svg = capsys.readouterr().out
    for word in ("reader red", "reader blue", "A toy on I²C", "SDA", "GPIO 2", "at 3", "SCL", "GPIO 3", "at 5"):
        assert f">{word}</text>" in svg, word
