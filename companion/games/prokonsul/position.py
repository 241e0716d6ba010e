"""Positions of Prokonsul: reading, writing and checking them, and the layout of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.prokonsul.rules import (
    COUNTERS,
    SHORT,
    Offer,
    State,
    can_ask,
    hand,
    is_over,
    is_short,
    negotiation,
    open_provinces,
    ranks,
    target,
    worth,
)
from companion.games.prokonsul.rules import setup as opening
from companion.games.prokonsul.view import ProkonsulView
from companion.rules import N_, NC_, Options, Ruling, Seat, Setup, plural
from companion.rules.cards import Card
from companion.rules.data import Data
from companion.rules.layout import Layout, Payment, Spot, by_seat, cards_of, counted, in_order, there
from companion.rules.message import Message
from companion.rules.mistakes import Where
from companion.rules.position import Position
from companion.rules.position_parts import (
    BOARD,
    CARDS,
    Cards,
    Count,
    Field,
    One,
    Part,
    Path,
    Some,
    Written,
    alone,
    dealt,
    hand_of,
    purse_of,
)
from companion.rules.position_reader import PositionReader, written
from companion.rules.vocabulary import BANK

KEYS = (
    *("phase", "round", "row", "province", "winner", "provinces", "holds", "pleader", "pleaded", "asked", "offer"),
    *("chips", "hand", "choice"),
)
STRICT = ("pawns", "province", "choosing", "pleading", "answering", "over")
FREE = ("province", "choosing", "negotiating", "over")
PLEA = ("pleading", "answering")
OPEN = (*PLEA, "negotiating")
"""The phases in which cards lie open."""
MARKERS = len(SHORT) - COUNTERS
"""For the governorships of one seat beyond its counters: in the short game there may be seven."""


def write(s: State) -> Data:
    return {
        "phase": s.phase,
        "round": s.round or None,
        "row": s.row,
        "province": s.province,
        "winner": s.winner,
        "provinces": {
            province: {"candidates": s.candidates[province], "governor": s.governors.get(province)}
            for province in s.board.provinces
        },
        "holds": s.holds,
        "pleader": s.pleader,
        "pleaded": s.pleaded,
        "asked": s.asked,
        "offer": {"to": s.offer.to, "chips": s.offer.chips, "promise": s.offer.promise} if s.offer else None,
        "chips": s.chips,
        "hand": s.hands,
        "choice": s.choices,
    }


def read(setup: Setup, written: Data) -> State:
    """Return the state that a position describes. Raises Mistakes.

    Public facts are checked before the hidden ones are read, so that no public mistake depends on hidden information.
    """
    r = PositionReader(written, KEYS, setup.seats)
    s = _public(r, setup)
    sound = not r.found
    if sound:
        _moment(r, s)
    s = _hidden(r, s)
    if sound:
        _sizes(r, s)
    r.end(s)
    return s


# -- what everybody may know ------------------------------------------------------------------------------------


def _public(r: PositionReader, setup: Setup) -> State:
    start = opening(setup)
    phase = r.word(("phase",), r.get("phase"), FREE if negotiation(start) == "free" else STRICT)
    candidates, governors = _provinces(r, setup)
    holds = _holds(r, setup)
    played = {card.colour: card for cards in holds.values() for card in cards}
    pleader, pleaded = _one(r, setup.seats, "pleader"), _seats(r, "pleaded")
    return replace(
        start,
        phase=phase,  # type: ignore[arg-type] # one of those
        round=r.whole(("round",), r.get("round"), 0, len(SHORT) if is_short(setup) else None),
        row=_seats(r, "row"),
        province=_one(r, tuple(setup.board.provinces), "province"),
        winner=_one(r, setup.seats, "winner"),
        candidates=candidates,
        governors=governors,
        played={seat: played[seat] for seat in setup.seats if seat in played},
        holds=holds if played else {},
        pleader=pleader,
        first_pleader=(*pleaded, pleader)[0],
        pleaded=pleaded,
        asked=_seats(r, "asked"),
        offer=_offer(r, pleader),
    )


def _one(r: PositionReader, known: Sequence[str], *path: str) -> str | None:
    """Read one of the known words, or null."""
    value = r.get(*path)
    return None if value is None else r.word(path, value, known)


def _seats(r: PositionReader, *path: str) -> tuple[Seat, ...]:
    """Read a list of seats without repetition."""
    items = r.items(path, r.get(*path))
    for seat in r.seats:
        r.check(items.count(seat) < 2, Message("{seat} is there twice", seat=seat), *path)
    return tuple(r.seat((*path, at), seat) for at, seat in enumerate(items))


def _provinces(r: PositionReader, setup: Setup) -> tuple[dict[str, tuple[Seat, ...]], dict[str, Seat]]:
    """Read the candidates of every province, and the governors."""
    names = tuple(setup.board.provinces)
    written = r.object(("provinces",), r.get("provinces"), names)
    for name in names:
        r.object(("provinces", name), written.get(name), ("candidates", "governor"))
    governors = {name: _one(r, setup.seats, "provinces", name, "governor") for name in names}
    return (
        {name: _seats(r, "provinces", name, "candidates") for name in names},
        {name: governor for name, governor in governors.items() if governor},
    )


def _holds(r: PositionReader, setup: Setup) -> dict[Seat, tuple[Card, ...]]:
    deck = {card for seat in setup.seats for card in hand(setup, seat)}
    return r.by_seat("holds", lambda at, value: r.cards(at, value, deck))


def _offer(r: PositionReader, pleader: Seat | None) -> Offer | None:
    if r.get("offer") is None:
        return None
    offer = r.object(("offer",), r.get("offer"), ("to", "chips", "promise"))
    to, chips = r.seat(("offer", "to"), offer.get("to")), r.whole(("offer", "chips"), offer.get("chips"))
    promise = offer.get("promise")
    said = promise is None or isinstance(promise, str)
    r.check(said, Message("a text is expected, not {written}", written=written(promise)), "offer", "promise")
    return Offer(pleader or r.seats[0], to, chips, promise if said else None)


# -- a moment of the game ---------------------------------------------------------------------------------------


def _moment(r: PositionReader, s: State) -> None:
    """Check that a seat is to act or the game is over, and that every piece can be where it is (P-3 to P-22)."""
    _row(r, s)
    _counters(r, s)
    _black_pawn(r, s)
    _end(r, s)
    if s.phase in OPEN:
        _open_cards(r, s)
    else:
        r.check(not s.holds, Message("no card lies open in this phase"), "holds")
    if s.phase in PLEA:
        _plea(r, s)
    else:
        for key, there in (("pleader", s.pleader), ("pleaded", s.pleaded), ("asked", s.asked), ("offer", s.offer)):
            r.check(not there, Message("nobody pleads in this phase"), key)


def _row(r: PositionReader, s: State) -> None:
    if negotiation(s) == "free":
        r.check(not s.row, Message("there is no pawn row in free negotiation"), "row")
    elif s.phase == "pawns":
        r.check(not s.row, Message("the pawns have not been drawn yet"), "row")
    else:
        for seat in s.seats:
            r.check(seat in s.row, Message("each pawn is in the row once: {seat} is missing", seat=seat), "row")


def _counters(r: PositionReader, s: State) -> None:
    """Check five counters a seat, at most one in a province, none beside a governor's (P-16, P-17, P-22)."""
    out: Counter[Seat] = Counter(s.governors.values())
    for province, seats in s.candidates.items():
        at = ("provinces", province, "candidates")
        out.update(seats)
        r.check(not seats or not is_short(s.setup), Message("there are no candidates in the short game"), *at)
        back = Message("the counters have gone back from a governor's province")
        r.check(not seats or province not in s.governors, back, *at)
    for seat, count in out.items():
        what = Message("{seat} has {most} counters, not {count}", seat=seat, most=COUNTERS, count=count)
        r.check(count <= COUNTERS or is_short(s.setup), what, "provinces")
    r.check(s.round or not out, Message("no counter is on the board before the first round"), "provinces")


