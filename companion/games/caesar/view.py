"""The types of Caesar's view."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from companion.rules.views import Sealed, View

CaesarPhase = Literal["placing", "turn", "choosing", "over"]


class Group(TypedDict):
    owner: str
    size: int


Duel = TypedDict("Duel", {"attacker": str, "defender": str, "from": str, "to": str})


class CaesarView(View):
    phase: CaesarPhase
    board: dict[str, Group]
    to_place: dict[str, int]
    hand_sizes: dict[str, int]
    duel: Duel | None
    chosen: list[str]
    out: list[str]
    private: NotRequired[Sealed]
