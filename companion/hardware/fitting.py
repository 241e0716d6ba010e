"""A reader as it is fitted at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:  # a table without a reader of its own needs no record of any kind
    from companion.hardware.kind import Kind, Occupied

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Fitting(Generic[S]):
    """One reader as config.yaml has it: its kind, and that kind's settings."""

    kind: Kind[S]
    settings: S

    @property
    def occupied(self) -> Occupied:
        """What it takes for itself."""
        return self.kind.occupied(self.settings)

    @property
    def place(self) -> tuple[str, object]:
        """What tells it from all others: where it is, else all that is said of it."""
        return self.kind.name, self.occupied.place or self.settings
