"""The set-up: what is found and answered becomes a config.yaml that says exactly that, whatever was found."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.hardware import settings as config
from companion.hardware.doctor.computer import Display
from companion.hardware.doctor.hubs import Box
from companion.hardware.doctor.search_findings import HubFound, ReaderFound, SearchResults, findings, pin, place
from companion.hardware.fitting import Fitting
from companion.hardware.header import SPI
from companion.hardware.kind import Sighting
from companion.hardware.settings import HallSettings, HubSettings, Settings, VoiceSettings, Wires
from companion.hardware.settings._parts import PowerSettings, PressSettings, RevealSettings, ScreenSettings
from companion.hardware.wizard._plan import LAMPS, Answers, drawn_lamps, shown, without
from companion.hardware.wizard._plan import settings as planned
from companion.hardware.wizard.place import first, save
from companion.hardware.wizard.place import place as place_of
from companion.hardware.wizard.session import WizardSession, Word
from companion.hardware.wizard.text import SAYS, text
from companion.hardware.wizard.walk import Walk, WizardStep
from companion.rules.cards import PAWNS
from companion.rules.readings import CENTRE, Health, Press, Reading
from companion.rules.words import phrase
from drivers.kinds import KINDS
from drivers.rc522.kind import KIND
from drivers.rc522.package import no_answer
from drivers.rc522.settings import Rc522Settings
from tests.support.examples import EXAMPLES, SOLDERED
from ui.pages.wizard import summary

FREE = [4, 5, 6, 12, 13, 22, 23, 24, 26, 27]


def read_back(settings: Settings, folder: Path, found: SearchResults | None = None) -> Settings:
    path = folder / "config.yaml"
    path.write_text(text(settings, found), encoding="utf-8")
    return config.load(path, KINDS)


def reader(bus: int, device: int, version: int | None = 0x92) -> ReaderFound:
    name = f"SPI{bus}.{device}"
    return ReaderFound(KIND, Sighting(name, Rc522Settings(bus, device), version, "" if version else no_answer(name, 0)))


def hub(name: str, has: Sequence[str], where: tuple[str, str] | None = None) -> HubFound:
    return HubFound(
        Box(name, f"/dev/tty{name}", "", "E6614C775B8B2C36", "1.0.0", tuple(has)), where or ("serial", name)
    )


# -- laws ----------------------------------------------------------------------------------------------------------

WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(lambda word: word == word.strip())
PLACES = st.sampled_from(("rbl", "rb", "rl", "bl", "r", "b", "l", "-"))
HUBS = st.builds(
    lambda has, where, dtr: HubFound(Box("", "/dev/ttyACM0", "", "E6", "1.0.0", tuple(has)), where, dtr),
    st.lists(PLACES, min_size=1, max_size=8),
    st.one_of(
        st.tuples(st.just("serial"), WORDS),
        st.just(("usb", "2E8A:0005")),
        st.just(("port", "/dev/serial/by-id/usb-Pi Zero: #1")),
        st.just(("", "")),
    ),
    st.booleans(),
)
READERS = st.dictionaries(
    st.tuples(st.sampled_from((0, 1)), st.integers(0, 2)).filter(lambda at: at[1] < len(SPI[at[0]].selects)),
    st.sampled_from((None, 0x12, 0x88, 0x92)),
)


@st.composite
def finds(draw: Any) -> SearchResults:
    hubs = [replace(of, box=replace(of.box, name=f"box{n}")) for n, of in enumerate(draw(st.lists(HUBS, max_size=3)))]
    unique = {of.where: of for of in hubs if of.where[1].upper() == of.where[1] or of.where[0] != "serial"}
    pins = draw(st.lists(st.sampled_from(FREE), unique=True))
    held = draw(st.sets(st.sampled_from(FREE))) - {*pins}
    found = [reader(bus, device, version) for (bus, device), version in draw(READERS).items()]
    return SearchResults(found, list(unique.values()), pins, frozenset(held), pi=draw(st.booleans()))


def words(walk: Walk, draw: Any) -> list[Press | Reading | Health]:
    """Something that happens on one of the things that were found."""
    source = draw(st.sampled_from([*walk.found.buttons, *walk.found.sources, "nowhere"]))
    if source in walk.found.sources and draw(st.booleans()):
        return [Reading(source, "04A1B2C3", True, 0), Reading(source, "04A1B2C3", False, 900)]
    return [Press(source, True, 0), Press(source, False, draw(st.sampled_from((5, 400))))]


@given(st.data())
def test_any_setup_round_trips_through_config_yaml(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    draw = data.draw
    power = PowerSettings(button=draw(st.sampled_from((None, 3, 4, 17))), lamp=draw(st.sampled_from((None, 25, 27))))
    walk = Walk(without(draw(finds()), power))
    for _ in range(draw(st.integers(0, 30))):
        match draw(st.sampled_from(("hear", "hear", "hear", "skip", "back", "sit", "light", "all"))):
            case "hear":
                for word in words(walk, draw):
                    walk = walk.hear(word)
            case "sit" if walk.step.kind == "seats":
                walk = walk.sit(draw(st.sampled_from(PAWNS)))
            case "light" if walk.step.kind == "lamps":
                walk = walk.light(True)
            case "back":
                walk = walk.back()
            case "all":
                walk = walk.skip_all()
            case _:
                walk = walk.skip()
        assert walk.at < len(walk.steps)
        for lang in ("en", "de", "ja"):
            assert "{" not in phrase(walk.told or "", lang)
    mode = draw(st.sampled_from((None, "fists", "auto")))
    made = planned(walk.found, walk.answers, Settings(reveal=RevealSettings(mode=mode), power=power))
    assert read_back(made, tmp_path_factory.mktemp("law"), walk.found) == made
    assert {seat for seat, wires in made.seats.items()} | made.at_hubs >= {*walk.answers.seats} - {CENTRE}


FOLDERS = WORDS.map(lambda word: Path("/") / word.replace("/", "_").replace("\0", "0").lstrip(".") / "games")
OTHERS = st.builds(
    Settings,
    language=st.sampled_from(("en", "ja", "de")),
    data=FOLDERS,
    reveal=st.builds(RevealSettings, fair_ms=st.integers(0, 10_000)),
    press=st.builds(
        PressSettings,
        no_ms=st.integers(100, 5_000),
        long_ms=st.integers(5_001, 15_000),
        debounce_ms=st.integers(1, 100),
    ),
    voice=st.builds(
        VoiceSettings,
        words=st.sampled_from(("off", "brief", "full")),
        sounds=st.booleans(),
        engine=st.sampled_from(("auto", "espeak-ng", "open-jtalk", "none")),
        model=st.sampled_from((None, Path("/srv/voices/en_GB-alan.onnx"))),
        device=st.sampled_from(("default", "plughw:CARD=Device,DEV=0")),
        volume=st.integers(0, 100),
        quiet=st.sampled_from((None, "22:00-07:00")),
    ),
    seats=st.sampled_from(({}, {"red": Wires(ear="plughw:CARD=Red")})),
    screen=st.builds(
        ScreenSettings,
        fullscreen=st.booleans(),
        width=st.integers(320, 7_680),
        rotation=st.sampled_from((0, 90, 180, 270)),
        theme=st.sampled_from(("light", "dark")),
        text=st.sampled_from(("normal", "large")),
    ),
)


@given(OTHERS)
def test_other_settings_survive_the_setup(tmp_path_factory: pytest.TempPathFactory, made: Settings) -> None:
    assert read_back(made, tmp_path_factory.mktemp("law")) == made


def test_a_reader_that_is_set_up_again_keeps_what_no_search_can_find(tmp_path: Path) -> None:
    """Its gain; and its reset line, unless a seat's button is at that pin now, or another reader's bus has it."""
    before = Settings(hardware="pi", readers={"red": Fitting(KIND, Rc522Settings(0, 1, reset=24, gain=43))})
    found = SearchResults(readers=[reader(0, 0), reader(0, 1)], pi=True, pins=FREE)
    centre = planned(found, Answers(seats=("red", "blue"), readers={"red": "SPI0.1", "blue": "SPI0.1"}), before)
    assert centre.readers["centre"].settings == Rc522Settings(0, 1, reset=24, gain=43)
    assert read_back(centre, tmp_path, found) == replace(centre, reveal=read_back(centre, tmp_path, found).reveal)
    assert "SPI0.1" not in text(centre, found) and "device: 0, reset: 25}  # found" in text(centre, found)
    pressed = Answers(seats=("red",), buttons={"red": pin(24)}, readers={"red": "SPI0.1"})
    assert planned(found, pressed, before).readers["red"].settings == Rc522Settings(0, 1, gain=43)
    before = Settings(hardware="pi", readers={"red": Fitting(KIND, Rc522Settings(0, 1, reset=17, gain=43))})
    more = replace(found, readers=[reader(0, 1), reader(1, 0)])
    both = Answers(seats=("red", "blue"), readers={"red": "SPI0.1", "blue": "SPI1.0"})
    assert [of.settings for of in planned(more, both, before).readers.values()] == [
        Rc522Settings(0, 1, gain=43),
        Rc522Settings(1, 0),
    ]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_written_and_read_back(example: Path, tmp_path: Path) -> None:
    made = replace(config.load(example, KINDS), data=tmp_path / "data")
    assert read_back(made, tmp_path) == made


def test_every_key_has_its_word() -> None:
    parts = {field.name: getattr(Settings(), field.name) for field in fields(Settings())}
    keys = {name for name, value in parts.items() if not is_dataclass(value) and not isinstance(value, Mapping)}
    keys |= {f"{name}.{key.name}" for name, value in parts.items() if is_dataclass(value) for key in fields(value)}
    keys |= {f"hall.{key.name}" for key in fields(HallSettings)}
    assert keys == {*SAYS}


def test_every_line_says_what_its_key_is_for(tmp_path: Path) -> None:
    wired = Settings(
        hardware="pi",
        readers={"centre": Fitting(KIND, Rc522Settings())},
        seats={"red": Wires(button=5, lamp=12, reader="centre")},
        hubs={"box1": HubSettings(serial="0123", seats=("blue", None, "green"), dtr=False)},
    )
    written = text(wired)
    assert "  centre: {kind: rc522, bus: 0, device: 0, reset: 25}\n" in written
    assert "  red: {button: 5, lamp: 12, reader: centre}\n" in written
    assert '    serial: "0123"\n    seats: [blue, ~, green]\n    dtr: false\n' in written
    assert "\n#data: " in written, "whoever starts it has a place of their own"
    assert "\n  #mode: " in written and max(map(len, written.splitlines())) <= 120
    for line in written.splitlines():
        key = line.strip().lstrip("#").partition(":")[0]
        if any(called.rpartition(".")[2] == key for called in SAYS) and SAYS.get(f"screen.{key}", "?"):
            assert "  # " in line, line
    assert read_back(wired, tmp_path) == wired


def test_unassigned_devices_can_be_assigned_by_hand(tmp_path: Path) -> None:
    found = SearchResults([reader(0, 0)], [hub("box1", ("rb", "r"))], pi=True)
    path = tmp_path / "config.yaml"
    offered = text(planned(found, Answers(("red",)), Settings()), found)
    by_hand = re.sub("^(  |)#(?=readers:|hubs:|centre:|box1:|  )", r"\1", offered, flags=re.MULTILINE)
    path.write_text(by_hand.replace("[~, ~]", "[blue, ~]"), encoding="utf-8")
    made = config.load(path, KINDS)
    assert list(made.readers) == ["centre"] and made.hubs == {"box1": HubSettings(serial="box1", seats=("blue", None))}


@pytest.mark.parametrize(
    "word", ["no", "Yes", "on", "Null", "0123", "1e3", "a: b", "#1", "'", '"', "~", "{}", "ü\u200b."]
)
def test_no_word_is_taken_for_something_else(word: str, tmp_path: Path) -> None:
    made = Settings(hardware="pi", hubs={"box1": HubSettings(serial=word, seats=("red",))})
    assert read_back(made, tmp_path) == made


# -- the walk ------------------------------------------------------------------------------------------------------


def press(walk: Walk, source: str) -> Walk:
    return walk.hear(Press(source, True, 1_000)).hear(Press(source, False, 1_300))


def lay(walk: Walk, source: str) -> Walk:
    return walk.hear(Reading(source, "04A1B2C3", True, 0)).hear(Reading(source, "04A1B2C3", False, 0))


def seated(found: SearchResults, *seats: str) -> Walk:
    """The walk of these seats, at its first question after who plays."""
    return Walk(found, Answers(seats)).skip()


def said(walk: Walk) -> str:
    return phrase(walk.told or "")


def test_a_button_and_a_reader_of_ones_own() -> None:
    walk = seated(SearchResults([reader(0, 0), reader(0, 1)], pins=FREE, pi=True), "red", "blue")
    assert walk.steps[1:] == [
        WizardStep("button", "red"), WizardStep("button", "blue"), WizardStep("reader", "red"), WizardStep("reader", "blue"), WizardStep("done"),
    ]  # fmt: skip
    walk = press(walk, "GPIO 5")
    assert said(walk) == "Red's button: GPIO 5." and walk.step == WizardStep("button", "blue")
    walk = press(walk, "GPIO 5")
    assert walk.refused and said(walk) == "That is Red's button." and walk.step == WizardStep("button", "blue")
    walk = lay(lay(press(walk, "GPIO 6"), "SPI0.1"), "SPI0.0")
    assert said(walk) == "Blue's reader: SPI0.0." and walk.step == WizardStep("lamps")
    made = planned(walk.found, walk.light(True).answers, Settings())
    assert made.seats == {
        "red": Wires(button=5, lamp=12, reader="red"),
        "blue": Wires(button=6, reader="blue"),  # GPIO 16, where its lamp would be, is not free here
    }
    assert {name: of.settings.device for name, of in made.readers.items()} == {"blue": 0, "red": 1}
    assert made.hardware == "pi" and made.reveal_mode == "fists"


def test_one_reader_is_everybodys_and_asked_for_once() -> None:
    walk = seated(SearchResults([reader(0, 0), reader(0, 1, None)], pins=FREE, pi=True), "red", "blue")
    assert walk.steps[1] == WizardStep("reader", CENTRE)
    walk = lay(walk, "SPI0.0")
    assert said(walk) == "The reader for everybody: SPI0.0." and walk.step == WizardStep("button", "red")
    made = planned(walk.found, walk.skip_all().answers, Settings())
    assert list(made.readers) == ["centre"] and made.reveal_mode == "auto"
    assert made.seats == {"red": Wires(reader="centre"), "blue": Wires(reader="centre")}


def test_an_ear_stays_with_its_seat_on_a_pin_or_at_a_hub(tmp_path: Path) -> None:
    ears = Settings(seats={"red": Wires(ear="plughw:CARD=Red"), "blue": Wires(button=5, ear="plughw:CARD=Blue")})
    walk = seated(SearchResults([reader(0, 0)], [hub("box1", ("rb", "r"))], pins=FREE, pi=True), "red", "blue")
    made = planned(walk.found, walk.skip_all().answers, ears)
    assert made.ears == ears.ears
    at_hub = replace(made, hubs={"box1": HubSettings(serial="box1", seats=("red", None))})
    assert read_back(at_hub, tmp_path).ears == ears.ears


def test_two_seats_on_one_reader_share_it_and_are_told_so() -> None:
    found = SearchResults([reader(0, 0), reader(0, 1)])
    walk = lay(lay(seated(found, "red", "blue", "green"), "SPI0.0"), "SPI0.0")
    assert said(walk) == "Red and Blue share a reader: it is the one in the middle."
    walk = lay(walk, "SPI0.1")
    made = planned(found, walk.answers, Settings())
    assert {name: of.settings.device for name, of in made.readers.items()} == {"centre": 0, "green": 1}
    assert [made.seats[seat].reader for seat in ("red", "blue", "green")] == ["centre", "centre", "green"]


def test_a_reader_that_is_nobodys_may_be_the_one_in_the_middle() -> None:
    walk = lay(lay(seated(SearchResults([reader(0, 0), reader(0, 1)]), "red"), "SPI0.0"), "SPI0.1")
    assert walk.steps[2:] == [WizardStep("reader", CENTRE), WizardStep("done")] and walk.step == WizardStep("done")
    assert {*planned(walk.found, walk.answers, Settings()).readers} == {"red", "centre"}
    assert {*planned(walk.found, walk.back().skip().answers, Settings()).readers} == {"red"}


def test_only_one_reader_can_be_shared() -> None:
    walk = seated(SearchResults([reader(0, 0), reader(0, 1)]), "red", "blue", "green", "yellow")
    for source in ("SPI0.0", "SPI0.0", "SPI0.1", "SPI0.1"):
        walk = lay(walk, source)
    assert walk.refused and said(walk) == "Only one reader can be shared, and one already is."
    assert walk.step == WizardStep("reader", "yellow")


def test_a_box_for_two_seats() -> None:
    found = SearchResults(hubs=[hub("box1", ("rbl", "rbl", "-", "r"))])
    red, blue = place("box1", 0), place("box1", 1)
    walk = press(press(seated(found, "red", "blue"), blue), red)
    assert said(walk) == "Blue's button: place 0 of box1."
    assert said(lay(walk, red)) == "That place of the hub is Blue's: its reader is too."
    assert said(lay(walk, place("box1", 3))) == "Red's button is at another place: lay the card on the reader there."
    walk = lay(lay(walk, blue), red)
    made = planned(found, walk.answers, Settings())
    assert made.hubs == {"box1": HubSettings(serial="box1", seats=("blue", "red"))}
    assert not made.seats and not made.readers and made.hardware == "usb"


def test_a_box_without_a_reader_beside_one_for_all() -> None:
    found = SearchResults([reader(0, 0)], [hub("box1", ("bl",))])
    walk = press(lay(seated(found, "red"), "SPI0.0"), place("box1", 0))
    made = planned(found, walk.answers, Settings())
    assert made.seats == {"red": Wires(reader="centre")} and made.hubs["box1"].seats == ("red",)


def test_a_place_of_a_hub_is_one_seats() -> None:
    found = SearchResults([reader(0, 0)], [hub("box1", ("rbl", "r"))], FREE, pi=True)
    walk = press(seated(found, "red", "blue"), place("box1", 0))
    walk = press(walk, "GPIO 5").skip()
    assert walk.step == WizardStep("reader", "blue")
    assert said(lay(walk, place("box1", 0))) == "That place of the hub is Red's: its reader is too."
    assert said(lay(walk, place("box1", 1))) == "Blue's button is on the Pi: its reader cannot be at a hub."
    assert not lay(walk, "SPI0.0").refused


def test_a_contact_that_flickers_is_no_button_and_one_that_is_held_no_answer() -> None:
    walk = seated(SearchResults(pins=FREE, pi=True), "red")
    flicker = walk.hear(Press("GPIO 5", True, 100)).hear(Press("GPIO 5", False, 120))
    assert flicker.step == WizardStep("button", "red")
    level = walk.hear(Press("GPIO 5", True, 0, edge=False)).hear(Press("GPIO 5", False, 500))
    assert level.step == WizardStep("button", "red")
    down = walk.hear(Press("GPIO 5", True, 100))
    assert said(down) == "Pressed: GPIO 5. Let it go." and down.step == WizardStep("button", "red")


def test_back_asks_again_and_skip_takes_the_answer_away() -> None:
    walk = press(seated(SearchResults(pins=FREE, pi=True), "red", "blue"), "GPIO 5")
    again = walk.back()
    assert again.step == WizardStep("button", "red") and again.answers.buttons == {"red": "GPIO 5"}
    assert press(again, "GPIO 6").answers.buttons == {"red": "GPIO 6"}
    assert not again.skip().answers.buttons
    assert Walk(SearchResults()).back().step == WizardStep("seats")


def test_removed_seat_loses_its_answers() -> None:
    walk = press(seated(SearchResults(pins=FREE, pi=True), "red", "blue"), "GPIO 5").back().back().sit("red")
    assert walk.answers.seats == ("blue",) and not walk.answers.buttons
    assert walk.sit("red").answers.seats == ("red", "blue")


def test_without_anything_it_asks_nothing_but_who_plays() -> None:
    assert seated(SearchResults(), "red", "blue").step == WizardStep("done")
    assert planned(SearchResults(), Answers(("red",)), Settings()).hardware == "virtual"
    assert planned(SearchResults(pi=True), Answers(("red",)), Settings()).hardware == "pi", "real cards, by finger"


def test_a_device_that_fails_meanwhile_is_named_until_it_is_well() -> None:
    walk = Walk(SearchResults()).hear(Health("hub box1", False, "It has been unplugged"))
    assert walk.ill == {"hub box1": "It has been unplugged"} and not walk.hear(Health("hub box1", True)).ill


def test_fists_are_not_asked_of_a_seat_without_a_button(tmp_path: Path) -> None:
    walk = press(seated(SearchResults(pins=FREE, pi=True), "red", "blue"), "GPIO 5").skip()
    made = planned(walk.found, walk.answers, Settings(reveal=RevealSettings(mode="fists")))
    assert made.reveal.mode is None and read_back(made, tmp_path) == made


# -- what is drawn, and what is said of what was found -------------------------------------------------------------


@pytest.mark.parametrize("example", SOLDERED, ids=lambda path: path.stem)
def test_lamps_are_offered_where_the_drawings_have_them(example: Path) -> None:
    wired = config.load(example, KINDS)
    readers = [reader(of.settings.bus, of.settings.device) for of in wired.readers.values()]
    answers = Answers(tuple(wired.seats), {seat: pin(of.button or 0) for seat, of in wired.seats.items()})
    lamps = {seat: of.lamp for seat, of in wired.seats.items()}
    found = SearchResults(readers, pins=[of.button or 0 for of in wired.seats.values()], held=frozenset(lamps.values()))  # type: ignore[arg-type]
    assert drawn_lamps(found, answers) == lamps
    assert {lamp for pairs in LAMPS for lamp in pairs.values()} >= {*lamps.values()}


def test_silent_devices_show_the_doctors_remedy() -> None:
    silence = "The chip on SPI0.0 does not answer (its version reads 00): check its cable and power"
    (only,) = findings(SearchResults([reader(0, 0, None)]))
    assert (only.part, only.verdict, only.what) == ("reader SPI0.0", "fail", silence)
    assert "MISO" in only.next
    clone, missing = findings(SearchResults([reader(0, 1, None), reader(0, 0, 0x88)]))
    assert (clone.verdict, missing.verdict) == ("warn", "pass") and "FM17522" in clone.what
    (stays,) = findings(SearchResults(held=frozenset({12})))
    assert stays.what == "GPIO 12 stays at ground"
    (nameless,) = findings(SearchResults(hubs=[hub("box1", ("rbl",), ("", ""))]))
    assert nameless.verdict == "warn" and not SearchResults(hubs=[hub("box1", ("rbl",), ("", ""))]).sources


# -- the file ------------------------------------------------------------------------------------------------------


def test_the_screen_of_a_pi_is_set_where_nothing_was(tmp_path: Path) -> None:
    found = SearchResults(
        pi=True, display=Display(("DSI-1 720x1280", "HDMI-A-1 1920x1080"), "", "/dev/dri/card0", "usable")
    )
    for fresh, screen in ((True, ScreenSettings(fullscreen=True, width=720, height=1280)), (False, ScreenSettings())):
        desk = WizardSession(Heard(found), Settings(), tmp_path / "config.yaml", fresh)
        desk.look()
        made = desk.settings("de")
        assert made.screen == screen and made.language == "de" and read_back(made, tmp_path) == made
    odd = SearchResults(pi=True, display=Display(("DSI-1", "HDMI-A-1 80x80"), "", "", "usable"))
    assert shown(odd, Settings()).screen == ScreenSettings(fullscreen=True)


class Heard:
    """Ground on which this is found, and this is heard."""

    def __init__(self, found: SearchResults, *words: Word) -> None:
        self.found, self.words, self.open = found, words, 0

    def look(self) -> SearchResults:
        assert not self.open, "nobody looks while something listens"
        return self.found

    def listen(self, found: SearchResults, put: Callable[[Word], object]) -> Heard:
        assert found == self.found
        self.open += 1
        for word in self.words:
            put(word)
        return self

    def close(self) -> None:
        self.open -= 1


def test_the_desk_hears_and_lets_go() -> None:
    ground = Heard(SearchResults(pins=FREE, pi=True), Press("GPIO 5", True, 0), Press("GPIO 5", False, 300))
    desk = WizardSession(ground, Settings(), None)
    desk.look()
    desk.walk = desk.walk.skip()
    assert not desk.drain()
    desk.listen()
    desk.listen()
    assert ground.open == 1 and desk.drain() and desk.walk.answers.buttons == {"red": "GPIO 5"}
    desk.look()
    assert not ground.open and not desk.walk.answers.buttons, "it begins anew"
    desk.close()


def test_the_file_is_written_and_the_one_before_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "there" / "config.yaml"
    assert save(path, "first\n") is None and path.read_text() == "first\n"
    assert path.stat().st_mode & 0o777 == 0o644
    asides = [save(path, f"{number}\n") for number in ("second", "third")]
    assert [aside and aside.name for aside in asides] == ["config-before.yaml", "config-before-2.yaml"]
    assert [aside and aside.read_text() for aside in asides] == ["first\n", "second\n"]
    assert path.read_text() == "third\n" and len(list(path.parent.iterdir())) == 3


def test_where_it_cannot_be_written_all_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("mine\n")

    synced = os.fsync

    def full(file: int) -> None:
        """The old file still has room beside its place, the new one no more."""
        if len([*tmp_path.iterdir()]) > 2:
            raise OSError(28, "No space left on device")
        synced(file)

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(path, "new\n")
    assert path.read_text() == "mine\n" and [*tmp_path.iterdir()] == [path]
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(OSError, match="File exists"):
        save(file / "config.yaml", "new\n")


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text("old\n")
    (tmp_path / "config.yaml").symlink_to("real.yaml")
    save(tmp_path / "config.yaml", "new\n")
    assert (tmp_path / "config.yaml").is_symlink() and (tmp_path / "real.yaml").read_text() == "new\n"


@pytest.mark.usefixtures("at_home")
def test_it_goes_where_the_program_looks(tmp_path: Path) -> None:
    usual = tmp_path / "config" / "tabularium" / "config.yaml"
    assert place_of(None) == usual and first(None)
    assert place_of(tmp_path / "named.yaml") == tmp_path / "named.yaml" and first(tmp_path / "named.yaml")
    save(usual, text(Settings()))
    assert place_of(None) == usual and not first(None)
    assert config.load(usual, KINDS) == Settings()


class Vanishing:
    """Where is looked while somebody pulls the plug."""

    def look(self) -> SearchResults:
        raise RuntimeError("the port has gone")

    def listen(self, found: SearchResults, put: Callable[[Word], object]) -> Any:
        raise AssertionError("there is nothing to listen to")


def test_a_device_that_vanishes_while_it_is_looked_for_ends_the_search_and_not_the_set_up(tmp_path: Path) -> None:
    desk = WizardSession(Vanishing(), Settings(), tmp_path / "config.yaml")
    desk.look()
    assert desk.looked and "look again" in summary(desk, "en")
    assert not desk.walk.found.sources
