"""The hub on the command line and on the doctor's bench, as a user meets them; with a hub on a real port, and without."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from companion.cli import main
from companion.hardware.doctor import Finding, computer, hubs
from companion.hardware.doctor.hubs import AtPlace, Box, older
from drivers.hub import FIRMWARE, VERSION
from drivers.hub import probe as hub_probe
from drivers.hub.talk import SECOND
from drivers.hub.worker import Hub
from drivers.port import SerialPort, Where
from drivers.virtual.hub import VirtualHub
from drivers.virtual.hub.firmware import load
from tests.support.hub_trial import CARD, HubTrial

HUB = "hardware: pi\nhubs:\n  box: {{port: {port}, seats: [red, ~, centre]}}\n"


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty home and working directory, with no USB serial port but those of a test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("serial.tools.list_ports.comports", list)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this machine is, the host gives up on nobody and calls no answer slow."""
    monkeypatch.setattr("drivers.hub.standalone.QUICK", 600 * SECOND)
    monkeypatch.setattr("drivers.hub.protocol.PATIENCE", 600 * SECOND)
    monkeypatch.setattr(hubs, "SLOW_MS", inf)
    monkeypatch.setattr(hubs, "UNSURE_MS", inf)


@pytest.fixture
def hub(unhurried: None) -> Iterator[VirtualHub]:
    """A hub that stands in config.yaml, with a card on its first reader."""
    hub = VirtualHub(["rbl", "bl", "r"])
    hub.lay(0, CARD)
    Path("config.yaml").write_text(HUB.format(port=hub.port), encoding="utf-8")
    yield hub
    hub.close()


@pytest.fixture
def until_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """The time of --seconds ends once all these patterns have been printed, however long that takes."""

    def until(*wanted: str) -> None:
        said = ""

        def clock() -> float:
            nonlocal said
            said += capsys.readouterr().out
            return inf if all(re.search(one, said) for one in wanted) else 0.0

        monkeypatch.setattr("companion.cli.hub.monotonic", clock)

    return until


def run(*words: str) -> int:
    return main(["hub", *words])


# -- without a hub -------------------------------------------------------------------------------------------------


def test_with_nothing_plugged_in_every_command_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    assert run("update") == 0
    assert run("monitor") == run("test", "box") == run("update", "box") == 2
    assert run("test", "/dev/serial/by-id/none") == 2
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "No USB serial port is plugged in, and config.yaml has no hub.",
        f"Firmware shipped with this program: {FIRMWARE}.",
        "No hub is plugged in.",
    ]
    reported = [line for line in err.splitlines() if not line.startswith("Testing")]
    assert reported == [
        "which hub? nothing is plugged in, and config.yaml names no hub",
        "there is no hub 'box': nothing is plugged in, and config.yaml names no hub",
        "there is no hub 'box': nothing is plugged in, and config.yaml names no hub",
        "There is no /dev/serial/by-id/none: no such device is plugged in",
    ]


def test_a_hub_of_config_yaml_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    Path("config.yaml").write_text("hardware: pi\nhubs: {box: {serial: E66, seats: [red]}}", encoding="utf-8")
    assert run("list") == 0
    assert run("update") == 1
    out = capsys.readouterr().out
    assert "no port (serial E66): no hub: No serial port has the number E66" in out
    assert "config.yaml calls it box" in out


def test_a_port_the_system_refuses_to_look_at_is_reported_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("monitor", "/" + "x" * 900) == 2
    assert "File name too long" in capsys.readouterr().err


