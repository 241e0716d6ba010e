"""The boards' data as their owner edits it: Prokonsul's provinces, Hannibal's map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.words import name
from ui.games.prokonsul.model import Provinces, Tile, arcs

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class BoardDraft:
    """Seven provinces in the order of the screen, and the pairs that are linked, by index."""

    names: tuple[str, ...]
    values: tuple[int, ...]
    links: frozenset[Pair]
    confirmed: bool


def read(raw: Mapping[str, Any]) -> BoardDraft:
    """The board's data, to be edited."""
    ids = list(raw["provinces"])
    pairs = [(ids.index(one), ids.index(other)) for one, other in raw.get("links", ())]
    links = frozenset((min(pair), max(pair)) for pair in pairs)
    return BoardDraft(tuple(ids), tuple(raw["provinces"].values()), links, bool(raw.get("confirmed")))


def write(d: BoardDraft, confirmed: bool) -> dict[str, Any]:
    """The board as data again."""
    links = [[d.names[one], d.names[other]] for one, other in sorted(d.links)]
    return {"provinces": dict(zip(d.names, d.values, strict=True)), "links": links, "confirmed": confirmed}


def rename(d: BoardDraft, at: int, said: str) -> BoardDraft:
    """A province's name as people write it becomes its id; a name that is taken or empty changes nothing."""
    word = "_".join(said.lower().split())
    if not word or word in d.names:
        return d
    return replace(d, names=tuple(word if i == at else old for i, old in enumerate(d.names)))


def revalue(d: BoardDraft, at: int, value: int) -> BoardDraft:
    return replace(d, values=tuple(value if i == at else old for i, old in enumerate(d.values)))


def link(d: BoardDraft, one: int, other: int) -> BoardDraft:
    """Links two provinces, or parts them where they were linked."""
    pair = (min(one, other), max(one, other))
    return d if one == other else replace(d, links=d.links ^ {pair})


def shown(d: BoardDraft, chosen: int, lang: str) -> Provinces:
    """The draft as the table's own row of provinces; the chosen one carries the black pawn."""
    tiles: Sequence[Tile] = [
        Tile(province, name(province, lang), value, (), "", at == chosen, True, at == chosen)
        for at, (province, value) in enumerate(zip(d.names, d.values, strict=True))
    ]
    return Provinces(tuple(tiles), arcs(d.names, [(d.names[one], d.names[other]) for one, other in d.links]))


# -- Hannibal's map ---------------------------------------------------------------------------------------------

REGIONS = (
    "gallia", "rome", "cannae", "hispania_n", "corsica", "sicilia",
    "hispania_s", "sardinia", "zama", "mauretania", "carthago",
)  # fmt: skip
"""The eleven regions, roughly as they lie on the map."""

Way = tuple[str, str]


@dataclass(frozen=True, slots=True)
class MapDraft:
    """Which regions are neighbours by land, and the sea routes, in the order of the board."""

    land: tuple[Way, ...]
    sea: tuple[Way, ...]
    confirmed: bool


def read_map(raw: Mapping[str, Any]) -> MapDraft:
    """The map's data, to be edited."""
    land, sea = (tuple((one, other) for one, other in raw[kind]) for kind in ("land", "sea"))
    return MapDraft(land, sea, bool(raw.get("confirmed")))


def write_map(d: MapDraft, confirmed: bool) -> dict[str, Any]:
    """The map as data again."""
    return {"land": [list(way) for way in d.land], "sea": [list(way) for way in d.sea], "confirmed": confirmed}


def join(d: MapDraft, kind: str, one: str, other: str) -> MapDraft:
    """Joins two regions by land or by sea, or parts them where they were joined in that way."""
    if one == other:
        return d
    ways: tuple[Way, ...] = getattr(d, kind)
    kept = tuple(way for way in ways if set(way) != {one, other})
    changed = kept if len(kept) < len(ways) else (*ways, (one, other))
    return replace(d, land=changed) if kind == "land" else replace(d, sea=changed)


def joined(d: MapDraft, kind: str, region: str) -> frozenset[str]:
    """The regions that are joined with this one by land or by sea."""
    return frozenset(end for way in getattr(d, kind) if region in way for end in way if end != region)


def listed(ways: Sequence[Way], lang: str) -> str:
    """The ways as people read them: from one end to the other."""
    told = (f"{name(one, lang)} – {name(other, lang)}".replace(" ", NO_BREAK) for one, other in ways)
    return " · ".join(told) or "–"


NO_BREAK = "\u00a0"
"""A space at which no line ends: the two ends of a way stay together."""
