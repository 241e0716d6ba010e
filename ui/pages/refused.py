"""What has just gone wrong, and how to recover from a refusal, which itself changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from companion.record.transcript import event_data
from companion.rules import N_, Ruling
from companion.session.receipt import Receipt
from ui.games.face import face_of
from ui.games.parts.deeds import deeds
from ui.pages.remedies import Way, Wrong, by_finger, covered, otherwise, table
from ui.table.frame import telling
from ui.table.moment import Moment

NOT_NOW = ("turn", "out", "not_now", "early")
"""The card may be right, but not yet."""
GONE = ("played", "seen")
"""It has been played before, as far as the screen knows."""


def last(m: Moment) -> Receipt | None:
    """Return the last receipt with a public ruling."""
    return next((receipt for receipt in reversed(m.log) if receipt.public), None)


def urgent(m: Moment) -> bool:
    """Return whether something has just gone wrong: the last act was refused, or a fist opened late."""
    receipt = last(m)
    return receipt is not None and (not receipt.ok or opened_late(m))


def opened_late(m: Moment) -> bool:
    """Return whether fists opened late in the last act, a reveal."""
    receipt = last(m)
    return receipt is not None and any(ruling.code == "late" for ruling in receipt.public)


def refused(m: Moment) -> Wrong | None:
    """Return the refusal in the referee's words, what to do with the card, and the ways on."""
    receipt = last(m)
    if receipt is None or receipt.ok:
        return None
    ruling = telling(m, receipt.public)
    ways = list(_ways(m, ruling)) or [table(m)]
    return Wrong("refused", m.tongue.say(ruling), m.say(_remedy(receipt, ruling)), ways, urgent=True)


def _remedy(receipt: Receipt, ruling: Ruling) -> str:
    card = receipt.event is None or "card" in event_data(receipt.event)
    if ruling.code in ("unknown_tag", "fault"):
        return UNKNOWN if ruling.code == "unknown_tag" else N_("Carry on, or take the last move back.")
    if not card:
        return N_("Nothing has changed. Do it again, or say what is wrong.")
    if ruling.code in GONE:
        return N_("Take the card back and play another one; or another was played before, and the screen has it wrong.")
    if ruling.code in NOT_NOW:
        return N_("Take the card back. If something was done that the screen does not know, say so now.")
    return N_("Nothing has changed. Take the card back and play the right one, on the reader or here.")


UNKNOWN = N_("Nothing has changed. Play the card here; its tag can be enrolled on the deck page.")


def _ways(m: Moment, ruling: Ruling) -> Iterator[Way]:
    code, card = ruling.code, ruling.facts.get("card")
    if code == "fault" and m.acts:
        yield Way(m.say(N_("Undo")), "undo")
    if code in GONE:
        yield from _earlier(m, str(card))
    if code == "out":
        yield from _passed(m, str(ruling.facts.get("seat")))
    if code in NOT_NOW:
        yield from _untold(m)
    yield from by_finger(m)
    if code == "unknown_tag":
        yield Way(m.say(N_("Deck")), "deck")


def _earlier(m: Moment, card: str) -> Iterator[Way]:
    """Yield the act in which that card was played, in case another card was meant."""
    for act in reversed(m.acts):
        assert act.event
        event = event_data(act.event)
        if event.get("card") == card and act.number not in covered(m):
            seat = event.get("seat", "")
            yield otherwise(m.say(N_("Earlier it was another card")), act, event["event"], seat)
            return


def _passed(m: Moment, seat: str) -> Iterator[Way]:
    """Yield the pass that put this seat out, in case the seat did not pass."""
    for act in reversed(m.acts):
        if act.verb == "pass" and event_data(act.event)["seat"] == seat:  # type: ignore[arg-type]
            yield otherwise(m.say(N_("{seat} did not pass"), seat=seat), act, seat=seat)
            return


def _untold(m: Moment) -> Iterator[Way]:
    """Yield what the players to move may have done without reporting it: acts that need no further detail."""
    for deed in deeds(m, face_of(m.game.name).terms):
        if deed.event and deed.verb not in ("reveal", "end"):
            seat = deed.seat or str(deed.event.get("seat", ""))
            yield Way(deed.text, "", seat=seat, event=deed.event)
