"""The hub's side of its protocol (hub_protocol.md, version 1), without hardware; it knows only the times it is given.

Runs unchanged under MicroPython and CPython. Times are in µs since the power came, places are counted from 0.
"""

from lines import LONGEST, MODES, VERSION, line, parse

FIRMWARE = "1.0.0"
KEPT = 512
"""Events kept until they are acknowledged."""
WINDOW = 64
"""Events sent beyond the last acknowledged one."""
WAITING = 96
"""Lines that wait to be sent; what is said to a host that does not read is lost, and it asks again."""
MISSES = 3
"""Polls in a row that must miss a tag before it has left."""
MOST_TAGS = 8
SECOND = 1000000
GONE = 3 * SECOND
DARK = 10 * SECOND
SOON = SECOND // 4
"""Between two beats while events wait for their ack: a host that has lost one notices by the beat."""
BLINK = SECOND // 2


class Contact:
    """A button's contact: down counts at once, up only when it has lasted."""

    def __init__(self, down):
        self.down = down
        self.open_since = None

    def see(self, down, t):
        """The level at `t`; whether the button went down with it."""
        if not down:
            if self.down and self.open_since is None:
                self.open_since = t
            return False
        self.open_since = None
        pressed, self.down = not self.down, True
        return pressed

    def settle(self, t, quiet):
        """When the button was let go, if that has become certain by `t`; None otherwise."""
        since = self.open_since
        if since is None or t < since + quiet:
            return None
        self.down, self.open_since = False, None
        return since


class Reader:
    """What lies on a reader: `tags` with the polls in a row that missed them, `polls` since it last was not well."""

    def __init__(self):
        self.state = "new"
        self.forget()

    def forget(self):
        self.tags = {}
        self.polls = 0

    def add(self, tag):
        """Whether the tag is new here; one beyond the eighth is not taken."""
        new = tag not in self.tags and len(self.tags) < MOST_TAGS
        if new or tag in self.tags:
            self.tags[tag] = 0
        return new

    def miss(self, seen):
        """The tags that have left with this poll."""
        left = []
        for tag in list(self.tags):
            if tag not in seen:
                self.tags[tag] += 1
                if self.tags[tag] == MISSES:
                    del self.tags[tag]
                    left.append(tag)
        return left


