"""Engines and players as programs: real ones where they are installed, and stand-ins that hang, die or write garbage."""

import json
import os
import re
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from random import Random
from time import perf_counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion import games
from companion.cli.simulate import play, table
from companion.rules.guide import Known
from companion.rules.line import Line
from companion.rules.readings import Health
from companion.rules.words import LANGUAGES, message
from companion.voice.live import whole
from companion.voice.telling import Teller
from drivers.voice.cache import SpeechCache
from drivers.voice.engines import Engine, Engines, Espeak, Piper, picked, there
from drivers.voice.interruptible import CutOffError, patiently
from drivers.voice.jtalk import JTalk
from drivers.voice.pcm import Piece, cut, mixed, softer, unwrapped, wav
from drivers.voice.sanitize import LONGEST, plain, sentences
from drivers.voice.sinks import Aplay
from drivers.voice.voice import Voice
from tests.support.loudspeaker import VirtualLoudspeaker
from tests.support.tables import EVERYTHING
from tools.needs import needs

Script = Callable[[str], str]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Makes a program of a few lines of Python."""

    def make(lines: str) -> str:
        path = tmp_path / "program"
        path.write_text(f"#!{sys.executable}\nimport os, sys, time\nout = sys.stdout.buffer\n{lines}\n", "utf-8")
        path.chmod(0o755)
        return str(path)

    return make


def spoken(engine: Engine, text: str, lang: str = "en", rate: int = 100) -> list[Piece]:
    with closing(engine):
        return list(engine.speak(plain(text, lang), lang, rate, patiently))


def seconds(pieces: Sequence[Piece]) -> float:
    return sum(piece.seconds for piece in pieces)


def loudness(pcm: bytes) -> float:
    """The mean of what is there."""
    samples = array("h", pcm)
    return sum(map(abs, samples)) / len(samples)


# -- espeak-ng ---------------------------------------------------------------------------------------------------------

SENTENCES = {
    "en": ("Anna pleads.", "Anna pleads. She needs twenty-two and holds seventeen."),
    "de": ("Anna wirbt.", "Anna wirbt. Sie braucht zweiundzwanzig und hat siebzehn."),
}


@pytest.mark.parametrize("lang", SENTENCES)
def test_espeak_speaks_and_more_words_take_longer(lang: str) -> None:
    needs("espeak-ng")
    short, long = (spoken(Espeak(), text, lang) for text in SENTENCES[lang])
    assert 0.4 < seconds(short) < 2 < seconds(long) < 8
    pcm = b"".join(piece.pcm for piece in long)
    assert loudness(pcm) > 500
    end = pcm[-len(pcm) // 50 * 2 :]
    assert loudness(end) < loudness(pcm) / 10, "it ends with silence, and not in a word"
    assert len({piece.hz for piece in long}) == 1


@pytest.mark.skipif(not EVERYTHING, reason="rendering all that is said takes minutes: make soak")
@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "ja" or there("open-jtalk")])
def test_all_that_is_said_is_heard_to_its_end(lang: str) -> None:
    """Every sentence that is always the same, and all that is said in a game of each: none is silent, none breaks off,
    and nothing is in it that an engine swallows."""
    if lang != "ja":
        needs("espeak-ng")
    texts: dict[str, None] = {}
    for name in games.NAMES:
        texts |= dict.fromkeys(whole(name, lang))
        game = games.game(name)
        header = replace(table(game, game.seats[0], {}), ears=())
        teller = Teller(header, lang, "full")
        for session, receipt in play(header, Random(name)):
            at = Known(header.seats, header.options, session.view(), session.derived(), (), header.reveal)
            texts |= dict.fromkeys(line.say for line in teller.tell([receipt], at) if line.say)
    with closing(Engines()) as engines:
        engine = engines.of(lang)
        assert engine and len(texts) > 300
        for text in texts:
            assert not re.search("[+−×=()„“]", text), text
            pieces = list(engine.speak(plain(text, lang), lang, 100, patiently))
            pcm = b"".join(piece.pcm for piece in pieces)
            letters = sum(map(str.isalpha, text))
            assert seconds(pieces) > 0.03 * letters and loudness(pcm) > 300, text
            assert loudness(pcm[-len(pcm) // 60 * 2 :]) < loudness(pcm) / 4, f"it ends in a word: {text}"


def test_espeak_is_faster_where_it_is_to_be() -> None:
    needs("espeak-ng")
    slow, usual, fast = (seconds(spoken(Espeak(), SENTENCES["en"][1], rate=rate)) for rate in (50, 100, 200))
    assert slow > 1.4 * usual and usual > 1.4 * fast


def test_espeak_has_other_voices_of_the_same_language() -> None:
    needs("espeak-ng")
    engines = Engines("espeak-ng")
    said = []
    for variant in (0, 1, 2, 5):
        engines.vary(variant)
        engine = engines.of("en")
        assert engine
        said.append((engine.voice("en"), b"".join(piece.pcm for piece in engine.speak("Anna", "en", 100, patiently))))
    assert [voice for voice, _ in said] == ["en-gb", "en+f2", "en+m3", "en-gb"]
    assert said[0] == said[3] and len({pcm for _, pcm in said}) == 3
    engines.close()


def test_espeak_is_given_no_text_on_its_command_line(script: Script, tmp_path: Path) -> None:
    program = script(f"open({str(tmp_path / 'argv')!r}, 'w').write('\\0'.join(sys.argv)); sys.stdin.read()")
    with pytest.raises(OSError, match="wrote no sound"):
        spoken(Espeak(program), "-w /tmp/x secret")
    words = (tmp_path / "argv").read_text("utf-8").split("\0")[1:]
    assert "--stdin" in words and "secret" not in " ".join(words)
    assert words == ["--stdin", "--stdout", "-b", "1", "-v", "en-gb", "-s", "160"]


def test_espeak_never_has_japanese() -> None:
    assert [Espeak().voice(lang) for lang in LANGUAGES if lang == "ja"] == [""]
    for wanted in ("auto", "espeak-ng", "none", "piper"):
        assert picked(wanted, "ja", "") != "espeak-ng"
    with pytest.raises(OSError, match="does not speak this language"):
        Engines("espeak-ng").of("ja")


NAMES = ["[[h@'l]]", "<speak>", "-v de", "😀", "x" * 200, "Анна", "たなか", "\x1b[31m", "a\x00b", "&amp;", "", "1" * 99]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_said_or_left_out(name: str) -> None:
    needs("espeak-ng")
    usual = seconds(spoken(Espeak(), "It is the turn of."))
    said = spoken(Espeak(), f"It is {name} the turn of.")
    assert seconds(said) > 0.8 * usual


# -- text --------------------------------------------------------------------------------------------------------------


@given(st.text(), st.sampled_from(("en", "de", "ja")))
@example("[[h@'l]] <b>", "en")
@example("a" * 2000, "en")
@example("-- --help", "de")
def test_no_text_is_a_command(text: str, lang: str) -> None:
    said = plain(text, lang)
    assert len(said) <= LONGEST and plain(said, lang) == said
    assert not any(sign in said for sign in "[]<>{}|\\\n\r\t\x00") and not said.startswith("-")
    assert said == "" or any(sign.isalnum() for sign in said)
    said.encode()
    assert "".join(sentences(said)).replace(" ", "") in said.replace(" ", "") or not sentences(said)


def test_kana_are_for_japanese_alone() -> None:
    assert plain("たなか wins", "en") == "wins" and plain("たなかの番", "ja") == "たなかの番"
    assert plain("Überfülle – »ja«!", "de") == "Überfülle – ja !"


# -- engines that do not work --------------------------------------------------------------------------------------------

HEAD = "head = b'RIFF\\x24\\xf0\\xff\\x7fWAVEfmt \\x10\\0\\0\\0\\1\\0\\1\\0\\x22\\x56\\0\\0\\x44\\xac\\0\\0\\2\\0\\x10\\0data\\0\\xf0\\xff\\x7f'"
FAULTS = {
    "time.sleep(60)": "does not answer",
    f"{HEAD}\nout.write(head + b'1234'); out.flush(); time.sleep(60)": "does not answer",
    "sys.exit('Error: no such voice')": "no such voice",
    "os.kill(os.getpid(), 11)": "exit status -11",
    "pass": "wrote no sound",
    "out.write(b'hello, this is no sound at all ' * 9)": "wrote no sound",
    "out.write(b'RIFF\\0\\0\\0\\0WAVE' + bytes(9999))": "wrote no sound",
    f"{HEAD}\nout.write(head[:30])": "wrote no sound",
    f"{HEAD}\nout.write(head)\nwhile True: out.write(bytes(999999))": "does not stop",
}


@pytest.mark.parametrize("lines", FAULTS)
def test_an_engine_that_does_not_work_says_why(script: Script, lines: str) -> None:
    began = perf_counter()
    with pytest.raises(OSError, match=FAULTS[lines]) as caught:
        spoken(Espeak(script(lines), patience=0.3 if "sleep" in lines else 10), "Open.")
    assert perf_counter() - began < 20
    assert message(caught.value.args[0], "de")


def test_an_engine_that_is_missing_names_what_brings_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not there("espeak-ng")
    with pytest.raises(FileNotFoundError, match="espeak-ng is not installed"):
        Engines().of("de")
    assert Engines().remedy("de") == "Install it: sudo apt-get install -y espeak-ng"
    assert Engines().serving()["en"] == ""
    with pytest.raises(FileNotFoundError, match="is not installed"):
        spoken(Espeak(str(tmp_path / "espeak-ng")), "Open.")


def test_it_is_said_once_and_the_voice_goes_on(script: Script) -> None:
    words: list[object] = []
    sink = VirtualLoudspeaker(50)
    hangs = Espeak(script("time.sleep(60)"), patience=0.05)
    voice = Voice({None: sink}, lambda: Engines(made=[hangs]), words.append)
    for count in (1, 2):
        voice.say([Line("Open", sound="open")])
        sink.until(lambda count=count: len(sink.played) == count and sink.played[-1].end == "heard")  # type: ignore[misc]
    voice.close()
    (health,) = words
    assert isinstance(health, Health) and health.device == "voice" and "does not answer. " in health.detail


# -- Open JTalk --------------------------------------------------------------------------------------------------------

CHILD = """
import json, struct
for number, line in enumerate(sys.stdin, 1):
    asked = json.loads(line)
    {act}
    out.write(struct.pack('<III', asked['id'], 48000, 2 * len(asked['text'])) + b'\\1\\0' * len(asked['text']))
    out.flush()
