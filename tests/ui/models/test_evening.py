"""The evening around the boards: history, series, export and new tables, from real games; no window."""

import csv
import json
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest

from companion.dialogues import table_draft
from companion.play.evening import Evening
from companion.play.series import next_table
from companion.record import bgstats, spreadsheet
from companion.record.boards import shipped
from companion.record.store import Store
from companion.record.store.history import GameRow
from companion.record.transcript import event_data, parse
from companion.rules import Option
from companion.rules.cards import DECK
from companion.rules.mistakes import Mistakes
from companion.rules.words import message
from tests.support.evening_pages import played
from tests.support.playing import match_of, moment_of
from tools.scenes.rehearsal import Memory
from ui.games.hannibal import data as board
from ui.pages import end, export, history, new_game, start
from ui.table.moment import Moment
from ui.widgets import code

FINISHED = ("prokonsul-full", "prokonsul-short", "spartacus-joker-minus10", "caesar-apart", "hannibal-core")


def won(evening: Evening, winner: str) -> None:
    """A game of Hannibal in two moves: a lone legion walks into the other capital."""
    away, home = {"blue": ("rome", "carthago"), "red": ("carthago", "rome")}[winner]
    evening.boards.save("hannibal", shipped("hannibal") | {"land": [["rome", "carthago"]]})
    evening.begin(next_table(evening.match.header) if evening.match else DUEL)
    while not match_of(evening).view["over"]:
        seat = match_of(evening).view["waiting"][0]
        start, to = (away, home) if seat == winner else SLOW[seat]
        fleet = {"event": "move", "seat": seat, "piece": "fleet", "from": start, "to": to}
        match_of(evening).act(fleet if seat != winner else fleet | {"piece": "legion"})
        evening.drain()


DUEL = {"tabularium": 1, "game": "hannibal", "seats": ["blue", "red"], "players": {"blue": "Anna", "red": "Bert"}}
SLOW = {"blue": ("rome-corsica", "corsica-sardinia"), "red": ("sardinia-carthago", "corsica-sardinia")}


# -- history ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FINISHED)
def test_any_game_can_be_looked_at_move_by_move(name: str) -> None:
    evening = played(name)
    accepted = [receipt for receipt in match_of(evening).log if receipt.number]
    look = evening.look(1)
    assert [look.view(move) for move in range(1, len(accepted) + 1)] == [receipt.view for receipt in accepted]
    opening = history.scene(look, 0, "en")
    assert (opening.line.text, opening.rulings) == ("The start: nothing has happened yet.", [])
    last = history.scene(look, 10_000, "en")
    assert (last.move, last.moment.view) == (last.last, match_of(evening).view)
    assert [entry.ruling for entry in last.rulings] == list(accepted[-1].public)
    assert end.end(last.moment) == end.end(moment_of(evening))


def test_a_look_changes_nothing_and_shows_nothing_hidden() -> None:
    evening = Evening(Memory())
    evening.begin({"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"], "reveal": "fists"})
    match_of(evening).act({"event": "pawns", "order": ["red", "blue", "green"]})
    match_of(evening).act({"event": "province", "province": "asia"})
    told = []
    for card in ("red 5", "red 9"):
        match_of(evening).act({"event": "choose", "seat": "red", "card": card})
        evening.drain()
        before = match_of(evening).view, list(match_of(evening).log)
        scene = history.scene(evening.look(1), 99, "en")
        assert (match_of(evening).view, list(match_of(evening).log)) == before
        told.append((scene.line, [entry.text for entry in scene.rulings], scene.moment.view))
    assert told[0] == told[1]


def test_the_history_names_players_winners_and_what_is_unfinished() -> None:
    evening = played("prokonsul-short")
    played("mercator", evening, acts=3)
    evening.begin(DUEL)  # nothing was done in it
    titles = {game.name: game.title for game in evening.games}
    rows = history.rows(evening.history(), titles, "en")
    assert all(re.fullmatch(r"\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d", row.when) for row in rows)
    assert [(row.title, row.text, row.winners) for row in rows] == [
        ("Mercator", "Anna, Ben and Cora. Not finished; moves: 2.", []),
        ("Prokonsul", "Anna, Ben and Chiara. Won by Anna.", ["red"]),
    ]


