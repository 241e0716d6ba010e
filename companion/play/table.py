"""The table: tags become cards, readers and buttons become seats, fists become one reveal.

Hardware speaks in Readings and Presses, with times in milliseconds on one clock that never goes back. The table
turns them into touches, asks the game what a touch means now, and hands the event to the session.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from companion.play.audio_seats import Ears
from companion.play.cards_on_readers import CardsOnReaders
from companion.play.fists import COUNT_MS, Fists
from companion.rules import N_, Event, Laid, Pressed, Refused, Reveal, Ruling, Seat, ruled
from companion.rules.cards import Card
from companion.rules.readings import BACK, Press, Reading
from companion.session import Session
from companion.session.receipt import Receipt

NO_MS = 600
"""A press held this long or longer says no (config.yaml: press.no_ms)."""
LONG_MS = 1_800
"""An ear's button held this long or longer asks what is going on (config.yaml: press.long_ms)."""


class Table:
    """One session's table.

    With the hardware's `clock` (ms), an act made before a question arose does not answer it: a hub whose cable was out
    reports late. The reveal does not wait for the fists of `absent` players.
    """

    def __init__(self, session: Session, tags: Mapping[str, Card], reveal: str = "fists", no_ms: int = NO_MS,
                 clock: Callable[[], int] | None = None, *,
                 absent: Callable[[], Collection[Seat]] = frozenset, ears: Ears | None = None) -> None:  # fmt: skip
        self.session = session
        self._ears = ears
        self._absent = absent
        self._clock = clock
        self._phase: str = session.view()["phase"]
        self._phase_since = self._accepted_at = clock() if clock else 0
        self.no_ms = no_ms
        self.tags = {tag.upper(): card for tag, card in tags.items()}
        self.lying = CardsOnReaders(session, self.tags)
        """The cards on the readers."""
        self.reveal = reveal
        self._fists = Fists(session.game.together, reveal == "fists", COUNT_MS if ears else 0, clock)
        self._downs: dict[Seat, tuple[int, int]] = {}  # seat: (t, events accepted by then; -1: before the last)
        self._counted: dict[Seat | None, Ruling] = {}  # the running number announced last
        self._ear_presses: dict[Seat, tuple[int, int]] = {}  # the same of those that have an ear
        self._seconds: dict[Seat, int] = {}  # since when their second buttons are down

    def feed(self, word: Reading | Press) -> Sequence[Receipt]:
        """Process one word of the hardware; return its receipts, [] while there are none."""
        try:
            receipts = self._handle_reading(word) if isinstance(word, Reading) else self._handle_press(word)
        except Refused as refusal:
            receipts = [Receipt.refusal(refusal.ruling)]
        if isinstance(word, Reading) and word.present:
            self.lying.name(word, [ruling for receipt in receipts for ruling in receipt.public])
        return receipts

    def touch(self, event: Event, by: str) -> Sequence[Receipt]:
        """Receive an act by hand, finger or card.

        Returns its receipt and what follows it: the automatic reveal, or the call to open.
        """
        receipt = self._receive(event, by)
        if self.reveal == "auto" and receipt.ok and receipt.verb == "choose" and self.session.fists():
            return [receipt, self._receive(Reveal(), by)]
        return [receipt, *self._announce_fists()]

    def script(self, event: Event, by: str | None, at: str | None) -> Sequence[Receipt]:
        """Receive an event as a script writes it: nothing is added to it but the call to open."""
        return [self._receive(event, by, at), *self._announce_fists()]

    def _receive(self, event: Event, by: str | None, at: str | None = None) -> Receipt:
        receipt = self.session.receive(event, by, at)
        if receipt.ok and self._clock:
            self._accepted_at = self._clock()
            if receipt.view["phase"] != self._phase:
                # the phase alone, not every act: others may lay cards at the same time
                self._phase, self._phase_since = receipt.view["phase"], self._accepted_at
        return receipt

    def _announce_fists(self) -> Sequence[Receipt]:
        """Return what the fists announce after an act or a press."""
        fists = self.awaited
        self._close_ears(fists)
        return self._fists.look(fists)

    def _close_ears(self, fists: Sequence[Seat]) -> None:
        """Close the fist of each ear whose button was held before fists were called for.

        An ear that stands at something else is left out.
        """
        for seat, (t, _) in self._ear_presses.items():
            if self._ears and seat not in self.closed and self._ears.rests(seat, fists):
                self._fists.close(seat, t)

    @property
    def closed(self) -> frozenset[Seat]:
        """Return the fists that are held."""
        return self._fists.closed

    def hold(self, seats: Collection[Seat]) -> None:
        """Set the fists that are held already as the game begins; nobody knows since when."""
        self._fists.closed = frozenset(seats)

    @property
    def called(self) -> bool:
        """Return whether every fist that matters was closed: they are to open, as soon as that has been counted."""
        return self._fists.called

    @property
    def counts(self) -> bool:
        """Return whether the count is running and the fists are to stay closed."""
        return self._fists.counts

    @property
    def awaited(self) -> Sequence[Seat]:
        """Return the seats whose opening fists make the reveal now, without absent players."""
        fists = self.session.fists()
        # asked only while fists are awaited: it goes through the log
        gone = self._absent() if fists else ()
        return tuple(seat for seat in fists if seat not in gone)

    # -- cards ---------------------------------------------------------------------------------------------------

    def _handle_reading(self, reading: Reading) -> Sequence[Receipt]:
        self.lying.note(reading)
        if not reading.present:
            return []
        card = self.tags.get(reading.tag.upper())
        if card is None:
            raise Refused(_unknown_tag(reading.tag))
        event = self.session.read(Laid(reading.reader, card))
        # a card laid before the question arose is no answer to it, however late its hub reports it
        if event and reading.t < self._phase_since:
            raise Refused(_too_early(card.colour))
        return self.touch(event, "nfc") if event else []

    # -- buttons -------------------------------------------------------------------------------------------------

    @property
    def presses(self) -> Mapping[Seat, int]:
        """Return the buttons that are down and will mean something when they come up, and for how many ms so far."""
        now, accepted = self._clock() if self._clock else 0, self.session.accepted
        return {seat: max(0, now - t) if now else 0 for seat, (t, since) in self._downs.items() if since == accepted}

    @property
    def listening(self) -> Mapping[Seat, int]:
        """Return the buttons of ears that are down and no fists, and since when (ms)."""
        return {seat: t for seat, (t, _) in self._ear_presses.items() if seat not in self.closed}

    def counting(self, t: int) -> Sequence[Receipt]:
        """Return what is announced at `t` by itself: the call to open, and numbers that run while a button is held."""
        said = [self._ears.counting(seat, t - since) for seat, since in self.listening.items()] if self._ears else []
        new = [ruling for ruling in said if ruling and ruling != self._counted.get(ruling.seat)]
        self._counted |= {ruling.seat: ruling for ruling in new}
        return [*self._fists.due(t), *(Receipt.note(ruling) for ruling in new)]

    def _handle_ear_button(self, ears: Ears, press: Press) -> Sequence[Receipt]:
        """Handle a button that does everything.

        It is a fist while fists are called for and its ear stands at nothing else.
        """
        seat, fists = press.seat, self.awaited
        if press.down:
            if press.edge:
                self._ear_presses[seat] = (press.t, self._acts_when_pressed(press))
            fist = ears.rests(seat, fists) or not press.edge
            return self._close_fist(press) if fist and seat not in self.closed else []
        began = self._ear_presses.pop(seat, None)
        receipts: Sequence[Receipt] = ()
        if seat in self.closed:
            self._downs.pop(seat, None)
            asked, receipts = self.called, self._open_fist(press, fists)
            if asked or began is None or press.t - began[0] >= self.no_ms:
                return receipts
        if began is None or not press.edge:
            return receipts
        came = ears.press(seat, began[0], press.t - began[0], fists, began[1] != self.session.accepted)
        notes = [Receipt.note(ruling) for ruling in came.heard]
        if came.event is None:
            return [*receipts, *notes]
        done = self.touch(came.event, "button")
        ears.took(done, seat)
        return [*receipts, *notes, *done]

    def _acts_when_pressed(self, press: Press) -> int:
        """Return how many acts were accepted when a press began; -1 for one before the last act."""
        return self.session.accepted if press.t >= self._accepted_at else -1

    def _handle_second_button(self, ears: Ears, press: Press) -> Sequence[Receipt]:
        """Handle an ear's second button, which is no fist and takes nothing."""
        seat = press.seat.removeprefix(BACK)
        if press.down:
            self._seconds[seat] = press.t
            return []
        began = self._seconds.pop(seat, None)
        if began is None or not press.edge:
            return []
        return [Receipt.note(ruling) for ruling in ears.back(seat, began, press.t - began)]

    def _handle_press(self, press: Press) -> Sequence[Receipt]:
        if self._ears and press.seat.startswith(BACK):
            return self._handle_second_button(self._ears, press)
        if self._ears and press.seat in self._ears.seats:
            if press.down == (press.seat in self.closed or press.seat in self._ear_presses):
                return []
            return self._handle_ear_button(self._ears, press)
        if press.down == (press.seat in self.closed):
            return []  # a level reported again
        if press.down:
            return self._close_fist(press)
        return self._open_button(press)

    def _close_fist(self, press: Press) -> Sequence[Receipt]:
        self._fists.close(press.seat, press.t)
        if press.edge:
            self._downs[press.seat] = (press.t, self._acts_when_pressed(press))
        return self._announce_fists()

    def _open_button(self, press: Press) -> Sequence[Receipt]:
        began = self._downs.pop(press.seat, None)
        fists = self.awaited
        came = self._open_fist(press, fists)
        if fists or began is None or not press.edge or began[1] != self.session.accepted:
            return came  # a fist; or the press began in another moment, or nobody knows when it ended
        event = self.session.read(Pressed(press.seat, press.t - began[0] >= self.no_ms))
        return self.touch(event, "button") if event else []

    def _open_fist(self, press: Press, fists: Sequence[Seat]) -> Sequence[Receipt]:
        came = self._fists.open(press, fists)
        if isinstance(came, Reveal):
            return [*self.touch(came, "button"), *self._fists.not_timed()]
        return [Receipt.note(came)] if came else []


def _too_early(seat: Seat) -> Ruling:
    text = N_("{seat:of} card came too early: lift it and lay it again.")
    return ruled("early", "T-2", text, seat=seat)


def _unknown_tag(tag: str) -> Ruling:
    return ruled("unknown_tag", "T-2", N_("Tag {tag} is unknown: enrol it, or play the card on the screen."), tag=tag)
