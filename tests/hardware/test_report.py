"""One file to send in: nothing of the table's secrets in it, and the causes that are known are read from it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest

from companion.cli import main
from companion.cli.report import CALM_S, Reporter
from companion.cli.traces import Recording
from companion.ear import LISTENING
from companion.hardware.doctor import Finding
from companion.hardware.fitting import Fitting
from companion.hardware.report import (
    CONTENTS,
    RawReport,
    Report,
    ReportError,
    _traced,
    listed,
    made,
    opened,
    packed,
    saved,
)
from companion.hardware.report._kinds import HIDDEN, Names
from companion.hardware.report.causes import CAUSES, causes
from companion.hardware.settings import Settings
from companion.hardware.trace.reading import read
from companion.hardware.trace.recorder import Recorder
from companion.play.evening import Evening
from companion.rules.cards import DECK
from companion.rules.message import Message
from companion.rules.readings import Health
from companion.rules.words import message
from companion.system import logs
from drivers.kinds import KINDS
from drivers.pcsc.lite import SHARING_VIOLATION, PcscError
from drivers.rc522.kind import KIND
from drivers.rc522.settings import Rc522Settings
from drivers.virtual import spi
from drivers.virtual.rig import VirtualRig
from tests.support.evenings import TABLE, Desk
from tests.support.paths import ROOT
from tests.support.tables import times

FOLDER = ROOT / "tests/reports"
TAGS = {f"04{at:012X}": DECK[card] for at, card in enumerate(DECK, 0xA1B2C3)}
IDS = {str(card): tag for tag, card in TAGS.items()}


# -- secrets -----------------------------------------------------------------------------------------------------------


class Open:
    """An open table with a reader, a log and a recording, and somebody who asks for a report."""

    def __init__(self, folder: Path) -> None:
        self.now = 1000.0
        self.recorder = Recorder()
        self.desk = Desk(folder / "store.sqlite3")
        self.desk.evening = Evening(self.desk.store, TAGS, listening=LISTENING)
        self.desk.evening.woken = self.desk.woken.set
        self.rig = VirtualRig(
            TABLE["seats"], self.desk.evening.devices.inbox.put, interval=0.002, taps=self.recorder.tap
        )
        settings = Settings(data=folder)
        self.recording = Recording(settings, self.recorder, lambda: self.rig, None)
        evening = self.desk.evening
        self.reporter = Reporter(
            lambda: settings, lambda: None, findings=self.findings, health=lambda: tuple(evening.devices.health.values()),
            rig=lambda: self.rig, minute=self.recording.minute, clock=lambda: self.now,
            playing=lambda: evening.match is not None and not evening.match.view["over"],
        )  # fmt: skip
        evening.playing = self.reporter.on

    def findings(self) -> list[Finding]:
        """What names a card: a sticker that is heard badly, as the doctor says it."""
        tag, card = next(iter(TAGS.items()))
        told = Message("Tag {tag} ({card}) did not answer first time in {percent} % of the polls: stick it flat, or use"
                       " another.", tag=tag, card=card, percent=12)  # fmt: skip
        return [Finding("reader centre", "warn", told)]

    def lay(self, card: str) -> None:
        """A card comes onto the reader and leaves it, and has been heard."""
        heard: list[Any] = []
        end = self.recorder.listen(lambda note: heard.append(note) if note[1] == "words" else None)
        for act, count in ((self.rig.lay, 1), (self.rig.lift, 2)):
            act("centre", IDS[card])
            until(lambda count=count: len(heard) >= count)  # type: ignore[misc]
        end()
        until(lambda: len(self.recording.minute()[0]) > 2)
        self.desk.settle()

    def close(self) -> None:
        self.recording.close()
        self.rig.close()
        self.desk.store.close()


def until(true: Callable[[], object]) -> None:
    end = monotonic() + 30
    while not true():
        assert monotonic() < end


@contextmanager
def table(folder: Path) -> Iterator[Open]:
    with logs.kept(folder):
        made = Open(folder)
        try:
            yield made
        finally:
            made.close()


def text(report: Report) -> str:
    return "\n".join(data.decode() for data in report.values())


def timeless(report: Report) -> dict[str, str]:
    """Without what differs between any two evenings."""
    said = {name: data.decode() for name, data in report.items() if name != "kernel.txt"}
    said["log.txt"] = re.sub(r"^\S+ \S+ ", "", said["log.txt"], flags=re.M)
    for name, pattern in (
        ("report.json", r'"(at|free_mb)": [^,\n]+'),
        ("faults.jsonl", r'"t":\d+'),
        ("log.txt", r"/\S+"),
    ):
        said[name] = re.sub(pattern, "", said.get(name, ""))
    return said


needs_chip = pytest.mark.skipif(not spi.installed(), reason="the mfrc522 package is not installed")


@needs_chip
def test_games_that_differ_only_in_hidden_things_make_the_same_report(tmp_path: Path) -> None:
    """While a game is on: other cards face down, not a letter differs; a card seen before is in neither."""
    found = []
    for at, card in enumerate(("red 5", "red 7")):
        folder = tmp_path / str(at)
        folder.mkdir()
        with table(folder) as here:
            here.desk.evening.begin(TABLE)
            here.desk.act("pawns", order=["red", "blue", "green"])
            here.desk.act("province", province="asia")
            here.desk.act("choose", "red", card=card)
            here.lay(card)
            here.rig.put(Health("reader centre", False, Message("it fell silent")))
            here.desk.settle()
            report = here.reporter.report()
            assert "trace.jsonl" not in report and "faults.jsonl" in report
            found.append(timeless(report))
    assert found[0] == found[1]
    assert '"device": "reader centre"' in found[0]["report.json"]


@needs_chip
def test_no_card_no_id_and_no_name_is_in_it_whenever_it_is_made(tmp_path: Path) -> None:
    with table(tmp_path) as here:
        here.desk.evening.begin(
            {**TABLE, "players": dict(zip(TABLE["seats"], ("Anneliese", "Berthold", "Chiara"), strict=False))}
        )
        here.desk.act("pawns", order=["red", "blue", "green"])
        here.lay("red 5")
        here.desk.evening.put_away()
        at_once = here.reporter.report()
        assert "trace.jsonl" not in at_once, "a game was on a moment ago"
        here.now += CALM_S
        later = here.reporter.report()
        for report in (at_once, later):
            said = text(report)
            assert not [tag for tag in TAGS if tag in said]
            assert not [card for card in DECK if card in said]
            assert not [name for name in ("Anneliese", "Berthold", "Chiara") if name in said]
            assert "did not answer first time in 12 %" in said and HIDDEN in said
        (tmp_path / "trace.jsonl").write_bytes(later["trace.jsonl"])
        assert read(tmp_path / "trace.jsonl"), "it can be replayed"
        assert list(at_once) == [name for name in CONTENTS if name in at_once]


def test_config_yaml_is_given_without_what_is_nobodys_business() -> None:
    config = {
        "language": "de", "data": "/home/anna/games", "hardware": "pi",
        "readers": {"centre": {"kind": "rc522", "bus": 0, "gain": 43}, "red": {"kind": "pcsc", "reader": "ACR122U Anna"}},
        "hubs": {"box": {"serial": "E6614C775B8B2C36", "seats": ["red", None]}, "other": {"usb": "2E8A:0005"}},
        "hall": {"broker": "192.168.1.5", "user": "anna", "password_file": "/etc/secret", "table": "3"},
        "update": {"address": "https://anna:secret@example.org/x"}, "seats": {"red": {"ear": "plughw:CARD=Anna"}},
    }  # fmt: skip
    said = json.loads(made(RawReport({}, config=config, kinds=KINDS))["config.yaml"])
    assert said["language"] == "de" and said["readers"]["centre"] == {"kind": "rc522", "bus": 0, "gain": 43}
    assert said["readers"]["red"]["reader"] == "ACR122U", "a model, which many have"
    assert said["hubs"]["1"]["seats"] == ["red", None] and said["hubs"]["2"]["usb"] == "2E8A:0005"
    for secret in ("anna", "Anna", "secret", "192.168", "E6614C775B8B2C36"):
        assert secret not in json.dumps(said)


def test_a_file_with_mistakes_and_places_are_not_in_it() -> None:
    log = "2026-11-25 20:15:00,123 WARNING tabularium.exports: not saved: /media/ANNA/x (OSError)\nOSError\nAnna\nBen\n"
    report = made(RawReport({}, config=None, log=log))
    assert "config.yaml" not in report
    assert report["log.txt"].decode().splitlines() == [
        f"2026-11-25 20:15:00,123 WARNING tabularium.exports: not saved: {HIDDEN} (OSError)", "OSError", f"{HIDDEN} (2 lines)",
    ]  # fmt: skip


# -- written, and read -------------------------------------------------------------------------------------------------


def test_it_is_one_file_that_can_be_read_again_and_says_what_is_in_it(tmp_path: Path) -> None:
    report = made(RawReport({"at": "2026-12-01"}, kernel="[1.0] hwmon: Undervoltage detected!\n"))
    path, other = saved(report, tmp_path), saved(report, tmp_path)
    assert path != other and path.stat().st_mode & 0o077 == 0
    assert opened(path.read_bytes()) == report
    lines = list(listed(report))
    assert len(lines) == len(report) and lines[0].startswith("report.json (1 kB): versions")
    assert all(message(line, lang) != line for line in lines for lang in ("de", "ja"))


def test_the_command_makes_one_and_reads_it(tmp_path: Path, at_home: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--to", str(tmp_path / "stick")]) == 0
    out = capsys.readouterr().out
    assert "doctor.json" in out and "no cards, names or tag ids" in out
    (path,) = (tmp_path / "stick").iterdir()
    assert main(["report", "read", str(path)]) == 0
    assert "program: " in capsys.readouterr().out


def test_a_stick_that_is_full_is_told(tmp_path: Path) -> None:
    """As a file may not grow beyond so many bytes, and nothing is left of it."""
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); import signal;"
    limit += "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); from pathlib import Path;"
    limit += "from companion.cli.report import written;"
    limit += "sys.exit(written({'report.json': b'0' * 9000}, Path(sys.argv[1])))"
    (tmp_path / "stick").mkdir()
    words = [sys.executable, "-c", limit, str(tmp_path / "stick")]
    run = subprocess.run(words, check=False, capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 2 and "File too large" in run.stderr and not list((tmp_path / "stick").iterdir())


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"nonsense" * 99], ids=["nothing", "torn", "something else"])
def test_other_files_are_refused_as_reports(data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    assert main(["report", "read", str(tmp_path / "x.zip")]) == 2
    assert "not a report" in capsys.readouterr().err


def test_a_report_of_a_newer_version_and_one_that_would_fill_the_memory_are_not_read() -> None:
    newer = packed({"report.json": b'{"report": 2}'})
    bomb = packed({"report.json": b'{"report": 1}', "log.txt": b"0" * 60_000_000})
    for data in (newer, bomb, packed({"log.txt": b""}), packed({"report.json": b"[" * 100_000})):
        with pytest.raises(ReportError):
            opened(data)


def test_what_the_installation_lacks_is_in_it_and_read_from_it(tmp_path: Path) -> None:
    """As a Pi with a reader on SPI1 that was never started again has it."""
    (tmp_path / "opt/tabularium/0.1.0-1a2b3c4d/pi/files").mkdir(parents=True)
    (tmp_path / "opt/tabularium/current").symlink_to("0.1.0-1a2b3c4d")
    (tmp_path / "opt/tabularium/brought.json").write_text('{"groups": ["spi"]}', encoding="utf-8")
    (tmp_path / "boot/firmware").mkdir(parents=True)
    (tmp_path / "boot/firmware/config.txt").write_text("dtparam=spi=on\n", encoding="utf-8")
    settings = Settings(hardware="pi", data=tmp_path, readers={"centre": Fitting(KIND, Rc522Settings(bus=1))})
    report = Reporter(lambda: settings, lambda: None, findings=list, root=tmp_path).report()
    said = json.loads(report["installed.json"])
    assert said["boot"] == ["dtoverlay=spi1-3cs"] and said["brought"] == {"groups": ["spi"]}
    assert "overlay" in [cause.name for cause in causes(report)]


@pytest.mark.parametrize("said", [
    '{"report": Infinity}', '{"report": -Infinity}', '{"report": NaN}', '{"report": 1e999}', '{"report": -1}', '{"report": "1"}',
    '{"report": 1, "free_mb": Infinity}', '{"report": 1, "at": NaN}', '{"report": ' + "9" * 5000 + "}", "[" * 100_000,
    '{"report": 1, "x": ' + "[" * 100_000, "null", "[]", "", "\ud800",
], ids=lambda said: said[:24])  # fmt: skip
def test_numbers_without_end_and_nests_without_bottom_are_said_to_be_no_report(
    said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.zip").write_bytes(packed({"report.json": said.encode("utf-8", "surrogatepass")}))
    assert main(["report", "read", str(tmp_path / "x.zip")]) == 2
    assert "not a report" in capsys.readouterr().err


@pytest.mark.parametrize("said", ['{"report": 1, "free_mb": 1e999}', '{"report": 1, "at": {"x": [1e999]}, "hubs": [1]}',
                                  '{"report": 1, "model": "\\u001b[2J", "kernel": 5, "devices": {"code": 1e999}}'])  # fmt: skip
@pytest.mark.parametrize(
    "other", ['{"restarts": Infinity}', '{"restarts": 1e999, "throttled": "x", "boot": 5}', "[" * 100_000]
)
def test_facts_of_the_wrong_type_are_ignored(
    said: str, other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = {"report.json": said.encode(), "installed.json": other.encode(), "doctor.json": other.encode()}
    (tmp_path / "x.zip").write_bytes(packed(report))
    assert main(["report", "read", str(tmp_path / "x.zip")]) == 0
    out = capsys.readouterr().out
    assert "No known cause applies" in out and "\x1b" not in out and "inf" not in out


def test_a_report_that_a_mail_has_spoilt_never_ends_in_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, path, random = packed(bundle(FOLDER / "well")), tmp_path / "x.zip", Random(7)
    for _ in range(times(60, 3000)):
        spoilt = bytearray(whole)
        for _ in range(random.randint(1, 4)):
            spoilt[random.randrange(len(spoilt))] = random.randrange(256)
        path.write_bytes(spoilt[: random.randint(1, len(spoilt))] if random.random() < 0.2 else spoilt)
        assert main(["report", "read", str(path)]) in (0, 2)
        capsys.readouterr()


# -- causes ------------------------------------------------------------------------------------------------------------


def bundles() -> list[Path]:
    return sorted(path for path in FOLDER.iterdir() if path.is_dir())


def bundle(folder: Path) -> Report:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("folder", bundles(), ids=lambda path: path.name)
def test_a_cause_is_read_from_the_report_that_shows_it(folder: Path) -> None:
    found = [cause.name for cause in causes(opened(packed(bundle(folder))))]
    assert found == ([] if folder.name == "well" else [folder.name])


def test_a_reader_that_another_program_has_holds_no_line() -> None:
    fault = PcscError(SHARING_VIOLATION).args[0]
    report = made(
        RawReport({}, findings=[Finding("reader red", "fail", fault)], health=[Health("reader red", False, fault)])
    )
    assert not list(causes(opened(packed(report))))


def test_every_cause_has_a_report_that_shows_it() -> None:
    assert {path.name for path in bundles()} == {"well", *(cause.name for cause in CAUSES)}
    assert all("{" not in cause.says + cause.do for cause in CAUSES)


@pytest.mark.parametrize("wrong", ["[]", "null", '{"free_mb": "x", "hubs": 3, "devices": 7}', "\x00", "{"])
def test_one_that_somebody_has_changed_is_read_as_far_as_it_goes(wrong: str) -> None:
    report = bundle(FOLDER / "well")
    for name in report:
        assert list(causes({**report, name: wrong.encode()})) is not None


def test_a_trace_names_the_kinds_of_readers_there_are_and_no_others() -> None:
    line = json.dumps({"trace": 1, "config": {"readers": {"centre": {"kind": "laser"}}}}).encode()
    (known,), (strange,) = (_traced.shown([line], Names(), kinds) for kinds in (["laser"], ["rc522"]))
    assert b'"laser"' in known and b'"laser"' not in strange
