"""What the screen shows of Spartacus: the trick and what it is worth, who is out, whose turn, the points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.cards import DECK, FLAG
from companion.rules import N_
from ui.games.parts.big import Big, call
from ui.games.parts.deeds import Deed, Terms, deeds
from ui.games.parts.past import Facts, last
from ui.games.spartacus.at import At


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


def centre(m: At) -> Spartacus:
    """The centre of the table at this moment."""
    return Spartacus(big(m), trick(m), [gladiator(m, seat) for seat in m.seats], deeds(m, Terms()))


# -- the number that matters ------------------------------------------------------------------------------------


def big(m: At) -> Big:
    """What the trick is worth now; right after it was taken, what it brought; in the end the winner's points."""
    ended, facts = call(m), taken(m)
    if ended:
        return ended
    if m.view["trick"] or not facts:
        return Big(m.say(N_("The trick is worth")), str(m.beside["worth"]), working(m))
    caption = m.say(N_("{seat} took"), seat=facts["seat"])
    return Big(caption, str(facts["points"]), caption, [facts["seat"]])


def working(m: At) -> str:
    """How the trick comes to what it is worth: "33 × 2 × 2"; "" where the sum alone is it."""
    lies = m.beside
    if lies["void"]:
        return m.say(N_("a joker: nothing"))
    steps = " × 2" * lies["doubled"] + " − 10" * lies["jokers"]
    return f"{lies['numbers']}{steps}" if steps else ""


def taken(m: At) -> Facts:
    """The facts of the trick that the last act gave to somebody, {} if it gave none."""
    return last(m, "worth", fresh=True)


# -- the trick --------------------------------------------------------------------------------------------------


def trick(m: At) -> Trick:
    """What lies, or what was just taken."""
    lies = [lying["card"] for lying in m.view["trick"]]
    facts = {} if lies else taken(m)
    if facts:
        caption = m.say(N_("{seat} took: {working}"), seat=facts["seat"], working=facts["working"])
        return Trick(caption, [Lying(str(card), "", False) for card in facts["cards"]], m.view["turn"] or "", True)
    caption = m.say(N_("The trick, in the order of play"))
    return Trick(caption, [lying(m, card) for card in lies], m.view["turn"] or "", False)


def lying(m: At, card: str) -> Lying:
    lowest, takes = m.view["lowest"], m.beside["takes"]
    strong = bool(takes and takes["card"] == card)
    if lowest and lowest["card"] == card:
        return Lying(card, m.say(N_("lowest")), strong)
    if strong:
        return Lying(card, m.say(N_("takes")), strong)
    return Lying(card, "× 2" if m.beside["doubled"] and DECK[card].rank == FLAG else "", strong)


# -- the seats --------------------------------------------------------------------------------------------------


def gladiator(m: At, seat: str) -> Gladiator:
    view, strong = m.view, m.beside["takes"]
    out, takes, turn = seat in view["passed"], bool(strong and strong["seat"] == seat), view["turn"] == seat
    if view["over"]:
        result = m.result
        points, text = result["scores"][seat], balance(m, seat)
        return Gladiator(seat, m.tongue.phrase(points), text, view["hand_sizes"][seat], False, False,
                         seat in result["winners"])  # fmt: skip
    words = N_("to move") if turn else N_("passed") if out else N_("takes it") if takes else N_("in the trick")
    text = m.say(words) if turn or view["trick"] else ""
    return Gladiator(seat, str(view["points"][seat]), text, view["hand_sizes"][seat], turn, out, takes)


def balance(m: At, seat: str) -> str:
    """How the final score comes about: "42 − 8", "" where nothing was lost."""
    won = m.view["points"][seat]
    lost = won - m.result["scores"][seat]
    return f"{won} − {lost}" if lost else ""
