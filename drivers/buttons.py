"""The seats' buttons over gpiozero. A closed fist is a level, so levels and their changes are reported."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpiozero import DigitalInputDevice

from companion.hardware.tap import Tap, Taps, unheard
from companion.rules.message import Message
from companion.rules.readings import Press, now
from drivers.worker import HealthWatch, Loop, Put

RELEASE_MS = 12
"""The ms a contact must stay open to count as released; usual push-buttons bounce for less."""
LOOK_MS = 250
"""The ms between two readings of the levels, in case an edge was lost."""


class Debounce:
    """The debouncing of one contact, without a clock: down counts at once, up only when it has lasted.

    Times are in ms; one earlier than the last counts as the last, so that changes never go back in time.
    """

    def __init__(self, release_ms: int = RELEASE_MS) -> None:
        self.down = False
        self._release_ms = release_ms
        self._up_since: int | None = None
        self._last = 0

    @property
    def due(self) -> int | None:
        """Return when a release will be certain if nothing happens until then."""
        return None if self._up_since is None else self._up_since + self._release_ms

    def surprised(self, down: bool) -> bool:
        """Return whether `down` differs from the level seen last: an edge was lost or is still on its way."""
        return down != (self.down and self._up_since is None)

    def see(self, down: bool, t: int) -> list[tuple[bool, int]]:
        """Note the level at `t`; return the changes (down, t) that are now certain, a release as of its beginning."""
        t = self._last = max(t, self._last)
        # first the release that is due by now, else a new press in the same call would swallow it
        changes = self.settle(t)
        if down:
            self._up_since = None
            if not self.down:
                self.down = True
                changes.append((True, t))
        # only the first opening counts: later bounces must not postpone the time of the release
        elif self.down and self._up_since is None:
            self._up_since = t
        return changes

    def found(self, down: bool, t: int) -> list[tuple[bool, int]]:
        """Note the level at `t` after a time without looking: the level has lasted."""
        changes = self.see(down, t)
        return changes if down else changes + self.settle(self._last + self._release_ms)

    def settle(self, t: int) -> list[tuple[bool, int]]:
        """Return the release that has become certain by `t`, if there is one."""
        if self._up_since is None or t < self._up_since + self._release_ms:
            return []
        since, self._up_since, self.down = self._up_since, None, False
        return [(False, since)]


@dataclass(frozen=True, slots=True)
class _Button:
    device: Any
    debounce: Debounce
    condition: HealthWatch
    tap: Tap


class Buttons:
    """All buttons of the table, each between its pin (BCM number) and ground.

    A button held at the start is reported as a level, one that is up is not reported. A lost edge is found when the
    levels are read again. gpiozero's own `bounce_time` is left alone: it delays presses on lgpio, can lose releases on
    RPi.GPIO and does nothing on mock pins.
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        put: Put,
        clock: Callable[[], int] = now,
        pin_factory: Any = None,
        release_ms: int = RELEASE_MS,
        *,
        taps: Taps = unheard,
    ) -> None:
        self._put = put
        self._clock = clock
        self._edges: deque[tuple[str, bool, int]] = deque()
        self._next_look = 0
        self._loop = Loop("buttons", self.turn)
        self._buttons: dict[str, _Button] = {}
        self._conditions: dict[str, HealthWatch] = {}
        self.start = self._loop.start
        for seat, pin in pins.items():
            remedy = Message(
                "Check pin {pin}, its wire and its number in config.yaml; this seat plays on the screen.", pin=pin
            )
            condition = self._conditions[seat] = HealthWatch(f"button {seat}", put, remedy)
            with condition.guard():
                device = DigitalInputDevice(pin, pull_up=True, pin_factory=pin_factory)
                self._buttons[seat] = _Button(device, Debounce(release_ms), condition, taps("pins", seat))
                self._attach(seat, self._buttons[seat])

    def _attach(self, seat: str, button: _Button) -> None:
        # lgpio calls back on one thread for all pins, and a single exception there silences every button:
        # an edge is only noted here, and interpreted on a thread of our own.
        def edge(down: bool) -> None:
            t = self._clock()
            self._edges.append((seat, down, t))
            button.tap(edge=down, ms=t)
            self._loop.wake()

        # attached before the level is read: an edge in between is then seen twice at most, and never lost
        button.device.when_activated = lambda: edge(True)
        button.device.when_deactivated = lambda: edge(False)
        t, held = self._clock(), bool(button.device.is_active)
        button.tap(opened=held, ms=t)
        if held:
            button.debounce.down = True
            self._put(Press(seat, True, t, edge=False))

    @property
    def held(self) -> frozenset[str]:
        """Return the seats whose buttons are down now: held, or stuck to ground."""
        return frozenset(seat for seat, button in self._buttons.items() if button.debounce.down)

    @property
    def ill(self) -> Mapping[str, str]:
        """Return the faults that buttons have now, by seat."""
        return {seat: why for seat, condition in self._conditions.items() if (why := condition.ill)}

    def turn(self) -> float:
        """Report the changes that edges and levels make certain by now; return the seconds until there may be more."""
        while self._edges:
            seat, down, t = self._edges.popleft()
            self._put_presses(seat, self._buttons[seat].debounce.see(down, t))
        t = self._clock()
        if t >= self._next_look:
            self._next_look = t + LOOK_MS
            self._settle_all(t)
        for seat, button in self._buttons.items():
            self._put_presses(seat, button.debounce.settle(t))
        dues = [due for button in self._buttons.values() if (due := button.debounce.due) is not None]
        return max(0, min([self._next_look, *dues]) - t) / 1000

    def _settle_all(self, t: int) -> None:
        for seat, button in self._buttons.items():
            with button.condition.guard():
                down = bool(button.device.is_active)
                button.condition.recovered()
                if button.debounce.surprised(down):
                    button.tap(level=down, ms=t)
                self._put_presses(seat, button.debounce.see(down, t))

    def _put_presses(self, seat: str, changes: list[tuple[bool, int]]) -> None:
        for down, t in changes:
            self._put(Press(seat, down, t))

    def close(self) -> None:
        """Release the pins; harmless a second time. Raises ThreadStuckError."""
        try:
            self._loop.close()
        finally:
            for button in self._buttons.values():
                with button.condition.guard():
                    button.device.close()
