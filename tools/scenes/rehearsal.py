"""An evening for pictures and tests: a store in memory, and a table without hardware."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from companion.ear import LISTENING
from companion.hardware.doctor import Finding, hour, wired
from companion.hardware.doctor.hour import STEPS, GainSweep, HourStep, Poll, ResetTest
from companion.play.equipment import Equipment
from companion.play.evening import Evening
from companion.play.hall_status import InterruptedGame, SeatedGame, State, Verdict
from companion.play.round_clock import RoundClock
from companion.record.store.history import Entry, GameRow, Player, Stored
from companion.record.transcript import event_data
from companion.rules.cards import DECK, PAWNS
from companion.rules.data import Data
from companion.rules.line import Line
from companion.rules.message import Message
from companion.rules.readings import Press, Reading
from companion.voice.choices import Available, Choices

if TYPE_CHECKING:
    from companion.rules import AnyGame, Seat
    from ui.page import App, Cable

TAGS = {f"04{number:012X}": card for number, card in enumerate(DECK)}
PLAYERS = {"red": "Anna", "blue": "Bert", "green": "Chiara", "yellow": "Dmitri", "purple": "Elisabeth"}
UNFINISHED = {"seats": ["red", "blue", "green"], "players": {"red": "Anna", "blue": "Bert"}}


class Memory:
    """A store that keeps the evening in memory."""

    safe = 0
    saved = True
    woken: Callable[[], object]

    def __init__(self) -> None:
        self.trouble: str | None = None
        self.note: str | None = None
        self.settings: dict[str, Any] = {}
        self.tags = {tag: (card, "virtual") for tag, card in TAGS.items()}
        self.played: list[tuple[int, str, str]] = []
        self.events: dict[int, list[Entry]] = {}
        self.results: dict[int, str | None] = {}
        self.pictured: list[GameRow] = []
        """Paused games of which only a line is there."""

    def begin(self, header: str, at: str, follows: int | None) -> int:  # noqa: ARG002 - all of it is in memory
        number = len(self.played) + 1
        self.played.append((number, at, header))
        self.events[number] = []
        return number

    def number(self, game: int) -> int:
        return game

    def append(self, game: int, number: int, event: str, by: str | None, at: str | None) -> int:  # noqa: ARG002
        self.events[game].append((event, by, at))
        return 0

    def finish(self, game: int, result: str | None) -> int:
        self.results[game] = result
        return 0

    def paused(self) -> list[GameRow]:
        begun = [row for row in self.games() if row.events or '"position"' in row.header]
        return [*(row for row in begun if not row.result), *self.pictured]

    def take_up(self, stored: Stored) -> int:
        return stored.number

    def earlier(self, game: int) -> list[GameRow]:
        if game not in self.events:
            raise OSError(f"game {game} is only a picture")
        return []

    def remember(self, players: Mapping[str, str]) -> None: ...

    def players(self) -> list[Player]:
        return [Player(name, seat, "") for seat, name in PLAYERS.items()]

    def games(self) -> list[GameRow]:
        return [GameRow(*game, len(self.events[game[0]]), self.results.get(game[0])) for game in reversed(self.played)]

    def load(self, game: int) -> Stored:
        number, at, header = self.played[game - 1]
        return Stored(number, at, header, tuple(self.events[game]), self.results.get(game))

    def keep(self, key: str, value: object) -> int:
        self.settings[key] = value
        return 0

    def kept(self, key: str) -> Any:  # Any: all that JSON can hold
        return self.settings.get(key)

    def enrolled(self) -> dict[str, tuple[str, str]]:
        return dict(self.tags)

    def enrol(self, tag: str, card: str, deck: str) -> int:
        self.tags[tag] = card, deck
        return 0

    def forget(self, tag: str) -> int:
        self.tags.pop(tag, None)
        return 0

    def move(self, path: Path) -> None:
        self.note = Message("The disk is full: make room for {file}, or save elsewhere.", file=path)
        self.woken()


@dataclass
class Hall:
    """A hall that says what it is asked to say (`HallStatus`); the table belongs to it after `evening.join`."""

    state: State = "kept"
    seated: SeatedGame | None = None
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    told: bool = True
    line: str = ""
    spare: InterruptedGame | None = None
    clock: RoundClock | None = None
    board: str = ""
    hall: str = "open-of-saturday"
    evening: str = "2026-11-21"
    mark: str | None = None
    table: str = "3"
    changed: bool = False

    def verdict(self, game: int) -> Verdict | None:
        return self.verdicts.get(game)

    def news(self, playing: bool) -> bool:  # noqa: ARG002 - it has little to say
        changed, self.changed = self.changed, False
        return changed


class Rehearsal:
    """A first hour in which nothing is measured: what would be found, in its longest words."""

    lang = "en"

    def __init__(self) -> None:
        self.steps = STEPS

    def measure(self, step: HourStep) -> Sequence[Finding]:
        part, polls = "reader centre", [Poll(1, at % 2, 30 * at) for at in range(100)]
        return {
            "chip": lambda: [*hour.chip(part, ResetTest(False, None, 512.0))],
            "one": lambda: [hour.one(part, polls)],
            "gain": lambda: [hour.gain(part, GainSweep({18: 0, 23: 4, 33: 20, 38: 31, 43: 33, 48: 40}, 40, 33))],
            "two": lambda: [hour.two(part, polls)],
            "lift": lambda: [hour.lift(part, [*polls, Poll(0, 0, 3000)], 3)],
            "hand": lambda: [hour.hand(part, polls)],
            "buttons": lambda: [wired.button(wired.Contact("red", 4, changes=((0, True), (40, False), (52, True))), 6)],
            "lamps": lambda: [wired.lamp(wired.Lamp("red", 18)), wired.lamp(wired.Lamp("purple", 22))],
        }[step.name]()

    def save(self) -> Path:
        return Path("/var/lib/tabularium/traces/first-hour-20261122-201500.txt")

    def close(self) -> None: ...


class Voice:
    """A voice that nobody hears: what it was asked to do is kept in `done`."""

    def __init__(self, choices: Choices, available: Available) -> None:
        self.choices, self.available = choices, available
        self.done: list[str] = []
        self.said: list[Line] = []

    def choose(self, choices: Choices) -> None:
        self.choices = choices

    def again(self, to: Seat | None = None) -> None:
        self.done.append(f"again {to or 'all'}")

    def hush(self) -> None:
        self.done.append("hush")

    def say(self, lines: Sequence[Line]) -> None:
        self.said.extend(lines)

    def test(self, to: Seat | None = None) -> None:
        self.done.append(f"test {to or 'all'}")


def voice(*ears: Seat) -> Voice:
    """Return a voice that speaks English and German, with these seats' ears."""
    return Voice(Choices("full", sounds=True), Available({"en": "espeak-ng", "de": "espeak-ng", "ja": ""}, ears))


