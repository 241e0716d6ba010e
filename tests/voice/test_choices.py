"""What is chosen about the voice, in config.yaml and in the store."""

from datetime import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.hardware import settings as config
from companion.hardware.settings import Settings, VoiceSettings
from companion.rules.mistakes import ConfigError
from companion.voice.choices import Choices, Quiet, kept
from drivers.kinds import KINDS


def load(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "config.yaml"
    path.write_text(text, encoding="utf-8")
    return config.load(path, KINDS)


def mistakes(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    return [line.partition("config.yaml:")[2] for line in caught.value.lines]


# -- quiet hours -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hours", "quiet", "loud"),
    [
        ("22:00-07:00", ["22:00", "23:59", "00:00", "06:59"], ["07:00", "12:00", "21:59"]),
        ("13:00 - 15:30", ["13:00", "15:29"], ["12:59", "15:30", "00:00", "23:59"]),
        ("00:00-6:00", ["00:00", "05:59"], ["06:00", "23:59"]),
        ("23:00-00:00", ["23:00", "23:59"], ["00:00", "22:59"]),
    ],
)
def test_quiet_hours_begin_and_end_on_the_minute_and_pass_midnight(
    hours: str, quiet: list[str], loud: list[str]
) -> None:
    found = Quiet.read(hours)
    assert [at for at in (*quiet, *loud) if found.holds(time.fromisoformat(at))] == quiet
    assert Quiet.read(str(found)) == found


@pytest.mark.parametrize("written", ["", "22-7", "22:00", "24:00-07:00", "22:00-07:60", "07:00-07:00", "２２:00-07:00"])
def test_invalid_quiet_hours_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="expected hours"):
        Quiet.read(written)


@pytest.mark.parametrize(
    ("choices", "audible"),
    [
        (Choices(), False),
        (Choices(words="brief"), True),
        (Choices(sounds=True), True),
        (Choices(words="full", muted=True), False),
        (Choices(words="full", quiet=Quiet.read("22:00-07:00")), False),
        (Choices(words="full", quiet=Quiet.read("01:00-07:00")), True),
    ],
)
def test_when_the_loudspeaker_may_be_heard(choices: Choices, audible: bool) -> None:
    assert choices.audible(time(23, 30)) is audible


HOURS = st.builds(Quiet, st.just(time(22)), st.just(time(7)))
CHOICES = st.builds(
    Choices,
    words=st.sampled_from(("off", "brief", "full")),
    sounds=st.booleans(),
    muted=st.booleans(),
    rate=st.integers(50, 200),
    volume=st.integers(0, 100),
    quiet=st.none() | HOURS,
)


@given(CHOICES)
def test_choices_are_kept(choices: Choices) -> None:
    assert kept(choices.data(), Choices()) == choices


@given(
    st.dictionaries(st.sampled_from([*Choices().data(), "x"]), st.none() | st.integers() | st.text() | st.booleans())
)
def test_damaged_store_values_give_default_choices(data: dict[str, object]) -> None:
    found = kept(data, Choices(words="brief"))
    assert found.words in ("off", "brief", "full") and 50 <= found.rate <= 200 and 0 <= found.volume <= 100
    assert kept(found.data(), Choices()) == found


def test_config_is_the_default_of_voice_choices() -> None:
    assert kept(None, Choices(words="full")) == Choices(words="full") == kept("x", Choices(words="full"))


# -- config.yaml -------------------------------------------------------------------------------------------------------

RED = 'seats: {red: {button: 5, ear: "plughw:CARD=Red"}}\n'


def test_a_voice_and_an_ear(tmp_path: Path) -> None:
    text = "voice: {words: full, sounds: true, engine: piper, model: alan.onnx, rate: 120, quiet: 22:00-7:00}\n"
    made = load(tmp_path, text + RED)
    assert made.voice == VoiceSettings(
        words="full", sounds=True, engine="piper", model=tmp_path / "alan.onnx", rate=120, quiet="22:00-07:00"
    )
    assert made.ears == {"red": "plughw:CARD=Red"}


@pytest.mark.parametrize("word", ["off", '"off"', "false"])
def test_off_is_off_however_yaml_reads_it(tmp_path: Path, word: str) -> None:
    assert load(tmp_path, f"voice: {{words: {word}}}").voice.words == "off"


def test_a_long_press_is_longer_than_one_that_says_no(tmp_path: Path) -> None:
    assert load(tmp_path, "").press.long_ms == 1800
    assert load(tmp_path, "press: {no_ms: 2000}").press.long_ms == 6000
    assert load(tmp_path, "press: {long_ms: 700}").press.long_ms == 700
    assert mistakes(tmp_path, "press:\n  no_ms: 800\n  long_ms: 800") == [
        "3: press.long_ms: expected more than press.no_ms, which is 800, not 800"
    ]


OTHERS = "an ear is heard by one player alone"


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("voice: {words: loud}", ["1: voice.words: expected 'off', 'brief' or 'full', not \"loud\""]),
        ("voice: {rate: 300}", ["1: voice.rate: expected a whole number from 50 to 200, not 300"]),
        ("voice: {quiet: 22-7}", ['1: voice.quiet: expected hours such as "22:00-07:00", not "22-7"']),
        ("voice: {engine: piper}", ["1: voice.engine: piper needs a voice: name its file at voice.model"]),
        (
            "voice: {device: '-x; rm'}",
            ['1: voice.device: expected a sound device as aplay -L lists it, such as plughw:CARD=Device, not "-x; rm"'],
        ),
        (
            "voice: {device: 'plughw:1,0'}",
            [
                "1: voice.device: the number in plughw:1,0 may change when it is plugged in:"
                " name the card, as aplay -L does"
            ],
        ),
        (
            "seats: {red: {ear: default}}",
            ['1: seats.red.ear: an ear names its sound card, such as plughw:CARD=Device (aplay -L), not "default"'],
        ),
        (
            'voice:\n  device: "plughw:CARD=A"\nseats:\n  red: {ear: "sysdefault:CARD=A"}\n  blue: {ear: "hw:CARD=B"}\n'
            '  green: {ear: "plughw:CARD=B,DEV=0"}\n  yellow: {ear: "plughw:CARD=B,DEV=1"}\n  black: {ears: 1}',
            [
                f"4: seats.red.ear: sysdefault:CARD=A is already used by voice.device (line 2): {OTHERS}",
                f"6: seats.green.ear: plughw:CARD=B,DEV=0 is already used by seats.blue.ear (line 5): {OTHERS}",
                "8: seats.black.ears: unknown key; did you mean 'ear'?",
            ],
        ),
    ],
)
def test_every_mistake_is_reported_with_its_line(tmp_path: Path, text: str, reported: list[str]) -> None:
    assert mistakes(tmp_path, text) == reported
