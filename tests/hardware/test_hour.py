"""The first hour: each step measures what it says, on a table that is well and on one that is not."""

import json
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.cli import main
from companion.cli.hour import HourSession
from companion.cli.traces import Recording
from companion.hardware.doctor import Finding, hour
from companion.hardware.doctor.hour import STEPS, Poll, ResetTest, gain
from companion.hardware.settings import Settings
from companion.hardware.trace import what
from companion.hardware.trace.reading import read
from companion.hardware.trace.recorder import Recorder
from companion.rules.cards import PAWNS
from drivers.commissioning import ReaderCommissioning
from drivers.pn532.kind import KIND as PN532
from drivers.pn532.reader import Pn532
from drivers.port import SerialPort
from drivers.rc522.reader import Rc522
from drivers.rig import Wiring
from drivers.trace.replay import replay
from drivers.virtual import spi
from drivers.virtual.rc522 import VirtualRc522, readers
from drivers.virtual.rig import VirtualRig
from drivers.virtual.scripted_hands import CARDS, ScriptedHands

pytestmark = pytest.mark.skipif(not spi.installed(), reason="the mfrc522 package is not installed")


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polls of an emulated reader are all alike."""
    monkeypatch.setattr("drivers.commissioning.POLLS", 30)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def rig(recorder: Recorder) -> Iterator[VirtualRig]:
    rig = VirtualRig(PAWNS[:2], lambda _: None, interval=0.002, taps=recorder.tap)
    yield rig
    rig.close()


@pytest.fixture
def chip(rig: VirtualRig) -> Any:
    (reader,) = rig.readers.values()
    assert isinstance(reader, VirtualRc522)
    return reader.chip


def found(hour: ReaderCommissioning, name: str) -> list[Finding]:
    return list(hour.measure(next(step for step in hour.steps if step.name == name)))


def verdicts(hour: ReaderCommissioning, *names: str) -> list[str]:
    return [each.verdict for name in names for each in found(hour, name)]


# -- the steps ---------------------------------------------------------------------------------------------------------


def test_a_table_that_is_well_passes_every_step(rig: VirtualRig, recorder: Recorder) -> None:
    first = ReaderCommissioning(rig, recorder, ScriptedHands(rig))
    assert list(first.steps) == list(STEPS) and first.reader == "centre"
    assert verdicts(first, "chip", "one", "gain", "two", "lift", "hand") == ["pass"] * 8
    assert verdicts(first, "buttons", "lamps") == ["pass"] * 4
    assert len(first.found) == 12 and not rig.tags_on("centre")
    assert {rig.lamp(seat) for seat in PAWNS[:2]} == {"off"}
    assert not any(card in finding.what for card in CARDS for finding in first.found)


def test_measurements_and_findings_are_in_the_trace(rig: VirtualRig, recorder: Recorder) -> None:
    notes: list[Any] = []
    recorder.listen(notes.append)
    first = ReaderCommissioning(rig, recorder, ScriptedHands(rig))
    (one,) = found(first, "one")
    steps = [what(note) for note in notes if note[1] == "hour"]
    assert steps == [{"step": "one", "part": "centre"}, {"part": one.part, "verdict": "pass", "what": one.what}]


def test_a_chip_that_starts_late_or_has_no_reset_line_is_told() -> None:
    _, (reader,) = readers(1)
    driver = reader.open()
    well = driver.test_reset()
    assert well.resets and well.start_us is not None and well.start_us < 1000 and 40 < well.transfer_us < 60
    assert driver.poll() == frozenset(), "it has been set up again"
    reader.chip.faults.start = 0.01
    late = driver.test_reset()
    assert late.resets and late.start_us is not None and late.start_us > 9_000
    reader.chip.faults.start = 0.2
    assert driver.test_reset().start_us is None
    unwired, (other,) = readers(1)
    assert not Rc522(0, 0, 24, unwired.mfrc522, other.chip.clock).test_reset().resets


def test_a_card_that_is_heard_badly_is_told(rig: VirtualRig, recorder: Recorder, chip: Any) -> None:
    chip.faults.deaf = 0.4
    (one,) = found(ReaderCommissioning(rig, recorder, ScriptedHands(rig)), "one")
    assert one.verdict == "fail" and one.next


@pytest.mark.parametrize(
    ("faults", "verdict", "says"),
    [
        ({}, "pass", "at 33 dB it answered at once in 60 of 60"),
        ({"weak": 0.2}, "warn", "Set gain: 43 "),
        ({"weak": 0.2, "near": True}, "warn", "Set gain: 43 "),
        ({"weak": 1.0}, "warn", "Set gain: 48 at this reader in config.yaml, and try its neighbours"),
        ({"deaf": 1.0}, "warn", "no card was seen, at no gain"),
    ],
)
def test_more_gain_is_proposed_where_it_helps_and_its_trap_is_named(
    faults: dict[str, Any], verdict: str, says: str
) -> None:
    """The lowest gain that is as good as the best; 48 dB only where nothing else will do."""
    _, (reader,) = readers(1)
    driver = reader.open()
    reader.lay(CARDS[0])
    for fault, value in faults.items():
        setattr(reader.chip.faults, fault, value)
    found = gain("reader centre", driver.sweep(60))
    assert found.verdict == verdict and says in f"{found.what}. {found.next}"
    assert reader.chip.field.gain == 33, "all is as it was"
    for fault in faults:
        setattr(reader.chip.faults, fault, 0)
    assert driver.poll() == {CARDS[0]} and driver.repairs == 0


def test_polls_after_a_sweep_ask_what_they_would_have_asked_without_it() -> None:
    """A recording plays the polls around it, and knows nothing of it."""
    assert notes_of_polls(sweeps=0) == notes_of_polls(sweeps=7)


def notes_of_polls(sweeps: int) -> int:
    """How much six polls of a card have to tell, where a sweep came between them and six others."""
    _, (reader,) = readers(1)
    notes: list[str] = []

    def noted(*_: object, **what: object) -> None:
        notes.extend(what)

    driver = reader.open(lambda _: noted)
    reader.lay(CARDS[0])
    for _ in range(6):
        driver.poll()
    if sweeps:
        driver.sweep(sweeps)
    notes.clear()
    for _ in range(6):
        driver.poll()
    return len(notes)


def test_a_gain_that_is_set_is_what_others_are_compared_with_and_stays() -> None:
    _, (reader,) = readers(1)
    reader.gain = 43
    driver = reader.open()
    reader.lay(CARDS[0])
    reader.chip.faults.weak = 0.2
    swept = driver.sweep(60)
    assert swept.now == 43 and gain("reader centre", swept).verdict == "pass"
    assert reader.chip.field.gain == 43 and driver.gain == 43


def test_without_a_card_or_a_finger_a_step_ends_all_the_same(rig: VirtualRig, recorder: Recorder) -> None:
    first = ReaderCommissioning(rig, recorder, lambda _: iter(()), patience=0.05)
    assert verdicts(first, "one", "two", "lift", "hand") == ["fail", "warn", "warn", "pass"]
    assert {each.verdict for each in found(first, "buttons")} == {"warn"}, "nobody has pressed them"


def test_a_reader_that_does_not_answer_is_told(rig: VirtualRig, recorder: Recorder) -> None:
    (reader,) = rig.readers.values()
    assert isinstance(reader, VirtualRc522)
    reader.fail()
    first = ReaderCommissioning(rig, recorder, ScriptedHands(rig), patience=0.3)
    assert "fail" in verdicts(first, "chip")
    for step in ("one", "two", "lift", "hand"):
        (told,) = found(first, step)
        assert told.verdict == "fail" and "answer" in told.what, "the fault that is known is what it says"


def test_a_button_that_is_stuck_to_ground_is_told(rig: VirtualRig, recorder: Recorder) -> None:
    rig.hold("red")
    first = ReaderCommissioning(rig, recorder, lambda _: iter(()), patience=0.3)
    told = {each.part: each for each in found(first, "buttons")}
    assert told["button red"].verdict == "fail" and "ground" in told["button red"].what
    assert {each.verdict for part, each in told.items() if part != "button red"} == {"warn"}


def test_only_what_is_wired_is_asked_for(recorder: Recorder) -> None:
    bare = VirtualRig((), lambda _: None, taps=recorder.tap)
    assert [step.name for step in ReaderCommissioning(bare, recorder).steps] == [
        "chip",
        "one",
        "gain",
        "two",
        "lift",
        "hand",
    ]
    bare.close()


# -- what is made of it ------------------------------------------------------------------------------------------------

WEAK, HEARD, GONE = Poll(1, 0, 0), Poll(1, 1, 0), Poll(0, 0, 0)


def at(polls: list[Poll]) -> list[Poll]:
    return [Poll(poll.seen, poll.at_once, 30 * number) for number, poll in enumerate(polls)]


@pytest.mark.parametrize(
    ("finding", "verdict", "said"),
    [
        (lambda: next(hour.chip("r", ResetTest(False, 50, 60))), "fail", "RST"),
        (lambda: list(hour.chip("r", ResetTest(True, None, 60)))[1], "fail", "50 ms"),
        (lambda: list(hour.chip("r", ResetTest(True, 50, 900)))[2], "warn", "900 µs"),
        (lambda: next(hour.chip("r", None)), "pass", "not measured"),
        (lambda: hour.one("r", [GONE] * 9), "fail", "no card"),
        (lambda: hour.one("r", at([GONE, GONE, HEARD, HEARD])), "pass", "2 of 2"),
        (lambda: hour.one("r", at([HEARD] * 9 + [WEAK])), "warn", "9 of 10"),
        (lambda: hour.two("r", at([Poll(2, 2, 0)] * 3 + [HEARD])), "pass", "3 of 4"),
        (lambda: hour.two("r", at([HEARD] * 3)), "warn", "0 of 3"),
        (lambda: hour.lift("r", at([HEARD, WEAK, WEAK, GONE, GONE]), 0), "pass", " 30 ms"),
        (lambda: hour.lift("r", at([HEARD, WEAK, GONE, GONE]), 2), "warn", "2×"),
        (lambda: hour.lift("r", at([HEARD, WEAK]), 0), "warn", "not been lifted"),
        (lambda: hour.lift("r", at([GONE, GONE]), 0), "warn", "no card was seen"),
        (lambda: hour.lift("r", [], 0), "warn", "no card was seen"),
        (lambda: hour.hand("r", at([GONE, WEAK])), "warn", "1 of 2"),
        (lambda: hour.hand("r", at([GONE, GONE])), "pass", "not seen"),
    ],
)  # fmt: skip
def test_findings_of_each_measurement(finding: Callable[[], Finding], verdict: str, said: str) -> None:
    made = finding()
    assert made.verdict == verdict and said in made.what
    assert made.verdict == "pass" or made.next


# -- the report --------------------------------------------------------------------------------------------------------


def test_the_report_lies_beside_its_trace_for_its_owner_alone(
    rig: VirtualRig, recorder: Recorder, tmp_path: Path
) -> None:
    first = HourSession(Settings(data=tmp_path), rig, recorder, ScriptedHands(rig))
    for step in first.steps[1:4]:
        first.measure(step)
    report = first.save()
    first.close()
    trace, text = sorted((tmp_path / "traces").glob("*"))
    assert text == report and trace.stem == report.stem and trace.suffix == ".jsonl"
    assert {stat.S_IMODE(path.stat().st_mode) for path in (trace, text)} == {0o600}
    assert re.search(r"^\+ reader centre: both were seen", report.read_text(), re.MULTILINE)
    assert not any(card in path.read_text() for card in CARDS for path in (trace, text))
    assert [each for each in replay(*read(trace)) if not each.same] == []


def test_an_hour_that_is_broken_off_keeps_its_trace(rig: VirtualRig, recorder: Recorder, tmp_path: Path) -> None:
    first = HourSession(Settings(data=tmp_path), rig, recorder, ScriptedHands(rig))
    first.measure(first.steps[0])
    first.close()
    (trace,) = (tmp_path / "traces").glob("*")
    assert trace.suffix == ".jsonl" and read(trace)[0]["trace"] == 1


def test_in_a_terminal_the_virtual_table_does_it_all_by_itself(
    at_home: None, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.commissioning.POLLS", 5)
    monkeypatch.setattr("drivers.virtual.scripted_hands.WEAK", 3)
    assert main(["doctor", "--first-hour", "--lang", "de"]) == 0
    out = capsys.readouterr().out
    assert "Schritt 8 von 8: Lampen" in out and "Lesegerät Mitte: RST setzt den Chip zurück" in out
    assert len(list((tmp_path / "data" / "tabularium" / "traces").glob("first-hour-*"))) == 2


# -- an open table -----------------------------------------------------------------------------------------------------


def test_an_open_table_keeps_the_minute_before_a_reader_fell_ill(
    rig: VirtualRig, recorder: Recorder, tmp_path: Path
) -> None:
    recording = Recording(Settings(data=tmp_path), recorder, lambda: rig, None)
    polled = ReaderCommissioning(rig, recorder, ScriptedHands(rig))
    found(polled, "one")
    (reader,) = rig.readers.values()
    assert isinstance(reader, VirtualRc522)
    reader.fail()
    found(ReaderCommissioning(rig, recorder, patience=0.5), "hand")
    recording.close()
    (file,) = (tmp_path / "traces").glob("ill-*.jsonl")
    header, lines = read(file)
    assert header["config"]["readers"] and header["chips"] is not None and header["tags"] == "made up"
    assert not any(card in json.dumps([*lines]) for card in CARDS)
    assert any(each.get("well") is False for each in lines)
    assert recording.findings()[0].verdict == "pass"


def test_a_recording_that_cannot_be_written_is_no_reason_not_to_play(
    rig: VirtualRig, recorder: Recorder, tmp_path: Path
) -> None:
    recording = Recording(Settings(data=tmp_path), recorder, lambda: rig, tmp_path / "nowhere" / "evening.jsonl")
    (finding,) = recording.findings()
    assert finding.verdict == "warn" and "Recording failed" in finding.what
    recording.close()


def test_an_evening_is_recorded_whole(rig: VirtualRig, recorder: Recorder, tmp_path: Path, capsys: Any) -> None:
    recording = Recording(Settings(data=tmp_path), recorder, lambda: rig, Path())
    found(ReaderCommissioning(rig, recorder, ScriptedHands(rig)), "two")
    recording.close()
    (file,) = (tmp_path / "traces").glob("recording-*.jsonl")
    assert any("polled" in each for each in read(file)[1])
    assert "readable only by you" in capsys.readouterr().err


def test_unseen_card_names_the_kinds_limits() -> None:
    assert "4-byte" in hour.one("r", [GONE] * 9, PN532.checkup.unseen).next
    wiring = Wiring({"centre": lambda: Pn532(SerialPort(""))}, unasked={"centre": PN532.unasked})
    table = SimpleNamespace(wiring=wiring)
    first = ReaderCommissioning(table, SimpleNamespace(tap=lambda *_: lambda **_: None)).steps[0]
    assert first.name == "one", "a card is laid before anything else"
