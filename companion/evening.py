"""An evening at one table: session, hardware queue and journal together, and what may be shown of them.

Everything here runs on the main thread, which never waits: words of the hardware come through one queue, writing
is done by the store's own thread, and what has been written is shown at the next `drain` (law 3). Both call `woken`,
so that whoever drains need not look again and again.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Protocol

from companion import games
from companion.boards import shipped
from companion.cards import Card
from companion.deck import Tags, deck, keep, known
from companion.look import Look, look
from companion.message import Message
from companion.mistakes import Mistakes
from companion.outline import Outline, outlines
from companion.rules import Game, Ruling, Seat
from companion.series import Played, Sitting, next_table
from companion.session import FAIR_MS, Receipt, Session
from companion.table import CENTRE, NO_MS, Health, Press, Reading, Table
from companion.transcript import Header, dump, dump_event, dump_header, parse, read_event, read_header

Word = Reading | Press | Health


class Inbox:
    """A queue into the main thread: what is put there, from any thread, wakes it."""

    def __init__(self, wake: Callable[[], object]) -> None:
        self._queue: SimpleQueue[Any] = SimpleQueue()
        self._wake = wake
        self.get_nowait, self.qsize = self._queue.get_nowait, self._queue.qsize

    def put(self, word: Any) -> None:
        self._queue.put(word)
        self._wake()


class Store(Protocol):
    """What an evening needs of the store. Writes return at once, with a ticket."""

    safe: int
    """The newest ticket that is on disk, with all before it."""
    trouble: str | None
    """Why nothing can be written at the moment, None while all is well."""
    note: str | None
    woken: Callable[[], object]
    """Called by the writer when any of these has changed."""

    def begin(self, header: str, at: str, follows: int | None) -> int: ...
    def append(self, game: int, number: int, event: str, by: str | None, at: str | None) -> int: ...
    def finish(self, game: int, result: str | None) -> int: ...
    def unfinished(self) -> Any: ...
    def take_up(self, game: int) -> Any: ...
    def earlier(self, game: int) -> Sequence[Any]: ...
    def remember(self, players: Mapping[str, str]) -> None: ...
    def players(self) -> Sequence[Any]: ...
    def games(self) -> Sequence[Any]: ...
    def load(self, game: int) -> Any: ...
    def keep(self, key: str, value: Any) -> int: ...
    def kept(self, key: str) -> Any: ...
    def move(self, path: Path) -> None: ...
    def enrolled(self) -> Mapping[str, tuple[str, str]]: ...
    def enrol(self, tag: str, card: str, deck: str) -> int: ...
    def forget(self, tag: str) -> int: ...


class Evening:
    """One game as it is played. `view`, `log`, `closed`, `called`, `health` and `trouble` are what may be shown."""

    def __init__(
        self,
        store: Store,
        tags: Mapping[str, Card] | None = None,
        *,
        lang: str = "en",
        reveal: str = "fists",
        fair_ms: int = FAIR_MS,
        no_ms: int = NO_MS,
        exports: Path = Path(),
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        clock: Callable[[], int] | None = None,
    ) -> None:
        """`clock` is what the hardware's words are stamped with, in ms."""
        self.store = store
        self.tags = dict(tags or {})
        self.woken: Callable[[], object] = lambda: None
        """Called by any thread when `drain` has something to do; the screen sets it to what ends its wait."""
        store.woken = self._wake
        self.words = Inbox(self._wake)
        """Drivers put their words here, from any thread."""
        self.listen: Callable[[Reading], object] | None = None
        """Takes Readings instead of the game, while a page wants them."""
        self.errors: Callable[[str, str], float | None] = lambda _reader, _tag: None
        """The share of polls in which a reader missed a tag, where it can tell."""
        self.health: dict[str, Health] = {}
        self.header: Header | None = None
        self.view: Mapping[str, Any] = {}
        self._shown: Any = None  # the state that `view` is the view of
        self.log: list[Receipt] = []
        """What has been shown, oldest first."""
        self.note: str | None = store.note
        """Something to be told once: a damaged file put aside at the start, where a transcript was saved."""
        self.unfinished = store.unfinished()
        self.exports = exports
        """Where transcripts are saved when somebody asks for one."""
        self.reveal = reveal
        """How face-down cards are opened where a new game does not say: fists or auto."""
        self.last_table: Mapping[str, Any] | None = store.kept("last_table")
        self._fair_ms, self._no_ms, self._now, self._clock = fair_ms, no_ms, now, clock
        self._lang = lang
        self._lines: list[str] = []  # the transcript so far
        self._told = Inbox(self._wake)  # what threads of ours have to say
        self._sitting = Sitting()
        self._known: dict[str, Seat] = {player.name: player.colour for player in store.players()}
        self._boards: dict[str, Any] = {}
        self._held: frozenset[Seat] = frozenset()  # fists are levels: one may be closed before a game begins
        self._game_number = 0
        self._waiting: deque[tuple[int, Receipt]] = deque()  # what waits for its ticket to be safe
        self._ticket = 0
        self._tagged: int | None = None  # the ticket of the tag enrolled last, until it is safe
        self._over = False

    def _wake(self) -> None:
        self.woken()

    @property
    def lang(self) -> str:
        """The language of the screen; a change is kept."""
        return self._lang

    @lang.setter
    def lang(self, lang: str) -> None:
        self._lang = lang
        self._ticket = self.store.keep("language", lang)

    # -- before the game -----------------------------------------------------------------------------------------

    @property
    def games(self) -> tuple[Game, ...]:
        return tuple(map(games.game, games.NAMES))

    def players(self) -> list[str]:
        """Everybody who has played here, the latest first."""
        return list(self._known)

    @property
    def colours(self) -> Mapping[str, Seat]:
        """The colour everybody who has played here played last, by name."""
        return self._known

    def history(self) -> Sequence[Any]:
        """A row for every game on disk, the newest first."""
        return self.store.games()

    def look(self, game: int) -> Look:
        """A stored game to be looked at; raises LookupError and Mistakes."""
        return look(self.store.load(game), self._fair_ms)

    def board(self, game: str) -> Mapping[str, Any]:
        """The board that new games are played on: the owner's, or the shipped one."""
        if game not in self._boards:
            self._boards[game] = self.store.kept(f"board {game}") or shipped(game)
        board: Mapping[str, Any] = self._boards[game]
        return board

    def save_board(self, game: str, board: Mapping[str, Any]) -> None:
        """Keeps the owner's board; raises Mistakes with all that is wrong with it."""
        read = games.game(game).board
        assert read
        read(board)
        self._boards[game] = board
        self._ticket = self.store.keep(f"board {game}", board)

    # -- the deck ------------------------------------------------------------------------------------------------

    @property
    def enrolled(self) -> Tags:
        """Every enrolled tag, with its card and deck."""
        return known(self.store.enrolled())

    def enrol(self, tags: Tags) -> None:
        """These tags and no others are enrolled from now on; a game that is being played knows them at once."""
        before = self.enrolled
        ticket = keep(self.store, before, tags)
        self._tagged = self._tagged if ticket is None else ticket
        for at in (self.tags, self.table.tags) if self.header else (self.tags,):
            for tag in before.keys() - tags.keys():
                at.pop(tag, None)
            at.update({tag: of.card for tag, of in tags.items()})

    @property
    def settled(self) -> bool:
        """Every tag is on disk as it was enrolled and may be shown so; or the disk is ill, which `trouble` tells."""
        return self._tagged is None or self._tagged <= self.store.safe or self.trouble is not None

    # -- the games of an evening ---------------------------------------------------------------------------------

    def begin(self, table: Mapping[str, Any]) -> None:
        """A new game, given as a transcript's header; raises Mistakes. The owner's board and tags are added."""
        at = self._now().isoformat(timespec="seconds")
        header = read_header(table)
        if header.game.board:
            table = {"board": self.board(header.game.name)} | {k: v for k, v in table.items() if v is not None}
        tags = {tag: str(card) for tag, card in self.tags.items()}
        header = read_header({"tags": tags, "at": at, "reveal": self.reveal, **table})
        self._open(header)
        self._lines = [dump_header(header)]
        self._game_number = self.store.begin(self._lines[0], at, self._sitting.last(header.game.name))
        self._sitting.begin(self._game_number, header)
        self.store.remember(header.players)
        self.last_table = {"game": table["game"], "seats": list(header.seats), "options": dict(header.options),
                           "players": dict(header.players), "reveal": header.reveal}  # fmt: skip
        self._known = {player: seat for seat, player in header.players.items()} | {
            player: seat for player, seat in self._known.items() if player not in header.players.values()
        }
        self._ticket = self.store.keep("last_table", self.last_table)

    def resume(self) -> None:
        """Continues the last unfinished game at exactly the point where its journal ends."""
        earlier = list(readable(self.store.earlier(self.unfinished.number)))
        stored = self.store.take_up(self.unfinished.number)
        header = read_header(parse(stored.header))
        self._open(header)
        self._game_number = stored.number
        self._sitting.take_up(earlier, stored.number, header)
        self._lines = [stored.header]
        for line, by, at in stored.events:
            event = read_event(header, parse(line)).event
            self.log.append(self.session.receive(event, by, at))
            self._lines.append(dump_event(event, by, at))
        self.view, self._shown = self.session.view(), self.session.state
        self._over = bool(self.view["over"])

    def _open(self, header: Header) -> None:
        self.header = header
        self.session = Session(header.game, header.setup, self._fair_ms)
        self.table = Table(self.session, {**header.tags, **self.tags}, header.reveal, self._no_ms, self._clock)
        self.table.closed = frozenset(seat for seat in self._held if seat in header.seats)
        self.view, self._shown = self.session.view(), self.session.state
        self.log = []
        self.unfinished = None
        self._waiting.clear()
        self._over = False

    @property
    def series(self) -> Mapping[str, Any]:
        """The standings of this sitting's games of one kind, as a transcript's series line."""
        assert self.header
        return self._sitting.line(self.header.game.name)

    @property
    def number(self) -> int:
        """The game's number in the store."""
        return self._game_number

    @property
    def span(self) -> tuple[str | None, datetime]:
        """When the game was begun, and now."""
        return self.header.at if self.header else None, self._now()

    @property
    def series_over(self) -> bool:
        """Somebody has won twice running, where that ends the series."""
        assert self.header
        return self._sitting.over(self.header.game.name)

    @property
    def next_table(self) -> Mapping[str, Any]:
        """The next game of the series, ready to begin."""
        assert self.header
        return next_table(self.header)

    def save_elsewhere(self, path: Path) -> None:
        """Goes on writing in another place, with all of this evening."""
        self.store.move(path)

    def export(self, beside: Mapping[str, Callable[[], bytes]] | None = None) -> None:
        """Saves the game's transcript among the exports, and `beside` it whatever else is made, by its suffix.

        A thread makes and writes the files, and `note` says where they are.
        """
        assert self.header
        stem = f"{self.header.game.name}-{self._game_number}"
        text = "".join(f"{line}\n" for line in self._lines).encode()
        self._export(stem, {".jsonl": lambda: text, **(beside or {})})

    def export_deck(self, name: str) -> None:
        """Saves a deck's file among the exports, in the same way."""
        from companion.deck_file import dump

        stem = re.sub(r"[^\w-]+", "-", f"deck-{name}")
        self._export(stem, {".yaml": lambda: dump(deck(self.enrolled, name)).encode()})

    def _export(self, stem: str, files: Mapping[str, Callable[[], bytes]]) -> None:
        def write() -> None:
            try:
                self.exports.mkdir(parents=True, exist_ok=True)
                for suffix, made in files.items():
                    (self.exports / f"{stem}{suffix}").write_bytes(made())
            except OSError as error:
                self._told.put(Message("That did not work: {error}", error=f"{self.exports / stem}: {error.strerror}"))
            else:
                self._told.put(Message("Saved as {file}", file=f"{self.exports / stem} ({', '.join(files)})"))

        Thread(target=write, name="export").start()

    # -- in ------------------------------------------------------------------------------------------------------

    def act(self, event: Mapping[str, Any]) -> Sequence[Receipt]:
        """An act by finger, as a transcript writes it: {"event": "answer", "seat": "red", "accept": true}."""
        assert self.header
        receipts = self.table.touch(read_event(self.header, event).event, "touch")
        self._take(receipts)
        return receipts

    def drain(self) -> bool:
        """Takes the words that have come and shows what has become safe; true if there is something new to paint."""
        fresh = self._hear()
        if self._told.qsize():
            self.note, fresh = self._told.get_nowait(), True
        if self._tagged is not None and self.settled:
            self._tagged, fresh = None, True
        while self._waiting and (self._waiting[0][0] <= self.store.safe or self.store.trouble):
            receipt = self._waiting.popleft()[1]
            self.log.append(receipt)
            if receipt.number:
                self.view, self._shown = receipt.view, receipt.state
            fresh = True
        return fresh

    def _hear(self) -> bool:
        fresh = False
        while True:
            try:
                word = self.words.get_nowait()
            except Empty:
                return fresh
            fresh = True
            if isinstance(word, Health):
                self.health[word.device] = word
                if word.well and isinstance(word.detail, Message) and self.header:  # it works, but look at the table
                    self._take([Receipt.note(Ruling("notice", "", word.detail.template, word.detail.facts))])
                continue
            if isinstance(word, Reading) and self.listen:
                self.listen(word)
                continue
            if isinstance(word, Press):
                self._held = self._held | {word.seat} if word.down else self._held - {word.seat}
            place = word.reader if isinstance(word, Reading) else word.seat
            if self.header and place in (CENTRE, *self.header.seats):
                self._take(self.table.feed(word))

    def _take(self, receipts: Sequence[Receipt]) -> None:
        for receipt in receipts:
            if receipt.number:
                at = self._now().isoformat(timespec="milliseconds")
                line = dump_event(receipt.event)
                self._ticket = self.store.append(self._game_number, receipt.number, line, receipt.by, at)
                self._lines.append(dump_event(receipt.event, receipt.by, at))
                self._note_result(receipt.view)
            self._waiting.append((self._ticket, receipt))

    def _note_result(self, view: Mapping[str, Any]) -> None:
        if view["over"] != self._over:
            self._over = bool(view["over"])
            assert self.header
            self._sitting.end(self.header.game.name, view["result"] if self._over else None)
            self._ticket = self.store.finish(self._game_number, dump(view["result"]) if self._over else None)

    # -- out -----------------------------------------------------------------------------------------------------

    @property
    def closed(self) -> frozenset[Seat]:
        """The fists that are held."""
        return self.table.closed if self.header else frozenset()

    @property
    def called(self) -> bool:
        """Every fist that takes part was closed: they may open."""
        return self.header is not None and self.table.called

    @property
    def fists(self) -> Sequence[Seat]:
        """The seats whose opening fists make the reveal now."""
        return self.header.game.fists(self._shown) if self.header else ()

    @property
    def outlines(self) -> Sequence[Outline]:
        """What can be done by finger now."""
        return outlines(self.header.game, self._shown) if self.header else ()

    @property
    def waiting(self) -> bool:
        """Something that has happened is not yet on disk, and so not yet to be seen."""
        return bool(self._waiting)

    @property
    def trouble(self) -> str | None:
        return self.store.trouble

    @property
    def undoable(self) -> Receipt | None:
        """The act that an undo would take back."""
        return self.session.undoable if self.header else None

    def private(self, seat: Seat) -> Mapping[str, Any]:
        """What this seat alone may see: for its own pad, behind the cover."""
        assert self.header
        private: Mapping[str, Any] = self.header.game.view(self._shown, seat)["private"]
        return private


def readable(rows: Sequence[Any]) -> Iterator[Played]:
    """Stored games for the series, but for those that the disk has spoilt: the game at hand goes on without them."""
    for row in rows:
        with suppress(Mistakes):
            yield Played(row.number, read_header(parse(row.header)), parse(row.result) if row.result else None)
