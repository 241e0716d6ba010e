"""How phones get seats: codes and tokens, the table's consent, and what becomes of a phone that is lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from companion.dialogues.lobby import Lobby
from companion.dialogues.phones import AGREE, REFUSE, PhonesDialogue
from companion.phone.page_files import page_texts
from companion.play.audio_seats import Mute
from companion.rules import Ruling
from companion.rules.menu import Choice, Do, done, made
from companion.rules.message import Message
from companion.rules.readings import FromPhone, PhoneSleep, Press
from companion.rules.words import LANGUAGES
from companion.voice.spoken_language import Spoken
from drivers.phones.keys import LIVES, Codes
from drivers.phones.pairing import ASKED_MS, GONE_MS, LONG_MS, Pairing
from tests.support.paths import ROOT
from tests.support.phone_client import PhoneClient
from tests.support.phone_table import PhoneTable, TablePhone, phone_table
from tests.support.playing import match_of

# -- codes -----------------------------------------------------------------------------------------------------------


def test_a_code_lets_one_phone_in_for_two_minutes() -> None:
    codes = Codes()
    code = codes.now(0)
    assert len(code) == 6 and code.isdecimal() and codes.now(LIVES - 1) == code
    assert codes.takes(code, "a", LIVES - 1) and not codes.takes(code, "a", LIVES - 1), "once"
    code = codes.now(LIVES)
    assert not codes.takes(code, "a", 2 * LIVES), "for two minutes"


def test_five_tries_an_address_and_not_many_more_of_all() -> None:
    codes = Codes()
    code = codes.now(0)
    wrong = "000000" if code != "000000" else "000001"
    assert not any(codes.takes(wrong, "a", 0) for _ in range(5))
    assert not codes.takes(code, "a", 0) and codes.takes(code, "b", 0)
    code = codes.now(1)
    assert not any(codes.takes(said, str(at), 1) for at, said in enumerate([None, 5, "ä", wrong] * 7))
    assert codes.now(1) != code or not codes.takes(code, "new", 1), "used up"


# -- pairing, with time made up --------------------------------------------------------------------------------------


class Fake:
    """Port, guests and table in one: what was sent to each phone, and what the table was told."""

    def __init__(self) -> None:
        self.now = 10**6
        self.sent: dict[int, list[Mapping[str, Any]]] = {}
        self.told: list[str] = []
        self.sits: dict[str, int] = {}
        self.joins: list[tuple[int, str]] = []
        self.lefts: list[int] = []
        self.kept: Mapping[str, str] = {}
        self.awaited: set[str] = set()
        self.down: set[str] = set()
        self.awake: Collection[str] = ()
        self.empty = False
        self.buttons = True
        self.pairing = self.begun({})

    def begun(self, kept: Mapping[str, str]) -> Pairing:
        return Pairing(self, self, self, kept, lambda: self.now)

    def send(self, connection: int, message: Mapping[str, Any]) -> None:
        self.sent.setdefault(connection, []).append(message)

    def sit(self, connection: int, seat: str) -> None:
        self.sits = {of: by for of, by in self.sits.items() if by != connection} | ({seat: connection} if seat else {})

    def forget(self, seat: str) -> None:
        self.told.append(f"port forgets {seat}")

    def greet(self, connection: int, lang: str) -> None:
        self.send(connection, {"texts": {}, "lang": lang})

    def joined(self, connection: int, seat: str) -> None:
        self.joins.append((connection, seat))

    def left(self, connection: int) -> None:
        self.lefts.append(connection)

    def receive(self, connection: int, message: Mapping[str, Any]) -> None:
        self.told.append(f"{connection} {message}")

    def places(self) -> Mapping[str, str]:
        return {"red": "Anna", "blue": ""}

    def is_empty(self) -> bool:
        return self.empty

    def can_agree(self, seat: str) -> bool:
        return self.buttons and seat not in self.awaited

    def is_held(self, seat: str) -> bool:
        return seat in self.down

    def say(self, message: Message, lang: str) -> str:
        return f"{lang}: {message}"

    def tell(self, message: Message) -> None:
        self.told.append(message)

    def keep(self, tokens: Mapping[str, str]) -> None:
        self.kept = dict(tokens)

    def changed(self, seats: Collection[str]) -> None:
        self.awake = seats

    def later(self, ms: int) -> None:
        pass

    # -- what phones do

    def hear(self, connection: int, **message: Any) -> Mapping[str, Any]:
        """Return the last thing that the phone was sent after this message."""
        self.pairing.hear(FromPhone(connection, message or None, "192.168.4.2"))
        return self.sent.get(connection, [{}])[-1]

    def wait(self, ms: int) -> None:
        self.now += ms
        self.pairing.hear(FromPhone(0, None, ""))

    def invited(self, connection: int) -> Mapping[str, Any]:
        return self.hear(connection, hello=1, token=self.pairing.invitation, lang="de")

    def seated(self, connection: int, seat: str) -> str:
        self.invited(connection)
        self.hear(connection, sit=seat)
        self.pairing.agree(seat)
        return str(next(of["token"] for of in reversed(self.sent[connection]) if "token" in of))

    def press(self, seat: str, ms: int) -> list[bool]:
        before, self.now = self.now, self.now + ms
        return [self.pairing.press(Press(seat, True, before)), self.pairing.press(Press(seat, False, before + ms))]


@pytest.fixture
def fake() -> Fake:
    return Fake()


def test_the_first_phone_of_an_empty_table_without_buttons_needs_no_consent(fake: Fake) -> None:
    fake.empty, fake.buttons = True, False
    assert fake.hear(1, hello=1, token="", lang="en") and not fake.hear(1, sit="red").get("token"), "no code, no seat"
    fake.hear(1, code=fake.pairing.code)
    fake.hear(1, sit="red")
    assert fake.joins == [(1, "red")] and fake.told == ["red has joined with a phone."]
    fake.invited(2)
    assert "waiting" in fake.hear(2, sit="blue") and fake.pairing.asking == ["blue"], "the second one does"


@pytest.mark.parametrize(("empty", "buttons"), [(False, False), (True, True)])
def test_where_a_seat_may_be_somebodys_the_first_phone_needs_consent(fake: Fake, empty: bool, buttons: bool) -> None:
    fake.empty, fake.buttons = empty, buttons
    fake.invited(1)
    assert "waiting" in fake.hear(1, sit="red") and fake.pairing.asking == ["red"]


def test_without_a_token_or_a_code_a_phone_gets_the_page_and_nothing_else(fake: Fake) -> None:
    assert fake.hear(1, hello=1, token="", lang="de") == {"texts": {}, "lang": "de"}
    assert fake.hear(1, sit="red") == {"texts": {}, "lang": "de"} and not fake.pairing.asking
    assert fake.hear(1, code="x")["gone"].startswith("de: That is not the code")
    assert fake.hear(2, sit="red") == {} and fake.hear(3, hello=1, token=5)["lang"] == "en"
    assert fake.hear(1, hello=1, token="no such token")["gone"].startswith("de: The table does not know")


def test_the_tables_button_agrees_when_it_is_held(fake: Fake) -> None:
    fake.invited(1)
    assert list(fake.hear(1, sit="red")) == ["waiting"]
    assert fake.told == ["A phone wants to join as red: hold red's button to agree, or answer under Phones."]
    assert fake.press("blue", 700) == [False, False], "another seat's button plays on"
    assert fake.press("red", 700) == [True, True]
    assert fake.sits == {"red": 1} and fake.joins == [(1, "red")] and list(fake.awake) == ["red"]
    assert fake.press("red", 700) == [False, False], "and then it is the seat's button again"


def test_a_short_press_refuses(fake: Fake) -> None:
    fake.invited(1)
    fake.hear(1, sit="red")
    assert fake.press("red", 300) == [True, True]
    assert not fake.sits and {"gone": "de: The table has not agreed."} in fake.sent[1]
    assert fake.sent[1][-1]["seats"][0]["free"]


def test_a_fist_agrees_to_nothing(fake: Fake) -> None:
    fake.invited(1)
    fake.hear(1, sit="red")
    fake.awaited = {"red"}
    assert fake.press("red", 700) == [False, False] and fake.pairing.asking == ["red"]
    fake.pairing.refuse("red")
    fake.hear(1, sit="red")
    assert fake.told[-1] == "A phone wants to join as red: answer under Phones.", "nobody is told to hold a button"


def test_nobody_is_asked_for_ever(fake: Fake) -> None:
    fake.invited(1)
    fake.hear(1, sit="red")
    fake.wait(ASKED_MS)
    assert not fake.pairing.asking and {"gone": "de: The table has not agreed."} in fake.sent[1]


def test_a_phone_asks_for_one_seat_at_a_time(fake: Fake) -> None:
    """Each one is asked for aloud."""
    fake.invited(1)
    for seat in ("red", "blue", "red"):
        fake.hear(1, sit=seat)
    assert fake.pairing.asking == ["red"] and len(fake.told) == 1


def test_who_agreed_to_one_phone_has_not_agreed_to_the_next(fake: Fake) -> None:
    fake.invited(1)
    fake.invited(2)
    fake.hear(1, sit="red")
    assert fake.pairing.press(Press("red", True, fake.now))
    fake.hear(1)
    fake.hear(2, sit="red")
    assert not fake.pairing.press(Press("red", False, fake.now + 700)) and fake.pairing.asking == ["red"]


def test_a_phone_is_no_button_before_it_has_come_back(fake: Fake) -> None:
    token, _ = fake.seated(1, "red"), fake.seated(2, "blue")
    fake.pairing = fake.begun(fake.kept)  # the program has ended meanwhile
    fake.hear(3, hello=1, token=token)
    assert list(fake.awake) == ["red"]


def test_nothing_is_painted_for_a_stranger(fake: Fake) -> None:
    heard = [fake.pairing.hear(FromPhone(1, {"hello": 1, "token": of}, "")) for of in ("", "no such token")]
    assert [*heard, fake.pairing.hear(FromPhone(1, None, ""))] == [False] * 3


def test_half_a_character_is_no_token_and_no_code(fake: Fake) -> None:
    assert fake.hear(1, hello=1, token="\ud800")["gone"].startswith("en: The table does not know")
    assert fake.hear(1, code="\ud800")["gone"].startswith("en: That is not the code")


@pytest.mark.parametrize("seat", ["green", "", None, 5, ["red"], {}])
def test_nobody_gets_a_seat_that_is_not_there(fake: Fake, seat: object) -> None:
    fake.invited(1)
    assert list(fake.hear(1, sit=seat)) == ["seats"] and not fake.pairing.asking


def test_two_phones_ask_for_one_seat_one_after_the_other(fake: Fake) -> None:
    fake.invited(1)
    fake.invited(2)
    fake.hear(1, sit="red")
    assert fake.hear(2, sit="red")["gone"] == "de: Another phone is asking for this seat."
    fake.pairing.agree("red")
    assert fake.sits == {"red": 1}


def test_a_phone_comes_back_by_its_token_and_needs_nobody(fake: Fake) -> None:
    token = fake.seated(1, "red")
    fake.hear(1)
    assert fake.pairing.seats == {"red": False}
    assert fake.hear(2, hello=1, token=token, lang="ja") == {"token": token, "seat": "red"}
    assert fake.sits == {"red": 2} and token not in str(fake.kept), "the store has no token"
    fake.pairing = fake.begun(fake.kept)  # the program has ended meanwhile
    assert fake.hear(3, hello=1, token=token)["seat"] == "red"


def test_a_phone_that_scans_the_picture_again_keeps_its_seat_and_is_told(fake: Fake) -> None:
    token = fake.seated(1, "red")
    fake.hear(1)
    told, picture = [*fake.told], fake.pairing.invitation
    fake.hear(2, hello=1, token=token, invitation=picture, lang="de")
    assert fake.sits == {"red": 2} and fake.told == told
    assert fake.sent[2][-2] == {"token": token, "seat": "red"}
    (said,) = fake.sent[2][-1]["say"]
    assert said["text"].startswith("de: This phone still has its seat.") and not said["now"]
    fake.hear(3, hello=1, token=token, invitation="an older picture")
    assert fake.sits == {"red": 3}, "its token is good, no matter what the picture says"


def test_a_phone_whose_seat_is_forgotten_is_let_in_by_the_picture(fake: Fake) -> None:
    token = fake.seated(1, "red")
    fake.pairing.forget("red")
    assert list(fake.hear(2, hello=1, token=token, invitation=fake.pairing.invitation)) == ["seats"]
    for wrong in ("", "no such picture", 5, None):
        assert list(fake.hear(3, hello=1, token=token, invitation=wrong)) == ["gone"]


def test_a_newer_tab_of_a_phone_has_its_seat_and_the_older_keeps_the_token(fake: Fake) -> None:
    token = fake.seated(1, "red")
    fake.hear(2, hello=1, token=token)
    assert fake.sent[1][-1] == {"tab": "de: This seat is open in another tab."} and fake.sits == {"red": 2}
    fake.hear(1)
    fake.hear(3, hello=1, token=token)
    assert "tab" in fake.sent[2][-1] and fake.sits == {"red": 3}


def test_a_phone_of_last_week_does_not_come_back_unnoticed(fake: Fake) -> None:
    """Its seat may be another player's by now, who has no phone."""
    token = fake.seated(1, "red")
    told = len(fake.told)
    fake.hear(1)
    fake.wait(LONG_MS - 1)
    fake.hear(2, hello=1, token=token)
    fake.hear(3, hello=1, token=token)
    assert len(fake.told) == told
    fake.hear(3)
    fake.wait(LONG_MS)
    fake.hear(4, hello=1, token=token)
    fake.pairing = fake.begun(fake.kept)
    fake.hear(5, hello=1, token=token)
    assert fake.told[told:] == ["red has joined with a phone."] * 2