def _black_pawn(r: PositionReader, s: State) -> None:
    """Check where the black pawn stands and who moves it (P-4, P-19)."""
    if not s.round:
        r.check(s.phase in ("pawns", "province"), Message("is missing: the first round has begun"), "round")
        what = Message("the black pawn is not on the board before the first round")
        r.check(s.province is None, what, "province")
    else:
        r.check(s.phase != "pawns", Message("the pawns are drawn before the first round"), "round")
        r.check(s.province, Message("is missing: the black pawn stands on a province"), "province")
    if s.phase == "province" and s.round:
        r.check(s.winner, Message("is missing: the winner of the last round moves the black pawn"), "winner")
    else:
        r.check(s.winner is None, Message("no winner moves the black pawn at this moment"), "winner")
    if s.phase in ("choosing", *OPEN):
        what = Message("{province} already has a governor", province=s.province)
        r.check(s.province not in s.governors, what, "province")


def _end(r: PositionReader, s: State) -> None:
    """Check that the game should not have ended, or begun another round, by itself (P-19, P-21, P-22)."""
    left = len(open_provinces(s))
    if s.phase == "over":
        text = plural(
            "the game is not over: {left} province is open", "the game is not over: {left} provinces are open", "left"
        )
        r.check(is_over(s), Message(text, left=left), "phase")
    elif s.phase == "province" and is_over(s):
        r.wrong(Message("the game would be over"), "phase")
    elif s.phase == "province":
        what = Message("only one province is open: the black pawn stands there and a round has begun")
        r.check(left > 1, what, "phase")
    else:
        r.check(left, Message("the game would be over: every province has a governor"), "phase")


