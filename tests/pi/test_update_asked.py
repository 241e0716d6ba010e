"""The table asks and root answers: by finger, by ear and in a terminal, in the table's language."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.cli import update as cli
from companion.cli.update import update as typed
from companion.dialogues.lobby import dialogues
from companion.dialogues.services import Services
from companion.dialogues.updates import UpdateDialogue
from companion.play.evening import Evening
from companion.record.store import Store
from companion.rules.menu import Choice, Do, Made, Note, leads, made
from companion.rules.words import message, tr
from companion.system.updates import WHY, Answer, Updates
from pi import keeper, program, service, trial
from pi.keeper import ASK, UpdateService
from pi.machine import Machine
from tests.support.paths import ROOT
from tests.support.releases import Key, small
from tests.support.updating import Stand


class Both:
    """The table, and root beside it, which answers when it is told to or as soon as anything is asked."""

    def __init__(self, m: Machine, key: Key) -> None:
        m.at(service.ASKED).mkdir(parents=True)
        self.m, self.stand, self.taken = m, Stand(), list[Path]()
        self.table = Updates(m.root, "https://example.org/tabularium")
        self.desk = UpdateService(m, self.stand.table, key.signers, self.taken.append)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        over = threading.Event()

        def answers() -> None:
            while not over.wait(0.01):
                if self.m.at(ASK).exists():
                    self.desk.answer()

        root = threading.Thread(target=answers)
        root.start()
        try:
            yield
        finally:
            over.set()
            root.join()


def answered(both: Both) -> Answer:
    answer = both.table.heard()
    assert answer
    return answer


@pytest.fixture
def both(pi: Machine, key: Key) -> Both:
    return Both(pi, key)


class Playing:
    """Whether a game lies on the table; it can be put away."""

    def __init__(self, on: bool = False) -> None:
        self.on = on

    def away(self) -> None:
        self.on = False


def dialogue(both: Both, playing: Playing | None = None) -> UpdateDialogue:
    at = playing or Playing()
    return UpdateDialogue(both.table, lambda: at.on, at.away)


def texts(both: Both, lang: str = "en") -> list[str]:
    return [tr(note.text, lang, **note.facts) for note in dialogue(both).menu().body if isinstance(note, Note)]


def offered(at: UpdateDialogue) -> list[str]:
    return [tr(entry.text, **entry.facts) for entry in at.menu().entries]


def take(at: UpdateDialogue, text: str) -> Made:
    """What comes of this entry."""
    return made(next(entry.then for entry in at.menu().entries if tr(entry.text, **entry.facts) == text))


# -- by finger ---------------------------------------------------------------------------------------------------------


def test_it_finds_the_newest_of_two_sticks_and_says_what_is_new(both: Both, key: Key) -> None:
    small(both.m.at("/media/sda1/a"), key, "0.9.0", changes=["Old news."])
    small(both.m.at("/media/sdb1/b"), key, "0.10.0", changes=["News.", "More. " * 4000])
    small(both.m.at("/media/sdc1/c"), None, "0.11.0")
    both.table.look()
    assert offered(dialogue(both)) == [], "nothing else is asked meanwhile"
    both.desk.answer()
    best = answered(both).best
    assert best and offered(dialogue(both)) == ["Install 0.10.0", "Check USB sticks", "Check online"]
    assert texts(both)[1:] == [
        "What is new in 0.10.0",
        "News.",
        "Further changes, listed in CHANGELOG.md: 1",
        "sdc1/c: This update is not signed: it may not be genuine.",
    ]
    assert texts(both, "de")[-1] == "sdc1/c: " + tr(WHY["unsigned"], "de") != texts(both)[-1]
    both.table.take(best.place)
    both.desk.answer()
    answer = answered(both)
    assert message(answer.text, "de").startswith("source.tar.gz in diesem Update")


def test_while_a_game_is_on_it_is_offered_to_stop_it(both: Both, key: Key) -> None:
    place = small(both.m.at("/media/sda1/a"), key)
    both.table.playing(True)
    both.table.take(str(place))
    both.desk.answer()
    answer = both.table.heard()
    assert answer and answer.state == "refused" and answer.text.startswith("A game is in progress.")
    at = Playing(on=True)
    assert offered(dialogue(both, at)) == ["Stop the game for another evening"]
    stop = take(dialogue(both, at), "Stop the game for another evening")
    assert isinstance(stop, Do)
    stop.act()
    assert not at.on and offered(dialogue(both, at)) == []
    both.table.playing(True)  # the next game
    both.table.playing(False)
    assert not service.playing(both.m)


def test_a_table_that_was_killed_holds_nothing_up(both: Both) -> None:
    says = "import sys, pathlib, companion.system.updates as it; u = it.Updates(pathlib.Path(sys.argv[1]));"
    words: list[str | Path] = [
        sys.executable,
        "-c",
        f"{says} u.playing(True); print(flush=True); sys.stdin.read()",
        both.m.root,
    ]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout and other.stdout.readline()
        assert service.playing(both.m)
        other.kill()
    assert not service.playing(both.m)


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ({"what": "updated"}, "0.2.0 has passed its probation."),
        ({"what": "cut"}, "The update to 0.1.0 was interrupted."),
        ({"what": "stays", "why": "dark"}, "0.2.0 stays, because 0.1.0 cannot be restored: it showed no picture."),
        (
            {"what": "stays", "why": "config"},
            "0.2.0 stays, because 0.1.0 cannot be restored: it cannot read config.yaml.",
        ),
        (
            {"what": "back", "why": "died", "aside": "/x", "games": "none"},
            "0.2.0 is back in place of 0.1.0: it crashed",
        ),
        ({"what": "back", "why": "died"}, "0.2.0 is back in place of 0.1.0: it crashed within ten minutes."),
        (
            {"what": "back", "why": "asked", "aside": "/x"},
            "0.2.0 is back in place of 0.1.0: somebody asked for it. It cannot",
        ),
        ({"what": "back", "why": "a disk of 1 MB"}, "0.2.0 is back in place of 0.1.0: a disk of 1 MB."),
    ],
)
def test_what_became_of_it_is_told_in_every_language(both: Both, said: dict[str, str], begins: str) -> None:
    trial.told(both.m, said.pop("what"), "0.2.0-00000000", "0.1.0-11111111", **said)
    number, told = both.table.last() or (0, None)
    assert told and number == 1 and told.startswith(begins)
    for lang in ("de", "ja"):
        assert message(told, lang) != told and "{" not in message(told, lang)


def test_the_way_back_is_offered_where_there_is_one(both: Both) -> None:
    assert both.table.before == "" and len(offered(dialogue(both))) == 2
    other = both.m.at("/opt/tabularium/0.0.9-00000000")
    other.mkdir()
    assert both.table.before == "", "it is not whole"
    (other / program.WHOLE).touch()
    assert both.table.before == "", "it has never run here: an update that was refused has left it"
    both.m.at(program.BEFORE).symlink_to(other.name)
    assert both.table.before == program.before(both.m).partition("-")[0] == "0.0.9" and "Back to 0.0.9" in offered(
        dialogue(both)
    )
    trial.write(both.m, trial.Trial(program.current(both.m), other.name, "trying", 301))
    assert both.table.trial() == ("0.1.0", 6) and any("6 more minutes" in text for text in texts(both))


@pytest.mark.parametrize("written", ["", "[]", "{", '{"number": "x"}', '{"number": 1, "offers": 3}', "[" * 9000])
def test_whatever_lies_there_the_page_stands(both: Both, written: str) -> None:
    both.table.look()
    for name in ("run/tabularium-update/said.json", "opt/tabularium/last.json", "opt/tabularium/trial.json"):
        (both.m.root / name).write_text(written, encoding="utf-8")
    assert texts(both)


def test_where_nothing_was_installed_nobody_is_asked(tmp_path: Path) -> None:
    updates = Updates(tmp_path)
    assert not updates.there and updates.last() is None
    with closing(Store(tmp_path / "tabularium.sqlite3")) as store:
        offered = dialogues(Evening(store), Services(updates=updates))
        assert not any(isinstance(of, UpdateDialogue) for of in offered)


# -- by ear ------------------------------------------------------------------------------------------------------------


def heard(at: UpdateDialogue) -> list[str]:
    """All that an ear steps through."""
    return [tr(entry.text, **entry.facts) for entry in at.menu().steps]


def test_by_ear_it_is_found_told_and_installed(both: Both, key: Key) -> None:
    small(both.m.at("/media/sda1/a"), key, changes=["Better."])
    small(both.m.at("/media/sdb1/b"), None)
    at = dialogue(both)
    entry = leads(at)
    assert isinstance(entry.then, Do) and entry.text == "Update"
    entry.then.act()
    assert heard(at) == ["This is version 0.1.0.", "Looking …"], "who comes to it has it looked for"
    both.desk.answer()
    assert heard(at)[1:3] == ["What is new in 9.9.9", "Better."] and tr(WHY["unsigned"]) in heard(at)[3]
    install = take(at, "Install 9.9.9")
    assert isinstance(install, Choice) and isinstance(asked := install.body[0], Note)
    assert "restarts with 9.9.9" in tr(asked.text, **asked.facts)
    (sure,) = install.entries
    assert isinstance(sure.then, Do)
    sure.then.act()
    assert json.loads(both.m.at(ASK).read_text(encoding="utf-8"))["act"] == "take"
    both.desk.answer()
    assert heard(at)[1].startswith("source.tar.gz")
    assert len(set(heard(at))) == len(heard(at)), "no two entries say the same"


# -- in a terminal -----------------------------------------------------------------------------------------------------


def test_in_a_terminal_it_asks_before_it_does(both: Both, key: Key, capsys: pytest.CaptureFixture[str]) -> None:
    small(both.m.at("/media/sda1/a"), key, changes=["Better."])
    with both.at_once():
        assert typed(both.table, back=False, address=False, yes=False, ask=lambda _: "n") == 0
        out = capsys.readouterr().out
        assert "version 9.9.9" in out and "  - Better." in out and out.endswith("Nothing was changed.\n")
        assert typed(both.table, back=False, address=False, yes=True) == 1
        assert "source.tar.gz in this update is damaged" in capsys.readouterr().err
        assert typed(both.table, back=True, address=False, yes=True) == 2


@pytest.mark.parametrize("act", ["look", "take", "back"])
def test_whoever_asks_is_told_at_once_that_it_is_heard(both: Both, act: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes then: the games of a slow Pi are copied for longer than anybody waits for a word."""
    heard: list[object] = []

    def seen(_: object) -> dict[str, object]:
        heard.append(both.table.heard())
        return {}

    monkeypatch.setattr(both.desk, "_done", seen)
    {"look": both.table.look, "take": lambda: both.table.take("/media/x"), "back": both.table.back}[act]()
    both.desk.answer()
    (answer,) = heard
    assert isinstance(answer, Answer) and (answer.state, answer.step) == ("working", act)