def test_a_seat_moves_to_a_newer_phone_when_the_older_one_agrees(fake: Fake) -> None:
    old = fake.seated(1, "red")
    assert [of["free"] for of in fake.invited(2)["seats"]] == [False, True]
    fake.hear(2, sit="red")
    fake.press("red", 700)  # on the older phone
    assert fake.sits == {"red": 2} and 1 in fake.lefts
    assert fake.sent[1][-1] == {"gone": "de: This seat has moved to another phone."}
    assert fake.hear(3, hello=1, token=old)["gone"].startswith("en: The table does not know")


def test_a_seat_is_free_once_its_phone_is_away_for_long(fake: Fake) -> None:
    fake.seated(1, "red")
    fake.invited(2)
    fake.hear(1)
    assert not fake.sent[2][-1]["seats"][0]["free"]
    fake.wait(GONE_MS)
    assert fake.sent[2][-1]["seats"][0]["free"]


def test_a_lost_phone_is_forgotten_and_everybody_hears_of_it(fake: Fake) -> None:
    token = fake.seated(1, "red")
    fake.pairing.forget("red")
    assert fake.told[-2:] == ["port forgets red", "red's phone is forgotten."]
    assert fake.sent[1][-1] == {"gone": "de: The table has forgotten this phone."} and not fake.sits and not fake.awake
    assert list(fake.hear(1, hello=1, token=token)) == ["gone"] and fake.kept == {}
    fake.pairing.forget("red")
    assert fake.told[-1] == "red's phone is forgotten." and len(fake.told) == 4


