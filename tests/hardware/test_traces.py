"""Traces: what was recorded plays again to the same words at every layer, also with made-up ids; and who may read it."""

import gc
import json
import logging
import os
import re
import stat
import tracemalloc
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from companion.cli import main
from companion.cli.replay import read as read_transcript
from companion.cli.traces import head_of, mask_of
from companion.hardware.settings import Settings
from companion.hardware.tap import silent
from companion.hardware.trace import LAYERS, SPI, Line, line, what, written
from companion.hardware.trace import spool as spool_module
from companion.hardware.trace.keeping import KEPT, LastMinute, gently
from companion.hardware.trace.parts import PART, ROOM
from companion.hardware.trace.reading import TraceError, is_trace, read, transcript
from companion.hardware.trace.recorder import Minute, Recorder
from companion.hardware.trace.spool import Spool
from companion.system import files
from drivers.hub import lines as hub_lines
from drivers.rc522.air import crc_a
from drivers.trace.masks import masked
from drivers.trace.replay import Replayed, replay
from drivers.virtual import spi
from drivers.virtual.rc522 import readers
from drivers.worker import ReaderWorker
from tools import traces_made as make
from tools.traces_made import FOLDER, ROLL, Trace

needs_package = pytest.mark.skipif(not spi.installed(), reason="the mfrc522 package is not installed")
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
NOW = datetime.fromisoformat("2026-11-22T20:00:00+01:00")


def plain(lines: list[Line]) -> list[Line]:
    """Lines as they come back from a file."""
    found: list[Line] = json.loads(json.dumps(lines))
    return found


def played(trace: tuple[Line, Sequence[Line]], exact: bool = True) -> dict[str, Replayed]:
    """Every layer of a trace; all of them must give the words that were recorded."""
    found = {f"{each.layer} {each.device}": each for each in replay(*trace)}
    for each in found.values():
        assert each.same, each
        assert not (exact and each.otherwise), each
    return found


# -- the traces that lie here ------------------------------------------------------------------------------------------


@needs_package
@pytest.mark.parametrize("name", NAMES)
def test_a_trace_plays_to_the_same_words_at_every_layer(name: str) -> None:
    header, lines = read(FOLDER / f"{name}.jsonl")
    found = played((header, lines))
    assert any(each.recorded for each in found.values())
    layers = {each.split()[0] for each in found} | {"words"} | ({"reader"} if "polls centre" in found else set())
    assert layers >= {line["layer"] for line in lines}


@pytest.mark.parametrize("name", NAMES)
def test_its_words_are_a_transcript(name: str, tmp_path: Path) -> None:
    _, lines = read(FOLDER / f"{name}.jsonl")
    file = tmp_path / "words.jsonl"
    file.write_text("\n".join(transcript(lines)), encoding="utf-8")
    said, mistakes = read_transcript(file)
    words = [each for each in lines if each["layer"] == "words" and "health" not in each]
    assert not mistakes and len(said) == 1 + len(words)
    assert file.read_text().count("#") == sum("health" in each for each in lines)


@needs_package
@pytest.mark.parametrize("spi", [False, True])
def test_a_reader_with_a_gain_of_its_own_plays_as_it_was_recorded(spi: bool) -> None:
    """Its gain is one more setting that is watched, and the chip loses it as it loses the others (of a supply that
    dips, what goes to the chip says nothing)."""
    trace = make.one_reader(make.hands(3, 3), 3, spi=spi, gain=43, reset=0.0 if spi else 0.01)
    assert trace[0]["config"]["readers"]["centre"]["gain"] == 43
    played(trace)


@needs_package
def test_one_word_that_is_missing_or_another_is_noticed() -> None:
    header, (*lines,) = read(FOLDER / "two-cards.jsonl")
    at = next(at for at, each in enumerate(lines) if "tag" in each)
    later = {**lines[at], "ms": lines[at]["ms"] + 1}
    for changed in (lines[:at] + lines[at + 1 :], [*lines[:at], later, *lines[at + 1 :]]):
        assert not any(each.same for each in replay(header, changed))


