"""The one sentence of the top line, for any game: who is awaited, the cards face down, the fists, the end."""

from __future__ import annotations

from collections.abc import Sequence

from companion.play.fists import fist
from companion.rules import N_
from ui.games.parts.readers import face_down, few
from ui.games.parts.status import by_buttons
from ui.table.moment import Moment


def expected(m: Moment) -> str:
    """What is expected now, and from whom."""
    return common(m) or choosing(m, N_("{seats}: choose a card and lay it face down.")) or acting(m)


def common(m: Moment) -> str:
    """What every game says alike: who has won, the count and the call to open; "" at any other moment."""
    if m.view["over"]:
        return over(m)
    return counted(m) or (to_open(m) if m.called else "")


def counted(m: Moment) -> str:
    """While the voice counts, fists stay closed; "" at any other moment."""
    return m.say(N_("The voice counts: hold on until “open”.")) if m.counts else ""


def to_open(m: Moment) -> str:
    """The call to open, to those who have not yet."""
    still = [seat for seat in m.fists if seat in m.closed]
    everybody = N_("Everybody holding: open your fists – now!")
    return few(m, N_("{seats}: open your fists – now!"), everybody, still if len(still) < len(m.fists) else ())


def over(m: Moment) -> str:
    """Who has won."""
    winners = m.result["winners"]
    one, more = N_("The game is over: {seats} wins."), N_("The game is over: {seats} share the victory.")
    none = N_("The game is over: nobody wins.")
    return m.say((more if len(winners) > 1 else one) if winners else none, seats=winners)


def acting(m: Moment) -> str:
    """Who is awaited."""
    waiting = [m.view["turn"]] if m.view["turn"] else m.view["waiting"]
    return m.say(N_("{seats}: your turn.") if waiting else N_("Everybody: your turn."),
                 seats=waiting)  # fmt: skip


def choosing(m: Moment, text: str) -> str:
    """From the first card face down to the last fist that opens; "" while none is chosen."""
    if not m.choosing:
        return ""
    waiting = m.view["waiting"]
    return face_down(m, waiting, text) if waiting else holding(m, N_("{seats}: reveal your cards together."))


def holding(m: Moment, text: str) -> str:
    """Fists that are still to be closed; `text` where there are no buttons."""
    missing = [seat for seat in m.fists if seat not in m.closed]
    if not by_buttons(m):
        return m.say(text, seats=m.fists or m.view["waiting"] or m.view.get("chosen", ()))
    return few(
        m, N_("{seats}: hold your button until all are held."), N_("Hold your buttons until all are held."), missing
    )


def awaited(m: Moment) -> Sequence[str]:
    """The seats something is still to come from, as shapes beside the sentence."""
    if by_buttons(m):
        return [seat for seat in m.fists if fist(seat, m.closed, m.called) in ("hold", "open")]
    waiting: Sequence[str] = m.fists or m.view["waiting"]
    return waiting