def test_start_page_offers_stored_games(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite3")
    played("prokonsul-short", Evening(store), acts=3)
    store.close()
    again = Store(tmp_path / "store.sqlite3")
    try:
        (waits,) = Evening(again).paused()
    finally:
        again.close()
    found = start.waiting(waits, "en")
    assert found.line.startswith("Prokonsul: Anna, Ben and Chiara – move 3, started ")
    assert (found.game, found.who) == ("Prokonsul", "Anna, Ben and Chiara")
    assert found.when.startswith(f"Move 3, {found.day} ") and found.seats == ["red", "blue", "green"]


def test_last_table_plays_again_by_the_same_rules() -> None:
    evening = Evening(Memory())
    assert start.last_table(evening, "en") is None
    for options, told in ({}, "as printed"), ({"flags": "joker"}, "with variants"):
        table = {"game": "spartacus", "seats": ["red", "blue", "green"], "players": {"red": "Anna"}, "options": options}
        before = evening.begin({"tabularium": 1, **table}).header
        found = start.last_table(evening, "en")
        assert found and (found.text, found.who) == ("Spartacus again", f"Anna, Blue and Green: {told}")
        again = evening.begin(found.header).header
        assert (again.seats, again.players, again.options) == (before.seats, before.players, before.options)


@pytest.mark.parametrize("spoilt", ["{bad", "[]", "{}"])
def test_a_spoilt_header_hides_no_other_game(spoilt: str) -> None:
    good = GameRow(1, "2026-11-20T20:15:00", '{"game": "caesar", "seats": ["red"]}', 3, '{"winners": ["red"]}')
    bad = GameRow(2, "2026-11-20T21:15:00", spoilt, 3, spoilt)
    rows = history.rows([bad, good], {"caesar": "Caesar"}, "en")
    assert [(row.title, row.text) for row in rows] == [
        ("?", "–. Not finished; moves: 3."),
        ("Caesar", "Red. Won by Red."),
    ]
    assert start.waiting(bad, "en").seats == []


def test_a_stored_game_is_read_from_disk_as_it_was_played(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite3")
    evening = played("caesar-apart", Evening(store))
    store.close()
    again = Store(tmp_path / "store.sqlite3")
    try:
        later = Evening(again)
        result = later.look(1).receipts[-1].view["result"]
        assert result and result["winners"] == ["red", "blue"]
        assert later.look(1).receipts[-1].view == match_of(evening).session.view()
        with pytest.raises(LookupError):
            later.look(7)
    finally:
        again.close()


# -- the end and the series -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("prokonsul-short", [["Asia 30", "Sicilia 20", "(chips 79)"], ["Africa 25", "(chips 24)"],
                             ["Hispania Citerior 20", "Hispania Ulterior 15", "Macedonia 25", "Sardinia 15", "links 5",
                              "(chips -43)"]]),
        ("spartacus-joker-minus10", [["tricks 35"], ["tricks 45", "(hand -10)"], ["tricks 5", "(hand -60)"]]),
        ("caesar-apart", [["a1 1", "b2 8"], ["c5 7", "d5 1", "e5 1"]]),
        ("mercator", [["cargo of 50 22.5", "(chips 25)"], ["cargo of 50 22.5", "(chips 15)"], ["cargo of 38 0", "(chips 36)"]]),
    ],
)  # fmt: skip
def test_every_score_is_broken_down(name: str, parts: list[list[str]]) -> None:
    found = end.end(moment_of(played(name)))
    said = [[(f"{part.label} {float(part.value):g}", part.earned) for part in place.parts] for place in found.places]
    assert [[text if earned else f"({text})" for text, earned in each] for each in said] == parts
    scores = moment_of(played(name)).result["scores"]
    assert {place.seat: sum(part.value for part in place.parts) for place in found.places} == scores, (
        "nothing is missing"
    )
    assert found.most == max(sum(abs(part.value) for part in place.parts) for place in found.places)


