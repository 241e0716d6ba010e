"""Threads and faults: a reader's own thread, and how a failing device is reported as Health and not as an exception."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic

from companion.hardware.doctor.wired import PollSummary
from companion.hardware.kind import Reader
from companion.hardware.tap import Tap, silent
from companion.rules.message import Message, reason
from companion.rules.readings import Health, Press, Reading, now
from companion.system.pause import Pause
from drivers.presence import Presence

Put = Callable[[Reading | Press | Health], object]
"""Takes a hardware event from any thread, as a queue's `put` does."""


class ThreadStuckError(RuntimeError):
    """A thread did not end in time: its device has not returned from a call."""


class Loop:
    """A thread that takes turns until it is stopped; `turn` returns the seconds to wait before the next one.

    `turn` must not raise. `end` runs last and on the same thread: a device is closed where it was used.
    """

    def __init__(self, name: str, turn: Callable[[], float], end: Callable[[], None] = lambda: None) -> None:
        self._turn = turn
        self._end = end
        self._stopping = False
        self._woken = Event()
        # a daemon: a device that never returns from a call must not keep the program from ending
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Start the next turn at once; from any thread."""
        self._woken.set()

    def stop(self) -> None:
        """Ask the thread to end after this turn, and do not wait for it."""
        self._stopping = True
        self.wake()

    def close(self, seconds: float = 2.0) -> None:
        """Stop the thread and wait for its end; harmless a second time. Raises ThreadStuckError after `seconds`."""
        self.stop()
        if self._thread.ident is not None:
            self._thread.join(seconds)
        if self._thread.is_alive():
            raise ThreadStuckError(f"the thread of {self._thread.name} has not ended within {seconds:g} s")

    def _run(self) -> None:
        while not self._stopping:
            self._woken.wait(self._turn())
            # cleared before the turn, not after it: a wake during the turn is not lost
            self._woken.clear()
        self._end()


class HealthWatch:
    """The condition of one device, reported only when it changes; nothing is reported while all is well."""

    def __init__(self, device: str, put: Put, remedy: str = "") -> None:
        self._device = device
        self._put = put
        self._remedy = remedy
        self._well = True
        self.why = ""
        """The last fault."""

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Turn a fault inside the block into a Health that says why and what to do; skip the rest of the block."""
        try:
            yield
        except Exception as fault:  # broad on purpose, and only here: no fault of a device may reach the game
            self.fault(reason(fault), self._remedy)

    def fault(self, why: str, remedy: str) -> None:
        """Report a fault: why, and what to do."""
        self.why = why
        if self._well:
            self._well = False
            self._put(Health(self._device, False, Message("{why}. {remedy}", why=why, remedy=remedy)))

    @property
    def ill(self) -> str:
        """Return the current fault, "" while all is well."""
        return "" if self._well else self.why

    def recovered(self) -> None:
        if not self._well:
            self._well = True
            self._put(Health(self._device, True))


CROWD = 5
"""The number of polls in a row that must meet more than one card: laying one while lifting another does not count."""
CROWDED = Message("More than one card is on the reader: take them off and lay one at a time.")

RECENT = 1000
"""The number of polls accounted for: with one reader the last half minute."""


