"""The seal on every frame: what opens, what is hung up on, and what somebody who listens on the air can see."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from nacl.bindings import crypto_box_keypair
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from companion.cli.phones import is_kept
from companion.record.transcript import event_data
from companion.rules.readings import FromPhone, Press
from companion.rules.words import catalogue
from companion.system.sealing import FROM_PAGE, TO_PAGE, KeyPair, nonces
from drivers.phones.connection import BROKEN, OLD_PAGE, PLAIN, VERSION
from tests.drivers.phones.test_reveal import Lag
from tests.drivers.phones.test_server import Port, port  # noqa: F401 - a fixture
from tests.support.phone_client import PageSeal, PhoneClient, padded
from tests.support.phone_table import phone_table
from tests.support.playing import match_of
from tests.support.timeouts import SECONDS


def reason(socket: ClientConnection) -> str:
    """Return why the table has hung up."""
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            socket.recv(SECONDS)
    assert closed.value.rcvd and closed.value.rcvd.code == 1008
    return closed.value.rcvd.reason


def took(port: Port) -> list[FromPhone]:
    """Return what the table has taken from phones."""
    found = []
    while True:
        try:
            found.append(port.words.get_nowait())
        except Empty:
            return [of for of in found if isinstance(of, FromPhone) and of.message is not None]


# -- nonces and keys -------------------------------------------------------------------------------------------------


def test_no_nonce_comes_twice() -> None:
    salts = (b"a" * 16, b"b" * 16)
    drawn = [
        next(of) for salt in salts for way in (TO_PAGE, FROM_PAGE) for of in [nonces(salt, way)] for _ in range(300)
    ]
    assert len(set(drawn)) == 1200 and {len(of) for of in drawn} == {24}


def test_a_key_that_was_kept_is_the_same_key() -> None:
    keys = KeyPair()
    assert KeyPair(keys.secret).public == keys.public != keys.secret


@pytest.mark.parametrize("page", [b"", b"x" * 31, b"x" * 33, bytes(32), b"\1" + bytes(31)])
def test_what_is_no_key_seals_nothing(page: bytes) -> None:
    with pytest.raises(ValueError):
        KeyPair().seal(page, bytes(16))


# -- at the port -----------------------------------------------------------------------------------------------------


def test_two_frames_of_the_same_content_differ(port: Port) -> None:
    phone = port.phone()
    for _ in range(2):
        port.server.send(phone.number, {"x": "the same"})
        phone.hear("x")
        phone.say(look=["the same"])
    sealed = [of for of in phone.wire if len(of) == 272]
    assert len(set(sealed)) == len(sealed) >= 4
    phone.close()


def test_the_table_says_nothing_but_its_key_before_the_page_has_sent_its_own(port: Port) -> None:
    phone = PhoneClient(port.server)
    assert json.loads(phone.greeting).keys() == {"version", "key", "salt"}
    port.server.send(1, {"x": "too early"})
    port.skip(2)
    phone.say(hello=1)
    phone.number = port.next(FromPhone).connection
    port.server.send(phone.number, {"y": "in time"})
    assert phone.hear("y") and phone.seal.came == phone.pings + 1
    phone.close()


def test_every_connection_has_its_own_salt_and_the_table_one_key(port: Port) -> None:
    said = []
    for _ in range(3):
        with closing(PhoneClient(port.server)) as phone:
            said.append(json.loads(phone.greeting))
    assert len({of["salt"] for of in said}) == 3 and {of["key"] for of in said} == {port.server.keys.public}


def test_a_recorded_connection_played_back_is_refused(port: Port) -> None:
    with closing(PhoneClient(port.server)) as phone:
        for message in ({"hello": 1, "token": "secret"}, {"sit": "red"}, {"take": ["x"], "act": 3}):
            phone.say(**message)
        recorded = phone.wire
        for _ in range(3):
            port.next(FromPhone)
    with closing(PhoneClient(port.server)) as thief:
        with suppress(ConnectionClosed):  # the first one ends it
            for frame in recorded:
                thief.socket.send(frame)
        assert reason(thief.socket) == BROKEN
    assert not took(port)


def altered(frame: bytes, chance: random.Random) -> bytes:
    """Return a frame with one bit flipped."""
    at = chance.randrange(8 * len(frame))
    return bytes(byte ^ (1 << at % 8 if number == at // 8 else 0) for number, byte in enumerate(frame))


NEXT = {"look": ["next"]}


def tampered(kind: str, phone: PhoneClient, chance: random.Random) -> bytes:
    match kind:
        case "a flipped bit":
            return altered(phone.seal.seal(padded(NEXT)), chance)
        case "cut short":
            return phone.seal.seal(padded(NEXT))[: chance.randrange(272)]
        case "lengthened":
            return phone.seal.seal(padded(NEXT)) + b" "
        case "repeated":
            return phone.wire[-1]
        case "left one out":
            phone.seal.seal(padded({"look": ["lost"]}))
            return phone.seal.seal(padded(NEXT))
        case "sent back":
            phone.hear("x")
            return phone.wire[-1]
        case "another page's key":
            other = PageSeal(phone.greeting)
            other.sent = phone.seal.sent
            return other.seal(padded(NEXT))
        case _:
            return chance.randbytes(chance.randrange(500))


KINDS = (
    "a flipped bit",
    "cut short",
    "lengthened",
    "repeated",
    "left one out",
    "sent back",
    "another page's key",
    "noise",
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_that_is_not_the_next_one_unaltered_is_refused(port: Port, kind: str) -> None:
    chance = random.Random(kind)
    for _ in range(10):
        with closing(port.phone()) as phone:
            port.server.send(phone.number, {"x": 1})
            phone.say(look=["first"])
            assert port.next(FromPhone).message == {"look": ["first"]}
            phone.socket.send(tampered(kind, phone, chance))
            assert reason(phone.socket) == BROKEN
        assert not took(port)


def test_a_page_that_knows_another_tables_key_is_refused(port: Port) -> None:
    with closing(PhoneClient(port.server)) as phone:
        public, _ = crypto_box_keypair()
        phone.seal.public = public
        phone.say(hello=1, token="secret")
        assert reason(phone.socket) == BROKEN
    assert not took(port)


@pytest.mark.parametrize("lang", ["de", "ja", "xx", None, 5])
def test_a_page_from_before_the_seal_is_told_to_load_itself_again(port: Port, lang: object) -> None:
    with closing(PhoneClient(port.server)) as phone:
        phone.socket.send(json.dumps({"hello": 1, "token": "secret", "lang": lang}))
        said = json.loads(phone.socket.recv(SECONDS))["gone"]
        assert said == catalogue(str(lang) if lang in ("de", "ja") else "en")(OLD_PAGE)
        phone.socket.send(json.dumps({"code": "123456"}))
        assert reason(phone.socket) == PLAIN
    assert not took(port)


def test_nothing_plain_is_read_from_a_page_that_seals(port: Port) -> None:
    with closing(port.phone("red")) as phone:
        phone.socket.send(json.dumps({"hello": 1}))
        assert reason(phone.socket) == PLAIN
        phone.number = 0
    assert not took(port)


def test_tampering_with_one_phone_holds_up_no_other(port: Port) -> None:
    chance = random.Random(51)
    with closing(port.phone("red")) as quiet:
        for kind in KINDS:
            port.skip(1)
            with closing(port.phone("blue")) as loud:
                port.server.send(loud.number, {"x": 1})
                loud.socket.send(tampered(kind, loud, chance))
                quiet.say(fist="closed", t=quiet.time())
                quiet.say(fist="open", t=quiet.time())
                assert [port.next(Press).down, port.next(Press).down] == [True, False]
                assert reason(loud.socket) == BROKEN


def test_ten_thousand_malformed_frames_are_ignored_or_hung_up_on() -> None:
    """Time is made up, so that each of them is read. What is sealed and no message is ignored; all else ends it."""
    chance, phone, ended = random.Random(51), None, 0
    for _ in range(10_000):
        phone = phone or Lag(chance, 0, 0, 0)
        phone.now += 1_000_000
        noise = chance.choice([chance.randbytes(chance.randrange(600)), b'{"clock":[1,2]}', b"[{}]", b"{" * 300, b""])
        sealed = chance.random() < 0.97
        frame = phone.seal.seal(noise) if sealed else chance.choice([noise, altered(phone.seal.seal(noise), chance)])
        (phone.client.send_binary if sealed or chance.random() < 0.5 else phone.client.send_text)(frame)
        assert phone.exchange() == [] and phone.connection.open is sealed
        if not sealed:
            phone.close()
            phone, ended = None, ended + 1
    if phone:
        phone.close()
    assert ended > 200


# -- a whole table -----------------------------------------------------------------------------------------------------


def test_the_table_keeps_its_key(tmp_path: Path) -> None:
    with phone_table(tmp_path, game=False, on=False) as table:
        table.evening.store.keep("phones", {"on": True, "seats": {"red": "from before there were keys"}})
        table.phones.resume()
        key = table.server.keys.public
        assert list(table.phones.seats) == ["red"]
        table.phones.stop()
    with phone_table(tmp_path, game=False) as table:
        assert table.server.keys.public == key and list(table.phones.seats) == ["red"]
        assert table.server.keys.secret not in table.phones.link


@pytest.mark.parametrize("secret", ["", "short", "ä" * 43, "x" * 44])
def test_a_secret_key_that_is_none_is_not_used(secret: object) -> None:
    assert not is_kept({"on": True, "seats": {}, "secret": secret})


# -- a whole game ----------------------------------------------------------------------------------------------------


def words(of: Any) -> Iterator[str]:
    """Yield every text in a message, and the names of what it holds."""
    match of:
        case str():
            yield of
        case list():
            for each in of:
                yield from words(each)
        case dict():
            for name, value in of.items():
                yield name
                yield from words(value)


def test_nothing_of_a_whole_game_can_be_read_on_the_air(tmp_path: Path) -> None:
    """No text of either direction, no name, no token; and everything that a phone sends is of one length."""
    chance = random.Random(51)
    with phone_table(tmp_path) as table, ExitStack() as stack:
        table.phones.places = lambda: {"red": "Anna", "blue": "Ben"}  # type: ignore[method-assign]
        phones = [stack.enter_context(closing(table.seated(seat))) for seat in ("red", "blue")]
        match = match_of(table.evening)
        looks = [10, 40, 80, 120]  # a phone may not send more in so short a game
        while legal := match.session.legal():
            match.act(event_data(chance.choice(legal).pick(chance.choice)))
            table.until(lambda: not table.evening.waiting)
            if looks and match.session.accepted >= looks[0]:
                looks.pop(0)
                for phone in phones:
                    phone.say(look=[])
                    listed = phone.hear("table")["list"]
                    phone.say(look=[of["key"] for of in listed["entries"] if of["opens"]][:1])
        assert match.view["over"]
        table.until(lambda: not table.evening.waiting)
        for phone in phones:
            phone.say(lang="de")
            phone.hear("texts")
            heard = {word for text in phone.texts for word in words(json.loads(text)) if len(word) > 5}
            assert len(heard) > 200 and phone.token in heard
            wire = b"".join(phone.wire)
            assert not [word for word in heard if word.encode() in wire]
            assert len(phone.texts) == len(phone.wire) > 20
            assert all(len(of) % 256 in (16, 48) for of in phone.wire), "48: the first one, with the page's key"
            assert json.loads(phone.greeting)["version"] == VERSION
