"""The host's side of the talk with one hub, without a port or a thread (firmware_notes/hub_protocol.md)."""

from collections import deque
from collections.abc import Mapping, Sequence

from companion.rules.message import Message
from companion.rules.readings import Health
from drivers.clock import DeviceClock
from drivers.hub import VERSION, faults
from drivers.hub.lines import Beat, Echo, Gone, Hello, HubEvent, LineBuffer, Place, Pong, Whole, Word, line
from drivers.hub.places import Places
from drivers.hub.talk import SECOND, Talk
from drivers.lamps import Mode
from drivers.worker import Put

GREET = SECOND // 2
"""The time after which an unanswered greeting is repeated, in µs."""
PATIENCE = 3 * SECOND
"""The time after which a port without a hello, or a silent hub, is given up, in µs."""
QUIET = 2 * SECOND
"""The time after which a silent hub, which may take us for gone, is greeted again, in µs."""
AGAIN = SECOND // 4
"""The time after which a missing answer is requested again, in µs."""
PINGS = 4
"""The number of pings for setting the clock at first."""
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
        self.lines = LineBuffer()
        self.clock = DeviceClock()
        self.hello: Hello | None = None
        self.rows: Sequence[Place] = ()
        """The state of the places: the latest snapshot with all events since."""
        self.bad = 0
        """The number of lines the hub has dropped."""
        self.trips: deque[int] = deque(maxlen=1000)
        """The latest pings' ways there and back, in µs."""
        self.settled = False
        self.seq = 0
        """The number of the last event taken."""
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
        self._begin_talk(now)
        self._send_hello()

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
            # what was on its way before the hello belongs to a talk of an earlier host
            if self.hello or isinstance(word, Hello | Echo):
                self._handle(word, now)
        if self.settled and self._talk.acked != self.seq:
            self._talk.acked = self.seq
            self._send("ack", self.seq)
        self._request_missing(now)

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
            self._send_hello()
        if self.hello and talk.due("ping", now, SECOND):
            self._send_ping(now)
        self._request_missing(now)

    def show(self, modes: Mapping[str, Mode]) -> None:
        """Set the lamps of seats that sit here; each mode is kept until the hub has set it."""
        for place, seat in enumerate(self._places.seats):
            mode = modes.get(seat) if seat else None
            if mode and self._modes.get(place) != mode:
                self._modes[place] = mode
                self._send_lamp(place)

    # -- what the hub says ---------------------------------------------------------------------------------------

    def _handle(self, word: Word, now: int) -> None:
        self._talk.heard = now
        match word:
            case Hello():
                self._handle_hello(word, now)
            case Pong() if word.nonce in self._talk.pings:
                self._handle_pong(word, now)
            case Place():
                self._handle_place(word)
            case Whole():
                self._finish_snapshot(word, now)
            case HubEvent():
                self._handle_event(word, now)
            case Gone():
                self._skip_missed(word)
            case Beat():
                self._handle_beat(word)
            case Echo():
                self._talk.echoed = True

    def _handle_hello(self, hello: Hello, now: int) -> None:
        if hello.version != VERSION:
            raise faults.OtherVersion(faults.other_version(hello.version))
        anew = not self.hello or self.hello.boot != hello.boot
        self.hello = hello
        if anew:
            self._begin_talk(now)
            self._send_ping(now)
        self._talk.coming = []
        self._send("debounce", self._debounce_ms)
        # a hub that has restarted has all its lamps off
        for place in self._modes:
            self._send_lamp(place)

    def _begin_talk(self, now: int) -> None:
        self.settled = False
        self._talk = Talk(now, now, {"hello": now, "state": now})

    def _handle_place(self, row: Place) -> None:
        coming = self._talk.coming
        if row.place < len(coming) and coming[row.place] != row:
            coming.clear()  # the end of the snapshot before was lost
        if row.place == len(coming):
            coming.append(row)

    def _finish_snapshot(self, whole: Whole, now: int) -> None:
        rows, self._talk.coming = self._talk.coming, []
        assert self.hello
        if len(rows) == len(self.hello.places):  # else a line was lost, and a new snapshot is requested
            self._talk.snapshot = whole, rows
            self._talk.last = max(self._talk.last, whole.seq)
            self._try_to_settle()
            self._report_snapshot(now)

    def _handle_pong(self, pong: Pong, now: int) -> None:
        talk = self._talk
        assert self.hello
        # each answer counts once: a repeated line would pass for a very slow ping
        talk.pings.remove(pong.nonce)
        # a restarted hub counts its µs from 0 again: the old clock would place its events in the past
        if not talk.answered and not self._same_boot(self.hello):
            self.clock = DeviceClock()
        talk.answered += 1
        self.trips.append(now - pong.nonce)
        self.clock.answered(pong.nonce, now, pong.t)
        if talk.answered < self._quick:
            self._send_ping(now)
        self._try_to_settle()
        self._report_snapshot(now)

    def _try_to_settle(self) -> None:
        """Settle the talk once hello, snapshot and clock are there: continue the events, or report a gap."""
        if self.settled or not self._talk.snapshot or not self.hello or not self._talk.answered:
            return
        (whole, _), hello = self._talk.snapshot, self.hello
        gap: str = ""
        if not self._same_boot(hello) or whole.seq < self.seq:
            if self._known:
                gap = (faults.started if self._known.hub == hello.hub else faults.replaced)(self.name)
            self.seq = whole.seq
        self._known = hello
        self.settled = True
        self._report_recovered(hello.places, gap)

    def _same_boot(self, hello: Hello) -> bool:
        """Return whether this is the hub known before, with power all the time."""
        return self._known is not None and (self._known.hub, self._known.boot) == (hello.hub, hello.boot)

    def _report_recovered(self, places: Sequence[str], gap: str) -> None:
        # also without a fault before: the gap has to be told
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

    def _report_snapshot(self, now: int) -> None:
        """Report the snapshot once it shows the state after the last event taken."""
        whole, rows = self._talk.snapshot or (None, ())
        # a snapshot ahead of the events waits for them, or its presses would lose their times
        if not whole or not self.settled or whole.seq > self.seq:
            return
        self._talk.snapshot = None
        if whole.seq == self.seq:
            self._talk.wanting = self._talk.missing = False
            self.rows = rows
            missing = (Place(place, "-", "-", ()) for place in range(len(rows), len(self._places.seats)))
            for row in (*rows, *missing):
                self._places.stands(row, self._host_ms(whole.t, now))

    def _handle_event(self, event: HubEvent, now: int) -> None:
        self._talk.last = max(self._talk.last, event.seq)
        # a later event is dropped and requested again: taken now, presses would come out of order
        if not self.settled or event.seq != self.seq + 1:
            return
        self.seq = event.seq
        assert self.hello
        if event.place < len(self.hello.places):
            self._places.happened(event, self._host_ms(event.t, now))
            self.rows = [row.after(event) if row.place == event.place else row for row in self.rows]
        else:
            self.lines.dropped += 1
        self._report_snapshot(now)

    def _skip_missed(self, gone: Gone) -> None:
        if not self.settled or gone.seq <= self.seq + 1:
            return
        if not self._talk.missing:
            self._put(Health(f"hub {self.name}", True, faults.missed(self.name)))
        self._talk.missing = self._talk.wanting = True
        # `gone` names the oldest event the hub still keeps; that one is taken next
        self.seq = gone.seq - 1

    def _handle_beat(self, beat: Beat) -> None:
        self.bad = beat.bad
        self._talk.last = max(self._talk.last, beat.seq)
        for place, mark in enumerate(beat.lamps):
            mode = self._modes.get(place)
            # a beat tells each lamp's mode, so a lost line is sent again without being acknowledged
            if mode and mark != MARKS[mode]:
                self._send_lamp(place)

    # -- what the host says --------------------------------------------------------------------------------------

    def _request_missing(self, now: int) -> None:
        """Request what is missing, the same thing after AGAIN at the earliest."""
        talk = self._talk
        if self.settled and talk.last > self.seq:
            if talk.asked != self.seq + 1 or talk.due("again", now, AGAIN):
                talk.asked = self.seq + 1
                talk.done["again"] = now
                self._send("again", talk.asked)
        elif self.hello and talk.wanting and talk.due("state", now, AGAIN):
            self._send("state")

    def _send_lamp(self, place: int) -> None:
        if self.hello and "l" in "".join(self.hello.places[place : place + 1]):
            self._send("lamp", place, self._modes[place])

    def _send_hello(self) -> None:
        self._send("hello", VERSION)

    def _send_ping(self, now: int) -> None:
        self._talk.pings.add(now)
        self._talk.done["ping"] = now
        self._send("ping", now)

    def _send(self, *words: object) -> None:
        self._out.append(line(*words))

    def _host_ms(self, t: int, now: int) -> int:
        return self.clock.host(t, now) // 1000
