"""Brokers and halls that are killed, cables that are pulled: every act and every result is at the hall, once."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from pathlib import Path

from companion.hall.service import HallService
from companion.hall.store import HallStore
from tests.support.hall_broker import Proxy, broker
from tests.support.hall_tables import Table, has_all, until
from tests.support.tables import times
from tools.hall_kills import killed

PULLED_S = float(os.environ.get("TABULARIUM_PULLED_S", "10"))
"""How long the cable is out: ten minutes on request."""


def test_brokers_and_halls_that_are_killed_cost_nothing(tmp_path: Path) -> None:
    """As processes of their own, by SIGKILL, while three tables play."""
    told = killed(tmp_path, brokers=times(4, 200), halls=times(2, 50))
    assert told.faults == []
    assert told.acts > 0 and told.results > 0


def test_a_table_whose_cable_is_pulled_plays_on_and_catches_up(tmp_path: Path) -> None:
    with broker(tmp_path / "broker") as running, closing(HallStore(tmp_path / "hall.sqlite3")) as store:
        hall, cable = HallService("friday", running.as_("hall"), store), Proxy(running.plan.port)
        with closing(Table(tmp_path, "1", running.as_("1", cable.port))) as table, closing(hall), closing(cable):
            hall.open()
            table.outbox.open()
            table.begin("caesar")
            table.play(10)
            table.settle()
            until(lambda: hall.call(lambda store: has_all(store, table)))
            cable.pull()
            before = hall.call(lambda store: store.games("1"))[0].number
            table.play(60)
            table.settle()  # whoever plays does not notice: it is on disk, and shown
            hall_waits(PULLED_S)
            assert hall.call(lambda store: store.games("1"))[0].number == before
            cable.plug()
            until(lambda: hall.call(lambda store: has_all(store, table)))
            assert table.outbox.behind == 0


def hall_waits(seconds: float) -> None:
    """The cable is out for so long: this is what is tested, and no event ends it."""
    signal.sigtimedwait([], seconds)
