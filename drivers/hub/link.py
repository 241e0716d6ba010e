"""The host's side of the talk with one hub, without a port or a thread (firmware_notes/hub_protocol.md)."""

from collections import deque
from collections.abc import Mapping, Sequence

from companion.rules.message import Message
from companion.rules.readings import Health
from drivers.hub import VERSION, faults
from drivers.hub.clock import HubClock
from drivers.hub.lines import Beat, Echo, Event, Gone, Hello, Lines, Place, Pong, Whole, Word, line
from drivers.hub.places import Places
from drivers.hub.talk import SECOND, Talk
from drivers.lamps import Mode
from drivers.worker import Put

GREET = SECOND // 2
"""A greeting that is not answered is said again after this time."""
PATIENCE = 3 * SECOND
"""A port is given up after this time without a hello, and a hub without a word."""
QUIET = 2 * SECOND
"""A hub that has said nothing for this time may take us for gone, and is greeted again."""
AGAIN = SECOND // 4
"""A missing answer is asked for again after this time."""
PINGS = 4
"""How many pings set the clock at first."""
MARKS: Mapping[Mode, str] = {"off": "0", "on": "1", "blink": "2"}


class HubLink:
    """The host's view of one hub, which outlives its port: boot, last event and the state of its places stay.

    `now` is in µs on a clock that never goes back. Hardware events go to `put`; `out` returns the bytes to send.
    `settled` is true once events are passed on. `feed` and `tick` raise Lost when the port must be closed.
    """

    def __init__(
        self, name: str, seats: Sequence[str | None], put: Put, debounce_ms: int = 12, pings: int = PINGS
    ) -> None:
        """Create the link; the first `pings` follow each other at once, later there is one a second."""
        self.name = name
        self.lines = Lines()
        self.clock = HubClock()
        self.hello: Hello | None = None
        self.rows: Sequence[Place] = ()
        """How the places stand: the latest snapshot, and what has happened since."""
        self.bad = 0
        """How many lines the hub has dropped."""
        self.trips: deque[int] = deque(maxlen=1000)
        """The latest pings' ways there and back, in µs."""
        self.settled = False
        self.seq = 0
        """The last event that was taken."""
        self._places = Places(seats, put)
        self._put = put
        self._debounce_ms = debounce_ms
        self._quick = pings
        self._known: Hello | None = None  # the hub and boot whose events `seq` counts
        self._empty: set[int] = set()  # places where a seat is configured but nothing is wired
        self._reported = ""  # why the hub is not well
        self._modes: dict[int, Mode] = {}
        self._out: list[bytes] = []

    def standing(self, now: int) -> bytes:
        """Return the hub's state as it would tell a host that greets and pings it now; b"" while it is unknown."""
        if not (self.settled and self.hello and self.lines.whole):
            return b""
        hello, (sent, _, t) = self.hello, self.clock.answer(now)
        said = [line("hello", hello.version, hello.hub, hello.boot, hello.firmware, ",".join(hello.places))]
        for row in self.rows:
            lying = self._places.lying(row.place)
            tags = row.tags if lying is None else sorted(lying)
            said.append(line("place", row.place, row.button, row.reader, *(tags if row.reader == "well" else ())))
        long_ago = 0  # events that are still on their way may be older than this moment
        return b"".join([*said, line("whole", self.seq, long_ago), line("pong", sent, t)])

    # -- the port ------------------------------------------------------------------------------------------------

    def opened(self, now: int) -> None:
        """Begin the talk: a port is open."""
        self.lines.reset()
        self._out.clear()
        self.hello = None
        self._ticked = now
        self._begin(now)
        self._greet()

    def closed(self, why: str) -> None:
        """Report that the port is closed or could not be opened: once a seat, for the hub when the reason is new."""
        self.settled, self.hello = False, None
        if why == self._reported:
            return
        if not self._reported:
            for seat in filter(None, self._places.seats):
                away = Message(
                    "Hub {hub} is not connected. Retrying automatically; until then play on the screen.", hub=self.name
                )
                self._put(Health(f"box {seat}", False, away))
        self._reported = why
        self._put(Health(f"hub {self.name}", False, why))

    def out(self) -> bytes:
        """Return the bytes to send, and clear them."""
        sent = b"".join(self._out)
        self._out.clear()
        return sent

    def feed(self, data: bytes, now: int) -> None:
        """Process the bytes that have come by `now`."""
        for word in self.lines.feed(data):
            if self.hello or isinstance(word, Hello | Echo):
                self._take(word, now)
        if self.settled and self._talk.acked != self.seq:
            self._talk.acked = self.seq
            self._say("ack", self.seq)
        self._catch_up(now)

    def tick(self, now: int) -> None:
        """Do what is due; call it every quarter of a second or more often."""
        talk = self._talk
        if now - self._ticked >= SECOND:  # the host has stood still: the hub may take it for gone
            talk.since, talk.heard = max(talk.since, now - QUIET), now - QUIET
        self._ticked = now
        if not self.settled and now - talk.since >= PATIENCE:
            raise faults.Lost(faults.LOOP if talk.echoed else faults.TORN if self.hello else faults.NOBODY)
        if now - talk.heard >= PATIENCE:
            raise faults.Lost(faults.SILENT)
        if (not self.hello or now - talk.heard >= QUIET) and talk.due("hello", now, GREET):
            self._greet()
        if self.hello and talk.due("ping", now, SECOND):
            self._ping(now)
        self._catch_up(now)

    def show(self, modes: Mapping[str, Mode]) -> None:
        """Set the lamps of seats that sit here; each mode is kept until the hub has set it."""
        for place, seat in enumerate(self._places.seats):
            mode = modes.get(seat) if seat else None
            if mode and self._modes.get(place) != mode:
                self._modes[place] = mode
                self._light(place)

    # -- what the hub says ---------------------------------------------------------------------------------------

    def _take(self, word: Word, now: int) -> None:
        self._talk.heard = now
        match word:
            case Hello():
                self._greeted(word, now)
            case Pong() if word.nonce in self._talk.pings:
                self._pong(word, now)
            case Place():
                self._row(word)
            case Whole():
                self._whole(word, now)
            case Event():
                self._event(word, now)
            case Gone():
                self._gone(word)
            case Beat():
                self._beat(word)
            case Echo():
                self._talk.echoed = True

    def _greeted(self, hello: Hello, now: int) -> None:
        if hello.version != VERSION:
            raise faults.OtherVersion(faults.other_version(hello.version))
        anew = not self.hello or self.hello.boot != hello.boot
        self.hello = hello
        if anew:
            self._begin(now)
            self._ping(now)
        self._talk.coming = []
        self._say("debounce", self._debounce_ms)
        for place in self._modes:
            self._light(place)

    def _begin(self, now: int) -> None:
        self.settled = False
        self._talk = Talk(now, now, {"hello": now, "state": now})

    def _row(self, row: Place) -> None:
        coming = self._talk.coming
        if row.place < len(coming) and coming[row.place] != row:
            coming.clear()  # the end of the snapshot before was lost
        if row.place == len(coming):
            coming.append(row)

    def _whole(self, whole: Whole, now: int) -> None:
        rows, self._talk.coming = self._talk.coming, []
        assert self.hello
        if len(rows) == len(self.hello.places):  # else a line was lost, and a new snapshot is requested
            self._talk.snapshot = whole, rows
            self._talk.last = max(self._talk.last, whole.seq)
            self._settle()
            self._compare(now)

    def _pong(self, pong: Pong, now: int) -> None:
        talk = self._talk
        assert self.hello
        talk.pings.remove(pong.nonce)
        if not talk.answered and not self._goes_on(self.hello):
            self.clock = HubClock()
        talk.answered += 1
        self.trips.append(now - pong.nonce)
        self.clock.answered(pong.nonce, now, pong.t)
        if talk.answered < self._quick:
            self._ping(now)
        self._settle()
        self._compare(now)

    def _settle(self) -> None:
        """Settle the talk once hello, snapshot and clock are there: continue the events, or report a gap."""
        if self.settled or not self._talk.snapshot or not self.hello or not self._talk.answered:
            return
        (whole, _), hello = self._talk.snapshot, self.hello
        gap: str = ""
        if not self._goes_on(hello) or whole.seq < self.seq:
            if self._known:
                gap = (faults.started if self._known.hub == hello.hub else faults.replaced)(self.name)
            self.seq = whole.seq
        self._known = hello
        self.settled = True
        self._is_well(hello.places, gap)

    def _goes_on(self, hello: Hello) -> bool:
        """Return whether this is the hub known before, with power all the time."""
        return self._known is not None and (self._known.hub, self._known.boot) == (hello.hub, hello.boot)

    def _is_well(self, places: Sequence[str], gap: str) -> None:
        if self._reported or gap:
            self._put(Health(f"hub {self.name}", True, gap))
        for place, seat in enumerate(self._places.seats):
            if seat and places[place : place + 1] in ((), ("-",)):
                what = Message("Hub {hub} has nothing at place {place}: see config.yaml.", hub=self.name, place=place)
                self._put(Health(f"box {seat}", False, what))
                self._empty.add(place)
            elif seat and (self._reported or place in self._empty):
                self._put(Health(f"box {seat}", True))
                self._empty.discard(place)
        self._reported = ""

    def _compare(self, now: int) -> None:
        """Report the snapshot once it shows the state after the last event taken."""
        whole, rows = self._talk.snapshot or (None, ())
        if not whole or not self.settled or whole.seq > self.seq:
            return
        self._talk.snapshot = None
        if whole.seq == self.seq:
            self._talk.wanting = self._talk.missing = False
            self.rows = rows
            missing = (Place(place, "-", "-", ()) for place in range(len(rows), len(self._places.seats)))
            for row in (*rows, *missing):
                self._places.stands(row, self._ms(whole.t, now))

    def _event(self, event: Event, now: int) -> None:
        self._talk.last = max(self._talk.last, event.seq)
        if not self.settled or event.seq != self.seq + 1:
            return
        self.seq = event.seq
        assert self.hello
        if event.place < len(self.hello.places):
            self._places.happened(event, self._ms(event.t, now))
            self.rows = [row.after(event) if row.place == event.place else row for row in self.rows]
        else:
            self.lines.dropped += 1
        self._compare(now)

    def _gone(self, gone: Gone) -> None:
        if not self.settled or gone.seq <= self.seq + 1:
            return
        if not self._talk.missing:
            self._put(Health(f"hub {self.name}", True, faults.missed(self.name)))
        self._talk.missing = self._talk.wanting = True
        self.seq = gone.seq - 1

    def _beat(self, beat: Beat) -> None:
        self.bad = beat.bad
        self._talk.last = max(self._talk.last, beat.seq)
        for place, mark in enumerate(beat.lamps):
            mode = self._modes.get(place)
            if mode and mark != MARKS[mode]:
                self._light(place)

    # -- what the host says --------------------------------------------------------------------------------------

    def _catch_up(self, now: int) -> None:
        """Request what is missing, the same thing after AGAIN at the earliest."""
        talk = self._talk
        if self.settled and talk.last > self.seq:
            if talk.asked != self.seq + 1 or talk.due("again", now, AGAIN):
                talk.asked = self.seq + 1
                talk.done["again"] = now
                self._say("again", talk.asked)
        elif self.hello and talk.wanting and talk.due("state", now, AGAIN):
            self._say("state")

    def _light(self, place: int) -> None:
        if self.hello and "l" in "".join(self.hello.places[place : place + 1]):
            self._say("lamp", place, self._modes[place])

    def _greet(self) -> None:
        self._say("hello", VERSION)

    def _ping(self, now: int) -> None:
        self._talk.pings.add(now)
        self._talk.done["ping"] = now
        self._say("ping", now)

    def _say(self, *words: object) -> None:
        self._out.append(line(*words))

    def _ms(self, t: int, now: int) -> int:
        return self.clock.host(t, now) // 1000
