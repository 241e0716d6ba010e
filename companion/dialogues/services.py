"""The services that the program offers besides refereeing, and the work that takes a while."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING, Generic, TypeVar

from companion.system.service import Machine

if TYPE_CHECKING:  # what they are made of is loaded with the first page that needs it
    from companion.dialogues.phones import PhonesHere
    from companion.hardware.doctor import Finding
    from companion.hardware.report import Report
    from companion.system.updates import Updates
    from companion.voice.choices import Voiced

T = TypeVar("T")


@dataclass(slots=True)
class Services:
    """The program's services besides refereeing, made once; None for what cannot be done here.

    `doctor` and `report` may take seconds, and are for any thread but the main one.
    """

    machine: Machine = field(default_factory=Machine)
    updates: Updates | None = None
    """Looks for other versions of this program, and installs them."""
    doctor: Callable[[], Sequence[Finding]] | None = None
    """Examines computer and hardware."""
    report: Callable[[], Report] | None = None
    """Makes the report to send in."""
    voice: Voiced | None = None
    """The voice, where there is one to choose."""
    phones: PhonesHere | None = None
    """Lets phones join the table."""


class Job(Generic[T]):
    """Work that runs in a background thread from now on. `result` is None until it is done, and where it failed."""

    def __init__(self, name: str, work: Callable[[], T]) -> None:
        self.result: T | None = None

        def run() -> None:
            self.result = work()

        self._thread = Thread(target=run, name=name, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Block until the work is done."""
        self._thread.join()

    @property
    def running(self) -> bool:
        return self._thread.is_alive()
