"""The organiser's page on a phone: sealed by the port that everybody may use, at a real Mosquitto and in a real browser."""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from nacl.bindings import crypto_box_beforenm, crypto_box_easy_afternm, crypto_box_keypair, crypto_box_open_easy_afternm
from nacl.exceptions import CryptoError

from companion.cli import main
from companion.hall import sessions as of_phones
from companion.hall.link import BrokerLink, Post
from companion.hall.page import code_of
from companion.hall.service import HallService
from companion.hall.sessions import FILE, Sessions
from companion.hall.store import HallStore
from companion.system.sealing import LONGEST, KeyPair
from tests.support.boards import fits
from tests.support.hall_board_chromium import Chromium
from tests.support.hall_broker import Running, broker
from tests.support.hall_tables import until
from tests.support.hall_two_ways import Evening, at_page, at_phone, evening_at, invited

TOP = "tabularium-sealed/2/friday"


class Phone:
    """A phone without a page, by libsodium's functions and docs/hall/phones.md."""

    def __init__(self, running: Running, invitation: str) -> None:
        _, self.id, key, code = invitation.split("#invite=")[1].split(".")
        self.code, self.invitation = code, invitation
        self.public, secret = crypto_box_keypair()
        self.shared = crypto_box_beforenm(urlsafe_b64decode(key + "="), secret)
        self.epoch, self.n, self.heard, self.marks = "", 0, 0, 0
        self.letters: list[bytes] = []
        """Every letter that it has sent."""
        self.wire: list[bytes] = []
        """Every letter that came."""
        self.came: list[dict[str, Any]] = []
        self.link = BrokerLink(running.as_(None), subscribed=[f"{TOP}/answer/{self.id}"], came=self._came)
        self.link.open()
        until(lambda: self.link.connected)

    def _came(self, post: Post) -> None:
        self.wire.append(post.payload)
        with suppress(CryptoError):  # for another one that has seen the same code
            self.came.append(json.loads(self.open(post.payload)))

    def open(self, letter: bytes) -> bytes:
        nonce, sealed = letter[:24], letter[24:]
        assert nonce[20:] == bytes(4)
        return crypto_box_open_easy_afternm(sealed, nonce, self.shared)

    def seal(self, way: int = 1, **message: Any) -> bytes:
        text = json.dumps(message).encode()
        nonce = os.urandom(20) + way.to_bytes(4, "big")
        return (
            bytes.fromhex(self.id) + self.public + nonce + crypto_box_easy_afternm(text.ljust(4096), nonce, self.shared)
        )

    def post(self, letter: bytes, retain: bool = False) -> None:
        self.letters.append(letter)
        self.link.publish(f"{TOP}/order", letter, retain=retain)
        until(lambda: not self.link.unacknowledged)

    def say(self, **message: Any) -> str:
        self.marks += 1
        self.post(self.seal(mark=str(self.marks), **message))
        return str(self.marks)

    def answered(self, mark: str) -> dict[str, Any]:
        until(lambda: any(of.get("mark") == mark for of in self.came))
        return next(of for of in self.came if of.get("mark") == mark)

    def greet(self, **message: Any) -> dict[str, Any]:
        found = self.answered(self.say(**message))
        if "epoch" in found:
            self.epoch, self.n = found["epoch"], found["heard"]
        return found

    def claim(self) -> Phone:
        assert self.greet(code=self.code)["name"]
        return self

    def numbered(self, do: str, **order: Any) -> dict[str, Any]:
        self.n += 1
        return {"epoch": self.epoch, "n": self.n, "order": {"do": do, **order}}

    def order(self, do: str, **order: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self.answered(self.say(**self.numbered(do, **order)))["answer"]
        return answer

    @property
    def state(self) -> dict[str, Any] | None:
        return next((of["state"] for of in reversed(self.came) if "state" in of), None)

    def close(self) -> None:
        self.link.close()


class Hall:
    """A hall that can be closed and opened again, and its phones."""

    def __init__(self, running: Running, folder: Path) -> None:
        self.running, self._folder = running, folder
        self._stack = ExitStack()
        self.phones = ExitStack()
        self.open()

    def open(self) -> None:
        store = self._stack.enter_context(closing(HallStore(self._folder / "hall.sqlite3")))
        plan = self.running.plan
        made = HallService("friday", self.running.as_("hall"), store, code_of(plan.address))
        self.service = self._stack.enter_context(closing(made))
        self.service.open()
        until(lambda: self.service.link.connected and self.service.phones.connected, why=lambda: self.running.said)

    def close(self) -> None:
        self._stack.close()

    def invite(self, name: str = "Anna's phone") -> Phone:
        answer = self.service.order({"do": "invite", "name": name})
        assert answer["ok"], answer
        return self.phones.enter_context(closing(Phone(self.running, answer["invite"]["address"])))

    def phone(self, name: str = "Anna's phone") -> Phone:
        return self.invite(name).claim()

    @property
    def orders(self) -> list[tuple[str, str]]:
        return [(act["act"], act.get("who", "")) for act in self.service.call(lambda store: store.said())]

    @property
    def refused(self) -> int:
        return self.service.phones.sessions.refused


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with broker(tmp_path / "broker") as running, closing(Hall(running, tmp_path)) as hall, hall.phones:
        yield hall


# -- orders, answers, state ----------------------------------------------------------------------------------------------


def test_two_phones_give_orders_under_their_names_and_see_each_others(hall: Hall) -> None:
    anna, ben = hall.phone(), hall.phone("Ben's phone")
    assert anna.order("join", names=["Cem", "Dana"], who="somebody else")["ok"]
    until(lambda: bool(ben.state and ben.state["orders"]))
    assert ben.state and [of["who"] for of in ben.state["orders"]] == ["Anna's phone"]
    answer = ben.order("penalty", player="Cem", points=1, reason="late", as_of=0)
    assert not answer["ok"] and answer["as_of"] == 1, "another order has come since"
    assert ben.order("penalty", player="Cem", points=1, reason="late", as_of=1)["ok"]
    assert hall.orders == [("join", "Anna's phone"), ("penalty", "Ben's phone")]
    assert [of["name"] for of in ben.state["sessions"]] == ["Anna's phone", "Ben's phone"]
    assert not ben.order("export", file="/x")["ok"], "no order over the wire writes a file"
    assert not [of for of in anna.came if of.get("answer") and of["mark"] not in map(str, range(9))]


def test_nothing_of_it_can_be_read_on_the_air_and_lengths_do_not_tell(hall: Hall) -> None:
    air: list[Post] = []
    with closing(BrokerLink(hall.running.as_(None), subscribed=["#"], came=air.append)) as guest:
        guest.open()
        until(lambda: guest.connected)
        anna = hall.phone()
        hall.service.order({"do": "evening", "names": "none"})
        anna.order("join", names=["Wilhelmina"])
        anna.order("penalty", player="Wilhelmina", points=3, reason="secret reason", **{"try": True})
        anna.order("why", player="Wilhelmina")
        until(lambda: bool(anna.state and anna.state["players"]))
        until(lambda: len([post for post in air if post.topic == f"{TOP}/answer/{anna.id}"]) >= len(anna.wire))
    sealed = b"".join([*anna.letters, *anna.wire])
    heard = b"".join(post.payload for post in air)
    for text in ("Wilhelmina", "secret reason", "penalty", "Anna's phone", "players", anna.code, anna.epoch):
        assert text.encode() not in sealed, text
        assert text in ("penalty", "players", "Anna's phone") or text.encode() not in heard, text
    assert {len(of) for of in anna.letters} == {8 + 32 + 24 + 16 + 4096}
    assert {len(of) - 40 for of in anna.wire} <= {4096 << power for power in range(8)}
    assert len(set(anna.letters)) == len(anna.letters) and not [post for post in air if post.topic == f"{TOP}/order"]


def test_the_longest_state_still_fits_the_broker() -> None:
    keys, (page, _) = KeyPair(), crypto_box_keypair()
    letters = keys.letters(page)
    assert len(letters.seal(b"x" * LONGEST)) < 1_010_000 - 200 and len(letters.seal(b"x" * 600_000)) < 1_010_000 - 200
    with pytest.raises(ValueError, match="at most"):
        letters.seal(b"x" * (LONGEST + 1))


# -- codes ---------------------------------------------------------------------------------------------------------------


def test_a_code_works_once(hall: Hall) -> None:
    anna = hall.phone()
    thief = hall.phones.enter_context(closing(Phone(hall.running, anna.invitation)))
    before = hall.refused
    thief.say(code=anna.code)
    until(lambda: hall.refused == before + 1)
    assert anna.order("status")["ok"] and len(hall.service.phones.sessions.live) == 1


def test_a_claim_that_was_not_answered_can_be_repeated(hall: Hall) -> None:
    anna = hall.phone()
    assert anna.greet(code=anna.code)["name"] == "Anna's phone", "by the same keys"
    assert anna.order("status")["ok"]


def test_a_code_that_is_old_or_was_guessed_five_times_opens_nothing(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    guessed = hall.invite()
    for _ in range(of_phones.TRIES):
        assert guessed.greet(code="guess").get("wrong")
    assert guessed.greet(code=guessed.code).get("wrong")
    monkeypatch.setattr(of_phones, "CODE_S", 0)
    old = hall.invite("Ben's phone")
    assert old.greet(code=old.code).get("wrong")
    assert not hall.service.phones.sessions.live and not hall.service.phones.sessions.listed


def test_who_has_not_seen_the_code_cannot_use_up_its_tries(hall: Hall) -> None:
    anna = hall.invite()
    guest = hall.phones.enter_context(closing(Phone(hall.running, f"#invite=friday.{anna.id}.{'A' * 42}E.guess")))
    for _ in range(10):
        guest.say(code="guess")
    until(lambda: hall.refused == 10)
    assert anna.claim().order("status")["ok"]


def test_a_name_is_given_once_and_the_newest_code_of_a_name_counts(hall: Hall) -> None:
    first = hall.invite()
    second = hall.invite("anna's PHONE").claim()
    before = hall.refused
    first.say(code=first.code)
    until(lambda: hall.refused == before + 1)
    assert second.order("status")["ok"]
    answer = hall.service.order({"do": "invite", "name": "Anna's phone"})
    assert not answer["ok"] and "already connected" in answer["said"][0]
    assert not hall.service.order({"do": "invite", "name": "  "})["ok"]


# -- what is refused -----------------------------------------------------------------------------------------------------


def refusals(hall: Hall, anna: Phone, ben: Phone, kind: str) -> list[bytes]:
    """Return letters of this kind, none of which is anna's next order."""
    order = anna.numbered("end")
    match kind:
        case "repeated":
            anna.order("status")
            return anna.letters[-1:]
        case "sent back":
            anna.order("status")
            head = bytes.fromhex(anna.id) + anna.public
            return [head + of for of in anna.wire]
        case "sent back with its direction changed":
            head = bytes.fromhex(anna.id) + anna.public
            return [head + of[:20] + (1).to_bytes(4, "big") + of[24:] for of in anna.wire]
        case "the other direction":
            return [anna.seal(way=0, mark="x", **order)]
        case "another session's":
            letter = ben.seal(mark="x", **ben.numbered("end"))
            return [bytes.fromhex(anna.id) + letter[8:], bytes.fromhex(anna.id) + anna.public + letter[40:]]
        case "another epoch":
            return [anna.seal(mark="x", **{**order, "epoch": "0" * 16})]
        case "an earlier number":
            anna.n += 5
            anna.order("status")
            return [
                anna.seal(mark="x", **{**order, "n": n}) for n in (anna.n - 1, anna.n, 0, -1, None, "9", 2**60, 1e9)
            ]
        case "altered":
            letter = anna.seal(mark="x", **order)
            return [bytes([*letter[:at], letter[at] ^ 1, *letter[at + 1 :]]) for at in (0, 9, 41, 62, 70, 500, -1)]
        case "cut":
            letter = anna.seal(mark="x", **order)
            return [letter[:at] for at in (0, 7, 8, 39, 40, 63, 64, 70, 80, 4000)] + [letter + b" "]
        case _:
            return [b"null", b"{" * 9000, os.urandom(70), json.dumps({"do": "end"}).encode()]


KINDS = ("repeated", "sent back", "sent back with its direction changed", "the other direction", "another session's",
         "another epoch", "an earlier number", "altered", "cut", "plain")  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_the_next_order_of_its_phone_is_refused_and_counted(hall: Hall, kind: str) -> None:
    anna, ben = hall.phone(), hall.phone("Ben's phone")
    anna.order("join", names=["Cem"])
    letters = refusals(hall, anna, ben, kind)
    before = hall.refused
    assert letters
    for letter in letters:
        anna.link.publish(f"{TOP}/order", letter)
    until(lambda: hall.refused == before + len(letters), why=lambda: (hall.refused, before, len(letters)))
    assert hall.orders == [("join", "Anna's phone")]
    anna.greet(want=False)
    assert anna.order("say", text="Break")["ok"], "the phone continues"


def test_what_the_broker_has_kept_is_refused(hall: Hall) -> None:
    anna = hall.phone()
    hall.close()
    anna.post(anna.seal(mark="x", **anna.numbered("end")), retain=True)
    hall.open()
    until(lambda: hall.refused == 1)
    assert not hall.orders


def test_a_hall_that_was_closed_keeps_its_sessions_and_takes_no_order_twice(hall: Hall) -> None:
    anna = hall.phone()
    anna.order("join", names=["Cem"])
    recorded = anna.letters[:]
    hall.close()
    hall.open()
    for letter in recorded:
        anna.link.publish(f"{TOP}/order", letter)
    anna.came.clear()
    again = anna.answered(anna.say(**anna.numbered("join", names=["Dana"])))
    assert "answer" not in again and again["epoch"] != anna.epoch, "the phone is told to begin anew"
    anna.greet(want=True)
    assert anna.order("join", names=["Dana"])["ok"]
    assert hall.orders == [("join", "Anna's phone")] * 2
    until(lambda: bool(anna.state and len(anna.state["players"]) == 2))


# -- the end of a session ------------------------------------------------------------------------------------------------


def test_an_ended_session_is_told_so_and_gives_no_order(hall: Hall) -> None:
    anna, ben = hall.phone(), hall.phone("Ben's phone")
    answer = ben.order("disconnect", name="anna's phone")
    assert answer["ok"], answer
    until(lambda: {"ended": True} in anna.came)
    anna.came.clear()
    anna.say(**anna.numbered("join", names=["Cem"]))
    until(lambda: {"ended": True} in anna.came)
    assert not hall.orders
    hall.close()
    hall.open()
    anna.came.clear()
    anna.say(want=True)
    until(lambda: {"ended": True} in anna.came)
    assert [of["name"] for of in hall.service.phones.sessions.listed] == ["Ben's phone"]
    ben.greet(want=False)
    assert ben.order("disconnect", name=ben.id)["ok"], "its own"
    until(lambda: {"ended": True} in ben.came)
    assert "No phone is connected." in hall.service.order({"do": "sessions"})["said"]
    assert not hall.service.order({"do": "disconnect", "name": "Ben's phone"})["ok"]


def test_an_order_that_waited_while_its_session_was_ended_is_not_carried_out(hall: Hall) -> None:
    anna, go_on = hall.phone(), Event()
    busy = Thread(target=lambda: hall.service.call(lambda _: go_on.wait()))
    ending = Thread(target=lambda: hall.service.order({"do": "disconnect", "name": "Anna's phone"}))
    busy.start()
    until(lambda: not hall.service._queue.qsize())
    ending.start()
    until(lambda: hall.service._queue.qsize() == 1)
    anna.say(**anna.numbered("join", names=["Cem"]))
    until(lambda: hall.service._queue.qsize() == 2)
    go_on.set()
    for thread in (busy, ending):
        thread.join()
    until(lambda: anna.came.count({"ended": True}) == 2)
    assert not hall.orders


def test_a_seating_that_is_planned_while_its_session_is_ended_is_refused(hall: Hall) -> None:
    anna = hall.phone()
    anna.order("join", names=["Cem", "Dana", "Eve"])
    with hall.service._planner._turn:  # the search waits for its turn
        mark = anna.say(**anna.numbered("round", games=["mercator"], tables=["1"]))
        until(lambda: bool(hall.service._planner.going))
        assert hall.service.order({"do": "disconnect", "name": "Anna's phone"})["ok"]
    answer = anna.answered(mark)["answer"]
    assert not answer["ok"] and "This phone has been disconnected meanwhile" in answer["said"][0]
    assert [do for do, _ in hall.orders] == ["join"]


def test_a_new_evening_ends_all_sessions_but_that_of_the_phone_that_begins_it(hall: Hall) -> None:
    anna, ben = hall.phone(), hall.phone("Ben's phone")
    anna.order("join", names=["Cem"])
    assert "1 organiser's phone is disconnected." in anna.order("new", name="Sunday", **{"try": True})["said"]
    assert anna.order("new", name="Sunday")["ok"]
    until(lambda: {"ended": True} in ben.came)
    assert anna.order("join", names=["Dana"])["ok"]
    assert [do for do, _ in hall.orders] == ["evening", "join"]


def test_a_session_ends_with_its_day(tmp_path: Path) -> None:
    running = Sessions(tmp_path / FILE)
    invitation = running.invite("Anna's phone")
    public, _ = crypto_box_keypair()
    made = of_phones.Opened("claim", invitation, public, invitation.keys.letters(public), {"code": invitation.code})
    assert running.claim(made)
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    assert [of.name for of in Sessions(tmp_path / FILE).live] == ["Anna's phone"]
    for days in (-2, 2):
        now = made.of and Sessions(tmp_path / FILE)._now() + of_phones.LASTS * days
        assert not Sessions(tmp_path / FILE, lambda now=now: now).live  # type: ignore[misc]


@pytest.mark.parametrize("kept", ["", "{}", "[1]", '[{"id": "x"}]', '[{"id": 1, "secret": "ä"}]'])
def test_sessions_that_cannot_be_read_are_none(tmp_path: Path, kept: str) -> None:
    (tmp_path / FILE).write_text(kept)
    assert not Sessions(tmp_path / FILE).live


# -- who else is in the network ----------------------------------------------------------------------------------------


def test_a_guest_writes_to_no_phone_and_reads_no_letter_to_the_hall(hall: Hall) -> None:
    anna = hall.phone()
    heard: list[str] = []
    table = hall.running.as_("1")
    with ExitStack() as stack:
        links = [stack.enter_context(closing(BrokerLink(door, subscribed=["#"], came=lambda post: heard.append(post.topic))))
                 for door in (hall.running.as_(None), table)]  # fmt: skip
        for link in links:
            link.open()
        until(lambda: all(link.connected for link in links))
        came = len(anna.wire)
        for link in links:
            link.publish(f"{TOP}/answer/{anna.id}", os.urandom(60))
            link.publish(f"{TOP}/order/more", b"x", retain=True)
        links[1].publish(f"{TOP}/order", anna.seal(mark="x", **anna.numbered("end")))
        until(lambda: not any(link.unacknowledged for link in links))
        anna.n = 0
        anna.order("status")
        until(lambda: f"{TOP}/answer/{anna.id}" in heard)
    assert not [of for of in anna.wire[came:] if len(of) == 60] and not hall.orders
    assert {topic for topic in heard if topic.startswith("tabularium-sealed")} == {f"{TOP}/answer/{anna.id}"}


def test_a_flood_holds_up_neither_tables_nor_the_organiser(hall: Hall) -> None:
    """Ten thousand letters wait at the broker at most; orders of the terminal and what tables send come through."""
    hall.phone()
    with closing(BrokerLink(hall.running.as_(None), subscribed=[], came=lambda _: None)) as guest:
        guest.open()
        until(lambda: guest.connected)
        junk = os.urandom(5000)
        for _ in range(10_000):
            guest.publish(f"{TOP}/order", junk)
        with closing(BrokerLink(hall.running.as_("1"), subscribed=[], came=lambda _: None)) as table:
            table.open()
            until(lambda: table.connected)
            table.publish("tabularium/2/friday/table/1/status", b'{"here": true, "version": "1"}')
            until(lambda: bool(hall.service.call(lambda store: store.tables())))
            assert hall.service.order({"do": "join", "names": ["Cem"]})["ok"]
        assert 0 < hall.refused < 10_000, "the flood was still there"


# -- typed ---------------------------------------------------------------------------------------------------------------


def test_phones_are_invited_listed_and_disconnected_at_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(json.dumps({"data": str(tmp_path)}))

    def typed(*words: str) -> str:
        assert main(["--config", str(config), "hall", *words, "--lang", "en"]) == 0
        return capsys.readouterr().out

    with evening_at(tmp_path) as evening:
        said = typed("invite", "Anna's phone")
        address = said.split()[-1]
        assert "works once" in said and "█" in said and address.startswith(evening.running.plan.address)
        with closing(Phone(evening.running, address).claim()):
            assert "Anna's phone: since" in typed("sessions") and "here" in typed("sessions")
            assert "is disconnected" in typed("disconnect", "Anna's phone")
        assert "No phone is connected" in typed("sessions")
    assert main(["--config", str(config), "hall", "invite", "Anna's phone"]) != 0
    assert (tmp_path / FILE).exists()
    assert main(["--config", str(config), "hall", "evening", "--new"]) == 0
    assert not (tmp_path / FILE).exists(), "a new evening begins without the sessions of the last"


# -- in a browser --------------------------------------------------------------------------------------------------------


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with evening_at(tmp_path) as evening:
        yield evening


def test_an_evening_is_run_by_phone(evening: Evening, browser: Chromium) -> None:
    with at_phone(evening, browser) as page:
        assert browser.run("return location.hash") == "", "the code leaves the address"
        assert browser.run("return crypto.subtle === undefined") or browser.run("return isSecureContext")
        page.join("Cem", "Dana")
        page.penalty("#1", "2", "late")
        page.say("Break until nine")
        acts = evening.service.call(lambda store: store.said())
        assert [act["who"] for act in acts] == ["Anna's phone"] * 3
        assert browser.run("return at('who').offsetParent === null"), "the session has the name"
        browser.run("globalThis.wasHere = true; location.reload()")
        browser.until("!globalThis.wasHere && typeof desk === 'object' && desk.state && desk.state.orders.length === 3")
        page.tab("Evening")
        fits(browser)
        for lang in ("de", "ja", "en"):
            browser.run("memory.set('lang', arguments[0]); render()", lang)
            fits(browser)


def test_the_page_goes_on_after_broker_and_hall_were_gone(evening: Evening, browser: Chromium) -> None:
    with at_phone(evening, browser) as page:
        page.join("Cem")
        evening.running.kill()
        browser.until("shown.link === 'lost'")
        browser.run("globalThis.late = ask({ do: 'join', names: ['Dana'] }); return null")
        evening.running.start()
        assert browser.run("return globalThis.late.then(({ ok }) => ok)"), "it is sent again"
        evening.service.phones.sessions.epoch = "another process"
        page.join("Émile")
        assert [of.name for of in evening.now.evening.people.values()] == ["Cem", "Dana", "Émile"]
        browser.log()  # that the broker was gone


def test_a_code_is_shown_on_the_page_and_goes_once_its_phone_is_there(evening: Evening, browser: Chromium) -> None:
    with at_page(evening, browser) as page:
        page.tab("Evening")
        page.press("Connect a phone …")
        page.write(phone="Ben's phone")
        page.press("Show the code")
        browser.until("document.querySelector('dialog .code')")
        address = browser.run("return document.querySelector('dialog .code').getAttribute('aria-label')")
        with closing(Phone(evening.running, address).claim()) as ben:
            browser.until("!document.querySelector('dialog').open")
            browser.until("document.querySelector('.phones')?.innerText.includes('Ben')")
            page.press("Disconnect", ".phones")
            page.press("Disconnect")
            until(lambda: {"ended": True} in ben.came)
            browser.until("!document.querySelector('.phones')")


def test_an_ended_session_says_so_and_forgets_keys_and_evening(evening: Evening, browser: Chromium) -> None:
    with at_phone(evening, browser) as page:
        page.join("Wilhelmina")
        page.tab("Players")
        page.press("Add players …")
        page.write(names="Theodora")
        assert evening.service.order({"do": "disconnect", "name": "Anna's phone"})["ok"]
        browser.until("!at('link').hidden && at('link').innerText.includes('forgotten its keys')")
        assert browser.run("return localStorage.getItem('phone')") is None
        assert not browser.run("return document.querySelector('dialog').open")
        left = browser.run(
            "return document.body.innerHTML + JSON.stringify(sessionStorage) + JSON.stringify(localStorage)"
        )
        assert "Wilhelmina" not in left and "Theodora" not in left
        browser.run("location.reload()")
        browser.until(
            "typeof desk === 'object' && !at('link').hidden && at('link').innerText.includes('not connected')"
        )


def test_a_code_that_is_no_longer_valid_is_said_to_be_so(evening: Evening, browser: Chromium) -> None:
    address = invited(evening)
    with browser.visit(address[:-5] + "guess"):
        browser.until("typeof desk === 'object' && at('link').innerText.includes('no longer valid')")
        assert browser.run("return localStorage.getItem('phone')") is None
        assert not browser.log()


def test_a_phone_of_which_the_hall_knows_nothing_is_told_to_scan_again(evening: Evening, browser: Chromium) -> None:
    with at_phone(evening, browser):
        evening.service.phones.sessions._all.clear()
        browser.run("location.reload()")
        browser.until("typeof desk === 'object' && at('link').innerText.includes('does not answer this phone')")


def test_letters_that_do_not_belong_to_the_page_do_nothing(evening: Evening, browser: Chromium) -> None:
    with at_phone(evening, browser) as page:
        browser.run("""
            globalThis.came = []; const take = takeLetter;
            globalThis.takeLetter = (payload) => { came.push(Uint8Array.from(payload)); return take(payload); };
        """)
        page.join("Cem")
        page.join("Dana")
        evening.service.order({"do": "say", "text": "Break"})
        browser.until("desk.state.orders.length === 3")
        browser.run("""
            const flipped = came.map((each) => { const other = each.slice(); other[60] ^= 1; return other; });
            const own = seal({ epoch: phone.epoch, n: 1e6, state: { orders: [] } }).slice(40);
            for (const each of [...came, ...flipped, own, new Uint8Array(5), new Uint8Array(90)]) takeLetter(each);
        """)
        assert browser.run("return desk.state.orders.length") == 3
        page.join("Émile")