def test_in_a_terminal_nothing_to_install_is_no_fault(both: Both, key: Key, capsys: pytest.CaptureFixture[str]) -> None:
    with both.at_once():
        assert typed(both.table, back=False, address=False, yes=False) == 0
        assert "No USB stick" in capsys.readouterr().out
        small(both.m.at("/media/sda1/a"), key, "0.1.0")
        assert typed(both.table, back=False, address=False, yes=False) == 0
        small(both.m.at("/media/sda1/b"), None, "0.3.0")
        assert typed(both.table, back=False, address=False, yes=False) == 1
        assert "not signed" in capsys.readouterr().out


def test_in_a_terminal_a_question_waits_while_root_is_at_another_one(
    both: Both, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However short its patience with nobody is."""
    monkeypatch.setattr(cli, "PATIENCE_S", 0.1)
    monkeypatch.setattr(cli, "EVERY_S", 0.01)
    at_it = threading.Event()

    def root() -> None:
        with keeper._busy(both.m.at(keeper.BUSY)):
            at_it.set()
            threading.Event().wait(0.5)
            both.desk.answer()

    other = threading.Thread(target=root)
    other.start()
    at_it.wait()
    assert typed(both.table, back=False, address=False, yes=False) == 0
    other.join()
    out = capsys.readouterr().out
    assert "waiting for another update to finish" in out and "No USB stick" in out
    assert typed(both.table, back=False, address=False, yes=False) == 1
    assert "the updater does not answer" in capsys.readouterr().err
