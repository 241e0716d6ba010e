"""Tables of a hall without a wire: what they would send goes straight into the hall's store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from companion.hall._clock import Instant
from companion.hall._evening import SeatedTable
from companion.hall._stand import Stand
from companion.hall.control_socket import STORE, ControlSocket, ask
from companion.hall.organiser import Organiser
from companion.hall.published import stand
from companion.hall.records import Taken, checksum
from companion.hall.store import HallStore
from companion.rules import result
from companion.system.uptime import Up

NOON = datetime(2026, 11, 21, 12, tzinfo=timezone(timedelta(hours=1)))


class Hall:
    """A hall that runs: its store, and the door for the organiser. Dies and comes back with `again`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.at, self.up = folder, NOON, 60.0
        self._open()

    def _open(self) -> None:
        self.store = HallStore(self.folder / STORE, self._now)
        organiser = Organiser(self.store, self._now, up=self._up)
        self.door = ControlSocket(self.folder / "hall.sock", lambda order, _: organiser.answer(order))

    def _now(self) -> datetime:
        self.passed(timedelta(seconds=1))
        return self.at

    def passed(self, time: timedelta) -> None:
        self.at, self.up = self.at + time, self.up + time.total_seconds()

    def _up(self) -> Up:
        return "this start", self.up

    @property
    def instant(self) -> Instant:
        return Instant(self.at, self._up())

    def close(self) -> None:
        self.door.close()
        self.store.close()

    def again(self) -> None:
        self.close()
        self._open()

    @property
    def now(self) -> Stand:
        return stand(self.store)

    def order(self, do: str, **order: Any) -> Sequence[str]:
        """Give the hall an order that it carries out, through its socket; return the answer."""
        answer = ask(self.folder, {"do": do, **order})
        assert answer["ok"], answer
        said: Sequence[str] = answer["said"]
        return said

    def refused(self, do: str, **order: Any) -> str:
        """Give the hall an order that it refuses; return the reason."""
        answer = ask(self.folder, {"do": do, **order})
        assert not answer["ok"], answer
        return " ".join(answer["said"])

    # -- what tables send ----------------------------------------------------------------------------------------

    def begin(self, table: str, number: int, **other: Any) -> Mapping[str, Any]:
        """Begin what was seated on this device in this round; return the game's key. `other` changes its header."""
        seated = self._seated(table, number)
        key = {"game": 10 * number + len(self.store.games(table)), "begun": f"2026-11-21T1{number}:00:00+01:00"}
        header = {"tabularium": 1, "game": seated.game, "seats": list(seated.seats), "options": dict(seated.options),
                  "evening": self.now.evening.mark, "ids": dict(seated.seats)}  # fmt: skip
        self.take("header", table, {**key, "header": {**header, **other}, "round": number})
        return key

    def _seated(self, device: str, number: int) -> SeatedTable:
        one = self.now.evening.round(number)
        found = one.table_on(device) if one else None
        assert found
        return found

    def end(self, table: str, key: Mapping[str, Any], scores: Mapping[str, int], at: int = 1) -> int:
        """End the game with these scores; return the result's checksum."""
        told = result(scores)
        self.take("result", table, {**key, "number": at, "result": told, "crc": checksum(told)})
        return checksum(told)

    def approve(
        self, table: str, key: Mapping[str, Any], crc: int, seats: Sequence[str], approves: bool = True
    ) -> None:
        for seat in seats:
            self.take("approval", table, {**key, "seat": seat, "crc": crc, "approves": approves})

    def take(self, kind: str, table: str, payload: Mapping[str, Any]) -> Taken:
        taken = self.store.take(kind, table, payload)
        self.store.commit()
        return taken

    def play(self, table: str, number: int, scores: Sequence[int] = (9, 7, 5, 3, 2, 1, 0)) -> Mapping[str, Any]:
        """Play a game of this round up to the last approval, with the scores by chair; return the game's key."""
        key = self.begin(table, number)
        seated = self._seated(table, number)
        crc = self.end(table, key, dict(zip(seated.seats, scores, strict=False)))
        self.approve(table, key, crc, list(seated.seats))
        return key
