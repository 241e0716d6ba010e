"""One game of the table's store as it goes to the hall: its acts are replayed, each as everybody knows it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.hall._wire import write
from companion.hall.public import header_of, told
from companion.record import approvals
from companion.record.look import replayed
from companion.record.store.history import IS_SETTING, Entry, GameRow, checksum, counted, missing, reading, texts
from companion.record.transcript import parse, read_header
from companion.rules.data import Data
from companion.rules.mistakes import Mistakes
from companion.rules.views import Result
from companion.session import FAIR_MS, Session

BY = {"ear": "button", "phone": "touch"}
"""What the hall is told of an approval by audio seat, as earlier versions stored it, or by phone: it knows neither."""
AT_ONCE = 40
"""Acts that are played through before others get their turn."""
EVENTS = (
    f"SELECT number, {texts('event')}, CAST(by AS TEXT), CAST(at AS TEXT), crc FROM events"
    " WHERE game = ? AND number > ? ORDER BY number LIMIT ?"
)


class Sending:
    """A game from its row in the store. Raises Mistakes for a header that cannot be read."""

    def __init__(self, row: GameRow, fair_ms: int = FAIR_MS) -> None:
        self.game, self.header = row.number, read_header(parse(row.header))
        self.begun = self.header.at
        self.session = Session(self.header.game, self.header.setup, fair_ms, self.header.position)
        self.events: list[bytes] = []
        """The payloads of its acts so far, in order."""
        self.result: Result | None = None
        self.ended = 0
        """The act that made the result what it is, 0 while there has never been one."""
        self.whole = False
        """All readable acts have been read."""
        self.broken = False
        """The acts on disk cannot be replayed any further."""

    @property
    def key(self) -> dict[str, Any]:
        """Return the fields by which every payload names its game."""
        return {"game": self.game, "begun": self.begun}

    @property
    def crc(self) -> int | None:
        """Return the checksum of the result, None while there is none."""
        return None if self.result is None else approvals.checksum(self.result)

    def read_on(self, path: Path) -> bool:
        """Read and replay the next acts on disk; return whether there were any. Raises sqlite3.Error."""
        if self.broken:
            return False
        entries, sound = self._entries(path)
        before, last = len(self.events), self.session.last
        for receipt, payload in told(replayed(self.session, self.header, entries), last):
            try:
                self.events.append(self._event(payload))
            except Mistakes:  # it fits no message
                break
            result = receipt.view["result"] if receipt.view["over"] else None
            if result != self.result:
                self.result, self.ended = result, receipt.number
        played = len(self.events) - before
        self.broken = not sound or played < len(entries)
        self.whole = self.broken or played < AT_ONCE
        return played > 0

    def _event(self, payload: Data) -> bytes:
        """Return the payload of an act; a decision that is too large for a message loses its `change`."""
        try:
            return write("event", {**self.key, **payload})
        except Mistakes:
            event = {key: value for key, value in payload["event"].items() if key != "change"}
            return write("event", {**self.key, **payload, "event": event, "untold": True})

    def _entries(self, path: Path) -> tuple[Sequence[Entry], bool]:
        """Return the next acts on disk, and whether they are sound."""
        found: list[Entry] = []
        with reading(path) as db:
            for number, event, by, at, crc in db.execute(EVENTS, (self.game, len(self.events), AT_ONCE)):
                if number != len(self.events) + len(found) + 1 or crc != checksum(number, event):
                    return found, False
                found.append((event, by, at))
            count = len(self.events) + len(found)
            if len(found) == AT_ONCE:
                return found, True
            # all of the store is looked through once: from then on its count will do, every two seconds of an evening
            return found, not (counted(db, self.game) > count if self.whole else missing(db, self.game, count))

    def kept(self, path: Path, key: str) -> Any:
        """Return the value of this key in the table's store. Raises sqlite3.Error."""
        query = f"SELECT {texts('value')} FROM settings WHERE key = ? AND {IS_SETTING}"
        with reading(path) as db:
            row = db.execute(query, (key,)).fetchone()
        return json.loads(row[0]) if row else None

    # -- payloads ----------------------------------------------------------------------------------------------------

    def header_payload(self, names: bool, began: int | None, mark: str | None) -> bytes:
        """Return the header's payload.

        `began` is the hall's round that the game was seated for, `mark` the hall's mark of this evening. A game begun
        before the mark was heard is of this evening if it is of a round. A hall without a mark is of an earlier
        version, and does not know such keys.
        """
        header = header_of(self.header, names)
        if mark is None:
            header = {key: value for key, value in header.items() if key not in ("evening", "ids")}
        elif began is not None:
            header["evening"] = mark
        data = {**self.key, "header": header, "middle": self.header.position is not None}
        return write("header", data | {"round": began})

    def view_payload(self) -> bytes:
        return write("view", {**self.key, "number": len(self.events), "view": self.session.view()})

    def result_payload(self, mark: str | None) -> bytes:
        evening = {"evening": self.header.evening} if mark and self.header.evening else {}
        return write("result", {**self.key, "number": self.ended, "result": self.result, "crc": self.crc, **evening})

    def approvals(self, path: Path) -> Mapping[str, tuple[bool, bytes]]:
        """Return, by seat, whether it approves the current result, and the payload. Raises sqlite3.Error."""
        if self.result is None:
            return {}
        said = self.kept(path, approvals.key(self.game)) or {}
        return {
            seat: (
                of["approves"],
                write("approval", {**self.key, "seat": seat, **of, "by": BY.get(of.get("by"), of.get("by"))}),
            )
            for seat, of in said.items()
            if of["crc"] == self.crc
        }
