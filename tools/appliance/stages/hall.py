"""A hall on this computer, and the guest's table in it, through the unit's limits of addresses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

from companion.hall.link import BrokerLink, Post
from tests.support.hall_broker import broker
from tools.appliance.bench import SERVICE, Bench

HOST = "192.168.76.2"
"""This computer, as the guest sees it (QEMU's user network)."""
STATUS = "tabularium/2/friday/table/1/status"


@contextmanager
def friday(folder: Path) -> Iterator[tuple[Path, Event]]:
    """Run a hall; yield the file for table 1 on a stick, and an event set once that table has reported."""
    here = Event()

    def came(post: Post) -> None:
        if json.loads(post.payload or b"{}").get("here"):
            here.set()

    with broker(folder, tables=("1",)) as running:
        env = os.environ | {"XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder)}
        words = [sys.executable, "-m", "companion", "hall", "--folder", str(running.plan.folder)]
        with subprocess.Popen(words, env=env) as hall:
            try:
                with closing(BrokerLink(running.as_(None), subscribed=[STATUS], came=came)) as link:
                    link.open()
                    yield running.plan.folder / "tables/1.yaml", here
            finally:
                hall.terminate()


def joined(bench: Bench) -> None:
    """The table takes what a hall gave out and joins it; the doctor finds the hall."""
    with bench.started("hall") as table, friday(table.pi.folder / "friday") as (stick, here):
        given = stick.read_text(encoding="utf-8").replace("127.0.0.1", HOST).replace("localhost", HOST)
        table.pi.write("/run/appliance/1.yaml", given)
        table.pi.shell("chmod 644 /run/appliance/1.yaml")
        taken = table.pi.shell("tabularium hall take /run/appliance/1.yaml", 120, None)
        bench.report.say(f"      {taken.strip()}")
        table.pi.shell("systemctl restart tabularium", 600)
        bench.report.check("the table has joined the hall", here.wait(300))
        table.picture("in-the-hall")
        table.pi.shell(f"systemctl stop {SERVICE}")
        doctor = table.pi.shell("tabularium doctor", 300, None)
        bench.report.check("the doctor finds the hall", "Table 1 of friday" in " ".join(doctor.split()), doctor)
