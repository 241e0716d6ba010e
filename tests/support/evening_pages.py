"""Evenings whose pages are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.play.evening import Evening
from companion.record.transcript import parse, read_line
from tests.support.paths import GOLDENS
from tests.support.playing import match_of
from tools.scenes.rehearsal import Memory


def lines(name: str) -> Sequence[dict[str, Any]]:
    texts = (GOLDENS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [parse(text) for text in texts if text and not text.startswith("#")]


def played(name: str, evening: Evening | None = None, acts: int = 999, **header: Any) -> Evening:
    """Play the first game of a golden transcript, or so many lines of it; return the evening."""
    evening = evening or Evening(Memory())
    first, *events = lines(name)
    evening.begin(first | header)
    for line in events[:acts]:
        if "tabularium" in line:
            break
        if "event" in line:
            match_of(evening).act(line)
        else:
            evening.devices.inbox.put(read_line(line, match_of(evening).header))  # type: ignore[arg-type]
        evening.drain()
    return evening
