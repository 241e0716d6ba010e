"""One game as it is played and shown: session, table and journal, and what may be seen of them.

Accepted acts go to the journal at once. They are shown as soon as they are safe on disk (law 3); the port reports it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from companion.answers.probing import ProbeCounter
from companion.answers.snapshot import Past
from companion.games import position_of
from companion.play._journal import Journal, MatchJournal
from companion.play._play_time import PlayTime
from companion.play._strays import Stray, strays
from companion.play._table_moves import TableMoves
from companion.play.audio_seats import Ears
from companion.play.cards_on_readers import LyingCard
from companion.play.port import Port, Shown
from companion.play.table import LONG_MS, NO_MS, Table
from companion.record.look import replayed
from companion.record.store.history import Entry
from companion.record.transcript import Header, began, header_data, play_id, read_event
from companion.rules import N_, AnyGame, Decide, Ruling, Seat, ruled
from companion.rules.cards import Card
from companion.rules.data import Data
from companion.rules.layout import Layout, Lies
from companion.rules.message import Message
from companion.rules.outline import Outline, outlines
from companion.rules.readings import Press, Reading
from companion.rules.views import Derived, Result, View
from companion.session import FAIR_MS, Session
from companion.session.absent_players import absent_seats
from companion.session.receipt import Receipt, find
from companion.system.logs import trace, writing

if TYPE_CHECKING:  # loaded when somebody edits or looks for an explanation
    from companion.answers.editing import Draft
    from companion.answers.explaining import Search

log = writing("match")

FAULT = N_("The program hit an error: nothing has changed. Undo or carry on; tabularium.log has the details.")


@dataclass(frozen=True, slots=True)
class Times:
    """The table's limits for late fists and long presses, and its clocks."""

    fair_ms: int = FAIR_MS
    no_ms: int = NO_MS
    long_ms: int = LONG_MS
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    clock: Callable[[], int] | None = None
    """The clock for the hardware's time stamps, in ms."""
    steady: Callable[[], float] = monotonic
    """The monotonic clock for the length of games, in seconds."""


DeviceState = tuple[frozenset[Seat], bool, tuple[LyingCard, ...], frozenset[Seat]]
"""Closed fists and whether they are to open, cards on readers, and pressed buttons of ears."""


