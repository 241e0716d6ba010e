"""The seven provinces as they lie on the board, and the arcs that link them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.prokonsul import view
from companion.rules import N_
from companion.rules.words import Tongue
from ui.games.parts.asking import places
from ui.games.prokonsul.moment import ProkonsulMoment

LINK = 5
"""The number on every link: what the bank pays for it."""
SHORTER = {
    "hispania_citerior": (N_("Hisp. Cit."), N_("H. Cit.")),
    "hispania_ulterior": (N_("Hisp. Ult."), N_("H. Ult.")),
    "macedonia": (N_("Maced."), N_("Mac.")),
    "sardinia": (N_("Sard."),),
    "sicilia": (N_("Sic."),),
    "africa": (N_("Afr."),),
}
"""The names of provinces where there is little room, the longest first."""
TWO_LINES = {
    "hispania_citerior": N_("Hispania\nCiterior"),
    "hispania_ulterior": N_("Hispania\nUlterior"),
    "macedonia": N_("Mace-\ndonia"),
    "sardinia": N_("Sar-\ndinia"),
}
"""The names that a tile may need two lines for, parted where they may be."""


@dataclass(frozen=True, slots=True)
class Province:
    """A province as it lies on the board."""

    id: str
    name: str
    shorter: tuple[str, ...]
    """The name in fewer letters, the longest first."""
    value: int
    candidates: Sequence[str]
    governor: str
    pawn: bool
    tap: bool
    """Whether it can be tapped: the black pawn may go there."""
    lit: bool
    """Its edge is lit."""
    fresh: int = 0
    """The number of the act that has just changed it."""


@dataclass(frozen=True, slots=True)
class Provinces:
    tiles: Sequence[Province]
    links: Sequence[tuple[int, int, int]]
    """Linked tiles by their index, and the level their arc is drawn on, so that arcs never cross on one level."""


def provinces(m: ProkonsulMoment) -> Provinces:
    """Return the seven provinces and their links."""
    goes = {place for outline in m.outlines for key in places(outline) for place in outline.keys[key][1] or ()}
    tiles = tuple(known(m, province, data, province in goes) for province, data in m.view["provinces"].items())
    return Provinces(tiles, arcs([tile.id for tile in tiles], links(m)))


def known(m: ProkonsulMoment, province: str, data: view.Province, goes: bool) -> Province:
    """Return one province; while the black pawn moves, those it may go to are lit."""
    here = province == m.view["province"]
    lit = goes if m.view["phase"] == "province" else here
    governor, candidates = data["governor"] or "", tuple(data["candidates"])
    before = m.previous.view if m.previous else m.view
    was = before["provinces"][province]["governor"] or "", province == before["province"]
    fresh = m.acts[-1].number if was != (governor, here) and (governor or here) else 0
    return Province(
        province,
        m.name(province),
        on_tile(province, m.tongue),
        data["value"],
        candidates,
        governor,
        here,
        goes,
        lit,
        fresh,
    )


def shorter(province: str, tongue: Tongue) -> tuple[str, ...]:
    """Return the province's name in fewer letters, the longest first."""
    return tuple(tongue.tr(text) for text in SHORTER.get(province, ()))


def on_tile(province: str, tongue: Tongue) -> tuple[str, ...]:
    """Return the province's name as a tile can show it: on two lines, then in fewer letters."""
    two = tuple(tongue.tr(text) for text in (TWO_LINES.get(province),) if text)
    return (*two, *shorter(province, tongue))


def links(m: ProkonsulMoment) -> Sequence[tuple[str, str]]:
    """Return the linked pairs of the board."""
    return [(one, other) for one, other in (m.board or {}).get("links", ())]


def arcs(ids: Sequence[str], links: Sequence[tuple[str, str]]) -> Sequence[tuple[int, int, int]]:
    """Return each link as two indexes and the first level on which nothing else lies between them."""
    ends = [(ids.index(one), ids.index(other)) for one, other in links]
    spans = {(min(pair), max(pair)) for pair in ends}
    placed: list[tuple[int, int, int]] = []
    for left, right in sorted(spans, key=lambda span: span[1] - span[0]):
        taken = {level for a, b, level in placed if a < right and left < b}
        level = next(level for level in range(len(placed) + 1) if level not in taken)
        placed.append((left, right, level))
    return tuple(placed)
