"""Buttons that are plugged in: which device is meant, its events as presses, and what an evening does to it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from companion.cli.common import settings_of
from companion.cli.hardware import examined
from companion.cli.rigs import controllers_of, window_keys
from companion.hardware.doctor.search_findings import SearchResults
from companion.hardware.settings import Settings
from companion.hardware.wizard import _plan as plan
from companion.hardware.wizard.session import WizardSession
from companion.hardware.wizard.text import text
from companion.hardware.wizard.walk import FINGER_MS, Walk, where
from companion.rules.cards import PAWNS
from companion.rules.mistakes import ConfigError
from companion.rules.readings import Health, Press, Reading, now
from companion.rules.words import phrase
from drivers.controllers.listed import Plug, devices, find
from drivers.controllers.worker import Controller, ControllerWorker
from drivers.rig import Rig, Wiring
from drivers.search import SearchTarget
from tests.support.evdev import VirtualEvdev, VirtualInput

RED, BLUE = 288, 289
ENCODER: dict[str, Any] = dict(name="DragonRise Inc. Generic USB Joystick", usb="0079:0006", keys=range(288, 300))
KEYBOARD: dict[str, Any] = dict(name="A Keyboard", usb="046D:C31C", keys=range(1, 120))
Words = SimpleQueue[Reading | Press | Health]


@pytest.fixture
def kernel(tmp_path: Path) -> VirtualEvdev:
    made = VirtualEvdev(tmp_path)
    made.list()
    return made


class Clock:
    now = 10_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def worker(kernel: VirtualEvdev, clock: Clock, **given: Any) -> tuple[ControllerWorker, Words]:
    said = Words()
    plug = given.pop("plug", Plug("0079:0006"))
    made = ControllerWorker(
        "box",
        Controller(plug, {"red": RED, "blue": BLUE} | given),
        said.put,
        12,
        kernel=kernel,
        clock=clock,
        root=kernel.root,
    )
    return made, said


def heard(said: Words) -> list[Any]:
    return [said.get() for _ in range(said.qsize())]


def presses(said: Words) -> list[tuple[str, bool, int, bool]]:
    return [(word.seat, word.down, word.t, word.edge) for word in heard(said) if isinstance(word, Press)]


# -- which device ------------------------------------------------------------------------------------------------------


def test_the_kernels_list_is_read_and_what_is_not_plugged_in_is_left_out(kernel: VirtualEvdev) -> None:
    kernel.plug(VirtualInput(**ENCODER), VirtualInput(**KEYBOARD, place="usb-1-3"))
    encoder, keyboard = devices(kernel.root)
    assert (encoder.name, encoder.usb, encoder.place, encoder.path) == (
        ENCODER["name"],
        "0079:0006",
        "usb-1-2",
        "/dev/input/event0",
    )
    assert encoder.keys == set(range(288, 300)) and not encoder.types and encoder.playable
    assert keyboard.types and keyboard.playable
    assert devices(kernel.root / "nowhere") == []


def test_a_device_is_known_by_its_kind_its_place_or_its_name_and_by_the_keys_it_must_have(kernel: VirtualEvdev) -> None:
    mouse_part = VirtualInput("A Keyboard", "046D:C31C", [113, 114], "usb-1-3")
    kernel.plug(
        mouse_part,
        VirtualInput(**KEYBOARD, place="usb-1-3"),
        VirtualInput(**ENCODER),
        VirtualInput(**ENCODER, place="usb-1-9"),
    )
    there = devices(kernel.root)
    assert find(Plug(name="A Keyboard"), [30], there).path == "/dev/input/event1"
    assert find(Plug("0079:0006", "usb-1-9"), [RED], there).place == "usb-1-9"
    for plug, codes, said in (
        (Plug("0079:0006"), [RED], "Two 0079:0006 are plugged in: tell them apart by place (usb-1-2, usb-1-9)"),
        (Plug("0079:0006", "usb-1-9"), [RED, 300], "0079:0006, usb-1-9 has no key 300"),
        (
            Plug(name="Pad"),
            [RED],
            "Pad is not plugged in, but: A Keyboard (046D:C31C), DragonRise Inc. Generic USB Joystick (0079:0006)",
        ),
    ):
        with pytest.raises(OSError, match=r"plugged in|has no key") as fault:
            find(plug, codes, there)
        assert str(fault.value) == said
    with pytest.raises(OSError, match=r"is not plugged in$"):
        find(Plug("0079:0006"), [RED], [])


# -- presses -----------------------------------------------------------------------------------------------------------


def test_presses_have_the_kernels_time_and_a_bounce_is_none(kernel: VirtualEvdev, clock: Clock) -> None:
    box = VirtualInput(**ENCODER, clock=clock)
    kernel.plug(box)
    made, said = worker(kernel, clock)
    made.turn()
    box.press(RED, at=10_700)
    box.let_go(RED, at=10_750)
    box.press(RED, at=10_755)
    box.let_go(RED, at=10_900)
    clock.now = 11_000
    box.press(290)
    made.turn()
    assert presses(said) == [("red", True, 10_700, True), ("red", False, 10_900, True)]
    made.shut()


def test_a_held_key_repeats_and_that_is_nothing(kernel: VirtualEvdev, clock: Clock) -> None:
    box = VirtualInput(**ENCODER, clock=clock)
    kernel.plug(box)
    made, said = worker(kernel, clock)
    made.turn()
    box.press(BLUE)
    box.repeat(BLUE)
    made.turn()
    assert presses(said) == [("blue", True, 10_000, True)] and made.held == {"blue"}
    made.shut()


def test_what_is_down_at_the_start_and_after_lost_events_is_a_level(kernel: VirtualEvdev, clock: Clock) -> None:
    box = VirtualInput(**ENCODER, clock=clock)
    box.down = {RED}
    kernel.plug(box)
    made, said = worker(kernel, clock)
    made.turn()
    assert presses(said) == [("red", True, 10_000, False)]
    box.drop(BLUE, down=True)
    made.turn()
    assert presses(said) == [("blue", True, 10_000, False)]
    box.let_go(BLUE, at=10_100)
    clock.now = 10_200
    made.turn()
    assert presses(said) == [("blue", False, 10_100, True)]
    made.shut()


def test_what_is_held_stays_held_while_the_cable_is_out_and_its_end_is_no_edge(
    kernel: VirtualEvdev, clock: Clock
) -> None:
    box = VirtualInput(**ENCODER, clock=clock)
    kernel.plug(box)
    made, said = worker(kernel, clock)
    made.turn()
    box.press(RED, BLUE)
    made.turn()
    heard(said)
    kernel.unplug(box)
    pauses = [made.turn() for _ in range(6)]
    assert pauses == [0.25, 0.5, 1.0, 2.0, 2.0, 2.0]
    ill = heard(said)
    assert {(word.device, word.well) for word in ill} == {("button red", False), ("button blue", False)}
    assert "has been unplugged" in ill[0].detail and made.held == {"red", "blue"} and set(made.ill) == {"red", "blue"}
    box.down = {RED}
    kernel.plug(box)
    made.turn()
    clock.now += 100
    made.turn()
    back = heard(said)
    assert [word for word in back if isinstance(word, Press)] == [Press("blue", False, 10_000, edge=False)]
    assert {(word.device, word.well) for word in back if isinstance(word, Health)} == {
        ("button red", True),
        ("button blue", True),
    }
    made.shut()


def test_a_keyboard_is_kept_from_other_programs_once_no_key_is_down(kernel: VirtualEvdev, clock: Clock) -> None:
    keys = VirtualInput(**KEYBOARD, clock=clock)
    keys.down = {28}
    kernel.plug(keys)
    said = Words()
    controller = Controller(Plug(name="A Keyboard"), {"red": 30})
    made = ControllerWorker("keys", controller, said.put, 12, kernel=kernel, clock=clock, root=kernel.root)
    made.turn()
    assert not keys.grabbed
    keys.let_go(28)
    made.turn()
    assert keys.grabbed and made.ill == {}
    made.shut()
    open_to_all = ControllerWorker(
        "keys", replace(controller, grabs=False), said.put, 12, kernel=kernel, clock=clock, root=kernel.root
    )
    open_to_all.turn()
    assert not keys.grabbed
    open_to_all.shut()


def test_missing_permission_names_the_remedy(kernel: VirtualEvdev, clock: Clock) -> None:
    kernel.plug(VirtualInput(**ENCODER))
    kernel.denied = True
    made, said = worker(kernel, clock)
    made.turn()
    assert "usermod -aG input" in heard(said)[0].detail
    kernel.denied = False
    made.turn()
    assert {word.well for word in heard(said)} == {True}
    made.shut()


def test_nothing_is_left_open_after_ten_cables(kernel: VirtualEvdev, clock: Clock) -> None:
    box = VirtualInput(**ENCODER, clock=clock)
    made, said = worker(kernel, clock)
    before = len([*Path("/proc/self/fd").iterdir()])
    for _ in range(10):
        kernel.plug(box)
        made.turn()
        kernel.unplug(box)
        made.turn()
    made.shut()
    assert len([*Path("/proc/self/fd").iterdir()]) == before and not presses(said)


def test_a_rig_hears_it_beside_everything_else(kernel: VirtualEvdev) -> None:
    box = VirtualInput(**ENCODER)
    kernel.plug(box)
    said = Words()
    wired = Wiring(controllers={"box": Controller(Plug("0079:0006"), {"red": RED})}, kernel=kernel, root=kernel.root)
    with closing(Rig(wired, said.put)) as rig:
        box.down = {RED}  # before or after it is opened: it is heard either way
        box.press(RED)
        word = said.get(timeout=150)
        assert isinstance(word, Press) and (word.seat, word.down) == ("red", True) and rig.held() == {"red"}
        kernel.unplug(box)
        ill = said.get(timeout=150)
        assert isinstance(ill, Health) and ill.device == "button red" and rig.ill("button red") != ""


# -- config.yaml, doctor, set-up ----------------------------------------------------------------------------------------


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Settings]:
    monkeypatch.chdir(tmp_path)

    def load(text: str) -> Settings:
        Path("config.yaml").write_text(text)
        found: Settings = settings_of(SimpleNamespace(config=None, virtual=None))  # type: ignore[arg-type]
        return found

    return load


def test_a_table_of_plugged_in_buttons_plays_with_fists(settings: Callable[[str], Settings]) -> None:
    made = settings('hardware: usb\ncontrollers:\n  box: {usb: "0079:0006", seats: {red: 288, blue: 289}}\n')
    assert made.reveal_mode == "fists" and made.equipment.buttons == {"red", "blue"}
    assert controllers_of(made) == {"box": Controller(Plug("0079:0006"), {"red": RED, "blue": BLUE})}


def test_every_mistake_is_named_with_its_line(settings: Callable[[str], Settings]) -> None:
    with pytest.raises(ConfigError) as wrong:
        settings("""\
