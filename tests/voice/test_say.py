"""`tabularium say`: a sentence aloud or as a file, and the sounds."""

import os
import sys
import wave
from array import array
from pathlib import Path

import pytest

from companion.cli import main
from companion.rules.line import SOUNDS
from tools.needs import needs


def frames(path: Path) -> tuple[float, float]:
    """How long a file sounds, and how loud it is on average."""
    with wave.open(str(path)) as file:
        samples = array("h", file.readframes(10**8))
        return len(samples) / file.getframerate(), sum(map(abs, samples)) / len(samples)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_sentence_is_written_as_a_file(at_home: None, lang: str) -> None:
    needs("espeak-ng")
    for name, text in (("short", "Anna."), ("long", "Anna, Bernhard, Clara, Anna, Bernhard, Clara.")):
        assert main(["say", text, "--lang", lang, "--out", f"{name}.wav"]) == 0
    (short, loud), (long, _) = frames(Path("short.wav")), frames(Path("long.wav"))
    assert 0.3 < short < 2 < long and loud > 300


def test_a_sound_comes_before_its_words(at_home: None) -> None:
    needs("espeak-ng")
    assert main(["say", "Anna.", "--out", "words.wav"]) == 0
    assert main(["say", "--sound", "won", "--out", "sound.wav"]) == 0
    assert main(["say", "Anna.", "--sound", "won", "--out", "both.wav"]) == 0
    words, sound, both = (frames(Path(f"{name}.wav"))[0] for name in ("words", "sound", "both"))
    assert abs(words + sound - both) < 0.01


@pytest.mark.parametrize("sound", SOUNDS)
def test_every_sound_is_written_without_any_engine(
    at_home: None, sound: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["say", "--sound", sound, "--out", "sound.wav"]) == 0
    assert frames(Path("sound.wav"))[1] > 300


def player(folder: Path, monkeypatch: pytest.MonkeyPatch, lines: str) -> None:
    """Stands in for aplay: writes its arguments and what it is given to a file."""
    path = folder / "aplay"
    path.write_text(f"#!{sys.executable}\nimport sys\n{lines}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


def test_it_is_heard_at_the_device_that_is_asked_for(
    at_home: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player(tmp_path, monkeypatch, "open(sys.argv[3].replace(':', ''), 'wb').write(sys.stdin.buffer.read())")
    Path("config.yaml").write_text(
        'voice: {device: "plughw:CARD=Table", volume: 0}\nseats: {red: {ear: "plughw:CARD=Red"}}'
    )
    assert main(["say", "--sound", "held"]) == 0
    assert main(["say", "--sound", "held", "--ear", "red"]) == 0
    table, red = (Path(f"plughwCARD={card}").read_bytes() for card in ("Table", "Red"))
    assert table == red == bytes(len(red)) and red, "silent, but as long"


def test_a_device_that_is_lost(
    at_home: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    player(tmp_path, monkeypatch, "sys.exit('aplay: main:831: audio open error: No such device')")
    assert main(["say", "--sound", "held"]) == 2
    assert capsys.readouterr().err == (
        "default: No such device. Plug in the loudspeaker, or name another device in config.yaml: aplay -L lists them.\n"
    )


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        ("", "there is nothing to say or play"),
        ("😀", "there is nothing to say or play"),
        ("Open --ear red", "red has no earphone in config.yaml"),
        ("Open", "espeak-ng is not installed. Install it: sudo apt-get install -y espeak-ng"),
        ("--sound won", "aplay is not installed. Install it: sudo apt-get install -y alsa-utils"),
    ],
)
def test_say_refuses_what_it_cannot_speak(
    bare: None, words: str, reported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["say", *words.split()]) == 2
    assert capsys.readouterr().err.strip() == reported


@pytest.fixture
def bare(at_home: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No program is installed."""
    monkeypatch.setenv("PATH", str(tmp_path))


def test_japanese_is_not_for_espeak(bare: None, capsys: pytest.CaptureFixture[str]) -> None:
    Path("config.yaml").write_text("voice: {engine: espeak-ng}")
    assert main(["say", "始め", "--lang", "ja"]) == 2
    said = "espeak-ng does not speak this language. Set engine: auto below voice: in config.yaml.\n"
    assert capsys.readouterr().err == said
