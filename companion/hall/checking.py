"""Checks of a running broker against what `tabularium hall setup` wrote: who gets in, and who may write what."""

from __future__ import annotations

import os
import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from http.client import HTTPConnection, HTTPException

from companion.hall import mosquitto, setup
from companion.hall._wire import Topics
from companion.hall.link import BrokerLink
from companion.hall.plan import Plan
from companion.hall.reach import NEW
from companion.hardware.doctor import Finding
from companion.rules.message import Message

WAIT_S = 5.0
GUESTS = 1500
"""The number of idle connections: more than a broker may usually open. A table must get in beside them."""
START = Message("Start it: {command}", command="mosquitto -c …/mosquitto.conf")


def check(plan: Plan, wait_s: float = WAIT_S) -> Iterator[Finding]:
    """Check each user in turn, and then who may write. Raises OSError where what was set up cannot be read."""
    if old := mosquitto.outdated(plan.folder):
        what = Message("comes from an earlier version ({lines}): new connections may be dropped", lines=", ".join(old))
        action = Message("Run {tabularium} hall to update it; then restart the broker")
        yield Finding("mosquitto.conf", "warn", what, action)
    came: set[bytes] = set()
    topic = Topics(plan.hall).said("check")
    users: list[str | None] = [setup.HALL, *plan.tables[:1], None]
    with ExitStack() as stack:
        links = {}
        for user in users:
            ear = [topic] if user == setup.HALL else []
            link = BrokerLink(setup.broker(plan, user), subscribed=ear, came=lambda post: came.add(post.payload))
            links[user] = stack.enter_context(closing(link))
            link.open()
        for user, link in links.items():
            _within(wait_s, lambda link=link: link.connected)  # type: ignore[misc]
            yield _entry(user, link)
        reached = links[setup.HALL].connected
        if all(link.connected for link in links.values()):
            for user in [*plan.tables[:1], None, setup.HALL]:
                links[user].publish(topic, (user or "").encode())
                _within(wait_s, lambda user=user: links[user].unacknowledged == 0)  # type: ignore[misc]
            _within(wait_s, lambda: setup.HALL.encode() in came)
            yield _writing(came)
    yield _board(plan, wait_s)
    if reached:
        yield _crowded(plan, wait_s)
    if (plan.folder / "acl-desk").exists():
        yield from _desk(plan, wait_s)
        yield from _phones(plan, wait_s)
    else:
        what = Message("Missing: this hall was set up by an earlier version")
        yield Finding("organiser", "warn", what, Message("{tabularium} hall setup --hall … --tables … adds it"))


def _within(seconds: float, done: Callable[[], bool]) -> None:
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(0.02)


def _entry(user: str | None, link: BrokerLink) -> Finding:
    part = "public" if user is None else user if user == setup.HALL else f"table {user}"
    if link.connected:
        return Finding(part, "pass", Message("can connect"))
    return Finding(part, "fail", Message("cannot connect: {fault}", fault=link.fault), START)


def _writing(came: set[bytes]) -> Finding:
    if came == {setup.HALL.encode()}:
        return Finding("writing", "pass", Message("only the hall can write the hall's messages"))
    what = Message("Others can write the hall's messages, or the hall itself cannot")
    return Finding("writing", "fail", what, Message("Start the broker with the mosquitto.conf of hall setup"))


def _desk(plan: Plan, wait_s: float) -> Iterator[Finding]:
    """Check who gets in by which door, and who reads and writes what only the organiser should."""
    topic = Topics(plan.hall).check
    key = setup.passwords(plan.folder)[setup.ORGANISER]
    board = setup.broker(plan, None)
    doors = {
        "organiser": setup.broker(plan, setup.ORGANISER),
        "hall": setup.broker(plan, setup.HALL),
        "nobody": replace(setup.broker(plan, setup.ORGANISER), user=None, password=None),
        "guess": replace(setup.broker(plan, setup.ORGANISER), password="guess"),
        "table door": replace(setup.broker(plan, setup.HALL), user=setup.ORGANISER, password=key),
        "public": board,
        "board": replace(board, user=setup.ORGANISER, password=key),
        "board as hall": replace(board, user=setup.HALL, password="guess"),
        **{f"table {table}": setup.broker(plan, table) for table in plan.tables[:1]},
    }
    heard: dict[str, set[bytes]] = {who: set() for who in doors}
    with ExitStack() as stack:
        links = {}
        for who, door in doors.items():
            link = BrokerLink(door, subscribed=[topic], came=lambda post, who=who: heard[who].add(post.payload))  # type: ignore[misc]
            links[who] = stack.enter_context(closing(link))
            link.open()
        known = ("organiser", "hall")
        _within(wait_s, lambda: all(links[who].connected for who in known))
        if not all(links[who].connected for who in known):
            yield Finding(
                "organiser", "fail", Message("cannot connect: {fault}", fault=links["organiser"].fault), START
            )
            return
        _within(wait_s / 5, lambda: all(link.connected or link.fault != NEW for link in links.values()))
        for who, link in links.items():
            link.publish(topic, who.encode())
        _within(wait_s, lambda: all({b"organiser", b"hall"} <= heard[who] for who in known))
        _within(min(wait_s / 5, 0.3), lambda: any(heard[who] for who in heard if who not in known))
        entered = [who for who in ("nobody", "guess", "table door") if links[who].connected]
    written = set().union(*heard.values())
    if entered or written != {b"organiser", b"hall"} or any(heard[who] for who in heard if who not in known):
        what = Message("Others can connect to the organiser's port, or read or write the organiser's messages")
        yield Finding("organiser", "fail", what, Message("Start the broker with the mosquitto.conf of hall setup"))
    else:
        yield Finding(
            "organiser", "pass", Message("can connect to its own port; nobody else can give orders or read them")
        )


