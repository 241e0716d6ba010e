"""The players' approvals of a result: kept in the store beside the game, and no events of it (docs/hall)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from zlib import crc32

from companion.record.preferences import Keeper, are_approvals, remembered
from companion.rules import Seat
from companion.rules.data import Data
from companion.rules.views import Result

SPOKEN = frozenset({"approve", "right", "wrong", "approved"})
"""The codes of the table's rulings about a result; none is a ruling of the game."""


def checksum(result: Result) -> int:
    """Return the checksum by which an approval knows a result.

    It is the CRC-32 of the result's JSON, keys sorted and without spaces.
    """
    return crc32(json.dumps(result, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode())


def key(game: int) -> str:
    """Return the store's key for a game's approvals.

    They are kept by seat, each an approval as docs/hall has it, without game and seat.
    """
    return f"approvals {game}"


def approve(
    store: Keeper, game: int, seat: Seat, result: Result, approves: bool = True, *, by: str = "touch", at: str
) -> int:
    """Store whether this seat holds that result of the game to be right; return the store's ticket."""
    said = {"crc": checksum(result), "approves": approves, "by": by, "at": at}
    return store.keep(key(game), {**(remembered(store, key(game), are_approvals) or {}), seat: said})


def approved(store: Keeper, game: int, result: Result) -> Mapping[Seat, bool]:
    """Return what each seat has said of exactly that result, without seats that have said nothing."""
    kept: Data = remembered(store, key(game), are_approvals) or {}
    return {seat: said["approves"] for seat, said in kept.items() if said["crc"] == checksum(result)}
