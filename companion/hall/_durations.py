"""The pace of the evening: when games began and had their last move, and how long games usually take tonight."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from statistics import median

from companion.hall._evening import Key
from companion.hall._stand import Stand

ENOUGH = 3
"""The games that must be over before their time says anything."""


@dataclass(frozen=True, slots=True)
class Pace:
    """When each game began and had its last move, by the hall's clock, and the usual minutes by game."""

    times: Mapping[Key, tuple[str | None, str | None]]
    minutes: Mapping[str, float]


def pace_of(now: Stand, last: Mapping[tuple[str, int, str | None], str]) -> Pace:
    """Return the evening's pace; `last` has the time of each game's last move, by its table's clock."""
    off = {row.table: row.off or 0 for row in now.tables}
    times: dict[Key, tuple[str | None, str | None]] = {}
    taken: dict[str, list[float]] = {}
    for of in now.outcomes:
        if (played := of.played) is None:
            continue
        begun = _moment(played.begun, off.get(played.table, 0))
        latest = _moment(last.get((played.table, played.game, played.begun)), off.get(played.table, 0))
        times[of.key] = _told(begun), _told(latest)
        if played.result and begun and latest:
            taken.setdefault(of.seated.game, []).append((latest - begun).total_seconds() / 60)
    usual = {game: round(median(minutes), 1) for game, minutes in taken.items() if len(minutes) >= ENOUGH}
    return Pace(times, usual)


@lru_cache(20_000)  # from one publication to the next, few of them change
def _moment(at: str | None, off: int) -> datetime | None:
    """Return a table's moment by the hall's clock, None for none or one without an offset."""
    with suppress(ValueError, TypeError, OverflowError):
        moment = datetime.fromisoformat(at or "") - timedelta(seconds=off)
        return moment if moment.tzinfo else None
    return None


def _told(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None