def _open_cards(r: PositionReader, s: State) -> None:
    """Check one open card of each colour, only whole sales, and a round not yet won (P-5, P-7, P-13, P-14)."""
    colours = Counter(card.colour for cards in s.holds.values() for card in cards)
    for seat in s.seats:
        what = Message("one card of each colour lies open: of {seat} {count}", seat=seat, count=colours[seat])
        r.check(colours[seat] == 1, what, "holds")
    if any(colours[seat] != 1 for seat in s.seats):
        return
    for seat, cards in s.holds.items():
        own = not cards or (cards[0].colour == seat and (s.phase in PLEA or len(cards) == 1))
        r.check(own, Message("{seat} holds its own card first, and others only after a plea", seat=seat), "holds", seat)
        kept = Message("{seat} holds its own card: nothing is sold in free negotiation", seat=seat)
        r.check(s.phase in PLEA or cards, kept, "holds", seat)
        held, needed = worth(cards), target(s)
        won = Message("the round would be won: {held} reaches the target of {needed}", held=held, needed=needed)
        r.check(held < needed, won, "holds", seat)


def _plea(r: PositionReader, s: State) -> None:
    """Check that the pleader holds cards and has a seat left to ask (P-8 to P-14)."""
    if not r.check(s.pleader, Message("is missing: somebody pleads in this phase"), "pleader") or not s.holds:
        return
    r.check(s.holds[str(s.pleader)], Message("{seat} holds no cards", seat=s.pleader), "pleader")
    r.check(s.pleader not in s.pleaded, Message("{seat} has already pleaded", seat=s.pleader), "pleaded")
    r.check(s.pleader not in s.asked, Message("{seat} asks others", seat=s.pleader), "asked")
    for at, seat in enumerate(s.asked):
        r.check(s.holds[seat], Message("{seat} holds no cards", seat=seat), "asked", at)
    left = can_ask(s)
    r.check(left, Message("everybody has been asked: the plea has failed"), "asked")
    if s.phase == "pleading":
        r.check(s.offer is None, Message("an offer is on the table only in answering"), "offer")
    elif r.check(s.offer, Message("is missing: the offer that is to be answered"), "offer") and s.offer and left:
        r.check(s.offer.to in left, Message("can be asked: {seats}", seats=tuple(left)), "offer", "to")


# -- what one seat alone may know -------------------------------------------------------------------------------


def _hidden(r: PositionReader, s: State) -> State:
    hands = r.hands({seat: hand(s.setup, seat) for seat in s.seats})
    return replace(
        s,
        chips=r.by_seat("chips", lambda at, value: _purse(r, at, value)),
        hands={seat: frozenset(cards) for seat, cards in hands.items()},
        choices=r.sealed(hands),
    )