@needs_package
def test_a_trace_from_the_midst_of_the_work_plays_from_when_all_is_known() -> None:
    header, lines = read(FOLDER / "noise.jsonl")
    for share in (0.1, 0.3, 0.5):
        later = lines[int(share * len(lines)) :]
        found = {each.layer: each for each in replay(header, later)}
        assert found["polls"].same and found["reader"].same and found["polls"].recorded


@needs_package
def test_a_trace_that_ends_between_a_poll_and_its_words_plays_to_the_same() -> None:
    header, (*lines,) = read(FOLDER / "two-cards.jsonl")
    cuts = [at for at, each in enumerate(lines) if "tag" in each and "polled" in lines[at - 1]]
    assert cuts
    for at in cuts:
        played((header, lines[:at]))


def test_a_hub_plays_from_wherever_somebody_said_how_it_stood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.hub.worker.STAND", 0)
    header, lines = make.hubs()
    lines = plain(list(masked(lambda: lines)))
    unplugged = next(at for at, each in enumerate(lines) if "closed" in each)
    begins = [at for at, each in enumerate(lines[:unplugged]) if "stands" in each and each["device"] == "A"]
    assert len(begins) > 3
    for at in begins:
        heard = {each.device: each for each in replay(header, lines[at:])}
        assert all(each.same or each.missing for each in heard.values()), at
    assert not replay_of("B", header, lines[begins[0] :]).missing
    gone = [each for each in lines if "opened" not in each and "stands" not in each]
    assert "how it stood" in replay_of("A", header, gone).missing


def replay_of(device: str, header: Line, lines: Sequence[Line]) -> Replayed:
    return next(each for each in replay(header, lines) if each.device == device)


