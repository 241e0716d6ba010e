"""A phone is a seat: it shows its view as it stands, and everything can be done on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.phone.lists import key_of
from companion.record.approvals import key
from companion.record.transcript import event_data
from companion.rules.menu import Entry
from companion.rules.readings import Press
from tests.support.evenings import TABLE, Desk, settle
from tests.support.phones import Network, network
from tests.table.test_approving import Hall

SEATS = ("red", "blue", "green")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Desk, Network]]:
    """A game of Prokonsul in its first round: everybody chooses a card."""
    desk, net = network(tmp_path)
    desk.evening.begin(TABLE)
    desk.act("pawns", order=list(SEATS))
    desk.act("province", province="asia")
    desk.settle()
    yield desk, net
    desk.store.close()


def written(desk: Desk) -> list[dict[str, Any]]:
    """Return the events of the journal."""
    lines = desk.match.written.transcript.splitlines()
    return [json.loads(line) for line in lines[1:]]


def test_a_phone_that_joins_shows_the_game_as_it_stands_and_says_nothing(table: tuple[Desk, Network]) -> None:
    anna = table[1].join("red")
    assert anna.table["head"] == "Anna, Blue and Green: choose a card and lay it face down"
    assert anna.table["yours"] == "Your card, please."
    assert anna.mine == ["You hold 1 to 9 and 12.", "You have 20 chips."]
    assert anna.table["public"]["view"]["province"] == "asia"
    assert anna.table["public"]["header"]["players"] == {"red": "Anna"}
    assert anna.table["list"]["ask"] == "Choose a card"
    assert anna.entries[-4:] == ["12", "How things stand", "History", "The table"]
    assert not anna.said


def test_every_phone_speaks_its_own_language(table: tuple[Desk, Network]) -> None:
    net = table[1]
    anna, ben = net.join("red", "ja"), net.join("blue", "de")
    assert ben.table["head"] == "Anna, Blau und Grün: Karte wählen und verdeckt hinlegen"
    assert anna.table["list"]["ask"] == "カードを選ぶ"
    ben.press("5")
    assert ben.said == ["Blau hat gewählt."] and anna.said == ["青は選び終えました。"]
    anna.send({"lang": "en"})
    assert anna.texts["words"]["back"] == "Back" and anna.table["list"]["ask"] == "Choose a card"
    anna.send({"lang": "tlh"})
    assert anna.table["list"]["ask"] == "Choose a card"


def test_a_move_by_phone_is_a_move_like_any_other(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna = net.join("red")
    anna.press("7")
    assert written(desk)[-1] | {"at": ""} == {
        "event": "choose", "seat": "red", "card": "red 7", "at": "", "by": "phone",
    }  # fmt: skip
    assert anna.path == [] and anna.mine[0] == "Your 7 lies face down."
    assert anna.said == ["Anna has chosen."] and not anna.urgent
    assert anna.table["head"] == "Blue and Green: choose a card and lay it face down"


def test_own_cards_are_on_the_first_list_and_covered_alone(table: tuple[Desk, Network]) -> None:
    anna = table[1].join("red")
    listed = anna.table["list"]
    cards = [of for of in listed["entries"] if of["private"]]
    assert listed["path"] == [] and not listed["private"]
    assert [of["text"] for of in cards] == ["1", "2", "3", "4", "5", "6", "7", "8", "9", "12"]
    assert all(of["main"] for of in cards) and anna.entries[-3:] == ["How things stand", "History", "The table"]
    anna.press("7")
    assert written(table[0])[-1]["card"] == "red 7"
    assert not any(of["private"] for of in anna.table["list"]["entries"]), "nothing is asked of this seat"


def test_the_history_lies_open_and_names_no_card_that_lies_face_down(table: tuple[Desk, Network]) -> None:
    net = table[1]
    anna = net.join("red")
    anna.press("7")
    anna.press("History")
    assert anna.notes[0] == "Anna has chosen." and not anna.table["list"]["private"]
    assert not any("7" in text for text in (*anna.notes, *anna.entries, *anna.said))


def test_a_refusal_and_ones_own_turn_are_said_at_once(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna, ben = net.join("red"), net.join("blue")
    for seat in SEATS:
        desk.act("choose", seat, card=f"{seat} 7")
    desk.act("reveal")
    desk.settle()
    assert anna.table["yours"] and anna.urgent == [anna.table["yours"]] and not ben.urgent
    before = len(written(desk))
    anna.press("Blue with 7")
    anna.enter(99)
    assert len(written(desk)) == before and anna.urgent[-1].startswith("That is more")
    assert anna.urgent[-1] not in ben.urgent and anna.urgent[-1] in ben.said


def asking_blue(table: tuple[Desk, Network]) -> tuple[Desk, Any]:
    """Return the table and Red's phone, which has just chosen whom to ask."""
    desk, net = table
    anna = net.join("red")
    for seat in SEATS:
        desk.act("choose", seat, card=f"{seat} 7")
    desk.act("reveal")
    desk.settle()
    anna.press("Blue with 7")
    return desk, anna