class ReaderWorker:
    """One reader, on its own thread if started: polls become Readings, a fault becomes Health and a new attempt.

    Tags keep lying there through a fault: only the polls after it can say that one has come or gone.
    """

    def __init__(
        self,
        name: str,
        opener: Callable[[], Reader],
        put: Put,
        clock: Callable[[], int] = now,
        interval: float = 0.05,
        *,
        tap: Tap = silent,
    ) -> None:
        self._name = name
        self._tap = tap
        self._open = opener
        self._put = put
        self._clock = clock
        self._interval = interval
        self._reader: Reader | None = None
        self._presence = Presence()
        self.errors = self._presence.errors
        self._recent: deque[tuple[float, bool, bool]] = deque(maxlen=RECENT)  # ms, whether it failed or was repaired
        self._jobs: deque[Callable[[Reader], object]] = deque()
        self._pause = Pause()
        self._crowded_polls = 0  # polls in a row that met several cards
        remedy = Message("Retrying automatically; until then play on the screen.")
        self._condition = HealthWatch(f"reader {name}", put, remedy)
        self._loop = Loop(f"reader {name}", self._turn_and_wait, self.shut)
        self.start = self._loop.start
        self.stop = self._loop.stop
        self.close = self._loop.close

    @property
    def ill(self) -> str:
        """Return the current fault, "" while all is well."""
        return self._condition.ill

    def turn(self) -> float:
        """Poll once and report the result; return the seconds to wait before the next poll. Never raises."""
        tags, began, repairs = None, monotonic(), self._repairs
        with self._condition.guard():
            if self._reader is None:
                self._reader = self._open()
                self._tap(opened=getattr(self._reader, "version", None))
                began = monotonic()
            self._run_jobs(self._reader)
            tags = self._reader.poll()
        self._recent.append((1000 * (monotonic() - began), tags is None, self._repairs > repairs))
        if tags is None:
            return self._close_and_pause()
        self._condition.recovered()
        self._pause.end()
        self._report_changes(tags)
        self._report_crowding()
        return self._interval

    def _turn_and_wait(self) -> float:
        """Run a turn on the worker's own thread; wait in a reader that notices by itself when tags come and go."""
        pause = self.turn()
        wait = getattr(self._reader, "wait", None)
        if wait and pause == self._interval:
            with suppress(OSError):  # the next poll meets the same fault and says so
                wait()
                return 0.0
        return pause

    def lend(self, job: Callable[[Reader], object]) -> None:
        """Run a job with the reader, on the thread that uses it, before its next poll; from any thread."""
        # append and popleft of a deque are atomic, so the two threads need no lock
        self._jobs.append(job)
        self._loop.wake()

    def _run_jobs(self, reader: Reader) -> None:
        while self._jobs:
            self._jobs.popleft()(reader)

    @property
    def _repairs(self) -> int:
        return getattr(self._reader, "repairs", 0)

    def account(self) -> PollSummary:
        """Return the account of the latest polls; from any thread."""
        reader, recent, here = self._reader, list(self._recent), self._presence.here
        if reader is None:
            return PollSummary(self._name, self._condition.why)
        counts = {tag: self._presence.counts.get(tag, (0, 0)) for tag in here}
        return PollSummary(
            self._name,
            self._condition.why,
            getattr(reader, "version", None),
            tuple(ms for ms, failed, _ in recent if not failed),
            sum(failed for _, failed, _ in recent),
            sum(repaired for _, _, repaired in recent),
            {tag: (1 + polls - missed, 1 + polls) for tag, (polls, missed) in counts.items()},
        )

    def _report_crowding(self) -> None:
        """Report when several cards begin or cease to lie on the reader, which reads them all the same if it can."""
        before, several = self._crowded_polls, getattr(self._reader, "several", False)
        self._crowded_polls = before + 1 if several else 0
        if self._crowded_polls == CROWD or (before >= CROWD and not several):
            self._put(Health(f"reader {self._name}", True, CROWDED if several else ""))

    def _report_changes(self, tags: frozenset[str]) -> None:
        faint: frozenset[str] = getattr(self._reader, "faint", frozenset())
        arrived, left = self._presence.see(tags, faint)
        t = self._clock()
        self._tap_poll(tags, faint, t)
        # lifted cards first: a card that replaces another must not seem to lie beside it
        for tag in sorted(left):
            self._put(Reading(self._name, tag, False, t))
        for tag in sorted(arrived):
            self._put(Reading(self._name, tag, True, t))

    def _tap_poll(self, tags: frozenset[str], faint: frozenset[str], t: int) -> None:
        """Pass a poll to the tap, as text alone: Python's garbage collector would traverse anything that holds more."""
        several = getattr(self._reader, "several", False)
        self._tap(polled=" ".join(sorted(tags)), faint=" ".join(sorted(faint)), several=several, ms=t)

    def _close_and_pause(self) -> float:
        self.shut()
        self._tap(fault=self._condition.why)
        self._crowded_polls = 0
        return self._pause.after_failure()

    def shut(self) -> None:
        """Close the device, on the thread that used it."""
        reader, self._reader = self._reader, None
        with self._condition.guard():  # a broken device may fail to close as well
            if reader:
                reader.close()


class DeviceOwner:
    """Readers that share a bus, polled in turn by the one thread that owns it, so that all are polled alike.

    Only the one that is being polled is at work. One that has failed is passed over until its pause has ended.
    """

    def __init__(self, name: str, workers: Sequence[ReaderWorker], clock: Callable[[], float] = monotonic) -> None:
        self._due = dict.fromkeys(workers, 0.0)
        self._clock = clock
        self._loop = Loop(name, self.turn, self._close_all)
        self.start = self._loop.start
        self.stop = self._loop.stop
        self.close = self._loop.close

    def turn(self) -> float:
        """Poll each reader that is due, once; return the seconds until one is due again. Never raises."""
        for worker, due in self._due.items():
            if due <= self._clock():
                self._due[worker] = worker.turn() + self._clock()
        return max(0.0, min(self._due.values()) - self._clock())

    def _close_all(self) -> None:
        for worker in self._due:
            worker.shut()
