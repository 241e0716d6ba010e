"""The commissioning of a reader at an open table: each step listens to the devices and measures what they report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Event
from time import monotonic, sleep
from typing import Any, Protocol, TypeVar

from companion.hardware.doctor import Finding, hour, wired
from companion.hardware.doctor.hour import STEPS, HourStep, Poll
from companion.hardware.doctor.wired import Contact, Lamp
from companion.hardware.kind import Reader
from companion.hardware.tap import Tap
from companion.rules.message import Message
from drivers.lamps import Mode

POLLS = 100
"""The number of polls for measuring how well a card is heard: with one reader, three seconds."""
SWEEP = 40
"""The number of polls at each gain."""
GONE = 20
"""The number of polls without a card after which it has left."""
READERS = ("chip", "one", "gain", "two", "lift", "hand")
"""The steps in need of a reader that answers."""
PRESSES = 5
LIT = 0.5
"""Seconds each lamp is lit."""
PATIENCE = 30.0
"""Seconds a step waits for hands."""

T = TypeVar("T")
Note = tuple[Any, ...]
"""Time, layer, device, then names and values by turns."""


class HourTable(Protocol):
    """An open table's hardware."""

    wiring: Any

    def lend(self, reader: str, job: Callable[[Reader], object]) -> None: ...
    def show(self, modes: Mapping[str, Mode], /) -> None: ...
    def ill(self, device: str, /) -> str: ...
    def held(self) -> Collection[str]: ...


class HourEars(Protocol):
    """The listener to the table's taps."""

    def tap(self, layer: str, device: str) -> Tap: ...
    def listen(self, sink: Callable[[Note], object]) -> Callable[[], None]: ...


Hands = Callable[[str], Iterator[None]]
"""Carries out a step, a little with every poll: virtual hardware has no person to do it."""


