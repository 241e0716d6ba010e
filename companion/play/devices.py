"""The readers and buttons of a table: their words, their health, and what is held and lies there now.

Fists and cards are levels, not events: one may be closed or lie there before a game begins, and while games change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from queue import Empty

from companion.play._strays import SETTLED_MS, Watch
from companion.play.equipment import Equipment
from companion.play.fists import TICK_S, Due, HoldTimer, later
from companion.play.match import Match
from companion.rules import Seat
from companion.rules.message import Message
from companion.rules.readings import BACK, CENTRE, POWER, FromPhone, Health, PhoneSleep, Press, Reading
from companion.system.inbox import Inbox
from companion.system.logs import writing

log = writing("devices")

Word = Reading | Press | Health


class Devices:
    """The dispatcher of the hardware's words to the game they are meant for, on the main thread.

    `woken` is called from any thread when a word has come, `match` returns the game on the table, and `clock` stamps
    the words, in ms. `pressed` also receives the presses of the game, `elsewhere` those of no game.
    """

    def __init__(
        self,
        woken: Callable[[], object],
        match: Callable[[], Match | None],
        pressed: Callable[[Match, Press], object],
        elsewhere: Callable[[Press], object],
        clock: Callable[[], int] | None,
    ) -> None:
        self.inbox: Inbox[Word | HoldTimer | FromPhone | PhoneSleep] = Inbox(woken)
        """Drivers put their words here, from any thread."""
        self.listen: Callable[[Reading], object] | None = None
        """Takes Readings instead of the game, while a page wants them."""
        self.overheard: Callable[[Word], object] = lambda _: None
        """Hears each word before anybody acts on it."""
        self.errors: Callable[[str, str], float | None] = lambda _reader, _tag: None
        """Returns a reader's share of missed polls of a tag, if it can tell."""
        self.switch: Callable[[], object] = lambda: None
        """Called when the power button goes down."""
        self.phoned: Callable[[FromPhone | PhoneSleep], bool] = lambda _: False
        """Hears what phones send; returns whether a page has something new to show."""
        self.agreeing: Callable[[Press], bool] = lambda _: False
        """Takes a press that agrees to something the table was asked; returns whether it was one."""
        self.opened: Callable[[Seat], object] = lambda _: None
        """Called with a seat when the screen has opened the fist that its phone holds."""
        self.phones: frozenset[Seat] = frozenset()
        """The seats whose button is on a phone that somebody holds."""
        self._equipment = Equipment()
        self.health: dict[str, Health] = {}
        self.heard = 0
        """The number of readings and presses so far: it grows while somebody is there."""
        self.held: frozenset[Seat] = frozenset()
        self._down: frozenset[tuple[Seat, bool]] = frozenset()  # what holds them: the phone, or something else
        self._lying: dict[tuple[str, str], Reading] = {}  # by reader and tag
        self._match, self._pressed, self._elsewhere, self._clock = match, pressed, elsewhere, clock
        self._ticking = False
        self._watch = Watch()

    @property
    def equipment(self) -> Equipment:
        """Return the readers and buttons connected so far."""
        return replace(self._equipment, phones=self.phones)

    @equipment.setter
    def equipment(self, equipment: Equipment) -> None:
        self._equipment = equipment

    @property
    def lying(self) -> list[Reading]:
        """Return the readings of the tags on the readers."""
        return list(self._lying.values())

    def hear(self) -> bool:
        """Process all the words that have come; return whether one was for anything but the game."""
        fresh = False
        while True:
            try:
                word = self.inbox.get_nowait()
            except Empty:
                return fresh
            if isinstance(word, HoldTimer):
                self._tick(word)
                continue
            if isinstance(word, FromPhone | PhoneSleep):
                fresh = self.phoned(word) or fresh
                continue
            self.overheard(word)
            if isinstance(word, Health):
                self._note_health(word)
                fresh = True
                continue
            self.heard += 1
            if isinstance(word, Reading):
                self._note_card(word)
            if isinstance(word, Press) and word.seat == POWER:
                if word.down and word.edge:
                    self.switch()
            elif isinstance(word, Reading) and self.listen:
                self.listen(word)
                fresh = True
            else:
                if isinstance(word, Press) and word.seat.startswith(BACK):
                    self._pass_on_second_button(word)
                    continue
                if isinstance(word, Press) and self._still_held(word):
                    continue
                if isinstance(word, Press) and self.agreeing(word):
                    fresh = True
                    continue
                place, match = word.reader if isinstance(word, Reading) else word.seat, self._match()
                # a seat's reader is wired even where nobody sits in this game
                if match and place in (CENTRE, *match.header.seats):
                    match.feed(word)
                    if isinstance(word, Press):
                        self._pressed(match, word)
                elif isinstance(word, Press):
                    self._elsewhere(word)
                self._start_timer()

    def held_by_phone(self, seat: Seat) -> bool:
        """Return whether this seat's phone holds its fist, and nothing else does."""
        return (seat, True) in self._down and (seat, False) not in self._down

    def _still_held(self, press: Press) -> bool:
        """Note what holds the seat's fist; return whether it stays closed, as its button and its phone both held it."""
        one, other = (press.seat, press.phone), (press.seat, not press.phone)
        both = {one, other} <= self._down
        if press.down:
            self._down |= {one}
        else:  # a button that was not held is the screen's: it opens the fist, no matter who holds it
            if not press.phone and self.held_by_phone(press.seat):
                self.opened(press.seat)
            self._down -= {one} if both else {one, other}
        self.held = frozenset(seat for seat, _ in self._down)
        return both and not press.down

    def _pass_on_second_button(self, press: Press) -> None:
        """Pass on the second button of a seat with an ear."""
        match, seat = self._match(), press.seat.removeprefix(BACK)
        if match and seat in match.header.ears:
            match.feed(press)
        elif not match:
            self._elsewhere(press)

    def _note_card(self, reading: Reading) -> None:
        """Record a card on its reader, or its removal; this also works between games and while a page listens."""
        self._lying.pop((reading.reader, reading.tag), None)
        if reading.present:
            self._lying[reading.reader, reading.tag] = reading
        if self.listen and (match := self._match()):
            match.table.lying.note(reading)

    def _start_timer(self) -> None:
        """Start the timer for the next tick, while an ear's button is held or "open" is counted."""
        match = self._match()
        if match and (match.table.listening or match.table.counts) and self._clock and not self._ticking:
            self._ticking = True
            clock = self._clock
            later(TICK_S, lambda: self.inbox.put(Due(clock())))

    def _tick(self, tick: HoldTimer) -> None:
        if isinstance(tick, Due):
            self._ticking = False
        if match := self._match():
            match.count(tick.t)
            self._start_timer()

    def _note_health(self, health: Health) -> None:
        """Record a device's health; a device that works and still has a message has it announced at the table."""
        if health != self.health.get(health.device):
            state = "well" if health.well else "not well"
            log.log(20 if health.well else 30, "%s: %s. %s", health.device, state, health.detail)
        self.health[health.device] = health
        if health.well and isinstance(health.detail, Message) and (match := self._match()):
            match.note(health.detail)

    # -- what lies wrong -----------------------------------------------------------------------------------------

    def forget_strays(self) -> None:
        """Forget what was announced as lying wrong: a new game announces again what is wrong in it."""
        self._watch = Watch()

    def watch(self, match: Match) -> None:
        """Announce once what lies wrong on the readers before the seats.

        Where the seats share a reader too, nothing is announced: nobody knows on which of them a card was laid.
        """
        own = [] if CENTRE in self.equipment.readers else [
            seat for seat, means in self.equipment.means(match.header.seats, self.health).items()
            if means.reader == "own" and seat not in self.equipment.typing and not self._own_message(f"reader {seat}")
        ]  # fmt: skip
        now = self._clock() if self._clock else 0
        for stray in self._watch.look(match.strays(own), now, SETTLED_MS if self._clock else 0):
            match.remark(stray.ruling)

    def _own_message(self, device: str) -> str:
        """Return the message of the device itself, "" without one."""
        return self.health[device].detail if device in self.health else ""