@needs_package
def test_another_driver_finds_the_cards_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is thorough at other times asks what nobody had asked: the answers of other polls serve."""
    trace = make.one_reader([(0.2, make.lay(ROLL[0])), (2.0, make.lift(ROLL[0]))], 2.5)
    monkeypatch.setattr("drivers.rc522.reader.THOROUGH", 3)
    assert played(trace, exact=False)["reader centre"].otherwise


# -- made-up ids -------------------------------------------------------------------------------------------------------

FAULTS: list[dict[str, Any]] = [
    {},
    {"deaf": 0.15, "miss": 0.05},
    {"flip": 0.1, "reset": 0.002},
    {"position": "frame", "deaf": 0.05},
    {"position": "aligned", "lying": True},
    {"lying": True, "flip": 0.05},
]


@cache
def noisy(seed: int) -> Trace:
    faults = FAULTS[seed % len(FAULTS)]
    header, lines = make.one_reader(make.hands(seed, 1.6), 1.8, spi=True, seed=seed, **faults)
    return header, plain(lines)


@needs_package
@pytest.mark.parametrize("seed", range(len(FAULTS)))
def test_made_up_ids_play_as_the_real_ones_and_leave_nothing_of_them(seed: int) -> None:
    header, lines = noisy(seed)
    real = played((header, lines))
    made = plain(list(masked(lambda: lines)))
    other = played((header, made))
    assert [len(each.played) for each in other.values()] == [len(each.played) for each in real.values()]
    text = "".join(json.dumps(each) for each in made)
    for tag in {each["tag"] for each in lines if "tag" in each}:
        assert tag not in text and tag[-8:] not in text, tag


@needs_package
def test_a_made_up_id_is_of_the_same_kind_and_always_the_same() -> None:
    acts = [
        (0.2 + 0.4 * at, act(tag)) for at, (tag, act) in enumerate((t, a) for t in ROLL for a in (make.lay, make.lift))
    ]
    _, lines = make.one_reader([*acts, (5.2, make.lay(ROLL[0]))], 5.6)
    made = list(masked(lambda: lines))
    pairs = {(a["tag"], b["tag"]) for a, b in zip(lines, made, strict=True) if "tag" in a}
    assert len(pairs) == len(ROLL)
    for real, other in pairs:
        assert len(real) == len(other) and real[:2] == other[:2] and real != other
    again = {b["tag"] for b in masked(lambda: lines) if "tag" in b}
    assert again.isdisjoint({other for _, other in pairs}), "another file, other ids"
    selections = [bytes.fromhex(each["exchange"]) for each in made if each.get("exchange", "")[2:4] == "70"]
    assert selections and all(crc_a(frame[:7]) == frame[7:] for frame in selections)


def test_masked_hub_lines_have_new_ids_and_valid_checksums() -> None:
    tag, four = ROLL[0], ROLL[4]
    said = [
        hub_lines.line("hello", 1, "E6614C775B8B2C36", "9F3A01C2", "1.0.0", "r,r"),
        hub_lines.line("place", 0, "-", "well", tag, four),
        hub_lines.line("whole", 12345678, 12345678),
        hub_lines.line("event", 12345679, 87654321, 0, "laid", tag),
        hub_lines.line("event", 12345680, 87654321, 1, "well", four, tag),
        f"event 9 9 0 laid {tag}*00000000\n".encode(),
        hub_lines.line("later", tag),
    ]
    stream = b"".join(said) + f"event 10 10 0 laid {tag}".encode()
    pieces = [stream[at : at + 7] for at in range(0, len(stream), 7)]
    lines = [{"t": 0, "layer": "hub", "device": "A", "opened": True, "now": 0}]
    lines += [{"t": 0, "layer": "hub", "device": "A", "heard": piece.hex().upper(), "now": 0} for piece in pieces]
    made = [bytes.fromhex(each["heard"]) for each in masked(lambda: lines) if "heard" in each]
    assert [len(piece) for piece in made] == [len(piece) for piece in pieces]
    heard = b"".join(made)
    assert not re.search(f"{tag}|{four}".encode(), heard)
    bodies = [hub_lines.body(each) for each in heard.split(b"\n")]
    assert bodies[0] == "hello 1 0000000000000001 9F3A01C2 1.0.0 r,r", "whose box it is"
    assert bodies[2] == "whole 12345678 12345678"
    words = [hub_lines.word(body) if body else None for body in bodies]
    assert words[1].tags == (words[3].tag, words[4].tags[0]), "the same id"  # type: ignore[union-attr]
    assert words[5:] == [None, None, None]


def test_an_id_in_what_a_device_says_of_itself_is_another_too() -> None:
    lines = [
        {"t": 0, "layer": "words", "reader": "red", "tag": ROLL[0], "present": True, "ms": 0},
        {"t": 1, "layer": "words", "health": "reader red", "well": False, "detail": f"{ROLL[0]} is odd"},
    ]
    word, health = masked(lambda: lines)
    assert health["detail"] == f"{word['tag']} is odd"


# -- recording ---------------------------------------------------------------------------------------------------------


def test_of_layers_that_nobody_wants_nothing_is_heard() -> None:
    assert Recorder(("words",)).tap("reader", "red") is silent
    notes: list[Any] = []
    recorder = Recorder(clock=lambda: 7_000)
    end = recorder.listen(notes.append)
    tap = recorder.tap("reader", "red")
    tap(polled="A B", answer=b"\x04", clock=(1, 2), ms=1)
    end()
    tap(polled="", ms=2)
    assert [line(note) for note in notes] == [
        {"t": 7, "layer": "reader", "device": "red", "polled": "A B", "answer": "04", "clock": [1, 2], "ms": 1}
    ]


def test_the_last_minute_ends_before_the_moment_that_is_passing() -> None:
    now = [0]
    recorder = Recorder(clock=lambda: now[0])
    minute = Minute(recorder, most=50)
    tap = recorder.tap("pins", "red")
    for second in range(100):
        now[0] = second * 10**9
        tap(edge=True, ms=second)
    times = [what(note)["ms"] for note in minute.notes()]
    assert times == list(range(50, 99)), "not the hundredth, and no more than there is room for"
    now[0] = 130 * 10**9
    assert [what(note)["ms"] for note in minute.notes()] == list(range(70, 100))


@needs_package
def test_the_last_minute_gives_the_collector_nothing_to_look_through() -> None:
    recorder = Recorder()
    notes = deque[Any]()
    recorder.listen(notes.append)
    _, (reader,) = readers(1)
    reader.lay(ROLL[0])
    opener = partial(reader.open, lambda layer: recorder.tap(layer, "red"))
    worker = ReaderWorker("red", opener, lambda _: None, tap=recorder.tap("reader", "red"))
    for _ in range(20):
        worker.turn()
    gc.collect()
    assert len(notes) > 50 and not any(map(gc.is_tracked, notes))


class Table:
    """A table whose devices speak, with a keeper that waits for nothing."""

    def __init__(self, folder: Path) -> None:
        self.recorder = Recorder()
        self.folder = folder
        self.written = Event()
        self.keeper = LastMinute(self.recorder, folder, self._head, masked, lambda: NOW, after=0, pause=0)
        self.words = self.recorder.tap("words", "")

    def _head(self) -> Line:
        return make.head(readers={"red": {}})

    def ill(self) -> None:
        self.words(reader="red", tag=ROLL[0], present=True, ms=5)
        self.words(health="reader red", well=False, detail="It has gone")

    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*"))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr("companion.hardware.trace.recorder.UNFINISHED", 0)
    table = Table(tmp_path / "traces")
    yield table
    table.keeper.close()


def test_a_device_that_falls_ill_writes_the_minute_before_for_its_owner_alone(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "tabularium"):
        table.words(health="reader red", well=True, detail="More than one card")
        table.ill()
        table.keeper.close()
    (file,) = table.files()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(table.folder.stat().st_mode) == 0o700
    header, lines = read(file)
    assert is_trace(file) and header["trace"] == 1
    assert [each.get("well") for each in lines] == [True, None, False]
    assert ROLL[0] not in file.read_text() + caplog.text and lines[1]["tag"] not in caplog.text
    assert [found.verdict for found in table.keeper.findings()] == ["pass"]
    table.keeper.close()


def test_a_table_that_is_well_writes_nothing(table: Table) -> None:
    table.words(health="reader red", well=True, detail="")
    table.words(reader="red", tag=ROLL[0], present=True, ms=5)
    table.keeper.close()
    assert not table.folder.exists()
    assert [(found.verdict, found.next) for found in table.keeper.findings()] == [("pass", "")]


def test_a_few_minutes_are_kept_and_nothing_else_is_ever_removed(table: Table) -> None:
    files.folder(table.folder)
    mine = table.folder / "ill-and-mine.txt"
    for other in (mine, table.folder / "first-try.jsonl"):
        other.write_text("kept")
    for number in range(KEPT + 3):
        (table.folder / f"ill-20260101-0000{number:02}.jsonl").write_text("old")
    table.ill()
    table.keeper.close()
    names = [path.name for path in table.files()]
    assert sum(name.startswith("ill-2") for name in names) == KEPT
    assert "ill-20261122-200000.jsonl" in names and {"ill-and-mine.txt", "first-try.jsonl"} <= set(names)


def test_where_nothing_can_be_written_the_doctor_says_so_and_the_table_goes_on(table: Table) -> None:
    table.folder.write_text("not a folder")
    table.ill()
    table.keeper.close()
    (found,) = table.keeper.findings()
    assert found.verdict == "warn" and "File exists" in found.what and found.next
    table.ill()


# -- whole recordings --------------------------------------------------------------------------------------------------


def spool(tmp_path: Path, recorder: Recorder, **given: Any) -> Spool:
    return Spool(recorder, tmp_path / "first-try.jsonl", lambda: make.head(buttons={"red": 4}), masked, **given)


def test_a_recording_has_its_name_only_once_its_ids_are_others(tmp_path: Path) -> None:
    recorder = Recorder()
    recording = spool(tmp_path, recorder)
    (part,) = tmp_path.glob("*")
    assert part.name == "first-try.jsonl" + PART and stat.S_IMODE(part.stat().st_mode) == 0o600
    recorder.tap("words", "")(reader="red", tag=ROLL[0], present=True, ms=5)
    path = recording.close()
    assert list(tmp_path.glob("*")) == [path] and not recording.trouble
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert ROLL[0] not in path.read_text() and len(read(path)[1]) == 1


def test_a_recording_that_the_power_cut_short_is_finished_by_the_next(tmp_path: Path) -> None:
    words = [{"t": 1, "layer": "words", "reader": "red", "tag": ROLL[0], "present": True, "ms": 0}]
    part = tmp_path / f"first-try.jsonl{PART}"
    part.write_bytes(b"".join(written([make.head(), *words])) + b'{"t": 2, "lay')
    path = spool(tmp_path, Recorder()).close()
    (earlier, now) = sorted(tmp_path.glob("*"), key=lambda found: found != path, reverse=True)
    header, lines = read(earlier)
    assert (len(lines), now) == (1, path) and header == make.head()
    assert ROLL[0] not in earlier.read_text()


def test_a_recording_ends_where_it_is_as_large_as_it_may_be(tmp_path: Path) -> None:
    recorder = Recorder()
    recording = spool(tmp_path, recorder, most=10)
    recorder.tap("pins", "red")(edge=True, ms=5)
    path = recording.close()
    assert "size limit" in recording.trouble and not read(path)[1]


def test_two_recordings_never_share_a_file(tmp_path: Path) -> None:
    first = spool(tmp_path, Recorder())
    with pytest.raises(OSError):
        spool(tmp_path, Recorder())
    first.close()


# -- what is no trace --------------------------------------------------------------------------------------------------

HEAD = '{"trace": 1}'
WRONG = {
    "": "a trace begins with its header",
    "[]": "a trace begins with its header",
    '{"trace": 2}': "version 2",
    '{"trace": 1, "config": []}': "config must be an object",
    '{"trace": 1, "config": {"readers": {"red": {"bus": 7}}}}': "where the reader is wired",
    '{"trace": 1, "config": {"hubs": {"A": {}}}}': "who sits there",
    '{"trace": 1, "config": {"debounce_ms": -1}}': "debounce_ms",
    f"{HEAD}\nnothing": "no line of a trace",
    f'{HEAD}\n{{"t": 1, "layer": "stars"}}': "one of the layers",
    f'{HEAD}\n{{"t": -1, "layer": "pins"}}': "one of the layers",
    f'{HEAD}\n{{"t": 1, "layer": "pins", "edge": 1, "ms": 5}}': "no line of this shape",
    f'{HEAD}\n{{"t": 1, "layer": "reader", "registers": "920"}}': "no line of this shape",
    f'{HEAD}\n{{"t": 1, "layer": "spi", "sent": "EE00", "got": "92", "clock": [1, 2]}}': "as many bytes",
    f'{HEAD}\n{{"t": 1, "layer": "words", "reader": "red", "tag": "04", "present": true, "ms": 1e5}}': "shape",
}


@pytest.mark.parametrize(("text", "why"), WRONG.items())
def test_invalid_traces_are_refused_with_their_line(text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text(text)
    with pytest.raises(TraceError) as error:
        read(file)
    number = 2 if "\n" in text else 1
    assert error.value.lines[0].startswith(f"{file}:{number}: ") and why in error.value.lines[0]


def changed(lines: list[Line], random: Random) -> list[Line]:
    """The same trace as a careless hand, or a hostile one, might send it: every line is one, and nothing fits."""
    lines = list(lines)
    for _ in range(random.randrange(1, 30)):
        at, other = random.randrange(len(lines)), random.randrange(len(lines))
        match random.randrange(4):
            case 0:
                del lines[at : at + random.randrange(1, 20)]
            case 1:
                lines[at], lines[other] = lines[other], lines[at]
            case 2:
                lines.insert(at, lines[other])
            case _:
                lines[at] = {key: _other(key, value, random) for key, value in lines[at].items()}
        if not lines:
            break
    return lines


def _other(key: str, value: Any, random: Random) -> Any:
    if random.random() < 0.5 or key in ("layer", "device"):
        return value
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.randrange(256)
    if key in ("exchange", "answer", "registers", "heard", "stands"):
        return random.randbytes(len(value) // 2).hex().upper()
    return value


def test_an_evening_of_recording_is_read_in_little_more_memory_than_it_is_long(tmp_path: Path) -> None:
    head, *lines = (FOLDER / "hubs.jsonl").read_bytes().splitlines(keepends=True)
    file = tmp_path / "evening.jsonl"
    size = file.write_bytes(head + b"".join(lines) * 50)
    tracemalloc.start()
    try:
        header, read_lines = read(file)
        assert len(read_lines) == 50 * len(lines)
        list(replay(header, read_lines))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 4 * size, most / size


@needs_package
@pytest.mark.parametrize("name", ["two-cards", "hubs", "button", "bus"])
def test_any_trace_is_replayed_or_refused(name: str, tmp_path: Path) -> None:
    header, lines = read(FOLDER / f"{name}.jsonl")
    file = tmp_path / "changed.jsonl"
    for seed in range(int(os.environ.get("TABULARIUM_TRACES", "5"))):
        file.write_bytes(b"".join(written([header, *changed([*lines], Random(seed))])))
        with suppress(TraceError):
            header, read_again = read(file)
            list(replay(header, read_again))
            list(masked(lambda lines=read_again: lines))  # type: ignore[misc]
            list(transcript(read_again))


# -- in a terminal -----------------------------------------------------------------------------------------------------


@needs_package
def test_the_virtual_table_is_recorded_and_replayed(tmp_path: Path, at_home: None, capsys: Any) -> None:
    file = tmp_path / "first-try.jsonl"
    assert main(["record", "--seconds", "0.3", str(file)]) == 0
    header, lines = read(file)
    assert header["chips"] == {"centre": "92"} and header["config"]["readers"]["centre"]["kind"] == "rc522"
    assert {"program", "python", "packages", "model", "kernel", "at", "tags"} <= header.keys()
    assert {each["layer"] for each in lines} == {"reader", "pins"} and SPI not in LAYERS
    capsys.readouterr()
    assert main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    assert "reader  centre: the same 0 words" in out and "pins    white" in out
    assert main(["replay", str(file), "--layer", "polls", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert told["same"] and told["layer"] == "polls"


@needs_package
def test_on_a_full_disk_recording_ends_at_once_and_says_so(
    tmp_path: Path, at_home: None, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(spool_module, "room", lambda _: ROOM - 1)
    assert main(["record", str(tmp_path / "full.jsonl")]) == 2, "although nobody has pressed Ctrl-C"
    assert "nearly full" in capsys.readouterr().err


@needs_package
@pytest.mark.parametrize("tags", ["made up", "real"])
def test_a_recording_that_was_killed_is_finished_by_the_next_one(
    tmp_path: Path, at_home: None, capsys: Any, tags: str
) -> None:
    part, tag = tmp_path / f"first.jsonl{PART}", "04A3C6CAE26180"
    lines = [{"trace": 1, "at": "x", "tags": tags},
             {"t": 1, "layer": "words", "device": "", "reader": "red", "tag": tag, "present": True, "ms": 1}]  # fmt: skip
    part.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["record", "--seconds", "0.1", str(tmp_path / "second.jsonl")]) == 0
    assert "first.jsonl." in capsys.readouterr().err and not part.exists()
    assert read(tmp_path / "first.jsonl")[0]["tags"] == "made up" and tag not in (tmp_path / "first.jsonl").read_text()


@needs_package
def test_documented_trace_lines_are_current(capsys: Any) -> None:
    page = (FOLDER.parents[1] / "docs" / "trace.md").read_text(encoding="utf-8")
    (command, printed) = re.findall(r"^```\n\$ tabularium (.+?)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(FOLDER.parents[1])
        assert main(command.split()) == 0
    assert capsys.readouterr().out == printed
    (header,) = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert set(json.loads(header)) - {"chips", "config"} == set(head_of(Settings(), None)) | {"tags"}


def test_other_words_are_told_without_a_tag(tmp_path: Path, capsys: Any) -> None:
    header, lines = read(FOLDER / "one-card.jsonl")
    tags = {each["tag"] for each in lines if "tag" in each}
    changed = [each for each in lines if not each.get("present")]
    file = tmp_path / "changed.jsonl"
    file.write_bytes(b"".join(written([header, *changed])))
    assert main(["replay", str(file), "--layer", "polls"]) == 1
    out = capsys.readouterr().out
    assert "OTHER WORDS: 1 were recorded, 2 came out" in out and "card 1 lifted" in out
    assert not any(tag in out for tag in tags)


def test_a_trace_becomes_a_transcript_under_any_header(tmp_path: Path, capsys: Any) -> None:
    header = tmp_path / "game.jsonl"
    header.write_text('{"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]}\nmore')
    assert main(["trace", "words", str(FOLDER / "two-cards.jsonl"), "--header", str(header)]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert json.loads(first)["game"] == "spartacus" and json.loads(rest[0])["t"]
    header.write_text("nothing")
    assert main(["trace", "words", str(FOLDER / "two-cards.jsonl"), "--header", str(header)]) == 2
    assert main(["trace", "words", str(header)]) == 2
    assert main(["replay", str(FOLDER / "two-cards.jsonl"), "--layer", "hub"]) == 2


# -- recordings that do not end well -------------------------------------------------------------------------------------


def recorded(folder: Path, **given: Any) -> tuple[Recorder, Spool, Path]:
    recorder, path = Recorder(), folder / "recording-20261123-200000.jsonl"
    return recorder, Spool(recorder, path, lambda: {"trace": 1, "at": "x"}, mask_of(False), **given), path


def test_a_recording_that_was_killed_is_ended_at_the_next_start_with_other_ids(tmp_path: Path) -> None:
    """Whatever its name: that holds the time, and no later one has the same."""
    part = tmp_path / "recording-20261122-200000.jsonl.part"
    tag = "04A3C6CAE26180"
    lines = [{"trace": 1, "at": "x", "tags": "made up"},
             {"t": 1, "layer": "words", "device": "", "reader": "red", "tag": tag, "present": True, "ms": 1}]  # fmt: skip
    part.write_text("".join(json.dumps(line) + "\n" for line in lines))
    running = tmp_path / "recording-20261123-200000.jsonl.part"
    with closing(LastMinute(Recorder(), tmp_path, lambda: {"trace": 1, "at": "x"}, mask_of(False))):
        pass
    (whole,) = tmp_path.glob("recording-*.jsonl")
    assert not part.exists() and not running.exists() and whole.name == "recording-20261122-200000.jsonl"
    assert tag not in whole.read_text() and whole.stat().st_mode & 0o77 == 0


def test_a_recording_leaves_the_room_that_games_need_and_says_why_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    heard = Event()

    def died(why: str) -> None:
        told.append(why)
        heard.set()

    monkeypatch.setattr(spool_module, "room", lambda _: ROOM - 1)
    recorder, spool, path = recorded(tmp_path, died=died)
    recorder.tap("words", "")(reader="red", tag="04", present=True, ms=1)
    assert heard.wait(30) and "nearly full" in told[0] and "nearly full" in spool.trouble
    monkeypatch.undo()
    assert spool.close() == path


def test_the_thread_that_writes_rests_for_those_that_read() -> None:
    rests: list[int] = []
    assert list(gently(range(101), lambda: rests.append(1))) == list(range(101)) and len(rests) == 12