class ReaderCommissioning:
    """The steps that make sense at a table, for one of its readers."""

    def __init__(
        self,
        table: HourTable,
        ears: HourEars,
        hands: Hands | None = None,
        *,
        reader: str = "",
        patience: float = PATIENCE,
    ) -> None:
        readers = list(table.wiring.readers)
        self.reader = reader or next(iter(readers), "")
        self._table, self._ears, self._hands, self._patience = table, ears, hands, patience
        self._say = ears.tap("hour", "")
        has = {"buttons": bool(table.wiring.buttons), "lamps": bool(table.wiring.lamps)}
        unasked = table.wiring.unasked.get(self.reader, ())
        asked = (step for step in STEPS if step.name not in unasked)
        self.steps: Sequence[HourStep] = [step for step in asked if has.get(step.name, bool(self.reader))]
        self.found: list[Finding] = []
        """The findings so far."""

    def measure(self, step: HourStep) -> Sequence[Finding]:
        """Run a step and wait for it, for hands up to PATIENCE. Call it from any thread but the main one."""
        self._say(step=step.name, part=self.reader)
        found = list(getattr(self, f"_{step.name}")())
        if step.name in READERS and (fault := self._table.ill(self.reader)):
            found = [Finding(self._part, "fail", fault, wired.AGAIN)]  # without polls, the step measured nothing
        for each in found:
            self._say(part=each.part, verdict=each.verdict, what=each.what)
        self.found += found
        return found

    # -- readers ------------------------------------------------------------------------------------------------------

    def _chip(self) -> Iterator[Finding]:
        trials = self._run_on_reader(lambda reader: reader.test_reset() if hasattr(reader, "test_reset") else None)
        if trials:
            yield from hour.chip(self._part, trials[0])
        else:
            yield Finding(self._part, "fail", wired.UNHEARD, wired.AGAIN)

    def _run_on_reader(self, act: Callable[[Any], T]) -> list[T]:
        """Run `act` with the reader on its own thread; return the result, or nothing if it did not run in time."""
        done, found = Event(), list[T]()

        def job(reader: Reader) -> None:
            try:
                found.append(act(reader))
            finally:
                done.set()

        self._table.lend(self.reader, job)
        done.wait(self._patience)
        return found

    def _one(self) -> Iterator[Finding]:
        polls, _ = self._polls_until("one", lambda polls: sum(poll.seen > 0 for poll in polls) >= POLLS)
        yield hour.one(self._part, polls, self._table.wiring.unseen.get(self.reader, ""))

    def _gain(self) -> Iterator[Finding]:
        swept = self._run_on_reader(lambda reader: reader.sweep(SWEEP) if hasattr(reader, "sweep") else None)
        yield hour.gain(self._part, swept[0]) if swept else Finding(self._part, "fail", wired.UNHEARD, wired.AGAIN)

    def _two(self) -> Iterator[Finding]:
        polls, _ = self._polls_until("two", lambda polls: sum(poll.seen > 0 for poll in polls) >= POLLS)
        yield hour.two(self._part, polls)

    def _lift(self) -> Iterator[Finding]:
        polls, came = self._polls_until("lift", lambda polls: _any_seen(polls[:-GONE]) and not _any_seen(polls[-GONE:]))
        yield hour.lift(self._part, polls, came)

    def _hand(self) -> Iterator[Finding]:
        polls, _ = self._polls_until("hand", lambda polls: len(polls) >= POLLS)
        yield hour.hand(self._part, polls)

    @property
    def _part(self) -> str:
        return f"reader {self.reader}"

    def _polls_until(self, step: str, enough: Callable[[Sequence[Poll]], bool]) -> tuple[Sequence[Poll], int]:
        """Return the polls of this step and how often a card was reported as laid."""
        polls: list[Poll] = []
        came = 0
        for layer, device, what in self._listen_until(step, lambda: enough(polls)):
            if layer == "reader" and device == self.reader and "polled" in what:
                seen, faint = (len(what[key].split()) for key in ("polled", "faint"))
                polls.append(Poll(seen, seen - faint, what["ms"]))
            elif what.get("reader") == self.reader and what["present"]:
                came += 1
        return polls, came

    def _listen_until(self, step: str, enough: Callable[[], bool]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """Yield what the devices report until `enough`; meanwhile the scripted hands act, if there are any."""
        notes: list[Note] = []
        news = Event()

        def hear(note: Note) -> None:
            notes.append(note)
            news.set()

        end, acts = self._ears.listen(hear), self._hands(step) if self._hands else iter(())
        latest = monotonic() + self._patience
        try:
            while not enough() and monotonic() < latest:
                next(acts, None)
                news.wait(0.2)
                news.clear()
                while notes:
                    _, layer, device, *said = notes.pop(0)
                    yield layer, device, dict(zip(said[::2], said[1::2], strict=True))
        finally:
            end()
            for _ in acts:
                pass

    # -- buttons and lamps --------------------------------------------------------------------------------------------

    def _buttons(self) -> Iterator[Finding]:
        pins: Mapping[str, int] = self._table.wiring.buttons
        changes: dict[str, list[tuple[int, bool]]] = {seat: [] for seat in pins}
        pressed = dict.fromkeys(pins, 0)
        for layer, device, what in self._listen_until("buttons", lambda: min(pressed.values()) >= PRESSES):
            if layer == "pins" and device in changes and "edge" in what:
                changes[device].append((what["ms"], what["edge"]))
            elif "button" in what and what["button"] in pressed:
                pressed[what["button"]] += not what["down"]
        held = self._table.held()
        for seat, pin in pins.items():
            seen = Contact(seat, pin, self._table.ill(f"button {seat}"), seat in held, tuple(changes[seat]))
            found = wired.button(seen, self._table.wiring.release_ms)
            silent = found.verdict == "pass" and not seen.changes
            yield replace(found, verdict="warn", next=Message("Do this step again")) if silent else found

    def _lamps(self) -> Iterator[Finding]:
        dark: dict[str, Mode] = dict.fromkeys(self._table.wiring.lamps, "off")
        with suppress(KeyboardInterrupt):
            for seat in dark:
                self._table.show({**dark, seat: "on"})
                sleep(LIT if self._hands is None else 0)
        self._table.show(dark)
        for seat, pin in self._table.wiring.lamps.items():
            yield wired.lamp(Lamp(seat, pin))


def _any_seen(polls: Sequence[Poll]) -> bool:
    """Return whether any of the polls saw a card."""
    return any(poll.seen for poll in polls)
