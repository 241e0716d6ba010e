"""Work beside the window: a thread does it, and the main thread hears when it is done."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from kivy.clock import Clock

LOOK_S = 0.1
"""Seconds between two checks whether the work is done."""


def background(name: str, work: Callable[[], object], done: Callable[[], object]) -> Thread:
    """Run `work` in a background thread, as hands and disks are slow; call `done` on the main thread afterwards."""
    thread = Thread(target=work, name=name, daemon=True)
    thread.start()

    # polled, not called by the thread: Kivy's widgets may be touched by the main thread alone
    def wait(_: float) -> bool:
        if thread.is_alive():
            return True
        done()
        return False

    Clock.schedule_interval(wait, LOOK_S)
    return thread
