"""What may be in the way of an update, and of going back: some version always starts, and the screen says which."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from companion.rules.words import message
from companion.system.updates import Updates
from pi import account, games, keeper, machine, program, release, service, steps, trial, update
from pi import main as installer
from pi.machine import OURS, Busy, Failed, Machine
from tests.support.cuts import play, put, said, store
from tests.support.installing import install
from tests.support.releases import Key, small, summed, tiny
from tests.support.scratch_pi import copied as another
from tests.support.scratch_pi import scratch
from tests.support.updating import Asking, Stand, minutes, quiet

CONFIG = f"{account.CONFIG}/config.yaml"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A Pi with 0.1.0, a tiny version."""
    at = tmp_path_factory.mktemp("first")
    made = scratch(at / "pi", source=tiny(at / "old", "0.1.0"))
    install(made)
    return made


@pytest.fixture
def old(first: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The same, with games; the source of 0.2.0 is what is installed from, and games of a new kind are of kind 2."""
    (tmp_path / "pi").mkdir()
    made = another(first, tmp_path / "pi")
    for name in ("PATH", "SCRATCH"):  # for main, which takes the real environment
        monkeypatch.setenv(name, made.env[name])
    play(made, "before", 1)
    return replace(made, source=tiny(tmp_path / "new", "0.2.0", reads=2, knows="new: 1"))


@pytest.fixture
def new(old: Machine) -> Machine:
    """0.2.0 is on probation."""
    put(old)
    return old


def told(m: Machine) -> str:
    """What the start page says, and it says it in every language."""
    _, last = Updates(m.root).last() or (0, None)
    assert last
    for lang in ("de", "ja"):
        assert message(last, lang) != last and "{" not in message(last, lang)
    return last


def may_update(m: Machine) -> None:
    """Another update is not refused."""
    update.ready(m, quiet, Stand().table)


# -- going back --------------------------------------------------------------------------------------------------------


def test_back_to_one_that_cannot_read_config_yaml_is_not_begun(new: Machine) -> None:
    minutes(new, Stand())
    now, stand = program.current(new), Stand()
    new.at(CONFIG).write_text("new: 1\n", encoding="utf-8")
    with pytest.raises(Failed, match=r"cannot read config\.yaml"):
        update.back(new, quiet, stand.table)
    assert program.current(new) == now and stand.done in ([], [now]) and "cannot read config.yaml" in told(new)
    may_update(new)


def test_one_that_dies_stays_where_the_one_before_cannot_read_config_yaml(new: Machine) -> None:
    now = program.current(new)
    new.at(CONFIG).write_text("new: 1\n", encoding="utf-8")
    stand = Stand(states=["died"])
    minutes(new, stand)
    assert program.current(new) == now == stand.done[-1] and "0.2.0 stays" in told(new)
    may_update(new)


@pytest.mark.parametrize("kind", [1, 2], ids=["its games", "games before"])
def test_a_mistake_in_config_yaml_that_nobody_can_read_stops_no_way_back(new: Machine, kind: int) -> None:
    """The games of the newer version are dealt with all the same: once it is corrected, the older one starts."""
    before = program.good(new)
    play(new, "now", kind)
    new.at(CONFIG).write_text("nonsense\n", encoding="utf-8")
    stand = Stand(states=["died"])
    minutes(new, stand)
    assert program.current(new) == before == stand.done[-1] and said(store(new)) == ("now" if kind == 1 else "before")
    new.at(CONFIG).unlink()
    assert program.fits(new, before, store(new)) and "0.1.0 is back" in told(new)
    may_update(new)


def test_damaged_games_stop_no_way_back(new: Machine) -> None:
    before = program.good(new)
    store(new).write_bytes(b"no database" * 1000)
    stand = Stand(states=["died"])
    minutes(new, stand)
    assert program.current(new) == before == stand.done[-1] and store(new).exists()
    may_update(new)


def test_without_a_copy_from_before_one_that_runs_stays_with_its_games(new: Machine) -> None:
    minutes(new, Stand())
    now, stand = program.current(new), Stand()
    play(new, "now", 2)
    new.remove(games.COPIES)
    with pytest.raises(Failed, match="no copy from before"):
        update.back(new, quiet, stand.table)
    assert program.current(new) == now == stand.done[-1] and said(store(new)) == "now"
    assert "no copy from before" in told(new)


def test_without_a_copy_from_before_one_that_dies_makes_room_for_one_without_games(new: Machine) -> None:
    before = program.good(new)
    play(new, "now", 2)
    new.remove(games.COPIES)
    stand = Stand(states=["died"])
    minutes(new, stand)
    assert program.current(new) == before == stand.done[-1] and not store(new).exists()
    assert said(Path(trial.last(new)["aside"])) == "now" and "begins without any" in told(new)


def test_where_the_one_before_shows_no_picture_the_one_that_died_goes_on_with_its_games(new: Machine) -> None:
    now, before = program.current(new), program.good(new)
    play(new, "now", 2)
    stand = Stand(states=["died"], dark={before})
    minutes(new, stand)
    assert program.current(new) == now == stand.done[-1] and said(store(new)) == "now"
    assert "it showed no picture" in told(new)
    may_update(new)


def test_games_on_a_stick_that_is_gone_stop_no_way_back(new: Machine) -> None:
    before = program.good(new)
    shutil.move(store(new).parent, new.root / "stick")
    stand = Stand(states=["died"])
    minutes(new, stand)
    assert program.current(new) == before == stand.done[-1]


def test_back_on_trial_to_one_without_a_picture_leaves_the_trial_as_it_was(new: Machine) -> None:
    now, before = program.current(new), program.before(new)
    on = trial.read(new)
    assert on
    trial.write(new, replace(on, left=42))
    with pytest.raises(Failed, match="running again"):
        update.back(new, quiet, Stand(dark={before}).table)
    on = trial.read(new)
    assert program.current(new) == now and on and (on.phase, on.left) == ("trying", 42)


def test_what_was_put_aside_by_an_earlier_installation_is_not_this_ones(new: Machine) -> None:
    for end in ("newer-0001", "newer-0002-wal"):
        store(new).with_name(f"{store(new).name}.{end}").write_text("earlier", encoding="utf-8")
    before = program.good(new)
    play(new, "now", 2)
    minutes(new, Stand(states=["died"]))
    aside = Path(trial.last(new)["aside"])
    assert aside.name.endswith("newer-0003") and said(aside) == "now" and said(store(new)) == "before"
    assert program.fits(new, before, store(new))


def test_a_log_that_sqlite_has_left_comes_along(new: Machine) -> None:
    """A store in WAL mode whose program was killed: what was played last is in its log alone."""
    killed = (
        "import os, sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('PRAGMA journal_mode=WAL');"
        "db.execute('PRAGMA user_version=2'); db.execute(\"UPDATE settings SET value = 'now'\"); db.commit(); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", killed, store(new)], check=False)
    assert store(new).with_name(f"{store(new).name}-wal").stat().st_size
    minutes(new, Stand(states=["died"]))
    assert said(store(new)) == "before" and said(Path(trial.last(new)["aside"])) == "now"


@pytest.mark.parametrize("reads", [1, 2], ids=["its backup", "a newer one"])
def test_a_backup_that_waits_to_be_restored_comes_only_where_it_can_be_read(new: Machine, reads: int) -> None:
    """The restore was cut off; what opens the games next goes on with it."""
    before = program.good(new)
    play(new, "now", 1)
    waiting = store(new).with_name(f"{store(new).name}-restoring")
    waiting.mkdir()
    shutil.copy(store(new), waiting / "store")
    with closing(sqlite3.connect(waiting / "store")) as db:
        db.execute(f"PRAGMA user_version={reads}")
    minutes(new, Stand(states=["died"]))
    assert program.current(new) == before and waiting.exists() == (reads == 1)
    if reads == 2:
        aside = Path(trial.last(new)["aside"])
        assert said(aside) == "now" and said(store(new)) == "before"
        assert aside.with_name(f"{aside.name}-restoring").is_dir(), "it is kept"


# -- the version before ------------------------------------------------------------------------------------------------


def test_an_update_that_is_refused_leaves_nothing_that_back_offers(old: Machine) -> None:
    """A game is begun while it unpacks."""
    before, plays = program.current(old), iter((False, True))
    table = replace(Stand().table, playing=lambda _: next(plays))
    with pytest.raises(release.ReleaseRefused):
        update.replaced(old, program.version(old.source), partial(steps.install, installer.brought(old), quiet), quiet, table)  # fmt: skip
    assert program.versions(old) == [before] and not program.before(old) and not Updates(old.root).before
    with pytest.raises(release.ReleaseRefused, match="No version before"):
        update.back(old, quiet, Stand().table)
    may_update(old)


def test_a_whole_folder_that_never_ran_is_not_offered(old: Machine) -> None:
    """The plug was pulled between “whole” and “use”; the one that is found by its time is not it either."""
    steps.install(installer.brought(old), quiet)
    assert len(program.versions(old)) == 2
    assert not program.before(old) and not Updates(old.root).before


def test_half_a_version_is_told_and_goes(old: Machine) -> None:
    before, this = program.current(old), program.version(old.source)
    trial.write(old, trial.Trial(this, before))
    old.folder(f"{OURS}/{this}/companion")
    trial.settle(old, quiet)
    assert program.versions(old) == [before] and "interrupted" in told(old)
    assert trial.read(old) is None


def test_what_is_only_half_removed_is_not_whole(old: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    put(old)
    this = program.current(old)

    def pulled(path: Path, *_: Any, **__: Any) -> None:
        raise OSError("the plug was pulled")

    monkeypatch.setattr(shutil, "rmtree", pulled)
    minutes(old, Stand(states=["died"]))
    assert program.current(old) != this and not program.whole(old, this)


def test_the_version_before_may_come_back_whatever_has_watched_the_new_one(new: Machine) -> None:
    """The first update is watched by a program that notes nothing but that the new one is good."""
    before = program.good(new)
    program._link(new, program.GOOD, program.current(new))
    new.remove(trial.STATE)
    assert program.before(new) == before and Updates(new.root).before == "0.1.0"
    assert update.back(new, quiet, Stand().table) == before


def test_a_version_that_watched_the_first_update_brings_every_note_to_an_end(old: Machine) -> None:
    """It knows three phases: with another one every update would be refused for ever."""
    seen: set[str] = set()

    def bring() -> None:
        on = trial.read(old)
        assert on
        seen.add(on.phase)
        steps.install(installer.brought(old), quiet)

    update.replaced(old, program.version(old.source), bring, quiet, Stand().table)
    on = trial.read(old)
    assert on and seen | {on.phase} <= {"switching", "trying", "back"}


# -- somebody has gone ---


@pytest.mark.parametrize("words", [["--update"], []], ids=["update", "install"])
def test_nobody_reads_any_more_and_the_update_is_in_place_all_the_same(old: Machine, words: list[str]) -> None:
    """The terminal hangs up, or `| head` has seen enough."""
    act = (
        "import sys, pathlib; from pi import main; main.SOURCE = pathlib.Path(sys.argv[1]);"
        "sys.exit(main.main(sys.argv[2:]))"
    )
    this = program.version(old.source)
    if not words:
        trial.write(old, trial.Trial(this, program.current(old)))
        program.use(old, this)
        steps.install(installer.brought(old), quiet)
    all_words: list[str | Path] = [sys.executable, "-c", act, old.source, *words, "--root", old.root]
    with subprocess.Popen(all_words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(old.env)) as running:
        assert running.stdout and running.stderr
        running.stdout.close()
        wrong = running.stderr.read()
    assert (running.returncode, wrong) == (0, b"")
    on = trial.read(old)
    assert program.current(old) == this and on and (on.this, on.phase) == (this, "trying")


def test_a_connection_that_drops_does_not_end_the_installer() -> None:
    """The real one, to its first line; it ignores what a terminal sends that hangs up."""
    look = "import signal, runpy, sys; sys.argv[1:] = ['--help']\ntry: runpy.run_path('install')\nexcept SystemExit: pass\n"
    look += "print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN)"
    words = [sys.executable, "-I", "-c", look]
    said = subprocess.run(words, cwd=Path(installer.__file__).parents[1], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[-1] == "True"


# -- what is noted -----------------------------------------------------------------------------------------------------


ODD: list[Any] = ["x/../..", 7, None, [], {}, float("nan"), True, 10**30, -1.5]


def test_a_note_of_the_wrong_kind_is_none_and_the_version_is_watched_again(new: Machine) -> None:
    this, noted = program.current(new), json.loads(new.text(trial.STATE))
    for name in noted:
        for value in ODD:
            new.write(trial.STATE, json.dumps(noted | {name: value}))
            if trial.read(new) is None:
                trial.settle(new, quiet)
            on = trial.read(new)
            assert on and on.this == this and isinstance(on.left, int), (name, value)
            assert Updates(new.root).trial()
    minutes(new, Stand(states=["died"]))
    assert program.current(new) != this and trial.read(new) is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "3", '"x"', "[" * 100_000, '{"number": "x"}', '{"number": NaN}', "\ud800"]
)
def test_notes_that_a_disk_has_spoilt_stop_nothing(new: Machine, text: str) -> None:
    for name in (trial.LAST, machine.NOTES):
        with new.at(name).open("w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
    minutes(new, Stand())
    assert "0.2.0 has passed its probation" in told(new)
    new.note(groups=["x"])
    assert new.brought("groups") == ["x"]


def test_a_trial_of_another_installation_is_void(old: Machine) -> None:
    trial.write(old, trial.Trial("0.3.0-00000000", "0.2.0-00000000", "trying"))
    assert installer.main(["--uninstall", "--root", str(old.root)]) == 0
    assert not old.at(trial.STATE).exists()
    install(old)
    trial.write(old, trial.Trial("0.3.0-00000000", "0.1.0-00000000", "trying"))
    minutes(old, Stand(states=["died"]))
    trial.settle(old, quiet)
    assert trial.read(old) is None and program.current(old) == program.version(old.source)


# -- one at a time -----------------------------------------------------------------------------------------------------


@contextmanager
def elsewhere(m: Machine) -> Iterator[None]:
    """Another process changes versions."""
    words = "import sys, pathlib, pi.machine as it; lock = it.Machine(pathlib.Path(sys.argv[1])).alone();"
    held = [sys.executable, "-c", f"{words} lock.__enter__(); print(flush=True); sys.stdin.read()", str(m.root)]
    with subprocess.Popen(held, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        yield
        other.kill()


@pytest.mark.parametrize("words", [[], ["--update"], ["--uninstall"]])
def test_who_comes_second_is_refused_with_a_sentence(
    old: Machine, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "WAIT", 0.2)
    before = program.current(old)
    with elsewhere(old):
        assert installer.main([*words, "--root", str(old.root)]) == 1
        assert "right now" in capsys.readouterr().out
        with pytest.raises(Busy), old.alone():
            pass
    assert program.current(old) == before
    with old.alone(wait=0):
        assert old.at(machine.LOCK).stat().st_mode & 0o777 == 0o600, "who cannot open it cannot hold it"


def test_a_watcher_waits_for_an_installer_and_does_not_end(new: Machine) -> None:
    """While another one has the lock nothing is decided; then it goes on."""
    this, stand = program.current(new), Stand(states=["died"])
    stack = elsewhere(new)
    stack.__enter__()
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            assert program.current(new) == this and not stand.done
            stack.__exit__(None, None, None)

    trial.watch(new, quiet, stand.table, wait)
    assert len(waited) == 3 and program.current(new) != this


def test_two_updates_at_once_leave_one_whole_version(old: Machine, tmp_path: Path) -> None:
    """As two processes, at the same moment; the third version is another one."""
    third = tiny(tmp_path / "third", "0.3.0", reads=2)
    act = (
        "import sys, pathlib, os; from pi import main, program; import pi.machine as it;"
        "main.SOURCE = pathlib.Path(sys.argv[1]); print(flush=True); sys.stdin.readline();"
        "sys.exit(main.main(['--update', '--root', sys.argv[2]]))"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", act, source, old.root], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         env=dict(old.env))
        for source in (old.source, third)
    ]  # fmt: skip
    for one in running:
        assert one.stdout
        one.stdout.readline()
    for one in running:
        assert one.stdin
        one.stdin.write(b"\n")
        one.stdin.flush()
    outs = [one.communicate()[0].decode() for one in running]
    codes = [one.returncode for one in running]
    assert sorted(codes) == [0, 1] and "on probation" in outs[codes.index(1)], outs
    now = program.current(old)
    assert program.whole(old, now) and program.whole(old, program.good(old))
    assert set(program.versions(old)) == {now, program.good(old)}


# -- a keeper ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def ask(old: Machine, key: Key) -> Asking:
    for folder in (service.ASKED, "/media/sda1"):
        old.at(folder).mkdir(parents=True)
    return Asking(old, key)


def test_a_question_that_is_a_very_deep_folder_goes(ask: Asking) -> None:
    """Made step by step, as no path is so long."""
    there = ask.m.at(keeper.ASK)
    here = os.open(there.parent, os.O_RDONLY)
    os.mkdir(there.name, dir_fd=here)
    for _ in range(3000):
        deeper = os.open(there.name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=here)
        os.close(here)
        here = deeper
        os.mkdir(there.name, dir_fd=here)
    os.close(here)
    keeper.UpdateService(ask.m, ask.stand.table, ask.key.signers).answer()
    assert not there.exists()


@pytest.mark.parametrize(
    "error", [ValueError("x"), RecursionError(), KeyError("x"), UnicodeDecodeError("a", b"", 0, 1, "x")]
)
def test_whatever_happens_the_table_hears_of_it(ask: Asking, error: Exception) -> None:
    class Odd(Stand):
        @property
        def table(self) -> service.Table:
            def playing(_: Machine) -> bool:
                raise error

            return replace(super().table, playing=playing)

    put(ask.m)
    minutes(ask.m, Stand())
    ask.stand = Odd()
    answer = ask("back")
    assert answer["state"] == "failed" and type(error).__name__ in answer["text"]


def test_whatever_happens_on_the_way_back_the_table_is_at_work_again(ask: Asking) -> None:
    m, tries = ask.m, iter([True])
    put(m)
    minutes(m, Stand())
    before = program.before(m)

    def odd(_: Machine) -> None:
        if next(tries, False):
            raise ValueError("odd")

    ask.stand.at_start = odd
    assert ask("back")["state"] == "failed"
    assert program.current(m) == before == ask.stand.done[-1] and trial.read(m) is None
    assert "0.1.0 is back" in told(m)


def test_who_asks_sees_that_root_has_ended_without_an_answer(ask: Asking) -> None:
    """Killed while it is at work, as by a lack of memory."""
    table = Updates(ask.m.root)
    table.look()
    words = (
        "import os, sys, pathlib; from pi.keeper import UpdateService; from pi.machine import Machine;"
        "desk = UpdateService(Machine(pathlib.Path(sys.argv[1]))); desk._done = lambda asked: (print(flush=True),"
        " sys.stdin.read()); desk.answer()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", words, ask.m.root], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as root:
        assert root.stdout
        root.stdout.readline()
        heard = table.heard()
        assert heard and heard.state == "working" and table.busy
        root.send_signal(signal.SIGKILL)
        root.wait()
    heard = table.heard()
    assert heard and heard.state == "failed" and "without an answer" in heard.text
    table.look()
    heard = table.heard()
    assert heard and heard.state == "working", "it may be asked again"


def test_two_that_ask_at_once_do_not_take_each_others_answer(ask: Asking) -> None:
    page, terminal = Updates(ask.m.root), Updates(ask.m.root)
    page.look()
    terminal.back()
    keeper.UpdateService(ask.m, ask.stand.table, ask.key.signers).answer()
    one, other = page.heard(), terminal.heard()
    assert other and other.state == "refused" and one and one.state == "failed" and "without an answer" in one.text


def test_an_installer_that_is_killed_leaves_nothing_half_done(ask: Asking, tmp_path: Path) -> None:
    m, before = ask.m, program.current(ask.m)
    shutil.copytree(m.source, tmp_path / "packed/home")
    place = small(m.at("/media/sda1/here"), None, "0.2.0")
    shutil.move(shutil.make_archive(str(tmp_path / "source"), "gztar", tmp_path / "packed"), place / "source.tar.gz")
    summed(place, ask.key)

    def killed(source: Path) -> None:
        trial.write(m, trial.Trial(program.version(source), before))
        m.folder(f"{OURS}/{program.version(source)}/companion")
        raise Failed("the installer")

    assert ask("take", str(place), killed)["state"] == "failed"
    assert program.versions(m) == [before] and trial.read(m) is None


# -- what comes in -----------------------------------------------------------------------------------------------------


def packed(at: Path, *members: tuple[str, bytes | None, dict[str, Any]]) -> Path:
    """An archive of these names, contents (None for a folder), and what else is to stand in their headers."""
    with tarfile.open(at, "w:gz", format=tarfile.GNU_FORMAT) as tar:
        for name, content, more in members:
            member = tarfile.TarInfo(name)
            member.type = tarfile.DIRTYPE if content is None else tarfile.REGTYPE
            member.size = len(content or b"")
            for key_, value in more.items():
                setattr(member, key_, value)
            tar.addfile(member, BytesIO(content or b""))
    return at


ARCHIVES: dict[str, Callable[[Path], Path]] = {
    "nothing in it": packed,
    "two at the top": lambda at: packed(at, ("a/x", b"", {}), ("b/x", b"", {})),
    "a file at the top": lambda at: packed(at, ("a", b"", {})),
    "sparse": lambda at: packed(at, ("home/x", b"x" * 512, {"type": tarfile.GNUTYPE_SPARSE})),
    "larger than it says": lambda at: packed(at, ("home/x", b"x" * 2_000_000, {})),
    "many files": lambda at: packed(at, *((f"home/{number}", b"", {}) for number in range(release.MEMBERS + 1))),
    "very deep": lambda at: packed(at, ("home/" + "d/" * 3000 + "x", b"", {})),
    "a name that is none": lambda at: packed(at, ("home/" + "x" * 300, b"", {})),
    "a file for a folder": lambda at: packed(at, ("home", b"", {}), ("home/x", b"", {})),
    "twice": lambda at: packed(at, ("home/x", b"1", {}), ("home/x", b"2", {})),
    "a device": lambda at: packed(at, ("home/x", b"", {"type": tarfile.CHRTYPE})),
    "a long name that goes on": lambda at: packed(at, ("x", b"x" * 50_000_000, {"type": tarfile.GNUTYPE_LONGNAME})),
    "cut": lambda at: cut(packed(at, ("home/x", os.urandom(50_000), {}))),
    "no archive": lambda at: (at.write_bytes(b"\x1f\x8b" + b"x" * 100) and at) or at,
}


def cut(at: Path) -> Path:
    at.write_bytes(at.read_bytes()[:-20_000])
    return at


@pytest.mark.parametrize("kind", ARCHIVES)
def test_an_archive_that_is_odd_is_refused_with_a_sentence(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "many files":
        monkeypatch.setattr(release, "MEMBERS", 100)
    archive = ARCHIVES[kind](tmp_path / "x.tar.gz")
    with pytest.raises(release.ReleaseRefused) as refused:
        release.unpacked(archive, tmp_path / "to", 1_000_000)
    assert refused.value.code in ("odd", "torn", "large")
    assert sum(path.stat().st_size for path in tmp_path.glob("to/**/*") if path.is_file()) <= 1_000_000


def test_a_release_of_more_than_it_says_is_refused(tmp_path: Path, key: Key) -> None:
    at = small(tmp_path / "there", None)
    (at / "more.bin").write_bytes(b"x" * 1_500_000)
    summed(at, key)
    (tmp_path / "to").mkdir()
    source = release.Folder(at)
    found = release.opened(source, tmp_path / "to", key.signers)
    with pytest.raises(release.ReleaseRefused, match="too large"):
        release.fetched(source, found, tmp_path / "to")
    assert sum(path.stat().st_size for path in (tmp_path / "to").iterdir()) < 1_200_000


@pytest.mark.parametrize(
    "more",
    [{"room": True}, {"room": -1}, {"room": 1.5}, {"changes": "News."}, {"changes": {"a": 1}}, {"version": "1.0"}],
)
def test_what_a_release_says_in_the_wrong_kind_is_refused(more: dict[str, Any], tmp_path: Path, key: Key) -> None:
    at = small(tmp_path / "there", key, **{"version": "9.9.9"} | more)
    (tmp_path / "to").mkdir()
    with pytest.raises(release.ReleaseRefused):
        release.opened(release.Folder(at), tmp_path / "to", key.signers)


# -- copies ------------------------------------------------------------------------------------------------------------


def test_holes_stay_holes(old: Machine) -> None:
    with store(old).open("r+b") as file:
        file.truncate(1 << 40)
    whole = games.copied(old, store(old), "0.1.0-00000000")
    assert whole and whole.stat().st_blocks * 512 < 1 << 20
    sparse, copy = old.root / "sparse", old.root / "copy"
    with sparse.open("wb") as file:
        file.write(b"begin")
        file.seek(1 << 30)
        file.write(b"end")
    with sparse.open("rb") as source, copy.open("wb") as to:
        games._poured(source.fileno(), to.fileno(), sparse.stat().st_size)
    assert copy.stat().st_size == sparse.stat().st_size and copy.stat().st_blocks * 512 < 1 << 20
    with copy.open("rb") as file:
        assert file.read(5) == b"begin"
        file.seek(1 << 30)
        assert file.read() == b"end"


@pytest.mark.parametrize("name", ["games [a-z].sqlite3", "*.sqlite3", "a?b", "{x}"])
def test_the_stores_name_is_no_pattern(old: Machine, name: str) -> None:
    there = store(old).rename(store(old).with_name(name))
    for _ in range(games.KEEP + 3):
        games.copied(old, there, "0.1.0-00000000")
    assert len(games.copies(old, there)) == games.KEEP == len(list(old.at(games.COPIES).iterdir()))


def test_a_versions_newest_copy_is_kept_however_often_another_one_is_copied(old: Machine) -> None:
    games.copied(old, store(old), "0.1.0-00000000")
    for _ in range(games.KEEP + 3):
        games.copied(old, store(old), "0.2.0-00000000")
    found = [copy.parent.name for copy in games.copies(old, store(old))]
    assert found[0] == "0001-0.1.0-00000000" and len(found) == games.KEEP


def test_a_copy_that_is_not_whole_is_none(old: Machine) -> None:
    part = old.at(games.PART)
    part.mkdir(parents=True)
    (part / store(old).name).write_bytes(b"half")
    assert not games.copies(old, store(old))
    copy = games.copied(old, store(old), "0.1.0-00000000")
    assert copy and said(copy) == "before" and not part.exists()


def test_games_that_eat_memory_when_they_are_checked_are_copied(old: Machine) -> None:
    with closing(sqlite3.connect(store(old))) as db:
        db.execute("CREATE TABLE bomb (x CHECK (length(hex(zeroblob(900000000))) > 0))")
        db.execute("PRAGMA ignore_check_constraints=ON")
        db.execute("INSERT INTO bomb VALUES (1)")
        db.commit()
    heard: list[Any] = []
    thread = threading.Thread(target=lambda: heard.append(games.copied(old, store(old), "0.1.0-00000000")))
    thread.start()
    thread.join()
    assert heard and heard[0]
