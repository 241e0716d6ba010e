"""Redaction of a game in progress: only public information is printed, as tables send it to their hall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.hall.public import PublicLine, told
from companion.record.look import replayed
from companion.record.store.history import Entry
from companion.record.transcript import dump_event, parse, read_header
from companion.rules import Amend, Choose
from companion.rules.mistakes import Mistakes
from companion.session import Session
from companion.session.receipt import Receipt


@dataclass(frozen=True, slots=True)
class Public:
    """The public part of a journal.

    Its first `acts`; or, where something hidden lies between public acts, the standing acts as a transcript: `lines`.
    """

    acts: int
    lines: Sequence[str] | None = None


def public(header: str, events: Sequence[Entry]) -> Public | None:
    """Return the public part of a game. An act that cannot be read is no part of it.

    Returns None where not even the header may be printed: it cannot be read, or has a position, which says everything.
    """
    try:
        of = read_header(parse(header))
    except Mistakes:
        return None
    if of.position is not None:
        return None
    line, hidden, receipts = PublicLine(of), list[int](), list[Receipt]()
    for receipt, payload in told(replayed(Session(of.game, of.setup), of, events)):
        receipts.append(receipt)
        line.take(payload)
        if payload.get("untold"):
            hidden.append(receipt.number)
    for receipt in receipts:
        match receipt.event:
            case Choose() if not line.knows(receipt.number):
                hidden.append(receipt.number)
            case Amend(act, Choose()) if not line.knows(act, receipt.number):
                hidden.append(receipt.number)
    first = min(hidden, default=len(receipts) + 1)
    acts = list(line.numbered())
    if any(number > first for number, _, _ in acts):
        return Public(0, [dump_event(event, at=at) for _, event, at in acts])
    return Public(first - 1)