def _phones(plan: Plan, wait_s: float) -> Iterator[Finding]:
    """Check that phones reach the hall by sealed messages, and that only the hall answers them."""
    topics = Topics(plan.hall)
    order, answer = topics.sealed_order, topics.sealed_answer("check")
    heard = set[tuple[str | None, str, bytes]]()
    with ExitStack() as stack:
        links = {}
        for user in (None, setup.HALL):
            link = BrokerLink(
                setup.broker(plan, user),
                subscribed=[order, answer],
                came=lambda post, user=user: heard.add((user, post.topic, post.payload)),  # type: ignore[misc]
            )
            links[user] = stack.enter_context(closing(link))
            link.open()
        _within(wait_s, lambda: all(link.connected for link in links.values()))
        for topic in (order, answer):
            links[None].publish(topic, b"guest")
        _within(wait_s, lambda: not links[None].unacknowledged)
        links[setup.HALL].publish(answer, b"hall")
        _within(wait_s, lambda: (None, answer, b"hall") in heard)
    if heard == {(setup.HALL, order, b"guest"), (None, answer, b"hall"), (setup.HALL, answer, b"hall")}:
        yield Finding("phones", "pass", Message("reach the hall by sealed messages, and only the hall answers them"))
    else:
        what = Message("Phones do not reach the hall, or others can write or read more than they should")
        yield Finding("phones", "fail", what, Message("Start the broker with the mosquitto.conf of hall setup"))


def _crowded(plan: Plan, wait_s: float) -> Finding:
    """Check that a table gets in, and a browser gets the board, beside many idle connections of guests."""
    with ExitStack() as stack:
        # paho waits by select(), which knows no descriptor above 1023: the link gets one that was kept free for it
        free = [os.open(os.devnull, os.O_RDONLY) for _ in range(20)]
        count = _crowd(stack, (plan.port, plan.web))
        for number in free:
            os.close(number)
        link = stack.enter_context(
            closing(BrokerLink(setup.broker(plan, plan.tables[0]), subscribed=[], came=lambda _: None))
        )
        link.open()
        _within(wait_s, lambda: link.connected)
        if link.connected and _board(plan, wait_s).verdict == "pass":
            return Finding("guests", "pass", Message("{count} idle connections keep no table out", count=count))
    what = Message("With {count} idle connections open, no table or no browser can connect", count=count)
    action = Message("Start the broker with a higher limit on open files: {command}", command=setup.commands(plan)[0])
    return Finding("guests", "fail", what, action)


def _crowd(stack: ExitStack, ports: tuple[int, ...]) -> int:
    """Open idle connections, as many as this program may, until the stack closes; return how many there are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        most = 2 * GUESTS if hard == resource.RLIM_INFINITY else min(hard, 2 * GUESTS)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
    count = 0
    with suppress(OSError):  # this program may open no more, or the broker takes no more
        while count < GUESTS:
            line = socket.create_connection(("localhost", ports[count % len(ports)]), WAIT_S)
            stack.enter_context(closing(line))
            count += 1
    return count


def _board(plan: Plan, wait_s: float) -> Finding:
    try:
        with closing(HTTPConnection("localhost", plan.web, timeout=wait_s)) as line:
            line.request("GET", "/index.html")
            status = line.getresponse().status
    except (OSError, HTTPException) as error:
        what = Message("The board does not answer: {fault}", fault=str(error))
        return Finding("board", "fail", what, START)
    if status == 200:
        return Finding("board", "pass", plan.address)
    return Finding("board", "fail", Message("The board's page is missing (HTTP {status})", status=status))