def test_the_end_of_a_pipe_is_no_error(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """`tabularium hub list | head -0`"""
    Path("config.yaml").write_text("hardware: pi\nhubs: {box: {serial: E66, seats: [red]}}", encoding="utf-8")
    there, here = os.pipe()
    os.close(there)
    with open(here, "w", encoding="utf-8") as pipe:  # noqa: PTH123
        monkeypatch.setattr("sys.stdout", pipe)
        assert run("list") == 0
    assert capfd.readouterr().err == ""


# -- with a hub ----------------------------------------------------------------------------------------------------


def test_the_list_names_hubs_and_busy_ports(hub: VirtualHub, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    assert hub.port
    busy = SerialPort(hub.port)
    assert run("list") == 0
    busy.close()
    first, second = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        f"{hub.port}: hub [0-9A-F]+, firmware {FIRMWARE}, places rbl,bl,r; config.yaml calls it box", first
    )
    assert f"{hub.port} is in use" in second


def test_the_monitor_shows_lines_as_sentences_and_as_they_come(
    hub: VirtualHub, until_said: Callable[..., None]
) -> None:
    until_said(rf"place 0 \(red\): .*well {CARD}", "place 1: button up")
    assert run("monitor", "--seconds", "1") == 0
    hub.say(b"nonsense\xff\n")
    until_said(r"(?m)^hello 1 [0-9A-F]+ .*\*[0-9A-F]{8}$")
    assert run("monitor", str(hub.port), "--raw", "--seconds", "1") == 0


def test_the_test_names_lamps_buttons_and_cards_by_seat(hub: VirtualHub, until_said: Callable[..., None]) -> None:
    hub.hold(1)
    until_said(rf"(?m)^place 0 \(red\): card {CARD} laid$", "(?m)^place 1: button down$")
    assert run("test", "box", "--seconds", "1") == 0
    until_said(r"(?s)place 0 \(red\): its lamp is on\n.*place 1: its lamp is on\n")
    assert run("test", "box", "--seconds", "1") == 0


def test_the_firmware_is_compared(
    hub: VirtualHub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("update") == 0
    assert "up to date" in capsys.readouterr().out
    monkeypatch.setattr("drivers.hub.standalone.StandaloneHubs.shipped", "1.10.0")
    assert run("update") == 1
    assert "outdated" in (out := capsys.readouterr().out) and "firmware_notes/hub/README.md" in out


def test_the_firmware_that_is_named_is_the_one_that_is_here() -> None:
    core = load()["core"]
    assert (core.FIRMWARE, core.VERSION) == (FIRMWARE, VERSION)


@pytest.mark.parametrize(
    ("one", "other", "before"),
    [("1.0.0", "1.0.0", False), ("1.9.0", "1.10.0", True), ("2.0", "1.9.9", False), ("odd", "1.0.0", True)],
)
def test_versions_count_as_numbers(one: str, other: str, before: bool) -> None:
    assert older(one, other) is before


def test_hubs_alone_are_drawn_without_a_pi(hub: VirtualHub, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wiring"]) == 0
    drawn = capsys.readouterr().out
    assert ">hub box<" in drawn and "GPIO" not in drawn


@pytest.mark.parametrize("command", ["list", "monitor", "test", "update"])
def test_every_command_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        run(command, "--help")
    assert done.value.code == 0
    assert f"Example: tabularium hub {command}" in capsys.readouterr().out


# -- the doctor ----------------------------------------------------------------------------------------------------


def troubles(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.part, finding.verdict) for finding in findings if finding.verdict != "pass"]


def test_the_doctor_finds_a_sound_hub_sound_on_any_computer(
    hub: VirtualHub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop = computer.Computer("", "x86_64")
    monkeypatch.setattr("drivers.machine.machine", lambda *_: laptop)
    main(["doctor"])
    out = capsys.readouterr().out
    assert "x86_64, with devices on USB" in out and "hub box" in out and "box red" in out and "box centre" in out
    assert "lgpio" not in out and "reader centre" not in out


def test_the_doctor_asks_a_hub_and_names_its_troubles(hub: VirtualHub) -> None:
    assert hub.port
    wired = Hub(Where(path=hub.port), ("red", "blue", "centre", "green"))
    box = hub_probe.ask("box", wired, patience=600 * SECOND)
    assert len(box.trips) >= 50 and box.unsure > 0 and box.firmware == FIRMWARE
    assert troubles(list(hubs.hub(box, FIRMWARE))) == [("box green", "fail")]
    hub.hold(1)
    hub.chip(2).faults.dead = 0
    held = hub_probe.ask("box", wired, patience=600 * SECOND)
    assert ("box blue", "warn") in troubles(list(hubs.hub(held, "9.0.0")))
    assert ("hub box", "warn") in troubles(list(hubs.hub(held, "9.0.0")))


SOUND = Box(
    "box", "/dev/x", "", "E66", "1.0.0", ("rbl",), 0, 0, (1.0, 2.0), 0.5, (AtPlace(0, "red", "rbl", "up", "well"),)
)


@pytest.mark.parametrize(
    ("box", "part", "verdict", "reported"),
    [
        (replace(SOUND, fault="/dev/x is in use"), "hub box", "fail", "is in use"),
        (replace(SOUND, hub=""), "hub box", "fail", "No contact yet"),
        (replace(SOUND, firmware="0.9.0"), "hub box", "warn", "0.9.0"),
        (replace(SOUND, dropped=2, bad=9), "hub box", "warn", "2 on the way here, 9 on the way to the hub"),
        (replace(SOUND, trips=(30.0,)), "hub box", "warn", "30.0 ms"),
        (replace(SOUND, unsure=30.0), "hub box", "warn", "30.0 ms"),
        (replace(SOUND, places=(AtPlace(0, "red", "rbl", "up", "dead"),)), "box red", "fail", "does not answer"),
        (replace(SOUND, places=(AtPlace(0, "red", "rbl", "up", "new"),)), "box red", "warn", "not been polled"),
        (replace(SOUND, places=(AtPlace(0, "red", "rbl", "down", "well"),)), "box red", "warn", "held"),
        (replace(SOUND, places=(AtPlace(0, "red", "-"),)), "box red", "fail", "nothing at place 0"),
    ],
)
def test_each_trouble_is_named_with_its_next_step(box: Box, part: str, verdict: str, reported: str) -> None:
    (finding,) = [finding for finding in hubs.hub(box, "1.0.0") if finding.verdict != "pass"]
    assert (finding.part, finding.verdict) == (part, verdict)
    assert re.search(reported, finding.what) and finding.next


def test_a_sound_hub_has_no_troubles() -> None:
    assert troubles(list(hubs.hub(SOUND, "1.0.0"))) == []
    assert troubles(list(hubs.hub(replace(SOUND, dropped=1, bad=1), "1.0.0"))) == []  # each plugging in may tear a line


def test_a_hub_at_work_is_examined_without_its_port(unhurried: None) -> None:
    table = HubTrial()
    table.worker.start()
    table.hub.hold(0)
    table.press("red", True)
    found = list(hub_probe.examine({}, {"box": table.worker}))
    assert troubles(found) == [("box red", "warn")]
    table.hub.unplug()
    table.health("hub box", False)
    found = list(hub_probe.examine({}, {"box": table.worker}))
    assert troubles(found) == [("hub box", "fail")]
    table.close()