class Hub:
    """`hub` and `boot` are hex, `places` like ["rbl", "bl", "-"]; `held` has a bit for each place, set if the button is
    down."""

    def __init__(self, hub, boot, places, now, held=0):
        self.identity = f"{hub} {boot} {FIRMWARE} {','.join(places)}"
        self.contacts = [Contact(bool(held >> at & 1)) if "b" in has else None for at, has in enumerate(places)]
        self.readers = [Reader() if "r" in has else None for has in places]
        self.lamps = ["off" if "l" in has else None for has in places]
        self.held = held
        self.quiet = 12000
        self.linked = False
        self.now = self.heard = self.gone = self.beat = now
        self.bad = self.unknown = 0
        self.last = self.acked = self.sent = 0
        self.first = 1  # of the events that are kept: always last + 1 - their count
        self.events = [None] * KEPT
        self.out = []
        self.rest = b""

    # -- what the board reports ---------------------------------------------------------------------------------------

    def feed(self, data, now):
        """Bytes from the host, cut anywhere."""
        self.now = now
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()[:LONGEST]  # too long already; the rest of it changes nothing
        for received in lines:
            try:
                words = parse(received)
                self.heard = now
                self._obey(words)
            except ValueError:
                self.bad += 1
            except KeyError:
                self.unknown += 1

    def buttons(self, held, t):
        """The levels of all buttons at `t`, the bit of each that is down being set. Call it in order."""
        self._settle(t)
        changed, self.held = held ^ self.held, held
        for place, contact in enumerate(self.contacts):
            if changed >> place & 1 and contact and contact.see(bool(held >> place & 1), t):
                self._event(t, place, "down")

    def seen(self, place, tags, t):
        """The tags one poll has seen."""
        reader = self.readers[place]
        if reader.state != "well":
            self._recover(place, tags, t)
            return
        for tag in reader.miss(tags):
            self._event(t, place, f"lifted {tag}")
        for tag in tags:
            if reader.add(tag):
                self._event(t, place, f"laid {tag}")

    def _recover(self, place, tags, t):
        """A poll may miss a tag: only several say what lies there, and that the reader is well."""
        reader = self.readers[place]
        for tag in tags:
            reader.add(tag)
        reader.polls += 1
        if reader.polls == MISSES:
            reader.state = "well"
            self._event(t, place, " ".join(["well"] + list(reader.tags)))  # noqa: RUF005

    def failed(self, place, why, t):
        """A poll has failed; `why` is made one word."""
        reader = self.readers[place]
        reader.forget()
        if reader.state != "dead":
            reader.state = "dead"
            word = "".join(
                [char if char < "\x7f" and (char.isalpha() or char.isdigit()) else "_" for char in str(why)[:24]]
            )
            self._event(t, place, f"dead {word or '_'}")

    def tick(self, now):
        """Time has passed. Everything that happened before `now` has been reported."""
        self._settle(now)
        if self.linked and now - self.heard >= GONE:
            self._unlink(now)
        if not self.linked and now - self.gone >= DARK:
            self.lamps = [mode and "off" for mode in self.lamps]
        if self.linked and now >= self.beat:
            self.beat = now + (SOON if self.acked < self.last else SECOND)
            self._send()  # so that a beat with a greater number means a loss
            lamps = "".join(["." if mode is None else str(MODES.index(mode)) for mode in self.lamps])
            self._say(f"beat {now} {self.last} {lamps} {self.bad}")

    def due(self, now):
        """When the next tick has something to do, as far as that is known."""
        due = self.beat if self.linked else now + SECOND
        for contact in self.contacts:
            if contact and contact.open_since is not None:
                due = min(due, contact.open_since + self.quiet)
        return due

    # -- what the board takes -----------------------------------------------------------------------------------------

    def take(self):
        """The next line to send; nothing if there is none."""
        self._send()
        return self.out.pop(0) if self.out else b""

    def lit(self, now):
        """The lamps that are lit at `now`, a bit a place."""
        lit = 0
        for place, mode in enumerate(self.lamps):
            if mode == "on" or (mode == "blink" and now // BLINK % 2 == 0):
                lit |= 1 << place
        return lit

    # -- the host's words ---------------------------------------------------------------------------------------------

    def _obey(self, words):
        if words[0] == "hello" or self.linked:
            getattr(self, "_" + words[0])(*words[1:])

    def _hello(self, version):
        if version != VERSION:
            self._unlink(self.now)
        self._say(f"hello {VERSION} {self.identity}")
        if version == VERSION:
            self.beat = self.beat if self.linked else self.now + SECOND
            self.linked = True
            self._state()

    def _state(self):
        for place, contact in enumerate(self.contacts):
            reader = self.readers[place]
            button = "-" if contact is None else "down" if contact.down else "up"
            tags = list(reader.tags) if reader and reader.state == "well" else []
            self._say(" ".join([f"place {place} {button} {reader.state if reader else '-'}"] + tags))  # noqa: RUF005
        self._say(f"whole {self.last} {self.now}")

    def _again(self, seq):
        if not 1 <= seq <= self.last + 1:
            raise ValueError
        if seq < self.first:
            seq = self.first
            self._say(f"gone {seq}")
        self._arrived(seq - 1)
        self.sent = seq - 1

    def _ack(self, seq):
        if seq > self.last:
            raise ValueError
        self._arrived(seq)

    def _ping(self, nonce):
        self._say(f"pong {nonce} {self.now}")

    def _lamp(self, place, mode):
        if place >= len(self.lamps) or self.lamps[place] is None:
            raise ValueError
        self.lamps[place] = mode

    def _debounce(self, ms):
        self.quiet = 1000 * ms

    # -- events -------------------------------------------------------------------------------------------------------

    def _settle(self, t):
        for place, contact in enumerate(self.contacts):
            if contact and contact.open_since is not None:
                since = contact.settle(t, self.quiet)
                if since is not None:
                    self._event(since, place, "up")

    def _event(self, t, place, what):
        event = line(f"event {self.last + 1} {t} {place} {what}")  # first, as there may be no memory for it
        self.last += 1
        self.first = max(self.first, self.last + 1 - KEPT)
        self.events[self.last % KEPT] = event
        self.beat = min(self.beat, t + SOON)
        self._send()

    def _arrived(self, seq):
        """The host has the events up to `seq`, or they are lost."""
        for had in range(self.first, seq + 1):
            self.events[had % KEPT] = None
        self.first = max(self.first, seq + 1)
        self.acked = max(self.acked, seq)
        self.sent = max(self.sent, seq)

    def _send(self):
        if not self.linked:
            return
        self.sent = max(self.sent, self.first - 1)
        while self.sent < min(self.last, self.acked + WINDOW) and len(self.out) < WAITING:
            self.sent += 1
            self.out.append(self.events[self.sent % KEPT])

    def _say(self, body):
        if len(self.out) < WAITING:
            self.out.append(line(body))

    def _unlink(self, now):
        if self.linked:
            self.linked = False
            self.gone = now
            self.out = []
