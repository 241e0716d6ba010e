"""The log: what a maintainer needs, and nothing that is hidden at the table (law 2)."""

import logging
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.record.store import Store
from companion.rules.cards import DECK
from companion.rules.readings import Health
from companion.system import logs
from tests.support.evenings import TABLE, Desk
from tests.support.playing import match_of
from tests.support.toy_game import SECRET, Sat


def written(folder: Path) -> str:
    return (folder / logs.FILE).read_text(encoding="utf-8")


def timeless(text: str) -> str:
    """The log without its times."""
    return re.sub(r"^\S+ \S+ ", "", text, flags=re.MULTILINE)


PROKONSUL = (
    TABLE,
    [
        {"event": "pawns", "order": ["red", "blue", "green"]},
        {"event": "province", "province": "asia"},
        *({"event": "choose", "seat": seat, "card": f"{seat} {{0}}"} for seat in TABLE["seats"]),
        {"event": "choose", "seat": "red", "card": "red {1}"},
        {"event": "undo"},
        {"event": "choose", "seat": "red", "card": "blue {0}"},
    ],
)
MERCATOR = (
    {"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]},
    [{"event": "flip", "seat": "red", "card": "red 1"}, {"event": "auction", "seat": "red"}],
)
CAESAR: tuple[dict[str, Any], list[dict[str, Any]]] = (
    {"tabularium": 1, "game": "caesar", "seats": ["red", "blue"]},
    [
        *(
            {"event": "place", "seat": seat, "square": f"{column}{row}"}
            for column in "abcde"
            for seat, row in (("red", 1), ("blue", 2))
        ),
        {"event": "attack", "seat": "red", "from": "a1", "to": "a2"},
        {"event": "choose", "seat": "red", "card": "red {0}"},
        {"event": "choose", "seat": "blue", "card": "blue {1}"},
    ],
)


@pytest.mark.parametrize("game", [PROKONSUL, MERCATOR, CAESAR], ids=["prokonsul", "mercator", "caesar"])
def test_games_that_differ_only_in_hidden_things_have_the_same_log(game: Any, tmp_path: Path) -> None:
    """Other cards face down, other tries at them: not a letter of the log differs."""
    table, events = game
    found = []
    for at, cards in enumerate((("5", "9"), ("7", "2"))):
        folder = tmp_path / str(at)
        with logs.kept(folder):
            desk = Desk(folder / "store.sqlite3")
            desk.evening.begin(table)
            for event in events:
                hidden = {key: value.format(*cards) if key == "card" else value for key, value in event.items()}
                desk.match.act(hidden)
            desk.settle()
            desk.store.close()
        found.append(timeless(written(folder)))
    assert found[0] == found[1]
    assert not [card for card in DECK if card in found[0]]
    assert found[0].count("act ") > len(events) - 2


def test_the_log_says_what_a_maintainer_needs(tmp_path: Path) -> None:
    with logs.kept(tmp_path):
        desk = Desk(tmp_path / "store.sqlite3")
        evening = desk.evening
        evening.begin(TABLE)
        desk.act("pawns", order=["red", "blue", "green"])
        match_of(evening).act({"event": "pawns", "order": ["red", "blue", "green"]})
        for _ in range(2):
            evening.devices.inbox.put(Health("reader centre", False, "The cable is loose."))
        evening.devices.inbox.put(Health("reader centre", True))
        desk.settle()
        desk.store.close()
    text = timeless(written(tmp_path))
    assert "INFO    tabularium.match: game 1: prokonsul, 3 seats, {'game': 'full'" in text
    assert "game 1: act 1 by touch: pawns (row)" in text
    assert "game 1: refused: pawns (not_now)" in text
    assert text.count("WARNING tabularium.devices: reader centre: not well. The cable is loose.") == 1
    assert "reader centre: well." in text
    assert "Anna" not in text, "who plays is nobody else's business"


def test_a_disk_in_trouble_is_in_the_log_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite3")
    from companion.play.evening import Evening

    with logs.kept(tmp_path):
        evening = Evening(store)
        store.close()
        for trouble in ("The disk is full.", "The disk is full.", None):
            store.trouble = trouble
            evening.drain()
    assert re.findall(r"disk: .*", written(tmp_path)) == ["disk: The disk is full.", "disk: well again"]


def test_a_folder_made_for_the_log_is_its_owners_alone(tmp_path: Path) -> None:
    with logs.kept(tmp_path / "data"):
        assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


def test_an_export_is_in_the_log_saved_or_not(tmp_path: Path) -> None:
    from companion.play.exports import Exports

    (tmp_path / "file").write_text("no folder")
    with logs.kept(tmp_path):
        woken: list[str] = []
        for name in ("out", "file"):
            exports = Exports(tmp_path / name, partial(woken.append, name))
            exports._write(exports.folder, "game-1", {".jsonl": lambda: b"{}"})
            assert exports.news() and not exports.news()
        assert woken == ["out", "file"]
    text = timeless(written(tmp_path))
    assert f"saved: {tmp_path}/out/game-1 (.jsonl)" in text and f"not saved: {tmp_path}/file/game-1 (" in text


@pytest.mark.parametrize("part", ["apply", "legal", "fists", "view", "private"])
def test_a_fault_leaves_its_frames_and_not_what_it_says(part: str, tmp_path: Path) -> None:
    with logs.kept(tmp_path):
        sat = Sat(part)
        sat.bet()
        sat.bet()
    text = written(tmp_path)
    assert "whisper" not in text, "what is for one seat alone"
    assert "a rule failed" in text and "in may_fail" in text and text.count("LookupError") >= 1
    assert SECRET not in text and "hidden card is red" not in text


def test_an_error_that_came_of_another_shows_both_and_no_message() -> None:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise ValueError(f"nothing like {SECRET}") from error
    except ValueError as error:
        text = logs.trace(error)
    assert text.index("KeyError") < text.index("\nValueError") and SECRET not in text


def test_an_error_that_ends_the_program_is_written_down(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), logs.kept(tmp_path):
        raise ZeroDivisionError
    lines = timeless(written(tmp_path)).splitlines()
    assert lines[0] == "CRITICAL tabularium: the program ends with an error"
    assert lines[-2:] == ["ZeroDivisionError", "INFO    tabularium: the end"]


def test_the_file_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "BYTES", 2_000)
    with logs.kept(tmp_path):
        for number in range(300):
            logs.writing("test").info("line %d %s", number, "x" * 50)
    files = sorted(tmp_path.iterdir())
    assert len(files) == logs.FILES and all(file.stat().st_size <= 2_000 for file in files)
    assert "line 299" in written(tmp_path)


def test_the_terminal_is_quiet_unless_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for verbose in (False, True):
        with logs.kept(tmp_path, verbose):
            logs.writing("test").warning("something")
        out, err = capsys.readouterr()
        assert not out and ("something" in err) is verbose


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("no folder")
    with logs.kept(tmp_path / "file", verbose=True):
        logs.writing("test").info("something")
    assert "no log is kept in" in capsys.readouterr().err


def test_without_a_table_nothing_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    logs.writing("test").error("something")
    assert capsys.readouterr() == ("", "") and not logging.getLogger("tabularium").propagate


def test_a_log_that_is_read_on_a_terminal_commands_nothing(tmp_path: Path) -> None:
    with logs.kept(tmp_path):
        logs.writing("test").info("hub box: %s", "\x1b[2J\x9b31m")
    assert "hub box: \\u001b[2J\\u009b31m" in written(tmp_path)
