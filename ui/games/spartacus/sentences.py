"""The words of Spartacus on the screen: each seat's facts, the score, the number at rest."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules import N_, plural
from ui.games.parts import ending
from ui.games.parts.ending import Chart, ScorePart
from ui.games.parts.past import last
from ui.games.parts.status import Resting
from ui.games.spartacus.moment import SpartacusMoment


def number(m: SpartacusMoment, _: str) -> str:
    """Return what the seat's number counts, as its guide names it."""
    return "score" if m.view["over"] else "points"


def laying(m: SpartacusMoment) -> bool:
    """Return whether cards are laid, which is as long as tricks are played."""
    return not m.view["over"]


def chart(m: SpartacusMoment) -> Chart | None:
    """Return the points, trick by trick; None where they were covered."""
    return None if m.options.get("points") == "covered" else ending.chart(m)


def parts(m: SpartacusMoment, seat: str) -> Sequence[ScorePart]:
    """Return the points of the tricks, less the cost of the cards left in the hand."""
    over = last(m, "over")
    if "points" not in over:
        return ()
    return ScorePart(m.say(N_("tricks")), over["points"][seat]), ScorePart(
        m.say(N_("hand")), -over["costs"][seat], earned=False
    )


def why_won(m: SpartacusMoment, seat: str) -> str:
    """Return the winner's points in tricks, and what the cards left in the hand cost."""
    over = last(m, "over")
    if "points" not in over:
        return ""
    cost = m.say(N_("{points} less for the hand"), points=over["costs"][seat]) if over["costs"][seat] else ""
    return ending.listed(m, seat, [m.say(N_("{points} in tricks"), points=over["points"][seat]), cost])


def length(m: SpartacusMoment) -> str:
    return ending.said(m, plural("{count} trick", "{count} tricks"), "taken", "last_trick", "nobody")


def resting(m: SpartacusMoment) -> Resting:
    """Return what the trick is worth, or its lowest number while points are covered."""
    worth = m.derived["worth"]
    if worth is None:
        return Resting(str(m.derived["below"] or ""), "", m.say(N_("The lowest number")))
    return Resting(m.tongue.phrase(worth), "", m.say(N_("Worth"))) if m.view["trick"] else Resting()
