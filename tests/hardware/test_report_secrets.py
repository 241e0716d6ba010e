"""Nothing of people is in a report, wherever it may stand in what a report is made of; and what helps still is.

Secrets are planted in every input: in each field of `RawReport`, in every fact of every sentence of the program, in every
line that the log and the kernel may have, and in every file and command that is read for a report. An input that is
new fails here until something is planted in it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from companion.cli.report import Reporter
from companion.hardware.doctor import Finding
from companion.hardware.report import RawReport, Report, _kinds, _lines, _traced, made
from companion.hardware.report._kinds import CODES, HIDDEN, INSTALLED, Names, facts, told
from companion.hardware.report._sentences import known
from companion.hardware.settings import Settings
from companion.rules.catalogues import loaded
from companion.rules.message import Message, device
from companion.rules.readings import Health
from drivers.kinds import KINDS
from tests.support.paths import ROOT
from tests.support.tables import EVERYTHING

SECRETS = (
    "Anneliese", "田中さくら", "Jürgen Müller-Lüdenscheidt", "O'Brien", "hunter2-Passwort!", "stammtisch-adler",
    "04A1B2C3D4E5F6", "04 A1 B2 C3 D4 E5 F6", "04-a1-b2-c3-d4-e5-f6", "04:A1:B2:C3:D4:E5:F6", "ABCDEFAB", "0x04A1B2C3D4",
    "_04A1B2C3D4E5F6_", "0012345678", "2712847316", "4915123456789", "SN-Z9K3-QUARK", "E6614C775B8B2C36",
    "192.168.77.23", "fe80::1ff:fe23:4567:890a", "b8:27:eb:12:34:56", "/srv/anneliese/games", "/media/ANNELIESE",
    "/home/anneliese/x.py", "anneliese@example.org", "https://anneliese:geheim@example.org/x", "FritzBox 7590 Anneliese",
    "plughw:CARD=Anneliese", "anneliese-laptop", "1.2.3-anneliese", "{anneliese}", "red 7 of Anneliese",
    "04 11 22 33 44 55 66", "05 21 12 34 56",
)  # fmt: skip
"""Names, a password, a hall, ids of tags in every spelling, serial numbers, addresses, places, networks."""
MARK = "anneliese"
BARE = re.compile(r"[\s:_-]")


def text(report: Report) -> str:
    return "\n".join(data.decode() for data in report.values())


def found(report: Report) -> list[str]:
    """The secrets that are in it, however they are spelt."""
    shown = text(report).casefold()
    bare = BARE.sub("", shown)
    spelt = [secret for secret in SECRETS if secret.casefold() in shown]
    return spelt + [tag for tag in ("04a1b2c3d4e5f6", "b827eb123456") if tag in bare] + [MARK] * (MARK in shown)


# -- planting ------------------------------------------------------------------------------------------------------


def deep(data: Any, secret: Any) -> Iterator[Any]:
    """The data with the secret in place of each of its values, and beside each of its keys, one at a time."""
    yield secret
    if isinstance(data, Mapping):
        for key, value in data.items():
            for other in deep(value, secret):
                yield {**data, key: other}
        yield {**data, str(secret): secret}
        yield {**data, str(secret): 4915123456789, "pin_code": 4711}
        for value in list(data.values())[:1]:
            yield {**data, str(secret): value}
    elif isinstance(data, list):
        yield [*data, secret]
        for at, value in enumerate(data):
            for other in deep(value, secret):
                yield [*data[:at], other, *data[at + 1 :]]


FACTS: dict[str, Any] = {
    "at": "2026-12-01T20:15:00+01:00", "program": "0.1.0", "python": "3.13.5", "packages": {"kivy": "2.3.1"},
    "model": "Raspberry Pi 4 Model B Rev 1.5", "kernel": "6.12.47+rpt-rpi-v8", "chips": {"centre": "92", "hub box": "1.0.0"},
    "free_mb": 21000, "system": "Linux", "hardware": "pi", "hubs": {"box": "1.0.0"}, "shipped": "1.0.0",
    "sagged": False, "quiet": True,
}  # fmt: skip
INSTALLATION: dict[str, Any] = {
    "version": "0.1.0-1a2b3c4d", "changed": ["/etc/systemd/system/tabularium.service"], "lacking": ["spi"],
    "enabled": True, "state": "active", "restarts": 4, "boot": ["dtoverlay=spi1-3cs"], "blank": 0, "throttled": 524288,
    "brought": {"groups": ["spi"], "packages": ["mosquitto"], "displaced": [], "folders": ["/etc/x"]},
    "trial": {"this": "0.2.0-1", "before": "0.1.0-1", "phase": "trying", "left": 9, "why": "died", "copy": ""},
    "last": {"number": 3, "what": "back", "version": "0.1.0-1", "other": "0.2.0-1", "why": "dark", "aside": "/x"},
}  # fmt: skip
CONFIG: dict[str, Any] = {
    "language": "de", "data": "/x", "hardware": "pi",
    "readers": {"centre": {"kind": "rc522", "bus": 0, "device": 0, "reset": 25, "gain": 43},
                "red": {"kind": "pcsc", "reader": "ACS ACR122U PICC Interface", "number": 1},
                "blue": {"kind": "pn532", "serial": "A1", "usb": "1A86:7523", "port": "/dev/x"},
                "green": {"kind": "typed", "usb": "1A86:7523", "place": "1-1", "name": "x", "sends": "10D"}},
    "seats": {"red": {"button": 5, "back": 6, "lamp": 7, "reader": "red", "ear": "plughw:CARD=X"}},
    "hubs": {"box": {"serial": "A1", "usb": "2E8A:0005", "port": "/dev/x", "seats": ["red", None], "dtr": True}},
    "controllers": {"pad": {"usb": "0079:0006", "place": "1-1", "name": "x", "window": False, "seats": {"red": 288},
                            "together": 6}},
    "reveal": {"mode": "fists", "fair_ms": 500}, "press": {"no_ms": 600, "long_ms": 900, "debounce_ms": 12},
    "screen": {"fullscreen": True, "width": 1280, "height": 720, "rotation": 0, "theme": "dark", "text": "large",
               "first_seat_side": "left", "blank_min": 10},
    "voice": {"words": "full", "sounds": True, "engine": "auto", "model": "/x", "device": "default", "rate": 100,
              "volume": 100, "quiet": "22:00-7:00", "lead_ms": 600},
    "power": {"button": 3, "lamp": 4}, "update": {"address": "https://x"}, "phones": {"port": 8765},
    "hall": {"broker": "x", "port": 1883, "tls": "/x", "user": "x", "password_file": "/x", "hall": "x", "table": "3"},
}  # fmt: skip
HEAD: dict[str, Any] = {
    "trace": 1, **{key: FACTS[key] for key in ("at", "program", "python", "packages", "model", "kernel", "chips")},
    "config": {"readers": {"centre": {"kind": "rc522", "bus": 0}}, "buttons": {"red": 5}, "lamps": {"red": 6},
               "hubs": {"box": {"seats": ["blue", None], "dtr": True}}, "debounce_ms": 12, "poll_ms": 20},
    "tags": "made up",
}  # fmt: skip
LINES: Sequence[dict[str, Any]] = (
    {"reader": "centre", "tag": "", "present": True, "ms": 3}, {"button": "red", "down": True, "edge": True, "ms": 3},
    {"health": "hub box", "well": False, "detail": "No contact yet"}, {"opened": 146}, {"fault": "No contact yet"},
    {"polled": "", "faint": "", "several": False, "ms": 3}, {"registers": "3702"}, {"asked": "00", "said": "01"},
    {"status": 0}, {"card": ""}, {"exchange": "26", "framing": 7, "irq": 1},
    {"exchange": "26", "framing": 7, "answer": "44", "error": 0, "control": 0, "collision": 0},
    {"sent": "00", "got": "01", "clock": [1, 2]}, {"heard": "3F", "now": 1}, {"stands": "3F", "now": 1},
    {"closed": "No contact yet", "code": "unasked"}, {"level": True, "ms": 1}, {"step": "one", "part": "reader centre"},
    {"part": "reader centre", "verdict": "pass", "what": "No contact yet"},
)  # fmt: skip


RAW = {"tag", "polled", "faint", "card", "exchange", "answer", "registers", "asked", "said", "heard", "stands", "sent",
       "got"}  # fmt: skip


def sentences(secret: Any) -> Iterator[Message | str]:
    """Every sentence of the program with the secret in all that it has of facts; and the secret as a sentence."""
    yield str(secret)
    yield f"No contact yet. {secret}. It answers"
    yield Message(str(secret).replace("{", "{{").replace("}", "}}"), code=str(secret))
    yield Message("{why}. {remedy}", why=Message("{anneliese}", anneliese=secret), remedy=secret)
    for template in templates():
        names = {name for _, name, _, _ in Formatter().parse(template) if name}
        if names and not any(spec and spec not in ("of",) for _, _, spec, _ in Formatter().parse(template)):
            yield Message(template, **dict.fromkeys(names, secret))


def templates() -> Iterator[str]:
    catalogue = GNUTranslations(BytesIO(loaded("de")))
    yield from sorted({of[0] if isinstance(of, tuple) else of for of in vars(catalogue)["_catalog"]})


def logged(secret: str) -> str:
    """Every line that the program writes into its log, with the secret in all facts; and others."""
    stamp = "2026-11-25 20:15:00,123"
    forms = ((part, form) for part, of in _lines.log_kinds(Names()).items() for form in of)
    lines = [
        f"{stamp} ERROR   tabularium{'.' * bool(part)}{part}: {re.sub('%[sd]', lambda _: secret, form)}"
        for part, form in forms
    ]
    return "\n".join([
        *lines, secret, f"{stamp} INFO    tabularium.{secret}: the end", f"{secret} INFO tabularium.match: the end",
        f'  File "/srv/{secret}/companion/play/match.py", line 3, in {secret}', f"    {secret}",
        f'  File "/srv/{secret}.py", line 3, in x', f'  File "companion/{secret}.py", line 3, in x',
        f"RuntimeError: {secret}", f"{secret}.RuntimeError", f"Traceback {secret}",
    ])  # fmt: skip


def kernel(secret: str) -> str:
    """All that the kernel may say, with the secret in each of its places; and what devices call themselves."""
    said = [re.sub(r"\{[a-z]+\}", lambda _: secret, form) for form in _lines.SENTENCES]
    more = [f"usb 1-1: Product: {secret}", f"usb 1-1: SerialNumber: {secret}", f"mmcblk0: mmc0:aaaa {secret} 29.7 GiB",
            f"brcmfmac: {secret}", secret]  # fmt: skip
    return "\n".join(f"[   12.345678] {secret} kernel: {line}" for line in (*said, *more))


def traced(secret: str) -> list[bytes]:
    """A trace with the secret in it; but for what is hex anyhow, whose ids are made up before (tests/hardware/test_traces.py)."""
    lines = [HEAD, *({"t": 1, "layer": "words", "device": "hub box", **line} for line in LINES)]
    return [json.dumps(other, ensure_ascii=False).encode() for line in lines for other in deep(line, secret)
            if isinstance(other, dict) and not (RAW & {key for key in other if other[key] == secret})]  # fmt: skip


@dataclass
class Planted:
    """Every field of `RawReport` with the secret in it, one field or one of its variants at a time."""

    secret: str
    ways: Mapping[str, Callable[[str], Iterator[Any]]] = field(default_factory=lambda: {
        "facts": lambda secret: (of for of in deep(FACTS, secret) if isinstance(of, dict)),
        "health": lambda secret: iter([[
            *(Health(of, False, said) for of in (secret, f"hub {secret}", f"reader {secret}") for said in ("", secret)),
            *(Health("reader centre", False, said) for said in sentences(secret)),
        ]]),
        "findings": lambda secret: iter([[
            *(Finding(of, "warn", secret, secret) for of in (secret, f"controller {secret}", f"hub {secret}")),
            *(Finding("reader centre", "fail", said, said) for said in sentences(secret)),
        ]]),
        "config": lambda secret: (of for of in deep(CONFIG, secret) if isinstance(of, dict)),
        "log": lambda secret: iter([logged(secret)]),
        "trace": lambda secret: iter([traced(secret)]),
        "faults": lambda secret: iter([traced(secret)]),
        "kernel": lambda secret: iter([kernel(secret)]),
        "installed": lambda secret: (of for of in deep(INSTALLATION, secret) if isinstance(of, dict)),
    })  # fmt: skip

    def __iter__(self) -> Iterator[RawReport]:
        for name, way in self.ways.items():
            for value in way(self.secret):
                yield RawReport(**{"facts": {}, "kinds": KINDS, name: value})


def test_something_is_planted_in_every_input() -> None:
    assert {*Planted("x").ways, "kinds"} == {of.name for of in fields(RawReport)}, "kinds are the program's own"
    assert {*FACTS} == {*facts(Names())} and {*INSTALLATION} == {*INSTALLED(INSTALLATION)}
    assert {*CONFIG} == {of.name for of in fields(Settings)}
    for part in ("reveal", "press", "screen", "voice", "power", "update", "phones"):
        assert {*CONFIG[part]} == {of.name for of in fields(getattr(Settings(data=Path("x")), part))}
    assert {key for line in LINES for key in line} | {"t", "layer", "device"} == {*_traced._kinds(Names())}


def test_no_kind_takes_a_secret() -> None:
    """Each of the kinds that a report knows, and each of the secrets."""
    kinds = {name: of for name, of in vars(_kinds).items() if name.isupper() and callable(of) and name != "INSTALLED"}
    assert len(kinds) > 20
    for name, kind in {**kinds, **_kinds.TEXTS, **facts(Names()), **_traced._kinds(Names())}.items():
        if name in RAW | {"device"}:
            continue
        for secret in SECRETS:
            assert secret not in str(told(kind, secret)), f"{name} {secret}"


@pytest.mark.parametrize("secret", SECRETS if EVERYTHING else SECRETS[::6])
def test_no_secret_is_in_a_report_wherever_it_was(secret: str) -> None:
    """In every value, and as every key."""
    for seen in Planted(secret):
        assert not found(made(seen)), seen


@pytest.mark.parametrize("number", [2712847316, 12345678, 4915123456789, -4915123456789, 1e300])
def test_no_number_is_in_it_that_may_be_somebodys(number: float) -> None:
    """A card's number, a telephone's: where a count stands too."""
    for name, data in (("facts", FACTS), ("config", CONFIG), ("installed", INSTALLATION)):
        for of in deep(data, number):
            if isinstance(of, dict):
                given: dict[str, Any] = {"facts": {}, "kinds": KINDS, name: of}
                assert str(number) not in b"".join(made(RawReport(**given)).values()).decode()
    said = Message("{count} of them", count=number)
    assert str(number) not in text(made(RawReport({}, findings=[Finding("disk", "fail", said)])))


@pytest.mark.parametrize(("name", "data"), [("config", CONFIG), ("installed", INSTALLATION)])
def test_a_number_is_told_in_the_range_of_its_key_alone(name: str, data: dict[str, Any]) -> None:
    """A telephone's number may have seven digits."""
    for of in deep(data, 5551234):
        if isinstance(of, dict):
            given: dict[str, Any] = {"facts": {}, "kinds": KINDS, name: of}
            assert "5551234" not in text(made(RawReport(**given)))


