"""The number that matters most, with what it is and whom it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import N_, plural
from companion.rules.prompts import reveal_words
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Headline:
    """What matters most: a caption, the value in the largest letters between the shapes of `seats`, a remark."""

    caption: str
    value: str
    beside: str
    seats: Sequence[str] = ()


def called(m: Moment) -> str:
    """Return the signal, the same that the voice gives; "" until it is time."""
    return m.say(reveal_words(m.game).signal) if m.called else ""


def call(m: Moment) -> Headline | None:
    """Return the call to open the fists, or the winners; None while the game goes on."""
    if m.called:
        return Headline("", called(m), "")
    return winner(m) if m.view["over"] else None


def winner(m: Moment) -> Headline:
    """Return the winners and the best score; a game that is won or lost has no score."""
    winners, scores = m.result["winners"], m.result["scores"]
    best = "" if m.game.series == "twice" else m.tongue.phrase(max(scores.values()))
    if not winners:
        return Headline("", best or "–", m.say(N_("Nobody wins")))
    caption = m.say(plural("Winner", "Winners", "winners"), winners=len(winners))
    return Headline(caption, best, m.say(N_("{seats}"), seats=winners), winners[:2])


def whose(m: Moment) -> Headline:
    """Return the seat to move, or the seats the game waits for."""
    turn, waiting = m.view["turn"], m.view["waiting"]
    if not turn and not waiting:
        return Headline("", "–", m.say(N_("Everybody")))
    caption = m.say(N_("To move") if turn else N_("Waiting for"))
    if not turn and set(waiting) >= set(m.seats):
        return Headline(caption, "", m.say(N_("Everybody")), waiting[:3])
    return Headline(
        caption, "", m.say(N_("{seats}"), seats=[turn] if turn else waiting), [turn] if turn else waiting[:3]
    )
