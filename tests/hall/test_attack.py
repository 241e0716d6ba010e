"""A hall under attack in the middle of a round: forged messages by every door, guessed passwords and codes, a crowd of
telephones, and a broker that is killed again and again. Nothing changes that should not, and nothing is lost."""

from __future__ import annotations

import json
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.hall import setup
from companion.hall.link import Broker, BrokerLink
from companion.hall.reach import NEW
from companion.hall.records import checksum
from companion.hall.sessions import TRIES
from companion.hall.ticket import Ticket
from companion.rules import result
from tests.hall.test_crowd import phone
from tests.hall.test_phones import KINDS, Phone, refusals
from tests.support.hall_process import AtTerminal, Hall, hall
from tests.support.hall_tables import until
from tests.support.tables import EVERYTHING
from tools.hall_evening import PLAYERS

FORGED, LOGINS, TELEPHONES, BROKERS = 1300, 66, 200, 35
ATTACKED, THIEF = ("2", "4"), "9"
"""The tables in whose name others write, and the table whose password they have."""
TOP, DESK = "tabularium/2/friday", "tabularium-desk/2/friday"
SAID = ("evening", "rounds", "seating", "standings", "clock", "have/2", "spare/2", "requests")
OF_TABLE = ("status", "header", "event/4", "event/1", "view", "result", "approval/red", "approval/blue", "health")


@pytest.mark.skipif(not EVERYTHING, reason="thousands of messages and 35 brokers: make soak")
def test_an_attack_changes_nothing(tmp_path: Path) -> None:
    with hall(tmp_path) as of, ExitStack() as stack:
        organiser = AtTerminal(of)
        organiser.prepare(PLAYERS)
        organiser.first_round(1)
        seated = of.begin(1)
        for name in ("1", "2", "3"):
            of.finish(1, seated[name])
        of.settle()
        before = kept(of)
        for number in range(TELEPHONES):
            stack.enter_context(closing(phone(of.running, number, deaf=number % 2 == 0)))
        assert forge_messages(of) + forge_letters(of) >= FORGED
        assert log_in(of) == LOGINS
        assert of.ask("status")["ok"]
        of.settle()
        assert kept(of) == before
        moves = kill_brokers(of)
        for name, entry in seated.items():
            if name not in ("1", "2", "3"):
                of.finish(1, entry)
        of.settle()
        ended, forged = of.ends(), payloads(of, "2")["result"]
        assert {row["state"] for row in ended["results"]} == {"counts"}
        assert len(kept(of)["events"]) == len(before["events"]) + moves
        organiser.next_round(2)
        assert len(of.seated(2)) == 15
        before = kept(of)
        of.tables["2"].link.publish(f"{TOP}/table/2/result", forged)
        until(lambda: kept(of) != before, why=lambda: "what was forged does nothing even by its own table")


def kept(of: Hall) -> Mapping[str, Any]:
    """Return all that the hall has on disk, but for the tables' health and what was wrong."""
    tables = {"games": "place, game, begun, header, round, upto, result, crc", "events": "of, number, payload",
              "approvals": "of, seat, crc, approves", "said": "number, act", "places": "place, status, view"}  # fmt: skip
    with closing(sqlite3.connect(f"file:{of.folder}/hall.sqlite3?mode=ro", uri=True)) as db:
        return {name: sorted(db.execute(f"SELECT {of} FROM {name}"), key=repr) for name, of in tables.items()}


# -- forged messages -----------------------------------------------------------------------------------------------------


def payloads(of: Hall, table: str) -> Mapping[str, bytes]:
    """Return payloads that would do harm if anybody took them for a table's or the hall's, by kind."""
    key = of.tables[table]._key
    entry = of.seated(1)[table]
    told = result({seat["seat"]: 99 - at for at, seat in enumerate(entry["seats"])})
    crc = checksum(told)
    header = json.loads(
        next(payload for topic, (payload, _) in of.tables[table]._kept.items() if topic.endswith("/header"))
    )
    real: dict[str, Mapping[str, Any]] = {
        "status": {"here": False},
        "result": {**key, "number": 4, "result": told, "crc": crc},
        "approval": {**key, "seat": "red", "crc": crc, "approves": False},
        "event": {**key, "number": 4, "event": {"event": "pass", "seat": "red"}},
        "header": {**header, "header": {**header["header"], "ids": {"red": 1}}},
        "order": {"do": "end"},
        "said": {"name": "Mine", "rounds": [], "round": 9, "state": "over", "game": 0, "number": 0, "begun": None},
    }
    stale = {"begun": "2020-01-01T00:00:00+00:00", "evening": "0" * 16}
    return {
        **{kind: json.dumps(payload).encode() for kind, payload in real.items()},
        **{f"stale {kind}": json.dumps({**payload, **stale}).encode() for kind, payload in real.items()},
        "wrong types": json.dumps({**key, "number": "x", "result": 7, "crc": None, "here": 3, "do": [1]}).encode(),
        "malformed": b'{"game": 1,',
        "deep": b"[" * 5000,
        "huge": json.dumps({**key, "text": "x" * 70_000}).encode(),
        "no text": bytes(range(256)),
        "none": b"",
    }


