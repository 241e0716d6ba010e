"""The words of a trace as a transcript, which plays a game; what devices said of themselves is in its comments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from companion.games import NAMES
from companion.hardware.trace import Line
from companion.rules.cards import PAWNS

USUAL = json.dumps({"tabularium": 1, "game": NAMES[0], "seats": list(PAWNS)})
"""A header that knows every reader and button, where nobody says what was played."""


def transcript(lines: Sequence[Line], header: str = USUAL) -> Iterator[str]:
    """The lines of a transcript. Two devices may report in another order than things happened: their times decide."""
    yield header
    words = [line for line in lines if line["layer"] == "words"]
    t = 0
    timed: list[tuple[int, str]] = []
    for line in words:
        t = line.get("ms", t)
        timed.append((t, _said(line)))
    yield from (text for _, text in sorted(timed, key=lambda word: word[0]))


def _said(line: Line) -> str:
    match line:
        case {"reader": reader, "tag": tag, "present": present, "ms": t}:
            return json.dumps({"reader": reader, "tag": tag, "present": present, "t": t})
        case {"button": seat, "down": down, "ms": t}:
            return json.dumps({"button": seat, "down": down, "t": t})
    detail = f": {line['detail']}" if line["detail"] else ""
    return " ".join(f"# {line['health']} is {'well' if line['well'] else 'ill'}{detail}".split())