def test_numbers_are_entered_without_a_second_question(table: tuple[Desk, Network]) -> None:
    desk, anna = asking_blue(table)
    assert anna.table["list"]["number"] == {"least": 0, "most": 199, "begins": 0}
    for wrong in (-1, 200, True, "3", 2.0, None):
        anna.send({"take": [*anna.path, wrong], "act": anna.table["act"]})
    assert written(desk)[-1]["event"] == "reveal"
    anna.enter(3)
    assert written(desk)[-1] | {"at": ""} == {
        "event": "offer", "seat": "red", "to": "blue", "chips": 3, "at": "", "by": "phone",
    }  # fmt: skip


def test_a_promise_is_typed_before_the_amount(table: tuple[Desk, Network]) -> None:
    desk, anna = asking_blue(table)
    anna.press("Add a promise")
    assert anna.table["list"]["typing"] and not anna.table["list"]["number"]
    anna.enter("You choose the next province")
    assert anna.table["list"]["number"] and not anna.entries
    anna.enter(3)
    assert written(desk)[-1] | {"at": ""} == {
        "event": "offer", "seat": "red", "to": "blue", "chips": 3, "promise": "You choose the next province",
        "at": "", "by": "phone",
    }  # fmt: skip


def test_what_was_chosen_before_the_game_moved_is_refused(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna = net.join("red")
    anna.press("The table")
    (undo,) = (of for of in anna.table["list"]["entries"] if of["text"].startswith("Take back"))
    late = anna.taking([*anna.path, undo["key"]])
    desk.act("choose", "blue", card="blue 3")
    desk.settle()
    anna.send(late)
    assert written(desk)[-1]["event"] == "choose" and anna.urgent == ["Something has just happened. Look again."]
    assert anna.entries[0] == "Take back Blue's card", "the list is sent again as it is now"
    anna.press("Take back Blue's card")
    assert written(desk)[-1]["event"] == "undo"
    anna.send(late)
    assert len(anna.urgent) == 2


def test_cards_are_chosen_at_the_same_time_and_nobody_has_to_choose_twice(table: tuple[Desk, Network]) -> None:
    desk, net = table
    phones = [net.join(seat) for seat in SEATS]
    choices = [phone.taking([phone.table["list"]["entries"][4]["key"]]) for phone in phones]
    for phone, choice in zip(phones, choices, strict=True):
        net.phones.receive(phone.number, choice)
    desk.settle()
    assert [(of["event"], of.get("seat")) for of in written(desk)[-3:]] == [("choose", seat) for seat in SEATS]
    assert not any(phone.urgent for phone in phones if not phone.table["yours"])
    phones[0].send(choices[0])
    assert len(written(desk)) == 5, "one's own choice is not made twice"


def test_a_place_that_is_gone_is_left_as_far_as_need_be(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna = net.join("red")
    anna.press("The table")
    anna.press("Correct an earlier move")
    anna.press("The move of the black pawn, Asia")
    assert len(anna.path) == 3
    desk.act("undo")
    desk.settle()
    assert len(anna.path) == 2 and anna.entries == ["The pawn row"]
    desk.act("undo", to=0)
    desk.settle()
    assert len(anna.path) == 1 and "Bring back what was taken back" in anna.entries


def test_undo_correction_and_decision_are_made_by_phone(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna, ben = net.join("red"), net.join("blue")
    anna.press("The table")
    anna.press("Correct an earlier move")
    anna.press("The move of the black pawn, Asia")
    anna.press("Move the black pawn")
    anna.press(next(text for text in anna.entries if "Sicilia" in text))
    assert written(desk)[-1]["event"] == "amend" and "sicilia" in json.dumps(written(desk)[-1])
    assert ben.said[-1].startswith("Corrected")
    anna.press("The table")
    anna.press("The table decides")
    anna.press("Propose: We stop here")
    assert ben.said[-1] == "Anna proposes: We stop here. Say yes if you agree."
    anna.press("All have said yes")
    assert written(desk)[-1]["event"] == "decide" and written(desk)[-1]["by"] == "phone"
    assert anna.path == []


def test_fists_are_called_and_seen_by_phone(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna = net.join("red")
    for seat in SEATS:
        desk.act("choose", seat, card=f"{seat} 7")
    desk.settle()
    assert anna.table["fist"] == {"can": True, "closed": False, "called": False, "cards": True}
    assert anna.table["head"] == "Anna, Blue and Green: hold your button until all are held"
    assert "Reveal" not in " ".join(anna.entries)
    desk.hear(*(Press(seat, True, t) for t, seat in enumerate(SEATS)))
    assert anna.table["fist"] == {"can": True, "closed": True, "called": True, "cards": True}
    assert anna.table["head"] == "Everybody: turn your cards over – now!"
    desk.hear(*(Press(seat, False, 900 + t) for t, seat in enumerate(SEATS)))
    assert not anna.table["fist"]["can"] and written(desk)[-1]["event"] == "reveal"


def test_everybody_hears_and_the_log_keeps_which_fists_were_not_timed(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna = net.join("red")
    for seat in SEATS:
        desk.act("choose", seat, card=f"{seat} 7")
    desk.hear(*(Press(seat, True, t) for t, seat in enumerate(SEATS)))
    desk.hear(*(Press(seat, False, 900 + t, seat != "blue", phone=True) for t, seat in enumerate(SEATS)))
    assert written(desk)[-1]["opened"] == {"red": 0, "green": 2}
    assert "Not timed: Blue." in anna.said
    assert [of.facts for receipt in desk.match.log for of in receipt.rulings if of.code == "untimed"] == [
        {"seats": ["blue"]}
    ]


def test_nothing_is_on_a_phone_before_it_is_on_disk(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna, ben = net.join("red"), net.join("blue")
    key = anna.table["list"]["entries"][0]["key"]
    before, sent = ben.table, len(net.sent)
    net.phones.receive(anna.number, anna.taking([*anna.path, key]))
    desk.evening.match.show = lambda: False  # type: ignore[union-attr, method-assign] # the disk takes its time
    net.phones.receive(ben.number, {"look": []})
    assert ben.table is before and len(net.sent) == sent
    del desk.evening.match.show  # type: ignore[union-attr]
    desk.settle()
    assert ben.table["act"] == 3


def test_phones_are_told_after_the_screen_has_painted_and_see_what_they_always_see(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna, ben = net.join("red"), net.join("blue")
    frames: list[Callable[[], object]] = []
    desk.evening.after_frame = frames.append
    before = len(net.sent)
    desk.act("choose", "green", card="green 3")
    desk.act("choose", "blue", card="blue 3")
    desk.settle()
    assert frames and len(net.sent) == before
    for job in frames:
        job()
    assert anna.said == ben.said == ["Green has chosen.", "Blue has chosen.", "Waiting for Anna."]
    assert anna.table["act"] == 4
    assert [list(json.loads(data)) for data in net.frames(anna)[-2:]] == [["table", "pad"], ["say"]]
    frames.clear()
    desk.act("choose", "red", card="red 3")
    desk.settle()
    anna.press("History")
    assert anna.notes[0] == "Anna has chosen." and "Anna has chosen." in ben.said, "nobody who asks has to wait"
    sent = len(net.sent)
    for job in frames:
        job()
    assert len(net.sent) == sent


def test_a_newer_phone_takes_the_seat_and_the_older_one_gets_nothing_more(table: tuple[Desk, Network]) -> None:
    desk, net = table
    old, new = net.join("red"), net.join("red")
    count = len(net.frames(old))
    new.press("7")
    net.phones.receive(old.number, old.taking([old.table["list"]["entries"][0]["key"]]))
    desk.settle()
    assert len(net.frames(old)) == count and list(net.phones.seats) == ["red"]
    net.phones.left(new.number)
    assert not net.phones.seats
    desk.act("undo")
    desk.settle()
    assert len(net.frames(old)) == count


def test_a_phone_whose_seat_does_not_play_looks_on(table: tuple[Desk, Network]) -> None:
    desk, net = table
    guest = net.join("black")
    assert guest.notes == ["Your seat takes no part in this game."] and not guest.entries and not guest.mine
    desk.act("choose", "blue", card="blue 3")
    desk.settle()
    assert guest.said == ["Blue has chosen."] and not guest.table["fist"]["can"]


def test_noise_changes_nothing(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna, rng = net.join("red"), Random(51)
    keys = [of["key"] for of in anna.table["list"]["entries"]]
    values: list[Any] = [None, True, -1, 3, 2.5, "", "x" * 300, [], {}, [[]], [None], [1e300], [*keys[:1], {}], keys,
                         ["a"] * 500, [keys[0], "?"], [10**400], {"a": keys}]  # fmt: skip
    for _ in range(3_000):
        of = {rng.choice(("look", "take", "act", "lang", "x", "path")): rng.choice(values) for _ in range(3)}
        net.phones.receive(rng.choice((anna.number, 99)), of)
    desk.settle()
    assert len(written(desk)) == 2 and "The program hit an error" not in " ".join(anna.said)


# -- before and after a game -------------------------------------------------------------------------------------


def test_an_evening_begins_from_an_empty_store(tmp_path: Path) -> None:
    desk, net = network(tmp_path)
    anna, ben = net.join("red"), net.join("blue", "de")
    assert anna.table["head"] == "No game is being played." and anna.table["game"] is None
    anna.press("A new table")
    anna.press("Prokonsul")
    anna.press("3 players")
    (begin,) = (text for text in anna.entries if text.startswith("Begin as printed"))
    anna.press(begin)
    assert desk.match.game.name == "prokonsul"
    assert anna.table["game"] == ben.table["game"] == "prokonsul" and anna.path == []
    desk.act("pawns", order=list(SEATS))
    desk.settle()
    desk.evening.put_away()
    desk.evening.drain()
    assert anna.table["game"] is None and anna.entries[0].startswith("Continue")
    anna.press("Continue Prokonsul")
    assert anna.table["game"] == "prokonsul"
    desk.store.close()


def test_a_name_is_typed(tmp_path: Path) -> None:
    desk, net = network(tmp_path)
    anna = net.join("red")
    for words in ("A new table", "Spartacus", "3 players", "Red has no name", "Type a name"):
        anna.press(words)
    listed = anna.table["list"]
    assert listed["ask"] == "Name" and listed["typing"] == {"text": "", "longest": 80} and not listed["entries"]
    for wrong in ("", "  ", "x" * 81, "A\nB", 7, None):
        anna.send({"take": [*anna.path, wrong], "act": 0})
    assert anna.table["list"]["typing"]
    anna.send({"take": [*anna.path, " Anna 千尋 "], "act": 0})
    assert "Red is Anna 千尋" in anna.entries
    anna.press(next(text for text in anna.entries if text.startswith("Begin as printed")))
    assert desk.match.header.players == {"red": "Anna 千尋"}
    desk.store.close()


def test_files_are_written_at_the_screen_alone(tmp_path: Path) -> None:
    desk, net = network(tmp_path)
    anna = net.join("red")
    anna.press("Save elsewhere")
    assert anna.table["list"]["title"] == "Save elsewhere" and "Another place" not in anna.entries
    desk.store.close()


def test_a_table_whose_buttons_are_phones_reveals_by_fists_unless_its_file_says_otherwise(tmp_path: Path) -> None:
    desk, _ = network(tmp_path)
    evening = desk.evening
    evening.regulars.reveal = "auto"
    for phones, is_set, reveal in (("red blue", False, "auto"), ("red blue green", False, "fists"),
                                   ("red blue green", True, "auto")):  # fmt: skip
        evening.devices.phones, evening.regulars.is_set = frozenset(phones.split()), is_set
        evening.begin(TABLE)
        assert desk.match.header.reveal == reveal
    desk.store.close()


def test_keys_of_another_game_take_nothing(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna = net.join("red")
    anna.press("The table")
    old = anna.taking([*anna.path, anna.table["list"]["entries"][0]["key"]])
    desk.evening.begin(TABLE)
    desk.act("pawns", order=list(SEATS))
    desk.act("province", province="asia")
    desk.settle()
    assert anna.table["act"] == old["act"] and anna.path == []
    anna.send(old)
    assert len(written(desk)) == 2 and anna.urgent == ["Something has just happened. Look again."]
    assert key_of(Entry("Undo"), 1) != key_of(Entry("Undo"), 2)


def test_an_ear_at_another_seat_is_heard_by_no_phone(tmp_path: Path) -> None:
    desk, net = network(tmp_path)
    desk.evening.ears = ("blue",)
    desk.evening.begin(TABLE)
    desk.settle()
    anna, ben = net.join("red"), net.join("blue")
    counts = len(net.sent)
    for t in range(0, 9_000, 3_000):
        desk.hear(Press("blue", True, t), Press("blue", False, t + 90))
    said = [json.loads(data) for _, data in net.sent[counts:]]
    assert not anna.said and not ben.said and not any("say" in of for of in said)
    desk.store.close()


def test_a_result_is_approved_by_phone_and_the_next_game_begins(tmp_path: Path) -> None:
    desk, net = network(tmp_path)
    desk.evening.join(Hall())
    desk.evening.begin({"tabularium": 1, "game": "spartacus", "seats": list(SEATS)})
    settle(desk.evening)
    anna, rng = net.join("red"), Random(1)
    while legal := desk.match.session.legal():
        desk.match.act(event_data(rng.choice(legal).pick(rng.choice)))
    settle(desk.evening)
    assert anna.table["head"].endswith("wins") and anna.said[-1].startswith("Is the result right?")
    anna.press("The result is right")
    assert desk.evening.approving and desk.evening.approving.said(desk.match)["red"] is True
    assert desk.store.kept(key(desk.match.number))["red"]["by"] == "phone"
    anna.press(next(text for text in anna.entries if text.startswith("Spartacus, with the players")))
    assert not desk.match.view["over"] and anna.table["act"] == 0 and anna.path == []
    desk.store.close()


def test_a_phone_that_fails_costs_the_others_nothing(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna, ben = net.join("red"), net.join("blue")
    anna.take_in = lambda _: 1 / 0  # type: ignore[assignment]
    desk.act("choose", "green", card="green 3")
    desk.settle()
    assert ben.said == ["Green has chosen."]
    desk.evening.put_away()
    desk.evening.drain()
    assert ben.table["game"] is None


def test_however_much_lies_differently_the_table_can_decide_it(table: tuple[Desk, Network]) -> None:
    desk, net = table
    anna = net.join("red")
    for of in ("The table", "The table decides", "Something lies differently on the table"):
        anna.press(of)
    places = ("Sicilia", "Sardinia", "Hispania Citerior", "Hispania Ulterior", "Macedonia")
    for place in places:
        for now, more in (("nothing", "Anna"), ("Anna", "Blue"), ("Anna and Blue", "Green")):
            for of in (f"{place}: {now}", f"Candidates: {now}", more):
                anna.press(of)
    anna.press("That is how it lies: ask the others")
    anna.press("All have said yes")
    decided = written(desk)[-1]
    assert decided["event"] == "decide" and len(decided["change"]["provinces"]) == len(places)
    assert len(decided["words"]) == 200 and decided["words"].endswith("…")
