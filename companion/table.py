"""The table: tags become cards, readers and buttons become seats, fists become one reveal.

Hardware speaks in Readings and Presses, with times in milliseconds on one clock that never goes back. The table
turns them into touches, asks the game what a touch means now, and hands the event to the session.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic_ns

from companion.cards import Card
from companion.receipt import Receipt
from companion.rules import N_, Event, Laid, Pressed, Refused, Reveal, Ruling, Seat, ruled
from companion.session import Session

CENTRE = "centre"
"""The name of the shared reader."""
POWER = "power"
"""The name of the button that switches the computer off; it is no seat's."""


def now() -> int:
    """Milliseconds on the clock every word of the hardware is stamped with; it never goes back."""
    return monotonic_ns() // 1_000_000


NO_MS = 600
"""A press held this long or longer says no (config.yaml: press.no_ms)."""
LONG_MS = 1800
"""One held this long or longer asks what is going on, where a seat has an ear (config.yaml: press.long_ms)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A tag came onto a reader or left it. `reader` is "centre" or a seat; `t` in ms."""

    reader: str
    tag: str
    present: bool
    t: int


@dataclass(frozen=True, slots=True)
class Press:
    """A seat's button went down or up, `t` in ms. `edge` is false for a level that was found: a closed fist, but
    not the beginning of a press; or an open one, but not the end of one."""

    seat: Seat
    down: bool
    t: int
    edge: bool = True