class Counter:
    """A virtual table without chips or drivers: what is laid and held is heard at once."""

    cables: Mapping[str, Cable] = {}

    def __init__(self, evening: Evening, readers: tuple[str, ...] = ("centre",)) -> None:
        self.evening, self.readers, self.t = evening, readers, 0
        self.chance = Random(7)
        self.deck = {card: tag for tag, card in TAGS.items()}
        self.on: dict[str, set[str]] = {reader: set() for reader in readers}

    def lay(self, reader: str, tag: str) -> None:
        """Lay a card where one card has room: the card before it is taken off."""
        for lying in self.tags_on(reader) - {tag}:
            self.lift(reader, lying)
        self.on[reader].add(tag)
        self._tell(Reading(reader, tag, True, self._later(300)))

    def lift(self, reader: str, tag: str) -> None:
        self.on[reader].discard(tag)
        self._tell(Reading(reader, tag, False, self._later(300)))

    def tags_on(self, reader: str) -> frozenset[str]:
        return frozenset(self.on[reader])

    def hold(self, seat: str) -> None:
        self._tell(Press(seat, True, self._later(8)))

    def let_go(self, seat: str) -> None:
        self._tell(Press(seat, False, self._later(8)))

    def found_open(self, seat: str) -> None:
        self._tell(Press(seat, False, self._later(8), edge=False))

    def _later(self, ms: int) -> int:
        self.t += ms
        return self.t

    def _tell(self, word: Reading | Press) -> None:
        self.evening.devices.inbox.put(word)


def evening() -> Evening:
    """Return an evening on which the first of the games waits to be continued."""
    store = Memory()
    store.pictured = [pictured("mercator")]
    table = Evening(store, {tag: DECK[card] for tag, card in TAGS.items()}, listening=LISTENING)
    table.devices.equipment = Equipment(("centre",), PAWNS)
    return table


def pictured(game: str, day: int = 20) -> GameRow:
    """Return the line of a paused game that was begun on this day."""
    return GameRow(1000 + day, f"2026-11-{day}T20:15:00+01:00", json.dumps({"game": game, **UNFINISHED}), 41, None)


def to_the_end(evening: Evening, table: Data, seed: int = 3) -> None:
    """Play a game of this table to its end, as a robot."""
    match, robot = evening.begin(table), Random(seed)
    while moves := match.session.legal():
        match.act(event_data(robot.choice(moves).pick(robot.choice)))
    evening.drain()


ACTS = 30


def some_way_on(app: App, game: AnyGame, most: int) -> None:
    """Begin a table of the game with at most so many seats, and play some random acts."""
    seats = list(game.fixed or game.colours[: min(most, game.seats[-1])])
    players = {seat: PLAYERS.get(seat, seat) for seat in seats}
    app.evening.begin({"tabularium": 1, "game": game.name, "seats": seats, "players": players})
    rng = Random(3)
    for _ in range(ACTS):
        if moves := app.match.session.legal():
            app.act(event_data(rng.choice(moves).pick(rng.choice)))
            app.evening.drain()
