"""The hubs of config.yaml: what is right becomes settings, what is wrong is named with its line."""

import re
from pathlib import Path

import pytest

from companion.cli.rigs import wired
from companion.hardware.settings import HubSettings
from drivers.port import Where
from tests.support.configs import load, mistakes
from tests.support.tracked import shipped

PI = "hardware: pi\nhubs:\n"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("config.yaml")


def test_hubs_by_serial_kind_and_port(path: Path) -> None:
    text = """\
  one: {serial: "E6614C775B8B2C36 ", seats: [red, blue, ~]}
  two: {usb: "2e8a:0005", seats: [centre], dtr: false}
  three: {port: /dev/serial/by-id/usb-x, seats: [~, green]}
"""
    path.write_text(PI + text, encoding="utf-8")
    settings = load(path)
    assert settings.hubs == {
        "one": HubSettings(serial="E6614C775B8B2C36", seats=("red", "blue", None)),
        "two": HubSettings(usb="2E8A:0005", seats=("centre",), dtr=False),
        "three": HubSettings(port="/dev/serial/by-id/usb-x", seats=(None, "green")),
    }
    wiring = wired(settings)
    assert [hub.where for hub in wiring.hubs.values()] == [
        Where(serial="E6614C775B8B2C36"),
        Where(usb="2E8A:0005"),
        Where(path="/dev/serial/by-id/usb-x"),
    ]
    assert wiring.hubs["two"].dtr is False and not wiring.readers and not wiring.buttons


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("  a: {serial: E1, seats: [red, blue]}", "fists"),
        ("  a: {serial: E1, seats: [centre]}", "auto"),
        ("  a: {serial: E1, seats: [red]}\nseats: {blue: {button: 5}}", "fists"),
        ("  a: {serial: E1, seats: [red]}\nseats: {blue: {lamp: 5}}", "auto"),
        ("  a: {serial: E1, seats: [red]}\nseats: {red: {lamp: 5, reader: red}}\nreveal: {mode: fists}", "fists"),
    ],
)
def test_a_seat_at_a_hub_has_a_button(path: Path, text: str, mode: str) -> None:
    path.write_text(PI + text, encoding="utf-8")
    assert load(path).reveal_mode == mode


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("  a: {seats: [red]}", ["3: hubs.a: say where it is plugged in: serial (tabularium hub list shows it), usb or port"]),
        ('  a: {serial: E1, usb: "2E8A:0005", seats: [red]}', ["3: hubs.a: serial and usb say the same thing: keep one of them"]),
        ("  a: {serial: E1}", ["3: hubs.a: the key 'seats' is missing"]),
        ("  a: {serial: E1, seats: [~, ~]}", ["3: hubs.a.seats: nobody sits here: name a seat, or centre for the shared reader"]),
        ("  a: {serial: E1, seats: red}", ['3: hubs.a.seats: expected a list, such as [red, blue], not "red"']),
        ("  a: {serial: E1, seats: []}", ["3: hubs.a.seats: expected one to eight seats, one for each place of the hub, not 0"]),
        ("  a: {serial: E1, seats: [~,~,~,~,~,~,~,~,red]}", ["3: hubs.a.seats: expected one to eight seats, one for each place of the hub, not 9"]),
        ("  a: {serial: 1234, seats: [red]}", ["3: hubs.a.serial: digits alone are read as a number: put them in quotes, not 1234"]),
        ('  a: {serial: " ", seats: [red]}', ['3: hubs.a.serial: expected a serial number, such as E6614C775B8B2C36, not " "']),
        ("  a: {usb: 2E8A, seats: [red]}", ['3: hubs.a.usb: expected two groups of four hex digits, such as "2E8A:0005", not "2E8A"']),
        ("  a: {port: COM3, seats: [red]}", ["3: hubs.a.port: expected a port's full path, such as /dev/serial/by-id/..., not \"COM3\""]),
        (
            "  a: {port: /dev/ttyACM0, seats: [red]}",
            ["3: hubs.a.port: the number of /dev/ttyACM0 may change when it is plugged in: use serial (tabularium hub list shows it),"
             " or the port's name in /dev/serial/by-id"],
        ),
        ("  a: {serial: E1, seats: [red], baud: 9600}", ["3: hubs.a.baud: unknown key"]),
        ("  red: {serial: E1, seats: [red]}", ["3: hubs.red: a name must be one word and not a seat's, not \"red\""]),
        (
            "  a:\n    serial: E1\n    seats:\n      - red\n      - rde",
            ["7: hubs.a.seats.1: expected 'centre', 'red', 'blue', 'green', 'yellow', 'purple', 'black' or 'white',"
             " not \"rde\"; did you mean 'red'?"],
        ),
        (
            "  a: {serial: e1, seats: [red]}\n  b: {serial: E1, seats: [red, blue]}\n  c: {serial: E2, seats: [green, green]}",
            [
                "4: hubs.b.serial: E1 is already used by hubs.a (line 3)",
                "4: hubs.b.seats.0: red is already at hubs.a.seats.0 (line 3)",
                "5: hubs.c.seats.1: green is already at hubs.c.seats.0 (line 5)",
            ],
        ),
        (
            "  a: {serial: E1, seats: [red]}\nseats:\n  red: {button: 5}",
            ["3: hubs.a.seats.0: red already has a button on a pin (line 5)"],
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(path: Path, text: str, reported: list[str]) -> None:
    assert mistakes(path, PI + text) == reported


def test_a_virtual_table_has_no_hubs(path: Path) -> None:
    reported = ["1: hubs: a virtual table has no hubs: set hardware to usb (on a Pi: pi)"]
    assert mistakes(path, "hubs: {a: {serial: E1, seats: [red]}}") == reported


def test_all_mistakes_at_once(path: Path) -> None:
    text = PI + "  a: {serial: E1, seats: [red, pink]}\n  b: {port: x, seats: [blue]}\n  c: 5\nlangage: de"
    assert [line.split(":")[0] for line in mistakes(path, text)] == ["3", "4", "5", "6"]


def test_the_shipped_file_shows_a_hub(path: Path) -> None:
    head, _, example = shipped("config.yaml").partition("#hubs:")
    example = re.sub("^#(?=   )", "", f"hubs:{example}", flags=re.M).replace("#  box:", "  box:")
    path.write_text(
        head.replace("hardware: virtual", "hardware: pi") + example.replace("#dtr", "dtr"), encoding="utf-8"
    )
    assert load(path).hubs == {"box": HubSettings(serial="E6614C775B8B2C36", seats=("red", "blue", None), dtr=False)}