def forge_messages(of: Hall) -> int:
    """Write to every topic as somebody who may not, kept by the broker or not; return how many messages that were."""
    topics = [
        *(f"{TOP}/table/{table}/{kind}" for table, kind in product(ATTACKED, OF_TABLE)),
        *(f"{TOP}/hall/{kind}" for kind in SAID),
        *(f"{DESK}/{kind}" for kind in ("order", "state", "answer/x")),
        "tabularium-sealed/2/friday/answer/0000000000000000", "tabularium/1/friday/table/2/result", TOP,
    ]  # fmt: skip
    forged = payloads(of, "2")
    doors: Mapping[str, Broker] = {"public": of.running.as_(None), "table": of.running.as_(THIEF)}
    sent = 0
    for broker in doors.values():
        with closing(BrokerLink(broker, subscribed=[], came=lambda _: None)) as link:
            link.open()
            until(lambda: link.connected)
            for at, (topic, payload) in enumerate(product(topics, forged.values())):
                link.publish(topic, payload, retain=at % 2 == 0)
                sent += 1
                until(lambda: link.unacknowledged < 100)
            for topic in ("tabularium-sealed/2/friday/order", "tabularium-asked/2/friday/request"):
                for payload in forged.values():
                    link.publish(topic, payload)
                    sent += 1
            until(lambda: not link.unacknowledged)
    return sent + forge_own(of, forged)


def forge_own(of: Hall, forged: Mapping[str, bytes]) -> int:
    """Have a table write what is unreadable, or was written otherwise before, under its own name."""
    unread = [forged[kind] for kind in ("wrong types", "malformed", "deep", "huge", "no text")]
    again = json.dumps({**of.tables[THIEF]._key, "number": 1, "event": {"event": "flip", "card": "?"}}).encode()
    other = json.dumps({**of.tables[THIEF]._key, "number": 2, "event": {"event": "pass", "seat": "red"}}).encode()
    link = of.tables[THIEF].link
    messages = [*product(OF_TABLE, unread), ("event/1", again), ("event/3", other)]
    for kind, payload in messages:
        link.publish(f"{TOP}/table/{THIEF}/{kind}", payload)
    until(lambda: not link.unacknowledged)
    return len(messages)


def forge_letters(of: Hall) -> int:
    """Send letters that are altered, repeated or sealed by another phone; return how many."""
    sent = 0
    with ExitStack() as stack:

        def connected(name: str) -> Phone:
            address = of.ask("invite", name=name)["invite"]["address"]
            return stack.enter_context(closing(Phone(of.running, address))).claim()

        anna, ben = connected("Anna's phone"), connected("Ben's phone")
        for kind in KINDS:
            for letter in refusals(None, anna, ben, kind):  # type: ignore[arg-type]
                anna.link.publish("tabularium-sealed/2/friday/order", letter)
                sent += 1
            until(lambda: not anna.link.unacknowledged)
            anna.greet(want=False)
            assert anna.order("status")["ok"], kind
    for name in ("Anna's phone", "Ben's phone"):
        assert of.ask("disconnect", name=name)["ok"]
    return sent


# -- logins --------------------------------------------------------------------------------------------------------------


def log_in(of: Hall) -> int:
    """Try to get in with guessed passwords, codes and tickets; return how many tries were refused."""
    plan, passwords = of.running.plan, of.running.passwords
    users = ("hall", setup.ORGANISER, "2", THIEF, "spare-1", "nobody")
    refused = 0
    for port, web in ((plan.port, False), (plan.desk, True)):
        for user, password in product(users, ("guess", "", passwords["1"], passwords[THIEF][::-1])):
            broker = replace(of.running.as_("hall"), port=port, user=user, password=password, web=web)
            refused += is_refused(broker)
    return refused + guess_codes(of) + guess_tickets(of)


def is_refused(broker: Broker) -> bool:
    with closing(BrokerLink(broker, subscribed=[], came=lambda _: None)) as link:
        link.open()
        until(lambda: link.connected or link.fault != NEW)
        return not link.connected


def guess_codes(of: Hall) -> int:
    """Guess at a phone's code until the invitation has ended, so that even the right code opens nothing."""
    address = of.ask("invite", name="Cem's phone")["invite"]["address"]
    with closing(Phone(of.running, address)) as cem:
        tries = [*["guess"] * TRIES, cem.code]
        return sum(bool(cem.greet(code=code).get("wrong")) for code in tries)


def guess_tickets(of: Hall) -> int:
    """Guess at the ticket of the organiser's page."""
    plan = of.running.plan
    with closing(Ticket(plan.hall, "key", f"http://localhost:{plan.desk}")) as ticket:
        port = ticket.words.removeprefix("ticket=").split("-")[0]
        return sum(is_no_ticket(f"http://127.0.0.1:{port}/{words}") for words in guesses())


def guesses() -> Iterator[str]:
    yield from (
        "",
        "guess",
        "../hall.json",
        *("x" * length for length in (20, 40, 60, 2000)),
        "%00",
        "key",
        "a/b",
        "?",
        "*",
    )


def is_no_ticket(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return b"key" not in answer.read()
    except (urllib.error.URLError, OSError):
        return True


# -- brokers -------------------------------------------------------------------------------------------------------------


def kill_brokers(of: Hall) -> int:
    """Kill the broker again and again while tables play; return how many moves they made."""
    playing = [of.tables[name] for name in of.seated(1) if name not in ("1", "2", "3")]
    for _ in range(BROKERS):
        for table in playing:
            table.move("red")
        of.running.kill()
        for table in playing:
            table.move("red")
        of.running.start()
    return 2 * BROKERS * len(playing)
