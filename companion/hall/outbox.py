"""The table's outbox to the hall: it sends the table's journal from where the hall's own store ends.

Its thread reads the table's store and sends what the hall does not have yet. There is no other queue: a message that is
lost on the way is sent again, because the hall has not confirmed it. Nothing at the table waits for any of this, and a
fault here is only a line in the log.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Event, Thread

from companion import __version__
from companion.hall._sending import Sending
from companion.hall._wire import Topics, read, write
from companion.hall.link import Broker, BrokerLink, Post
from companion.play.hall_status import ROUNDS, rounds, seated
from companion.record.store.history import GAMES, GameRow, rows
from companion.rules.data import Data
from companion.rules.mistakes import Mistakes
from companion.session import FAIR_MS
from companion.system.logs import trace, writing

log = writing("hall")

AHEAD = 30
"""The number of acts sent ahead of the hall's acknowledgement."""
AGAIN_S = 10.0
"""After so long without an acknowledgement by the hall, everything it lacks is sent again."""
HEALTH_S = 60.0
LATE_S = 30.0
"""How long the hall may leave acts unacknowledged before the table reports them as behind."""
LOOK_S = 2.0
"""How often the store is polled without a notice of something new: approvals are no acts."""
SEATED = frozenset({"evening", "seating"})
"""The messages with the round of a game."""
PATIENCE_S = 1.0
"""How long to wait after connecting for the hall's rules on names, and for its seating."""
FULL = 100
"""With so many unacknowledged messages only acts are sent, no further than AHEAD."""


@dataclass(frozen=True, slots=True)
class Here:
    """The outbox's access to its table; its callables run in the outbox's thread."""

    path: Callable[[], Path]
    """Where the store is."""
    since: int
    """The number of this hall's first game."""
    ill: Callable[[], Sequence[str]] = tuple
    """What is ill at the table."""
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    fair_ms: int = FAIR_MS


@dataclass(slots=True)
class _Progress:
    """How far a game is at the hall."""

    announced: bool = False
    confirmed: int | None = None  # None until the hall has said what it has
    result: int | None = None
    approvals: Mapping[str, bool] = field(default_factory=dict)
    sent: int = 0
    view: int = -1  # the newest act in the view that was sent
    said: dict[str, bool] = field(default_factory=dict)  # approvals that were sent since the hall last said something
    result_sent: int = -1
    since: float = 0.0  # when there was progress last
    complete: bool = False  # the hall has all of it