@dataclass(frozen=True, slots=True)
class Health:
    """How a device is doing, for the status line: `device` as config.yaml names it ("reader centre", "button red").

    A device that is not well says why and what to do in `detail`; it never stops the game (law 5).
    """

    device: str
    well: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on a reader, as everybody may know it: whose it is and which, None where that may not be known."""

    reader: str
    seat: Seat | None = None
    card: Card | None = None


class Table:
    """One session's table. `closed` are the fists that are held; `called` is true once all that matter were.

    With the hardware's `clock` (ms), an act made before a question arose does not answer it: a hub whose cable was out
    reports late. Nobody waits for the fists of those who are `absent`.
    """

    def __init__(self, session: Session, tags: Mapping[str, Card], reveal: str = "fists", no_ms: int = NO_MS,
                 clock: Callable[[], int] | None = None, *,
                 absent: Callable[[], Collection[Seat]] = frozenset) -> None:  # fmt: skip
        self.session = session
        self._absent = absent
        self._clock = clock
        self._phase: str = session.view()["phase"]
        self._phase_since = self._accepted_at = clock() if clock else 0
        self.no_ms = no_ms
        self.tags = {tag.upper(): card for tag, card in tags.items()}
        self.reveal = reveal
        self.closed: frozenset[Seat] = frozenset()
        self.called = False
        self._called_at = self._said_at = 0
        self._closed_at: dict[Seat, int] = {}
        self._opened: dict[Seat, int] = {}
        self._on: dict[tuple[str, str], Lying] = {}  # by reader and tag
        self._downs: dict[Seat, tuple[int, int]] = {}  # seat: (t, events accepted by then; -1: before the last)

    def feed(self, word: Reading | Press) -> Sequence[Receipt]:
        """Takes one word of the hardware; returns what came of it, [] if nothing did yet."""
        try:
            receipts = self._read(word) if isinstance(word, Reading) else self._press(word)
        except Refused as refusal:
            receipts = [Receipt.refusal(refusal.ruling)]
        if isinstance(word, Reading) and word.present:
            self._name(word, receipts)
        return receipts

    def touch(self, event: Event, by: str) -> Sequence[Receipt]:
        """An act by hand, finger or card: received, and what follows: the automatic reveal, or the call to open."""
        receipt = self._receive(event, by)
        if self.reveal == "auto" and receipt.ok and receipt.verb == "choose" and self.session.fists():
            return [receipt, self._receive(Reveal(), by)]
        return [receipt, *self._call()]

    def script(self, event: Event, by: str | None, at: str | None) -> Sequence[Receipt]:
        """An event as a script writes it: nothing is added to it but the call to open."""
        return [self._receive(event, by, at), *self._call()]

    def _receive(self, event: Event, by: str | None, at: str | None = None) -> Receipt:
        receipt = self.session.receive(event, by, at)
        if receipt.ok and self._clock:
            self._accepted_at = self._clock()
            if receipt.view["phase"] != self._phase:
                self._phase, self._phase_since = receipt.view["phase"], self._accepted_at
        return receipt

    def _call(self) -> Sequence[Receipt]:
        """Calls "open" once every fist that takes part is closed; forgets the call when the moment has gone."""
        fists = self.fists
        if not fists:
            self.called, self._opened = False, {}
        elif not self.called and self.reveal == "fists" and self._together(fists):
            self.called, self._called_at = True, self._last_closed(fists)
            self._said_at = self._clock() if self._clock else 0
            return [
                Receipt.note(
                    ruled("open", self.session.game.together, N_("All fists are closed: open!"), fists=list(fists))
                )
            ]
        return []

    @property
    def fists(self) -> Sequence[Seat]:
        """Those whose opening makes the reveal now: of everybody who is there."""
        fists = self.session.fists()
        gone = self._absent() if fists else ()
        return tuple(seat for seat in fists if seat not in gone)

    def _together(self, fists: Sequence[Seat]) -> bool:
        """Every fist is closed, or was when the last of them closed: two hubs may be heard one after the other."""
        last = self._last_closed(fists)
        return all(seat in self.closed or self._opened.get(seat, -1) >= last for seat in fists)

    def _last_closed(self, fists: Sequence[Seat]) -> int:
        return max(self._closed_at.get(seat, 0) for seat in fists)

    # -- what lies on the readers --------------------------------------------------------------------------------

    @property
    def lying(self) -> tuple[Lying, ...]:
        """The cards on the readers of this game, the one laid last at the end."""
        return tuple(self._on.values())

    def lie(self, reading: Reading) -> None:
        """Takes note of a card that has come or gone, whatever it means."""
        place = reading.reader, reading.tag.upper()
        self._on.pop(place, None)
        if reading.present and reading.reader in (CENTRE, *self.session.setup.seats):
            self._on[place] = Lying(reading.reader, self._owner(place[1]))

    def _owner(self, tag: str) -> Seat | None:
        """Backs are alike: only where a card belongs to the seat of its colour may that be known."""
        card = self.tags.get(tag)
        known = card and self.session.game.owned and card.colour in self.session.setup.seats
        return card.colour if card and known else None

    def _name(self, reading: Reading, receipts: Sequence[Receipt]) -> None:
        """Everybody may know the card once a ruling for everybody has named it."""
        place, card = (reading.reader, reading.tag.upper()), self.tags.get(reading.tag.upper())
        named = (value for receipt in receipts for ruling in receipt.public for value in ruling.facts.values())
        if place in self._on and any(value == card for value in named if isinstance(value, Card)):
            self._on[place] = replace(self._on[place], card=card)

    # -- cards ---------------------------------------------------------------------------------------------------

    def _read(self, reading: Reading) -> Sequence[Receipt]:
        self.lie(reading)
        if not reading.present:
            return []
        card = self.tags.get(reading.tag.upper())
        if card is None:
            raise Refused(_stranger(reading.tag))
        event = self.session.read(Laid(reading.reader, card))
        if event and reading.t < self._phase_since:
            raise Refused(_early(card.colour))
        return self.touch(event, "nfc") if event else []

    # -- buttons -------------------------------------------------------------------------------------------------

    @property
    def presses(self) -> Mapping[Seat, int]:
        """The buttons that are down and will mean something when they come up: for how many ms so far."""
        now, accepted = self._clock() if self._clock else 0, self.session.accepted
        return {seat: max(0, now - t) if now else 0 for seat, (t, since) in self._downs.items() if since == accepted}

    def _press(self, press: Press) -> Sequence[Receipt]:
        if press.down == (press.seat in self.closed):
            return []  # a level reported again
        if press.down:
            return self._close(press)
        return self._open(press)

    def _close(self, press: Press) -> Sequence[Receipt]:
        self.closed |= {press.seat}
        self._closed_at[press.seat] = press.t
        self._opened.pop(press.seat, None)
        if press.edge:
            self._downs[press.seat] = (press.t, self.session.accepted if press.t >= self._accepted_at else -1)
        return self._call()

    def _open(self, press: Press) -> Sequence[Receipt]:
        self.closed -= {press.seat}
        began = self._downs.pop(press.seat, None)
        fists = self.fists
        if fists:
            return self._open_fist(press, fists)
        if began is None or not press.edge or began[1] != self.session.accepted:
            return []  # the press began in another moment, or nobody knows when it ended
        event = self.session.read(Pressed(press.seat, press.t - began[0] >= self.no_ms))
        return self.touch(event, "button") if event else []

    def _open_fist(self, press: Press, fists: Sequence[Seat]) -> Sequence[Receipt]:
        if press.seat in fists and press.edge:  # nobody knows when a level began: it is not late
            self._opened[press.seat] = press.t
            self.called = self.called and press.t >= self._called_at  # else it was open before the last closed
        if not self.called or press.seat not in fists or not self.closed.isdisjoint(fists):
            return []
        opened = self._after_first({seat: self._opened[seat] for seat in fists if seat in self._opened})
        self.called, self._opened = False, {}
        return self.touch(Reveal(opened), "button")

    def _after_first(self, opened: Mapping[Seat, int]) -> Mapping[Seat, int] | None:
        """How long after the first each fist opened: of those that followed the call, if any did."""
        times = {seat: t for seat, t in opened.items() if t >= self._said_at} or opened
        return {seat: t - min(times.values()) for seat, t in times.items()} or None


def _early(seat: Seat) -> Ruling:
    text = N_("{seat:of} card came too early: lift it and lay it again.")
    return ruled("early", "T-2", text, seat=seat)


def _stranger(tag: str) -> Ruling:
    return ruled("unknown_tag", "T-2", N_("Tag {tag} is unknown: enrol it, or play the card on the screen."), tag=tag)
