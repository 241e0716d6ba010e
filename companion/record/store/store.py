"""The table's memory: games, events, players, tags and settings, in SQLite, written by one thread.

The main thread only puts work on a list and gets its ticket, the work's place in that list. The writer does what is new
in one transaction and then moves `safe` on. All work of a run stays in the list, and all of it may be done again
without harm; so after any fault, or at another place, the writer opens the file anew and writes it all.

Reading is done by the main thread, from what is on disk: `games`, `load`, `take_up` and `unfinished` at the start and
on the history screen, never during a game. Players, tags and settings are read once and kept in memory.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any

from companion.record.store import mark
from companion.record.store.database import (
    ABANDONED,
    EVENT,
    GAME,
    NEWEST,
    NO_TAG,
    PLAYER,
    RESULT,
    SETTING,
    TAG,
    Database,
    StoreInUse,
    StoreTooNew,
    Work,
    moved,
    not_copied,
    why,
)
from companion.record.store.history import (
    EARLIER,
    GAMES,
    IS_HEADER,
    IS_PLAYER,
    IS_SETTING,
    IS_TAG,
    GameRow,
    Player,
    Stored,
    checksum,
    entries,
    readable,
    rows,
    texts,
)
from companion.record.store.history import RESULT as STORED_RESULT
from companion.rules.message import Message, system_error
from companion.rules.mistakes import Mistake, Mistakes
from companion.system import limits
from companion.system.logs import trace, writing
from companion.system.pause import Pause

log = writing("store")

CLOSE_S = 10.0
LONGEST = 120
"""The most characters shown of a damaged line."""

UNSOUND = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT_UNIQUE,
           sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID}  # fmt: skip
"""Errors that these statements never get from a sound file."""


class Store:
    """The store at `path`, with its writer's thread.

    `trouble` reports a disk that cannot be written; the store tries again and again, and meanwhile keeps everything in
    memory. `woken()` is called by the writer's thread when `safe`, `trouble`, `note` or `path` has changed;
    `patience(news, seconds)` waits before a new try, or until `news` is set. Raises StoreInUse and StoreTooNew.
    """

    def __init__(
        self,
        path: Path,
        woken: Callable[[], object] = lambda: None,
        patience: Callable[[Event, float], object] = Event.wait,
    ) -> None:
        self._home = path
        self.path, gone = mark.follow(path)
        self.safe = 0
        """The newest ticket on disk; all earlier ones are there too."""
        self.trouble: str | None = None
        """The disk's fault and its remedy; None while all is well."""
        self.note: str | None = None
        """A message to show once: a damaged file put aside, the outcome of a move."""
        self.woken = woken
        self._pause = Pause()
        self._patience = patience
        self._run: list[Work] = []
        self._done = 0  # how much of the run is in the file that is open
        self._goal: Path | None = None
        self._move_failed: str | None = None  # why the last move failed
        self._base: int | None = None  # how many entries there were before this run
        self._suspected: Exception | None = None  # why a file that looked sound cannot be one
        self._number_shift: int | None = (
            None  # the number before those of games that were begun while nothing could be read
        )
        self._news = Event()
        self._closing = False
        self._db = self._open_at_start()
        self._read_settings_and_players()
        if self._db:
            self._done = self.safe = len(self._run)  # it has just been read from there
            self._set_note(gone, self._db.note, self._missing_entries(self._db), self.note)
        else:
            self._set_note(gone, self.note)
        if self.path != self._home:
            with suppress(OSError):
                mark.said(self._home)
        self._writer = Thread(target=self._write_until_closed, name="store", daemon=True)
        self._news.set()
        self._writer.start()

    def _open_at_start(self) -> Database | None:
        try:
            return Database(self.path)
        except (StoreInUse, StoreTooNew):
            raise
        except Exception as error:  # any fault of the disk is reported; the evening begins all the same
            self.trouble = why(error, self.path)
            return None

    def _read_settings_and_players(self) -> None:
        self._players: dict[str, Player] = {}
        self._tags: dict[str, tuple[str, str]] = {}
        self._settings: dict[str, Any] = {}
        last = self._rows(NEWEST)
        self._numbers = count(last[0][0] + 1) if last else count(-1, -1)
        order = "ORDER BY seen DESC, rowid DESC"
        latest = f"players WHERE rowid IN (SELECT rowid FROM players {order} LIMIT {limits.ITEMS}) {order}"
        queries: Sequence[tuple[str, Callable[..., object]]] = (
            (f"{IS_PLAYER}, {texts('name', 'colour', 'seen')} FROM {latest}", self._recall_player),
            (f"{IS_TAG}, {texts('tag', 'card', 'deck')} FROM tags ORDER BY rowid DESC", self.enrol),
            (f"{IS_SETTING}, {texts('key', 'value')} FROM settings ORDER BY rowid DESC", self._recall_setting),
        )
        found = []
        for query, take in queries:
            newest = self._rows(f"SELECT {query} LIMIT {limits.KEYS + 1}")
            if len(newest) > limits.KEYS:
                self._set_note(
                    Message(
                        "{file} holds more cards or settings than a table can have: the oldest are left out.",
                        file=self.path,
                    )
                )
            found += [(take, row) for row in reversed(newest[: limits.KEYS])]
        for take, (whole, *row) in found:
            if whole:
                take(*row)
        spoilt = sum(not whole for _, (whole, *_) in found)
        if spoilt:
            self._set_note(
                Message(
                    "Players, cards or settings in {file} are damaged, and are left out ({count}).",
                    file=self.path,
                    count=spoilt,
                )
            )

    def _recall_player(self, name: str, colour: str, seen: str) -> None:
        self._remember_player(Player(name, colour, seen))

    def _recall_setting(self, key: str, value: str) -> None:
        with suppress(ValueError, RecursionError):
            self.keep(key, json.loads(value))

    @property
    def saved(self) -> bool:
        """Return whether all that was put is on disk, and no move is pending."""
        return self.safe >= len(self._run) and self._goal is None

    # -- games -----------------------------------------------------------------------------------------------------

    def begin(self, header: str, at: str, follows: int | None = None) -> int:
        """Begin a game's journal and return the game's number.

        `header` is its transcript line, `follows` the game before it in its series. The number is negative where the
        store could not be read at the start; `number` maps it to the final one as soon as there is one.
        """
        game = next(self._numbers)
        self._queue(GAME, game, header, at, follows)
        return game

    def number(self, game: int) -> int:
        """Return the number under which the game is on disk.

        A game that was begun while nothing could be read keeps its negative number until it is written.
        """
        return game if game >= 0 or self._number_shift is None else self._number_shift - game

    def append(self, game: int, number: int, event: str, by: str | None, at: str | None) -> int:
        """Append event `number`, counted from 1, to the journal; return its ticket."""
        event = _storable(event)
        return self._queue(EVENT, game, number, event, by, at, checksum(number, event))

    def finish(self, game: int, result: str | None) -> int:
        """Note the result, None when an undo has reopened the game; return its ticket."""
        return self._queue(RESULT, result, game)

    def abandon(self, game: int) -> int:
        """Stop offering the game as unfinished, and keep its journal; return the ticket."""
        return self._queue(ABANDONED, True, game)

    def games(self) -> list[GameRow]:
        """Return a row for every game on disk, newest first."""
        return [GameRow(*row) for row in self._rows(f"{GAMES} ORDER BY number DESC")]

    def paused(self) -> list[GameRow]:
        """Return every game on disk with something in it, neither finished nor abandoned, newest first."""
        begun = """(events > 0 OR header LIKE '%"position"%')"""
        still_open = f"({STORED_RESULT}) IS NULL AND NOT abandoned AND {begun}"
        return [GameRow(*row) for row in self._rows(f"{GAMES} WHERE {still_open} ORDER BY number DESC")]

    def earlier(self, game: int) -> list[GameRow]:
        """Return the games before this one in its series, oldest first."""
        return [GameRow(*row) for row in self._rows(EARLIER, self.number(game))]

    def load(self, game: int) -> Stored:
        """Return a game up to its end or its first damaged event, with what is still to be written.

        Raises LookupError, and Mistakes where its first line is damaged.
        """
        fresh = self._run[self.safe :]  # before the disk is read: nothing falls between the two
        game = self.number(game)
        query = f"SELECT {texts('at', 'header')}, {STORED_RESULT}, {IS_HEADER} FROM games WHERE number = ?"
        begun = [
            (at, header, None, True) for _, (of, header, at, _) in _of_kind(fresh, GAME) if self.number(of) == game
        ]
        rows = self._rows(query, game) or begun
        if not rows:
            raise LookupError(f"{self.path} has no game {game}.")
        at, header, result, whole = rows[0]
        if not whole and readable(header):
            line = header[:LONGEST]
            wrong = Message("The first line of game {game} is damaged: {line}", game=game, line=line)
            raise Mistakes([Mistake((), wrong)])
        events, note = entries(self.path, game)
        if note is None or begun:
            events += tuple(
                (event, by, at) for _, (of, number, event, by, at, _) in _of_kind(fresh, EVENT)
                if self.number(of) == game and number > len(events)
            )  # fmt: skip
        return Stored(game, at, header, events, result, None if begun else note)

    def take_up(self, stored: Stored) -> int:
        """Take up a stored game to be played on; return its number.

        A damaged journal stays as it is, and what `stored` has of it continues under a new number.
        """
        game, follows = stored.number, max((row.number for row in self.earlier(stored.number)), default=None)
        if stored.note:
            self.abandon(game)
            game = self.begin(stored.header, stored.at, follows)
        else:  # in the run too, so that it moves with the store
            self._queue(GAME, game, stored.header, stored.at, follows)
            self._queue(ABANDONED, False, game)
        for number, (event, by, at) in enumerate(stored.events, 1):
            self.append(game, number, event, by, at)
        return game

    # -- players, tags, settings -----------------------------------------------------------------------------------

    def remember(self, players: Mapping[str, str]) -> None:
        """Record who plays which colour today: colour to name."""
        for colour, name in players.items():
            self._remember_player(Player(name, colour, datetime.now(UTC).isoformat(timespec="seconds")))

    def _remember_player(self, player: Player) -> None:
        self._players.pop(player.name, None)
        self._players[player.name] = player
        self._queue(PLAYER, player.name, player.colour, player.seen)

    def players(self) -> list[Player]:
        """Return everybody who has played here, the last one first."""
        return list(reversed(self._players.values()))

    def enrol(self, tag: str, card: str, deck: str = "") -> int:
        """Assign the tag to this card from now on; return the ticket."""
        self._tags[tag.upper()] = card, deck
        return self._queue(TAG, tag.upper(), card, deck)

    def forget(self, tag: str) -> int:
        """Remove the tag's card; return the ticket."""
        self._tags.pop(tag.upper(), None)
        return self._queue(NO_TAG, tag.upper())

    def tags(self) -> dict[str, str]:
        """Return the card of each tag."""
        return {tag: card for tag, (card, _) in self._tags.items()}

    def enrolled(self) -> dict[str, tuple[str, str]]:
        """Return the card and deck of each tag."""
        return dict(self._tags)

    def keep(self, key: str, value: object) -> int:
        """Store anything JSON can write under this key; return the ticket."""
        self._settings[key] = value
        return self._queue(SETTING, key, json.dumps(value))

    def kept(self, key: str) -> Any:
        """Return what was kept under this key, or None."""
        return self._settings.get(key)

    # -- writing ---------------------------------------------------------------------------------------------------

    def move(self, path: Path) -> None:
        """Move to a new file, with everything that can be read; `note` reports the outcome."""
        self._goal = path
        self._news.set()

    def close(self) -> None:
        """Write what is left and stop the writer. Closing twice is harmless.

        If that fails, or takes more than 10 s, `trouble` says so.
        """
        self._closing = True
        self._news.set()
        self._writer.join(CLOSE_S)
        if self._writer.is_alive():
            self.trouble = Message(
                "{file} does not respond. Entries not saved: {count}.",
                file=self.path,
                count=len(self._run) - self.safe,
            )

    def _queue(self, statement: str, *values: object) -> int:
        # the writer takes slices of this list, and nothing is ever removed from it: no lock is needed
        self._run.append((statement, tuple(_storable(v) if isinstance(v, str) else v for v in values)))
        self._news.set()
        return len(self._run)

    def _rows(self, query: str, *values: object) -> list[Any]:
        try:
            return rows(self.path, query, *values)
        except sqlite3.Error as error:
            if not self.trouble:
                self.note = Message("{file} cannot be read ({error}).", file=self.path, error=error)
            return []

    # -- the writer's thread ---------------------------------------------------------------------------------------

    def _write_until_closed(self) -> None:
        try:
            while True:
                # before the list is read: work that is put while writing sets it again
                self._news.clear()
                last = self._closing  # before writing: all that was put before `close` is written
                pause = self._try_to_save()
                if last and pause:
                    self._try_to_save()  # again, with the file opened afresh
                if last:
                    break
                if pause:
                    self._patience(self._news, pause)
                else:
                    self._news.wait()
        except BaseException as error:  # else a dead writer would go unnoticed
            log.critical("the writer ends with an error\n%s", trace(error))
            self.trouble = Message(
                "Saving has stopped because of an error in the program ({error}): close it and start it again.",
                error=type(error).__name__,
            )
            self._wake()
        finally:
            self._close_file()

    def _try_to_save(self) -> float:
        """Save all there is; return how many seconds to wait before the next try, 0 if there is nothing to try."""
        before = self.safe, self.trouble, self.note, self.path
        try:
            self._move_to_goal()
            self._save()
        except Exception as error:  # sorted by `why`: a disk fails in many ways
            self._suspect_file(error)
            self._close_file()
            told = why(error, self.path)
            self.trouble = _joined(told, self._move_failed)
            pause = self._pause.after_failure()
        else:
            self.trouble, self._move_failed, pause = None, None, 0.0
            self._pause.end()
        if (self.safe, self.trouble, self.note, self.path) != before:
            self._wake()
        return pause

    def _wake(self) -> None:
        try:
            self.woken()
        except Exception as error:  # the listener has failed, not the writer
            log.error("nobody could be woken\n%s", trace(error))

    def _save(self) -> None:
        if self._db is None:
            spoilt, self._suspected = self._suspected, None
            # from the first entry on: nobody knows what of the last transaction has reached the disk
            self._db, self._done = Database(self.path, spoilt=spoilt), 0
            self._set_note(self._db.note, self._missing_entries(self._db))
        new = self._run[self._done :]
        if new:
            self._db.write(self._numbered(self._db, new))
            self._done += len(new)
            self.safe = max(self.safe, self._done)

    def _numbered(self, db: Database, works: Sequence[Work]) -> Sequence[Work]:
        """Return the work with the numbers that games have in this file; games without one get it now."""
        if self._number_shift is None:
            self._number_shift = db.newest

        def real(value: object) -> Any:
            return self.number(value) if type(value) is int else value  # no other number of ours is below 0

        return [(statement, tuple(map(real, values))) for statement, values in works]

    def _suspect_file(self, error: Exception) -> None:
        """Forget the games' numbers and suspect the file, where a failure makes them doubtful.

        No number has been given if none is on disk, and a file that was opened afresh may be unsound.
        """
        if not self.safe:
            self._number_shift = None
        code = int(getattr(error, "sqlite_errorcode", 0))
        if self._db and self._done == 0 and not self._db.note and UNSOUND & {code, code & 0xFF}:
            self._suspected = error

    def _move_to_goal(self) -> None:
        goal, self._goal = self._goal, None
        if goal is None:
            return
        goal, works = goal.absolute(), self._run[:]
        try:
            db = self._copy_to(goal, works)
        except Exception as error:  # sorted by `why`: a disk fails in many ways
            self.note = self._move_failed = why(error, goal)
            # a failed move may have given numbers that are in no file
            self._number_shift = self._number_shift if self.safe else None
            return
        self._close_file()
        self._db, self.path, self._done = db, goal, len(works)
        # never backwards: what was safe has been shown
        self.safe = max(self.safe, self._done)
        self._base = db.entries
        saved = Message("From now on everything is saved in {file}.", file=goal)
        self._set_note(saved, db.note, self._record_new_place(goal))

    def _copy_to(self, goal: Path, works: Sequence[Work]) -> Database:
        def write(db: Database) -> None:
            db.write(self._numbered(db, works))

        try:
            return moved(goal, self.path, write)
        except sqlite3.IntegrityError as error:  # what is there now is not what was there before
            db = moved(goal, None, write)
            db.note = not_copied(self.path, error)
            return db

    def _record_new_place(self, goal: Path) -> str | None:
        """Record the new place where the program looks first; return what is to be said if that fails."""
        try:
            mark.send(self._home, goal)
        except OSError as error:
            return Message(
                "This could not be noted in {old} ({error}), so the program will not find the new place "
                "when it starts again.",
                old=self._home,
                error=system_error(error),
            )
        return None

    def _missing_entries(self, db: Database) -> str | None:
        """Return a message if entries are missing that were on disk before this run.

        The entries of this run are written again.
        """
        least = db.marked if self._base is None else self._base
        self._base = db.entries if self._base is None else min(self._base, db.entries)
        if db.note or db.entries >= least:
            return None
        return Message(
            "The last entries in {file} are missing ({count}): the disk has lost them. A game may end earlier than you"
            " remember.",
            file=db.path,
            count=least - db.entries,
        )

    def _set_note(self, *found: str | None) -> None:
        self.note = _joined(*found) or self.note

    def _close_file(self) -> None:
        if self._db:
            self._db.close()
        self._db = None


def _joined(*said: str | None) -> str | None:
    """Join messages one after the other, None for none."""
    whole: str | None = None
    for one in filter(None, said):
        whole = Message("{told} {elsewhere}", told=whole, elsewhere=one) if whole else one
    return whole


def _of_kind(run: list[Work], statement: str) -> list[Work]:
    """Return the work of this kind."""
    return [work for work in run if work[0] == statement]


def _storable(text: str) -> str:
    """Return the text with each half of a character (a lone surrogate) replaced by its JSON escape."""
    return text.encode("utf-8", "backslashreplace").decode()
