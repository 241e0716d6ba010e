"""Games by hand: cards, fists and buttons through hardware that is only emulated, the rest by finger."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from random import Random
from threading import Event
from time import monotonic
from typing import Any, Protocol

from companion import games
from companion.cli.simulate import play
from companion.play.devices import Word
from companion.play.evening import Evening
from companion.play.match import Match
from companion.record.transcript import Header, event_data, header_data, read_header
from companion.rules import Laid, Pressed, Reveal
from companion.rules.cards import DECK, PAWNS
from companion.rules.readings import CENTRE, Health, Press, Reading
from companion.session import Session
from drivers.virtual.hub.rig import HubRig
from drivers.worker import Put
from tests.support.playing import match_of
from tools.scenes.rehearsal import Memory

TAGS = {card: f"04{number:012X}" for number, card in enumerate(DECK, start=1)}
NO_MS = 60
"""A press this long says no: nobody waits for 600 ms in a test."""
NEVER = 1_000_000_000
"""A short press is short, however slow this machine is."""
PATIENCE = 600.0
"""Seconds to wait for what must happen before giving up."""


def script(game: str, seed: int, seats: int = 0, options: Mapping[str, Any] | None = None) -> tuple[Header, list[Any]]:
    """Return a table, and the events of a random legal game at it."""
    one = games.game(game)
    table = list(one.fixed or one.colours[: seats or one.seats[0]])
    header = read_header({"tabularium": 1, "game": game, "seats": table, "options": options or {}, "reveal": "fists"})
    return header, [receipt.event for _, receipt in play(header, Random(seed))]


def without_hardware(header: Header, events: list[Any]) -> Session:
    session = Session(header.game, header.setup)
    for event in events:
        assert session.receive(event).ok
    return session


class Hands(Protocol):
    """Hardware that hands can operate."""

    def hold(self, seat: str) -> None: ...
    def let_go(self, seat: str) -> None: ...
    def lay(self, reader: str, tag: str) -> None: ...
    def lift(self, reader: str, tag: str) -> None: ...
    def tags_on(self, reader: str) -> Iterable[str]: ...
    def close(self) -> None: ...


class PlayedTable:
    """An evening with hardware; with `centre`, all cards are laid on the reader in the middle.

    `meanwhile` is called again and again while something is awaited, and says for how long. `made` and `reported` are
    what hands did at each button and with each card, and what the hardware said of it.
    """

    def __init__(self, rig: Callable[[Put], Hands], fair_ms: int = 500, *, centre: bool = False) -> None:
        self._centre = centre
        self.evening = Evening(Memory(), {tag: DECK[card] for card, tag in TAGS.items()}, no_ms=NO_MS, fair_ms=fair_ms)
        self.meanwhile: Callable[[], float] = lambda: 0.05
        self.gaps: list[Health] = []
        """Reports of the hardware that something is missing."""
        self.runs = Event()
        """While it is not set the host stands still, at the next word it reads."""
        self.runs.set()
        self._news = SimpleQueue[None]()
        self.made: dict[str, list[Any]] = defaultdict(list)
        self.reported: dict[str, list[Any]] = defaultdict(list)
        self.hands = rig(self._hear)

    @property
    def match(self) -> Match:
        return match_of(self.evening)

    def close(self) -> None:
        self.runs.set()
        self.hands.close()

    def _hear(self, word: Word) -> None:
        self.runs.wait()
        match word:
            case Press(seat, down, _, edge):
                self.reported[seat].append((down, edge))
            case Reading(reader, tag, present):
                self.reported[f"{reader} {tag}"].append(present)
            case Health(_, True, detail) if detail:
                self.gaps.append(word)
        self.evening.devices.inbox.put(word)
        self._news.put(None)

    def until(self, done: Callable[[], object]) -> None:
        """Listen to the hardware until this is true. Raises AssertionError after `PATIENCE` seconds."""
        end = monotonic() + PATIENCE
        self.evening.drain()
        while not done():
            assert monotonic() < end, (self.made, self.reported, self.evening.devices.health)
            with suppress(Empty):
                self._news.get(timeout=self.meanwhile())
            self.evening.drain()

    # -- hands -------------------------------------------------------------------------------------------------------

    def hold(self, seat: str, down: bool = True) -> None:
        self.made[seat].append((down, True))
        (self.hands.hold if down else self.hands.let_go)(seat)

    def place(self, seat: str) -> str:
        """Return the reader that a seat's cards are laid on."""
        return CENTRE if self._centre else seat

    def lay(self, seat: str, tag: str) -> None:
        """Lay a card instead of what lies there.

        A card that was there shortly before is laid only once its leaving has been seen.
        """
        place = self.place(seat)
        self.clear(seat)
        self.until(lambda: self.heard(f"{place} {tag}"))
        self.made[f"{place} {tag}"].append(True)
        self.hands.lay(place, tag)

    def clear(self, seat: str) -> None:
        place = self.place(seat)
        for tag in self.hands.tags_on(place):
            self.made[f"{place} {tag}"].append(False)
            self.hands.lift(place, tag)

    def heard(self, *devices: str) -> bool:
        """Return whether all that was done at these devices, or at any, has been reported."""
        return all(len(self.reported[device]) >= len(self.made[device]) for device in devices or list(self.made))

    # -- acts --------------------------------------------------------------------------------------------------------

    def play(self, header: Header, events: Iterable[Any]) -> None:
        """Play a game, each event as it would be done at this table, and check the outcome."""
        self.evening.begin(header_data(header))
        done = []
        for event in events:
            self._do(event)
            done.append(event)
            self.until(lambda: self.match.session.accepted == len(done))
        self.until(self.heard)
        self._check(done)

    def _do(self, event: Any) -> None:
        session = self.match.session
        seat = getattr(event, "seat", "")
        if isinstance(event, Reveal) and session.fists():
            self.reveal(session.fists())
        elif hasattr(event, "card") and session.read(Laid(self.place(seat), event.card)) == event:
            self.lay(seat, TAGS[str(event.card)])
        elif presses := [long for long in (False, True) if seat and session.read(Pressed(seat, long)) == event]:
            self.press(seat, presses[0])
        else:
            assert all(receipt.ok for receipt in self.match.act(event_data(event)))

    def reveal(self, fists: Sequence[str]) -> None:
        self.until(lambda: self.heard(*fists))
        for seat in fists:
            self.hold(seat)
        self.until(lambda: self.match.called)
        for seat in fists:
            self.hold(seat, False)

    def press(self, seat: str, long: bool) -> None:
        self.until(lambda: self.heard(seat))
        self.match.table.no_ms = NO_MS if long else NEVER
        self.hold(seat)
        end = monotonic() + 2 * NO_MS / 1000
        self.until(lambda: not long or monotonic() > end)
        self.hold(seat, False)
        self.until(lambda: self.heard(seat))

    def _check(self, events: list[Any]) -> None:
        """Check that the session has received exactly these events, and that hands and hardware agree."""
        receipts = [receipt for receipt in self.match.log if receipt.number]
        assert [plain(receipt.event) for receipt in receipts] == [plain(event) for event in events]
        assert not [receipt for receipt in self.match.log if not receipt.ok]
        for device, made in self.made.items():
            assert self.reported[device] == made, device
        assert set(self.reported) <= set(self.made), "a ghost"
        assert not self.gaps


class HubTable(PlayedTable):
    """An evening at two hubs; their firmware runs under a real MicroPython, or here."""

    def __init__(self, micropython: bool, fair_ms: int = 500) -> None:
        super().__init__(lambda put: HubRig(PAWNS, put, micropython), fair_ms)

    @property
    def rig(self) -> HubRig:
        assert isinstance(self.hands, HubRig)
        return self.hands


def plain(event: Any) -> Any:
    """Return an event without the moments at which fists opened."""
    return Reveal() if isinstance(event, Reveal) else event
