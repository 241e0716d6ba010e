"""Games of a series that have been won."""

from __future__ import annotations

from typing import Any

WON = {
    "blue": [  # Rome walks to Carthago; Carthage walks away
        ("blue", "rome", "gallia"), ("red", "carthago", "zama"), ("blue", "gallia", "hispania_n"),
        ("red", "carthago", "zama"), ("blue", "hispania_n", "hispania_s"), ("red", "carthago", "zama"),
        ("blue", "hispania_s", "mauretania"), ("red", "carthago", "zama"), ("blue", "mauretania", "carthago"),
    ],
    "red": [
        ("blue", "rome", "cannae"), ("red", "carthago", "mauretania"), ("blue", "rome", "cannae"),
        ("red", "mauretania", "hispania_s"), ("blue", "rome", "cannae"), ("red", "hispania_s", "hispania_n"),
        ("blue", "rome", "cannae"), ("red", "hispania_n", "gallia"), ("blue", "rome", "cannae"), ("red", "gallia", "rome"),
    ],
}  # fmt: skip


def hannibal(winner: str | None, rome: str | None, carthage: str | None) -> list[dict[str, Any]]:
    players = {seat: name for seat, name in (("blue", rome), ("red", carthage)) if name}
    head = {"tabularium": 1, "game": "hannibal", "seats": ["blue", "red"], "players": players}
    moves = WON[winner] if winner else WON["red"][:3]
    return [head, *({"event": "move", "seat": s, "piece": "legion", "from": a, "to": b} for s, a, b in moves)]
