"""The doctor: a sound table is found sound, and each fault is named with its next step."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from companion.cli import main
from companion.hardware import doctor
from companion.hardware.doctor import Finding, computer, wired
from companion.hardware.fitting import Fitting
from companion.rules.message import Message
from companion.rules.words import device, message
from drivers import machine, probe
from drivers.probe import Bench, examine
from drivers.rc522 import kind as rc522
from drivers.rc522.bus_probe import beside
from drivers.rc522.reader import Rc522
from drivers.rc522.settings import Rc522Settings
from drivers.rig import Wiring
from drivers.virtual import bench as virtual_bench
from drivers.virtual import spi
from drivers.virtual.chip import Chip
from drivers.virtual.clock import VirtualClock
from drivers.virtual.pins import VirtualPins
from drivers.virtual.rc522 import VirtualRc522, readers
from drivers.virtual.reader import VirtualReader
from drivers.virtual.spi import VirtualPi
from drivers.virtual.tags import NTAG213, Tag
from drivers.worker import HealthWatch
from tests.support.paths import ROOT

needs_package = pytest.mark.skipif(not spi.installed(), reason="the mfrc522 package is not installed")
CARD, OTHER = "04A3C6CAE26180", "0411223344AA55"
BUTTONS, LAMPS = {"red": 5, "blue": 6}, {"red": 12}
WANTED = (*rc522.KIND.packages, probe.LGPIO)
SOUND = {"mfrc522": "0.0.7", "spidev": "3.8", "rpi-lgpio": "0.6", "lgpio": "0.2.2.0"}


def write(root: Path, path: str, text: str = "") -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def install(root: Path, **versions: str) -> None:
    for name, version in versions.items():
        folder = root / "packages" / f"{name}-{version}.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


def fitted(bus: int, device: int) -> Fitting[Any]:
    return Fitting(rc522.KIND, Rc522Settings(bus, device))


class SoundTable:
    """A Raspberry Pi 5 as files, two emulated readers, two buttons and a lamp: all of it sound until a test says so."""

    def __init__(self, root: Path) -> None:
        self.root = root
        write(root, "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
        write(root, "proc/mounts", f"overlay / overlay rw 0 0\n/dev/sda1 {root} ext4 rw 0 0\n")
        write(root, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
        write(root, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
        write(root, "sys/kernel/debug/gpio", " gpio-571 (ID_SDA/GPIO2      )\n gpio-577 (GPIO8 |spi0 CS0 ) out hi\n")
        write(root, "sys/class/drm/card1-DSI-1/status", "connected\n")
        write(root, "sys/class/drm/card1-DSI-1/modes", "800x480\n720x480\n")
        write(root, "sys/class/drm/card1-HDMI-A-1/status", "disconnected\n")
        write(root, "run/systemd/timesync/synchronized")
        for node in ("spidev0.0", "spidev0.1", "gpiochip0", "dri/card1"):
            write(root, f"dev/{node}")
        install(root, **{name.replace("-", "_"): version for name, version in SOUND.items()})
        self.pins = VirtualPins(BUTTONS, LAMPS)
        self.readers: Mapping[str, VirtualRc522 | VirtualReader] = {"red": VirtualReader(), "blue": VirtualReader()}
        self.clock = VirtualClock()
        if spi.installed():
            _, chips = readers(2)
            self.readers = dict(zip(("red", "blue"), chips, strict=True))
            self.clock = chips[0].chip.clock

    def bench(self, **other: Any) -> Bench:
        openers = {name: reader.open for name, reader in self.readers.items()}
        given: dict[str, Any] = dict(
            wiring=Wiring(openers, BUTTONS, LAMPS, lambda: self.pins.factory),
            data=self.root / "data",
            pi=True,
            debounce_ms=12,
            fitted={"red": fitted(0, 0), "blue": fitted(0, 1)},
            watch=self.press,
            wait=self.clock.sleep,
            clock=self.clock,
            disk_clock=self.clock.monotonic,
            contacts_clock=self.clock.monotonic,
            root=self.root,
            environment={},
            folders=(str(self.root / "packages"),),
        )
        return Bench(**given | other)

    def press(self) -> None:
        for seat in BUTTONS:
            self.pins.hold(seat)
            self.clock.sleep(0.2)
            self.pins.let_go(seat)

    def chip(self, name: str) -> Any:
        reader = self.readers[name]
        assert isinstance(reader, VirtualRc522)
        return reader.chip

    def findings(self, **other: Any) -> list[Finding]:
        return list(examine(self.bench(**other)))


@pytest.fixture
def table(tmp_path: Path) -> SoundTable:
    return SoundTable(tmp_path)


def troubles(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.verdict != "pass"]


def only(findings: list[Finding]) -> Finding:
    (finding,) = troubles(findings)
    return finding


def reported(findings: list[Finding], part: str) -> str:
    return "\n".join(f"{finding.what}. {finding.next}" for finding in findings if finding.part == part)


def test_a_sound_table_is_sound(table: SoundTable) -> None:
    found = table.findings()
    assert troubles(found) == [] and doctor.status(found) == 0
    parts = {finding.part for finding in found}
    assert parts >= {"computer", "supply", "packages", "folder", "pins", "readers", "display", "disk", "clock"}
    assert parts >= {"reader red", "reader blue", "button red", "button blue", "lamp red"}
    assert "Pi 5" in reported(found, "computer") and "DSI-1 800x480" in reported(found, "display")
    assert "ext4" not in reported(found, "disk") and "down 0, up 200 ms" in reported(found, "button red")


# -- the computer -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "text", "part", "verdict", "words"),
    [
        ("proc/device-tree/model", "Laptop", "computer", "fail", "hardware to virtual"),
        ("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1", "supply", "warn", "power supply"),
        ("sys/kernel/debug/gpio", " gpio-574 (GPIO5  |w1 ) in hi\n", "pins", "fail", "GPIO 5 (button red) is already in use by “w1”"),
        ("sys/class/drm/card1-DSI-1/status", "disconnected", "display", "fail", "No display"),
        ("proc/mounts", "overlay / overlay rw 0 0", "disk", "warn", "a power cut may lose all games"),
    ],
)  # fmt: skip
def test_doctor_reports_the_computer(
    table: SoundTable, path: str, text: str, *, part: str, verdict: str, words: str
) -> None:
    write(table.root, path, text)
    found = only(table.findings())
    assert (found.part, found.verdict) == (part, verdict)
    assert words in f"{found.what} {found.next}" and found.next


@pytest.mark.parametrize(
    ("path", "part", "words"),
    [
        ("dev/spidev0.1", "reader blue", "raspi-config"),
        ("dev/gpiochip0", "pins", "gpiochip0"),
        ("sys/class/drm/card1-DSI-1/status", "display", "No display"),
    ],
)
def test_doctor_reports_missing_files(table: SoundTable, path: str, part: str, words: str) -> None:
    (table.root / path).unlink()
    found = only(table.findings())
    assert (found.part, found.verdict) == (part, "fail") and words in f"{found.what} {found.next}"


def test_the_second_bus_needs_its_overlay(table: SoundTable) -> None:
    found = only(table.findings(fitted={"red": fitted(1, 2)}))
    assert "/dev/spidev1.2" in found.what and "dtoverlay=spi1-3cs" in found.next


@pytest.mark.parametrize(
    ("device", "group"), [("spidev0.0", "spi"), ("gpiochip0", "gpio"), ("dri/card1", "video,render")]
)
def test_missing_permission_names_the_group(table: SoundTable, device: str, group: str) -> None:
    found = only(table.findings(allowed=lambda path: path != table.root / "dev" / device))
    assert found.verdict == "fail" and f"usermod -aG {group} $USER" in found.next


def test_an_older_kernel_has_the_header_of_a_pi_5_on_chip_4(table: SoundTable) -> None:
    (table.root / "dev/gpiochip0").rename(table.root / "dev/gpiochip4")
    assert "gpiochip4 can be used" in reported(table.findings(), "pins")


@pytest.mark.parametrize("model", ["Raspberry Pi 4 Model B Rev 1.4", "Raspberry Pi 500 Rev 1.0"])
def test_a_chip_4_that_is_something_else_is_not_the_header(table: SoundTable, model: str) -> None:
    write(table.root, "proc/device-tree/model", f"{model}\0")
    write(table.root, "dev/gpiochip4")
    assert "gpiochip0 can be used" in reported(table.findings(), "pins")
    (table.root / "dev/gpiochip0").unlink()
    assert "gpiochip0" in only(table.findings()).what


def test_the_kernels_list_of_pins_is_for_root(table: SoundTable) -> None:
    (table.root / "sys/kernel/debug/gpio").unlink()
    found = table.findings()
    assert not troubles(found) and "Only root can see" in reported(found, "pins")


def test_a_32_bit_system_has_no_kivy() -> None:
    seen = computer.Computer("Raspberry Pi 3 Model B", "armv7l")
    assert "64-bit" in only(list(computer.machine(seen, pi=True))).next


@pytest.mark.parametrize(
    ("change", "verdict", "words"),
    [
        ({"rpi-gpio": "0.7.1"}, "fail", "both provide the module RPi.GPIO"),
        ({"rpi-gpio": "0.7.1", "rpi-lgpio": None}, "fail", "does not run on a Pi 5"),
        ({"mfrc522": None, "spidev": None}, "fail", "Not installed: mfrc522, spidev"),
        ({"rpi-lgpio": None}, "fail", "Not installed: rpi-lgpio"),
        ({"lgpio": None}, "fail", "Not installed: lgpio"),
        ({"mfrc522": "0.0.8"}, "warn", "not been tried"),
    ],
)
def test_packages(change: Mapping[str, str | None], verdict: str, words: str, tmp_path: Path) -> None:
    versions = {name: version for name, version in {**SOUND, **change}.items() if version}
    install(tmp_path, **{"RPi.GPIO" if name == "rpi-gpio" else name: version for name, version in versions.items()})
    seen = machine.packages([str(tmp_path / "packages")])
    assert seen == versions
    found = only(list(computer.packages(seen, WANTED, "Raspberry Pi 5 Model B")))
    assert found.verdict == verdict and words in found.what and ("pip" in found.next or found.next == "make pi")


def test_rpi_gpio_alone_is_only_a_warning_on_a_pi_4() -> None:
    versions = {"mfrc522": "0.0.7", "spidev": "3.8", "rpi-gpio": "0.7.1", "lgpio": "0.2"}
    found = only(list(computer.packages(versions, WANTED, "Raspberry Pi 4 Model B")))
    assert found.verdict == "warn"


def test_lgpio_needs_a_folder_it_can_write_to() -> None:
    assert computer.folder("/etc", writable=False).verdict == "fail"


# -- disk and clock ---------------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written_to(table: SoundTable) -> None:
    write(table.root, "file")
    found = only(table.findings(data=table.root / "file" / "games"))
    assert found.part == "disk" and found.verdict == "fail" and "set data" in found.next


@pytest.mark.parametrize(("ms", "verdict"), [(20, "pass"), (300, "warn"), (2000, "fail")])
def test_a_slow_disk(tmp_path: Path, ms: int, verdict: str) -> None:
    clock = VirtualClock()
    seen = machine.disk(tmp_path, tmp_path, lambda _: clock.sleep(ms / 1000), clock.monotonic)
    assert [round(time) for time in seen.times] == [ms] * machine.SYNCS
    assert doctor.worst(list(computer.disk(seen))) == verdict
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


@pytest.mark.parametrize(("free", "verdict"), [(10, "fail"), (100, "warn"), (5000, "pass")])
def test_a_full_disk(free: int, verdict: str) -> None:
    assert doctor.worst(list(computer.disk(computer.Disk("/data", "", "ext4", free, (5.0,))))) == verdict


def test_a_clock_that_has_lost_the_date(tmp_path: Path) -> None:
    write(tmp_path, "games")
    seen = machine.clock([tmp_path / "games", tmp_path / "nothing"], tmp_path, lambda: 1_000_000.0)
    assert computer.clock(seen, "1970-01-12").verdict == "warn"
    sure = machine.clock([tmp_path / "games"], tmp_path)
    assert computer.clock(sure, "today") == Finding(
        "clock", "pass", "today, not set by a time server since starting", "Is the time right?"
    )


# -- readers ----------------------------------------------------------------------------------------------------------


@needs_package
@pytest.mark.parametrize(("reads", "words"), [(0x00, "MISO wire"), (0xFF, "chip select")])
def test_a_dead_bus_is_named_and_the_other_reader_is_not(table: SoundTable, reads: int, words: str) -> None:
    table.chip("red").faults.dead = reads
    found = only(table.findings())
    assert found.part == "reader red" and found.verdict == "fail"
    assert f"reads {reads:02X}" in found.what and words in found.next


@needs_package
@pytest.mark.parametrize(
    ("version", "called"), [(0x88, "clone"), (0xB2, "clone"), (0x12, "counterfeit"), (0x82, "unknown")]
)
def test_a_clone_is_named(table: SoundTable, version: int, called: str) -> None:
    table.chip("blue").faults.version = version
    found = only(table.findings())
    assert (found.part, found.verdict) == ("reader blue", "warn") and called in found.what


@needs_package
def test_a_chip_that_loses_its_settings_points_to_the_supply(table: SoundTable) -> None:
    table.chip("red").faults.reset = 0.2
    found = only(table.findings())
    assert found.part == "reader red" and "lost its settings" in found.what and "µF" in found.next


@needs_package
def test_a_bus_that_dies_in_between_is_counted(table: SoundTable) -> None:
    chip = table.chip("red")
    chip.clock.at(0.5, lambda: setattr(chip.faults, "dead", 0xFF))
    found = only(table.findings())
    assert found.verdict == "fail" and "polls went wrong" in found.what and "reads FF" in found.what


@needs_package
def test_a_card_that_is_read_well(table: SoundTable) -> None:
    table.readers["red"].lay(CARD)
    found = table.findings(polls=30)
    assert not troubles(found)
    assert f"tag {CARD} answered first time in 30 of 30 polls" in reported(found, "reader red")
    assert "no card is seen by two readers" in reported(found, "readers")


@needs_package
def test_a_card_that_is_laid_later_has_missed_nothing(table: SoundTable) -> None:
    table.clock.at(0.5, lambda: table.readers["red"].lay(CARD))
    found = table.findings()
    assert not troubles(found)
    seen, polls = re.findall(r"first time in (\d+) of (\d+) polls", reported(found, "reader red"))[0]
    assert 0 < int(seen) == int(polls) < 100


@needs_package
def test_a_weak_card_is_reported_with_its_misses(table: SoundTable) -> None:
    card = Tag(CARD, NTAG213)
    card.weak = 0.6
    table.chip("red").field.put(card)
    found = only(table.findings())
    assert found.part == "reader red" and CARD in found.what and "sticker" in found.next


@needs_package
def test_a_card_two_readers_see_lies_between_them(table: SoundTable) -> None:
    for reader in table.readers.values():
        reader.lay(CARD)
    found = only(table.findings())
    assert found.part == "readers" and "red and blue both see tag" in found.what and "10 cm" in found.next
    assert message(found.what, "de").startswith("rot und blau sehen beide")


def test_a_slow_reader() -> None:
    seen = wired.PollSummary("red", times=(8.0,) * 20 + (45.0,) * 80)
    assert "a poll takes 45.0 ms" in only(list(wired.reader(seen))).what


def test_any_kind_of_reader_can_be_examined() -> None:
    plain = VirtualReader()
    broken = VirtualReader()
    broken.fail(OSError("No such device"))
    plain.lay(OTHER)
    seen = probe.readers({"red": plain.open, "blue": broken.open}, 10, VirtualClock())
    assert seen[0].tags == {OTHER: (10, 10)} and seen[0].version is None and plain.closed
    assert seen[1].fault == "No such device" and only(list(wired.reader(seen[1]))).what == "No such device"


def test_at_an_open_table_its_own_readers_are_asked_and_no_card_is_named(table: SoundTable) -> None:
    seen = [
        wired.PollSummary("red", times=(7.0,) * 90, tags={CARD: (90, 90), OTHER: (40, 90)}),
        wired.PollSummary("blue", times=(7.0,) * 90, tags={OTHER: (90, 90)}),
        wired.PollSummary(
            "green", "The chip on SPI0.1 does not answer (its version reads FF): check its cable and power"
        ),
    ]
    found = table.findings(running=lambda: seen)
    assert [f.part for f in troubles(found)] == ["reader red", "reader green", "readers"]
    assert "tag 2 answered first time in 40 of 90 polls" in reported(found, "reader red")
    assert "red and blue both see tag 2" in reported(found, "readers")
    assert CARD not in str(found) and OTHER not in str(found)
    assert "not tested" in reported(found, "pins") and not [f for f in found if f.part == "button red"]


# -- buttons and lamps ------------------------------------------------------------------------------------------------


def contacts(act: Callable[[VirtualPins, VirtualClock], object], *held: str) -> list[Finding]:
    pins, clock = VirtualPins(BUTTONS, {}), VirtualClock()
    for seat in held:
        pins.hold(seat)
    seen = probe.buttons(BUTTONS, pins.factory, lambda: act(pins, clock), clock.monotonic)
    return [wired.button(contact, 12) for contact in seen]


def bouncing(ms: int) -> Callable[[VirtualPins, VirtualClock], object]:
    def act(pins: VirtualPins, clock: VirtualClock) -> None:
        for _ in range(3):
            pins.hold("red")
            clock.sleep(0.002)
            pins.let_go("red")
            clock.sleep(ms / 1000)

    return act


def test_a_button_that_is_not_pressed_is_open() -> None:
    assert ["not pressed" in found.what for found in contacts(lambda *_: None)] == [True, True]


def test_a_stuck_button() -> None:
    red, blue = contacts(lambda *_: None, "red")
    assert red.verdict == "fail" and "stays at ground" in red.what and blue.verdict == "pass"


def test_a_button_held_at_first_and_then_let_go_is_not_stuck() -> None:
    assert contacts(lambda pins, _: pins.let_go("red"), "red")[0].verdict == "pass"


def test_short_bouncing_is_shown_and_fine() -> None:
    red = contacts(bouncing(5))[0]
    assert red == Finding("button red", "pass", "GPIO 5 down 0, up 2, down 7, up 9, down 14, up 16 ms")


def test_long_bouncing_says_how_long_to_wait() -> None:
    red = contacts(bouncing(25))[0]
    assert red.verdict == "warn" and "bounces for 25 ms" in red.what and "debounce_ms to 33" in red.next


def test_a_long_trace_is_cut() -> None:
    assert wired.trace([(t, t % 2 == 0) for t in range(40)]).endswith("down 8, up 9 ms … 40 changes")
    assert message(wired.trace([(0, True), (3, False)]), "de") == "gedrückt 0, offen 3 ms"


def test_two_quick_presses_are_not_bouncing() -> None:
    assert contacts(bouncing(90))[0].verdict == "pass"


def test_a_pin_that_is_in_use() -> None:
    pins = VirtualPins(BUTTONS, {})
    seen = probe.buttons({"red": 5, "blue": 5}, pins.factory, lambda: None, VirtualClock().monotonic)
    assert [wired.button(contact, 12).verdict for contact in seen] == ["pass", "fail"]


class Shorted(MockPin):
    """A pin that touches ground, whatever it is set to."""

    def _set_state(self, value: Any) -> None:
        super()._set_state(value and 0)


def test_lamps_blink_one_after_the_other() -> None:
    pins = VirtualPins({}, {"red": 12, "blue": 16})
    lit: list[list[str]] = []
    seen = probe.lamps(
        {"red": 12, "blue": 16},
        pins.factory,
        lambda _: lit.append([seat for seat in ("red", "blue") if pins.lit(seat)]),
    )
    assert lit == [["red"], ["blue"]]
    assert all(wired.lamp(lamp).verdict == "pass" for lamp in seen)


def test_a_lamp_pin_at_ground() -> None:
    factory: Any = MockFactory(pin_class=Shorted)
    (seen,) = probe.lamps({"red": 12}, factory, lambda _: None)
    assert wired.lamp(seen).verdict == "fail" and "touches ground" in wired.lamp(seen).next


class Busy(MockPin):
    """A pin that is busy at first, as lgpio's thread still listens to it."""

    busy = 2

    def close(self) -> None:
        self.busy -= 1
        if self.busy >= 0:
            raise OSError("GPIO busy")
        super().close()