def test_a_phone_asleep_is_named_where_its_fist_is_closed(fake: Fake) -> None:
    fake.seated(1, "red")
    told = [*fake.told]
    fake.pairing.hear(PhoneSleep("red", True))
    assert fake.told == told and list(fake.awake) == []
    fake.pairing.hear(PhoneSleep("red", False))
    fake.down = {"red"}
    fake.pairing.hear(PhoneSleep("red", True))
    assert fake.told[-1].startswith("red's phone is asleep") and list(fake.awake) == []


def test_everything_else_goes_to_the_game(fake: Fake) -> None:
    fake.seated(1, "red")
    assert fake.pairing.hear(FromPhone(1, {"take": ["x"], "act": 3}, "")) is False
    assert fake.told[-1] == "1 {'take': ['x'], 'act': 3}"


# -- a whole table ---------------------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    with phone_table(tmp_path) as made:
        yield made


def hold(table: PhoneTable, phone: TablePhone, seat: str) -> None:
    phone.settle()
    phone.say(fist="closed", t=phone.time())
    table.until(lambda: seat in table.evening.devices.held)


def test_a_phone_joins_by_the_code_and_is_the_button_of_its_seat(table: PhoneTable) -> None:
    with closing(table.phone()) as phone:
        phone.say(code=table.phones.code)
        assert [(of["seat"], of["name"]) for of in phone.hear("seats")] == [
            ("red", "Anna"),
            ("blue", ""),
            ("green", ""),
        ]
        phone.say(sit="red")
        phone.hear("waiting")
        dialogue = PhonesDialogue(table.phones)
        done(dialogue.menu().entries[0].then)
        assert len(phone.hear("token")) == 22
        assert phone.hear("table")["seat"] == "red"
        assert table.evening.devices.equipment.means(["red", "blue"], {})["red"].button
        hold(table, phone, "red")
        phone.say(fist="open", t=phone.time())
        table.until(lambda: "red" not in table.evening.devices.held)


