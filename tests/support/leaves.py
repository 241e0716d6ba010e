"""The entries of a list by ear, to the last one."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from companion.rules import Event
from companion.rules.menu import Choice, Number, Then, made

SPOTS = 6
"""A number is tried at so many places."""


def leaves(then: Then, tried: Collection[int] = ()) -> Iterator[Event]:
    """Yield every event that can be reached from here; of the amounts some, and those that are to be tried."""
    match made(then):
        case Choice(_, entries):
            assert len({(entry.text, repr(entry.facts)) for entry in entries}) == len(entries)
            for entry in entries:
                yield from leaves(entry.then, tried)
        case Number(_, least, most, goes_on):
            for number in sorted({least, most, *range(least, most, max(1, (most - least) // SPOTS)), *tried}):
                yield from leaves(goes_on(number), tried)
        case tuple() | list():
            return
        case event:
            yield event  # type: ignore[misc]
