"""The words around the default board: what is expected in each phase, each seat's facts, the end, what goes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.cards import DECK
from companion.rules import N_, Ruling
from companion.words import say
from ui.games.any import model as plain_board
from ui.table.moment import Moment


def told(m: Moment) -> plain_board.Plain:
    """The centre of the table, for the default board."""
    return plain_board.board(m, m.outlines)


# -- the top line -----------------------------------------------------------------------------------------------


def expected(m: Moment) -> str:
    """One sentence: what is expected now, and from whom."""
    if m.view["over"]:
        return over(m)
    if m.called:
        return m.say(N_("Everybody who holds: open your fists – now!"))
    told = SENTENCES.get(m.game.name)
    return told(m) if told else anybody(m)


def over(m: Moment) -> str:
    winners = m.view["result"]["winners"]
    one, more = N_("The game is over: {seats} wins."), N_("The game is over: {seats} share the victory.")
    none = N_("The game is over: nobody wins.")
    return m.say((more if len(winners) > 1 else one) if winners else none, seats=winners)


def anybody(m: Moment) -> str:
    """Any game: who is awaited."""
    if m.view["phase"] == "choosing":
        return choosing(m, N_("{seats}: choose a card and lay it face down."))
    waiting = [m.view["turn"]] if m.view["turn"] else m.view["waiting"]
    return m.say(N_("{seats}: it is for you to act.") if waiting else N_("Everybody: it is for you to act."),
                 seats=waiting)  # fmt: skip


def choosing(m: Moment, text: str) -> str:
    """From the first card face down to the last fist that opens."""
    waiting = m.view["waiting"]
    if waiting:
        return m.say(text, seats=waiting)
    return holding(m, N_("{seats}: turn your cards up together."))


def holding(m: Moment, text: str) -> str:
    """Fists that are still to be closed; `text` where there are no buttons."""
    missing = [seat for seat in m.fists if seat not in m.closed]
    if m.reveal != "fists" or not m.fists:
        return m.say(text, seats=m.fists or m.view["waiting"] or m.view.get("chosen", ()))
    return few(m, N_("{seats}: hold your button until all hold."), N_("Hold your buttons until all hold."), missing)


def few(m: Moment, text: str, many: str, seats: Sequence[str]) -> str:
    """The text with the seats' names, or `many` without them: their shapes stand beside it anyhow."""
    return m.say(text if len(seats) <= FEW else many, seats=seats)


FEW = 3
"""How many names there is room for."""


def mercator(m: Moment) -> str:
    view = m.view
    seat, waiting = view["turn"], view["waiting"]
    match view["phase"]:
        case "flipping":
            more = N_("{seat}: turn up another card, or stop for the auction.")
            return m.say(more if view["lot"] else N_("{seat}: turn up the first card of the lot."), seat=seat)
        case "fists":
            return mercator_fists(m)
        case "bidding" if m.options.get("auction") == "open":
            return m.say(N_("Open outcry: who buys the lot, and for how much?"))
        case "bidding":
            many = N_("Name what was in your fists, one after another.")
            return few(m, N_("{seats}: name what was in your fist."), many, waiting)
    return m.say(N_("{seat}: load the next card from the pile, free."), seat=seat)


def mercator_fists(m: Moment) -> str:
    """Chips are hidden first, then all hold."""
    seats = m.fists or m.view["waiting"]
    hidden = N_("Hide chips in your fists, and open them all together.")
    if m.reveal == "fists" and any(seat in m.closed for seat in seats):
        return holding(m, hidden)
    alone = N_("{seats}: hide chips in your fist and open it.")
    together = N_("{seats}: hide chips in your fists, and open them together.")
    return few(m, together if len(seats) > 1 else alone, hidden, seats)


def spartacus(m: Moment) -> str:
    view, flags = m.view, m.options.get("flags", "double")
    if not view["trick"]:
        return m.say(N_("{seat} leads: play any card."), seat=view["turn"])
    if not view["lowest"]:
        return m.say(N_("{seat}: play any card – nobody passes yet."), seat=view["turn"])
    texts = {
        "double": N_("{seat}: play below {rank} or your flag, or pass."),
        "joker": N_("{seat}: play below {rank} or your joker, or pass."),
        "none": N_("{seat}: play below {rank}, or pass."),
    }
    return m.say(texts[flags], seat=view["turn"], rank=DECK[view["lowest"]["card"]].rank)


def caesar(m: Moment) -> str:
    view = m.view
    match view["phase"]:
        case "placing":
            return m.say(N_("{seat}: put a counter on an empty square."), seat=view["turn"])
        case "choosing":
            return choosing(m, N_("{seats}: choose a card for the duel, face down."))
    return m.say(N_("{seat}: attack or ally; pass only if no attack is open."), seat=view["turn"])


