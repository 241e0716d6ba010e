"""The screen's model of Mercator: the lot, the track, the ships, the auction from the flipper's left, the sale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.rules import N_, NC_
from ui.games.mercator.moment import MercatorMoment
from ui.games.mercator.sentences import TERMS, out
from ui.games.parts import headline
from ui.games.parts.actions import Action, actions
from ui.games.parts.facts import SeatRow
from ui.games.parts.past import Facts, latest
from ui.games.parts.status import by_buttons

SHIP = 6
"""Berths of a ship."""


@dataclass(frozen=True, slots=True)
class Lot:
    """The number that matters, the cards it is the sum of or the seats it is about, and what it is."""

    value: str
    cards: Sequence[str]
    seats: Sequence[str]
    note: str
    about: tuple[str, str | None]
    """The word by which the guide knows the number, and whose it is."""


@dataclass(frozen=True, slots=True)
class Bidder:
    """A seat in the auction: what is known of its bid, and how it fared."""

    seat: str
    text: str
    part: bool
    """Its ship has room for the lot."""
    closed: bool = False
    best: bool = False
    wins: bool = False


@dataclass(frozen=True, slots=True)
class Auction:
    """The seats clockwise from the flipper's left, and what settles it."""

    bidders: Sequence[Bidder]
    note: str
    tie: bool


@dataclass(frozen=True, slots=True)
class Past:
    """An auction that the last act settled, by the act's number: it stays until it is put away."""

    number: int
    lot: Lot
    auction: Auction


@dataclass(frozen=True, slots=True)
class Ship:
    """A seat's six berths; `action` is what a tap on it does."""

    seat: str
    cards: Sequence[str]
    cargo: str
    text: str
    """A word where there is no room, or nothing else to say."""
    fist: str
    """"open" or "closed" while fists are called for, else ""."""
    bid: str
    """The amount it bids, or paid; at the end its chips."""
    best: bool
    """Whether nobody bids more."""
    fresh: int
    """The number of last berths that the last act has filled."""
    action: Action | None
    lit: bool
    faint: bool


@dataclass(frozen=True, slots=True)
class Best:
    """The line below the lot: the highest bid so far and its seat, or how many fists are closed."""

    caption: str
    shorter: str
    seat: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Sale:
    """The end as a table, best score first."""

    heads: Sequence[str]
    rows: Sequence[SeatRow]


@dataclass(frozen=True, slots=True)
class Mercator:
    """All that the centre shows."""

    lot: Lot
    call: str
    """The word everybody waits for, in the largest letters: "Open!"."""
    track: Mapping[str, int]
    stood: Mapping[str, int]
    """The earlier places of the pawns that the last act has moved."""
    last: int
    """The last space of the track."""
    ships: Sequence[Ship]
    best: Best | None
    past: Past | None
    actions: Sequence[Action]
    sale: Sale | None
    title: str
    """The title beside the number, with the count of the pile."""
    pile: str


def centre(m: MercatorMoment) -> Mercator:
    """Return the centre of the table at this moment."""
    done = actions(m, TERMS)
    by_seat = {action.seat: action for action in done if action.seat}
    return Mercator(
        lot(m),
        headline.called(m),
        m.view["track"],
        stood(m),
        m.derived["last"],
        [ship(m, seat, by_seat.get(seat)) for seat in m.seats],
        best(m),
        past(m),
        [*amounts(m, done), *done],
        sale(m) if m.view["over"] else None,
        m.say(N_("The lot")) if m.view["lot"] else "",
        pile(m) if m.view["lot"] or m.view["phase"] == "loading" else "",
    )


def stood(m: MercatorMoment) -> Mapping[str, int]:
    """Return where the pawns moved by the last act stood before it."""
    before = m.previous.view["track"] if m.previous else m.view["track"]
    return {seat: at for seat, at in before.items() if at != m.view["track"][seat]}


def best(m: MercatorMoment) -> Best | None:
    """Return the highest bid so far, or how many fists are closed until all are.

    Of equal bids, the first from the flipper's left is the highest.
    """
    view = m.view
    if m.fists and by_buttons(m):
        if all(seat in m.closed for seat in m.fists):
            return None
        count = m.say(N_("{count} of {all}"), count=sum(seat in m.closed for seat in m.fists), all=len(m.fists))
        return Best(m.say(N_("Fists closed")), m.say(N_("Closed")), "", count, "")
    if not any(view["bids"].values()):
        return None
    order = [seat for seat in m.derived["order"] if seat in view["bids"]]
    seat = max(order, key=lambda each: view["bids"][each])
    return Best(m.say(N_("Highest bid")), m.say(N_("Bid")), seat, m.name(seat), str(view["bids"][seat]))


def amounts(m: MercatorMoment, done: Sequence[Action]) -> Sequence[Action]:
    """Return one control for all amounts, where several seats can name theirs."""
    verb = next((action.verb for action in done if action.seat and action.verb in AMOUNTS), "")
    return [Action(verb, m.say(AMOUNTS[verb]), "", main=True)] if verb else []


AMOUNTS = {"bid": N_("Name the bids"), "sold": N_("Sold")}

# -- the number that matters ------------------------------------------------------------------------------------


