"""The screen's model of Prokonsul: the number that matters, the stage of the present phase, the provinces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from companion.rules import N_
from companion.rules.words import Words
from ui.games.parts.headline import Headline, called
from ui.games.parts.past import last
from ui.games.parts.sealed import Sealed, sealed
from ui.games.parts.status import by_buttons
from ui.games.prokonsul.links import Provinces, provinces
from ui.games.prokonsul.moment import ProkonsulMoment
from ui.games.prokonsul.plea import PawnRow, Plea, pawn_row, plea
from ui.games.prokonsul.won import Ended, last_end


@dataclass(frozen=True, slots=True)
class Prokonsul:
    """All that the centre shows."""

    phase: str
    turn: str | None
    seats: Sequence[str]
    names: Sequence[tuple[str, ...]]
    """What each seat's player is called, then the same in fewer letters."""
    number: Headline
    provinces: Provinces
    row: PawnRow | None
    plea: Plea | None
    sealed: Sealed | None
    """The seats' places while all choose, and the cards just turned up."""
    call: str
    """The word everybody waits for, in the largest letters: "Open!"."""
    note: str
    note_shorter: tuple[str, ...]
    """The note with shorter names, the longest first."""
    reveal: bool
    """The cards can be turned up by finger."""
    no_decision: bool
    winners: Sequence[str]
    ended: Ended | None
    """The end of a round by the last act: in sight until a touch or the next act."""
    about: tuple[str, str | None]
    """The number that matters, as *why* knows it, and whose it is; ("", None) for none."""


def centre(m: ProkonsulMoment) -> Prokonsul:
    """Return the centre of the table at this moment."""
    view = m.view
    return Prokonsul(
        phase=view["phase"],
        turn=view["turn"],
        seats=tuple(m.seats),
        names=tuple((m.name(seat), *m.short_names[seat]) for seat in m.seats),
        number=number(m),
        provinces=provinces(m),
        row=pawn_row(m),
        plea=plea(m),
        sealed=sealed(m, turned_up(m)),
        call=called(m),
        note=note(m),
        note_shorter=silence_briefly(m) if quiet(m) else (),
        reveal=view["phase"] == "choosing" and not view["waiting"],
        no_decision=bool(m.options.get("no_decision")),
        winners=m.result["winners"] if view["over"] else (),
        ended=last_end(m),
        about=about(m),
    )


def turned_up(m: ProkonsulMoment) -> Mapping[str, str]:
    """Return the cards that the last act turned up, by seat."""
    return {seat: f"{seat} {rank}" for seat, rank in last(m, "revealed", fresh=True).get("cards", {}).items()}


def about(m: ProkonsulMoment) -> tuple[str, str | None]:
    """Return what *why* explains after a touch on the number that matters."""
    view = m.view
    if view["target"] is not None:
        return "target", None
    if view["phase"] == "choosing":
        return "value", view["province"]
    return ("score", m.result["winners"][0]) if view["over"] else ("provinces", None)


def number(m: ProkonsulMoment) -> Headline:
    """Return the majority target once cards lie open.

    Before that, return the value of the province at stake or the number of open provinces; at the end, the best score.
    """
    view = m.view
    if view["target"] is not None:
        caption = m.say(N_("Target"))
        return Headline(caption, str(view["target"]), m.say(N_("of {total}"), total=view["total"]))
    at = view["province"]
    if view["phase"] == "choosing" and at:
        value = view["provinces"][at]["value"]
        return Headline(m.say(N_("At stake")), str(value), m.name(at))
    if view["over"]:
        scores, winners = m.result["scores"], m.result["winners"]
        return Headline(m.say(N_("Most chips")), str(max(scores.values())), m.say(N_("{seats}"), seats=winners))
    left = sum(not province["governor"] for province in view["provinces"].values())
    return Headline(m.say(N_("Open provinces")), str(left), m.say(N_("of seven")))


def note(m: ProkonsulMoment) -> str:
    """Return the line of small print under the controls."""
    view = m.view
    match view["phase"]:
        case "pawns" if m.outlines:
            return m.say(
                N_("Tap the colours in the order drawn; on the table, the pawns stand in this row from left to right.")
            )
        case "province" if not m.outlines:
            return ""
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
        case _ if quiet(m):
            return silence(m, m.name(view["pleader"] or ""))
        case "negotiating":
            return m.say(N_("Chips may change hands until a coalition is named; promises bind nobody."))
    return ""


def quiet(m: ProkonsulMoment) -> bool:
    """Return whether only some may speak: while somebody pleads (P-26)."""
    return m.view["phase"] in ("pleading", "answering")


def silence(m: ProkonsulMoment, pleader: str, asked: str = "") -> str:
    """Return who may speak: the player who pleads, by this name, and in two-way negotiation the one who is asked."""
    offer = m.view["offer"]
    if offer and m.options.get("negotiation") == "two_way":
        asked = asked or m.name(offer["to"])
        return m.say(N_("Only {pleader} and {asked} speak."), pleader=Words(pleader), asked=Words(asked))
    if offer:
        asked = asked or m.name(offer["to"])
        return m.say(N_("{asked} answers only yes or no."), asked=Words(asked))
    return m.say(N_("Only {pleader} speaks."), pleader=Words(pleader))


def silence_briefly(m: ProkonsulMoment) -> tuple[str, ...]:
    """Return who may speak with shorter names, the longest first."""
    offer, names = m.view["offer"], m.short_names[m.view["pleader"] or ""]
    asked = m.short_names[offer["to"]] if offer else ()
    return tuple(silence(m, *both) for both in zip_longest(names, asked[: len(names)], fillvalue=""))