def test_a_fist_that_button_and_phone_hold_stays_closed_until_both_let_go_and_no_phone_is_asleep(
    table: PhoneTable,
) -> None:
    with closing(table.seated("red")):
        devices, match = table.evening.devices, match_of(table.evening)
        inbox = devices.inbox

        def asleep() -> bool:
            return any("asleep" in ruling.text for receipt in match.log for ruling in receipt.rulings)

        for phone in (True, False):
            inbox.put(Press("red", True, 1, phone=phone))
        inbox.put(PhoneSleep("red", True))
        table.evening.drain()
        assert devices.held == {"red"} and not asleep()
        inbox.put(Press("red", False, 2))
        table.evening.drain()
        assert devices.held == {"red"}, "the phone still holds it"
        inbox.put(PhoneSleep("red", True))
        table.evening.drain()
        assert asleep()
        inbox.put(Press("red", False, 3, edge=False))
        table.evening.drain()
        assert not devices.held, "the screen opens what a phone holds"


def test_after_the_screen_has_opened_a_fist_the_next_hold_counts(table: PhoneTable) -> None:
    with closing(table.seated("red")) as phone:
        hold(table, phone, "red")
        table.evening.devices.inbox.put(Press("red", False, 3, edge=False))
        table.until(lambda: not table.evening.devices.held)
        phone.say(fist="open", t=phone.time())  # the finger is lifted at last
        hold(table, phone, "red")
        phone.say(fist="open", t=phone.time())
        table.until(lambda: not table.evening.devices.held)


