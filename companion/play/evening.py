"""An evening at one table: store, deck, boards, players and series, and the current game, if there is one.

Everything here runs on the main thread, which never waits: words of the hardware come through one queue, writing is
done by the store's own thread, and what has been written is shown at the next `drain` (law 3). Both call `woken`, so
the caller of `drain` need not poll.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from companion import games
from companion.play._approving import Approving
from companion.play._journal import Journal
from companion.play._lessons import Lessons, Told, kept
from companion.play._play_time import PlayTime
from companion.play._takeover import read_takeover
from companion.play.audio_seats import WELCOME, AudioSeatProvider, Earphones, Ears, Mute, NoAudio, Open, Sound, Waiting
from companion.play.deleted_games import DeletedGames
from companion.play.devices import Devices
from companion.play.enrolled_tags import EnrolledTags, EnrolledTagStore
from companion.play.exports import Exports, Made
from companion.play.hall_status import ROUNDS, HallStatus, InterruptedGame, SeatedGame, rounds
from companion.play.match import Match, Times
from companion.play.port import Port
from companion.play.regulars import PlayerStore, Regulars
from companion.play.round_clock import TimeCall
from companion.play.series import Played, Sitting
from companion.play.table import LONG_MS, NO_MS
from companion.record.look import Look, as_far, look
from companion.record.owned_boards import Boards
from companion.record.preferences import is_told, remembered
from companion.record.store.history import GameRow, Stored
from companion.record.transcript import Header, dump_header, header_data, parse, play_id, read_header
from companion.rules import N_, AnyGame, Reveal, Ruling, Said, Seat
from companion.rules.cards import Card
from companion.rules.data import Data
from companion.rules.guide import AnyKnown, Known, Lesson
from companion.rules.menu import Entry
from companion.rules.message import Message
from companion.rules.mistakes import Mistake, Mistakes
from companion.rules.readings import BACK, Press
from companion.rules.views import Result
from companion.rules.words import Tongue
from companion.session import FAIR_MS
from companion.system.logs import writing

if TYPE_CHECKING:  # loaded with the first position that is set up
    from companion.answers.editing import Draft

log = writing("evening")


class EveningStore(Journal, PlayerStore, EnrolledTagStore, Protocol):
    """The part of the store that an evening uses. Writes return at once, with a ticket."""

    note: str | None
    """A message to show once: a damaged file put aside, the outcome of a move."""
    woken: Callable[[], object]
    """Called by the writer when any of these has changed."""

    @property
    def saved(self) -> bool:
        """Return whether all that was put is on disk."""

    def begin(self, header: str, at: str, follows: int | None) -> int: ...
    def paused(self) -> Sequence[GameRow]: ...
    def take_up(self, stored: Stored) -> int: ...
    def earlier(self, game: int) -> Sequence[GameRow]: ...
    def games(self) -> Sequence[GameRow]: ...
    def load(self, game: int) -> Stored: ...
    def move(self, path: Path) -> None: ...


class Evening:
    """The state that stays while games come and go; `match` is the current game, the last one, or None."""

    hall: HallStatus | None = None
    """The table's hall."""
    approving: Approving | None = None
    """The approval of results, where there is a hall to receive it."""

    playing: Callable[[bool], object] = staticmethod(lambda _: None)
    """Called with whether a game is on."""
    drained: Callable[[], object] = staticmethod(lambda: None)
    """Called at the end of each `drain`: phones look whether there is another game, or none."""
    after_frame: Callable[[Callable[[], object]], object] = staticmethod(lambda job: job())
    """Runs a job once the screen has painted what is shown now; at once where there is no screen."""
    earphones: Earphones | None = None
    """The sound cards, where an ear can be found among them."""

    _waiting: Waiting | None = None  # the ears while no game is played, once one of them is pressed
    _open_room: Open | None = None  # the buttons of a table without ears

    def __init__(
        self,
        store: EveningStore,
        tags: Mapping[str, Card] | None = None,
        *,
        lang: str = "en",
        reveal: str = "fists",
        fair_ms: int = FAIR_MS,
        no_ms: int = NO_MS,
        long_ms: int = LONG_MS,
        exports: Path = Path(),
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        clock: Callable[[], int] | None = None,
        listening: AudioSeatProvider | None = None,
        steady: Callable[[], float] = monotonic,
    ) -> None:
        """Open an evening on a store.

        `clock` stamps the hardware's words, in ms; `steady` times games, in seconds; `listening` makes ears.
        """
        self.store = store
        self.match: Match | None = None
        self.lessons: Lessons | None = None
        """The explanations of a first game."""
        self.port = Port()
        """The output port of every game of the evening."""
        self.boards = Boards(store)
        self.exports = Exports(exports, self._wake)
        """The export of transcripts and decks."""
        self.sitting = Sitting()
        self.woken: Callable[[], object] = lambda: None
        """Called by any thread when `drain` has something to do; the screen sets it to what ends its wait."""
        store.woken = self._wake
        self.devices = Devices(
            self._wake, lambda: self.match, self._approve_by_button, self._handle_press_without_game, clock
        )
        """The readers and buttons."""
        self.deck = EnrolledTags(store, tags or {}, lambda: self.match.table.tags if self.match else None)
        """The tags of this table's cards."""
        self.regulars = Regulars(store, reveal)
        """The players known here, with their table."""
        self.note: str | None = store.note
        """A message to show once: a damaged file put aside, where a transcript was saved."""
        self.deleted = DeletedGames(store, self._reason_to_stay)
        """The hidden games."""
        self.unfinished = next(iter(self.paused()), None)
        self._times = Times(fair_ms, no_ms, long_ms, now, clock, steady)
        self.ears: Collection[Seat] = ()
        """The seats with an earphone of their own: their one button does everything."""
        self.sound: Sound = Mute()
        self.called: Message | None = None
        """The latest call of the round's clock, until somebody has read it."""
        self._calls = TimeCall()
        self._listening = listening or NoAudio()
        self._lang = lang
        self._chosen = False  # whether the language has been chosen since the last `drain`, perhaps by ear
        self._troubled: str | None = None  # the trouble logged last
        self._noted = store.note  # the store's note passed on last

    def _wake(self) -> None:
        self.woken()

    def be_heard(self, sound: Sound) -> None:
        """Connect the output that makes the table heard."""
        self.sound = sound
        self.devices.overheard, sound.lesson = sound.overhear, lambda: self.lesson
        self.port.subscribe(sound.hear)

    def greet(self) -> None:
        """Tell each ear that the table listens: before a game, a player who cannot see hears nothing else."""
        if not self.match:
            self.sound.aside([Ruling("", "", WELCOME, {}, seat) for seat in self.ears])

    @property
    def lang(self) -> str:
        """Return the language of the screen; a change is kept."""
        return self._lang

    @lang.setter
    def lang(self, lang: str) -> None:
        self._lang, self._chosen = lang, True
        self.store.keep("language", lang)

    @property
    def spoken(self) -> bool:
        """Return whether somebody has chosen the language here."""
        return self.store.kept("language") is not None

    @property
    def is_new(self) -> bool:
        """Return whether no game has ever been begun here."""
        return not (self.match or self.unfinished or self.regulars.last_table)

    @property
    def trouble(self) -> str | None:
        """Return what is wrong with the disk and what to do, None while all is well."""
        return self.store.trouble

    @property
    def is_playing(self) -> bool:
        """Return whether a game is on."""
        return self.match is not None and not self.match.view["over"]

    @property
    def saved(self) -> bool:
        """Return whether everything is on disk."""
        return self.store.saved and self.trouble is None

    @property
    def games(self) -> tuple[AnyGame, ...]:
        return tuple(map(games.game, games.NAMES))

    def join(self, hall: HallStatus) -> None:
        """Make the table part of a hall from now on."""
        self.hall = hall
        self.approving = Approving(self.store, hall, self._times.no_ms, self._times.now)

    @property
    def seated(self) -> SeatedGame | None:
        """Return the game that the hall has seated here, and whether it has been begun; None without one."""
        of = self.hall.seated if self.hall else None
        return replace(of, begun=of.round in self._rounds_begun_here.values(), lang=self.lang) if of else None

    @property
    def _rounds_begun_here(self) -> Mapping[int, int]:
        """Return the rounds of this evening in the hall that were begun here, by game."""
        return rounds(self.store.kept(ROUNDS), self.hall.evening) if self.hall else {}

    @property
    def approvals(self) -> Mapping[Seat, bool | None]:
        """Return what every seat says of the result, True for right, None for nothing; {} where nobody is asked."""
        return self.approving.said(self.match) if self.approving and self.match else {}

    def history(self) -> Sequence[GameRow]:
        """Return a row for every game on disk, the newest first."""
        return self.store.games()

    def paused(self) -> Sequence[GameRow]:
        """Return every game on disk that can be continued, the newest first, without the one on the table."""
        played = self.match.number if self.match else None
        return [row for row in self.deleted.without(self.store.paused()) if row.number != played]

    def look(self, game: int) -> Look:
        """Return a stored game for viewing. Raises LookupError and Mistakes."""
        return look(self.store.load(game), self._times.fair_ms)

    def delete(self, number: int) -> None:
        """Hide this game and remove it from its series; if it lies on the table, put it away.

        Raises LookupError with the reason where it has to stay.
        """
        self.deleted.delete(number)
        self.sitting.forget(number)
        if not self.match or self.match.number == number:
            self.put_away()

    def put_away(self) -> None:
        """Pause the game on the table, if there is one, for another evening: nothing of it is lost."""
        self.match = self.lessons = None
        self.unfinished = next(iter(self.paused()), None)
        self.playing(False)

    def bring_back(self, number: int) -> None:
        """Show a deleted game again."""
        self.deleted.bring_back(number)
        if not self.match:
            self.unfinished = next(iter(self.paused()), None)

    def _reason_to_stay(self, number: int) -> str:
        """Return why a game has to stay, "" where it need not."""
        return Message("The hall counts game {game}.", game=number) if number in self._rounds_begun_here else ""

    def save_elsewhere(self, path: Path) -> None:
        """Move the store to another place, with all of this evening."""
        self.store.move(path)

    # -- games ---------------------------------------------------------------------------------------------------

    def begin(self, table: Data, teach: bool = False, told: Collection[str] = ()) -> Match:
        """Begin a new game, given as a transcript's header, with the owner's board and tags. Raises Mistakes.

        With `teach` it is explained while it is played, but for the lessons `told` in another game.
        """
        at = self._times.now().isoformat(timespec="microseconds")  # the play's id is made of it
        header, seated = self._with_hall_mark(self._header(table, at)), self.seated
        numbered = {seat for seat, name in seated.players.items() if not name} if seated else set()
        game = header.game.name
        number = self.store.begin(dump_header(header), at, self.sitting.last(game))
        self.sitting.begin(number, header)
        if self.hall and self.hall.seated and self.hall.seated.fits(header):
            begun = {**self._rounds_begun_here, number: self.hall.seated.round}
            self.store.keep(ROUNDS, {"evening": self.hall.evening, "games": list(begun.items())})
        self.lessons = Lessons(number, self._keep_lessons, told) if teach else None
        return self._open(header, number, self.regulars.remember(header, numbered))

    def teach(self, on: bool) -> None:
        """Start or stop telling newcomers to the game on the table what they need."""
        if not self.lessons and self.match and on:
            self.lessons = Lessons(self.match.number, self._keep_lessons)
        elif self.lessons:
            (self.lessons.go_on if on else self.lessons.end)()

    @property
    def lesson(self) -> tuple[Lesson[Any, Any], AnyKnown] | None:
        """Return the current lesson for newcomers, to be spoken, and the facts it is told from; None without one.

        It is typed Any because each game has its own views.
        """
        if not self.match or not self.lessons:
            return None
        match, of = self.match, self.match.header
        known = Known(of.seats, of.options, match.view, match.derived, tuple(match.outlines), of.reveal)
        lesson = self.lessons.look(match.game, known)
        self.lessons.seen()
        return (lesson, known) if lesson else None

    def opening(self, table: Data) -> Draft:
        """Return the position with which such a game would begin, as a draft to change. Raises Mistakes."""
        from companion.answers.editing import draft

        header = self._header(table, self._times.now().isoformat(timespec="seconds"))
        return draft(header.game, header.setup, header.game.setup(header.setup))

    def _keep_lessons(self, told: Told | None) -> None:
        self.store.keep("lessons", told)

    def _header(self, table: Data, at: str) -> Header:
        game = read_header(table).game
        if game.board:
            table = {"board": self.boards.of(game.name)} | {k: v for k, v in table.items() if v is not None}
        tags = {tag: str(card) for tag, card in self.deck.cards.items()}
        ears = [seat for seat in table.get("seats") or () if seat in self.ears]
        reveal = self.fitting_reveal(table.get("seats") or ())
        return read_header({"tags": tags, "at": at, "reveal": reveal, "ears": ears, **table})

    def fitting_reveal(self, seats: Collection[Seat]) -> str:
        """Return how cards are revealed where nobody has chosen: by fists if each of these seats has a button now.

        A phone is one, and may come and go.
        """
        means = self.devices.equipment.means(seats, self.devices.health)
        if means and not self.regulars.is_set and all(of.button for of in means.values()):
            return "fists"
        return self.regulars.reveal

    def _with_hall_mark(self, header: Header) -> Header:
        """Return the header with the hall's mark of the evening and its players' numbers, of this evening alone."""
        seated = self.seated
        ids = seated.numbers(header) if seated and seated.fits(header) else {}
        return replace(header, evening=self.hall.mark if self.hall else None, ids=ids)

    def what_if(self, look: Look, move: int) -> Match:
        """Begin a game where a stored one stood after so many acts; it starts a new series.

        Raises Mistakes where such a position cannot be written, or is impossible.
        """
        h = look.header
        table = {"tabularium": 1, "game": h.game.name, "seats": list(h.seats), "options": dict(h.options),
                 "players": dict(h.players), "board": h.board, "reveal": h.reveal,
                 "position": look.position(move)}  # fmt: skip
        self.sitting.part(h.game.name)
        return self.begin(table)

    @property
    def spare(self) -> InterruptedGame | None:
        """Return the game of another table that is to be continued here, until somebody has begun it."""
        spare, seated = (self.hall.spare, self.seated) if self.hall else (None, None)
        return spare if spare and seated and seated.round == spare.round and not seated.begun else None

    def go_on(self) -> Match:
        """Continue the game of a table whose machine has died, as far as everybody knows it.

        Cards that lay face down are chosen anew. Raises LookupError where there is no such game, and Mistakes where it
        cannot be followed.
        """
        spare, seated = self.spare, self.seated
        if not spare or not seated:
            raise LookupError(Message(N_("There is no game to continue.")))
        taken = read_takeover(spare.lines, spare.view)
        match = self.begin({**seated.table, **taken.header})
        match.untimed()
        revealed = False
        for act in taken.acts:
            if revealed and act["event"] == "reveal":  # the table has made it by itself
                revealed = False
                continue
            revealed = any(isinstance(of.event, Reveal) for of in match.act(act)[1:])
        text = N_("Table {table} continues on this device. Cards that lay face down are taken up, and chosen anew.")
        self._announce(Message(text, table=Said(spare.table)))
        return match

    def resume(self, number: int | None = None) -> Match:
        """Continue the last unfinished game, or this one, at exactly the point where its journal ends.

        Where the journal is damaged, or today's rules do not allow all of it, the game continues from there under a new
        number, and a note says so. A game that is played meanwhile is paused: all of it is in the journal. Raises
        LookupError and Mistakes.
        """
        if self.match and self.match.number == number:
            return self.match
        if number is None:
            assert self.unfinished
            number = self.unfinished.number
        earlier = list(readable(self.deleted.without(self.store.earlier(number))))
        stored = self.store.load(number)
        header = read_header(parse(stored.header))
        match = self._open(header, number)
        sound = as_far(stored, match.take_up(stored.events))
        match.written.go_on_as(self.store.take_up(sound))
        self.sitting.take_up(earlier, match.number, header)
        if sound.note:
            self._announce(Message(
                "{told} The game continues from there as game {number}; the old one is kept.",
                told=sound.note,
                number=match.number,
            ))  # fmt: skip
        told = kept(remembered(self.store, "lessons", is_told), number)
        self.lessons = None if told is None else Lessons(match.number, self._keep_lessons, told)
        return match

    def _open(self, header: Header, number: int, ticket: int = 0) -> Match:
        def ended(result: Result | None) -> None:
            self.sitting.end(header.game.name, result)
            self.playing(result is None)
            self.unfinished = next(iter(self.paused()), None) if result else None

        self.unfinished = None
        if self._waiting:
            self._waiting.end()
        self.devices.forget_strays()
        play_time = PlayTime(self.store, play_id(header_data(header)), self._times.steady)
        self.match = Match(header, number, self.store, self.port, self._times, tags=self.deck.cards,
                           closed=self.devices.held, lying=self.devices.lying, ended=ended, ticket=ticket,
                           ears=self._make_ears, play_time=play_time)  # fmt: skip
        self.playing(True)
        return self.match

    def _make_ears(self, match: Match) -> Ears | None:
        if not match.header.ears:
            return None
        return self._listening.hands(
            match.session, match.header, no_ms=self._times.no_ms, long_ms=self._times.long_ms, absent=match.gone,
            tongue=lambda: Tongue(self.lang, match.header.players), more=self._offer_next_games,
            sound=lambda seat: self._listening.spoken_to(self, seat), log=lambda: match.log,
        )  # fmt: skip

    def _offer_next_games(self, seat: Seat) -> Sequence[Entry]:
        """Return what an ear may do once a game is over: say whether the result is right, begin the next one."""
        match = self.match
        if not match or not match.view["over"]:
            return ()
        said = self.approving.entries(match, seat) if self.approving else ()
        return [*said, *self._listening.next_games(self, match.header)]

    def export(self, beside: Made | None = None, folder: Path | None = None) -> None:
        """Save the game's transcript among the exports or in another folder, with the files of `beside`."""
        assert self.match
        text = self.match.written.transcript.encode()
        stem = f"{self.match.game.name}-{self.match.number}"
        self.exports.save(stem, {".jsonl": lambda: text, **(beside or {})}, folder)

    # -- in and out ----------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> bool:
        """Return whether something has happened that is not yet on disk, and so not yet shown."""
        return bool(self.match and self.match.waiting)

    def drain(self) -> bool:
        """Process the words that have come and show what has become safe.

        Returns whether there is news besides what the port reports of the game: of a device, a tag, the disk, an export
        or the hall.
        """
        fresh = self.devices.hear() or self._chosen
        self._chosen = False
        if news := self.exports.news():
            self.note, fresh = news, True
        fresh = self.deck.news() or fresh
        fresh = self._disk_has_changed() or fresh
        if self.store.note is not self._noted and self.store.note:
            self._noted, fresh = self.store.note, True
            self._announce(self._noted)
        if self.match:
            self.devices.watch(self.match)
            self.match.show()
            if self.approving:
                self.approving.ask(self.match)
        self.drained()
        if not self.hall:
            return fresh
        if called := self._calls.look(self.hall.clock, monotonic()):
            self.called, fresh = called, True
            self.sound.call(called)
        return self.hall.news(self.is_playing) or fresh

    def _announce(self, note: str) -> None:
        """Show a note once on a page, and announce it at the table where a game is there."""
        self.note = note
        if self.match and isinstance(note, Message):
            self.match.note(note)

    def _approve_by_button(self, match: Match, press: Press) -> None:
        """Record a press as approval of the result, except on an ear's button, which can say more than that."""
        if self.approving and press.seat not in match.header.ears:
            self.approving.press(match, press)

    def _handle_press_without_game(self, press: Press) -> None:
        """Handle a button while no game is played: offer what can be begun to an ear, or aloud where nobody has one."""
        if not self.ears and not self.match:
            times = self._times
            self._open_room = self._open_room or self._listening.open(
                self, times.no_ms, times.long_ms, self.sound.loud, self.earphones
            )
            self._open_room.press(press)
        elif press.seat.removeprefix(BACK) in self.ears and not self.match:
            self._waiting = self._waiting or self._listening.waiting(self, self._times.no_ms, self._times.long_ms)
            self.sound.aside(self._waiting.press(press))

    def _disk_has_changed(self) -> bool:
        """Return whether the disk has failed or recovered since the last call."""
        changed = self.trouble != self._troubled
        if changed:
            self._troubled = self.trouble
            log.warning("disk: %s", self.trouble or "well again")
        return changed


def readable(rows: Sequence[GameRow]) -> Iterator[Played]:
    """Yield stored games for the series, without those that the disk has damaged."""
    for row in rows:
        with suppress(Mistakes):
            yield Played(row.number, read_header(parse(row.header)), read_result(row.result))


def read_result(line: str | None) -> Result | None:
    """Return a result as the store has it, None for none. Raises Mistakes."""
    if line is None:
        return None
    result: Result = parse(line)  # type: ignore[assignment] # as our own journal has it
    if not result.keys() >= Result.__annotations__.keys():
        raise Mistakes([Mistake((), "the disk has spoilt this result")])
    return result
