"""What of a game that is being played may be printed: its journal as far as nobody can read a secret in it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.mistakes import Mistakes
from companion.notation import SEALED, notation
from companion.rules import Amend, Choose, Decide, Event, Reveal
from companion.store.history import Entry
from companion.transcript import parse, read_event, read_header


def public(header: str, events: Sequence[Entry]) -> int | None:
    """How many acts from the beginning on: up to the first card that has been laid face down since the last reveal, or
    the first purse or hand that the table has changed. An act that cannot be read is none of them.

    None where not even the header may be: it cannot be read, or has a position, which says everything.
    """
    try:
        of = read_header(parse(header))
    except Mistakes:
        return None
    if of.position is not None:
        return None
    found: list[Event] = []
    for line, _, _ in events:
        try:
            found.append(read_event(of, parse(line)).event)
        except Mistakes:
            break
    revealed = max((at for at, event in enumerate(found) if isinstance(event, Reveal)), default=-1)
    secret = {*notation(of.game.name).secret, SEALED}
    for at, event in enumerate(found):
        if isinstance(event, Choose) and at > revealed:  # one that is amended has been revealed (T-8)
            return at
        act = event.as_ if isinstance(event, Amend) else event
        if isinstance(act, Decide) and secret & (act.change or {}).keys():
            return at
    return len(found)