def test_phones_come_back_after_the_program_has_been_killed(tmp_path: Path) -> None:
    with phone_table(tmp_path) as table, closing(table.seated("red")) as phone:
        token = phone.token
        assert table.evening.match
        table.evening.match.act({"event": "pawns", "order": ["red", "blue", "green"]})
        hold(table, phone, "red")
        table.until(lambda: table.evening.store.saved)
    with phone_table(tmp_path, game=False) as table:
        table.evening.resume()
        with closing(table.phone(token)) as phone:
            assert phone.hear("token") == token
            assert phone.hear("table")["fist"]["closed"] is False
        table.phones.close()
        again = type(table.phones)(table.evening, table.evening.store, 0, lambda: table.services)  # type: ignore[arg-type] # a Store
        again.resume()
        with closing(again):
            assert again.on
            again.stop()
        again.resume()
        assert not again.on, "it was closed for good"


def test_no_phone_has_the_table_wait_for_words(tmp_path: Path) -> None:
    """The rules of five games and three catalogues are loaded on the port's own thread, before any phone is heard."""
    page_texts.cache_clear()
    with phone_table(tmp_path) as table, closing(PhoneClient(table.server)):
        assert page_texts.cache_info().currsize == len(LANGUAGES)


def test_two_phones_have_one_seat_one_after_the_other(table: PhoneTable) -> None:
    with closing(table.seated("red")) as older, closing(table.seated("red")) as newer:
        assert older.hear("gone") == "This seat has moved to another phone."
        older.settle()
        older.say(fist="closed", t=older.time())
        older.say(look=[])
        hold(table, newer, "red")
        newer.say(fist="open", t=newer.time())
        table.until(lambda: "red" not in table.evening.devices.held)
        assert list(table.evening.devices.phones) == ["red"]


def labels(phone: TablePhone, view: dict[str, Any]) -> list[str]:
    """Return the entries of the list of phones on a phone."""
    (key,) = (of["key"] for of in view["list"]["entries"] if of["text"] == "Phones")
    phone.say(look=[key])
    return [of["text"] for of in phone.hear("table")["list"]["entries"]]


