"""A game taken over from another table's machine: replayed from its public transcript up to its last public view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.record.transcript import parse, read_event, read_header
from companion.rules import N_
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.mistakes import Mistake, Mistakes
from companion.session import Session

AS_IT_BEGAN = ("board", "reveal", "options")
"""The keys of the old header kept in the new one."""
FACE_DOWN = frozenset({"waiting", "chosen", "hand_sizes"})
"""The keys of a view changed by taking up face-down cards."""


@dataclass(frozen=True, slots=True)
class Takeover:
    """The parts of the old header that the new game needs, and the acts to be made again."""

    header: Data
    acts: Sequence[dict[str, Any]]


def read_takeover(lines: Sequence[str], view: Data) -> Takeover:
    """Return the acts of a public transcript, and the parts of its header that a new game needs.

    Raises Mistakes where the acts do not lead to that view: as of a game that did not begin at its opening, which its
    public header does not say.
    """
    header = read_header(parse(lines[0]))
    session, acts = Session(header.game, header.setup), []
    for line in lines[1:]:
        act = {key: value for key, value in parse(line).items() if key not in ("at", "by")}
        event = read_event(header, act).event
        if not session.receive(event, by="script").ok:
            raise _cannot_follow()
        acts.append(act)
    now = session.last.view if session.last else header.game.view(header.game.setup(header.setup))
    allowed = FACE_DOWN if view.get("chosen") else frozenset[str]()
    if any(now.get(key) != view.get(key) for key in {*now, *view} - allowed - {"private"}):
        raise _cannot_follow()
    return Takeover({key: value for key, value in parse(lines[0]).items() if key in AS_IT_BEGAN}, acts)


def _cannot_follow() -> Mistakes:
    text = N_("That game cannot be followed from its start: enter what lies on the table (“Already begun”).")
    return Mistakes([Mistake((), Message(text))])
