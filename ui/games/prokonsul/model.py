"""What the screen shows of Prokonsul: what is expected, the number that matters, the plea, the row, the provinces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules import N_, Said
from ui.table.moment import Moment

Cards = Sequence[str]


@dataclass(frozen=True, slots=True)
class Number:
    """The number that matters, what it is, and what stands beside it."""

    caption: str
    value: str
    beside: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A province as it lies on the board."""

    id: str
    name: str
    value: int
    candidates: Sequence[str]
    governor: str
    pawn: bool
    tap: bool
    """It can be tapped: the black pawn may go there."""
    lit: bool
    """Its edge is lit."""


@dataclass(frozen=True, slots=True)
class Provinces:
    tiles: Sequence[Tile]
    links: Sequence[tuple[int, int, int]]
    """Linked tiles by their index, and the level their arc is drawn on, so that arcs never cross on one level."""


@dataclass(frozen=True, slots=True)
class Row:
    """The pawn row, left to right; `note` tells its last move and who pleads next if this plea fails."""

    seats: Sequence[str]
    caption: str
    moved: str
    note: str


@dataclass(frozen=True, slots=True)
class Bar:
    """The pleader's cards on the way to the target."""

    seat: str
    cards: Cards
    target: int
    held: int
    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """One seat the pleader might ask: what it holds, or why not."""

    seat: str
    text: str
    can: bool


@dataclass(frozen=True, slots=True)
class Plea:
    bar: Bar
    ask: Sequence[Ask]
    offer: str
    """The offer that waits for an answer, "" while none does."""
    asked: str
    replace: bool
    """Two-way: the pleader may still change the offer."""


def rank(card: str) -> int:
    return int(card.split()[1])


def worth(cards: Cards) -> int:
    return sum(map(rank, cards))


# -- the top line -----------------------------------------------------------------------------------------------

ALONE = {
    "pawns": N_("Everybody: draw the pawns blind and tap them here in the order drawn."),
    "province": N_("Everybody: agree where the black pawn starts and tap that province."),
    "negotiating": N_("Everybody: agree on a coalition that reaches {target}, and who of it wins."),
}


def expected(m: Moment) -> str:
    """One sentence: what is expected now, and from whom."""
    view = m.view
    seat, waiting = view["turn"], view["waiting"]
    match view["phase"]:
        case "province" if seat:
            return m.say(N_("{seat} won the round: tap the province the black pawn moves to."), seat=seat)
        case "choosing":
            return choosing(m, waiting)
        case "pleading":
            return m.say(N_("{seat} pleads: ask somebody for their cards and make an offer."), seat=seat)
        case "answering" if m.options.get("negotiation") == "two_way":
            text = N_("{seat}: yes or no? Until then {pleader} may make another offer.")
            return m.say(text, seat=seat, pleader=view["pleader"])
        case "answering":
            return m.say(N_("{seat}: answer {pleader} – yes or no?"), seat=seat, pleader=view["pleader"])
        case "over":
            one, more = N_("The game is over: {seats} wins."), N_("The game is over: {seats} share the victory.")
            winners = view["result"]["winners"]
            return m.say(more if len(winners) > 1 else one, seats=winners)
    return m.say(ALONE[view["phase"]], target=view["target"])


def choosing(m: Moment, waiting: Sequence[str]) -> str:
    """From the first card face down to the last fist that opens."""
    if len(waiting) == len(m.seats):
        return m.say(N_("Everybody: choose a card and lay it face down."))
    if waiting:
        return m.say(N_("{seats}: choose a card and lay it face down."), seats=waiting)
    if m.called:
        return m.say(N_("Everybody: open your fists – now!"))
    if m.reveal == "fists":
        missing = [seat for seat in m.fists if seat not in m.closed]
        if len(missing) == len(m.fists):
            return m.say(N_("Everybody: hold your button until all hold."))
        return m.say(N_("{seats}: hold your button until all hold."), seats=missing)
    return m.say(N_("Everybody: turn the cards up."))


def awaited(m: Moment) -> Sequence[str]:
    """The seats something is still to come from, as shapes beside the sentence."""
    if m.fists and not m.called:
        return [seat for seat in m.fists if seat not in m.closed]
    return m.fists if m.called else m.view["waiting"]


# -- the number, the plea ---------------------------------------------------------------------------------------


def number(m: Moment) -> Number:
    """The majority target once cards lie open; before that, what the province at stake is worth."""
    view = m.view
    if view["target"] is not None:
        caption = m.say(N_("Majority target"))
        return Number(caption, str(view["target"]), m.say(N_("of {total} in all"), total=view["total"]))
    at = view["province"]
    if view["phase"] == "choosing" and at:
        value = view["provinces"][at]["value"]
        return Number(m.say(N_("At stake")), str(value), m.name(at))
    if view["over"]:
        scores, winners = view["result"]["scores"], view["result"]["winners"]
        return Number(m.say(N_("Most chips")), str(max(scores.values())), m.say(N_("{seats}"), seats=winners))
    left = sum(not province["governor"] for province in view["provinces"].values())
    return Number(m.say(N_("Provinces open")), str(left), m.say(N_("of seven")))