def test_a_pin_that_is_busy_for_a_moment_does_not_end_the_doctor() -> None:
    factory: Any = MockFactory(pin_class=Busy)
    seen = probe.buttons({"red": 5, "blue": 6}, factory, lambda: None)
    assert [(contact.name, contact.fault) for contact in seen] == [("red", ""), ("blue", "")]


def test_a_lamp_on_a_pin_that_is_in_use_or_is_none() -> None:
    pins = VirtualPins({}, {})
    (seen,) = probe.lamps({"red": 99}, pins.factory, lambda _: None)
    assert wired.lamp(seen).verdict == "fail" and "GPIO 99" in wired.lamp(seen).what


def test_without_a_pin_library_the_rest_is_examined(table: SoundTable) -> None:
    def none() -> Any:
        raise ImportError("No module named 'lgpio'")

    found = only(table.findings(wiring=replace(table.bench().wiring, pins=none)))
    assert found.part == "pins" and "lgpio" in found.what


# -- as printed -------------------------------------------------------------------------------------------------------

MIXED = [Finding("disk", "pass", "fine"), Finding("clock", "warn", "[late]", "set it"), Finding("pins", "fail", "no")]


def test_the_exit_status_is_1_if_anything_fails() -> None:
    assert [doctor.status(MIXED[:count]) for count in range(4)] == [0, 0, 0, 1]


