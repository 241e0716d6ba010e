"""config.yaml: what is right becomes settings, what is wrong is reported all at once, and nothing else can happen."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from companion.hardware.fitting import Fitting
from companion.hardware.settings import ConfigError, PowerSettings, Settings, Wires, find
from companion.rules.mistakes import Mistake, Mistakes
from companion.system.yaml_lines import lines, read_yaml
from drivers.rc522.kind import KIND
from drivers.rc522.settings import Rc522Settings
from tests.support.configs import load, mistakes, path  # noqa: F401 - fixtures
from tests.support.tracked import shipped

SHIPPED = shipped("config.yaml")
PI = "hardware: pi\nreaders:\n  centre: {kind: rc522}\n"
FREE = "free pins: 4, 5, 6, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27"


def loaded(path: Path, text: str) -> Settings:
    path.write_text(text, encoding="utf-8")
    return load(path)


# -- what is right -------------------------------------------------------------------------------------------------


def test_the_shipped_file_is_what_you_get_without_one(path: Path) -> None:
    assert loaded(path, SHIPPED) == Settings()
    assert Settings().hardware == "virtual"


def test_the_shipped_file_shows_a_pi(path: Path) -> None:
    text = SHIPPED.replace("hardware: virtual", "hardware: pi")
    text = re.sub(r"^#(readers:|seats:|  centre:|  (red|blue|green|yellow|purple): .*button)", r"\1", text, flags=re.M)
    table = loaded(path, text)
    assert table.readers == {"centre": Fitting(KIND, Rc522Settings(reset=25))}
    assert table.seats["red"] == Wires(button=5, lamp=12, reader="centre")
    assert len(table.seats) == 5
    assert table.reveal_mode == "fists"


def test_a_power_button_may_be_where_it_starts_the_pi_again(path: Path) -> None:
    table = loaded(path, "hardware: pi\npower: {button: 3, lamp: 27}\nscreen: {blank_min: 0}\n")
    assert table.power == PowerSettings(button=3, lamp=27)
    assert table.screen.blank_min == 0


def test_a_reader_of_a_seats_own(path: Path) -> None:
    readers = "  red: {kind: rc522, device: 1}\n  blue: {kind: rc522, bus: 1, device: 2}\n"
    table = loaded(
        path, f"{PI}{readers}seats: {{red: {{reader: red}}, blue: {{button: 7, reader: centre}}}}".replace("7", "4")
    )
    wired = [reader.settings for reader in table.readers.values()]
    assert [(at.bus, at.device, at.reset) for at in wired] == [
        (0, 0, 25),
        (0, 1, 25),
        (1, 2, 25),
    ]


def test_a_readers_gain(path: Path) -> None:
    table = loaded(path, f"{PI}  red: {{kind: rc522, device: 1, gain: 43}}\n")
    assert [reader.settings.gain for reader in table.readers.values()] == [None, 43]
    assert mistakes(path, f"{PI}  red: {{kind: rc522, device: 1, gain: 40}}\n") == [
        "4: readers.red.gain: expected 18, 23, 33, 38, 43 or 48, not 40"
    ]


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("", "fists"),
        ("hardware: pi", "auto"),
        (f"{PI}seats: {{red: {{button: 4}}, blue: {{button: 5}}}}", "fists"),
        (f"{PI}seats: {{red: {{button: 4}}, blue: {{lamp: 5}}}}", "auto"),
        ("hardware: pi\nreveal: {mode: fists}", "fists"),
        ("reveal: {mode: auto}", "auto"),
    ],
)
def test_the_reveal_that_fits_the_table(path: Path, text: str, mode: str) -> None:
    assert loaded(path, text).reveal_mode == mode


def test_where_the_data_are(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert Settings().data == Path("/home/anna/.local/share/tabularium")
    assert loaded(path, "data: ~/games").data == Path("/home/anna/games")
    assert loaded(path, "data: games").data == tmp_path / "games"
    assert loaded(path, "data: /srv/games").data == Path("/srv/games")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert loaded(path, "").data == Path("/data/tabularium")


def test_settings_stay_as_they_are() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().language = "de"  # type: ignore[misc]


def test_which_file_is_found(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    assert find(None) is None
    users = tmp_path / "home" / "tabularium" / "config.yaml"
    users.parent.mkdir(parents=True)
    users.touch()
    assert find(None) == users
    path.touch()
    assert find(None) == path
    assert find(Path("other.yaml")) == Path("other.yaml")


# -- what is wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("langage: en", ["1: langage: unknown key; did you mean 'language'?"]),
        ("zzz: en", ["1: zzz: unknown key"]),
        ("\n\nlanguage: fr", ["3: language: expected 'en', 'ja' or 'de', not \"fr\""]),
        ("hardware: pie", ["1: hardware: expected 'virtual', 'pi' or 'usb', not \"pie\"; did you mean 'pi'?"]),
        ("hardware:", ["1: hardware: expected 'virtual', 'pi' or 'usb', not null"]),
        ("- a", ['1: expected keys with values, not ["a"]']),
        ("screen:\n  - a", ['1: screen: expected keys with values, not ["a"]']),
        ("seats: 5", ["1: seats: expected keys with values, not 5"]),
        ("data: [a]", ['1: data: expected a directory, not ["a"]']),
        ('data: ""', ['1: data: expected a directory, not ""']),
        ("data: ~nobody-of-this-name/x", ['1: data: expected a directory, not "~nobody-of-this-name/x"']),
        ("screen: {fullscreen: 1}", ["1: screen.fullscreen: expected true or false, not 1"]),
        ("screen: {width: '800'}", ['1: screen.width: expected a whole number, not "800"']),
        ("screen: {width: 800.5}", ["1: screen.width: expected a whole number, not 800.5"]),
        ("screen: {width: 8}", ["1: screen.width: expected a whole number from 320 to 7680, not 8"]),
        ("screen: {blank_min: 241}", ["1: screen.blank_min: expected a whole number from 0 to 240, not 241"]),
        ("power: {button: true}", ["1: power.button: expected a whole number, not true"]),
        ("power: {lamb: 4}", ["1: power.lamb: unknown key; did you mean 'lamp'?"]),
        ("screen: {rotation: 45}", ["1: screen.rotation: expected 0, 90, 180 or 270, not 45"]),
        ("screen: {text: huge}", ["1: screen.text: expected 'normal' or 'large', not \"huge\""]),
        ("readers:\n  red: {bus: 0}", ["2: readers.red: the key 'kind' is missing"]),
        ("seats: {red: {reader: 5}}", ["1: seats.red.reader: expected a word, not 5"]),
        (
            "seats: {grean: {}}",
            [
                "1: seats.grean: expected 'red', 'blue', 'green', 'yellow', 'purple', 'black' or 'white',"
                " not \"grean\"; did you mean 'green'?"
            ],
        ),
    ],
)
def test_a_part_that_is_wrong(path: Path, text: str, reported: list[str]) -> None:
    assert mistakes(path, text) == reported


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        (
            f"{PI}seats:\n  red: {{button: 25}}\n  blue:\n    button: 4\n    lamp: 4",
            [
                f"5: seats.red.button: pin 25 is already used by readers.centre.reset (line 3); {FREE.replace('4, ', '', 1)}",
                f"8: seats.blue.lamp: pin 4 is already used by seats.blue.button (line 7); {FREE.replace('4, ', '', 1)}",
            ],
        ),
        (
            f"{PI}seats: {{red: {{button: 8, lamp: 2}}}}",
            [
                f"4: seats.red.button: pin 8 belongs to SPI0, which the reader 'centre' needs; {FREE}",
                f"4: seats.red.lamp: pin 2 belongs to I2C; {FREE}",
            ],
        ),
        (
            "hardware: pi\nseats: {red: {button: 15, lamp: 1}}\nreaders: {red: {kind: rc522, bus: 1, reset: 16}}",
            [
                "2: seats.red.button: pin 15 belongs to the UART; free pins: 4, 5, 6, 12, 13, 22, 23, 24, 25, 26, 27",
                "2: seats.red.lamp: pin 1 belongs to the ID EEPROM; free pins: 4, 5, 6, 12, 13, 22, 23, 24, 25, 26, 27",
                "3: readers.red.reset: pin 16 belongs to SPI1, which the reader 'red' needs;"
                " free pins: 4, 5, 6, 12, 13, 22, 23, 24, 25, 26, 27",
            ],
        ),
        (
            "seats: {red: {button: 28, lamp: -1}}",
            [
                "1: seats.red.button: expected a whole number from 0 to 27, not 28",
                "1: seats.red.lamp: expected a whole number from 0 to 27, not -1",
            ],
        ),
        (
            f"{PI}  red: {{kind: rc522, bus: 0, device: 0}}",
            ["4: readers.red: bus 0, device 0 is already used by readers.centre (line 3)"],
        ),
        (
            f"{PI}  red: {{kind: rc522, bus: 0, device: 2}}",
            ["4: readers.red.device: SPI0 has the devices 0 to 1, not 2"],
        ),
        (
            f"{PI}seats:\n  red: {{reader: center}}\n  blue: {{reader: red}}\n  green: {{reader: green}}",
            [
                "5: seats.red.reader: red lays its cards on 'centre' or on a reader of its own, 'red', not \"center\";"
                " did you mean 'centre'?",
                "6: seats.blue.reader: blue lays its cards on 'centre' or on a reader of its own, 'blue', not \"red\"",
                "7: seats.green.reader: there is no reader 'green' under readers",
            ],
        ),
        (
            f"{PI}reveal:\n  mode: fists\nseats: {{red: {{button: 4}}, blue: {{lamp: 5}}}}",
            [
                "6: seats.blue: blue has no button, and line 5 asks for fists: wire one, or set reveal.mode to auto",
            ],
        ),
        (
            f"{PI}seats:\n  red: {{button: 5, back: 5, ear: 'plughw:CARD=Red'}}\n  blue: {{button: 6, back: 12}}",
            [
                f"5: seats.red.back: pin 5 is already used by seats.red.button (line 5); {FREE.replace('5, 6, 12, ', '', 1)}",
                "6: seats.blue.back: leads an ear back, and this seat has none: name its sound card at ear",
            ],
        ),
        (
            f"{PI}seats: {{red: {{button: 4}}}}\npower: {{button: 4, lamp: 3}}",
            [
                f"5: power.button: pin 4 is already used by seats.red.button (line 4); {FREE.replace('4, ', '', 1)}",
                f"5: power.lamp: pin 3 belongs to I2C; {FREE.replace('4, ', '', 1)}",
            ],
        ),
        (
            "readers: {centre: {kind: rc522}}",
            ["1: readers.centre.kind: an rc522 needs a Raspberry Pi: set hardware to pi, or kind to virtual"],
        ),
    ],
)
def test_parts_that_do_not_fit_each_other(path: Path, text: str, reported: list[str]) -> None:
    assert mistakes(path, text) == reported


def test_all_mistakes_at_once_and_none_that_only_follows(path: Path) -> None:
    text = """\