def hannibal(m: Moment) -> str:
    view = m.view
    match view["phase"]:
        case "declaring":
            return m.say(N_("{seats}: say who fights, Hannibal or a legion."), seats=view["waiting"])
        case "choosing":
            return choosing(m, N_("{seats}: choose a card for the battle, face down."))
    rome, carthage = N_("{seat} (Rome): move one legion or fleet."), N_("{seat} (Carthage): move one piece.")
    return m.say(rome if view["turn"] == "blue" else carthage, seat=view["turn"])


SENTENCES: Mapping[str, Callable[[Moment], str]] = {
    "mercator": mercator,
    "spartacus": spartacus,
    "caesar": caesar,
    "hannibal": hannibal,
}


def awaited(m: Moment) -> Sequence[str]:
    """The seats something is still to come from, as shapes beside the sentence."""
    if m.fists and not m.called:
        return [seat for seat in m.fists if seat not in m.closed]
    waiting: Sequence[str] = m.fists or m.view["waiting"]
    return waiting


# -- a seat's panel ---------------------------------------------------------------------------------------------

STATUS = {
    "track": N_("cargo {count}"),
    "hand_sizes": N_("cards: {count}"),
    "points": N_("points: {count}"),
    "to_place": N_("to place: {count}"),
    "chips": N_("chips: {count}"),
}
"""The facts of a seat that stand in its panel all game long."""

SCORE = {"mercator": N_("chips: {count}"), "spartacus": N_("points: {count}"), "caesar": N_("counters: {count}")}


def status(m: Moment, seat: str) -> str:
    """A seat's part of the moment in a few words."""
    view = m.view
    if view["over"]:
        return score(m, view["result"], seat)
    if m.fists and seat in m.fists:
        return m.say(N_("open") if m.called else N_("fist closed") if seat in m.closed else N_("hold!"))
    if seat in view.get("out", ()):
        return m.say(N_("out of the game"))
    if seat in view.get("passed", ()):
        return m.say(N_("passed"))
    return " · ".join(standings(m, seat)[:2])


def score(m: Moment, result: Mapping[str, Any], seat: str) -> str:
    """What the seat has come to; a game that is won or lost has no score."""
    if m.game.series == "twice":
        winners = result["winners"]
        return m.say(N_("won") if seat in winners else N_("lost") if winners else N_("drawn"))
    return m.say(SCORE.get(m.game.name, N_("{count}")), count=result["scores"][seat])


def standings(m: Moment, seat: str) -> Sequence[str]:
    """The facts of a seat, in words."""
    counts = {key: (m.view.get(key) or {}).get(seat) for key in STATUS}
    return [m.say(STATUS[key], count=count) for key, count in counts.items() if count is not None]


# -- rulings ----------------------------------------------------------------------------------------------------

QUIET = {"next", "leads", "opens", "loading", "full", "fights", "who_fights", "battle", "hand", "limit"}
"""Rulings that tell only what comes next; the top line says it anyhow."""

BACK: Mapping[str, str] = {
    "flip": N_("That card goes back on top of the pile."),
    "auction": N_("The lot is not yet for sale."),
    "bid": N_("That bid is named again; a lot that was sold comes back, and its price and the pawn go back."),
    "sold": N_("The lot, its price and the pawn go back."),
    "unsold": N_("The lot comes back on the table."),
    "load": N_("That card goes back on top of the pile, and the pawn goes back."),
    "play": N_("That card goes back into the hand; a trick that was taken comes back on the table."),
    "pass": N_("The pass does not count; a trick that was taken comes back on the table."),
    "place": N_("That counter goes back into the hand; neutral counters are cleared."),
    "ally": N_("Both groups go back to their squares."),
    "attack": N_("The duel is off; cards go back into the hands."),
    "move": N_("That piece goes back to where it came from."),
    "defend": N_("Who fights is said again."),
}
"""What people put back on the real table, by the verb that is taken back."""

# -- the end ----------------------------------------------------------------------------------------------------


def note(m: Moment, seat: str) -> str:
    """Where a seat's score came from: its own rulings of the last act, for the end page."""
    last = next((act.public for act in reversed(m.acts)), ())
    own = [say(ruling, m.lang) for ruling in last if ruling.code in BREAKDOWN and concerns(ruling, seat)]
    return " ".join(own) or " · ".join(standings(m, seat))


BREAKDOWN = ("sale", "shared", "hand", "scored", "capital", "mediterranean", "no_legions", "no_move", "eight_chips")


def concerns(ruling: Ruling, seat: str) -> bool:
    """The ruling is about this seat."""
    facts = ruling.facts
    return seat in (facts.get("seat"), facts.get("winner")) or seat in facts.get("seats", ())