def test_json_has_everything() -> None:
    reported = json.loads(doctor.as_json(MIXED))
    assert reported["verdict"] == "fail"
    assert reported["findings"][1] == {"part": "clock", "verdict": "warn", "what": "[late]", "next": "set it"}


def test_the_table_has_everything_and_where_to_begin(capsys: pytest.CaptureFixture[str]) -> None:
    doctor.table(MIXED)
    out = capsys.readouterr().out
    assert all(word in out for finding in MIXED for word in (finding.part, finding.verdict, finding.what, finding.next))
    assert out.splitlines()[-1] == "1 pass, 1 warn, 1 fail. Begin with: pins."


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    yield tmp_path


def test_the_virtual_table_from_the_command_line(
    at_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer, "STUCK_MS", inf)  # the disk of a busy machine
    assert main(["doctor", "--polls", "20"]) == 0
    out = capsys.readouterr().out
    assert "polls without an error: 20" in out and "button red" in out and "lamp white" in out
    assert main(["doctor", "--json"]) == 0
    english = json.loads(capsys.readouterr().out)
    assert english["verdict"] in ("pass", "warn")
    assert main(["doctor", "--json", "--lang", "ja"]) == 0
    japanese = json.loads(capsys.readouterr().out)
    assert [f["part"] for f in japanese["findings"]] == [f["part"] for f in english["findings"]], "codes stay"


