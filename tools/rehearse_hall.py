"""A hall for one table on this computer, as its organiser would start it, for the rehearsal."""

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
