"""What is larger than people need is refused at once, and a mistake repeats at most a line of it."""

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.replay import TranscriptError, replay
from companion.deck.file import read
from companion.hardware.settings import load
from companion.record.transcript import parse, read_header
from companion.rules.mistakes import ConfigError, Mistakes
from companion.system import limits
from companion.system.yaml_lines import read_yaml
from drivers.kinds import KINDS
from tests.support.paths import ROOT
from tests.support.tracked import shipped

HEADER = {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"]}


def refused(*lines: object, path: Path) -> list[str]:
    """What is wrong with a transcript of these lines."""
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    with pytest.raises(TranscriptError) as found:
        list(replay(path))
    assert all(len(line) < 300 for line in found.value.lines), "at most a line"
    return [line.removeprefix(f"{path}:") for line in found.value.lines]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({"a": 10**15}, "a number has at most 15 digits, not 16"),
        ({"a": -(10**15)}, "a number has at most 15 digits"),
        ({"a": [{"b": "x" * 2001}]}, "a text has at most 2,000 characters, not 2,001"),
        ({"a": [0] * 1001}, "a list has at most 1,000 items"),
        ({"a": {str(at): 0 for at in range(10_001)}}, "an object has at most 10,000 keys"),
        ({"x" * 2001: 0}, "a key has at most 2,000 characters"),
        ({"a": json.loads("[" * 21 + "]" * 21)}, "nested more than 20 levels deep"),
    ],
)
def test_a_line_has_a_size(data: object, what: str) -> None:
    with pytest.raises(Mistakes) as found:
        parse(json.dumps(data))
    assert what in str(found.value)


def test_large_documents_within_limits_are_read() -> None:
    text = json.dumps({"a": [10**15 - 1, "x" * 2000, [0] * 1000], "b": {str(at): True for at in range(10_000)}})
    assert json.dumps(parse(text)) == text


@pytest.mark.parametrize("text", ["[" * 900 + "]" * 900, '{"a":' * 900 + "0" + "}" * 900])
def test_deep_nests_are_mistakes_however_deep(text: str) -> None:
    with pytest.raises(Mistakes):
        parse(text)


def test_a_long_line_is_refused_before_it_is_read() -> None:
    with pytest.raises(Mistakes, match="at most 1,000,000 characters, not 1,000,001"):
        parse(b"{" * (limits.LINE + 1))  # no JSON at all


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    for name, most in (("a.jsonl", limits.TRANSCRIPT), ("a.yaml", limits.FILE)):
        (tmp_path / name).write_bytes(b"\xff" * (most + 1))  # not even text
    with pytest.raises(TranscriptError, match="larger than 8,000 kB"):
        list(replay(tmp_path / "a.jsonl"))
    with pytest.raises(ConfigError, match="larger than 32 kB"):
        load(tmp_path / "a.yaml", KINDS)


def test_endless_input_is_refused() -> None:
    with pytest.raises(TranscriptError, match="larger than"):
        list(replay(Path("/dev/zero")))
    with pytest.raises(ConfigError, match="larger than"):
        load(Path("/dev/zero"), KINDS)


def test_a_file_has_so_many_lines(tmp_path: Path) -> None:
    assert refused("#\n" * 100_001, path=tmp_path / "a") == [
        "100000: a transcript has at most 100,000 lines, not 100,001"
    ]


def test_only_a_hundred_mistakes_are_looked_for(tmp_path: Path) -> None:
    wrong = [{"event": "pley"}] * 1000
    assert len(refused(HEADER, *wrong, path=tmp_path / "a")) == limits.MANY + 1
    header = HEADER | {"tags": {f"{at:08X}": "red 77" for at in range(9_000)}, "seats": ["pink"] * 1000}
    with pytest.raises(Mistakes) as found:
        read_header(header)
    assert len(found.value.found) < 4 * limits.MANY
    cards = "".join(f"  red {at}: x\n" for at in range(1, 2000))
    (tmp_path / "config.yaml").write_text(cards)
    with pytest.raises(ConfigError) as config:
        load(tmp_path / "config.yaml", KINDS)
    assert len(config.value.lines) == limits.MANY + 1
    with pytest.raises(Mistakes) as deck:
        read({"deck": "x", "cards": dict.fromkeys(map(str, range(2000)), "x")}, {})
    assert len(deck.value.found) == limits.MANY + 1