class Match:
    """A game at the table, number `number` of the store. `act` and `feed` are the way in, the port is the way out.

    `view`, `derived`, `log` and the properties say what may be shown now. `closed` are the fists held and `lying` the
    cards on readers when it begins, `ended` hears the result, and None when an undo takes the end back; `ticket` is
    that of its first line; `ears` makes the ears of this match, where its header names some.
    """

    def __init__(
        self,
        header: Header,
        number: int,
        journal: Journal,
        port: Port,
        times: Times,
        *,
        tags: Mapping[str, Card] | None = None,
        closed: Iterable[Seat] = (),
        lying: Iterable[Reading] = (),
        ended: Callable[[Result | None], None] = lambda _: None,
        ticket: int = 0,
        ears: Callable[[Match], Ears | None] = lambda _: None,
        play_time: PlayTime | None = None,
    ) -> None:
        self.header = header
        self._play_time = play_time
        self.written = MatchJournal(journal, number, header, ticket, times.now)
        """The journal's part in it, and its transcript."""
        self.session = Session(header.game, header.setup, times.fair_ms, header.position)
        self.log: list[Receipt] = []
        """The receipts shown so far, oldest first."""
        self.turned = TableMoves(header, self.log)
        """The moves of pieces still to be made on the real table."""
        tags = {**header.tags, **(tags or {})}
        self.table = Table(self.session, tags, header.reveal, times.no_ms, times.clock, absent=self.gone,
                           ears=ears(self))  # fmt: skip
        self.table.hold([seat for seat in closed if seat in header.seats])
        for reading in lying:
            self.table.lying.note(reading)
        self.lying = self.table.lying.cards
        """The cards on the readers, as everybody may know them."""
        self.absent: frozenset[Seat] = frozenset()
        """Seats of absent players: the others play on for them."""
        self._port, self._times, self._ended = port, times, ended
        self._waiting: deque[tuple[int, Receipt]] = deque()  # receipts that wait for their ticket to be safe
        self._probes = ProbeCounter()
        self._published: DeviceState | None = None  # the fists, cards and buttons that the port reported last
        self._resumed = False
        self._result: Result | None = None  # as the series and the store have it
        self.opening = self.session.view(), self.session.derived()
        """The public view before the first act."""
        self._set_snapshot(*self.opening, self.session.state)
        log.info("game %d: %s, %d seats, %s", self.number, self.game.name, len(header.seats), dict(header.options))

    @property
    def game(self) -> AnyGame:
        return self.header.game

    @property
    def number(self) -> int:
        """Return the game's number in the store."""
        return self.written.number

    def take_up(self, events: Iterable[Entry]) -> int:
        """Replay these events of the journal, up to the first act that today's rules refuse.

        Returns how many acts were accepted.
        """
        self.log += replayed(self.session, self.header, events)
        self.written.take_up(self.log)
        if self._play_time:
            self._play_time.take_up(self.session.accepted)
        self._resumed = True
        self.turned.take_up(self.opening[0])
        self.absent = self.gone()
        self._set_snapshot(self.session.view(), self.session.derived(), self.session.state)
        self._result = self.view["result"]
        log.info("game %d: resumed after act %d", self.number, self.session.accepted)
        return self.session.accepted

    # -- in ------------------------------------------------------------------------------------------------------

    def act(self, event: Data, by: str = "touch") -> Sequence[Receipt]:
        """Play an act by finger or phone, as transcripts write it: {"event": "answer", "seat": "red", "accept": true}.

        Raises Mistakes for data that is no event of this game.
        """
        read = read_event(self.header, event).event
        return self._run_act(partial(self.table.touch, read, by))

    def preview(self, event: Data) -> Receipt:
        """Return the receipt that an act by finger would get, without playing it. Raises Mistakes."""
        read = read_event(self.header, event).event
        # counted first: a rule that fails must not hide that somebody tried an amount
        self._queue(self._probes.look(read, self.session.last))
        try:
            return self.session.preview(read)
        except Exception as error:  # a mistake in the rules costs this look, not the evening
            log.error("game %d: a rule failed at what was only looked at\n%s", self.number, trace(error))
            return Receipt.refusal(ruled("fault", "", FAULT))

    def draft(self) -> Draft:
        """Return the shown position as a draft to change. Raises Mistakes for a game without a notation."""
        from companion.answers.editing import draft

        return draft(self.game, self.header.setup, self._state)

    def decided(self, number: int) -> Draft:
        """Return the draft of the decision with that number, which stands, to correct it.

        Raises LookupError, and Mistakes for a game without a notation.
        """
        from companion.answers.editing import draft

        act = find(self.session.last, number)
        if act is None or not isinstance(act.event, Decide):
            raise LookupError(number)
        before = act.before.state if act.before else self.session.opening
        return draft(self.game, self.header.setup, before, act.event.change)

    def explaining(self, want: Lies, well: Lies) -> tuple[Search, Iterator[None]]:
        """Return a search for what explains that `want` lies on the table and `well` lies right, and its steps.

        Only while nothing waits to be shown: the search knows every act.
        """
        from companion.answers.explaining import Search

        search = Search(self.session, want, well)
        return search, self._guarded(search.steps())

    def _guarded(self, steps: Iterator[None]) -> Iterator[None]:
        """Yield the steps of a search; a rule that raises ends the search and nothing else."""
        try:
            yield from steps
        except Exception as error:  # a mistake in the rules costs this search, not the evening
            log.error("game %d: a rule failed while an explanation was looked for\n%s", self.number, trace(error))

    def feed(self, word: Reading | Press) -> Sequence[Receipt]:
        """Process one word of the hardware."""
        return self._run_act(partial(self.table.feed, word))

    def count(self, t: int) -> None:
        """Announce what is due at `t`: "open", and the numbers that run by ear while a button is held."""
        self._queue(self.table.counting(t))

    def note(self, message: Message) -> None:
        """Announce something to look at on the table, in its turn."""
        self.remark(Ruling("notice", "", message.template, message.facts))

    def remark(self, ruling: Ruling, ticket: int = 0) -> None:
        """Announce a ruling once, in its turn and not before `ticket` is safe; it changes nothing."""
        # the queue is in order: what follows waits for this ticket too
        self.written.after(ticket)
        self._queue([Receipt.note(ruling)])

    def strays(self, own: Collection[Seat]) -> Sequence[Stray]:
        """Return what lies wrong on the readers before these seats, as far as everybody may know it."""
        # while something is not shown yet, its cards would be reported as lying wrong
        if self._waiting or not own:
            return ()
        return list(strays(self.header.seats, self.view, self.session.last, self.lying, own))

    def _run_act(self, act: Callable[[], Sequence[Receipt]]) -> Sequence[Receipt]:
        """Run an act, queue its receipts and return them.

        A rule that raises costs this act only: the session is rolled back and nothing is journaled.
        """
        # before the act: a rule may raise after it has changed the line
        mark = self.session.mark()
        try:
            before, receipts = self.session.last, act()
            if any(receipt.number for receipt in receipts):
                look_at_all(self.session)
            tries = [said for came in receipts for said in self._probes.of(came, before, self.session.last)]
        except Exception as error:  # a mistake in the rules costs this act, not the evening
            self.session.back_to(mark)
            log.error("game %d: a rule failed, and nothing was changed\n%s", self.number, trace(error))
            receipts, tries = [Receipt.refusal(ruled("fault", "", FAULT))], []
        self._queue([*receipts, *tries])
        return receipts

    def _queue(self, receipts: Sequence[Receipt]) -> None:
        for receipt in receipts:
            # what is meant for one seat stays out of the log (law 2)
            if not receipt.whispered:
                log.info("game %d: %s", self.number, entry(receipt))
            if receipt.number and receipt.event:
                if self._play_time:
                    self._play_time.note(receipt.number)
                self.written.append(receipt)
                self._note_result(receipt.view)
            # shown only when this ticket is safe: a power cut must not take back what players have seen (law 3)
            self._waiting.append((self.written.ticket, receipt))

    def _note_result(self, view: View) -> None:
        if view["result"] != self._result:
            self._result = result = view["result"]
            # on acceptance and not when shown: the series and the store follow the journal
            self._ended(result)
            self.written.finish(result)
            log.info("game %d: %s", self.number, "over" if result else "goes on")

    @property
    def asks(self) -> bool:
        """Return whether to ask if everything still lies in place: the game was away, and no other notice is shown."""
        noted = bool(self.log) and self.log[-1].ok and not self.log[-1].number
        return self.turned.unsure and not noted

    # -- out -----------------------------------------------------------------------------------------------------

    def show(self) -> bool:
        """Show what has become safe and report it at the port; return whether that includes an act or a ruling."""
        # the header is not on disk yet: after a power cut nobody would know of this game
        if not self.written.begun:
            return False
        if self._published is None:
            self._publish(())
        fresh: list[Receipt] = []
        while self._waiting and self.written.safe(self._waiting[0][0]):
            receipt = self._waiting.popleft()[1]
            if not receipt.whispered:
                self.log.append(receipt)
            if receipt.number:
                # before the snapshot is set: it compares with the view that has been shown so far
                if self.turned.note(self.view, receipt):
                    self.absent = absent_seats(receipt.last, self.header.seats, self.header.players)
                self._set_snapshot(receipt.view, receipt.derived, receipt.state)
                _ = receipt.open  # looked at now, so that going back a whole evening is as quick as one act
            fresh.append(receipt)
        if not self._waiting:
            self.lying = self.table.lying.cards  # what is known of a card may follow from an act
        if fresh or self._published != self._device_state:
            self._publish(fresh)
        return bool(fresh)

    def gone(self) -> frozenset[Seat]:
        """Return the seats whose players have left as of the last act, shown or not."""
        return absent_seats(self.session.last, self.header.seats, self.header.players)

    @property
    def lies(self) -> Layout:
        """Return what should lie where on the real table, as people see it."""
        return position_of(self.game.name).lies(self.view, self.header.options)

    def past(self, number: int) -> Past:
        """Return how the game stood before the act with that number, which stands. Raises LookupError."""
        act = find(self.session.last, number)
        if act is None:
            raise LookupError(number)
        return Past(self.game, act.before.state if act.before else self.session.opening)

    def _set_snapshot(self, view: View, derived: Derived, state: object) -> None:  # a state is known to its game alone
        self.view, self.derived, self._state = view, derived, state

    def _publish(self, receipts: Sequence[Receipt]) -> None:
        resumed = self._resumed and self._published is None
        self._published = self._device_state
        fists = self.closed, self.called, self.fists
        pressed = frozenset(self.table.listening)
        self._port.say(Shown(self.header, tuple(receipts), self.view, self.derived, *fists, resumed, pressed))

    @property
    def _device_state(self) -> DeviceState:
        return self.closed, self.called, self.lying, frozenset(self.table.listening)

    @property
    def closed(self) -> frozenset[Seat]:
        """Return the fists that are held."""
        return self.table.closed

    @property
    def presses(self) -> Mapping[Seat, int]:
        """Return the presses in progress while no fists are asked for, and for how many ms so far."""
        return {} if self.fists or self._waiting else self.table.presses

    @property
    def no_ms(self) -> int:
        """Return the length of the shortest press that says no, in ms."""
        return self.table.no_ms

    @property
    def called(self) -> bool:
        """Return whether the fists may open: each that takes part was closed, and all that led to it is on disk."""
        return self.table.called and not self._waiting and not self.table.counts

    @property
    def counts(self) -> bool:
        """Return whether every fist that takes part is closed and "open" is still being counted."""
        return self.table.counts

    @property
    def fists(self) -> Sequence[Seat]:
        """Return the seats whose opening fists make the reveal now, without absent players."""
        return tuple(seat for seat in self.game.fists(self._state) if seat not in self.absent)

    @property
    def outlines(self) -> Sequence[Outline]:
        """Return what can be done by finger now."""
        return outlines(self.game, self._state)

    @property
    def redoable(self) -> bool:
        """Return whether a redo would bring anything back."""
        return self.session.redoable

    @property
    def waiting(self) -> int:
        """Return how many receipts are not yet on disk, and so not yet shown."""
        return len(self._waiting)

    @property
    def play(self) -> str:
        """Return the id of the play, the same on every machine."""
        return play_id(header_data(self.header))

    @property
    def began(self) -> datetime:
        """Return when the game was begun; now, where its header does not say."""
        return began(self.header.at) or self._times.now()

    def untimed(self) -> None:
        """Note that part of the game was played elsewhere, for an unknown time."""
        if self._play_time:
            self._play_time.unknown()

    @property
    def seconds(self) -> float | None:
        """Return how long the game has been played, in seconds; None where part of it was not measured."""
        return self._play_time.seconds if self._play_time else None

    @property
    def state(self) -> object:  # its game alone knows what it is
        """Return the shown state, hidden things too: for what one seat may see and do, never for the screen."""
        return self._state

    def private(self, seat: Seat) -> Data:
        """Return what this seat alone may see: for its own pad, behind the cover."""
        view: View = self.game.view(self._state, seat)
        return view["private"]


def look_at_all(session: Session) -> None:
    """Compute everything that is going to be shown; where a rule fails at it, the act can still be taken back."""
    session.view(), session.derived(), session.fists(), outlines(session.game, session.state)
    for seat in session.setup.seats:
        session.view(seat)


def entry(receipt: Receipt) -> str:
    """Return an act as the log may have it: verb, seat, number and the codes of what everybody hears (law 2)."""
    what = f"{receipt.verb or 'no act'} {getattr(receipt.event, 'seat', None) or ''}".rstrip()
    codes = ", ".join(ruling.code for ruling in receipt.public)
    came = f"act {receipt.number} by {receipt.by}" if receipt.number else "said" if receipt.ok else "refused"
    return f"{came}: {what} ({codes})"