def _purse(r: PositionReader, at: Where, value: object) -> int:
    r.check(value is not None, Message("is missing: how many chips"), *at)
    return r.whole(at, value)


def _sizes(r: PositionReader, s: State) -> None:
    """Check the size of each hand, and that no offer exceeds its purse (P-5, P-10, P-20).

    A hand holds the cards that have not been played since it was full.
    """
    size, misread = hand_size(s.round, s.phase, ranks(s.setup.options)), {mistake.path[:2] for mistake in r.found}
    for seat, cards in s.hands.items():
        if misread & {("hand",), ("hand", seat)}:
            continue
        text = plural("{seat} holds {size} card, not {count}", "{seat} holds {size} cards, not {count}", "size")
        r.check(len(cards) == size, Message(text, seat=seat, size=size, count=len(cards)), "hand", seat)
        for card in cards & {s.played.get(seat)}:
            r.wrong(Message("{card} lies open", card=card), "hand", seat)
    r.check(s.phase == "choosing" or not s.choices, Message("no card lies face down in this phase"), "choice")
    if s.offer and s.phase in PLEA and s.pleader:
        pays = s.offer.chips <= s.chips[s.pleader]
        what = Message("{seat} cannot pay the {chips} on offer", seat=s.pleader, chips=s.offer.chips)
        r.check(pays, what, "chips", s.pleader)


def hand_size(round_: int, phase: str, ranks: Sequence[int]) -> int:
    """Return how many cards each hand has, including those face down (P-5, P-20)."""
    if not round_:
        return len(ranks)
    return len(ranks) - (round_ - 1) % len(ranks) - (phase != "choosing")


# -- what lies where --------------------------------------------------------------------------------------------


def layout(view: ProkonsulView, options: Options) -> Layout:
    """Lay out each seat's cards, the counters, the pawn row and the black pawn."""
    size = hand_size(view["round"] or 0, view["phase"], ranks(options))
    places: dict[str, dict[str, int]] = {}
    for seat in view["counters"]:
        whole = len(ranks(options)) - int(seat in view["played"])
        places |= cards_of(seat, size, seat in view["chosen"], whole)
        places[f"before {seat}"] = dict.fromkeys(view["holds"].get(seat, ()), 1)
        places[f"stock {seat}"] = {f"{seat} counter": view["counters"][seat]}
    for at, seat in enumerate(view["row"], start=1):
        places[f"row {at}"] = {f"{seat} pawn": 1}
    for name, province in view["provinces"].items():
        places[f"province {name}"] = {f"{seat} counter": 1 for seat in province["candidates"]}
    places |= _governors(view)
    places.setdefault(f"province {view['province']}" if view["province"] else "box", {})["black pawn"] = 1
    box = places.setdefault("box", {})
    box |= {f"{seat} pawn": 1 for seat in view["counters"] if seat not in view["row"]}
    if options["game"] == "short":
        box["marker"] = MARKERS - sum(of.get("marker", 0) for of in places.values())
    return counted(places)


def _governors(view: ProkonsulView) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield the governor's counter on each value; a marker where a seat has no counter left."""
    used: Counter[Seat] = Counter()
    for name, province in view["provinces"].items():
        if governor := province["governor"]:
            used[governor] += 1
            yield f"governor {name}", {"marker" if used[governor] > COUNTERS else f"{governor} counter": 1}


def paid(ruling: Ruling) -> Sequence[Payment]:
    """Return the payment that a ruling announces: every movement of chips is announced (P-11, P-17, P-18, P-23)."""
    facts = ruling.facts
    match ruling.code:
        case "accepted":
            payment = Payment(int(facts["chips"]), facts["pleader"], facts["seat"])
        case "transfer":
            payment = Payment(int(facts["chips"]), facts["seat"], facts["to"])
        case "governor" | "link":
            payment = Payment(int(facts["value"]), BANK, facts["seat"])
        case _:
            return ()
    return (payment,) if payment.count else ()


# -- what people change, part by part --------------------------------------------------------------------------------

FOLLOWS = ("stock",)
"""The counters that are not on the board are before their seats."""