hardware: pip
readers:
  centre: {kind: rc522, buss: 0, reset: 99}
  red: {kind: rc552}
seats:
  red: {button: four, reader: red}
  blue: {button: 5, reader: centre}
  green: {button: 5, reader: blue}
reveal: {mode: fists, fair_ms: -1}
"""
    assert mistakes(path, text) == [
        "1: hardware: expected 'virtual', 'pi' or 'usb', not \"pip\"; did you mean 'pi'?",
        "3: readers.centre.reset: expected a whole number from 0 to 27, not 99",
        "3: readers.centre.buss: unknown key; did you mean 'bus'?",
        "4: readers.red.kind: expected 'virtual', 'rc522', 'pcsc', 'pn532' or 'typed', not \"rc552\"; did you mean 'rc522'?",
        '6: seats.red.button: expected a whole number, not "four"',
        "8: seats.green.button: pin 5 is already used by seats.blue.button (line 7); free pins: 4, 6, 12, 13, 16, 17, 18, 19,"
        " 20, 21, 22, 23, 24, 26, 27",
        "8: seats.green.reader: green lays its cards on 'centre' or on a reader of its own, 'green', not \"blue\"",
        "9: reveal.fair_ms: expected a whole number from 0 to 10000, not -1",
    ]


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("a: b: c", ["1: mapping values are not allowed here"]),
        ("a: 1\nb: [", ["2: expected the node content, but found '<stream end>' while parsing a flow node"]),
        ("a: 1\n\tb: 2", ["2: found character '\\t' that cannot start any token while scanning for the next token"]),
        ("a: 1\n\nb: \x07", ["3: the character '\\x07' is not allowed here"]),
        ("a: 1\n---\nb: 2", ["2: but found another document expected a single document in the stream"]),
        ("seats:\n  red: {}\n  red: {}", ["3: seats.red is already on line 2"]),
        ("a: 1\nb: 2\na: 3\nb: 4", ["3: a is already on line 1", "4: b is already on line 2"]),
        (
            "1: a\n? [b]\n: c\nyes: d",
            [f"{n}: a key is a word: put it in quotes if it is meant as one" for n in (1, 2, 4)],
        ),
        ("a: &x [*x]", ["1: anchors and aliases (&name, *name) are not read here: write it out"]),
        (
            "a: !!python/object:os.system x",
            ["1: tags (!name) are not read here: put text that begins with ! in quotes"],
        ),
        ('a: "\\ud800"', ["1: half a character (\\ud800 to \\udfff)"]),
        ("[" * 5000, ["1: nested more than 20 levels deep"]),
    ],
)
def test_yaml_that_cannot_be_read(path: Path, text: str, reported: list[str]) -> None:
    assert mistakes(path, text) == reported


def test_a_file_that_cannot_be_read(path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^config.yaml: No such file or directory$"):
        load(path)
    with pytest.raises(ConfigError, match=r"^\.: Is a directory$"):
        load(Path())
    path.write_bytes(b"language: en\ndata: \xff\n")
    with pytest.raises(ConfigError, match=r"^config.yaml:2: this is not UTF-8 text$"):
        load(path)


def test_other_files_use_the_same_lines(path: Path) -> None:
    path.write_text("\ufeffprovinces:\n  sicilia: 20\n  d'oro: 3\nlinks:\n  - [sicilia, africa]\n  - - a\n    - 0x_\n")
    data, line_of = read_yaml(path)
    assert data == {"provinces": {"sicilia": 20, "d'oro": 3}, "links": [["sicilia", "africa"], ["a", "0x_"]]}
    assert [line_of(place) for place in [(), ("links", 1), ("links", 1, 1), ("provinces", "corsica"), ("x",)]] == [
        1,
        6,
        7,
        1,
        1,
    ]
    found = Mistakes(
        [Mistake(("links", 1, 1), "no province"), Mistake(("provinces", "d'oro"), "odd"), Mistake((), "?")]
    )
    assert lines(path, found, line_of) == [
        "config.yaml:1: ?",
        'config.yaml:3: provinces."d\'oro": odd',
        "config.yaml:7: links.1.1: no province",
    ]


# -- nothing else can happen ---------------------------------------------------------------------------------------

KEYS = (
    "language",
    "data",
    "hardware",
    "readers",
    "seats",
    "reveal",
    "screen",
    "centre",
    "red",
    "kind",
    "reset",
    "lamp",
)
VALUES = (
    st.none() | st.booleans() | st.integers(-2, 30) | st.floats() | st.sampled_from([*KEYS, "rc522", "pi", "fists"])
)
TREES = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner), max_leaves=8
)


def load_or_tell(path: Path, written: bytes) -> None:
    path.write_bytes(written)
    try:
        load(path)
    except ConfigError as error:
        assert error.lines
        for line in error.lines:
            assert re.match(rf"{re.escape(str(path))}:\d+: .", line), line
            line.encode()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(text=st.text() | st.text("[]{}:,-#&*!|>%@`'\"\\ \n\tax01._~=<?ud8", max_size=40))
@example(text="a: 0b_")
@example(text="a: 2020-99-99")
@example(text="0001-01-01 00:00:00+23:59")
@example(text="<<: {a: 1}")
@example(text="a: =")
@example(text="data: ~" + "a" * 5000)
@example(text='data: "a\\0b"')
@example(text="screen: {width: " + "9" * 5000 + "}")
@example(text="!!int a")
def test_no_text_does_anything_else(path: Path, text: str) -> None:
    load_or_tell(path, text.encode("utf-8", "surrogatepass"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(tree=st.dictionaries(st.sampled_from(KEYS), TREES))
def test_no_wrong_settings_do_anything_else(path: Path, tree: dict[str, object]) -> None:
    import yaml

    load_or_tell(path, yaml.safe_dump(tree).encode())
