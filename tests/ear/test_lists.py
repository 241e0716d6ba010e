"""Every list an ear can step through, to its last entry, in every language: nothing is silent, doubled or unsayable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.answers import guide
from companion.cli.simulate import play, table
from companion.dialogues import lobby, new_game
from companion.dialogues.lobby import Lobby
from companion.dialogues.services import Services
from companion.dialogues.settings import LANGUAGE, NAMES
from companion.ear import LISTENING
from companion.ear import seats as hands
from companion.ear.seats import AudioSeats
from companion.offers.acts import Acts
from companion.offers.table_menu import GOING_ON, RULES, WHY
from companion.play.evening import Evening
from companion.record.store import Store
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Do, Entry, Number, Then, made
from companion.rules.speech import Explained, Heard
from companion.rules.words import LANGUAGES, Tongue, catalogue
from companion.session.receipt import Receipt
from companion.voice.spoken_language import Spoken
from companion.voice.table_speech import TABLE as SAID
from tests.support.sayable import UNSAID
from tests.support.tables import EVERYTHING, FEW, TABLES

PAGES = (hands.HISTORY, GOING_ON)
"""The lists besides the acts, which have walks of their own (`test_ear`)."""


DEEP = 4
"""A table that is set up can be changed for ever: so many lists deep is enough, and every change is a list of its own."""


def everything(then: Then, deep: int = DEEP) -> Iterator[Entry | Saying]:
    """All that can be heard from here, without anything being done."""
    match made(then):
        case Choice(ask, entries):
            known = [(entry.text, repr(entry.facts)) for entry in entries]
            assert len(set(known)) == len(known), known
            yield from [ask] if ask else []
            for entry in entries:
                yield entry
                if deep and not isinstance(entry.then, Do):
                    yield from everything(entry.then, deep - 1)
        case Number(ask):
            yield from [ask] if ask else []
        case list() | tuple() as sayings:
            yield from sayings


def forms(text: str) -> list[str]:
    """A template, and with its explanation where it has one."""
    return [text, text.full] if isinstance(text, Explained) else [text]


def good(said: str, lang: str) -> None:
    assert said.strip(" .。、"), lang
    assert not UNSAID.search(said), said


FOR_EYES = re.compile(
    r"\b(tap|touch|swipe|drag|click)|screen|tipp|berühr|wisch|bildschirm|タップ|画面|触れ|スワイプ|クリック", re.I
)
"""Gestures, and the screen: nobody who only hears is told of them."""


@pytest.mark.parametrize(("name", "seats", "options"), TABLES if EVERYTHING else FEW)
def test_no_prompt_for_eyes_reaches_an_ear(name: str, seats: int, options: dict[str, Any]) -> None:
    """What is asked of all and of each, and every entry and question of an act, at every moment, in every language."""
    header = table(games.game(name), seats, options)
    heard: dict[str, Saying | Entry] = {}
    for session, _ in play(header, Random(name)):
        at = guide.known(header, session)
        asked = [guide.turn(header.game, at), *(guide.mine(header.game, at, seat) for seat in header.seats)]
        lists = [entry for seat in header.seats for entry in Acts(header.game, session.state, at, seat).entries()]
        heard |= {one.text: one for one in (*asked, *lists) if one}
    for lang in LANGUAGES:
        told = [Spoken(lang).tr(text, **one.facts) for one in heard.values() for text in forms(one.text)]
        templates = [of for said in SAID.values() if isinstance(said, Heard) for of in (said.brief, said.full) if of]
        for said in [*told, *(catalogue(lang)(of) for of in templates if type(of) is str)]:
            assert not FOR_EYES.search(said), said


@pytest.mark.parametrize(("name", "seats", "options"), TABLES if EVERYTHING else FEW)
def test_all_that_is_told_besides_the_acts_can_be_said(name: str, seats: int, options: dict[str, Any]) -> None:
    header, rng = table(games.game(name), seats, options), Random(name)
    header = replace(header, ears=header.seats)
    log: list[Receipt] = []
    tried = 0
    for session, receipt in play(header, rng):
        log.append(receipt)
        if tried > 3 or (rng.random() > 0.06 and not receipt.view["over"]):
            continue
        tried += 1
        seat = rng.choice(header.seats)
        for lang in LANGUAGES:
            ear = AudioSeats(session, header, tongue=lambda lang=lang: Tongue(lang, header.players), log=lambda: log)  # type: ignore[misc]
            tongue = Spoken(lang, header.players)
            for page in ear._top(seat).entries:
                if page.text in PAGES:
                    found = list(everything(page.then))
                    assert found
                    for said in {(of.text, repr(of.facts)): of for of in found}.values():
                        good(tongue.tr(said.text, **said.facts), lang)
    assert tried


def test_why_and_the_rules_are_there_from_the_first_act_on() -> None:
    header = table(games.game("prokonsul"), 3, {})
    header = replace(header, ears=header.seats)
    for session, _ in play(header, Random(1)):
        top = AudioSeats(session, header)._top(header.seats[0])
        (asked,) = (made(entry.then) for entry in top.entries if entry.text == GOING_ON)
        assert isinstance(asked, Choice)
        assert {WHY, RULES} <= {entry.text for entry in asked.entries}
        return


def test_a_whole_table_is_set_up_from_an_empty_store(tmp_path: Path) -> None:
    """The lobby's lists, down to every game that can be begun."""
    store = Store(tmp_path / "tabularium.sqlite3")
    evening = Evening(store, listening=LISTENING)
    evening.ears = ("green",)
    lists = Lobby(evening, Services())
    (new,) = (entry for entry in lists.top("green").entries if entry.text == lobby.NEW)
    chosen = made(new.then)
    assert isinstance(chosen, Choice)
    assert [entry.facts["game"].text for entry in chosen.entries] == [game.title for game in evening.games]
    for lang in LANGUAGES:
        for said in everything(lists.top("green")):
            for text in forms(said.text):
                good(Spoken(lang).tr(text, **said.facts), lang)
    for entry in chosen.entries:
        players = made(entry.then)
        assert isinstance(players, Choice)
        counted = (
            [made(each.then) for each in players.entries] if players.entries[0].text == lobby.PLAYERS else [players]
        )
        for found in counted:
            assert isinstance(found, Choice)
            ways = {each.text: each for each in found.entries[:2]}
            assert ways.keys() == {new_game.HELPED, new_game.BEGIN}
            begin = ways[new_game.BEGIN]
            assert isinstance(begin.then, Do)
            begin.then.act()
            assert evening.match
            assert evening.match.header.game.fixed or evening.match.header.seats[0] == "green"
    store.close()


def test_the_language_is_chosen_by_ear(tmp_path: Path) -> None:
    store = Store(tmp_path / "tabularium.sqlite3")
    evening = Evening(store)
    (spoken,) = (made(of.then) for of in Lobby(evening, Services()).top("red").entries if of.key == (LANGUAGE, ""))
    assert isinstance(spoken, Choice)
    (german,) = (entry for entry in spoken.entries if entry.text == NAMES["de"])
    assert isinstance(german.then, Do)
    german.then.act()
    assert evening.lang == "de"
    store.close()
