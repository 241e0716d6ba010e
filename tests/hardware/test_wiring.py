"""The drawings of the wiring say what the settings say."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from companion.cli import main
from companion.cli.needs import boot
from companion.cli.rigs import wired
from companion.hardware.header import HEADER, SPI, place
from companion.hardware.settings import ControllerSettings, HubSettings, Settings
from companion.hardware.wiring import drawing
from companion.rules.words import message
from tests.support.configs import load
from tests.support.examples import EXAMPLES, NOTES, SOLDERED

PLUGS: dict[str, Any] = {
    "hubs": {"left": HubSettings(serial="E6614C775B8B2C36", seats=("black", None, "white"))},
    "controllers": {
        name: ControllerSettings(usb="0079:0006", place=place, seats={"red": 288, "blue": 300})
        for name, place in (("box", "usb-1-2"), ("pad", "usb-1-9"))
    },
}
"""What may be plugged in besides."""


def words(svg: str) -> list[str]:
    """All text of a drawing that is printed."""
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]


def used(settings: Settings) -> dict[str, set[int]]:
    """The pins of each device, by BCM number."""
    pins = {}
    for name, reader in settings.readers.items():
        at = reader.settings
        bus = SPI[at.bus]
        pins[f"reader {name}"] = {at.reset, bus.selects[at.device], *bus.lines.values()}
    for seat, wires in settings.seats.items():
        pins[seat] = {pin for pin in (wires.button, wires.lamp) if pin is not None}
    power = {pin for pin in (settings.power.button, settings.power.lamp) if pin is not None}
    return pins | ({"power": power} if power else {})


def test_there_is_an_example_for_each_set_up() -> None:
    assert [path.stem for path in EXAMPLES] == ["five-readers", "shared-reader", "tonight", "two-readers"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_committed_drawing_is_what_the_example_says(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    committed = (NOTES / f"wiring-{example.stem}.svg").read_text(encoding="utf-8")
    assert main(["--config", str(example), "wiring"]) == 0
    assert capsys.readouterr().out == committed, "draw it again: see firmware_notes/wiring.md"


@pytest.mark.parametrize("example", SOLDERED, ids=lambda path: path.stem)
def test_every_device_is_drawn_with_all_its_pins_and_their_places(example: Path) -> None:
    settings = load(example)
    svg = drawing(settings)
    for device, pins in used(settings).items():
        box = svg.split(f">{device}</text>")
        assert len(box) == 2, "each device once"
        for pin in pins:
            assert svg.count(f">GPIO {pin}</text>") == sum(pin in others for others in used(settings).values())
            assert f"at {place(pin)}" in words(svg)
    filled = {int(at) for at in re.findall(r'fill="#(?!ffffff)\w+" stroke="#\w+"><title>(\d+):', svg)}
    pins = {place(pin) for pins in used(settings).values() for pin in pins}
    assert filled - pins == {17, 20, 39}, "and besides them power and ground"


@pytest.mark.parametrize("plugs", [False, True])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_no_two_wires_lie_on_each_other(example: Path, plugs: bool) -> None:
    """No two pieces of wires of different nets share more than the point where they cross."""
    settings = replace(load(example), **PLUGS) if plugs else load(example)
    lines: list[tuple[int, str, int, int, int]] = []
    for net, path in enumerate(re.findall(r'<path d="([^"]+)"', drawing(settings))):
        x = y = 0
        for letter, numbers in re.findall(r"([MLHV])([\d ]+)", path):
            to = [int(number) for number in numbers.split()]
            if letter == "H":
                lines.append((net, "H", y, min(x, to[0]), max(x, to[0])))
                x = to[0]
            elif letter == "V":
                lines.append((net, "V", x, min(y, to[0]), max(y, to[0])))
                y = to[0]
            else:
                x, y = to
    for net, way, at, begin, end in lines:
        others = [line for line in lines if line[0] != net and line[1] == way and abs(line[2] - at) < 4]
        assert not [line for line in others if line[3] < end and begin < line[4]]


def test_a_lamp_that_says_when_the_plug_may_be_pulled_is_the_kernels() -> None:
    settings = load(NOTES / "examples" / "shared-reader.yaml")
    assert boot(settings)[-1] == f"dtoverlay=gpio-poweroff,gpiopin={settings.power.lamp},active_low=1"
    assert settings.power.lamp not in wired(settings).lamps.values(), "this program ends too early"
    assert wired(settings).buttons["power"] == settings.power.button
    assert not any("poweroff" in line for line in boot(load(NOTES / "examples" / "two-readers.yaml")))


def test_the_header_is_that_of_a_raspberry_pi() -> None:
    assert len(HEADER) == 40
    assert sorted(name for name in HEADER if name.startswith("GPIO")) == sorted(f"GPIO {pin}" for pin in range(28))
    assert [HEADER.count(name) for name in ("3.3V", "5V", "GND")] == [2, 2, 8]
    assert [place(pin) for pin in (2, 8, 10, 17, 21, 25, 26)] == [3, 24, 19, 11, 40, 22, 37]


def test_a_virtual_table_has_no_wires(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.yaml").write_text("hardware: virtual\n")
    assert main(["--config", str(tmp_path / "config.yaml"), "wiring"]) == 2
    assert "virtual" in capsys.readouterr().err


def test_plugged_devices_are_drawn_below_the_wiring_with_their_seats() -> None:
    alone, beside = load(NOTES / "examples" / "tonight.yaml"), load(NOTES / "examples" / "two-readers.yaml")
    said = words(drawing(alone))
    assert said == ["The computer", "reader centre", "pcsc: ACR122U 1", "controller box", "0079:0006",
                    "288", "289", "290", "291", "292"]  # fmt: skip
    both = words(drawing(replace(beside, **PLUGS)))
    assert {*words(drawing(beside))} < {*both} and {"hub left", "controller pad", "0079:0006, usb-1-9"} <= {*both}
    through = ControllerSettings(window=True, seats={"red": 97})
    assert "the window" in words(drawing(Settings(hardware="usb", controllers={"keys": through})))


def test_a_table_without_readers_or_without_seats_can_be_drawn() -> None:
    bare = drawing(Settings(hardware="pi", readers={}, seats={}))
    assert bare.count("<path") == 0 and bare.count("<circle") == 40
    settings = load(NOTES / "examples" / "two-readers.yaml")
    half = words(drawing(replace(settings, seats={})))
    assert "reader red" in half and "lamp" not in half


def test_the_drawing_speaks_the_language_of_the_table() -> None:
    settings = load(EXAMPLES[-1])
    german = words(drawing(settings, partial(message, lang="de")))
    assert {"Lesegerät rot", "Taste", "Lampe", "von oben gesehen", "frei"} <= {*german}
    english = words(drawing(settings))
    assert len(german) == len(english)
    kept = {word for word in english if word in german}
    assert all(re.search(r"GPIO|^[A-Z0-9.]+$", word) for word in kept), kept
