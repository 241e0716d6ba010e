"""What the screen shows of Prokonsul: the number that matters, the stage of the present phase, the provinces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import N_
from ui.games.parts.headline import Big, called
from ui.games.parts.status import by_buttons
from ui.games.prokonsul.at import At
from ui.games.prokonsul.links import Provinces, provinces
from ui.games.prokonsul.plea import PawnRow, Plea, pawn_row, plea
from ui.games.prokonsul.won import Ended, last_end


@dataclass(frozen=True, slots=True)
class Prokonsul:
    """All that the centre shows."""

    phase: str
    turn: str | None
    seats: Sequence[str]
    names: Sequence[str]
    number: Big
    provinces: Provinces
    row: PawnRow | None
    plea: Plea | None
    call: str
    """The word everybody waits for, in the largest letters: "Open!"."""
    note: str
    reveal: bool
    """The cards can be turned up by finger."""
    no_decision: bool
    winners: Sequence[str]
    ended: Ended | None
    """How the last act ended a round: in sight until a touch or the next act."""
    about: tuple[str, str | None]
    """The number that matters, as *why* knows it, and whose it is; ("", None) for none."""


def centre(m: At) -> Prokonsul:
    """Return the centre of the table at this moment."""
    view = m.view
    return Prokonsul(
        phase=view["phase"],
        turn=view["turn"],
        seats=tuple(m.seats),
        names=tuple(m.name(seat) for seat in m.seats),
        number=number(m),
        provinces=provinces(m),
        row=pawn_row(m),
        plea=plea(m),
        call=called(m),
        note=note(m),
        reveal=view["phase"] == "choosing" and not view["waiting"],
        no_decision=bool(m.options.get("no_decision")),
        winners=m.result["winners"] if view["over"] else (),
        ended=last_end(m),
        about=about(m),
    )


def about(m: At) -> tuple[str, str | None]:
    """Return what *why* explains after a touch on the number that matters."""
    view = m.view
    if view["target"] is not None:
        return "target", None
    if view["phase"] == "choosing":
        return "value", view["province"]
    return ("score", m.result["winners"][0]) if view["over"] else ("provinces", None)


def number(m: At) -> Big:
    """Return the majority target once cards lie open.

    Before that, return the value of the province at stake or the number of open provinces; at the end, the best score.
    """
    view = m.view
    if view["target"] is not None:
        caption = m.say(N_("Target"))
        return Big(caption, str(view["target"]), m.say(N_("of {total}"), total=view["total"]))
    at = view["province"]
    if view["phase"] == "choosing" and at:
        value = view["provinces"][at]["value"]
        return Big(m.say(N_("At stake")), str(value), m.name(at))
    if view["over"]:
        scores, winners = m.result["scores"], m.result["winners"]
        return Big(m.say(N_("Most chips")), str(max(scores.values())), m.say(N_("{seats}"), seats=winners))
    left = sum(not province["governor"] for province in view["provinces"].values())
    return Big(m.say(N_("Open provinces")), str(left), m.say(N_("of seven")))


def note(m: At) -> str:
    """Return the line of small print under the controls."""
    view = m.view
    match view["phase"]:
        case "pawns" if m.outlines:
            return m.say(N_("Tap the pawns from left to right, in the order they were drawn."))
        case "province" if view["turn"]:
            return m.say(N_("Any other province without a governor."))
        case "province":
            return m.say(N_("The black pawn stands on the province at stake."))
        case "choosing" if m.fists:
            if not by_buttons(m) or m.virtual:
                return ""
            return m.say(N_("All cards are down. Hold all buttons, then let go together."))
        case "choosing" if m.outlines and not m.virtual:
            return m.say(N_("Without a reader, tap your colour and choose on the screen."))
        case "pleading" | "answering" if not view["pleaded"]:
            return silence(m)
        case "negotiating":
            return m.say(N_("Chips may change hands until a coalition is named; promises bind nobody."))
    return ""


def silence(m: At) -> str:
    """Return who may speak, during the first plea of a round (P-26)."""
    pleader, offer = m.view["pleader"], m.view["offer"]
    if offer and m.options.get("negotiation") == "two_way":
        return m.say(N_("Only {pleader} and {asked} speak."), pleader=pleader, asked=offer["to"])
    return m.say(N_("Only {pleader} speaks."), pleader=pleader)