def test_twice_is_said_of_three_keys() -> None:
    text = "{" + ",".join(f'"key {at // 2:04}": 0' for at in range(20_000)) + "}"
    with pytest.raises(Mistakes) as found:
        parse(text)
    assert str(found.value) == "'key 0000', 'key 0001', 'key 0002' and 9997 more stand twice in one object"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"players": {"red": "A" * 201}}, "a player's name has at most 200 characters, not 201"),
        ({"tags": {"0" * 201: "red 7"}}, "a tag's id has at most 200 characters, not 201"),
        ({"game": "x" * 2000}, "xxx... is not a game"),
        ({"seats": "x" * 2000}, "xxx..."),
        ({"options": {"game": "x" * 2000}}, "xxx..."),
        ({"options": {"x" * 2000: 1}}, "xxx..."),
        ({"x" * 2000: 1}, "xxx..."),
        ({"board": {"provinces": {f"p{at}": 1000 for at in range(7)}, "links": []}}, "whole number from 0 to 999"),
    ],
)
def test_names_and_tags_have_a_length_and_are_repeated_in_part(
    change: dict[str, object], what: str, tmp_path: Path
) -> None:
    assert any(what in line for line in refused(HEADER | change, path=tmp_path / "a"))


@pytest.mark.parametrize(
    ("event", "what"),
    [
        ({"event": "x" * 2000}, "xxx... is no event"),
        ({"event": "province", "province": "x" * 2000}, "xxx... is not a place"),
        ({"event": "reveal", "x" * 2000: 1}, "xxx..."),
        ({"event": "choose", "seat": "x" * 2000, "card": "x" * 2000}, "xxx... is not a card"),
        ({"event": "offer", "seat": "red", "to": "blue", "chips": 10**18}, "at most 15 digits"),
        (
            {"reader": "centre", "tag": "0" * 201, "present": True, "t": 0},
            "tag: a text has at most 200 characters here, not 201",
        ),
    ],
)
def test_events_are_repeated_in_part(event: dict[str, object], what: str, tmp_path: Path) -> None:
    assert any(what in line for line in refused(HEADER, event, path=tmp_path / "a"))


@pytest.mark.parametrize(
    ("yaml", "what"),
    [
        ("reveal: {fair_ms: " + "9" * 4300 + "}", "a number has at most 15 digits"),
        ("reveal: {fair_ms: 0x" + "f" * 4300 + "}", "a number has at most 15 digits"),
        ("reveal: {fair_ms: " + "1:" * 4300 + "1}", "a number has at most 15 digits"),
        ("language: " + "x" * 4000, 'not "xxx'),
        ("x" * 1000 + ": 1", "..."),
    ],
)
def test_a_config_is_repeated_in_part(yaml: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(yaml + "\n")
    with pytest.raises(ConfigError) as found:
        load(tmp_path / "config.yaml", KINDS)
    assert any(what in line for line in found.value.lines)
    assert all(len(line) < 300 for line in found.value.lines)


def test_a_deck_has_a_name_people_can_say() -> None:
    with pytest.raises(Mistakes, match="at most 200 characters, not 201"):
        read({"deck": "x" * 201, "cards": {"red 7": "04A1B2C3"}}, {})


def test_our_own_files_are_far_below_the_limits() -> None:
    root = ROOT
    for path in (*root.glob("companion/games/*/board.yaml"), *root.glob("firmware_notes/examples/*.yaml")):
        assert read_yaml(path) and path.stat().st_size * 5 < limits.FILE
    assert len(shipped("config.yaml")) * 5 < limits.FILE


def test_a_long_word_on_the_command_line_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["replay", "x" * 1001],
        ["simulate", "prokonsul", "--seats", "9" * 5000],
        ["deck", "enrol", "é" * 1001],
    ):
        assert main(words) == 2
        assert capsys.readouterr().err == "an argument may have at most 1,000 characters\n"


def test_limit_mistakes_fit_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "x" * 900]) == 2
    assert len(capsys.readouterr().err) <= 501
