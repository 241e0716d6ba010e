"""Short forms of the players' names, for places too narrow for the whole ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def short_names(names: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """Return what each seat's player may be called, the longest form first; no form fits the name of another.

    First come the first words of a name, then its first letters with a full stop: "Anna", "Ann.", "An.", "A.".
    """
    return {
        seat: tuple(_forms(name, [other for at, other in names.items() if at != seat])) for seat, name in names.items()
    }


def _forms(name: str, others: list[str]) -> Iterator[str]:
    """Yield the beginnings of a name that begin no other name; a bracket that was open is closed."""
    least = next((end for end in range(len(name)) if not any(_alike(name[:end], other) for other in others)), len(name))
    words = [end for end in range(len(name) - 1, 0, -1) if name[end].isspace() and end >= least]
    letters = range(min((len(name), *words)) - 1, max(least, 1) - 1, -1)
    yield from (name[:end] for end in words)
    for end in letters:
        form = f"{name[:end]}." + ")" * ("(" in name[:end])
        if name[end - 1].isalnum() and len(form) <= len(name):
            yield form


def _alike(start: str, other: str) -> bool:
    return other.casefold().startswith(start.casefold())