def lot(m: MercatorMoment) -> Lot:
    """Return the sum of the lot; without a lot, the pile, the cargo of the loading ship or the best score."""
    view = m.view
    if view["over"]:
        result = m.result
        best = m.tongue.phrase(max(result["scores"].values()))
        return Lot(best, (), tuple(result["winners"]), m.say(N_("Most chips")), ("chips", None))
    if view["phase"] == "loading" and view["turn"]:
        seat = view["turn"]
        return Lot(str(view["track"][seat]), (), [seat], m.say(N_("Worth")), ("cargo", seat))
    if view["lot"]:
        return Lot(str(m.derived["worth"]), view["lot"], (), m.say(N_("Worth")), ("lot", None))
    return Lot(str(view["pile"]), (), (), m.say(N_("In the pile")), ("pile", None))


def pile(m: MercatorMoment) -> str:
    """Return how many cards the pile still has, in words."""
    return m.say(N_("Pile: {count}"), count=m.view["pile"])


def past(m: MercatorMoment) -> Past | None:
    """Return the auction that the last act settled, while the game goes on: the lot, its price, the bids."""
    ruled = {ruling.code: ruling.facts for ruling in latest(m)}
    code = next((code for code in ("won", "tie", "bought", "unsold") if code in ruled), "")
    if not code or m.view["over"]:
        return None
    facts = ruled[code]
    sold = ruled.get("sold", facts)
    said = m.say(N_("Paid") if "seat" in facts else N_("No bid"))
    shown = Lot(str(facts.get("chips", 0)), [str(card) for card in sold["lot"]], (), said, ("paid", None))
    return Past(m.acts[-1].number, shown, outcome(m, facts, code == "tie") if "bids" in facts else auction(m))


# -- the auction ------------------------------------------------------------------------------------------------


def auction(m: MercatorMoment) -> Auction:
    """Return the seats that may take part, their fists, and the bids named so far."""
    view = m.view
    if not m.derived["order"]:
        return Auction((), "", False)
    part = view["taking_part"] if view["lot"] else [seat for seat, room in m.derived["room"].items() if room]
    closed = set(m.closed) if by_buttons(m) else set()
    caption = CAPTIONS[view["phase"]] if view["lot"] else N_("Who wins ties")
    bidders = [Bidder(seat, bid(m, seat), seat in part, seat in closed) for seat in m.derived["order"]]
    return Auction(bidders, m.say(caption), False)


CAPTIONS = {
    "flipping": N_("Room for it"),
    "fists": N_("Fists"),
    "bidding": N_("Bids"),
}


def bid(m: MercatorMoment, seat: str) -> str:
    """Return the amount named, "" while there is none."""
    return str(m.view["bids"].get(seat, ""))


def outcome(m: MercatorMoment, facts: Facts, tie: bool) -> Auction:
    """Return every bid, those that tied, and the winner; nobody wins where all bid 0."""
    bids, winner = facts["bids"], facts.get("seat", "")
    best = facts.get("tied", [winner])
    order = facts.get("order", list(bids))
    bidders = [Bidder(seat, str(bids[seat]), True, best=seat in best, wins=seat == winner) for seat in order]
    note = m.say(N_("First from {flipper:of} left"), flipper=facts["flipper"]) if tie else m.say(N_("Bids"))
    return Auction(bidders, note, tie)


# -- the ships --------------------------------------------------------------------------------------------------


def ship(m: MercatorMoment, seat: str, action: Action | None) -> Ship:
    """Return one ship; while a lot lies, a ship without room for it stands back."""
    view = m.view
    faint = out(m, seat)
    text, asked = ship_text(m, seat, faint), seat in view["waiting"] and not m.fists
    top = best(m)
    fist = ("closed" if seat in m.closed else "open") if seat in m.fists and by_buttons(m) else ""
    score = m.tongue.phrase(m.result["scores"][seat]) if view["over"] else bid(m, seat)
    leads = seat in m.result["winners"] if view["over"] else bool(top and top.seat == seat)
    fresh = len(view["ships"][seat]) - len(m.previous.view["ships"][seat]) if m.previous else 0
    return Ship(
        seat, view["ships"][seat], str(view["track"][seat]), text, fist, score, leads, fresh, action, asked, faint
    )


def ship_text(m: MercatorMoment, seat: str, faint: bool) -> str:
    """Return why a ship has no part in the auction; "" where it has one."""
    if m.view["over"]:
        return ""
    room = m.derived["room"][seat]
    if not room:
        return m.say(N_("ship full"))
    return m.say(NC_("beside a ship", "no room")) if faint else ""


# -- the sale ---------------------------------------------------------------------------------------------------


def sale(m: MercatorMoment) -> Sale:
    """Return the final table, best score first: each seat's cargo, its price, the chips kept, and their sum."""
    result, prizes = m.result, sold(m)
    heads = [N_("cargo"), N_("sold for"), N_("kept"), N_("chips")]
    seats = sorted(m.seats, key=lambda seat: result["places"][seat])
    return Sale([m.say(head) for head in heads], [sale_row(m, seat, prizes.get(seat, 0)) for seat in seats])


def sale_row(m: MercatorMoment, seat: str, prize: int | Fraction) -> SeatRow:
    result = m.result
    score = result["scores"][seat]
    cells = [m.tongue.phrase(value) for value in (m.view["track"][seat], prize, Fraction(score) - prize, score)]
    about = [("cargo", seat), *[("chips", None)] * 3]
    return SeatRow(seat, m.name(seat), cells, seat in result["winners"], about)


def sold(m: MercatorMoment) -> Mapping[str, int | Fraction]:
    """Return what each seat was paid, from the rulings of the last act."""
    found: dict[str, int | Fraction] = {}
    for ruling in latest(m):
        if ruling.code in ("sale", "shared"):
            seats = ruling.facts.get("seats") or [ruling.facts["seat"]]
            found |= dict.fromkeys(seats, ruling.facts["prize"])
    return found