hardware: pi
seats: {red: {button: 5}}
controllers:
  box: {usb: "0079:0006", seats: {red: 288, blue: 288, green: 800}}
  pad: {seats: {blue: 1}}
  red: {name: Pad, seats: {}}
  more: {name: Pad}
  keys: {window: true, name: Pad, seats: {purple: 97}}
  again: {window: true, seats: {yellow: 1003, white: 10000}}
""")
    assert sorted(line.removeprefix("config.yaml:") for line in wrong.value.lines) == [
        "4: controllers.box.seats.blue: 288 is already red's button",
        "4: controllers.box.seats.green: expected a whole number from 1 to 767, not 800",
        "4: controllers.box.seats.red: red already has a button at seats.red.button (line 2)",
        "5: controllers.pad.seats.blue: blue already has a button at controllers.box.seats.blue (line 4)",
        "5: controllers.pad: say which it is: usb or name (tabularium setup finds it)",
        '6: controllers.red: a name must be one word and not a seat\'s, not "red"',
        "7: controllers.more: the key 'seats' is missing",
        "8: controllers.keys.name: the window's keys are those of all keyboards: leave this out",
        "9: controllers.again.seats.white: expected a whole number from 1 to 9999, not 10000",
        "9: controllers.again: the window is already keys",
    ]
    with pytest.raises(ConfigError) as wrong:
        settings("controllers: {box: {name: Pad, seats: {red: 288}}}\n")
    assert "a virtual table has no controllers: set hardware to usb (on a Pi: pi)" in str(wrong.value.lines)


def test_the_doctor_says_what_is_not_plugged_in_and_who_may_read_it(
    settings: Callable[[str], Settings], kernel: VirtualEvdev
) -> None:
    made = settings('hardware: usb\ncontrollers:\n  box: {usb: "0079:0006", seats: {red: 288}}\n')

    def said(**given: Any) -> list[tuple[str, str]]:
        found = examined(made, root=kernel.root, **given)
        return [(finding.verdict, str(finding.what)) for finding in found if finding.part == "controller box"]

    assert said() == [("fail", "0079:0006 is not plugged in")]
    kernel.plug(VirtualInput(**ENCODER))
    assert said(allowed=lambda _: True) == [("pass", "DragonRise Inc. Generic USB Joystick is plugged in")]
    assert said(allowed=lambda _: False) == [("fail", "No permission to open /dev/input/event0")]


@pytest.fixture
def ground(kernel: VirtualEvdev) -> SearchTarget:
    return SearchTarget(
        kinds=list, ports=list, root=kernel.root, model=lambda _: "", kernel=kernel, allowed=lambda _: True
    )


def test_the_set_up_finds_two_encoders_and_writes_whose_keys_are_whose(
    ground: SearchTarget, kernel: VirtualEvdev
) -> None:
    one, two = VirtualInput(**ENCODER), VirtualInput(**ENCODER, place="usb-1-9")
    kernel.plug(one, two, VirtualInput("A Mouse", "046D:C077", range(272, 280), "usb-1-4"))
    found = ground.look()
    assert [of.name for of in found.controllers] == ["buttons1", "buttons2"]
    said = Words()
    with closing(ground.listen(found, said.put)):
        while not (one.opened and two.opened):
            pass
        two.press(290)
        word = said.get(timeout=150)
    assert isinstance(word, Press) and word.seat == "buttons2 key 290" and word.seat in found.buttons
    answers = plan.Answers(("red", "blue"), buttons={"red": word.seat, "blue": "buttons1 key 288"})
    made = plan.settings(found, answers, Settings())
    assert made.hardware == "usb" and made.reveal_mode == "fists"
    assert {name: (of.usb, of.place, dict(of.seats)) for name, of in made.controllers.items()} == {
        "buttons1": ("0079:0006", "usb-1-2", {"blue": 288}),
        "buttons2": ("0079:0006", "usb-1-9", {"red": 290}),
    }
    written = yaml.safe_load(text(made))["controllers"]
    assert written["buttons2"] == {"usb": "0079:0006", "place": "usb-1-9", "seats": {"red": 290}}


def held_all(kernel: VirtualEvdev, ground: SearchTarget, box: VirtualInput, keys: list[int]) -> WizardSession:
    """The set-up of so many seats at one controller, up to where all have held."""
    kernel.plug(box)
    news = SimpleQueue[None]()
    desk = WizardSession(ground, Settings(), None, wake=lambda: news.put(None))
    desk.look()
    for seat in PAWNS[len(keys) : 5]:
        desk.walk = desk.walk.sit(seat)
    desk.walk = desk.walk.skip()
    with closing(desk):
        desk.listen()
        while not box.opened:
            pass

        def until(done: Callable[[], object]) -> None:
            while not done():
                news.get(timeout=150)
                desk.drain()

        for at, code in enumerate(keys, start=1):
            box.press(code, at=now())
            until(lambda: desk.walk.down)
            box.let_go(code, at=now() + FINGER_MS)
            until(lambda at=at: len(desk.walk.answers.buttons) == at)  # type: ignore[misc]
        assert desk.walk.step.kind == "hold"
        for code in keys:
            box.press(code)
        box.let_go(keys[0])
        until(lambda: desk.walk.refused or desk.walk.step.kind != "hold")
    return desk


def test_all_hold_together_and_what_a_keyboard_cannot_tell_apart_is_said_here_and_by_the_doctor(
    ground: SearchTarget, kernel: VirtualEvdev, settings: Callable[[str], Settings]
) -> None:
    letters = [30, 31, 32, 33, 34]
    desk = held_all(kernel, ground, VirtualInput(**KEYBOARD, rollover=3), letters)
    assert desk.walk.told
    assert phrase(desk.walk.told) == (
        "3 of 5 arrived: Red, Blue and Green. If all were held, it cannot tell them apart: use an encoder."
    )
    desk.walk = desk.walk.skip()
    assert desk.walk.step.kind == "done"
    made = settings(desk.text("en"))
    assert made.controllers["buttons"].together == 3
    said = [str(of.what) for of in examined(made, root=kernel.root, allowed=lambda _: True) if of.verdict == "warn"]
    assert "When all are held, 3 of 5 keys arrive" in said


def test_an_encoder_tells_all_of_them_apart(
    ground: SearchTarget, kernel: VirtualEvdev, settings: Callable[[str], Settings]
) -> None:
    desk = held_all(kernel, ground, VirtualInput(**ENCODER), [288, 289, 290, 291, 292])
    assert desk.walk.step.kind == "done" and desk.walk.told
    assert phrase(desk.walk.told) == "All 5 arrive together."
    made = settings(desk.text("en"))
    assert made.controllers["buttons"].together == 5 and made.reveal_mode == "fists"
    found = examined(made, root=kernel.root, allowed=lambda _: True)
    assert [of.verdict for of in found if of.part.startswith("controller")] == ["pass"]


def test_two_keys_are_held_without_being_asked_and_a_keyboard_nobody_tried_is_named(
    ground: SearchTarget, kernel: VirtualEvdev, settings: Callable[[str], Settings]
) -> None:
    kernel.plug(VirtualInput(**KEYBOARD))
    two = plan.Answers(("red", "blue"), buttons={"red": "buttons key 30", "blue": "buttons key 31"})
    assert "hold" not in {step.kind for step in Walk(ground.look(), two).steps}
    made = settings("hardware: usb\ncontrollers: {box: {name: A Keyboard, seats: {red: 30, blue: 31, green: 32}}}\n")
    said = [str(of.what) for of in examined(made, root=kernel.root, allowed=lambda _: True) if of.verdict == "warn"]
    assert "This is a keyboard: it reliably reports only two keys at once, but 3 seats use it" in said


def test_unreadable_controller_is_heard_through_the_window(
    ground: SearchTarget, kernel: VirtualEvdev, settings: Callable[[str], Settings]
) -> None:
    kernel.plug(VirtualInput(**KEYBOARD))
    found = replace(ground, allowed=lambda _: False).look()
    assert found.denied == ["A Keyboard"] and not found.buttons and not found.controllers
    answers = plan.Answers(("red", "blue"), buttons={"red": "window key 97", "blue": "window key 1003"})
    assert (
        phrase(where("window key 97")) == "the key A" and phrase(where("window key 1103")) == "button 4 of joystick 2"
    )
    made = settings(text(plan.settings(found, answers, Settings())))
    assert made.hardware == "usb" and made.reveal_mode == "fists" and made.equipment.buttons == {"red", "blue"}
    assert window_keys(made) == {97: "red", 1003: "blue"} and controllers_of(made) == {}
    (computer,) = (of for of in examined(made, root=kernel.root) if of.part == "computer")
    assert computer.verdict == "pass" and "with devices on USB" in computer.what


def test_config_round_trips(ground: SearchTarget, kernel: VirtualEvdev, settings: Callable[[str], Settings]) -> None:
    kernel.plug(VirtualInput(**ENCODER))
    answers = plan.Answers(("red", "blue"), buttons={"red": "buttons key 288", "blue": "buttons key 290"})
    made = plan.settings(ground.look(), answers, Settings())
    assert settings(text(made)).controllers == made.controllers
    assert SearchResults().buttons == []
