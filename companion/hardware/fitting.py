"""A reader as it is fitted at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:  # a table without readers needs to load no kind
    from companion.hardware.kind import Kind, Occupied

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Fitting(Generic[S]):
    """One reader of config.yaml: its kind, and that kind's settings."""

    kind: Kind[S]
    settings: S

    @property
    def occupied(self) -> Occupied:
        """Return the place, bus and pins that the reader occupies."""
        return self.kind.occupied(self.settings)

    @property
    def place(self) -> tuple[str, object]:
        """Return what tells the reader from all others: its place, or else all of its settings."""
        return self.kind.name, self.occupied.place or self.settings