def test_a_failure_is_exit_status_1_and_a_wrong_config_2(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(at_home, "file")
    write(at_home, "config.yaml", "data: file/games\n")
    assert main(["doctor"]) == 1
    assert "Begin with: disk." in capsys.readouterr().out
    assert main(["doctor", "--polls", "0"]) == 2
    write(at_home, "config.yaml", "hardware: pie\n")
    assert main(["doctor"]) == 2
    assert "config.yaml:1" in capsys.readouterr().err


def test_without_the_package_the_virtual_table_has_a_plain_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(virtual_bench, "spi", SimpleNamespace(installed=lambda: False))
    found = list(examine(virtual_bench.bench(["red"], data=tmp_path, debounce_ms=12, polls=5, clock=VirtualClock())))
    assert "polls without an error: 5" in reported(found, "reader centre")


# -- on the screen ----------------------------------------------------------------------------------------------------


def on_screen(*words: str) -> dict[str, Any]:
    environment = {**os.environ, "SDL_VIDEODRIVER": "offscreen", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.ui.windows.window_doctor", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    seen: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return seen


def test_the_screen_shows_the_same_with_the_worst_first(at_home: Path) -> None:
    seen = on_screen("720", "1280")
    assert seen["ill"]["problems"] == seen["virtual"]["problems"] == seen["broken"]["problems"] == []
    folded = seen["ill"]["folded"]
    assert (folded["mark"], folded["name"], folded["detail"]) == ("OK", "3 checks", "computer and disk"), (
        "one line until it is touched"
    )
    texts = seen["ill"]["texts"]
    assert "Needs attention: 7 of 10." in texts
    assert seen["ill"]["verdicts"] == ["fault"] * 3 + ["check"] * 4 + ["OK"] * 3
    assert "fault" not in seen["virtual"]["texts"] and "computer" in seen["virtual"]["texts"]
    assert any("polls without an error" in text for text in seen["virtual"]["texts"]), "of the table that is open"
    assert any("not tested while the table is open" in text for text in seen["virtual"]["texts"])
    assert "fault" in seen["broken"]["texts"] and "doctor" in seen["broken"]["texts"]
    check_the_first_hour(seen["hour"])


def check_the_first_hour(seen: Mapping[str, Any]) -> None:
    assert seen["problems"] == []
    two, found, again, three, *_, end = seen["texts"]
    assert "Step 2 of 8: One card" in two and {"Begin", "Skip"} <= set(two)
    assert found == again and {"Go on", "Measure again", "reader centre"} <= set(found)
    assert any("answered at once in 50 of 100 polls" in text for text in found)
    assert "Step 3 of 8: Receiver gain" in three
    assert any(text.startswith("Saved as") for text in end) and "Save the report" not in end
    assert any("A game is being played" in text for text in seen["playing"])
    assert not any("Begin" in text for text in seen["playing"])
    assert seen["listens"] and not seen["listens later"]


def test_the_screen_has_room_for_longer_words(at_home: Path) -> None:
    seen = on_screen("800", "480", "long")
    assert [found["problems"] for found in seen.values()] == [[]] * 4


# -- in other languages -----------------------------------------------------------------------------------------------


def test_a_message_is_said_in_another_language_with_the_messages_within_it() -> None:
    inner = Message("Back")
    outer = Message("{game}: the game on the table", game=inner)
    assert (outer, message(outer)) == ("Back: the game on the table",) * 2
    assert message(outer, "de").startswith("Zurück") and message(outer, "de") != outer
    assert message("reads {FF}", "de") == "reads {FF}"
    assert device("reader centre") == "reader centre" and device("button red", "de").endswith("rot")


def test_an_errors_message_reaches_the_status_line() -> None:
    reported: list[Any] = []
    condition = HealthWatch("reader red", reported.append, Message("Back"))
    with condition.guard():
        raise OSError(Message("{game}: the game on the table", game='"{x}"'))
    (ill,) = reported
    assert ill.detail == '"{x}": the game on the table. Back'
    assert "Zurück" in message(ill.detail, "de") and '"{x}"' in message(ill.detail, "de")


# -- readers that disturb each other -----------------------------------------------------------------------------------


def on_one_bus(resets: Mapping[int, int], holds: Mapping[str, Any]) -> tuple[Wiring, Mapping[str, Fitting[Any]], Any]:
    """Three readers on SPI0 and SPI1, each with its own reset line or not, which of them hold MISO, and their clock."""
    clock = VirtualClock()
    places = {"red": (0, 0), "blue": (0, 1), "green": (1, 0)}
    chips = {place: Chip(clock) for place in places.values()}
    for name, how in holds.items():
        chips[places[name]].faults.holds = how
    pi = VirtualPi(chips, {place: resets.get(at, 25) for at, place in enumerate(chips)})
    kind = replace(rc522.KIND, file=None, packages=(), together=partial(beside, load=pi.mfrc522, clock=clock))
    settings = {name: Rc522Settings(*place, pi.reset_of(place)) for name, place in places.items()}
    opened = {name: partial(Rc522, at.bus, at.device, at.reset, pi.mfrc522, clock) for name, at in settings.items()}
    return Wiring(opened), {name: Fitting(kind, at) for name, at in settings.items()}, clock


@needs_package
@pytest.mark.parametrize(
    ("resets", "holds", "parts"),
    [
        ({}, {}, {}),
        ({0: 22, 1: 23}, {"red": "awake"}, {"reader red": "fail"}),
        ({0: 22, 1: 23}, {"blue": "awake"}, {"reader blue": "fail"}),
        ({0: 22, 1: 23}, {"blue": "always"}, {"reader blue": "warn"}),
        ({}, {"red": "awake"}, {"reader red": "warn"}),
        ({0: 22, 1: 23}, {"green": "always"}, {}),
    ],
    ids=["well", "red holds", "blue holds", "even in reset", "one reset line for all", "on a bus of its own"],
)
def test_the_reader_that_holds_the_line_is_named(
    table: SoundTable, resets: dict[int, int], holds: dict[str, str], parts: dict[str, str]
) -> None:
    """Each is tried alone, then all; where no reset can tell, it is said which wire to pull."""
    wiring, found, clock = on_one_bus(resets, holds)
    told = [
        each for each in examine(table.bench(wiring=wiring, fitted=found, clock=clock)) if "line on which" in each.what
    ]
    assert {finding.part: finding.verdict for finding in told} == parts
    assert all(("diode" if finding.verdict == "fail" else "MISO wire") in finding.next for finding in told)
    assert all((getattr(finding.what, "code", "") == wired.HELD) is (finding.verdict == "fail") for finding in told)