def test_a_series_of_hannibal_ends_with_the_second_win_running() -> None:
    evening = Evening(Memory())
    for winner in ("blue", "blue", "red"):  # Anna, then Bert on the other side, then Bert again
        won(evening, winner)
    series, over = partial(evening.sitting.line, "hannibal"), partial(evening.sitting.over, "hannibal")
    standings = end.series_so_far(moment_of(evening), series(), over())
    assert over() and standings.over
    assert standings.title == "Bert has won the series after 3 games"
    assert [(each.name, each.score, each.seat, each.leads) for each in standings.standings] == [
        ("Bert", "2", "red", True), ("Anna", "1", "blue", False),
    ]  # fmt: skip
    won(evening, "blue")  # a new series
    assert (series()["games"], over()) == (1, False)


def test_hannibal_without_names_has_no_series_to_win() -> None:
    evening = played("hannibal-core", players={})
    assert not evening.sitting.over("hannibal")
    assert (
        end.series_so_far(moment_of(evening), evening.sitting.line("hannibal")).title
        == "The series after the first game"
    )


# -- export -----------------------------------------------------------------------------------------------------


PLAY = "0b5f4c1e-3a52-5d0e-9f64-7d1c3f0a2b11"
BEGAN = datetime(2026, 11, 20, 21, 15, tzinfo=timezone(timedelta(hours=1)))


def finished() -> Moment:
    return moment_of(played("prokonsul-short"))


def test_the_scores_are_a_table() -> None:
    rows = spreadsheet.read(export.scores(finished(), PLAY))
    assert [(row["place"], row["seat"], row["player"], row["score"]) for row in rows] == [
        ("1", "red", "Anna", "129"), ("2", "blue", "Ben", "49"), ("3", "green", "Chiara", "37"),
    ]  # fmt: skip
    assert [row["step 7"] for row in rows] == ["50", "25", "80"]
    assert {row["play"] for row in rows} == {PLAY}


@pytest.mark.parametrize("name", ['=HYPERLINK("x";"Anna")', "+49 Anna", "-Anna", "@Anna", "＝1+1"])
def test_no_name_is_run_by_a_spreadsheet(name: str) -> None:
    """A text that begins like a formula is quoted; numbers below 0 stay numbers."""
    saved = export.scores(moment_of(played("prokonsul-short", players={"red": name})), PLAY).decode("utf-8-sig")
    (row, *_) = csv.DictReader(StringIO(saved, newline=""))
    assert (row["player"], row["score"]) == (f"'{name}", "129")
    assert b"\n-3,4" in spreadsheet.table([["n"], [-3, 4]], "en")


def test_the_play_is_what_bg_stats_takes() -> None:
    play = json.loads(export.play(finished(), PLAY, BEGAN, 6290))
    assert (play["playDate"], play["durationMin"], play["sourcePlayId"]) == ("2026-11-20 20:15:00", 105, PLAY)
    assert play["game"] == {
        "name": "Prokonsul", "sourceGameId": "prokonsul", "highestWins": True, "noPoints": False,
    }  # fmt: skip
    assert play["players"][0] == {
        "name": "Anna", "sourcePlayerId": "anna", "role": "Red", "rank": 1, "score": 129, "winner": True,
        "startPlayer": True,
    }  # fmt: skip
    for seconds in (None, 0, 29):
        assert "durationMin" not in json.loads(export.play(finished(), PLAY, BEGAN, seconds))


def test_bg_stats_takes_the_play_from_a_link() -> None:
    play = export.play(finished(), PLAY, BEGAN, None)
    link = export.page("Prokonsul", play).split('"')[3]
    address, _, data = link.partition("?data=")
    assert address == "https://app.bgstatsapp.com/createPlay.html"
    assert json.loads(unquote(data)) == json.loads(play)


def five() -> str:
    """A play of five with long names, as it is exported."""
    players = dict.fromkeys(("red", "blue", "green", "yellow", "purple"), "さくらこ")
    evening = Evening(Memory())
    evening.begin({"tabularium": 1, "game": "spartacus", "seats": list(players), "players": players})
    robot, match = Random(5), match_of(evening)
    while moves := match.session.legal():
        match.act(event_data(robot.choice(moves).pick(robot.choice)))
    evening.drain()
    return export.play(moment_of(evening), PLAY, BEGAN, 6300)


