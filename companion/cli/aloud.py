"""The spoken form of a transcript, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.cli.replay import ReplayStep
from companion.rules.guide import Known
from companion.rules.line import Line
from companion.voice.telling import Teller


class ToldAloud:
    """A teller for each game of a file."""

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._teller: Teller | None = None

    def of(self, step: ReplayStep) -> Iterator[dict[str, Any]]:
        """Yield what is said at this line, as `replay --spoken` prints it."""
        if step.opening or self._teller is None:
            self._teller = Teller(step.header, self._lang, ears=step.header.ears)
        header, session = step.header, step.session
        at = Known(header.seats, header.options, session.view(), session.derived(), (), header.reveal)
        for line in self._teller.tell(step.receipts, at):
            yield line_data(line, step.line)


def line_data(line: Line, number: int) -> dict[str, Any]:
    """Return a spoken line as data: the input line's number, "all" or a seat, the words, and the sound."""
    return {"line": number, "to": line.to or "all", "say": line.say, "sound": line.sound}
