"""The last refusal, and how to recover from it; a refusal itself changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from companion.answers import why
from companion.record.transcript import event_data
from companion.rules import N_, NC_, Ruling
from companion.session.receipt import Receipt
from ui.games.face import face_of
from ui.games.parts.actions import actions
from ui.pages.remedies import PossibleMistake, Way, by_finger, covered, otherwise, table
from ui.table.moment import Moment
from ui.table.outcome import telling

NOT_NOW = ("turn", "out", "not_now", "early")
"""The card may be right, but not yet."""
GONE = ("played", "seen")
"""Codes of a card that has been played before, as far as the screen knows."""


def last(m: Moment) -> Receipt | None:
    """Return the last receipt with a ruling, as the table's line tells it."""
    return why.last_ruled(m.log)


def urgent(m: Moment) -> bool:
    """Return whether something has just gone wrong: the last act was refused, or a fist opened late."""
    receipt = last(m)
    return receipt is not None and (not receipt.ok or opened_late(m))


def opened_late(m: Moment) -> bool:
    """Return whether fists opened late in the last act, a reveal."""
    receipt = last(m)
    return receipt is not None and any(ruling.code == "late" for ruling in receipt.public)


def refused(m: Moment) -> PossibleMistake | None:
    """Return the refusal in the referee's words, what to do with the card, and the ways on."""
    receipt = last(m)
    if receipt is None or receipt.ok:
        return None
    ruling = telling(m, receipt.public)
    ways = list(_ways_on(m, ruling)) or [table(m)]
    return PossibleMistake("refused", m.tongue.say(ruling), m.say(_remedy(receipt, ruling)), ways, urgent=True)


def _remedy(receipt: Receipt, ruling: Ruling) -> str:
    card = receipt.event is None or "card" in event_data(receipt.event)
    if ruling.code in ("unknown_tag", "fault"):
        return UNKNOWN if ruling.code == "unknown_tag" else N_("Carry on, or undo the last move.")
    if not card:
        return N_("Nothing has changed. Try again, or say what is wrong.")
    if ruling.code in GONE:
        return N_("Take the card back and play another one. If the screen has an earlier card wrong, correct that one.")
    if ruling.code in NOT_NOW:
        return N_("Take the card back. If a move was not entered, enter it now.")
    return N_("Nothing has changed. Take the card back and play the right one, on the reader or here.")


UNKNOWN = N_("Nothing has changed. Play the card here; its tag can be enrolled on the deck page.")


def _ways_on(m: Moment, ruling: Ruling) -> Iterator[Way]:
    code, card = ruling.code, ruling.facts.get("card")
    if code == "fault" and m.acts:
        yield Way(m.say(NC_("on a button", "Undo")), "undo")
    if code in GONE:
        yield from _earlier_plays(m, str(card))
    if code == "out":
        yield from _pass_undone(m, str(ruling.facts.get("seat")))
    if code in NOT_NOW:
        yield from _unreported_moves(m)
    yield from by_finger(m)
    if code == "unknown_tag":
        yield Way(m.say(N_("Deck")), "deck")


def _earlier_plays(m: Moment, card: str) -> Iterator[Way]:
    """Yield the act in which that card was played, in case another card was meant."""
    for act in reversed(m.acts):
        assert act.event
        event = event_data(act.event)
        if event.get("card") == card and act.number not in covered(m):
            seat = event.get("seat", "")
            yield otherwise(m.say(N_("It was another card before")), act, event["event"], seat)
            return


def _pass_undone(m: Moment, seat: str) -> Iterator[Way]:
    """Yield the pass that put this seat out, in case the seat did not pass."""
    for act in reversed(m.acts):
        if act.verb == "pass" and event_data(act.event)["seat"] == seat:  # type: ignore[arg-type]
            yield otherwise(m.say(N_("{seat} did not pass"), seat=seat), act, seat=seat)
            return


def _unreported_moves(m: Moment) -> Iterator[Way]:
    """Yield what the players to move may have done without reporting it: acts that need no further detail."""
    for action in actions(m, face_of(m.game.name).terms):
        if action.event and action.verb not in ("reveal", "end"):
            seat = action.seat or str(action.event.get("seat", ""))
            yield Way(action.text, "", seat=seat, event=action.event)