def test_the_code_holds_nothing_but_what_the_export_holds_and_leaves_out_what_it_can() -> None:
    whole = json.loads(five())
    address, _, data = export.short(five()).partition("?data=")
    pushed = json.loads(unquote(data))
    assert address == "https://app.bgstatsapp.com/createPlay.html"
    assert {key: whole.pop(key) for key in ("durationMin", "board")}
    for player in whole["players"]:
        del player["role"], player["rank"]
    assert pushed == whole


@pytest.mark.parametrize(("width", "height"), [(417, 404), (460, 500)])  # beside the controls, and below them
def test_five_players_fit_on_a_small_screen_with_three_pixels_a_module(width: int, height: int) -> None:
    found = code.rows(export.short(five()))
    assert 3 <= code.module(found, width, height) <= min(width, height) / len(found)
    assert len(found) == 4 + 17 + 4 * 25 + 4, "version 25 with its quiet zone"
    edge = [*found[:4], *found[-4:], *(line[:4] + line[-4:] for line in found)]
    assert {light for line in edge for light in line} == {255}
    assert found[4][4:11] == bytes(7) and found[5][4:11] == b"\0" + b"\xff" * 5 + b"\0", "dark is black"


def test_overlong_qr_code_is_left_out() -> None:
    assert code.module(code.rows(bgstats.LINK + "x" * 1500), 417, 404) == 0, "less than three pixels"
    assert code.rows(bgstats.LINK + "x" * 3000) == ()


def test_a_duel_is_pushed_without_points() -> None:
    evening = Evening(Memory())
    won(evening, "blue")
    play = json.loads(export.play(moment_of(evening), PLAY, BEGAN, None))
    assert play["game"]["noPoints"] is True
    assert [(one["rank"], one["winner"], "score" in one) for one in play["players"]] == [
        (1, True, False),
        (2, False, False),
    ]


def test_a_picture_is_a_png_from_the_top_down() -> None:
    above, below = bytes([255, 0, 0, 255]) * 2, bytes([0, 0, 255, 255]) * 2
    data = export.png(2, 2, above + below)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    kinds = dict(chunks(data[8:]))
    assert struct.unpack(">II", kinds[b"IHDR"][:8]) == (2, 2)
    assert zlib.decompress(kinds[b"IDAT"]) == b"\0" + above + b"\0" + below


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    while data:
        (size,) = struct.unpack(">I", data[:4])
        kind, body, crc = data[4:8], data[8 : 8 + size], data[8 + size : 12 + size]
        assert struct.unpack(">I", crc) == (zlib.crc32(kind + body),)
        yield kind, body
        data = data[12 + size :]


def test_everything_exported_lies_together_and_the_note_says_where(tmp_path: Path) -> None:
    evening = played("prokonsul-short", Evening(Memory(), exports=tmp_path / "exports"))
    evening.export({".csv": lambda: b"table", ".png": lambda: b"picture"})
    wait_for_export(evening)
    assert evening.note
    stem = tmp_path / "exports" / "prokonsul-1"
    assert message(evening.note, "de") == f"Gespeichert als {stem} (.jsonl, .csv, .png)"
    assert (Path(f"{stem}.csv").read_bytes(), Path(f"{stem}.png").read_bytes()) == (b"table", b"picture")
    assert parse(Path(f"{stem}.jsonl").read_text(encoding="utf-8").splitlines()[0])["game"] == "prokonsul"


def test_an_export_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "exports").write_text("a file where the folder should be")
    evening = played("prokonsul-short", Evening(Memory(), exports=tmp_path / "exports"))
    evening.export()
    wait_for_export(evening)
    assert evening.note
    assert evening.note.startswith("That did not work: ") and evening.note.endswith("File exists")


def wait_for_export(evening: Evening) -> None:
    import threading

    for thread in threading.enumerate():
        if thread.name == "export":
            thread.join()
    assert evening.drain()


# -- a new game -------------------------------------------------------------------------------------------------


def test_every_value_of_every_option_has_a_word_and_an_explanation() -> None:
    for game in Evening(Memory()).games:
        draft = table_draft.TableDraft(game)
        for option, choice in zip(game.options, new_game.choices(draft, "en"), strict=True):
            assert choice.text and len(choice.values) == len(option.values)
            assert all(word and "_" not in word for _, word, _ in choice.values)
            assert len({word for _, word, _ in choice.values}) == len(option.values)


