"""The virtual reader as a kind: it stands in for any other kind, and accepts all its keys."""

from __future__ import annotations

from dataclasses import dataclass

from companion.hardware.kind import Kind, Reader


@dataclass(frozen=True, slots=True)
class NoSettings:
    """The settings of a virtual reader: none."""


def _open(_: NoSettings) -> Reader:
    from drivers.virtual.reader import VirtualReader

    return VirtualReader()


KIND = Kind(name="virtual", called="a virtual reader", settings=NoSettings, open=_open, virtual=True)
