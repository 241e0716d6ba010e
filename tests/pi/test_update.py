"""Another version in place of the one that is installed: asked for, refused, put in place, watched, and taken back."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from companion.record.store import Store
from pi import account, games, keeper, program, service, trial, update
from pi.keeper import UpdateService
from pi.machine import OURS, Failed, Machine
from tests.support.installing import install, known
from tests.support.paths import ROOT
from tests.support.releases import Key, small, summed, tiny
from tests.support.scratch_pi import copied as another
from tests.support.scratch_pi import scratch
from tests.support.updating import Asking, Stand, kept, minutes, played, put, quiet, source

ALL = 1 << 30
"""Whatever number the games have."""


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A machine with a tiny version, which reads all games."""
    at = tmp_path_factory.mktemp("older")
    made = scratch(at / "pi", source=tiny(at / "old", "0.1.0", reads=ALL, knows="language: ja"))
    install(made)
    return made


@pytest.fixture
def newer(older: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Another version, in a folder of its own, for that machine."""
    there = tiny(tmp_path / "newer", "0.2.0", reads=ALL, knows="language: ja")
    with (there / "pi/files/tabularium.service").open("a", encoding="utf-8") as file:
        file.write("# newer\n")
    (tmp_path / "pi").mkdir()
    return replace(known(another(older, tmp_path / "pi"), monkeypatch), source=there)


# -- put in place, and watched -----------------------------------------------------------------------------------------


def test_another_version_is_not_installed_over_this_one(newer: Machine) -> None:
    with pytest.raises(Failed, match="is installed") as failed:
        program.unlike(newer)
    assert "--update" in failed.value.remedy


def test_an_update_copies_the_games_and_keeps_the_version_before(newer: Machine) -> None:
    before, store, stand = program.current(newer), played(newer, "ja"), Stand()
    this = put(newer, stand)
    assert stand.done == ["end", this]
    assert program.current(newer) == this and set(program.versions(newer)) == {before, this}
    assert newer.text(service.FILES[service.UNIT]).endswith("# newer\n")
    (copy,) = games.copies(newer, store)
    assert sorted(path.name for path in copy.parent.iterdir()) == ["tabularium.sqlite3", "tabularium.sqlite3-mark"]
    assert kept(copy) == kept(store) == "ja"
    owner = account.ids(newer, "passwd")[account.USER]
    for path, mode in ((copy, 0o640), (copy.parent, 0o750), (copy.parent.parent, 0o750)):
        seen = path.stat()
        assert (seen.st_uid, seen.st_gid, seen.st_mode & 0o777) == (0, owner[1], mode), "root's, and it may be read"


def test_it_is_on_trial_for_ten_minutes_of_running(newer: Machine) -> None:
    before, stand = program.current(newer), Stand()
    this = put(newer, stand)
    assert program.good(newer) == before, "whoever watches it is the one before"
    slept: list[float] = []
    stand.states = ["running"] * 10 + ["off"] * 50 + ["running"] * 10
    trial.watch(newer, quiet, stand.table, slept.append)
    assert sum(slept) == trial.SECONDS + 50 * trial.EVERY, "while it does not run, no time passes"
    assert program.good(newer) == program.current(newer) == this and trial.read(newer) is None
    assert trial.last(newer)["what"] == "updated" and trial.last(newer)["other"] == before
    assert install(newer) == 0, "nothing is left to do"


def test_a_plug_that_is_pulled_is_no_death_and_the_minutes_go_on(newer: Machine) -> None:
    stand = Stand()
    this = put(newer, stand)

    class Pulled(BaseException):
        pass

    def pulled(_: float) -> None:
        if (on := trial.read(newer)) and on.left < 300:
            raise Pulled

    with pytest.raises(Pulled):
        trial.watch(newer, quiet, stand.table, pulled)
    trial.settle(newer, quiet)
    slept: list[float] = []
    trial.watch(newer, quiet, stand.table, slept.append)
    assert 250 < sum(slept) <= 300 and program.good(newer) == this


def test_what_a_newer_version_says_besides_is_no_reason_not_to_watch_it(newer: Machine) -> None:
    before = program.current(newer)
    put(newer, Stand())
    said = json.loads(newer.text(trial.STATE))
    newer.write(trial.STATE, json.dumps(said | {"of a later version": [1]}))
    minutes(newer, Stand(states=["died"]))
    assert program.current(newer) == before
    newer.write(trial.STATE, '{"this": 3')
    trial.settle(newer, quiet)
    assert not newer.at(trial.STATE).exists(), "what nobody can read is nothing"


def test_one_that_dies_by_itself_goes_back_and_the_games_of_now_stay(newer: Machine) -> None:
    before, stand = program.current(newer), Stand()
    this = put(newer, stand)
    store = played(newer, "de")
    stand.states = ["running"] * 30 + ["off", "died"]
    minutes(newer, stand)
    assert stand.done == ["end", this, "end", before]
    assert program.current(newer) == program.good(newer) == before and program.versions(newer) == [before]
    assert "# newer" not in newer.text(service.FILES[service.UNIT])
    assert kept(store) == "de" and store.stat().st_uid == newer.at(account.DATA).stat().st_uid
    last = trial.last(newer)
    assert (last["what"], last["other"], last["why"], "aside" in last) == ("back", this, trial.DIED, False)


def test_one_without_a_first_frame_goes_back_at_once(newer: Machine) -> None:
    before, this, store = program.current(newer), program.version(newer.source), played(newer, "ja")
    stand = Stand(dark={this})
    with pytest.raises(Failed, match=f"(?s)no first frame.*{before} is running again"):
        put(newer, stand)
    assert stand.done == ["end", this, "end", before] and program.current(newer) == before
    assert kept(store) == "ja" and trial.read(newer) is None and trial.last(newer)["why"] == trial.DARK


def test_games_that_the_version_before_cannot_read_lie_beside_those_that_it_can(pi: Machine, tmp_path: Path) -> None:
    """The newer one has written them in its own way by then."""
    newer = Machine(pi.root, source(tmp_path / "newer"), pi.env)
    before, store, stand = program.current(newer), played(newer, "ja"), Stand()
    this = put(newer, stand)

    with closing(sqlite3.connect(store)) as db:  # as a newer version would
        version, ours = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id"))
        db.execute("UPDATE settings SET value = '\"de\"'")
        db.execute(f"PRAGMA user_version={version + 1}")
        db.execute(f"PRAGMA application_id={ours + 1}")
        db.commit()
    stand.states = ["died"]
    minutes(newer, stand)
    assert program.current(newer) == before != this
    aside = Path(trial.last(newer)["aside"])
    assert aside.parent == store.parent and kept(aside) == "de" and kept(store) == "ja"
    assert store.stat().st_uid == aside.stat().st_uid == newer.at(account.DATA).stat().st_uid
    with closing(Store(store)) as opened:
        assert opened.note is None, "the mark fits"


def test_games_that_cannot_be_copied_are_not_updated(newer: Machine) -> None:
    before, stand = program.current(newer), Stand()
    played(newer, "ja").write_bytes(b"no database" * 1000)
    with pytest.raises(Failed, match="could not be copied"):
        put(newer, stand)
    assert stand.done == ["end", "end", before]


def test_where_neither_version_starts_it_says_so(newer: Machine) -> None:
    before, this = program.current(newer), program.version(newer.source)
    with pytest.raises(Failed, match=r"no first frame(?s:.)*does not start either") as failed:
        put(newer, Stand(dark={before, this}))
    assert program.current(newer) == before and failed.value.remedy == "plug it in"


def test_whatever_goes_wrong_in_between_the_table_is_at_work_again(newer: Machine) -> None:
    before, stand = program.current(newer), Stand()
    played(newer, "ja")
    newer.at(games.COPIES).write_text("in the way", encoding="utf-8")
    with pytest.raises(Failed, match="games"):
        put(newer, stand)
    assert stand.done[-1] == before


def test_four_copies_are_kept(newer: Machine) -> None:
    store = played(newer, "ja")
    for _ in range(games.KEEP + 2):
        games.copied(newer, store, "0.1.0-00000000")
    assert [copy.parent.name[:4] for copy in games.copies(newer, store)] == ["0003", "0004", "0005", "0006"]


# -- root in a folder of the user's ------------------------------------------------------------------------------------


def test_root_copies_nothing_that_is_not_the_users(newer: Machine, tmp_path: Path) -> None:
    store = played(newer, "ja")
    secret = tmp_path / "secret.sqlite3"
    shutil.copy(store, secret)
    store.unlink()
    for spoil in (store.symlink_to, store.hardlink_to):
        spoil(secret)
        with pytest.raises(Failed, match="could not be copied"):
            games.copied(newer, store, "0.1.0-00000000")
        store.unlink()
    assert not games.copies(newer, store)


def test_root_puts_nothing_where_a_link_leads(newer: Machine, tmp_path: Path) -> None:
    store = played(newer, "ja")
    copy = games.copied(newer, store, "0.1.0-00000000")
    assert copy
    elsewhere = tmp_path / "elsewhere"
    shutil.move(store.parent, elsewhere)
    store.parent.symlink_to(elsewhere)
    before = sorted(path.name for path in elsewhere.iterdir())
    with pytest.raises(Failed):
        games.put_back(newer, store, copy)
    assert sorted(path.name for path in elsewhere.iterdir()) == before
    store.parent.unlink()
    shutil.move(elsewhere, store.parent)
    target = tmp_path / "target"
    target.write_text("untouched", encoding="utf-8")
    store.with_name(f".{store.name}.back").symlink_to(target)
    games.put_back(newer, store, copy)
    assert target.read_text(encoding="utf-8") == "untouched" and kept(store) == "ja"


# -- back, by hand -----------------------------------------------------------------------------------------------------


def test_back_by_hand_once_the_trial_is_over(newer: Machine) -> None:
    before, stand = program.current(newer), Stand()
    this = put(newer, stand)
    minutes(newer, stand)
    store = played(newer, "de")
    assert update.back(newer, quiet, stand.table) == before
    assert program.current(newer) == program.good(newer) == before and kept(store) == "de"
    assert program.versions(newer) == [before] and trial.last(newer)["other"] == this
    with pytest.raises(Failed, match="No version before"):
        update.back(newer, quiet, stand.table)
    assert put(newer, stand) == this, "and forward again"


def test_back_to_one_that_does_not_start_is_not_stayed_at(newer: Machine) -> None:
    before, stand = program.current(newer), Stand()
    this, store = put(newer, stand), played(newer, "de")
    minutes(newer, stand)
    stand.dark = {before}
    with pytest.raises(Failed, match=f"{this} is running again"):
        update.back(newer, quiet, stand.table)
    assert program.current(newer) == this and stand.done[-1] == this and kept(store) == "de"
    assert trial.read(newer) is None and trial.last(newer)["what"] == "stays"


# -- what was chosen before is there -----------------------------------------------------------------------------------


def test_what_was_put_in_by_hand_comes_along(newer: Machine) -> None:
    """A voice, which is no part of what the program needs; its program starts in its new place."""
    old = newer.at(f"{OURS}/{program.current(newer)}/venv")
    for of in (old, newer.at(f"{OURS}/{program.version(newer.source)}/venv")):
        (of / "lib/python3.11/site-packages").mkdir(parents=True)
    packages = old / "lib/python3.11/site-packages"
    for name, files in {
        "piper_tts-1.2": {"piper/voice.py": "voice", "../../../bin/piper": f"#!{old}/bin/python\n"},
        "rich-0.1": {"rich/old.py": "of an older version"},
        "docutils-0.2": {"docutils/old.py": "of no use"},
    }.items():
        for file, text in files.items():
            (packages / file).parent.mkdir(parents=True, exist_ok=True)
            (packages / file).write_text(text, encoding="utf-8")
        info = packages / f"{name}.dist-info"
        info.mkdir()
        rows = [*files, f"{info.name}/RECORD", "../../../../../../etc/passwd"]
        (info / "RECORD").write_text("".join(f"{row},,\n" for row in rows), encoding="utf-8")
    home = newer.at(f"{OURS}/{program.version(newer.source)}")
    program.carry(newer, home)
    there = home / "venv/lib/python3.11/site-packages"
    assert (there / "piper/voice.py").samefile(packages / "piper/voice.py"), "without taking room"
    assert (home / "venv/bin/piper").read_text(encoding="utf-8") == f"#!{home}/venv/bin/python\n"
    assert sorted(path.name for path in there.iterdir()) == ["piper", "piper_tts-1.2.dist-info"]
    assert not (home / "etc").exists()


def test_config_yaml_stays(newer: Machine) -> None:
    config = newer.at(f"{account.CONFIG}/config.yaml")
    config.write_text("language: ja\n", encoding="utf-8")
    put(newer, Stand())
    assert config.read_text(encoding="utf-8") == "language: ja\n"


# -- asked for ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def ask(pi: Machine, key: Key) -> Asking:
    for folder in (service.ASKED, "/media/sda1"):
        pi.at(folder).mkdir(parents=True)
    return Asking(pi, key)


def test_what_is_found_on_sticks_is_shown_with_what_it_says_or_why_it_is_refused(ask: Asking, key: Key) -> None:
    media = ask.m.at("/media")
    small(media / "sda1/tabularium-0.3.0", key, "0.3.0", changes=["Better.", "Faster."])
    small(media / "sdb1/deep/here", None, "0.4.0")
    small(media / "sdb1/deep/too/far", key, "0.4.0")
    small(ask.m.at("/mnt/stick"), key, "0.0.9")
    (media / "link").symlink_to(media / "sda1")
    offers = ask("look")["offers"]
    assert [Path(offer["place"]).name for offer in offers] == ["tabularium-0.3.0", "here", "stick"]
    assert (offers[0]["version"], offers[0]["changes"]) == ("0.3.0", ["Better.", "Faster."])
    assert [offer["code"] for offer in offers[1:]] == ["unsigned", "older"]
    assert offers[2]["facts"] == {"version": "0.0.9", "current": program.current(ask.m).partition("-")[0]}


def test_without_a_stick_nothing_is_found(ask: Asking) -> None:
    assert ask("look")["offers"] == []
    assert ask("address")["code"] == "no-address"


def test_the_same_version_is_not_installed_again(ask: Asking, key: Key) -> None:
    small(ask.m.at("/media/sda1/here"), key, program.current(ask.m).partition("-")[0])
    assert ask("look")["offers"][0]["code"] == "same"


def test_none_is_taken_while_a_game_is_on(ask: Asking, key: Key) -> None:
    place = small(ask.m.at("/media/sda1/here"), key)
    with ask.m.at(service.PLAYING).open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert ask("take", str(place))["code"] == "game"
        assert ask("back")["code"] == "no-before", "which is said first"
    assert ask("take", str(place))["code"] == "torn", "the game is over; and it has no archive that can be opened"


def test_none_is_taken_while_another_is_on_trial(ask: Asking, key: Key) -> None:
    trial.write(ask.m, trial.Trial("0.2.0-00000000", program.current(ask.m), "trying", 301))
    place = small(ask.m.at("/media/sda1/here"), key)
    assert ask("take", str(place))["facts"] == {"version": "0.2.0", "minutes": "6"}


def test_too_little_room_is_noticed_before_anything_is_touched(ask: Asking, key: Key) -> None:
    place = small(ask.m.at("/media/sda1/here"), key, room=10**9)
    said = ask("take", str(place))
    assert said["code"] == "room" and int(said["facts"]["free"]) > 0 and not ask.stand.done


def test_a_place_that_is_no_stick_is_not_read(ask: Asking, key: Key, tmp_path: Path) -> None:
    place = small(tmp_path / "elsewhere", key)
    for named in (str(place), f"{ask.m.at('/media')}/../{place.name}", "http://127.0.0.1:9/", ""):
        said = ask("take", named)
        assert said["state"] != "done" and not ask.installed


@pytest.mark.parametrize(
    "written",
    [
        "",
        "nonsense",
        "[]",
        "{}",
        '{"number": 1, "act": "rm"}',
        '{"number": "1", "act": "look"}',
        "[" * 4000,
        "\x00" * 9000,
    ],
)
def test_what_is_no_question_is_not_answered_and_goes(ask: Asking, written: str) -> None:
    ask.m.at(keeper.ASK).write_text(written, encoding="utf-8")
    UpdateService(ask.m, ask.stand.table).answer()
    assert not ask.m.at(keeper.ASK).exists() and not ask.m.at(keeper.SAID).exists()


def test_a_question_that_is_a_link_a_pipe_or_a_folder_is_none(ask: Asking, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(json.dumps({"number": 1, "act": "look"}), encoding="utf-8")
    there = ask.m.at(keeper.ASK)
    for lay in (partial(there.symlink_to, secret), partial(os.mkfifo, there), there.mkdir):
        lay()
        UpdateService(ask.m, ask.stand.table).answer()
        assert not os.path.lexists(there) and not ask.m.at(keeper.SAID).exists() and secret.exists()


def test_a_release_that_says_another_number_than_its_source_is_told(ask: Asking, key: Key, tmp_path: Path) -> None:
    place = packed(tmp_path, ask.m.at("/media/sda1/here"), key, "0.9.0", Path(ROOT))
    said = ask("take", str(place))
    assert said["state"] == "failed" and "instead of 0.9.0" in said["text"] and ask.installed


def packed(tmp_path: Path, at: Path, key: Key, version: str, of: Path) -> Path:
    """A release whose source is a folder."""
    shutil.copytree(of / "pi", tmp_path / "packed/home/pi", ignore=shutil.ignore_patterns("__pycache__"))
    small(at, None, version)
    made = shutil.make_archive(str(tmp_path / "source"), "gztar", tmp_path / "packed")
    shutil.move(made, at / "source.tar.gz")
    return summed(at, key)


def test_one_that_is_ours_is_put_in_place_and_taken_back_by_asking(ask: Asking, key: Key, tmp_path: Path) -> None:
    before = program.current(ask.m)
    newer = Machine(ask.m.root, source(tmp_path / "newer", ("companion/__init__.py", '"0.1.0"', '"0.2.0"')), ask.m.env)
    place = packed(tmp_path, ask.m.at("/media/sda1/here"), key, "0.2.0", newer.source)
    said = ask("take", str(place), lambda _: put(newer, ask.stand))
    assert (said["state"], said["version"]) == ("done", "0.2.0")
    minutes(newer, ask.stand)
    assert program.good(newer).startswith("0.2.0-")
    assert ask("take", str(place))["code"] == "same"
    assert ask("back") == {"number": 3, "state": "done", "version": before}
    assert trial.last(newer)["what"] == "back" and program.current(newer) == before