def test_unnamed_values_are_shown_verbatim() -> None:
    draft = table_draft.TableDraft(
        replace(Evening(Memory()).games[0], options=(Option("rows", (1, "two_long", True), "X-1", "Rows"),))
    )
    (setting,) = new_game.choices(draft, "en")
    assert [word for _, word, _ in setting.values] == ["1", "two long", "on"]


def test_the_table_is_kept_when_another_game_is_chosen() -> None:
    games = {game.name: game for game in Evening(Memory()).games}
    draft = table_draft.TableDraft(games["mercator"], ("red", "blue", "black"), {"red": "Anna", "black": "Carla"})
    assert table_draft.play(draft, games["prokonsul"]).players == {"red": "Anna", "green": "Carla"}
    duel = table_draft.play(draft, games["hannibal"])
    assert (duel.seats, duel.players) == (("blue", "red"), {"red": "Anna", "blue": "Carla"})
    five = table_draft.TableDraft(games["prokonsul"], ("red", "blue", "green", "yellow", "purple"))
    assert len(table_draft.play(five, games["spartacus"]).seats) <= games["spartacus"].seats[-1]


def test_reveal_mode_survives_games_without_sealed_cards() -> None:
    evening = Evening(Memory())
    games = {game.name: game for game in evening.games}
    assert {game.name for game in evening.games if not game.sealed} == {"mercator", "spartacus"}
    first = table_draft.TableDraft(games["caesar"], ("red", "blue"), reveal="auto")
    assert evening.begin(table_draft.header(first)).header.reveal == "auto"
    draft = table_draft.play(table_draft.draft(evening.games, evening.regulars.last_table), games["mercator"])
    assert evening.begin(table_draft.header(table_draft.sit(draft, "green"))).header.reveal == "fists", (
        "as the table usually does"
    )
    again = table_draft.play(table_draft.draft(evening.games, evening.regulars.last_table), games["prokonsul"])
    assert table_draft.header(again)["reveal"] == "auto"


def test_those_who_have_played_here_are_offered_with_their_last_colour() -> None:
    evening = Evening(Memory())
    evening.begin({"tabularium": 1, "game": "spartacus", "seats": ["green", "red", "blue"],
                   "players": {"green": "Zoe", "red": "Anna"}})  # fmt: skip
    assert (list(evening.regulars.colours)[:2], evening.regulars.colours["Zoe"]) == (["Zoe", "Anna"], "green")
    games = {game.name: game for game in evening.games}
    draft = table_draft.TableDraft(games["prokonsul"], ("green",))
    known = dict(table_draft.known(draft, evening.regulars.colours))
    assert (known["Anna"], known["Zoe"]) == ("red", "red")  # green is taken: the first that is free
    seated = table_draft.call(table_draft.sit(draft, "red"), "red", "Anna")
    assert "Anna" not in dict(table_draft.known(seated, evening.regulars.colours))


# -- board data -------------------------------------------------------------------------------------------------


def test_hannibals_map_is_checked_and_changed() -> None:
    evening = Evening(Memory(), {"04": DECK["red 7"]})
    draft = board.read(evening.boards.of("hannibal"))
    assert board.write(draft, draft.confirmed) == shipped("hannibal")
    assert board.joined(draft, "land", "rome") == {"gallia", "cannae"}
    changed = board.join(draft, "land", "zama", "mauretania")
    assert board.joined(changed, "land", "zama") == {"carthago", "mauretania"}
    assert board.join(changed, "land", "mauretania", "zama") == draft
    assert board.join(draft, "sea", "rome", "rome") is draft
    evening.boards.save("hannibal", board.write(changed, True))
    assert evening.boards.of("hannibal")["confirmed"]
    with pytest.raises(Mistakes):  # a fleet starts there
        evening.boards.save("hannibal", board.write(board.join(draft, "sea", "corsica", "rome"), True))
    map_ = board.drawn(changed, "en")
    assert ("zama", "mauretania") in map_.land and set(map_.routes) == {f"{one}-{other}" for one, other in changed.sea}
    assert map_.regions["rome"].name == "Rome" and not any(map_.regions["rome"].pieces.values())
