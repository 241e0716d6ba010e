"""The map's data as its owner edits it: which regions are joined by land and by sea."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.rules.data import Data
from companion.rules.words import name
from ui.games.hannibal.model import REGIONS as POINTS
from ui.games.hannibal.model import DrawnMap, Spot, route_points
from ui.games.hannibal.sentences import CARTHAGE, ROME

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


def read(raw: Data) -> MapDraft:
    """Return the map's data as a draft."""
    land, sea = (tuple((one, other) for one, other in raw[kind]) for kind in ("land", "sea"))
    return MapDraft(land, sea, bool(raw.get("confirmed")))


def write(d: MapDraft, confirmed: bool) -> dict[str, Any]:
    """Return the draft as the data of a map."""
    return {"land": [list(way) for way in d.land], "sea": [list(way) for way in d.sea], "confirmed": confirmed}


def join(d: MapDraft, kind: str, one: str, other: str) -> MapDraft:
    """Join two regions by land or by sea, or part them where they were joined in that way."""
    if one == other:
        return d
    ways: tuple[Way, ...] = getattr(d, kind)
    kept = tuple(way for way in ways if set(way) != {one, other})
    changed = kept if len(kept) < len(ways) else (*ways, (one, other))
    return replace(d, land=changed) if kind == "land" else replace(d, sea=changed)


def joined(d: MapDraft, kind: str, region: str) -> frozenset[str]:
    """Return the regions that are joined with this one by land or by sea, as `kind` says."""
    return frozenset(end for way in getattr(d, kind) if region in way for end in way if end != region)


def drawn(d: MapDraft, lang: str) -> DrawnMap:
    """Return the draft as the board draws it, without pieces; a new sea route lies between its ends."""
    middles = route_points([f"{one}-{other}" for one, other in d.sea])
    regions = {region: Spot(name(region, lang), at, NOBODY, False, False) for region, at in POINTS.items()}
    routes = {route: Spot(name(route, lang), at, NOBODY, False, False) for route, at in middles.items()}
    return DrawnMap(regions, routes, d.land, d.sea)


NOBODY = {ROME: 0, CARTHAGE: 0}
