"""What people ask a game while they play: what may be done now, how, and what a newcomer should know."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.games import guide_of, prompts_of
from companion.record.transcript import Header
from companion.rules import N_, AnyGame, Seat
from companion.rules.guide import AnyKnown, Known, Lesson, Saying
from companion.rules.outline import outlines
from companion.rules.words import Tongue
from companion.session import Session
from companion.session.receipt import Receipt, acts

if TYPE_CHECKING:  # loaded with the first game
    from companion.rules.prompts import Can, Now, Way


def known(header: Header, session: Session) -> AnyKnown:
    """Return what everybody may know of a game as it stands."""
    can = outlines(session.game, session.state)
    return Known(header.seats, header.options, session.view(), session.derived(), can, header.reveal)


def now(game: AnyGame, at: AnyKnown) -> Now:
    """Return what may be done now; nothing once the game is over."""
    from companion.rules.prompts import Now

    return Now(()) if at.view["over"] else prompts_of(game.name).now(at)


def turn(game: AnyGame, at: AnyKnown) -> Saying | None:
    """Return who is awaited, for everybody to hear; None once the game is over."""
    return None if at.view["over"] else prompts_of(game.name).turn(at)


def mine(game: AnyGame, at: AnyKnown, seat: Seat) -> Saying | None:
    """Return what is expected of this seat, for its own ear; None once the game is over."""
    return None if at.view["over"] else prompts_of(game.name).mine(at, seat)


WAYS: Mapping[Way, str] = {
    "card": N_("card on the reader"),
    "press": N_("button"),
    "hold": N_("button held"),
    "fists": N_("all buttons held, then let go together"),
    "finger": N_("screen"),
}
PLAIN: Mapping[Way, str] = {"press": N_("press: {what}"), "hold": N_("hold for half a second: {what}")}


def ways(can: Can, tongue: Tongue) -> Sequence[str]:
    """Return how an act is done; both ways where a button means two things."""
    meant: Mapping[Way, str] = {"press": can.press, "hold": can.hold}
    return [
        tongue.tr(PLAIN[way], what=tongue.tr(what)) if (what := meant.get(way)) else tongue.tr(WAYS[way])
        for way in can.ways
    ]


def due(game: AnyGame, at: AnyKnown, told: Collection[str]) -> Lesson[Any, Any] | None:
    """Return the lesson to be told now: the first that matters and has not been told."""
    lessons = guide_of(game.name).lessons
    return next((lesson for lesson in lessons if lesson.key not in told and lesson.matters(at)), None)


def standing(log: Sequence[Receipt]) -> Sequence[Receipt]:
    """Return the acts that stand after the last of these, oldest first, as they are judged now."""
    last = next((receipt for receipt in reversed(log) if receipt.number), None)
    return acts(last.last) if last else ()
