"""The hall's process: it keeps what tables send, and publishes what it keeps and how the evening stands.

One thread owns the store. Posts come through a bounded queue: a hall that cannot keep up holds the broker up, and does
not fill its memory. Posts that have come meanwhile are committed together, and confirmed only then.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

from companion.hall._desk_state import desk_state
from companion.hall._evening import mark_of
from companion.hall._needs import FirstSeen
from companion.hall._people import as_it_is
from companion.hall._replaced_device import gone, spares
from companion.hall._stand import Stand
from companion.hall._wire import SAID, VERSION, Topics, heard, read, write
from companion.hall.link import Broker, BrokerLink, Post
from companion.hall.organiser import Organiser
from companion.hall.phones import Phones
from companion.hall.planning import Ended, Planner, Planning, Unplanned
from companion.hall.player_requests import PlayerRequests
from companion.hall.published import published, stand
from companion.hall.records import Have, Payload
from companion.hall.schema import REQUESTS
from companion.hall.sessions import FILE, Opened
from companion.hall.store import HallStore
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.mistakes import Mistakes
from companion.system.logs import trace, writing

log = writing("hall")

MOST_AT_ONCE = 500
"""What is made durable together at most."""
WAITING = 5_000
"""The most waiting posts; further ones wait at the broker."""
TELLING = ("header", "event", "result", "approval")
"""The messages after which a table waits for an acknowledgement."""
OF_GAME = ("header", "view", "result")
"""What the broker keeps of a table's game."""
CALM_S = 0.3
"""The debounce of public messages: they are made anew once for all that has changed."""
PACE = 200_000
"""The most bytes a second of public messages to each listener: in a large hall the debounce is longer."""
WHOLE_S = 60.0
"""How often everything is published again, in case the broker has lost some of it."""
AGAIN_S = 5.0
"""How often at most the hall publishes its messages again after somebody else has written there."""
WELL_S = 1.0
"""How long until the next try after the disk has failed."""

TICK_S = 10.0
"""How often everybody hears how much time is left, while a clock runs."""

T = TypeVar("T")
Waiting = Post | Opened | Callable[[], object]
"""What waits for the thread that owns the store."""
TRIES = 4
"""How often an order is planned at most, because the evening changes meanwhile."""
GONE_S = 0.1
"""How often the hall checks whether the sender of an order still waits for its answer."""
CANCELLED = Message("The planning was cancelled: nothing has been changed.")
RESTLESS = Message("Players, tables or results change faster than this can be planned: nothing has been changed.")
FAILED = Message("The planning failed: nothing has been changed.")
DISCONNECTED = Message("This phone has been disconnected meanwhile: nothing has been changed.")


def _nothing() -> None:
    pass


@dataclass(eq=False, slots=True)
class _Asked:
    """An order that waits for its answer, and how often it has been planned."""

    order: Payload
    terminal: bool
    then: Callable[[Payload], object]
    ended: Callable[[], bool] = lambda: False
    """Whether the session of the phone that gave it has ended meanwhile."""
    planned: int = 0
    planning: Planning | None = None
    cancelled: bool = False


