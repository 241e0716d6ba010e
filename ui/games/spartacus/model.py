"""What the screen shows of Spartacus: the trick and what it is worth, who is out, whose turn, the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.cards import DECK
from companion.rules import N_
from companion.words import phrase
from ui.games.parts.big import Big, call
from ui.games.parts.deeds import Deed, deeds
from ui.games.parts.past import last
from ui.games.spartacus.sentences import TERMS
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Lying:
    """A card of the trick; `word` says what it does: it is the lowest, takes the trick, doubles it."""

    card: str
    word: str
    strong: bool
    """It takes the trick as it lies."""


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards in the order of play, and whose card comes next; `gone` is a trick that was just taken."""

    caption: str
    cards: Sequence[Lying]
    turn: str
    gone: bool


@dataclass(frozen=True, slots=True)
class Gladiator:
    """A seat: its points, what it holds, and where it stands in the trick."""

    seat: str
    points: str
    text: str
    cards: int
    turn: bool
    out: bool
    takes: bool


@dataclass(frozen=True, slots=True)
class Spartacus:
    """All that the centre shows."""

    big: Big
    trick: Trick
    seats: Sequence[Gladiator]
    deeds: Sequence[Deed]


def centre(m: Moment) -> Spartacus:
    """The centre of the table at this moment."""
    known = reckoned(m)
    strong = known["takes"]
    seats = [gladiator(m, seat, strong) for seat in m.seats]
    return Spartacus(big(m, known), trick(m, strong), seats, deeds(m, TERMS))


def reckoned(m: Moment) -> Mapping[str, Any]:
    """What the rules say and the view does not: the card that takes the trick as it lies, and what that is worth."""
    ranks = [DECK[lying["card"]].rank for lying in m.view["trick"]]
    worth, working = worked(m, sum(ranks), ranks.count(0))
    return {"takes": strongest(m), "worth": worth, "working": working}


def worked(m: Moment, total: int, flags: int) -> tuple[int, str]:
    """What a trick is worth, and how it comes to that: "33 × 2 × 2"; "" where the sum alone is it."""
    penalty = m.options.get("joker_penalty")
    if not flags:
        return total, ""
    if m.options.get("flags") != "joker":
        return total << flags, f"{total}{' × 2' * flags}"
    if penalty == "void":
        return 0, m.say(N_("a joker: nothing"))
    return (total - 10 * flags, f"{total}{' − 10' * flags}") if penalty == "minus10" else (total, "")


def strongest(m: Moment) -> str:
    """The card that takes the trick as it lies: the lowest number, among jokers the last card; "" if there is none."""
    view = m.view
    if view["trick"] and m.options.get("flags") == "joker":
        return str(view["trick"][-1]["card"])
    return str(view["lowest"]["card"]) if view["lowest"] else ""


# -- the number that matters ------------------------------------------------------------------------------------


def big(m: Moment, known: Mapping[str, Any]) -> Big:
    """What the trick is worth now; right after it was taken, what it brought; in the end the winner's points."""
    ended, facts = call(m), taken(m)
    if ended:
        return ended
    if m.view["trick"] or not facts:
        return Big(m.say(N_("The trick is worth")), str(known["worth"]), known["working"])
    caption = m.say(N_("{seat} took"), seat=facts["seat"])
    return Big(caption, str(facts["points"]), caption, [facts["seat"]])


def taken(m: Moment) -> Mapping[str, Any]:
    """The facts of the trick that the last act gave to somebody, {} if it gave none."""
    return last(m, "worth", fresh=True)


# -- the trick --------------------------------------------------------------------------------------------------


def trick(m: Moment, strong: str) -> Trick:
    """What lies, or what was just taken."""
    lies = [lying["card"] for lying in m.view["trick"]]
    facts = {} if lies else taken(m)
    if facts:
        caption = m.say(N_("{seat} took: {working}"), seat=facts["seat"], working=facts["working"])
        return Trick(caption, [Lying(str(card), "", False) for card in facts["cards"]], m.view["turn"] or "", True)
    caption = m.say(N_("The trick, in the order of play"))
    return Trick(caption, [lying(m, card, strong) for card in lies], m.view["turn"] or "", False)


def lying(m: Moment, card: str, strong: str) -> Lying:
    low = m.view["lowest"] and m.view["lowest"]["card"] == card
    if low:
        return Lying(card, m.say(N_("lowest")), card == strong)
    if not DECK[card].rank:
        joker = m.options.get("flags") == "joker"
        return Lying(card, m.say(N_("takes")) if card == strong else "" if joker else "× 2", card == strong)
    return Lying(card, "", False)


# -- the seats --------------------------------------------------------------------------------------------------


def gladiator(m: Moment, seat: str, strong: str) -> Gladiator:
    view = m.view
    out, takes, turn = seat in view["passed"], strong.startswith(f"{seat} "), view["turn"] == seat
    if view["over"]:
        result = view["result"]
        points, text = result["scores"][seat], balance(m, seat)
        return Gladiator(seat, phrase(points, m.lang), text, view["hand_sizes"][seat], False, False,
                         seat in result["winners"])  # fmt: skip
    words = N_("to move") if turn else N_("passed") if out else N_("takes it") if takes else N_("in the trick")
    text = m.say(words) if turn or view["trick"] else ""
    return Gladiator(seat, str(view["points"][seat]), text, view["hand_sizes"][seat], turn, out, takes)


def balance(m: Moment, seat: str) -> str:
    """How the final score comes about: "42 − 8", "" where nothing was lost."""
    won = m.view["points"][seat]
    lost = won - m.view["result"]["scores"][seat]
    return f"{won} − {lost}" if lost else ""
