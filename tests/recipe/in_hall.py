"""A table of a hall at which a sixth game is played before another one: `python -m tests.recipe.in_hall FOLDER`.

Both reach the hall: the wire takes any game's name.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from companion.hall.service import HallService
from companion.hall.store import HallStore
from tests.support.hall_broker import broker
from tests.support.hall_tables import Table, until


def main(folder: Path) -> None:
    with broker(folder / "broker") as running, closing(HallStore(folder / "hall.sqlite3")) as store:
        service = HallService("friday", running.as_("hall"), store)
        service.open()
        with closing(Table(folder, "1", running.as_("1"))) as table:
            table.outbox.open()
            table.play_out("augur")
            table.play_out("spartacus")
            until(lambda: table.outbox.idle, why=lambda: table.outbox.__dict__)
            kept = {
                row.header["header"]["game"]: row.number for row in service.call(lambda of: of.games("1")) if row.header
            }
            acts = len(table.journal())
        service.close()
    print(f"augur: {kept['augur']}, spartacus: {kept['spartacus']} of {acts}")
    assert kept["spartacus"] == acts and kept["augur"]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