class Outbox:
    """The thread that sends a table's games to the hall. It begins with `open`.

    The main thread calls `hear`, which returns at once, and `stop`.
    """

    def __init__(self, hall: str, table: str, broker: Broker, here: Here, *, again_s: float = AGAIN_S) -> None:
        self.topics, self.table = Topics(hall), table
        self.seating: Data | None = None
        """Who plays where, as the hall said last."""
        self.line = ""
        """What the organiser says to everybody."""
        self.round = 0
        """The hall's present round."""
        self.clock: tuple[Data, float] | None = None
        """How much time it has left, and the moment (`time.monotonic`) when the hall said so."""
        self.spare: Data | None = None
        """The game to continue on this machine (docs/hall/schemas/spare.json)."""
        self.board = ""
        """The board's address for browsers."""
        self.verdict: Data | None = None
        """What the hall said last of the game at hand (docs/hall/schemas/have.json), None until it has."""
        self.behind = 0
        """The number of acts of the present game still unknown to the hall."""
        self._here, self._again_s = here, again_s
        self._posts: deque[Post] = deque(maxlen=1000)
        self._news, self._stopping = Event(), False
        gone = write("status", {"here": False})
        self.link = BrokerLink(
            broker,
            subscribed=[
                *map(self.topics.said, ("seating", "evening", "clock")),
                self.topics.have(table),
                self.topics.spare(table),
            ],
            came=self._queue_post,
            changed=self._news.set,
            will=(self._topic("status"), gone),
        )
        self._gone = gone
        self._since = here.now().isoformat(timespec="milliseconds")
        self._played: deque[int] = deque()  # games that were shown, from the main thread
        self._wanted: set[int] = set()  # games of this run, also older than `since`
        self._done: dict[int, int] = {}  # games of which the hall has everything, with how many acts that is
        self._game: Sending | None = None
        self._at = _Progress()
        self._home: int | None = None  # the one that is played
        self._broken: set[int] = set()  # games that nobody can read to their end
        self._names = self._evening = False
        self._told: set[str] = set()  # what the hall has said since the connection came
        self._rounds: dict[int, int] = {}  # by game, the round that was announced
        self._rounds_of = self._opened = ""  # in which evening, and when that began
        self._connection = 0
        self._checked = self._health_at = self._connected_at = 0.0
        self._ill: tuple[str, ...] = ()
        self._late, self._moved_at = (
            False,
            time.monotonic(),
        )  # acts are overdue at the hall; when the backlog last shrank
        self._settled = False  # the store was looked through, and nothing else is missing
        self._thread = Thread(target=self._run, name="hall", daemon=True)

    def open(self) -> None:
        self.link.open()
        self._thread.start()

    def hear(self, game: int) -> None:
        """Note that the table has shown something of the game with this number in the store; return at once."""
        if game > 0:
            self._played.append(game)
            self._news.set()

    def look(self) -> None:
        """Note that something else is new in the store."""
        self._checked = 0.0
        self._news.set()

    def stop(self, wait_s: float = 2.0) -> None:
        """Say that the table leaves; wait for the thread's end, at most `wait_s` seconds."""
        self._stopping = True
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(wait_s)

    @property
    def mark(self) -> str | None:
        """Return the hall's mark of the evening; None where it has said none, as halls of an earlier version."""
        return self.seating.get("evening") if self.seating else None

    @property
    def evening(self) -> str:
        """Return what tells this evening from others in the same hall; "" before the hall has spoken."""
        return f"{self.topics.hall} {self.mark or self._opened}" if self.mark or self._opened else ""

    @property
    def idle(self) -> bool:
        """Return whether the hall has everything that was read; the store is read again every LOOK_S."""
        return self._at.complete and self._settled

    @property
    def heard(self) -> bool:
        """Return whether a hall of this name has said anything."""
        return self._evening

    @property
    def fault(self) -> str:
        """Return why there is no connection, "" while there is one."""
        return self.link.fault

    # -- paho's thread -----------------------------------------------------------------------------------------------

    def _queue_post(self, post: Post) -> None:
        self._posts.append(post)
        self._news.set()

    # -- its own thread ----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stopping:
            self._news.wait(LOOK_S if self._at.confirmed is not None else 1.0)
            self._news.clear()
            try:
                while self._step() and not self._stopping:
                    pass
            except Exception as error:  # the table plays on, and this tries again
                log.error("the hall was not served\n%s", trace(error))
                self._news.wait(LOOK_S)
        self.link.close([(self._topic("status"), self._gone)])

    def _step(self) -> bool:
        """Do what there is to do; return whether there is more."""
        while self._posts:
            self._read_post(self._posts.popleft())
        if not self.link.connected:
            return False
        if self._connection != self.link.connections:
            self._connected()
        if not self._told >= SEATED and time.monotonic() - self._connected_at < PATIENCE_S:
            return False
        self._report()
        self._choose_game()
        game = self._game
        if game is None:
            return False
        if more := game.read_on(self._here.path()):
            self._at.complete = False
        try:
            if not self._at.announced:
                self._announce(game)
            if self._at.confirmed is not None:
                self._send(game, self._at.confirmed)
            self._show(game)
        except Mistakes as wrong:  # a game that the hall does not know must not hold back the others
            log.warning("game %d fits no message, and is not sent: %s", game.game, wrong)
            self._broken.add(game.game)
            self._game, self._at = None, _Progress(complete=True)
            return True
        return more or self._complete(game)

    def _topic(self, kind: str, which: object = None) -> str:
        return self.topics.table(self.table, kind, which)

    def _publish(self, kind: str, payload: bytes, which: object = None, retain: bool = True) -> None:
        self.link.publish(self._topic(kind, which), payload, retain)

    def _connected(self) -> None:
        self._connection, self._connected_at = self.link.connections, time.monotonic()
        self._publish("status", self._here_payload)
        self._at, self._health_at, self._told = _Progress(), 0.0, set()

    @property
    def _here_payload(self) -> bytes:
        return write("status", {"here": True, "version": __version__, "since": self._since})

    def _report(self) -> None:
        """Publish the table's health when it changes, and every HEALTH_S."""
        ill, now = tuple(self._here.ill())[:50], time.monotonic()
        late = self.behind if now - self._moved_at > LATE_S else 0
        changed = ill != self._ill or bool(late) != self._late
        if changed or now - self._health_at > HEALTH_S or not self._health_at:
            self._ill, self._late, self._health_at = ill, bool(late), now
            clock = self._here.now().isoformat(timespec="milliseconds")
            data = {"ill": [what[:80] for what in ill], "clock": clock, "behind": late}
            self._publish("health", write("health", data))
            if self._game and self._at.announced:
                self._resend(self._game)

    def _resend(self, game: Sending) -> None:
        """Publish again all that the broker should keep, in case it has lost some of it."""
        self._publish("status", self._here_payload)
        self._announce(game)
        self._at.view = -1
        if game.whole and game.ended:
            self._publish("result", game.result_payload(self.mark))

    def _read_post(self, post: Post) -> None:
        """Take in a message from the hall; ignore any other, and log one that cannot be read."""
        own = {self.topics.have(self.table): "have", self.topics.spare(self.table): "spare"}
        kind = own.get(post.topic) or post.topic.rsplit("/", 1)[-1]
        if kind == "spare" and not post.payload:
            self.spare = None
            return
        try:
            data = read(kind, post.payload)
        except Mistakes as wrong:
            log.warning("what the hall says cannot be read: %s", wrong)
            return
        if kind == "evening":
            self._evening, before, self._names = True, self._names, data["names"] == "full"
            self._opened, self.round, self.line = data["at"], data["round"], data["line"]
            self.board = data["board"]["address"] if "board" in data else ""
            self._at.announced &= before == self._names
        elif kind == "seating":
            self.seating = data
        elif kind == "spare":
            self.spare = data
        elif kind == "clock":
            self.clock = data, time.monotonic()
        elif kind == "have":
            self._apply_have(data)
        if self._rounds_of != self.evening:
            self._rounds_of = self.evening
            self._rounds.clear()
        if kind in SEATED - self._told:  # what was announced before may belong to a round
            self._told.add(kind)
            self._at.announced &= self._game is not None and self._game.game in self._rounds

    def _apply_have(self, data: Data) -> None:
        game, at = self._game, self._at
        if game is None or (data["game"], data["begun"]) != (game.game, game.begun) or not at.announced:
            return
        if at.confirmed is None or data["number"] < at.confirmed:
            at.sent = min(data["number"], len(game.events))
        had = self._done.get(game.game, 0) if at.confirmed is None else at.confirmed
        if data["number"] < had:
            self._done.clear()  # the hall has lost what it had
        at.confirmed, at.since, self.verdict = data["number"], time.monotonic(), data
        at.result, at.approvals = data.get("result"), data.get("approvals", {})
        at.sent = max(at.sent, min(data["number"], len(game.events)))
        at.said = {}
        at.complete &= data["number"] >= len(game.events) and (not game.ended or at.result == game.crc)

    # -- which game --------------------------------------------------------------------------------------------------

    @property
    def since(self) -> int:
        """Return the first game that another run has to ask about: the hall has all of those before it."""
        return max(self._done, default=self._here.since) if self._at.complete else self._here.since

    def _choose_game(self) -> None:
        """Choose the oldest game of which the hall lacks something, else the one that is played."""
        playing = None
        while self._played:
            playing = self._played.popleft()
            self._settled = False
            self._wanted.add(playing)
            if playing != self._home:
                self._home, self._checked = playing, 0.0
        if time.monotonic() - self._checked > LOOK_S and (self._game is None or self._at.complete):
            self._checked = time.monotonic()
            if self._game and self._approvals_missing(self._game):
                self._at.complete = False
            else:
                self._look_for_next()

    def _look_for_next(self) -> None:
        query = f"{GAMES} WHERE number >= ? ORDER BY number"
        least = min({self._here.since, *self._wanted})
        here, home = self._game.game if self._game else 0, None
        for row in (GameRow(*row) for row in rows(self._here.path(), query, least)):
            if row.number < self._here.since and row.number not in self._wanted:
                continue
            if row.number not in self._broken and row.number != here and self._done.get(row.number) != row.events:
                self._settled = False
                self._start_sending(row)
                return
            home = row if row.number == self._home else home
        self._settled = True
        if home and home.number != here and home.number not in self._broken:
            self._start_sending(home)

    def _start_sending(self, row: GameRow) -> None:
        try:
            self._game, self._at, self.verdict = Sending(row, self._here.fair_ms), _Progress(), None
        except Mistakes:
            log.warning("game %d cannot be read, and is not sent", row.number)
            self._broken.add(row.number)

    def _complete(self, game: Sending) -> bool:
        """Return whether the hall has just come to have all of this game, so that another may follow."""
        at = self._at
        before, self.behind = self.behind, max(0, len(game.events) - (at.confirmed or 0))
        if self.behind < before or not self.behind:
            self._moved_at = time.monotonic()
        if at.complete or not game.whole or at.confirmed is None or at.confirmed < len(game.events):
            return False
        if (game.ended and at.result != game.crc) or self._approvals_missing(game):
            return False
        at.complete, self._checked = True, 0.0
        self._done[game.game] = len(game.events)
        if game.broken:
            self._broken.add(game.game)
        return True

    # -- sending -----------------------------------------------------------------------------------------------------

    def _announce(self, game: Sending) -> None:
        if began := self._round_of(game):
            self._rounds[game.game] = began
        self._publish("header", game.header_payload(self._names, began, self.mark))
        self._at.announced, self._at.since = True, time.monotonic()

    def _round_of(self, game: Sending) -> int | None:
        """Return the round for which the game was begun.

        If that is unknown, it is the round to be played here, if this is its game. A game of another evening has no
        round. Nor has one that fits, but was begun after the hall had been heard: it would have been begun for the
        round.
        """
        begun = {**self._rounds, **rounds(game.kept(self._here.path(), ROUNDS), self.evening)}
        if game.game in begun:
            return begun[game.game]
        if game.header.evening not in (None, self.mark):
            return None
        of = seated(self.seating, self.table, self.round, begun.values()) if self.seating else None
        mine = of and of.game == game.header.game.name and of.round not in begun.values()
        if game.header.evening and of and of.fits(game.header):
            return None
        return of.round if of and mine else None

    def _send(self, game: Sending, confirmed: int) -> None:
        at = self._at
        goal = min(len(game.events), confirmed + AHEAD)
        while at.sent < goal:
            at.sent += 1
            self._publish("event", game.events[at.sent - 1], at.sent, retain=False)
            at.since = time.monotonic() if at.sent == confirmed + 1 else at.since
        if game.whole and game.ended and confirmed >= len(game.events) and at.result != game.crc:
            if at.result_sent != game.ended:
                at.result_sent, at.since = game.ended, time.monotonic()
                self._publish("result", game.result_payload(self.mark))
        elif game.whole and confirmed >= len(game.events):
            for seat, (approves, payload) in self._approvals_missing(game).items():
                if at.said.get(seat) is not approves:
                    at.said[seat], at.since = approves, time.monotonic()
                    self._publish("approval", payload, seat, retain=False)

    def _approvals_missing(self, game: Sending) -> Mapping[str, tuple[bool, bytes]]:
        said = game.approvals(self._here.path())
        return {seat: of for seat, of in said.items() if of[0] is not self._at.approvals.get(seat)}

    def _show(self, game: Sending) -> None:
        """Publish the view once it is the newest; start over where the hall has been silent for long."""
        at = self._at
        if game.whole and at.view != len(game.events) and self.link.unacknowledged < FULL:
            at.view = len(game.events)
            self._publish("view", game.view_payload())
        if not at.complete and time.monotonic() - at.since > self._again_s:
            self._at = _Progress(view=at.view, since=time.monotonic())
            self._news.set()
