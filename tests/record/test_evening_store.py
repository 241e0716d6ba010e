"""An evening and its store: games that today's rules do not allow, and what the store has to say."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.record.store.history import checksum
from companion.rules.words import message
from tests.support.evenings import TABLE, Desk
from ui.pages import history


def until(desk: Desk, true: Callable[[], object]) -> None:
    """Drains until it is so."""
    while not true():
        assert desk.woken.wait(30)
        desk.woken.clear()
        desk.evening.drain()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with one game in which a card has been chosen."""
    desk = Desk(tmp_path / "store.sqlite3")
    desk.evening.begin(TABLE, teach=True)
    desk.act("pawns", order=["red", "blue", "green"])
    desk.act("province", province="asia")
    for seat in ("red", "blue"):
        desk.act("choose", seat, card=f"{seat} 5")
    desk.settle()
    desk.store.close()
    return tmp_path / "store.sqlite3"


def change(path: Path, number: int, event: str) -> None:
    """As an older program might have written it."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE events SET event = ?, crc = ? WHERE number = ?", (event, checksum(number, event), number))


OLDER = {
    "refused": '{"event": "province", "province": "asia", "seat": "blue"}',
    "a verb of long ago": '{"event": "wager", "seat": "red", "chips": 3}',
    "a card of long ago": '{"event": "choose", "seat": "red", "card": "red 77"}',
    "no event": "[]",
}


@pytest.mark.parametrize("event", OLDER.values(), ids=OLDER)
def test_a_journal_that_todays_rules_do_not_allow_goes_on_before_that_act_under_a_new_number(
    path: Path, event: str
) -> None:
    change(path, 3, event)
    desk = Desk(path)
    try:
        look = desk.evening.look(1)
        assert len(look.receipts) == 2
        assert [history.scene(look, move, "en").line.text for move in (2, 1)] == [
            "Move 3 of game 1 is not possible under today's rules.",
            "The pawn row, from the left: Anna, Blue and Green.",
        ]
        match = desk.evening.resume()
        assert (match.number, match.session.accepted, len(match.log)) == (2, 2, 2)
        assert desk.evening.lessons and desk.evening.lessons.number == 2
        said = (
            "Move 3 of game 1 is not possible under today's rules. The game continues from there as game 2; the old one is"
            " kept."
        )
        assert desk.evening.note == said
        assert message(desk.evening.note, "de") != said
        desk.act("choose", "green", card="green 7")
        desk.settle()
        assert said in [ruling.text.format_map(ruling.facts) for came in match.log for ruling in came.public]
        assert [json.loads(line).get("event") for line, _, _ in desk.store.load(2).events] == [
            "pawns",
            "province",
            "choose",
        ]
        assert len(desk.store.load(1).events) == 4 and desk.store.load(1).events[2][0] == event
        assert [row.number for row in desk.store.paused()] == [2]
    finally:
        desk.store.close()
    desk = Desk(path)
    try:
        assert desk.evening.unfinished and desk.evening.unfinished.number == 2
        assert desk.evening.resume().session.accepted == 3 and desk.evening.note is None
    finally:
        desk.store.close()


def test_a_rule_that_fails_at_an_old_act_is_where_the_game_goes_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.session import Session

    receive = Session.receive

    def failing(session: Session, *given: object) -> object:
        if session.accepted == 3:
            raise LookupError("a mistake of the program")
        return receive(session, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "receive", failing)
    desk = Desk(path)
    try:
        assert (desk.evening.resume().number, desk.match.session.accepted) == (2, 3)
    finally:
        desk.store.close()


def test_a_damaged_journal_is_said_where_the_game_goes_on(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE events SET crc = 0 WHERE number = 4")
    desk = Desk(path)
    try:
        assert desk.evening.resume().number == 2
        assert str(desk.evening.note).startswith(
            "The journal of game 1 is damaged after event 3. The game continues from there"
        )
    finally:
        desk.store.close()


def test_a_header_that_nobody_can_read_leaves_the_evening_as_it_was(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE games SET header = replace(header, 'prokonsul', 'prokomsul')")
    desk = Desk(path)
    try:
        with pytest.raises(ValueError, match="prokomsul"):
            desk.evening.resume()
        assert desk.evening.match is None and desk.evening.unfinished
    finally:
        desk.store.close()


def test_what_became_of_a_move_is_said_when_it_is_known(path: Path, tmp_path: Path) -> None:
    (tmp_path / "taken.db").write_text("a letter")
    desk = Desk(path)
    try:
        desk.evening.resume()
        for name, said in (
            ("taken.db", "{file} already exists and will not be overwritten: choose another name."),
            ("new.db", "From now on everything is saved in {file}."),
        ):
            desk.evening.note = None
            desk.evening.save_elsewhere(tmp_path / name)
            until(desk, lambda: desk.evening.note)
            assert desk.evening.note == said.format(file=tmp_path / name)
            assert desk.evening.note in [
                ruling.text.format_map(ruling.facts) for came in desk.match.log for ruling in came.public
            ]
    finally:
        desk.store.close()


def test_damage_in_mid_game_is_said_at_the_table(path: Path) -> None:
    desk = Desk(path)
    try:
        desk.evening.resume()
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA writable_schema=ON")
            db.execute("UPDATE sqlite_master SET name = CAST(x'ff67' AS TEXT), sql = '\x01' WHERE name = 'tags'")
        Path(f"{path}-wal").unlink()
        desk.act("choose", "green", card="green 7")
        until(desk, lambda: desk.evening.note and not desk.evening.trouble)
        assert "was damaged" in str(desk.evening.note)
        assert any("was damaged" in ruling.text for came in desk.match.log for ruling in came.public)
        assert len(desk.store.load(1).events) == 5
    finally:
        desk.store.close()


def test_a_result_that_the_disk_has_spoilt_is_left_out_of_the_series(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "store.sqlite3")
    table = {"tabularium": 1, "game": "caesar", "seats": ["red", "blue"]}
    desk.evening.begin(table)
    desk.act("place", "red", square="a1")
    desk.evening.begin(table)
    desk.act("place", "red", square="a1")
    desk.store.close()
    with closing(sqlite3.connect(desk.store.path)) as db, db:
        db.execute("""UPDATE games SET result = '{"winners": ["red"], "scores": {"red": 1}}' WHERE number = 1""")
    desk = Desk(desk.store.path)
    try:
        assert desk.evening.resume().number == 2
        assert desk.evening.sitting.line("caesar")["games"] == 0
    finally:
        desk.store.close()


def test_what_has_to_be_said_comes_before_whether_everything_still_lies_there(path: Path) -> None:
    """And the next act ends the question: whoever plays on has looked."""
    desk = Desk(path)
    match = desk.evening.resume()
    assert match.asks
    desk.act("choose", "green", card="green 5")
    desk.settle()
    assert not match.asks
    desk.store.close()
    change(path, 2, OLDER["refused"])
    desk = Desk(path)
    match = desk.evening.resume()
    desk.settle()
    assert match.turned.unsure and not match.asks and match.log[-1].public, (
        "why the game goes on elsewhere is read first"
    )
    desk.store.close()
