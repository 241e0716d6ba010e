"""Players who read nothing but what is said to them and to everybody, and have one button each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from companion.ear import seats as hands
from companion.offers import table_menu as around
from companion.play.fists import COUNT_MS
from companion.play.table import LONG_MS, NO_MS
from companion.voice.spoken_language import Spoken

Press = Callable[[str, bool, int], Sequence[tuple[str, str, str | None]]]
"""A button goes down or up at a time in ms; what is said then: to whom, the words, the sound."""
SHORT, HELD, LONG = 90, NO_MS + 150, LONG_MS + 200


@dataclass
class Listener:
    """One player: what they heard last of their own lists, and whether they hold their fist."""

    seat: str
    last: str = ""
    fist: bool = False
    asked: bool = False


class Room:
    """Players who play at random, by ear alone, until nothing is said that asks for more."""

    def __init__(self, seats: Sequence[str], press: Press, rng: Random, lang: str = "en") -> None:
        self.players = {seat: Listener(seat) for seat in seats}
        self._press, self._rng, self._t = press, rng, 1_000
        tongue = Spoken(lang)
        self._fist = {tongue.tr(hands.FIST), tongue.tr(hands.FIST.full)}
        self._leave = {tongue.tr(around.GOING_ON), tongue.tr(hands.HISTORY), tongue.tr(around.TABLE)}
        self.said: list[tuple[str, str, str | None]] = []

    def step(self) -> None:
        """Let a random player press once, or hold a fist where the button is announced as one."""
        if all(player.fist for player in self.players.values()) or self._rng.random() < 0.005:
            self.let_go()
        asked = [player for player in self.players.values() if player.asked and not player.fist]
        player = self._rng.choice(
            (asked if self._rng.random() < 0.9 else [])
            or [player for player in self.players.values() if not player.fist]
        )
        seat = player.seat
        if player.last in self._fist:
            self._hold(player)
        elif player.last in self._leave or not player.last or self._rng.random() < 0.6:
            self._pressed(seat, SHORT)
        else:
            before = len(self.said)
            self._pressed(seat, HELD + self._rng.choice((0, 0, 700, 2_500)))
            said = self.said[before:]
            if any(to == "all" and sound != "refused" for to, _, sound in said):
                player.asked = (seat, "turn") in {(to, sound) for to, _, sound in said}

    def _hold(self, player: Listener) -> None:
        player.fist = True
        self._take_in(self._press(player.seat, True, self._clock(20)))

    def let_go(self) -> None:
        """Let go of fists that were held for nothing: another card was chosen meanwhile."""
        for player in self.players.values():
            if player.fist:
                player.fist, player.last = False, ""
                self._take_in(self._press(player.seat, False, self._clock(400)))

    def _open(self) -> None:
        """Let go of all fists in random order."""
        fists = [player for player in self.players.values() if player.fist]
        self._rng.shuffle(fists)
        self._clock(COUNT_MS)
        for player in fists:
            player.fist, player.last = False, ""
        for player in fists:
            self._take_in(self._press(player.seat, False, self._clock(30)))

    def _pressed(self, seat: str, ms: int) -> None:
        self._take_in(self._press(seat, True, self._clock(50)))
        self._take_in(self._press(seat, False, self._clock(ms + self._rng.randrange(40))))

    def _clock(self, ms: int) -> int:
        self._t += ms
        return self._t

    def _take_in(self, said: Sequence[tuple[str, str, str | None]]) -> None:
        opened = False
        for to, words, sound in said:
            self.said.append((to, words, sound))
            if to == "all":
                opened = opened or sound == "open"
            else:
                if sound != "turn":  # a call does not move the place in the list
                    self.players[to].last = words
                self.players[to].asked = self.players[to].asked or sound == "turn"
        if opened:
            self._open()
