"""The screen's model of Spartacus: the trick and its worth, who is out, whose turn it is, the points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import N_, plural
from companion.rules.cards import DECK, FLAG
from ui.games.parts.actions import Action, Terms, actions
from ui.games.parts.headline import Headline, call
from ui.games.parts.past import last
from ui.games.spartacus.moment import SpartacusMoment

About = tuple[str, str | None]
"""The word by which the guide knows a number, and whose it is; "" for a number of nothing."""


@dataclass(frozen=True, slots=True)
class TrickCard:
    """A card of the trick; `word` says what it does: it is the lowest, takes the trick, doubles it."""

    card: str
    word: str
    strong: bool
    """Whether it takes the trick as it lies."""


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards in the order of play, and whose card comes next; `gone` is a trick that was just taken."""

    caption: str
    cards: Sequence[TrickCard]
    turn: str
    gone: bool


@dataclass(frozen=True, slots=True)
class Past:
    """A trick that the last act gave to somebody, by the act's number: it stays until it is put away."""

    number: int
    big: Headline
    trick: Trick
    about: About
    sum: str
    """The working: "(8+5) × 2"; "" for a single number, and where it is not said."""


@dataclass(frozen=True, slots=True)
class Spartacus:
    """All that the centre shows."""

    big: Headline
    about: About
    trick: Trick
    past: Past | None
    brief: str
    """The sum alone, where its numbers are too many."""
    doubled: str
    """The doubling cards or its cost, in words."""
    actions: Sequence[Action]


def centre(m: SpartacusMoment) -> Spartacus:
    """Return the centre of the table at this moment."""
    return Spartacus(big(m), about(m), trick(m), past(m), brief(m), doubled(m), actions(m, Terms()))


# -- the number that matters ------------------------------------------------------------------------------------


def big(m: SpartacusMoment) -> Headline:
    """Return what the trick is worth, or its lowest number while points are covered; in the end the winner."""
    ended = call(m)
    if ended:
        return ended
    if covered(m):
        return Headline(m.say(N_("The lowest number")), str(m.derived["below"] or "–"), "")
    return Headline(m.say(N_("The trick is worth")), m.tongue.phrase(m.derived["worth"]), working(m))


def covered(m: SpartacusMoment) -> bool:
    """Return whether points are covered: nobody is told yet what tricks are worth."""
    return m.derived["worth"] is None


def about(m: SpartacusMoment) -> About:
    """Return the word by which the guide knows the number, and whose it is."""
    return ("score", None) if m.view["over"] else ("", None) if covered(m) else ("worth", None)


def working(m: SpartacusMoment) -> str:
    """Return the numbers that count as a sum, such as "8 + 7 + 5"; "" for one number.

    Where flags or jokers change the worth, add what the sum comes to.
    """
    ranks = [DECK[lies["card"]].rank for lies in m.view["trick"]]
    numbers = [str(rank) for rank in ranks if rank != FLAG]
    more = f" = {m.derived['numbers']}" if m.derived["worth"] != m.derived["numbers"] else ""
    return f"{' + '.join(numbers)}{more}" if len(numbers) > 1 else ""


def brief(m: SpartacusMoment) -> str:
    """Return what the numbers come to, where the trick is worth something else."""
    at = m.derived
    return f"= {at['numbers']}" if at["worth"] not in (None, at["numbers"]) else " "


def doubled(m: SpartacusMoment) -> str:
    """Return what flags and jokers do to that sum, in words."""
    at = m.derived
    if covered(m) or m.view["over"]:
        return ""
    if at["void"]:
        return m.say(N_("a joker: nothing"))
    flags = plural("doubled by one flag", "doubled by each of {count} flags", "count")
    steps = [m.say(flags, count=at["doubled"])] if at["doubled"] else []
    if at["jokers"]:
        steps.append(m.say(plural("a joker: 10 less", "jokers: 10 less each", "count"), count=at["jokers"]))
    return " · ".join(steps)


# -- the trick --------------------------------------------------------------------------------------------------


def trick(m: SpartacusMoment) -> Trick:
    """Return the cards that lie in the trick."""
    cards = [lying(m, lies["card"]) for lies in m.view["trick"]]
    return Trick(m.say(N_("The trick, in the order of play")), cards, m.view["turn"] or "", False)


def past(m: SpartacusMoment) -> Past | None:
    """Return the trick that the last act gave to a seat: its cards, and its worth unless points are covered."""
    facts = last(m, "taken", fresh=True) or last(m, "last_trick", fresh=True)
    if not facts:
        return None
    seat, worth = facts["seat"], last(m, "worth", fresh=True)
    caption = m.say(N_("{seat} took"), seat=seat)
    shown = Trick(
        m.say(N_("The trick, in the order of play")),
        [TrickCard(card, doubles(m, card), card == str(facts["card"])) for card in gone(m)],
        m.view["turn"] or "",
        True,
    )
    number = Headline(caption, m.tongue.phrase(worth["points"]) if worth else "", "", [seat])
    asked: About = ("points", seat) if worth else ("", None)
    came = str(worth.get("working", ""))
    if m.view["over"]:
        number, asked, came = big(m), ("score", None), ""
    return Past(m.acts[-1].number, number, shown, asked, "" if came.isdigit() else came)


def gone(m: SpartacusMoment) -> Sequence[str]:
    """Return the cards of that trick: those that lay before the last act, and the one it played."""
    before = [lies["card"] for lies in m.before["trick"]]
    played = last(m, "play", fresh=True)
    return [*before, str(played["card"])] if played else before


def lying(m: SpartacusMoment, card: str) -> TrickCard:
    lowest, takes = m.view["lowest"], m.derived["takes"]
    strong = bool(takes and takes["card"] == card)
    if lowest and lowest["card"] == card:
        return TrickCard(card, m.say(N_("lowest")), strong)
    if strong:
        return TrickCard(card, m.say(N_("takes")), strong)
    return TrickCard(card, doubles(m, card), strong)


def doubles(m: SpartacusMoment, card: str) -> str:
    """Return what a flag does to its trick, where it doubles it; "" for any other card."""
    return "× 2" if DECK[card].rank == FLAG and m.options.get("flags", "double") == "double" else ""
