"""A game resumed on another device, from public information only.

The device gets the public transcript, and the last view to compare it with. Cards that lay face down are not in it, and
are chosen anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.hall._results import of_round
from companion.hall._stand import Stand
from companion.hall.public import transcript
from companion.hall.records import HallGame
from companion.hall.store import HallStore
from companion.rules.data import Data
from companion.rules.mistakes import Mistakes


def spares(now: Stand, store: HallStore) -> Mapping[str, Data]:
    """Return, by device, the game that it takes over (docs/hall/schemas/spare.json)."""
    found: dict[str, Data] = {}
    for one in now.evening.rounds:
        for device, (to, _) in one.moved.items():
            seated = one.table_on(to)
            of = next((of for of in now.outcomes if seated and of.key == (one.number, seated.table)), None)
            row = _last_begun(now, device, one.number)
            if of and of.state == "missing" and row and (told := _replayable(now, store, row)):
                name = of.seated.table
                found.setdefault(to, {"evening": now.evening.mark, "round": one.number, "from": name, **told})
    return found


def gone(now: Stand) -> Sequence[str]:
    """Return the devices whose last game has gone on at another one."""
    last = {row.table: row for row in now.games}
    rounds = {one.number: one for one in now.evening.rounds}
    return [table for table, row in last.items() if row.round in rounds and table in rounds[row.round].moved]


def _last_begun(now: Stand, device: str, number: int) -> HallGame | None:
    """Return the game of this round that was begun last at the device that died, None if there is none."""
    one = now.evening.round(number)
    assert one
    rows = [row for row in now.games if (row.table, row.round) == (device, number) and row.header and not row.result]
    return next((row for row in reversed(rows) if of_round(now.evening, one, row)), None)


def _replayable(now: Stand, store: HallStore, row: HallGame) -> Data | None:
    """Return the game's transcript and last view; None where they differ in time or nobody can read them."""
    assert row.header
    seen = next((of.view for of in now.tables if of.table == row.table), None)
    events = store.events(row.table, row.game, row.begun)
    if not seen or (seen["game"], seen["begun"], seen["number"]) != (row.game, row.begun, len(events)):
        return None
    try:
        lines = list(transcript(row.header["header"], events))
    except Mistakes:
        return None
    return {"lines": lines, "view": seen["view"]}