@pytest.mark.parametrize("line", [
    "game 3: act 7 by anneliese: place red (placed)", "game 3: act 7 by touch: anneliese red (placed)",
    "game 3: act 7 by touch: place anneliese (placed)", "game 3: spartacus, 3 seats, {'anneliese': 'geheim'}",
    "game 3: spartacus, 3 seats, {'flags': 'anneliese'}",
])  # fmt: skip
def test_a_line_of_a_known_form_has_known_words_too(line: str) -> None:
    log = f"2026-11-25 20:15:01,123 INFO    tabularium.match: {line}"
    assert not found(made(RawReport({}, log=log)))


def test_numbers_under_unknown_keys_are_no_settings() -> None:
    said = made(RawReport({}, config={"pin_code": 4711, "press": {"no_ms": 600, "code": 1234}}, kinds=KINDS))[
        "config.yaml"
    ]
    assert json.loads(said) == {"press": {"no_ms": 600, "unknown keys": 1}, "unknown keys": 1}


# -- what is read for one --------------------------------------------------------------------------------------------


@dataclass
class Audit:
    """The files below a folder that Python opens, and the programs that it runs, while `on`."""

    below: Path
    on: bool = False
    opened: set[str] = field(default_factory=set)
    ran: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if self.on and event == "open" and str(args[0]).startswith(str(self.below)):
            self.opened.add(str(args[0]))
        elif self.on and event == "subprocess.Popen":
            self.ran.add(str(args[1][0] if args[1] else args[0]))


