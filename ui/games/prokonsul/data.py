"""The board's data as its owner edits it: seven provinces, their values and links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.data import Data
from companion.rules.words import Tongue
from ui.games.prokonsul.links import Province, Provinces, arcs, shorter

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class BoardDraft:
    """Seven provinces in the order of the screen, and the pairs that are linked, by index."""

    names: tuple[str, ...]
    values: tuple[int, ...]
    links: frozenset[Pair]
    confirmed: bool


def read(raw: Data) -> BoardDraft:
    """Return the board's data as a draft."""
    ids = list(raw["provinces"])
    pairs = [(ids.index(one), ids.index(other)) for one, other in raw.get("links", ())]
    links = frozenset((min(pair), max(pair)) for pair in pairs)
    return BoardDraft(tuple(ids), tuple(raw["provinces"].values()), links, bool(raw.get("confirmed")))


def write(d: BoardDraft, confirmed: bool) -> dict[str, Any]:
    """Return the draft as the data of a board."""
    links = [[d.names[one], d.names[other]] for one, other in sorted(d.links)]
    return {"provinces": dict(zip(d.names, d.values, strict=True)), "links": links, "confirmed": confirmed}


def rename(d: BoardDraft, at: int, said: str) -> BoardDraft:
    """Give a province a name as people write it, which becomes its id; ignore a taken or empty name."""
    word = "_".join(said.lower().split())
    if not word or word in d.names:
        return d
    return replace(d, names=tuple(word if i == at else old for i, old in enumerate(d.names)))


def revalue(d: BoardDraft, at: int, value: int) -> BoardDraft:
    return replace(d, values=tuple(value if i == at else old for i, old in enumerate(d.values)))


def link(d: BoardDraft, one: int, other: int) -> BoardDraft:
    """Link two provinces, or part them where they were linked."""
    pair = (min(one, other), max(one, other))
    return d if one == other else replace(d, links=d.links ^ {pair})


def shown(d: BoardDraft, chosen: int, lang: str) -> Provinces:
    """Return the draft as the table's own row of provinces; the chosen one is lit."""
    tiles: Sequence[Province] = [
        Province(
            province,
            Tongue(lang).name(province),
            shorter(province, Tongue(lang)),
            value,
            (),
            "",
            False,
            True,
            at == chosen,
        )
        for at, (province, value) in enumerate(zip(d.names, d.values, strict=True))
    ]
    return Provinces(tuple(tiles), arcs(d.names, [(d.names[one], d.names[other]) for one, other in d.links]))
