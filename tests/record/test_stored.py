"""`tabularium games` and `export`: no secret of a game that is being played, and the store wherever it has gone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.cli.common import STORE
from companion.games import position_of
from companion.play.evening import Evening
from companion.play.match import Match
from companion.record.store import Store
from tests.support.evenings import TABLE

Run = pytest.CaptureFixture[str]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands look, in an empty home."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "data" / "tabularium" / STORE


def act(match: Match, verb: str, seat: str = "", **facts: Any) -> None:
    receipts = match.act({"event": verb, **({"seat": seat} if seat else {}), **facts})
    assert all(receipt.ok for receipt in receipts), receipts


def choosing(match: Match) -> None:
    act(match, "pawns", order=["red", "blue", "green"])
    act(match, "province", province="asia")
    act(match, "choose", "red", card="red 9")


def revealed(match: Match) -> None:
    choosing(match)
    act(match, "choose", "blue", card="blue 7")
    act(match, "choose", "green", card="green 6")
    act(match, "reveal")
    act(match, "offer", "red", to="blue", chips=3)


def decided(match: Match) -> None:
    act(match, "pawns", order=["red", "blue", "green"])
    act(match, "decide", words="A chip was lost", change={"chips": {"red": 7}})
    act(match, "province", province="asia")


def amended(match: Match) -> None:
    revealed(match)
    number = match.session.acts[2].number
    otherwise = {"event": "choose", "seat": "red", "card": "red 8"}
    assert match.act({"event": "amend", "act": number, "as": otherwise})[0].ok


def undone(match: Match) -> None:
    revealed(match)
    act(match, "undo")
    act(match, "undo")
    act(match, "choose", "blue", card="blue 1")


def amended_down(match: Match) -> None:
    """What had been revealed is amended, the reveal falls, and what is chosen by it lies face down now."""
    revealed(match)
    otherwise = {"event": "choose", "seat": "blue", "card": "blue 3"}
    assert match.act({"event": "amend", "act": 3, "as": otherwise})[0].ok


def never_shown(match: Match) -> None:
    """Replaced, taken back and taken up before the reveal: nobody has seen any of them."""
    choosing(match)
    act(match, "choose", "red", card="red 4")
    act(match, "undo")
    act(match, "decide", words="Cards up", change={})
    act(match, "choose", "red", card="red 5")
    act(match, "undo")
    act(match, "choose", "red", card="red 8")
    act(match, "choose", "blue", card="blue 7")
    act(match, "choose", "green", card="green 6")
    act(match, "reveal")


PLAYED = {
    "choosing": (choosing, 2, 3),
    "revealed": (revealed, 7, 7),
    "decided": (decided, 1, 3),
    "amended": (amended, 8, 8),
    "undone": (undone, 9, 10),
}


def printed(capsys: Run, *words: str) -> tuple[Sequence[dict[str, Any]], str]:
    assert main(["export", *words]) == 0
    out = capsys.readouterr()
    return [json.loads(line) for line in out.out.splitlines()[1:]], out.err


@pytest.mark.parametrize("play", PLAYED)
def test_a_game_that_is_being_played_is_printed_as_far_as_everybody_may_know(
    path: Path, play: str, capsys: Run, tmp_path: Path
) -> None:
    done, public, all_of_it = PLAYED[play]
    store = Store(path)
    try:
        done(Evening(store).begin(TABLE))
    finally:
        store.close()
    lines, said = printed(capsys, "last")
    assert len(lines) == public
    assert ("they contain hidden information; --referee prints them" in said) == (public < all_of_it)
    assert len(printed(capsys, "last", "--referee")[0]) == all_of_it
    main(["export", "last"])
    (tmp_path / "game.jsonl").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["replay", "game.jsonl", "--strict"]) == 0, "it is a whole transcript"


@pytest.mark.parametrize(("play", "unseen"), [(amended_down, {"blue 3"}), (never_shown, {"red 4", "red 5", "red 9"})])
def test_what_nobody_has_seen_is_not_printed(
    path: Path, play: Any, unseen: set[str], capsys: Run, tmp_path: Path
) -> None:
    store = Store(path)
    try:
        play(Evening(store).begin(TABLE))
    finally:
        store.close()
    lines, _ = printed(capsys, "last")
    text = json.dumps(lines)
    assert lines and not any(f'"{card}"' in text for card in unseen)
    assert "green 6" in text, "what everybody has seen is there"
    main(["export", "last"])
    (tmp_path / "game.jsonl").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["replay", str(tmp_path / "game.jsonl"), "--strict"]) == 0


def test_a_game_that_is_over_is_printed_whole(path: Path, capsys: Run) -> None:
    store = Store(path)
    try:
        match = Evening(store).begin(TABLE | {"options": {"game": "short", "negotiation": "free", "no_decision": True}})
        act(match, "province", province="asia")
        for rank in range(1, 8):
            for seat in TABLE["seats"]:
                act(match, "choose", seat, card=f"{seat} {rank}")
            act(match, "reveal")
            act(match, "no_decision")
        assert match.session.view()["over"]
    finally:
        store.close()
    assert (len(printed(capsys, "1")[0]), printed(capsys, "1")[1]) == (36, "")


def test_a_game_begun_in_the_middle_says_everything_in_its_first_line(path: Path, capsys: Run) -> None:
    store = Store(path)
    try:
        evening = Evening(store)
        match = evening.begin(TABLE)
        choosing(match)
        evening.begin(TABLE | {"position": position_of(match.game.name).written(match.session.state)})
        act(evening.match, "choose", "red", card="red 8")  # type: ignore[arg-type]
    finally:
        store.close()
    assert main(["export", "last"]) == 2
    out = capsys.readouterr()
    assert out.out == "" and "game 2 is in progress" in out.err and "--referee prints it" in out.err
    assert len(printed(capsys, "last", "--referee")[0]) == 1


def test_the_games_are_found_where_they_were_saved_last(path: Path, tmp_path: Path, capsys: Run) -> None:
    goal = tmp_path / "stick" / "games.db"
    store = Store(path)
    choosing(Evening(store).begin(TABLE))
    store.close()
    store = Store(path)
    store.move(goal)
    store.close()
    assert store.path == goal
    store = Store(path)
    revealed(Evening(store).begin(TABLE))
    store.close()
    assert main(["games"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    goal.parent.rename(tmp_path / "pulled out")
    assert main(["games"]) == 0
    out = capsys.readouterr()
    assert f"The games were last saved in {goal}, which cannot be found." in out.err and len(out.out.splitlines()) == 2
