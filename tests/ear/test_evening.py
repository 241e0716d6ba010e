"""A whole evening by one ear, from an empty store: nothing is looked at, and nothing else is heard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion import games
from companion.dialogues import deck as _deck
from companion.dialogues import lobby, new_game, settings
from companion.ear import seats
from companion.games import guide_of
from companion.offers import table_menu as around
from companion.play import audio_seats
from companion.record.transcript import event_data
from companion.rules import menu
from companion.rules.cards import DECK, FLAG
from companion.rules.words import catalogue
from companion.voice import deck as aloud
from companion.voice import live, table_speech
from companion.voice.spoken_language import Spoken
from tests.support.audio_seat_driver import HELD, SHORT, OneEar
from tests.support.tables import EVERYTHING

FLAGS = sum(card.rank == FLAG for card in DECK.values())
LANGUAGES = ("en", "de", "ja") if EVERYTHING else ("en",)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_evening_from_an_empty_store_by_one_ear(lang: str, tmp_path: Path) -> None:
    """Her language and her pace; a deck; a first game of each with help; then one in which something is taken back,
    brought back, amended and decided, that she loses and asks why; and the next game of the series."""
    ear = OneEar(tmp_path, "en" if lang != "en" else "de")
    ear.evening.greet()
    assert ear.settle() == [catalogue(ear.evening.lang)(audio_seats.WELCOME.full)], (
        "before anybody has found the button"
    )
    assert ear.sounds_like(lobby.BUTTON).fullmatch(ear.press()[-1]), "a newcomer's first entry"
    ear.take(menu.IS, setting=catalogue(ear.evening.lang)(settings.LANGUAGE))
    ear.take(settings.NAMES[lang])
    name = catalogue(lang)(settings.NAMES[lang])
    assert ear.evening.lang == lang and ear.sounds_like(menu.IS, value=name).fullmatch(ear.heard[-1])
    ear.home()
    assert ear.take(live.FASTER) == [catalogue(lang)(live.TEST)]
    assert ear.live.choices.pace("red") == (110, 100, 0) and ear.live.choices.rate == 100
    enrol(ear)
    rng = Random(lang)
    for game in games.NAMES:
        first_game(ear, game, rng)
        ear.close()  # another evening
        ear = OneEar(tmp_path, lang)
        assert ear.live.choices.pace("red") == (110, 100, 0), "her pace is kept"
    ear.home()
    mended(ear, rng)
    lost_and_why(ear)
    number = ear.evening.match.number if ear.evening.match else 0
    ear.home()
    ear.take(lobby.NEXT)
    match = ear.evening.match
    assert match and match.number == number + 1 and match.header.seats[0] != "red"
    ear.close()


def enrol(ear: OneEar) -> None:
    """Card after card, as it is asked for."""
    ear.home()
    said = ear.take(_deck.ENROL)
    for at in range(len(DECK)):
        assert ear.sounds_like(aloud.LAY).fullmatch(said[-1]), said
        said = ear.lay(f"04A1B2C3D4{at:02X}80")
    assert ear.sounds_like(aloud.DONE).fullmatch(said[-2]) and ear.sounds_like(_deck.SECONDS).fullmatch(said[-1])
    for left in range(FLAGS, 0, -1):
        ear.home()
        said = ear.take(_deck.SECOND)
        assert ear.sounds_like(aloud.LAY).fullmatch(said[-1]), said
        said = ear.lay(f"04A1B2C3D4{0x80 + left:02X}80")
        assert bool(ear.sounds_like(_deck.SECONDS).fullmatch(said[-1])) == (left > 1), said
    ear.home()
    ear.take(_deck.ENOUGH)
    assert len(ear.evening.deck.cards) == len(DECK) + FLAGS and ear.evening.devices.listen is None


def first_game(ear: OneEar, game: str, rng: Random) -> None:
    """Begun with help, and played until she has acted herself."""
    ear.home()
    before = len(ear.heard)
    title = catalogue(ear.evening.lang)(games.game(game).title)
    ear.take(lobby.NEW)
    ear.take(lobby.GAME, game=title)
    if not games.game(game).fixed:
        ear.take(lobby.PLAYERS)
    ear.take(new_game.HELPED)
    match = ear.evening.match
    assert match and match.header.game.name == game and match.header.ears == ("red",)
    heard = " ".join(ear.heard[before:])
    assert Spoken(ear.evening.lang).tr(guide_of(game).aim).casefold() in heard.casefold(), "what it is about"
    play_on(ear, rng, lambda: any(getattr(act.event, "seat", "") == "red" and act.by != "robot" for act in match.session.acts))  # fmt: skip


def play_on(ear: OneEar, rng: Random, until: Callable[[], bool]) -> None:
    """The others play; she does what her ear offers, until enough has happened or the game is over."""
    match = ear.evening.match
    assert match
    for _ in range(4_000):
        if until() or match.view["over"]:
            return
        before = match.session.accepted
        mine = [seat for seat in match.view["waiting"] if seat == "red"]
        if mine and rng.random() < 0.7:
            acted_by_ear(ear, rng)
        if match.session.accepted == before and (moves := match.session.legal()):
            match.act(event_data(rng.choice(moves).pick(rng.choice)))
            ear.settle()
    raise AssertionError("it does not end")


def acted_by_ear(ear: OneEar, rng: Random) -> None:
    """From the top into what can be done, as deep as it asks, wherever it leads."""
    match = ear.evening.match
    assert match
    before, leave = match.session.accepted, [ear.sounds_like(text) for text in LEAVE]
    ear.home()
    for _ in range(12):
        said = ear.press()
        for _ in range(rng.randrange(4)):
            said = ear.press()
        if not said or any(one.fullmatch(said[-1]) for one in leave):
            continue
        ear.press(HELD)
        if match.session.accepted > before:
            return


LEAVE = (around.GOING_ON, seats.HISTORY, around.TABLE, seats.SOUND, seats.FIST)
"""Entries of the top list that are no acts."""


def mended(ear: OneEar, rng: Random) -> None:
    """A mistake is taken back, brought back, and amended; and something is decided."""
    ear.home()
    begin_spartacus(ear)
    match = ear.evening.match
    assert match
    for seat, card in (("red", "red 9"), ("blue", "blue 7"), ("green", "green 4")):
        match.act({"event": "play", "seat": seat, "card": card})
        ear.settle()
    ear.home()
    ear.take(around.TABLE)
    said = ear.take(around.UNDO)
    assert any(ear.sounds_like("Taken back: {act}.").match(line) for line in said), said
    ear.home()
    ear.take(around.TABLE)
    said = ear.take(around.REDO)
    assert any(ear.sounds_like("Brought back: {act}.").match(line) for line in said), said
    ear.home()
    ear.take(around.TABLE)
    ear.take(around.CORRECT)
    ear.take(around.STEP)  # the last act: it was another card
    for _ in range(40):
        if match.log[-1].verb == "amend" and match.log[-1].ok:
            break
        ear.press(HELD if rng.random() < 0.7 else SHORT)
    assert match.log[-1].verb == "amend" and match.log[-1].ok
    ear.home()
    ear.take(around.TABLE)
    ear.take(around.DECIDES)
    ear.take(around.PROPOSE)
    said = ear.take(around.ALL_AGREE)
    assert any(ear.sounds_like("The table decides: {words}.").match(line) for line in said), said
    play_on(ear, rng, lambda: False)


def begin_spartacus(ear: OneEar) -> None:
    ear.take(lobby.NEW)
    ear.take(lobby.GAME, game=catalogue(ear.evening.lang)(games.game("spartacus").title))
    ear.take(lobby.PLAYERS)
    ear.take(new_game.BEGIN)


def lost_and_why(ear: OneEar) -> None:
    """Why: the scores row by row, the clause, and what would have been needed."""
    ear.home()
    ear.take(around.GOING_ON)
    said = ear.take(around.WHY)
    while (more := ear.press()) and more[-1] not in said:
        said += more
    assert len(said) > 2, said


def test_what_is_said_at_once_after_an_amendment(tmp_path: Path) -> None:
    """Later acts that came out otherwise are told with it: "Now it is: …"."""
    ear = OneEar(tmp_path)
    ear.home()
    begin_spartacus(ear)
    match = ear.evening.match
    assert match
    for seat, card in (("red", "red 9"), ("blue", "blue 7"), ("green", "green 4")):
        match.act({"event": "play", "seat": seat, "card": card})
    for seat in ("red", "blue"):
        match.act({"event": "pass", "seat": seat})
    ear.settle()
    match.act({"event": "amend", "act": 2, "as": {"event": "play", "seat": "blue", "card": "blue 8"}})
    said = ear.settle()
    assert [line for line in said if ear.sounds_like(table_speech.NOW).fullmatch(line)] == [
        "Now it is: It is worth twenty-one."
    ], said
    ear.close()