def parts(setup: Setup, written: Written) -> Sequence[Part]:
    seats, provinces, cards = setup.seats, tuple(setup.board.provinces), dealt(setup, opening)
    phases = FREE if negotiation(opening(setup)) == "free" else STRICT
    deck = Cards([card for seat in seats for card in cards[seat]])
    pawn = f"province {written['province']}" if written.get("province") else "box"
    offer = (Field("to", One((None, *seats)), NC_("offer", "To")), Field("chips", Count("chip")))
    return [
        alone("phase", N_("What is going on"), One(phases)),
        alone("round", N_("Round"), Count("")),
        alone("row", N_("Pawn row, from the left"), Some(seats), places=[*(f"row {at}" for at in range(1, 6)), "box"]),
        alone("province", N_("Black pawn"), One((None, *provinces)), places=(pawn,)),
        alone("winner", N_("Who won the round"), One((None, *seats))),
        alone("pleader", N_("Who pleads"), One((None, *seats)), CARDS),
        alone("pleaded", N_("Who has pleaded"), Some(seats), CARDS),
        alone("asked", N_("Who has been asked"), Some(seats), CARDS),
        Part(("offer",), N_("Offer"), "", offer, CARDS, places=("offer",)),
        *(Part(("holds", seat), N_("Face up in front of {of}"), seat, (Field("", deck),), CARDS,
               places=(f"before {seat}", f"seat {seat}")) for seat in seats),
        *(
            Part(("provinces", name), N_("{of}"), name,
                 (Field("candidates", Some(seats), N_("Candidates")),
                  Field("governor", One((None, *seats)), N_("Governor"))), BOARD,
                 places=(f"province {name}", f"governor {name}"))
            for name in provinces
        ),
        *map(purse_of, seats),
        *(hand_of(seat, cards[seat]) for seat in seats),
    ]  # fmt: skip


# -- what people compare, place by place -----------------------------------------------------------------------------


def places(setup: Setup) -> Sequence[Spot]:
    seats, hands = setup.seats, dealt(setup, opening)
    counters = [f"{seat} counter" for seat in seats]
    deck = [card for seat in seats for card in hands[seat]]
    rows = [] if setup.options["negotiation"] == "free" else range(1, len(seats) + 1)
    return [
        *by_seat(seats, ("hand", "sealed", "aside")),
        *by_seat(seats, ("before",), deck),
        *(Spot(f"stock {seat}", (f"{seat} counter",)) for seat in seats),
        *(Spot(f"row {at}", [f"{seat} pawn" for seat in seats], 1, True) for at in rows),
        *(Spot(f"province {name}", (*counters, "black pawn"), 1) for name in setup.board.provinces),
        *(Spot(f"governor {name}", (*counters, "marker"), 1, True) for name in setup.board.provinces),
    ]


def entered(written: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    word, _, of = place.partition(" ")
    found = there(pieces)
    seats = [piece.split()[0] for piece in found if piece.endswith(" counter")]
    match word:
        case "province" if "black pawn" in found and written.get("province") != of:
            return ("province",), of
        case "province":
            before = _province(written, of)
            candidates = in_order(before.get("candidates") or (), dict.fromkeys(seats, 1))
            return ("provinces", of), {**before, "candidates": candidates}
        case "governor" if seats or not found:
            return ("provinces", of), {**_province(written, of), "governor": seats[0] if seats else None}
        case "before":
            return ("holds", of), in_order((written.get("holds") or {}).get(of) or (), pieces)
        case "row" if found:
            return ("row",), _in_row(written.get("row") or (), int(of) - 1, found[0].split()[0])
    return None


def _province(written: Written, name: str) -> Data:
    return (written.get("provinces") or {}).get(name) or {}


def _in_row(before: Sequence[str], at: int, seat: str) -> list[str]:
    """Return the row with this pawn at its place, and the others in their order."""
    rest = [other for other in before if other != seat]
    return [*rest[:at], seat, *rest[at:]]


POSITION: Position[State, ProkonsulView] = Position(
    write, read, ("chips", "hand", "choice"), layout, paid, parts=parts, follows=FOLLOWS, places=places, entered=entered
)