def plea(m: Moment) -> Plea | None:
    """The plea that is going on, None while nobody pleads."""
    view = m.view
    pleader, offer = view["pleader"], view["offer"]
    if not pleader:
        return None
    cards = view["holds"][pleader]
    held = worth(cards)
    more = m.say(N_("{seat} holds {held}: {more} more"), seat=pleader, held=held, more=max(0, view["target"] - held))
    bar = Bar(pleader, tuple(cards), view["target"], held, more)
    others = [seat for seat in m.seats if seat != pleader]
    two_way = m.options.get("negotiation") == "two_way"
    return Plea(
        bar,
        tuple(ask(m, seat) for seat in others),
        offered(m, offer) if offer else "",
        offer["to"] if offer else "",
        bool(offer) and two_way,
    )


def ask(m: Moment, seat: str) -> Ask:
    """Whether the pleader can still ask this seat, and why not."""
    view = m.view
    holds = view["holds"][seat]
    if not holds:
        return Ask(seat, m.say(N_("no cards")), False)
    if seat in view["can_ask"]:
        return Ask(seat, m.say(N_("ask: {held}"), held=worth(holds)), not view["offer"])
    if view["offer"] and view["offer"]["to"] == seat:
        return Ask(seat, m.say(N_("is asked")), False)
    return Ask(seat, m.say(N_("said no")), False)


def offered(m: Moment, offer: Mapping[str, Any]) -> str:
    """The offer in words."""
    facts = {"seat": m.view["pleader"], "to": offer["to"], "chips": offer["chips"]}
    if offer["promise"]:
        text = N_("{seat} offers {to} {chips} chips and promises {promise}")
        return m.say(text, **facts, promise=Said(offer["promise"]))
    return m.say(N_("{seat} offers {to} {chips} chips"), **facts)


# -- the pawn row -----------------------------------------------------------------------------------------------


def pawn_row(m: Moment) -> Row | None:
    """The row, its last move in this round, and the pleading order it leads to."""
    if not m.view["row"]:
        return None
    tie = last_tie(m) if m.view["pleader"] else None
    moved = tie["pleader"] if tie else ""
    return Row(tuple(m.view["row"]), m.say(N_("Pawn row")), moved, row_note(m, tie))


def row_note(m: Moment, tie: Mapping[str, Any] | None) -> str:
    """The tie that moved a pawn, and who pleads next if nobody sells."""
    view = m.view
    if not view["pleader"]:
        return m.say(N_("It settles ties."))
    facts: dict[str, Any] = {"next": order(view), "first": view["first_pleader"]}
    if not tie:
        then, last = N_("If this plea fails: {next}."), N_("If this plea fails, {first}, first to plead, wins.")
        return m.say(then if facts["next"] else last, **facts)
    facts |= {"seat": tie["pleader"], "rivals": [seat for seat in tie["tied"] if seat != tie["pleader"]]}
    then = N_("Tie with {rivals}: {seat} moved to the end. If this plea fails: {next}.")
    last = N_("Tie with {rivals}: {seat} moved to the end. If this plea fails, {first} wins.")
    return m.say(then if facts["next"] else last, **facts)


def last_tie(m: Moment) -> Mapping[str, Any] | None:
    """The facts of the tie that gave the present plea, if one did."""
    for receipt in reversed(m.acts):
        facts = {ruling.code: ruling.facts for ruling in receipt.public}
        if "plea" in facts and facts["plea"]["pleader"] == m.view["pleader"]:
            tie = facts.get("tie")
            return tie if tie and list(tie["row_after"]) == list(m.view["row"]) else None
    return None


def order(view: Mapping[str, Any]) -> Sequence[str]:
    """Who pleads after the present plea, if nobody sells and every plea fails."""
    row, played = list(view["row"]), view["played"]
    gone = {view["pleader"], *view["pleaded"]}
    left = [seat for seat in row if view["holds"].get(seat) and seat not in gone]
    found: list[str] = []
    while left and view["pleader"]:
        best = max(rank(played[seat]) for seat in left)
        tied = [seat for seat in row if seat in left and rank(played[seat]) == best]
        found.append(tied[0])
        left.remove(tied[0])
        if len(tied) > 1:
            row.remove(tied[0])
            row.append(tied[0])
    return found


# -- the provinces ----------------------------------------------------------------------------------------------


def provinces(m: Moment) -> Provinces:
    """The seven provinces and their links."""
    tiles = tuple(tile(m, province, data) for province, data in m.view["provinces"].items())
    return Provinces(tiles, arcs([tile.id for tile in tiles], m.links))


def tile(m: Moment, province: str, data: Mapping[str, Any]) -> Tile:
    """One province; while the black pawn moves, those it may go to are lit."""
    view = m.view
    here = province == view["province"]
    goes = view["phase"] == "province" and not data["governor"] and not (view["turn"] and here)
    lit = goes if view["phase"] == "province" else here
    governor, candidates = data["governor"] or "", tuple(data["candidates"])
    return Tile(province, m.name(province), data["value"], candidates, governor, here, goes, lit)


def arcs(ids: Sequence[str], links: Sequence[tuple[str, str]]) -> Sequence[tuple[int, int, int]]:
    """Each link as two indexes and the first level on which nothing else lies between them."""
    ends = [(ids.index(one), ids.index(other)) for one, other in links]
    spans = {(min(pair), max(pair)) for pair in ends}
    placed: list[tuple[int, int, int]] = []
    for left, right in sorted(spans, key=lambda span: span[1] - span[0]):
        taken = {level for a, b, level in placed if a < right and left < b}
        level = next(level for level in range(len(placed) + 1) if level not in taken)
        placed.append((left, right, level))
    return tuple(placed)
