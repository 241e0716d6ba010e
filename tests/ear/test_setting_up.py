"""What an ear can set up: a table with new names and other rules, the loudspeaker, a deck, and how the devices are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from companion.dialogues import board, doctor, lobby, new_game, power, report
from companion.dialogues import board as board_by_ear
from companion.dialogues import deck as _deck
from companion.dialogues.doctor import DoctorDialogue
from companion.dialogues.report import ReportDialogue
from companion.dialogues.voice import VoiceDialogue
from companion.ear import seats
from companion.ear._ear import LESS, MORE
from companion.hardware.doctor import Finding
from companion.offers import table_menu as around
from companion.rules import N_, menu
from companion.rules.message import Message
from companion.rules.readings import Health, Press
from companion.system.service import Machine
from companion.voice import deck as aloud
from companion.voice import live
from companion.voice.alphabet import letter as word
from companion.voice.choices import Choices, kept
from tests.support.audio_seat_driver import HELD, SHORT, OneEar


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[OneEar]:
    ear = OneEar(tmp_path)
    ear.home()
    yield ear
    ear.close()


def to_spartacus(ear: OneEar) -> None:
    ear.take(lobby.NEW)
    ear.take(lobby.GAME, game="Spartacus")
    ear.take(lobby.PLAYERS)


def test_a_new_name_is_spelled_and_heard_from_then_on(ear: OneEar) -> None:
    to_spartacus(ear)
    ear.take(new_game.NOBODYS, seat="Red")
    ear.take(new_game.NEW_NAME)
    for letter in "IDA":
        group = next(group for group in new_game.LETTERS if letter in group)
        ear.take(new_game.GROUP, first=word(group[0], "en"), last=word(group[-1], "en"))
        ear.take(new_game.LETTER, letter=word(letter, "en"))
    ear.take(new_game.SHORTER)
    ear.take(new_game.GROUP, first="Alpha", last="Echo")
    ear.take(new_game.LETTER, letter="Alpha")
    assert "So far: India, Delta, Alpha." in ear.heard
    ear.take(new_game.DONE, name="Ida")
    ear.take(new_game.BEGIN)
    assert ear.evening.match and ear.evening.match.header.players == {"red": "Ida"}
    assert "Ida" in ear.evening.regulars.names
    ear.home()
    ear.take(around.GOING_ON)
    ear.take(around.NAMES)
    assert ear.heard[-1] == "Ida: India, Delta, Alpha."


def test_who_sits_there_and_by_which_rules_is_chosen(ear: OneEar) -> None:
    to_spartacus(ear)
    ear.take(new_game.SEATS)
    ear.take("{seat} leaves the table.", seat="Blue")
    said = ear.heard[-1]
    assert said == "Three players are needed."
    ear.take(new_game.SEATS)
    ear.take("{seat} joins the table.", seat="Purple")
    ear.take(new_game.FIRST, seat="Green")
    ear.take(new_game.OPTIONS)
    ear.take(new_game.OPTION, value="double")
    ear.take(new_game.VALUE, value="joker")
    ear.take(new_game.OPTIONS)
    ear.take(new_game.OPTION, value="none")  # what a joker costs can be chosen now
    ear.take(new_game.VALUE, value="void")
    ear.take(new_game.VARIED)
    match = ear.evening.match
    assert match and match.header.seats == ("green", "purple", "red")
    assert (match.header.options["flags"], match.header.options["joker_penalty"]) == ("joker", "void")


def test_every_ear_has_a_pace_of_its_own_and_hears_it_at_once(ear: OneEar) -> None:
    assert ear.take(live.SLOWER) == [live.TEST] == ear.take(live.SOFTER)
    assert ear.live.choices.ears == {"red": (90, 90, 0)} and ear.live.choices.pace("blue") == (100, 100, 0)
    assert ear.mouths.did[-1] == ("en", 100, 100, {"red": (90, 90, 0)})
    assert kept(ear.store.kept("voice"), Choices()) == ear.live.choices
    assert kept({"ears": {"red": [10, 50, 0]}, "rate": 120}, Choices()) == Choices(rate=120), "a spoilt one is left out"
    to_spartacus(ear)
    ear.take(new_game.BEGIN)
    ear.home()
    ear.take(seats.SOUND)
    assert ear.take(live.FASTER) == [live.TEST], "in a game as well"


def to_the_voice(ear: OneEar) -> None:
    ear.home()
    ear.take(VoiceDialogue.title)


def test_the_loudspeaker_and_its_quiet_hours_are_chosen_by_ear(ear: OneEar) -> None:
    to_the_voice(ear)
    ear.take(menu.IS, setting="Announcements")
    assert ear.take("full") == ["Announcements: full."] and ear.live.choices.words == "full"
    to_the_voice(ear)
    ear.take(menu.IS, setting="Volume", value="one hundred percent")
    assert ear.take(menu.DOWN) == ["Volume: ninety percent."] and ear.take(menu.DOWN) == ["Volume: eighty percent."]
    assert ear.live.choices.volume == 80
    ear.take("Back.")
    assert ear.press() == ["Speed: one hundred percent."], "what has changed does not lead back to the beginning"
    ear.take(menu.IS, setting="Quiet hours", value="off")
    ear.take("On")
    to_the_voice(ear)
    ear.take(menu.IS, setting="Quiet from", value="twenty-two o'clock")
    assert ear.take(menu.UP) == ["Quiet from: twenty-two thirty."]
    assert str(ear.live.choices.quiet) == "22:30-07:00"
    to_the_voice(ear)
    ear.take(menu.IS, setting="Quiet hours", value="on")
    ear.take("Off")
    assert ear.live.choices.quiet is None


def test_a_number_that_sounds_like_another_is_said_with_its_digits(ear: OneEar) -> None:
    ear.take(lobby.BOARD, game="Prokonsul")
    ear.take(board.VALUE)
    said = [ear.take(LESS)[-1] for _ in range(8)]
    assert said[-3:] == ["Fourteen, one four.", "Thirteen, one three.", "Twelve."]
    assert {LESS.full, LESS} <= set(ear.heard), "explained, until it is known"


def test_what_is_wrong_with_a_device_is_said_with_what_to_do(ear: OneEar) -> None:
    assert ear.take(lobby.DEVICES) == [lobby.ALL_WELL]
    ill = Message(N_("Plug in the loudspeaker, or name another device in config.yaml: aplay -L lists them."))
    ear.evening.devices.inbox.put(Health("reader red", False, ill))
    ear.settle()
    assert ear.take(lobby.DEVICES) == [
        "Plug in the loudspeaker, or name another device in config.yaml: aplay -L lists them."
    ]


def test_a_deck_can_be_left_and_gone_on_with_and_a_game_has_its_cards_back(ear: OneEar) -> None:
    ear.take(_deck.ENROL)
    assert ear.heard[-1] == "Lay the red one."
    assert ear.lay("04A1B2C3D4E580") == ["Red one is read.", "Lay the red two."]
    assert ear.take(_deck.SKIP) == ["Lay the red three."]
    assert ear.home() == ["Lay the red three."], "held long, the card that is asked for"
    assert ear.lay("04A1B2C3D4E680")[0] == "Red three is read."
    assert ear.take(_deck.TAKE_BACK)[0] == "Taken back: red three."
    assert ear.sounds_like(aloud.LAY).fullmatch(ear.heard[-1])
    ear.evening.begin({"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]})
    ear.settle()
    assert ear.evening.devices.listen is None
    assert ear.lay("04A1B2C3D4E580")[0] == "Red: one."


def test_held_long_it_is_heard_when_that_leads_to_the_top(ear: OneEar) -> None:
    """Before there is a game, and in it; and whatever was being said breaks off."""
    for begun in (False, True):
        if begun:
            to_spartacus(ear)
            ear.take(new_game.BEGIN)
        ear.mouths.did.clear()
        for down in (True, False):
            ear.evening.devices.inbox.put(Press("red", down, ear.t + 10_000 + (0 if down else SHORT)))
            ear.settle()
        assert [did[:3] for did in ear.mouths.did] == [
            ("hush", "red"), ("later", "held red", 0.6), ("later", "long red", 1.8),
            ("never", "held red"), ("never", "long red"),
        ]  # fmt: skip
        assert [did[3].sound for did in ear.mouths.did if did[0] == "later"] == ["held", "home"]
        ear.t += 20_000


def test_a_board_is_compared_with_the_print_by_ear(ear: OneEar) -> None:
    """Values and what is joined are heard, changed, and confirmed; what cannot be is said and not kept."""
    boards = ear.evening.boards
    assert boards.of("prokonsul")["provinces"]["sicilia"] == 20
    ear.take(lobby.BOARD, game="Prokonsul")
    assert ear.heard[-1] == "Sicilia: twenty."
    ear.press(HELD)
    assert ear.heard[-2:] == ["What is Sicilia worth?", "Twenty."]
    ear.take(MORE)
    ear.take("{number}.", number="Twenty-one")
    ear.take("{a} and {b} have a five between them.", a="Sicilia", b="Africa")
    ear.take(board_by_ear.PARTED)
    ear.take("Another five.")
    ear.take(board_by_ear.PLACE, place="Sardinia")
    ear.take(board_by_ear.PLACE, place="Asia")
    assert not boards.of("prokonsul")["confirmed"], "nothing is kept before it is said"
    assert ear.take(board_by_ear.PRINTED) == [board_by_ear.SAVED]
    board = boards.of("prokonsul")
    assert board["provinces"]["sicilia"] == 21 and board["confirmed"]
    assert ["sicilia", "africa"] not in board["links"] and ["sardinia", "asia"] in board["links"]
    ear.home()
    ear.take(lobby.BOARD, game="Hannibal gegen Rom")
    ear.take("A sea route leads from {a} to {b}.", a="Rome", b="Corsica")
    ear.take(board_by_ear.PARTED)
    (said,) = ear.take(board_by_ear.PRINTED)
    assert said.startswith("That cannot be a board: ") and not boards.of("hannibal")["confirmed"]


def second(ear: OneEar, ms: int) -> list[str]:
    """A press of the second button."""
    ear.t += 5_000
    for down, t in ((True, ear.t), (False, ear.t + ms)):
        ear.evening.devices.inbox.put(Press("back red", down, t))
    ear.t += ms
    return ear.settle()


def test_a_second_button_leads_back_and_to_what_was_said(ear: OneEar) -> None:
    """One list up at a press, from the top to how things stand; held, it is the history. It is no fist."""
    ear.take(lobby.NEW)
    ear.take(lobby.GAME, game="Spartacus")
    assert second(ear, SHORT) == ["Spartacus."], "the entry it stood at"
    assert second(ear, SHORT) == ["A new table."]
    assert second(ear, SHORT) == [lobby.READY]
    to_spartacus(ear)
    ear.take(new_game.BEGIN)
    match = ear.evening.match
    assert match
    match.act({"event": "play", "seat": "red", "card": "red 9"})
    ear.settle()
    assert second(ear, HELD) == ["Nine."] or ear.heard[-1].startswith("Red: nine"), ear.heard[-3:]
    assert second(ear, SHORT) == [seats.HISTORY]
    assert ear.evening.devices.held == frozenset() and match.session.accepted == 1
    ear.mouths.did.clear()
    ear.evening.devices.inbox.put(Press("back red", True, ear.t + 9_000))
    ear.settle()
    assert ("hush", "red") in ear.mouths.did


def test_the_computer_is_switched_off_by_ear_where_it_is_ours(tmp_path: Path) -> None:
    asked, ear = Event(), OneEar(tmp_path)
    entries = {entry.text for entry in lobby.Lobby(ear.evening, ear.services).top("red").entries}
    assert power.OFF not in entries, "a laptop is only quit"

    def off() -> str:
        asked.set()
        return ""

    ear.services.machine = Machine(off=off)
    ear.home()
    assert ear.take(power.OFF) == [power.SAVED]
    assert not asked.is_set()
    assert ear.take(power.OFF) == [power.GOING.removesuffix("…").rstrip()] and asked.wait(10)
    ear.close()


def test_the_doctor_and_a_report_are_there_by_ear(tmp_path: Path) -> None:
    """What the screen's pages say, word by word."""
    ear = OneEar(tmp_path)
    ill = Finding("reader centre", "fail", Message("It does not answer"), Message("Check its cable"))
    ear.services.doctor = lambda: [ill, Finding("disk", "pass", Message("There is room"))]
    ear.services.report = lambda: {"report.json": bytes(1500)}
    ear.evening.exports.folder = tmp_path / "exports"
    ear.home()
    ear.take(DoctorDialogue.title)
    assert ear.step_to(doctor.ILL, sick="One", count="two")
    assert ear.step_to("{part}: {what}", part="Reader centre", what="it does not answer. Check its cable")
    ear.home()
    ear.take(ReportDialogue.title)
    ear.step_to(report.INSIDE)
    ear.step_to("Report.json two kB: {what}")
    ear.take("On this device")
    assert ear.step_to("Saved as {file}") and len([*(tmp_path / "exports").iterdir()]) == 1
    ear.close()


def test_a_deck_is_checked_by_ear(ear: OneEar) -> None:
    """Which card is there, which one is strange, and in the end what is missing."""
    ear.take(_deck.ENROL)
    for at in range(60):
        ear.lay(f"04A1B2C3D4{at:02X}80")
    ear.take(_deck.ENOUGH)
    ear.home()
    ear.take(_deck.CHECK)
    assert ear.take(_deck.GAME, game="Spartacus")[-1] == "Lay all cards, one after the other."
    assert ear.lay("04A1B2C3D40080") == ["Red one is here."]
    assert ear.lay("04FFFFFFFFFF80") == ["An unknown tag: put this card aside."]
    (said,) = ear.take(_deck.ENOUGH)
    assert said.startswith("Still missing: red two, red three") and ear.evening.devices.listen is None