def test_every_file_and_every_command_that_is_read_has_been_planted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With secrets in all of them, through the maker of reports itself."""
    secrets = "\n".join(SECRETS)
    home, tools, versions = tmp_path / "home", tmp_path / "bin", tmp_path / "opt/tabularium"
    for folder in (home, tools, versions / "0.1.0-1a2b3c4d/pi/files", tmp_path / "etc/systemd/system",
                   tmp_path / "boot/firmware", tmp_path / "sys/module/kernel/parameters"):  # fmt: skip
        folder.mkdir(parents=True)
    (versions / "current").symlink_to("0.1.0-1a2b3c4d")
    for tool in ("journalctl", "dmesg", "systemctl", "vcgencmd"):
        (tools / tool).write_text(f"#!/bin/sh\ncat <<'EOT'\n{kernel(SECRETS[0])}\n{secrets}\nEOT\n", encoding="utf-8")
        (tools / tool).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    (home / "config.yaml").write_text(json.dumps(CONFIG | {"data": "/srv/anneliese", MARK: secrets}), encoding="utf-8")
    (home / "tabularium.log").write_text(logged("Anneliese") + secrets, encoding="utf-8")
    for name in ("brought", "trial", "last"):
        told = {**INSTALLATION[name], "why": secrets, MARK: 4915123456789}
        (versions / f"{name}.json").write_text(json.dumps(told), encoding="utf-8")
    for path in ("etc/systemd/system/tabularium.service", "boot/firmware/config.txt", "etc/group"):
        (tmp_path / path).write_text(f"[Service]\nSupplementaryGroups=anneliese spi\n{secrets}\n", encoding="utf-8")
    (tmp_path / "sys/module/kernel/parameters/consoleblank").write_text(
        "600\n", encoding="utf-8"
    )  # the kernel's number
    settings = Settings(data=home, hardware="pi")
    audit = Audit(tmp_path)
    reporter = Reporter(
        lambda: settings, lambda: home / "config.yaml", root=tmp_path,
        findings=lambda: [Finding("hall", "fail", Message("Table {table} of {hall}", table=MARK, hall=MARK))],
        health=lambda: [Health(f"hub {MARK}", False, secrets)],
        minute=lambda: (traced("Anneliese"), traced("Anneliese")),
    )  # fmt: skip
    audit.on = True
    report = reporter.report()
    audit.on = False
    assert not found(report)
    numbers = {str(tmp_path / "sys/module/kernel/parameters/consoleblank")}
    assert audit.ran <= {"journalctl", "dmesg", "systemctl", "vcgencmd"} and {"journalctl", "systemctl"} <= audit.ran
    there = {path for path in audit.opened - numbers if Path(path).is_file()}
    assert len(there) >= 7
    assert not [path for path in there if MARK not in Path(path).read_text(encoding="utf-8").casefold()]
    said = json.loads(report["installed.json"])
    assert said["last"]["why"] == HIDDEN and said["last"]["what"] == "back" and said["blank"] == 600


WRITES = ("log", "writing('hall')")


def test_every_line_of_the_log_is_known() -> None:
    """As its calls stand in the sources, part by part; a line that is new is left out until it has its kinds."""
    written: dict[str, set[str]] = {"": {"the end", "the program ends with an error", "no log is kept in %s: %s"}}
    for path in (path for room in ("companion", "drivers", "ui") for path in (ROOT / room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [of for of in ast.walk(tree) if isinstance(of, ast.Call)]
        part = next((of.args[0].value for of in calls if getattr(of.func, "id", "") == "writing" and of.args
                     and isinstance(of.args[0], ast.Constant)), None)  # fmt: skip
        for call in calls:
            if part and isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) in WRITES:
                line = call.args[1 if call.func.attr == "log" else 0]
                texts = [of.value for of in ast.walk(line) if isinstance(of, ast.Constant)]
                lines = {text.removesuffix("\n%s") for text in texts if isinstance(text, str)}
                assert lines, f"{path}:{call.lineno}"
                written.setdefault(str(part), set()).update(lines)
    assert {part: {*of} for part, of in _lines.log_kinds(Names()).items()} == written


def test_every_code_of_a_fault_is_known() -> None:
    """As the sources write it; a code that is new is left out until it stands among them."""
    calls = (of for room in ("companion/hardware", "companion/cli", "drivers") for path in (ROOT / room).rglob("*.py")
             for of in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(of, ast.keyword))  # fmt: skip
    codes = {of.value.value for of in calls if of.arg == "code" and isinstance(of.value, ast.Constant)}
    assert codes <= {*CODES} and len(codes) > 20


# -- what helps ------------------------------------------------------------------------------------------------------


def test_report_contains_the_facts_asked_for_first() -> None:
    log = [
        "2026-11-25 20:15:00,123 INFO    tabularium.table: Tabularium 0.1.0 on Python 3.13.5, linux",
        "2026-11-25 20:15:00,124 INFO    tabularium.match: game 3: spartacus, 3 seats, {'flags': 'double'}",
        "2026-11-25 20:15:01,123 INFO    tabularium.match: game 3: act 7 by touch: place red (placed, turn)",
        "2026-11-25 20:15:01,125 WARNING tabularium.evening: disk: The disk is full.",
        "2026-11-25 20:15:02,123 ERROR   tabularium.match: game 3: a rule failed, and nothing was changed",
        '  File "/opt/tabularium/0.1.0-1a2b/companion/play/match.py", line 233, in _weigh',
        "    before, receipts = self.session.last, act()",
        '  File "/usr/lib/python3/dist-packages/kivy/clock.py", line 7, in tick',
        "KeyError",
    ]
    findings = [
        Finding("computer", "pass", "Raspberry Pi 5 Model B Rev 1.0"),
        Finding("packages", "pass", "mfrc522 0.0.7, kivy 2.3.1"),
        Finding("reader centre", "warn", Message("{wrong} of {polls} polls went wrong ({percent:.0f} %): {why}", wrong=3,
                polls=200, percent=1.5, why=Message("No contact yet"))),
        Finding("disk", "fail", Message("{path} cannot be written to: {fault}", path="/srv/x", fault="Read-only file system")),
        Finding("reader red", "fail", Message("No reader “{wanted}” is plugged in, but: {there}", code="other",
                wanted="ACR122U", there="ACS ACR1252 Dual Reader [Anna's]")),
    ]  # fmt: skip
    report = made(RawReport(FACTS, findings=findings, config=CONFIG, log="\n".join(log), kernel=kernel_of_a_day(), kinds=KINDS,
                       installed=INSTALLATION, health=[Health("hub box", True)]))  # fmt: skip
    said = json.loads(report["report.json"])
    assert {key: said[key] for key in FACTS if key not in ("hubs", "chips")} == {
        key: value for key, value in FACTS.items() if key not in ("hubs", "chips")
    }
    assert (said["hubs"], said["chips"], said["devices"][0]["device"]) == (
        {"1": "1.0.0"}, {"centre": "92", "hub 1": "1.0.0"}, "hub 1",
    )  # fmt: skip
    assert [of["what"] for of in json.loads(report["doctor.json"])] == [
        "Raspberry Pi 5 Model B Rev 1.0", "mfrc522 0.0.7, kivy 2.3.1", "3 of 200 polls went wrong (2 %): No contact yet",
        f"{HIDDEN} cannot be written to: Read-only file system", "No reader “ACR122U” is plugged in, but: ACR1252",
    ]  # fmt: skip
    shown = report["log.txt"].decode().splitlines()
    assert shown[:5] == log[:5]
    assert shown[5:] == ['  File "companion/play/match.py", line 233', f'  File "{HIDDEN}", line 7', "KeyError"]
    assert report["kernel.txt"].decode().splitlines() == [*kernel_of_a_day().splitlines()[:3], f"{HIDDEN} (1 line)"]
    settings = json.loads(report["config.yaml"])
    assert settings["readers"]["red"] == {"kind": "pcsc", "reader": "ACR122U", "number": 1}
    assert settings["controllers"]["2"]["usb"] == "0079:0006" and settings["press"] == CONFIG["press"]
    there = json.loads(report["installed.json"])
    assert there["changed"] == INSTALLATION["changed"] and there["brought"]["packages"] == 1
    assert (there["last"]["why"], there["last"]["aside"]) == ("dark", HIDDEN)


@pytest.mark.parametrize(("said", "shown"), [
    (Message("No pin can be used: {fault}", fault="No module named 'lgpio'"), "No pin can be used: No module named 'lgpio'"),
    (Message("GPIO {pin} cannot be used: {fault}", pin=5, fault="'GPIO busy'"), "GPIO 5 cannot be used: 'GPIO busy'"),
    (Message("GPIO {pin} cannot be used: {fault}", pin=5, fault="pin GPIO5 is already in use by <LED of Anneliese>"),
     "GPIO 5 cannot be used: pin GPIO5 is already in use"),
    (Message("The board does not answer: {fault}", fault="[Errno 111] Connection refused"),
     "The board does not answer: Connection refused"),
    (Message("The hall's broker cannot be reached: {fault}", fault="no answer"),
     "The hall's broker cannot be reached: no answer"),
    (Message("{why}. {remedy}", why="No permission to read it: sudo usermod -aG input $USER, then log out and in again",
             remedy=Message("Retrying automatically; until then play on the screen.")),
     "No permission to read it: sudo usermod -aG input $USER, then log out and in again. Retrying automatically; until"
     " then play on the screen."),
    (Message("PC/SC failed with {result:08X}", result=0x80100001), "PC/SC failed with 80100001"),
    (Message("It does not answer its hub ({why})", why="version_00"), "It does not answer its hub (version_00)"),
    (Message("It blocks the line on which its whole bus answers (MISO): without it, {others} works", others=device("blue")),
     "It blocks the line on which its whole bus answers (MISO): without it, blue works"),
    (Message("GPIO {pin} ({use}) is already in use by “{holder}”", pin=5, use=device("button red"), holder="w1"),
     "GPIO 5 (button red) is already in use by “w1”"),
    (Message("GPIO {pin} ({use}) is already in use by “{holder}”", pin=5, use=device("hub anna"), holder="anna"),
     f"GPIO 5 (hub 1) is already in use by “{HIDDEN}”"),
    (Message("{screens}, {where}", screens="DSI-1 800x480", where=Message("under {session}", session="X11")),
     "DSI-1 800x480, under X11"),
    (Message("When all are held, {together} of {seats} keys arrive", together=3, seats=5),
     "When all are held, 3 of 5 keys arrive"),
    (Message("en: {en}, de: {de}, ja: {ja}", en="espeak-ng", de="espeak-ng", ja="–"),
     "en: espeak-ng, de: espeak-ng, ja: –"),
])  # fmt: skip
def test_report_keeps_known_fault_texts(said: Message, shown: str) -> None:
    (of,) = json.loads(made(RawReport({}, findings=[Finding("pins", "fail", said)]))["doctor.json"])
    assert of["what"] == shown


@pytest.mark.parametrize(("release", "shown"), [
    ("6.12.47+rpt-rpi-v8", None), ("6.8.0-1017-raspi", None), ("6.6.20+rpt-rpi-2712", None), ("5.15.84-v7l+", None),
    ("6.1.0-rpi7-rpi-v8", None), ("6.12.1-anneliese+", f"6.12.1{HIDDEN}"), ("6.9.4-200.fc40.x86_64", f"6.9.4{HIDDEN}"),
])  # fmt: skip
def test_of_every_kernel_there_is_its_version(release: str, shown: str | None) -> None:
    said = json.loads(made(RawReport({"kernel": release}))["report.json"])["kernel"]
    assert said == (shown or release)


def test_which_reader_a_seat_has_is_told() -> None:
    seats = {"red": {"reader": "centre"}, "blue": {"reader": "Anneliese"}}
    said = json.loads(made(RawReport({}, config={"seats": seats}, kinds=KINDS))["config.yaml"])
    assert said == {"seats": {"red": {"reader": "centre"}, "blue": {"reader": HIDDEN}}}


def test_words_of_the_kernel_that_may_not_be_read_are_no_silence() -> None:
    """And the first minute of a table that is on for weeks is still in it."""
    assert b"may not be read" in made(RawReport({}, kernel=None))["kernel.txt"] != made(RawReport({}))["kernel.txt"]
    chatter = "\n".join(f"[{second}.000000] eth0: link is up" for second in range(100, 9_000))
    assert b"Undervoltage" in made(RawReport({}, kernel=kernel_of_a_day() + chatter))["kernel.txt"]


@pytest.mark.parametrize("speed", ["ultra high speed SDR104", "UHS-I speed SDR104", "high speed"])
def test_the_kind_of_the_card_of_games_is_told(speed: str) -> None:
    said = f"[    2.345678] mmc0: new {speed} SDXC card at address aaaa\n"
    assert made(RawReport({}, kernel=said))["kernel.txt"].decode() == said


def kernel_of_a_day() -> str:
    return """\
[   12.345678] hwmon hwmon1: Undervoltage detected!
[   14.361234] usb 1-1.2: New USB device found, idVendor=2e8a, idProduct=0005, bcdDevice= 1.00
[   15.361234] usb usb1-port2: over-current change #3
[   16.361234] usb 1-1.2: SerialNumber: E6614C775B8B2C36
"""


def test_sentences_without_facts_are_known_however_they_are_put_together() -> None:
    assert known("No contact yet") and not known("Anneliese") and not known("")
    said = json.loads(made(RawReport({}, health=[Health("reader red", False, "No contact yet. Retrying automatically; until"
                                                  " then play on the screen.")]))["report.json"])  # fmt: skip
    assert said["devices"][0]["detail"] == "No contact yet. Retrying automatically; until then play on the screen."
