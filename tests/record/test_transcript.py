"""The file format: what is an error, what it says, and what hardware lines mean."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import main
from companion.games.prokonsul.rules import Offer
from companion.record.transcript import Header, TranscriptEntry, parse, read_event, read_header, read_line
from companion.rules.mistakes import Mistakes
from tests.support.paths import TESTS
from tests.support.playing import BOARD

HEADER: dict[str, Any] = {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"], "board": BOARD}


def header(**more: Any) -> Header:
    return read_header(HEADER | more)


def mistakes(data: Any) -> list[str]:
    with pytest.raises(Mistakes) as found:
        read_line(data, None if "tabularium" in data else header())
    return [mistake.what for mistake in found.value.found]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"game": "prokonsil"}, "'prokonsil' is not a game; there are"),
        ({"game": None}, "the header needs 'game'"),
        ({"tabularium": 2}, "this program reads version 1 of the format, not 2"),
        ({"tabularium": True}, "version 1"),
        ({"seats": None}, "the header needs 'seats'"),
        ({"seats": ["red", "blue"]}, "Prokonsul is for 3 to 5 players, not 2"),
        ({"seats": ["red", "blue", "blue"]}, "seat 'blue' is named twice"),
        ({"seats": ["red", "blue", "black"]}, "'black' is no seat of Prokonsul"),
        ({"seats": ["red", "blue", "gren"]}, "did you mean 'green'?"),
        ({"seats": "red"}, "'seats' is a list of colours"),
        ({"option": {}}, "unknown key 'option'; did you mean 'options'?"),
        ({"options": []}, "'options' is an object, not []"),
        ({"options": {"gane": "short"}}, "'gane' is no option of Prokonsul; did you mean 'game'?"),
        ({"options": {"game": "shrt"}}, 'option \'game\' is "full" or "short", not "shrt"; did you mean \'short\'?'),
        ({"options": {"no_decision": "true"}}, "option 'no_decision' is false or true, not \"true\""),
        ({"options": {"no_decision": 1}}, "option 'no_decision' is false or true, not 1"),
        ({"options": {"no_decision": True}}, "option 'no_decision' needs 'negotiation' to be \"free\""),
        ({"options": {"top_two": True, "negotiation": "two_way"}}, "option 'top_two' needs 'negotiation'"),
        ({"players": {"yellow": "Dai"}}, "player 'Dai' sits at 'yellow'"),
        ({"players": {"red": 7}}, "a player's name is a text, not 7"),
        ({"tags": {"04": "red 11"}}, "tag '04': 'red 11' is not a card; did you mean 'red 1'?"),
        ({"reveal": "fist"}, "'reveal' is 'fists' or 'auto', not 'fist'; did you mean 'fists'?"),
        ({"at": 12}, "'at' is a text, not 12"),
        ({"board": {}}, "board: provinces is a mapping of seven names to their values"),
        ({"board": BOARD | {"provinces": {"a": 1}}}, "board: there are seven provinces, not 1"),
        ({"board": BOARD | {"provinces": BOARD["provinces"] | {"a": -1}}}, "board: the value of a is a whole number"),
        ({"board": BOARD | {"links": [["a", "z"]]}}, "board: 'z' is not one of the provinces"),
        ({"board": BOARD | {"links": [["a"]]}}, "board: a link is a pair of provinces"),
        ({"board": BOARD | {"links": [["a", "a"]]}}, "board: 'a' cannot be linked with itself"),
        ({"board": BOARD | {"confirmed": 1}}, "board: confirmed is true or false"),
        ({"board": BOARD | {"sure": True}}, "board: unknown key 'sure'"),
    ],
)
def test_a_wrong_header_is_an_error(change: dict[str, Any], what: str) -> None:
    said = mistakes(HEADER | change)
    assert any(what in one for one in said), said


def test_all_mistakes_of_a_header_are_reported_at_once() -> None:
    wrong = {"seats": ["red", "red"], "options": {"game": 7}, "reveal": 1, "spare": 1, "tags": {"a": "b"}}
    assert len(mistakes(HEADER | wrong)) == 6


def test_what_a_header_may_leave_out_has_its_default() -> None:
    plain = read_header({"tabularium": 1, "game": "prokonsul", "seats": ["blue", "red", "green"], "players": None})
    assert plain.options == {"game": "full", "negotiation": "strict", "no_decision": False, "top_two": False}
    assert (plain.reveal, plain.players, plain.tags, plain.at) == ("fists", {}, {}, None)
    assert plain.board and plain.board["confirmed"] is False and len(plain.board["provinces"]) == 7
    assert header(options={"no_decision": False}).options["no_decision"] is False  # off needs nothing


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ({"event": "chose"}, "'chose' is no event of Prokonsul; did you mean 'choose'?"),
        ({"event": "flip", "seat": "red", "card": "red 1"}, "'flip' is no event of Prokonsul"),
        ({"event": 7}, "7 is no event"),
        ({"event": "choose", "seat": "red"}, "choose needs the key 'card'"),
        ({"event": "choose", "seat": "red", "crad": "red 1"}, "unknown key 'crad'; did you mean 'card'?"),
        ({"event": "choose", "seat": "yellow", "card": "red 1"}, "seat: 'yellow' is not a seat of this game"),
        ({"event": "choose", "seat": None, "card": "red 1"}, "seat: None is not a seat"),
        ({"event": "choose", "seat": "red", "card": "red 11"}, "card: 'red 11' is not a card"),
        ({"event": "choose", "seat": "red", "card": 7}, "card: 7 is not a card"),
        ({"event": "province", "province": "A"}, "province: 'A' is not a place of this game"),
        ({"event": "offer", "seat": "red", "to": "blue", "chips": -1}, "chips: a whole number from 0"),
        ({"event": "offer", "seat": "red", "to": "blue", "chips": 1.0}, "chips: a whole number from 0"),
        ({"event": "offer", "seat": "red", "to": "blue", "chips": True}, "chips: a whole number from 0"),
        ({"event": "offer", "seat": "red", "to": "blue", "chips": 1, "promise": 2}, "promise: a text is expected"),
        ({"event": "answer", "seat": "red", "accept": "yes"}, "accept: true or false is expected"),
        ({"event": "pawns", "order": "red"}, "order: a list of seats is expected"),
        ({"event": "pawns", "order": ["red", "pink"]}, "order: 'pink' is not a seat"),
        ({"event": "undo", "seat": "red"}, "undo: unknown key 'seat'"),
        ({"event": "reveal", "opened": {"red": -1}}, "opened: a whole number from 0"),
        ({"event": "reveal", "opened": {"pink": 1}}, "opened: 'pink' is not a seat"),
        ({"event": "reveal", "by": "hand"}, "'by' is 'nfc' or 'button'"),
        ({"event": "reveal", "at": 1}, "'at' is a text"),
        ({"reader": "center", "tag": "04", "present": True, "t": 0}, "reader: 'center' is not a seat"),
        ({"reader": "centre", "tag": "04", "present": 1, "t": 0}, "present: true or false"),
        ({"reader": "centre", "tag": "04", "present": True}, "reader needs the key 't'"),
        ({"reader": "centre", "tag": "04", "present": True, "t": 0.5}, "t: a whole number from 0"),
        ({"button": "pink", "down": True, "t": 0}, "button: 'pink' is not a seat"),
        ({"button": "red", "down": True, "t": 0, "at": "now"}, "button: unknown key 'at'"),
        ({"evnt": "reveal"}, "did you mean 'event'?"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_event_is_an_error(line: dict[str, Any], what: str) -> None:
    said = mistakes(line)
    assert any(what in one for one in said), said


OFFER = {"event": "offer", "seat": "red", "to": "blue", "chips": 1}


def test_a_text_may_be_empty_and_holds_no_half_of_a_character() -> None:
    for text in ("", "\ud7ff\ue000 🏺"):
        assert read_event(header(), OFFER | {"promise": text}).event == Offer("red", "blue", 1, text)
    assert read_header(HEADER | {"players": {"red": ""}}).players == {"red": ""}
    for half in ("\ud800", "never \udc00 mind", "\udfff", "a\ud83d"):
        assert mistakes(OFFER | {"promise": half}) == [f"promise: a text is expected, not {half!r}"]
        assert mistakes(HEADER | {"players": {"red": half}}) == [f"a player's name is a text, not {half!r}"]


def test_null_is_nothing_where_a_key_may_be_left_out_and_a_mistake_where_it_may_not() -> None:
    assert read_event(header(), OFFER | {"promise": None}) == read_event(header(), OFFER)
    for key in ("seat", "to", "chips"):
        said = mistakes(OFFER | {key: None})
        assert len(said) == 1 and said[0].startswith(f"{key}: "), said
        assert mistakes({k: v for k, v in OFFER.items() if k != key}) == [f"offer needs the key {key!r}"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", "broken JSON: Expecting property name"),
        ("[1]", "a line is a JSON object"),
        ('{"event": "undo", "event": "undo"}', "'event' stands twice"),
        ('{"event": NaN}', "NaN is not a number of JSON"),
        (b'{"event": "\xff"}', "not UTF-8"),
        ("[" * 100_000, "levels deep"),
        ('{"chips": ' + "9" * 5000 + "}", "at most 15 digits"),
    ],
)
def test_broken_json_is_an_error(text: str | bytes, what: str) -> None:
    with pytest.raises(Mistakes) as found:
        parse(text)
    assert what in str(found.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
keys = ("event", "seat", "card", "order", "chips", "to", "opened", "by", "at", "reader", "tag", "t", "button", "board", "options", "seats", "players", "tags", "tabularium", "game")  # fmt: skip
words = st.sampled_from(["choose", "reveal", "offer", "pawns", "prokonsul", "red", "red 7", "centre", 1, "fists"])


@given(st.dictionaries(st.sampled_from(keys), json_values | words, max_size=6))
def test_no_line_whatsoever_is_more_than_a_mistake(data: dict[str, Any]) -> None:
    try:
        read_line(data, header())
    except Mistakes as found:
        assert all(mistake.what for mistake in found.found)


# -- the command ------------------------------------------------------------------------------------------------


def run(
    tmp_path: Path, lines: list[Any], *flags: str, capsys: pytest.CaptureFixture[str]
) -> tuple[int, list[Any], str]:
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    status = main(["replay", str(file), "--json", *flags])
    out, err = capsys.readouterr()
    return status, [json.loads(line) for line in out.splitlines()], err.replace(str(tmp_path) + "/", "")


OPENING: list[Any] = [
    HEADER,
    {"event": "pawns", "order": ["red", "blue", "green"]},
    {"event": "province", "province": "a"},
]


def test_output_has_a_line_for_each_line_that_is_not_blank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(
        tmp_path, ["# a comment", HEADER, "", "  ", *OPENING[1:], "", {"event": "reveal"}], capsys=capsys
    )
    assert (status, err) == (0, "")
    assert [line["line"] for line in out] == [2, 5, 6, 8]
    assert out[0]["event"] is None and out[0]["ok"] and out[0]["rulings"] == [] and out[0]["view"]["phase"] == "pawns"
    assert out[1]["event"] == {"event": "pawns", "order": ["red", "blue", "green"]}
    assert out[3]["ok"] is False
    assert out[3]["rulings"] == [
        {"code": "missing", "rule": "P-5", "text": "Not yet: Red, Blue and Green must still choose.",
         "facts": {"waiting": ["red", "blue", "green"]}}
    ]  # fmt: skip


def test_an_error_stops_the_run_there_and_names_every_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [*OPENING, {"event": "chose", "seat": "red", "card": "red 7"}, {"event": "reveal"}, {"event": "revel"}]
    status, out, err = run(tmp_path, lines, capsys=capsys)
    assert status == 2
    assert len(out) == 3
    assert err.splitlines() == [
        "game.jsonl:4: 'chose' is no event of Prokonsul; did you mean 'choose'?",
        "game.jsonl:6: 'revel' is no event of Prokonsul; did you mean 'reveal'?",
    ]


@pytest.mark.parametrize(
    ("lines", "err"),
    [
        ([], "game.jsonl:1: a transcript begins with its header"),
        ([{"event": "reveal"}], "game.jsonl:1: a transcript begins with its header"),
        ([HEADER | {"seats": ["red"]}, {"event": "x"}], "game.jsonl:1: Prokonsul is for 3 to 5 players, not 1"),
        ([HEADER, {"button": "red", "down": True, "t": 5}, {"button": "red", "down": False, "t": 4}], "game.jsonl:3: t goes back"),
    ],
)  # fmt: skip
def test_errors_of_the_whole_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[Any], err: str
) -> None:
    status, _, said = run(tmp_path, lines, capsys=capsys)
    assert status == 2
    assert said.startswith(err) and len(said.splitlines()) == 1


def test_a_missing_file_is_an_error_without_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "/nowhere/game.jsonl"]) == 2
    assert capsys.readouterr().err == "/nowhere/game.jsonl: No such file or directory\n"


def test_strict_private_and_referee(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        *OPENING,
        {"event": "choose", "seat": "red", "card": "red 7"},
        {"event": "choose", "seat": "red", "card": "blue 7"},
    ]
    status, out, _ = run(tmp_path, lines, "--strict", "--seat", "red", capsys=capsys)
    assert status == 1
    assert out[3]["private"]["choice"] == "red 7"
    assert "state" not in out[3]
    status, out, _ = run(tmp_path, lines, "--referee", capsys=capsys)
    assert status == 0
    assert out[3]["state"]["choices"] == {"red": "red 7"} and "private" not in out[3]
    status, out, _ = run(tmp_path, lines, capsys=capsys)
    assert "red 7" not in json.dumps(out[3]["view"]) + json.dumps(out[3]["rulings"])


def test_the_header_of_another_seat_is_no_seat_to_look_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(tmp_path, OPENING, "--seat", "purple", capsys=capsys)
    assert status == 2 and err == "game.jsonl:1: purple has no seat in this game\n"


def test_the_program_itself_reads_utf_8_in_any_locale(tmp_path: Path) -> None:
    file = tmp_path / "spiel.jsonl"
    offer = {"event": "offer", "seat": "red", "to": "blue", "chips": 1, "promise": "Sizilien für dich – 約束"}
    moves = [{"event": "choose", "seat": s, "card": f"{s} 5"} for s in ("red", "blue", "green")]
    lines = [*OPENING, *moves, {"event": "reveal"}, offer]
    file.write_text("\r\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    command = [sys.executable, "-m", "companion", "replay", str(file)]
    done = subprocess.run(command, capture_output=True, env={"LC_ALL": "C", "PYTHONUTF8": "0"}, check=False)
    assert done.returncode == 0, done.stderr
    assert "約束" in done.stdout.decode("utf-8")


# -- hardware lines ---------------------------------------------------------------------------------------------


def tag(card: str) -> str:
    return card.replace(" ", "").upper()


TAGS = {tag(f"{seat} {rank}"): f"{seat} {rank}" for seat in ("red", "blue", "green", "yellow") for rank in (5, 7, 10)}


def lay(card: str, t: int, reader: str = "centre", present: bool = True) -> dict[str, Any]:
    return {"reader": reader, "tag": tag(card), "present": present, "t": t}


def button(seat: str, down: bool, t: int) -> dict[str, Any]:
    return {"button": seat, "down": down, "t": t}


def hardware(tmp_path: Path, capsys: pytest.CaptureFixture[str], *lines: Any, **header: Any) -> list[Any]:
    """The outputs of these lines after the opening of a game with tags."""
    opening = [HEADER | {"tags": TAGS} | header, *OPENING[1:]]
    status, out, err = run(tmp_path, [*opening, *lines], capsys=capsys)
    assert status == 0, err
    return out[3:]


ALL_DOWN = [lay("red 5", 10), lay("blue 7", 20), lay("green 5", 30)]


def test_cards_on_readers_are_choices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = hardware(
        tmp_path, capsys, lay("red 5", 10), lay("red 5", 20, present=False), lay("blue 7", 30, "blue"),
        lay("green 5", 40, "blue"), lay("yellow 5", 50), lay("red 10", 60), {**lay("red 5", 70), "tag": "FFFF"},
    )  # fmt: skip
    assert out[0]["event"] == {"event": "choose", "seat": "red", "card": "red 5", "by": "nfc"}
    assert (out[1]["event"], out[1]["ok"], out[1]["rulings"]) == (None, True, [])  # lifting is never an event
    assert out[2]["view"]["chosen"] == ["red", "blue"]
    assert [(o["ok"], o["rulings"][0]["code"], o["rulings"][0]["rule"]) for o in out[3:]] == [
        (False, "reader", "T-2"), (False, "seat", "T-2"), (False, "card", "T-2"), (False, "unknown_tag", "T-2"),
    ]  # fmt: skip
    assert out[6]["event"] is None


def test_fists_hold_together_and_the_last_release_is_the_reveal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = hardware(
        tmp_path, capsys, button("red", True, 1), *ALL_DOWN, button("blue", True, 40), button("blue", False, 45),
        button("green", True, 50), button("blue", True, 60), button("green", False, 100), button("red", False, 138),
        button("blue", False, 612),
    )  # fmt: skip
    quiet, last = out[:-1], out[-1]
    assert all(o["event"] is None for o in quiet if o["line"] not in (5, 6, 7))
    assert [r["code"] for r in out[7]["rulings"]] == ["open"]
    opened = {"red": 38, "blue": 512, "green": 0}
    assert last["event"] == {"event": "reveal", "opened": opened, "by": "button"}
    assert last["rulings"][-1]["code"] == "late" and last["rulings"][-1]["facts"]["late"] == {"blue": 512}


def test_fists_that_are_closed_before_the_last_card_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fists = [button(seat, True, 1) for seat in ("red", "blue", "green")]
    lets_go = [button(seat, False, 100) for seat in ("red", "blue", "green")]
    out = hardware(tmp_path, capsys, *fists, *ALL_DOWN, *lets_go)
    assert out[-1]["event"]["opened"] == {"red": 0, "blue": 0, "green": 0}
    out = hardware(
        tmp_path, capsys, *fists, *ALL_DOWN[:2], {"event": "choose", "seat": "green", "card": "green 5"}, *lets_go
    )
    assert out[-1]["event"]["event"] == "reveal"


def test_a_fist_that_closes_again_before_the_last_opens_is_closed_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fists = [button(seat, True, 50) for seat in ("red", "blue", "green")]
    out = hardware(
        tmp_path, capsys, *ALL_DOWN, *fists, button("red", False, 60), button("red", True, 70), button("blue", False, 80),
        button("green", False, 90), button("red", False, 95),
    )  # fmt: skip
    assert [o["event"] for o in out[3:-1]] == [None] * 7
    assert out[-1]["event"]["opened"] == {"red": 15, "blue": 0, "green": 10}


def test_auto_reveals_by_itself_when_the_last_card_is_down_but_not_after_a_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = hardware(tmp_path, capsys, *ALL_DOWN, reveal="auto")
    assert out[2]["event"]["event"] == "choose" and out[2]["followed"] == [{"event": "reveal", "by": "nfc"}]
    assert [r["code"] for r in out[2]["rulings"]] == ["chosen", "revealed", "plea", "silence"]
    last = {"event": "choose", "seat": "green", "card": "green 5"}
    out = hardware(tmp_path, capsys, *ALL_DOWN[:2], last, reveal="auto")
    assert out[2]["view"]["phase"] == "choosing" and "followed" not in out[2]


@pytest.mark.parametrize(("held", "accept"), [(1, True), (599, True), (600, False), (5000, False)])
def test_a_short_press_is_yes_a_long_one_no(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], held: int, accept: bool
) -> None:
    offer = {"event": "offer", "seat": "blue", "to": "red", "chips": 1}
    press = [
        button("green", True, 90),
        button("green", False, 95),
        button("red", True, 100),
        button("red", False, 100 + held),
    ]
    out = hardware(tmp_path, capsys, *ALL_DOWN, {"event": "reveal"}, offer, *press)
    assert [o["event"] for o in out[5:8]] == [None] * 3
    assert out[8]["event"] == {"event": "answer", "seat": "red", "accept": accept, "by": "button"}


def test_a_press_that_began_in_another_moment_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    offer = {"event": "offer", "seat": "blue", "to": "red", "chips": 1}
    out = hardware(
        tmp_path, capsys, *ALL_DOWN, {"event": "reveal"}, button("red", True, 90), offer, button("red", False, 99)
    )
    assert out[-1]["event"] is None and out[-1]["view"]["phase"] == "answering"


def test_a_series_counts_the_games_won_and_skips_the_unfinished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = TESTS / "goldens" / "prokonsul-short.jsonl"
    lines = golden.read_text(encoding="utf-8").splitlines()
    status, out, _ = run(tmp_path, [*lines, HEADER], capsys=capsys)
    assert status == 0
    series = out[-1]["series"]
    assert (series["game"], series["games"]) == ("prokonsul", 2)
    assert sum(series["scores"].values()) >= 2


@pytest.mark.parametrize("half", ["\ud800", "ok \udfff", "\udc00 ok", "a\ud83d"])
def test_half_a_character_is_no_text_wherever_it_stands(half: str) -> None:
    assert mistakes(HEADER | {"players": {"red": half}})
    assert mistakes(HEADER | {"at": half})
    assert mistakes({"event": "offer", "seat": "red", "to": "blue", "chips": 1, "promise": half})


def test_an_empty_text_is_a_text_and_so_is_any_whole_character() -> None:
    assert header(players={"red": "", "blue": "\U0001f3b2"}).players == {"red": "", "blue": "\U0001f3b2"}
    data = {"event": "offer", "seat": "red", "to": "blue", "chips": 1}
    for promise in ("", "\ud7ff", "\ue000"):
        entry = read_line(data | {"promise": promise}, header())
        assert isinstance(entry, TranscriptEntry) and isinstance(entry.event, Offer) and entry.event.promise == promise


def test_null_leaves_out_only_what_may_be_left_out() -> None:
    offer = {"event": "offer", "seat": "red", "to": "blue", "chips": 1}
    assert read_line(offer | {"promise": None, "at": None, "by": None}, header()) == read_line(offer, header())
    assert mistakes(offer | {"chips": None}) == ["chips: a whole number from 0 is expected, not None"]
    assert mistakes(offer | {"to": None}) == ["to: None is not a seat of this game (red, blue, green)"]
    reading = {"reader": "centre", "tag": "04", "present": None, "t": 1}
    assert mistakes(reading) == ["present: true or false is expected, not None"]


@pytest.mark.parametrize(("game", "seats"), [("mercator", 3), ("spartacus", 3), ("caesar", 2)])
def test_a_game_without_board_data_has_none_and_is_given_none(game: str, seats: int) -> None:
    data = {"tabularium": 1, "game": game, "seats": HEADER["seats"][:seats]}
    assert read_header(data | {"board": None}).board is None
    assert mistakes(data | {"board": BOARD}) == [f"{game.capitalize()} has no board data"]