@pytest.mark.parametrize("game", [True, False])
def test_only_its_own_phone_or_the_screen_gives_a_seat_with_a_phone_away(tmp_path: Path, game: bool) -> None:
    with phone_table(tmp_path, game=game) as table, ExitStack() as stack:
        red, blue = (stack.enter_context(closing(table.phone(table.invitation))) for _ in range(2))
        for phone, seat in ((red, "red"), (blue, "blue")):
            phone.hear("seats")
            phone.say(sit=seat)
            table.until(lambda: table.phones.asking or seat in table.phones.seats)  # noqa: B023 - called here
            table.phones.agree(seat)  # the first phone of an empty table needs no consent
        views = [phone.hear("table") for phone in (red, blue)]
        other = stack.enter_context(closing(table.phone(table.invitation)))
        other.hear("seats")
        other.say(sit="red")
        assert other.hear("waiting") == "The table is being asked: agree there under Phones."
        assert "Yes, it is Anna" in labels(red, views[0]) or "Yes, it is Red" in labels(red, views[0])
        assert not [of for of in labels(blue, views[1]) if of.startswith(("Yes", "No"))]
        assert PhonesDialogue(table.phones).menu().entries[0].text == "Yes, it is {seat}"
        table.phones.refuse("red")
        other.hear("gone")
        other.say(sit="green")
        other.hear("waiting")
        assert [of for of in labels(blue, views[1]) if of.startswith("Yes")] == ["Yes, it is Green"]


def test_no_ear_gives_away_another_seat_that_has_a_phone(table: PhoneTable) -> None:
    with closing(table.seated("red")), closing(table.phone(table.invitation)) as other:
        other.hear("seats")
        other.say(sit="red")
        other.hear("waiting")
        lobby = Lobby(table.evening, table.services)

        def answers(seat: str) -> list[str]:
            (then,) = (of.then for of in lobby.top(seat).entries if of.text == PhonesDialogue.title)
            assert isinstance(then, Do)
            menu = made(then.act())
            assert isinstance(menu, Choice)
            return [of.text for of in menu.entries if of.text in (AGREE, REFUSE)]

        assert answers("blue") == [] and answers("red") == [AGREE, REFUSE]


def test_the_dialogue_forgets_phones_and_ends(table: PhoneTable) -> None:
    with closing(table.seated("red")) as phone:
        dialogue = PhonesDialogue(table.phones)
        choice = made(next(of for of in dialogue.menu().entries if of.text == "Forget a phone").then)
        assert isinstance(choice, Choice)
        done(choice.entries[0].then)
        assert phone.hear("gone") == "The table has forgotten this phone."
        done(next(of for of in dialogue.menu().entries if of.text == "Disconnect all phones").then)
        assert not table.phones.on and [of.text for of in dialogue.menu().entries] == ["Let phones join"]
        done(dialogue.menu().entries[0].then)
        assert table.phones.on


class Loudspeaker(Mute):
    """What was said aloud, in words."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def loud(self, rulings: Sequence[Ruling], lang: str | None = None) -> None:
        self.said += [Spoken(lang or "en").tr(of.text, **of.facts) for of in rulings]


def test_one_entry_reads_out_how_to_join(table: PhoneTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.phones.addresses.addresses", lambda: ["10.0.0.7"])
    monkeypatch.setattr("drivers.phones.keys.randbelow", lambda _: 40_516)
    table.evening.be_heard(loudspeaker := Loudspeaker())
    entries = PhonesDialogue(table.phones).menu().entries
    done(next(of for of in entries if of.text == "Read the code aloud").then)
    (said,) = loudspeaker.said
    assert said.startswith("To join with a phone, open one, zero, dot, zero, dot, zero, dot, seven, colon, ")
    assert said.endswith("The code is zero, four, zero, five, one, six.")
    monkeypatch.setattr("drivers.phones.addresses.addresses", list)
    table.phones.read_aloud()
    assert "in no network" in loudspeaker.said[-1]


def test_a_port_that_is_taken_is_a_message(table: PhoneTable) -> None:
    other = type(table.phones)(table.evening, table.evening.store, table.server.port, lambda: table.services)  # type: ignore[arg-type] # a Store
    other.start()
    assert not other.on and str(table.server.port) in other.fault


def test_a_table_without_phones_loads_nothing_of_them() -> None:
    code = (
        "import sys, companion.cli.table, companion.cli.phones, companion.dialogues.lobby;"
        "print([of for of in sys.modules if of.startswith(('websockets', 'nacl', 'drivers.phones', 'companion.phone'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "[]\n"