"""


def jtalk(script: Script, act: str = "pass", patience: float = 10) -> JTalk:
    return JTalk([script(CHILD.format(act=act))], patience)


def test_jtalk_is_asked_sentence_by_sentence_and_kept(script: Script) -> None:
    engine = jtalk(script)
    pieces = list(engine.speak("始め。アンナさんの番です。", "ja", 100, patiently))
    assert [len(piece.pcm) // 2 for piece in pieces] == [3, 10] and pieces[0].hz == 48000
    process = engine._process
    list(engine.speak("始め。", "ja", 100, patiently))
    assert engine._process is process
    engine.close()


@pytest.mark.parametrize(
    ("act", "why"),
    [
        ("number > 1 and sys.exit()", "has ended"),
        ("number > 1 and time.sleep(60)", "does not answer"),
        ("number > 1 and out.write(b'a warning on standard output\\\\n')", "wrote no sound"),
        ("asked['text'] = '' if number > 1 else 'x'", "wrote no sound"),
    ],
)
def test_jtalk_that_fails_is_begun_anew(script: Script, act: str, why: str) -> None:
    with closing(jtalk(script, act.replace("\\\\", "\\"))) as engine:
        assert list(engine.speak("始め。", "ja", 100, patiently))
        engine._patience = 0.2 if "sleep" in act else 10
        with pytest.raises(OSError, match=why):
            list(engine.speak("始め。", "ja", 100, patiently))
        engine._patience = 10
        engine.close()
        assert list(engine.speak("始め。", "ja", 100, patiently))


def test_an_answer_that_nobody_waited_for_is_passed_over(script: Script) -> None:
    def never(fd: int | None, seconds: float, *, writing: bool = False) -> bool:
        raise CutOffError

    with closing(jtalk(script)) as engine:
        with pytest.raises(CutOffError):
            list(engine.speak("長い長い長い文。", "ja", 100, never))
        (piece,) = engine.speak("始め。", "ja", 100, patiently)
        assert len(piece.pcm) == 6


@pytest.mark.skipif(find_spec("pyopenjtalk") is None, reason="needs the extra voice-ja (400 MB)")
def test_open_jtalk_speaks_and_more_words_take_longer() -> None:
    short, long = spoken(JTalk(), "始め。", "ja"), spoken(JTalk(), "アンナさんの番です。二十二が必要です。", "ja")
    assert 0.4 < seconds(short) < seconds(long) < 10 and loudness(b"".join(piece.pcm for piece in long)) > 500
    fast = spoken(JTalk(), "アンナさんの番です。二十二が必要です。", "ja", 200)
    assert seconds(fast) < 0.7 * seconds(long)


# -- Piper -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "de_DE-thorsten.onnx"
    path.touch()
    about = {"audio": {"sample_rate": 16000}, "espeak": {"voice": "de"}}
    path.with_name(f"{path.name}.json").write_text(json.dumps(about), "utf-8")
    return path


def test_piper_serves_the_language_of_its_voice(script: Script, model: Path, tmp_path: Path) -> None:
    argv = tmp_path / "argv"
    program = script(
        f"open({str(argv)!r}, 'w').write('\\0'.join(sys.argv[1:])); out.write(sys.stdin.buffer.read() * 100)"
    )
    engine = Piper(model, program)
    assert [engine.voice(lang) for lang in LANGUAGES if engine.voice(lang)] == ["de_DE-thorsten"]
    pieces = spoken(engine, "Anna wirbt.", "de", 125)
    assert pieces[0].hz == 16000 and b"".join(piece.pcm for piece in pieces) == b"Anna wirbt.\n" * 100
    assert argv.read_text("utf-8").split("\0") == ["--model", str(model), "--output-raw", "--length-scale", "0.80"]


def test_which_engine_speaks(model: Path) -> None:
    assert {lang: picked("auto", lang, "") for lang in ("en", "de", "ja")} == {
        "en": "espeak-ng",
        "de": "espeak-ng",
        "ja": "open-jtalk",
    }
    assert picked("auto", "de", "de") == "piper" and picked("auto", "en", "de") == "espeak-ng"
    assert picked("piper", "en", "de") == picked("open-jtalk", "en", "") == picked("none", "en", "") == ""
    assert Engines("none").of("en") is None
    with pytest.raises(OSError, match="piper does not speak this language"):
        Engines("piper", model).of("en")
    assert Engines("piper", model).remedy("en") == "Set engine: auto below voice: in config.yaml."


def test_a_file_that_is_no_voice(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="is no Piper voice"):
        Engines("piper", tmp_path / "x.onnx").of("en")
    assert Engines("piper", tmp_path / "x.onnx").remedy("en").startswith("Name its .onnx file")
    assert Engines("auto", tmp_path / "x.onnx").serving()["en"] in ("", "espeak-ng")


# -- aplay -------------------------------------------------------------------------------------------------------------

ASOUNDRC = """
pcm.tofile {{ type file; slave.pcm null; file "{file}"; format raw; }}
pcm.null {{ type null; }}
"""


def test_aplay_plays_what_it_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("aplay")
    (tmp_path / "alsa.conf").write_text(ASOUNDRC.format(file=tmp_path / "heard"))
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "alsa.conf"))
    pcm = array("h", range(-9000, 9000)).tobytes()
    sink = Aplay("tofile")
    for _ in range(2):
        sink.begin(22050)
        sink.write(pcm, patiently)
        sink.end(patiently)
        heard = (tmp_path / "heard").read_bytes()
        assert heard[: len(pcm)] == pcm
    sink.stop()


def test_a_device_that_is_not_there_says_so() -> None:
    needs("aplay")
    sink = Aplay("plughw:CARD=Nowhere")
    with pytest.raises(OSError, match="plughw:CARD=Nowhere: "):
        sink.begin(22050)
        for _ in range(1000):
            sink.write(bytes(4096), patiently)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (
            "sys.stdin.buffer.read(8000); sys.exit('aplay: pcm_write:2053: write error: No such device')",
            "No such device",
        ),
        ("sys.exit('aplay: main:831: audio open error: Device or resource busy')", "Device or resource busy"),
        ("sys.stdin.buffer.read(8000); time.sleep(60)", "takes no sound"),
        ("sys.stdin.buffer.read(8000)", "has ended"),
    ],
)
def test_a_device_that_goes_in_the_middle_of_a_word(script: Script, lines: str, why: str) -> None:
    sink = Aplay("plughw:CARD=Red", script(lines), patience=10 if "sleep" not in lines else 0.2)
    sink.begin(22050)
    with pytest.raises(OSError, match=why):
        for _ in range(1000):
            sink.write(bytes(4096), patiently)
    sink.stop()


def test_a_player_that_never_ends_is_given_up(script: Script) -> None:
    sink = Aplay("x", script("sys.stdin.buffer.read(); time.sleep(60)"), patience=0.2)
    sink.begin(22050)
    with pytest.raises(OSError, match="takes no sound"):
        sink.end(patiently)


def test_a_player_is_killed_to_be_silent(script: Script) -> None:
    sink = Aplay("x", script("time.sleep(60)"))
    sink.begin(22050)
    process = sink._process
    sink.stop()
    sink.stop()
    assert process and process.poll() is not None


# -- samples -----------------------------------------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=9), max_size=6), st.integers(1, 3))
def test_pieces_are_cut_at_whole_samples_and_nothing_is_lost(chunks: list[bytes], most: int) -> None:
    found = list(cut((Piece(8000, chunk) for chunk in chunks), most))
    whole = b"".join(chunks)
    assert b"".join(piece.pcm for piece in found) == whole[: len(whole) - len(whole) % 2]
    assert all(0 < len(piece.pcm) <= 2 * most and len(piece.pcm) % 2 == 0 for piece in found)


@given(st.binary(max_size=64), st.binary(max_size=64), st.integers(0, 100))
def test_both_at_once_and_softer(under: bytes, over: bytes, percent: int) -> None:
    under, over = under[: len(under) // 2 * 2], over[: len(over) // 2 * 2]
    assert len(mixed(under, over)) == len(under) and mixed(under, b"") == under
    assert len(softer(under, percent)) == len(under) and softer(under, 100) == under


@given(st.binary(max_size=5000))
@example(wav([Piece(8000, b"12")]))
def test_any_beginning_of_a_file_is_read_or_refused(data: bytes) -> None:
    try:
        found = unwrapped(data)
    except ValueError:
        return
    assert found is None or 4000 <= found[0] <= 192_000


def test_a_file_is_read_as_it_was_written() -> None:
    file = wav([Piece(8000, b"1234"), Piece(8000, b"56")])
    hz, at = unwrapped(file) or (0, 0)
    assert (hz, file[at:]) == (8000, b"123456")
    assert [unwrapped(file[:size]) for size in range(40)] == [None] * 40


# -- what is kept ------------------------------------------------------------------------------------------------------

KEY = ("en", "espeak-ng", "en-gb", 100, "Open!")


def test_a_broken_file_is_a_miss_and_goes(tmp_path: Path) -> None:
    kept = SpeechCache(tmp_path / "new" / "folder")
    assert kept.find(KEY) is None
    kept.keep(KEY, [Piece(22050, b"12"), Piece(22050, b"34")])
    assert kept.find(KEY) == Piece(22050, b"1234") and kept.has(KEY)
    assert kept.find((*KEY[:3], 120, KEY[4])) is None
    (path,) = (tmp_path / "new" / "folder").iterdir()
    for broken in (path.read_bytes()[:-1], path.read_bytes()[:-1] + b"5", b"", b"tvk1"):
        path.write_bytes(broken)
        assert kept.find(KEY) is None and not path.exists()
        path.write_bytes(broken)


def test_what_was_used_longest_ago_makes_room(tmp_path: Path) -> None:
    kept = SpeechCache(tmp_path, most=4500)
    for number in range(4):
        kept.keep((number,), [Piece(22050, bytes(1000))])
        os.utime(next(path for path in tmp_path.iterdir() if path == kept._path((number,))), (number, number))
    assert kept.find((0,))
    kept.keep((4,), [Piece(22050, bytes(1000))])
    assert [number for number in range(5) if kept.has((number,))] == [0, 2, 3, 4]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 4500
    kept.keep(("large",), [Piece(22050, bytes(4000))])
    assert not kept.has(("large",))


def test_a_disk_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept = SpeechCache(tmp_path / "file" / "voice")
    kept.keep(KEY, [Piece(22050, b"12")])
    assert kept.find(KEY) is None


@pytest.fixture
def full() -> Iterator[Path]:
    """A folder on a disk that is full."""
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    yield Path("/dev/full")


def test_a_full_disk_is_no_fault(tmp_path: Path, full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = SpeechCache(tmp_path)
    kept.keep(KEY, [Piece(22050, b"12")])
    written = Path.write_bytes

    def write(path: Path, data: bytes) -> int:
        written(path, data[:10])
        with full.open("wb", buffering=0) as disk:
            return disk.write(data)

    monkeypatch.setattr(Path, "write_bytes", write)
    kept.keep(("other",), [Piece(22050, b"34")])
    assert kept.find(KEY) and len(list(tmp_path.iterdir())) == 1