class HallService:
    """The running hall. It begins with `open` and ends with `close`; any other thread uses the store through `call`.

    `board` is where the board is (`companion.hall.page.code_of`).
    """

    def __init__(self, hall: str, broker: Broker, store: HallStore, board: Data | None = None) -> None:
        self.topics, self.store = Topics(hall), store
        self._board = board
        self._stand: Stand | None = None  # as it was worked out last
        self._gone, self._spoke = set[str](), set[str]()  # tables whose game went on elsewhere; those that spoke lately
        self._published = dict[str, bytes]()
        self._made: dict[str, tuple[Data, bytes]] = {}  # each message as it was made last, with its payload
        self._state, self._seen = b"", FirstSeen()
        self._heard: dict[str, str] = {}  # when each device was heard of last, to the minute
        self._spares: Mapping[str, bytes] = {}
        self._settled: Data = {}
        self._queue: Queue[Waiting] = Queue(WAITING)
        self._planner = Planner(self._queue.put)
        self._stopping = Event()
        own = [self.topics.said(kind) for kind in SAID]
        self.link = BrokerLink(
            broker,
            subscribed=[self.topics.tables, self.topics.order, *own],
            came=self._put,
            changed=self._changed,
            asked=True,
        )
        address = str(board["address"]) if board else ""
        self.phones = Phones(
            self.topics, broker, store.path.with_name(FILE), address, put=self._put, order=self._order_by_phone
        )
        self.requests = PlayerRequests(self.topics, broker, self._put)
        self._own: dict[str, deque[bytes]] = {}  # by topic, its messages that have not come back yet, and the last one
        self._contradicted, self._again_at = False, -AGAIN_S  # somebody else has published in its place
        self.progress = 0, 0
        """The round that is played, and how many count whole: a change calls for a backup."""
        self.disk = ""
        """What is wrong with the disk, "" while all is well."""
        self._connection = 0
        self._stale, self._told_at = True, 0.0
        self._runs = False  # a clock runs
        self._evenings = store.evenings
        self._whole_at = time.monotonic()
        self._thread = Thread(target=self._run, name="hall store", daemon=True)

    def open(self) -> None:
        self._thread.start()
        self.link.open()
        self.phones.open()
        self.requests.open()

    def close(self) -> None:
        """Take what has come, and leave the broker; the store stays open. Harmless a second time."""
        self.phones.close()
        self.requests.close()
        self.link.close()
        self._stopping.set()
        self._planner.close()
        self._wake()
        if self._thread.is_alive():
            self._thread.join(10)

    def call(self, act: Callable[[HallStore], T]) -> T:
        """Run `act` in the thread that owns the store; return or raise its outcome, and publish the evening."""
        done: Future[T] = Future()

        def run() -> None:
            try:
                done.set_result(act(self.store))
            except BaseException as error:  # raised again where it is waited for
                done.set_exception(error)

        self._queue.put(run)
        return done.result()

    def order(self, order: Payload, gone: Callable[[], bool] = lambda: False) -> Payload:
        """Return the answer to an order of the terminal; once its sender is `gone`, stop planning for it."""
        done: Future[Payload] = Future()
        asked = _Asked(order, True, done.set_result)
        self._queue.put(lambda: self._answer(asked))
        while not done.done():
            wait([done], GONE_S)
            if not done.done() and gone():
                self._queue.put(lambda: self._cancel(asked))
                break
        return done.result()

    # -- paho's thread -----------------------------------------------------------------------------------------------

    def _put(self, one: Waiting) -> None:
        while not self._stopping.is_set():
            try:
                self._queue.put(one, timeout=1.0)
            except Full:
                continue
            return

    def _changed(self) -> None:
        self._wake()

    def _wake(self) -> None:
        with suppress(Full):  # then it is awake
            self._queue.put_nowait(_nothing)

    # -- the store's thread ------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._turn()
                self.disk = ""
            except sqlite3.Error as error:  # the disk: what was not acknowledged is sent again
                self.disk = str(error)
                log.error("the hall's store failed\n%s", trace(error))
                self._stopping.wait(WELL_S)
            except Exception as error:  # a mistake of ours costs this act, not the evening
                log.error("a mistake in the hall\n%s", trace(error))

    def _turn(self) -> None:
        """Wait for something, take it with all that has come meanwhile, and publish what has changed."""
        tables: set[str] = set()
        for one in self._next():
            if isinstance(one, Post):
                table, new = self._taken(one)
                tables |= {table} if table else set()
                self._stale = self._stale or new
            elif isinstance(one, Opened):
                self._stale = self.phones.take(one) or self._stale
            else:
                one()
                self._stale = self._stale or one is not _nothing
        self.store.commit()
        if self._evenings != self.store.evenings:
            self._begin_evening()
        anew = self.link.connected and self._connection != self.link.connections
        if anew or time.monotonic() - self._whole_at >= WHOLE_S:
            self._connection, self._stale = self.link.connections, True
            self._told_at, self._whole_at = 0.0 if anew else self._told_at, time.monotonic()
            self._published.clear()
            self._state, self._spares = b"", {}
            tables |= {row.table for row in self.store.tables()}
        if self._contradicted and time.monotonic() - self._again_at >= AGAIN_S:
            self._contradicted, self._again_at, self._stale = False, time.monotonic(), True
            self._published.clear()
        self._tell(tables)
        self._stale = self._stale or (self._runs and time.monotonic() - self._told_at >= TICK_S)
        if self._stale and time.monotonic() - self._told_at >= self._calm:
            self._stale, self._told_at = False, time.monotonic()
            self._tell(self._tell_everybody())
        self.phones.tell()

    def _begin_evening(self) -> None:
        """Forget the evening before, and have the broker send again what it keeps of the tables."""
        self._evenings, self._stand = self.store.evenings, None
        self._seen, self._settled, self._made = FirstSeen(), {}, {}
        self._gone.clear()
        self._tell_spares({})
        self._planner.cancel()
        self.link.subscribe()

    @property
    def _calm(self) -> float:
        return max(CALM_S, sum(map(len, self._published.values())) / PACE)

    def _next(self) -> list[Waiting]:
        try:
            found = [
                self._queue.get(
                    timeout=self._calm
                    if self._stale or self._contradicted or self.phones.waiting
                    else TICK_S
                    if self._runs
                    else WHOLE_S
                )
            ]
        except Empty:
            return []
        while len(found) < MOST_AT_ONCE:
            try:
                found.append(self._queue.get_nowait())
            except Empty:
                break
        return found

    def _taken(self, post: Post) -> tuple[str | None, bool]:
        """Take a post as `_receive` does; an unexpected error costs this post alone."""
        try:
            return self._receive(post)
        except sqlite3.Error:
            raise
        except Exception as error:  # posts come from strangers: report it and go on
            log.error("a post could not be taken\n%s", trace(error))
            self.store.fault("", Message("A program that is not a table writes to {topic}.", topic=post.topic[:100]))
            return None, False

    def _receive(self, post: Post) -> tuple[str | None, bool]:
        """Take a post into the store.

        Return the table that wants to hear what is kept of it, and whether anything else may have changed for others.
        """
        if post.topic == self.topics.order:
            return None, self._order(post)
        if post.topic.startswith(f"{self.topics.top}/hall/"):
            self._overhear(post)
            return None, False
        of = heard(post.topic)
        if of is None:
            self.store.fault("", Message("A program that is not a table writes to {topic}.", topic=post.topic[:100]))
            return None, False
        if of.version != str(VERSION):
            text = Message("Uses version {version} of the protocol instead of {ours}: update it.", version=of.version,
                           ours=VERSION)  # fmt: skip
            self.store.fault(of.table, text)
            return None, False
        if not post.payload:  # a cleared topic
            return None, False
        try:
            payload = read(of.kind, post.payload, of.which)
        except Mistakes as wrong:
            why = str(wrong)[:200]
            said = Message("Its message cannot be read ({kind}): {why}", kind=as_it_is(of.kind), why=why)
            self.store.fault(of.table, said)
            return None, False
        if self._of_another_evening(of.kind, payload):
            self._clear(of.table)  # also from a table new to this evening: the broker keeps it
            if post.retained:
                return None, False
        if of.kind in OF_GAME:
            self._spoke.add(of.table)
        if not post.retained and payload.get("here", True):  # the broker says in a table's place that it is away
            self._heard[of.table] = datetime.now().astimezone().isoformat(timespec="minutes")
        taken = self.store.take(of.kind, of.table, payload, post.retained)
        telling = of.kind in TELLING
        return (of.table if telling else None), taken.new and of.kind not in ("event", "view")

    def _order(self, post: Post) -> bool:
        """Carry out an order of the organiser's page, answer it, and return whether something may have changed.

        An order that the broker had kept, or whose answer nobody could hear, is ignored.
        """
        if post.retained or post.answer_to is None or not self.topics.answers(post.answer_to):
            return False
        to = post.answer_to
        return self._order_by_wire(
            post.payload, lambda answer: self.link.publish(to, write("answer", answer), marked=post.marked)
        )

    def _order_by_phone(self, order: Payload, then: Callable[[Payload], object], ended: Callable[[], bool]) -> bool:
        return self._order_by_wire(json.dumps(order).encode(), then, ended)

    def _order_by_wire(
        self, payload: bytes, then: Callable[[Payload], object], ended: Callable[[], bool] = lambda: False
    ) -> bool:
        """Carry out an order that came over the wire, and return whether something may have changed."""
        try:
            order = read("order", payload)
        except Mistakes:
            order = {}
        known = order.get("do") in REQUESTS and not REQUESTS[order["do"]].here_only
        self._answer(_Asked(order if known else {"do": "unknown", "lang": order.get("lang")}, False, then, ended))
        return known

    def _answer(self, asked: _Asked) -> None:
        """Answer an order at once, or when its seating has been found.

        Acts and other orders are taken meanwhile. If anything that the seating rests on has changed by then, it is
        searched for again.
        """
        organiser = self._organiser(asked)
        if asked.ended():
            asked.then(organiser.refused(asked.order, DISCONNECTED))
            return
        try:
            answer = organiser.answer(asked.order)
        except Unplanned as wanted:
            if asked.cancelled or asked.planned == TRIES:
                answer = organiser.refused(asked.order, CANCELLED if asked.cancelled else RESTLESS)
            else:
                asked.planned += 1
                who = str(asked.order.get("who") or "")
                asked.planning = self._planner.start(wanted, who, partial(self._take, asked))
                return
        finally:
            self._stand = organiser.before
        asked.then(answer)

    def _take(self, asked: _Asked, outcome: Ended) -> None:
        """Go on with an order when its search has ended."""
        if outcome == "found":
            self._answer(asked)
        else:
            why = CANCELLED if outcome == "cancelled" else FAILED
            asked.then(self._organiser(asked).refused(asked.order, why))

    def _cancel(self, asked: _Asked) -> None:
        """Stop planning for an order whose sender has gone."""
        asked.cancelled = True
        if asked.planning:
            self._planner.cancel(asked.planning.number)

    def _organiser(self, asked: _Asked) -> Organiser:
        return Organiser(
            self.store,
            ill=lambda: [*self.ill(), *(planning.told() for planning in self._planner.going.values())],
            before=self._stand,
            terminal=asked.terminal,
            search=self._planner.recall,
            again=asked.planned > 1,
            cancel=self._planner.cancel,
            phones=self.phones,
            requests=self.requests,
        )

    def ill(self) -> Sequence[Message]:
        """Return what is wrong with the hall itself, for the organiser."""
        broker = Message("The broker: {fault}.", fault=self.link.fault)
        disk = Message("Cannot write to the hall's disk ({error}): nothing new is saved.", error=as_it_is(self.disk))
        return [*([broker] if self.link.fault else []), *([disk] if self.disk else [])]

    def _overhear(self, post: Post) -> None:
        """Check a message under the hall's own topics.

        The hall's own messages come back to it, once and in their order. Others are from somebody else: then the hall
        publishes its own again.
        """
        own = self._own.get(post.topic, deque())
        if post.retained:
            return
        if post.payload in own:
            while len(own) > 1 and own[0] != post.payload:
                own.popleft()
            if len(own) > 1:
                own.popleft()
            return
        self.store.fault("", Message("Another program publishes this hall's messages. Is a second hall running?"))
        self._contradicted = True

    def _of_another_evening(self, kind: str, payload: Payload) -> bool:
        """Return whether a header or result belongs to another evening."""
        said = payload["header"].get("evening") if kind == "header" else payload.get("evening")
        mark = None if said is None else mark_of(self.store.said())
        return mark is not None and said != mark

    def _clear(self, table: str) -> None:
        """Clear a table's retained messages, so that an old game is not taken for the one played now."""
        for kind in OF_GAME:
            self.link.publish(self.topics.table(table, kind), b"", retain=True)

    # -- what the hall says ------------------------------------------------------------------------------------------

    def _tell(self, tables: Iterable[str]) -> None:
        """Tell each of these tables what is durable of its game, and how its results were settled."""
        for table in sorted(tables):
            have = self.store.have(table) or Have(0, None, 0, None, {})
            data = {"game": have.game, "begun": have.begun, "number": have.number, "result": have.result,
                    "approvals": dict(have.approvals), "settled": None}  # fmt: skip
            verdict = dict(self._settled.get(table, ())).get(have.which, {})
            self.link.publish(self.topics.have(table), write("have", {**data, **verdict}), retain=True)

    def _everything(self) -> Mapping[str, Any]:
        """Return all that is to be published as things stand.

        That is what everybody hears, by kind; `state`, for the organiser's page; `settled`, by table, which results
        are, and what `have` says of each; `spares`, the games that devices take over; and `gone`, the tables whose game
        went on elsewhere.
        """
        now = self._stand = stand(self.store, self._stand)
        going = [planning.data for planning in self._planner.going.values()]
        state = {**desk_state(now, self.store, self.ill(), self._seen, heard=self._heard), "planning": going}
        state |= {"sessions": self.phones.sessions.listed, "refused": self.phones.sessions.refused}
        state |= {"requests": self.requests.state(now.evening), "taking": self.requests.taking}
        told = published(now, self._board, requests=self.requests.published(now.evening))
        return {**told, "state": state, "spares": spares(now, self.store), "gone": gone(now)}

    def _tell_everybody(self) -> set[str]:
        """Publish how the evening stands, where that has changed.

        Return the tables whose results are settled differently than before.
        """
        said, before = self._everything(), self._settled
        self._settled = said.get("settled", {})
        if {"evening", "standings"} <= said.keys():
            self.progress = said["evening"]["round"], said["standings"]["after"]
        self._runs = said.get("clock", {}).get("state") == "running"
        self._tell_organiser(said)
        self._tell_spares(said.get("spares", {}))
        gone = set(said.get("gone", ()))
        for table in sorted(gone - self._gone | gone & self._spoke):  # an old device that comes back shows nothing
            self._clear(table)
        self._gone = gone
        self._spoke.clear()
        for kind in SAID:
            if kind in said and (payload := self._written(kind, said[kind])) != self._published.get(kind, b""):
                self._own.setdefault(self.topics.said(kind), deque(maxlen=60)).append(payload)
                self.link.publish(self.topics.said(kind), payload, retain=True)
                if self.link.connected:
                    self._published[kind] = payload
        return {table for table in {*before, *self._settled} if before.get(table) != self._settled.get(table)}

    def _tell_spares(self, spares: Mapping[str, Payload]) -> None:
        """Tell devices which games they take over, and clear that once they have."""
        for table in sorted({*spares, *self._spares}):
            payload = self._written("spare", spares[table]) if table in spares else b""
            if payload != self._spares.get(table, b""):
                self.link.publish(self.topics.spare(table), payload, retain=True)
        self._spares = {table: self._written("spare", of) for table, of in spares.items()}

    def _tell_organiser(self, said: Mapping[str, Payload]) -> None:
        if "state" in said and (payload := self._written("state", said["state"])) != self._state:
            self.link.publish(self.topics.state, payload, retain=True)
            self._state = payload if self.link.connected else b""
            self.phones.show(payload)

    def _written(self, kind: str, data: Data) -> bytes:
        """Return the payload as it goes out.

        Where it cannot be sent, the organiser hears of it and the last payload is returned.
        """
        known = self._made.get(kind)
        if known is not None and known[0] == data:
            return known[1]
        try:
            payload = write(kind, data)
        except Mistakes as wrong:
            text = Message("Cannot send a message to everybody ({kind}): {why}", kind=kind, why=str(wrong)[:200])
            self.store.fault("", text)
            return self._published.get(kind, self._state if kind == "state" else b"")
        self._made[kind] = data, payload
        return payload
