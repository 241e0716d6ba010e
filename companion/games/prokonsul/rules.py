"""Prokonsul (3-5 players): sealed cards, a majority target, pleading, ties by a rotating pawn row.

Set-up
P-1  (text+decided: the bank never runs out, for the rules give no number of chips) Each player has one colour: 1–9 and
     12; five counters; 20 in chips, secret. The bank never runs out.
P-2  (text) Seven provinces, each with a value; some neighbouring pairs are linked; each pair counts once.
P-3  (text) The pawns are drawn blind and stand in a row from left to right in the order drawn. The row settles ties.

A round
P-4  (text+decided: the rules do not say where the first round is played) The black pawn stands on the province at
     stake. Before the first round the table agrees on it.
P-5  (text) Every player chooses a card face down; all reveal together.
P-6  (text) The total of all revealed cards and the target are announced. The target is the smallest number that is
     more than half of the total: 12 of 23, 13 of 24.
P-7  (text) A single card that reaches the target on its own wins the round at once: no plea, no pawn moves.
P-8  (text) Where no single card reaches the target, the players plead, the highest own card first. Of those who still
     hold cards and have not yet pleaded, the next is always the one whose own chosen card is highest.
P-9  (text+decided: the last of the tied pawns stays; if all of them moved, a three-way tie in a row of three would
     leave the row as it was) If several players could plead next with the same card, the one whose pawn is furthest
     left pleads, and that pawn moves to the right end of the row; the others close up. A pawn moves only when its
     owner gets the plea through such a tie. A player who has pleaded or sold is no rival any more, so the last of
     several tied players leaves the pawn where it is; a tie that is never reached moves nothing.
P-10 (text+decided: you may offer nothing, as the rules set no minimum) The pleader makes one offer to
     one other player who holds cards: chips to be paid now, no more than the pleader has, and any promise in words.
     The player asked says yes or no and nothing else.
P-11 (text) Yes: the chips are paid at once and never come back, and all cards of the player asked go to the pleader;
     the player asked is out of the pleading for this round. Promises bind nobody.
P-12 (text) No: this pleader cannot ask that player again in this plea. A later pleader can.
P-13 (text+decided: only those who hold cards are asked, for the others have none to give) The pleader goes on until
     the target is reached or everybody who holds cards has been asked once. There is no stopping early. Those who have
     pleaded in vain can be asked; those without cards cannot.
P-14 (text) Target reached: the round is won on the spot. All asked in vain: the plea fails, the pleader keeps the
     cards collected, and the next player pleads.
P-15 (text+decided: even without cards, for the rules ask only who pleaded first) When nobody is left to plead, the
     player who pleaded first wins the round, even after selling those cards.

Winning a round
P-16 (text+decided: the counter is always placed, although the rules say only that the winner can) The winner places a
     counter on the province and is a candidate. With no counter left, none is placed.
P-17 (text) A winner who already has a counter there becomes governor instead: that counter moves onto the value, the
     bank pays the value, and every other counter in the province goes back to its owner. A governor's counter stays
     for good. The province is closed.
P-18 (text) A player who governs both provinces of a linked pair gets 5 from the bank, at once, for each such pair.
P-19 (text) The cards played are put aside face down. The winner of the round moves the black pawn to a different
     province without a governor; if exactly one is left, the pawn stays or goes there by itself and the next choosing
     begins at once; with two left the winner still says which.
P-20 (text) When the choosing of round 11, 21, … begins, everybody takes all ten cards back. Rounds without a decision
     count.
P-21 (text) When the seventh governor has been paid, the game ends. The player with the most chips wins. There is no
     limit to the rounds.

Variants
P-22 (variant+decided: more than five governorships are possible, and rounds without a decision count, for the rules end
     the game after seven rounds) Short game:
     cards 1–7; seven rounds; the winner of a round is governor at once; each province is at stake once. More than five
     governorships are possible: use any marker. A round without a decision counts as one of the seven; the game ends
     after the seventh even if a province has no governor.
P-23 (variant+decided: an offer is replaced and never withdrawn, a single card that is enough still wins at once, chips
     are handed over one or more at a time, and the winner is one of the members, because the win rests on their cards)
     Two-way: the player asked may talk too, and before the answer the pleader may replace the offer, to the same
     player; it cannot be withdrawn. Free: no pleading and no pawn row; a single card that reaches the target still wins
     at once. The table names a coalition and which of its members wins; the members' own cards must reach the target;
     cards never change hands; until then chips may be handed over, 1 or more, no more than the giver has.
P-24 (variant+decided: nothing is placed and the black pawn stays, for nobody has won) In free negotiation, if agreed:
     the table may end a round without a winner; no counter is placed and the black pawn stays.
P-25 (variant+decided: the rules speak of the highest and the second highest card, but not of equal cards) In free
     negotiation, if agreed: only a player with one of the two highest different cards can win; with 9 9 5 anybody,
     with 9 8 8 5 all but the 5. Or, by ranks: only a player above whom fewer than two laid a higher card; with 9 9 5
     only the nines, with 9 8 8 5 all but the 5.

Silence
P-26 (text) While somebody pleads, only the pleader speaks, and may argue and persuade; everybody else is silent.
     Strict: the player asked says yes or no. Two-way: the player asked may talk too. No program can hear that: if you
     quarrel about it, the table decides.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import combinations, permutations
from typing import Any

from companion.games.prokonsul.view import Plea, ProkonsulDerived, ProkonsulPhase, ProkonsulView
from companion.rules import (
    N_,
    Amount,
    Chips,
    Choose,
    Game,
    Laid,
    Moves,
    Option,
    Options,
    Place,
    Refused,
    Reveal,
    Ruling,
    Said,
    Seat,
    Setup,
    Touch,
    own_card,
    plural,
    require,
    result,
    ruled,
)
from companion.rules.cards import COLOURS, Card, hand_order
from companion.rules.contest import Condition, Contest, Measure
from companion.rules.mistakes import Mistake, Mistakes, nearest
from companion.rules.views import Result

FULL = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12)
SHORT = (1, 2, 3, 4, 5, 6, 7)
COUNTERS = 5
CHIPS = 20
LINK_PAYS = 5

# -- events -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pawns:
    """The pawn row, left to right, as drawn (P-3)."""

    order: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Province:
    """The black pawn's move: by agreement before the first round (P-4), later by the round's winner (P-19)."""

    province: Place
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    seat: Seat
    to: Seat
    chips: Chips
    promise: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    seat: Seat
    accept: bool


@dataclass(frozen=True, slots=True)
class Coalition:
    """A coalition in free negotiation; `seat` is the member who wins (P-23)."""

    seat: Seat
    members: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Transfer:
    seat: Seat
    to: Seat
    chips: Chips


@dataclass(frozen=True, slots=True)
class NoDecision:
    """The end of a round without a winner, in free negotiation (P-24)."""


Act = Pawns | Province | Choose | Reveal | Offer | Answer | Coalition | Transfer | NoDecision
Ruled = tuple["State", Sequence[Ruling]]

# -- board and state --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Board:
    """The seven provinces with their values, the linked pairs, and whether the owner checked them (P-2)."""

    provinces: Mapping[str, int]
    links: tuple[tuple[str, str], ...]
    confirmed: bool


@dataclass(frozen=True, slots=True)
class State:
    """Everything true about one game. Counters and totals follow from the rest and are not kept."""

    setup: Setup
    phase: ProkonsulPhase
    row: tuple[Seat, ...]
    chips: Mapping[Seat, int]
    hands: Mapping[Seat, frozenset[Card]]
    candidates: Mapping[str, tuple[Seat, ...]]
    governors: Mapping[str, Seat]
    round: int = 0
    province: str | None = None
    winner: Seat | None = None
    """Who won the last round and now moves the black pawn; None while the table does it."""
    choices: Mapping[Seat, Card] = field(default_factory=dict)
    played: Mapping[Seat, Card] = field(default_factory=dict)
    holds: Mapping[Seat, tuple[Card, ...]] = field(default_factory=dict)
    pleader: Seat | None = None
    first_pleader: Seat | None = None
    pleaded: tuple[Seat, ...] = ()
    asked: tuple[Seat, ...] = ()
    offer: Offer | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.setup.seats

    @property
    def board(self) -> Board:
        board: Board = self.setup.board
        return board


def setup(given: Setup) -> State:
    """Set up full hands, twenty chips each, and no counter on the board (P-1, P-2)."""
    free = given.options["negotiation"] == "free"
    return State(
        setup=given,
        phase="province" if free else "pawns",
        row=(),
        chips=dict.fromkeys(given.seats, CHIPS),
        hands={seat: hand(given, seat) for seat in given.seats},
        candidates=dict.fromkeys(given.board.provinces, ()),
        governors={},
    )


def hand(given: Setup, seat: Seat) -> frozenset[Card]:
    """Return a full hand (P-1, P-22)."""
    return full_hand(seat, ranks(given.options))


def ranks(options: Options) -> tuple[int, ...]:
    """Return the ranks of this game (P-1, P-22)."""
    return SHORT if options["game"] == "short" else FULL


@cache
def full_hand(colour: str, ranks: tuple[int, ...]) -> frozenset[Card]:
    return frozenset(Card(colour, rank) for rank in ranks)


def is_short(given: Setup) -> bool:
    return bool(given.options["game"] == "short")


def negotiation(s: State) -> str:
    return str(s.setup.options["negotiation"])


def counters(s: State, seat: Seat) -> int:
    """Return the number of counters that are not on the board.

    A governor's counter stays on the board for good (P-17). Never below 0 in the short game (P-22).
    """
    out = sum(seat in put for put in s.candidates.values()) + sum(seat == g for g in s.governors.values())
    return max(0, COUNTERS - out)


def total(s: State) -> int:
    return sum(card.rank for card in s.played.values())


def target(s: State) -> int:
    """Return the target: the smallest number that is more than half of the total (P-6)."""
    return total(s) // 2 + 1


def worth(cards: Sequence[Card]) -> int:
    return sum(card.rank for card in cards)


def addends(cards: Sequence[Card]) -> str:
    """Return the cards as a sum: "9 + 2"."""
    return " + ".join(str(card.rank) for card in cards)


MORE = N_("The cards held come to {held} of {target}: {more} more needed.")
NOBODY_ALONE = N_("The highest card alone is {held} of {target}: {more} more needed.")


def reaches(s: State, held: int, rule: str, short: str = MORE) -> Condition:
    """Return the condition that cards of this worth reach the target, with what is missing (P-6)."""
    more = max(0, target(s) - held)
    text = short if more else N_("The cards held come to {held}: the target of {target} is reached.")
    return Condition("target", rule, not more, held, text, {"held": held, "target": target(s), "more": more})


def missing(s: State) -> tuple[Seat, ...]:
    """Return the seats that have not chosen a card yet."""
    return tuple(seat for seat in s.seats if seat not in s.choices)


def can_ask(s: State) -> tuple[Seat, ...]:
    """Return the seats that the pleader can still ask (P-10, P-12, P-13)."""
    return tuple(seat for seat in s.seats if s.holds[seat] and seat != s.pleader and seat not in s.asked)


def open_provinces(s: State) -> tuple[str, ...]:
    return tuple(province for province in s.board.provinces if province not in s.governors)


def can_win(s: State, seat: Seat) -> bool:
    """Return whether the seat's card lets it win a coalition (P-25)."""
    own, laid = s.played[seat].rank, [card.rank for card in s.played.values()]
    match s.setup.options["top_two"]:
        case "ranks":
            return sum(rank > own for rank in laid) < 2
        case True:
            return own in sorted(set(laid))[-2:]
    return True


# -- apply ------------------------------------------------------------------------------------------------------

EXPECTED = {
    "pawns": N_("Not now: first the pawns are drawn for the row."),
    "province": N_("Not now: first the black pawn goes to a province."),
    "choosing": N_("Not now: cards are being chosen; waiting for {waiting}."),
    "chosen": N_("Not now: all have chosen. Reveal the cards."),
    "pleading": N_("Not now: {pleader} pleads and makes an offer."),
    "answering": N_("Not now: the offer needs a yes or a no. To move: {waiting}."),
    "negotiating": N_("Not now: the table negotiates until a coalition is named."),
    "over": N_("The game is over."),
}


def apply(s: State, event: Act) -> Ruled:
    """Return the state after the event, and the rulings. Raises Refused."""
    match event:
        case Pawns():
            return draw_pawns(s, event)
        case Province():
            return move_black_pawn(s, event)
        case Choose():
            return choose(s, event)
        case Reveal():
            return reveal(s)
        case Offer():
            return make_offer(s, event)
        case Answer():
            return answer(s, event)
        case Coalition():
            return name_coalition(s, event)
        case Transfer():
            return transfer(s, event)
        case NoDecision():
            return no_decision(s)


def expect(s: State, *phases: ProkonsulPhase) -> None:
    """Refuse an event that does not fit the phase, and say what is expected (T-1). Raises Refused."""
    if s.phase not in phases:
        moment = "chosen" if s.phase == "choosing" and not waiting(s) else s.phase
        raise Refused(ruled("not_now", "T-1", EXPECTED[moment], waiting=waiting(s), pleader=s.pleader))


def strictly(s: State) -> None:
    require(negotiation(s) != "free", "free", N_("In free negotiation nobody pleads and there is no pawn row."), "P-23")


def freely(s: State) -> None:
    text = N_("Coalitions and chips handed over need free negotiation, agreed before the game.")
    require(negotiation(s) == "free", "not_free", text, "P-23")


def draw_pawns(s: State, event: Pawns) -> Ruled:
    strictly(s)
    expect(s, "pawns")
    each_once = sorted(event.order) == sorted(s.seats)
    require(each_once, "order", N_("Each pawn is in the row once: {seats}."), "P-3", seats=s.seats)
    row = ruled("row", "P-3", N_("The pawn row, from the left: {row}."), row=event.order)
    return replace(s, row=event.order, phase="province"), (row,)


def move_black_pawn(s: State, event: Province) -> Ruled:
    expect(s, "province")
    if s.winner is None:
        require(
            event.seat is None, "agree", N_("Before the first round the whole table agrees on the province."), "P-4"
        )
    else:
        by_winner = event.seat == s.winner
        require(by_winner, "turn", N_("{winner} won the round and moves the black pawn."), "P-19", winner=s.winner)
    province = event.province
    at = dict(province=province, open=[name for name in open_provinces(s) if s.winner is None or name != s.province])
    closed = N_("{province} already has a governor; open: {open}.")
    require(province not in s.governors, "closed", closed, "P-17", governor=s.governors.get(province), **at)
    same = N_("The black pawn must leave {province}; open: {open}.")
    require(s.winner is None or province != s.province, "same", same, "P-19", **at)
    rule = "P-19" if s.winner else "P-4"
    text = N_("The black pawn stands on {province}, worth {value}.")
    moved = ruled("province", rule, text, province=province, value=s.board.provinces[province])
    return begin_round(replace(s, province=province, winner=None), moved)


def begin_round(s: State, *rulings: Ruling) -> Ruled:
    """Begin choosing; all cards come back when every hand is empty (P-20)."""
    s = replace(s, phase="choosing", round=s.round + 1)
    text = N_("Round {round} for {province}: everybody chooses a card.")
    begun = ruled("round", "P-5", text, round=s.round, province=s.province)
    if s.round > 1 and not any(s.hands.values()):
        s = replace(s, hands={seat: hand(s.setup, seat) for seat in s.seats})
        back = ruled(
            "cards_back",
            "P-20",
            N_("Everybody takes all {count} cards back."),
            count=len(s.hands[s.seats[0]]),
        )
        return s, (*rulings, back, begun)
    return s, (*rulings, begun)


def choose(s: State, event: Choose) -> Ruled:
    expect(s, "choosing")
    seat, card = event.seat, event.card
    require(card.colour == seat, "colour", N_("The {card} is not one of {seat:of} cards."), "T-2", card=card, seat=seat)
    full = hand(s.setup, seat)
    require(card in full, "card", N_("The {card} is not in this game."), "T-2", card=card, seat=seat)
    played = N_("The {card} has been played; {seat} chooses another.")
    require(card in s.hands[seat], "played", played, "T-2", card=card, seat=seat)
    s = replace(s, choices={**s.choices, seat: card})
    return s, (ruled("chosen", "P-5", N_("{seat} has chosen."), seat=seat),)


def reveal(s: State) -> Ruled:
    expect(s, "choosing")
    require(not missing(s), "missing", N_("Not yet: {waiting} must still choose."), "P-5", waiting=missing(s))
    played = {seat: s.choices[seat] for seat in s.seats}
    s = replace(
        s,
        choices={},
        played=played,
        holds={seat: (card,) for seat, card in played.items()},
        hands={seat: s.hands[seat] - {card} for seat, card in played.items()},
    )
    ranks = {seat: card.rank for seat, card in played.items()}
    highest = max(played, key=lambda seat: ranks[seat])
    alone = reaches(s, ranks[highest], "P-7", NOBODY_ALONE)
    text = N_("{cards}. {addends} = {total}; the target is {target}.")
    sums = dict(cards=ranks, addends=addends(tuple(played.values())), total=total(s), target=target(s))
    if alone.holds:
        shown = ruled("revealed", "P-6", text, **sums)
        text = N_("{seat:of} {rank} reaches the target of {target} on its own.")
        facts = dict(seat=highest, rank=ranks[highest], target=target(s), conditions=(alone,))
        return win(s, highest, shown, ruled("alone", "P-7", text, **facts))
    shown = ruled("revealed", "P-6", text, **sums, conditions=(alone,))
    if negotiation(s) == "free":
        return replace(s, phase="negotiating"), (shown,)
    return next_plea(s, shown)


# -- pleading ---------------------------------------------------------------------------------------------------


def plea_contest(s: State) -> Contest | None:
    """Return the comparison that decides who pleads next; None when nobody is left (P-8, P-9)."""
    left = [seat for seat in s.seats if s.holds[seat] and seat not in s.pleaded]
    cards = Measure("card", "P-8", "highest", {seat: s.played[seat].rank for seat in left})
    row = Measure("row", "P-9", "lowest", {seat: 1 + s.row.index(seat) for seat in left})
    return Contest("plea", (cards, row), dict.fromkeys(left, ranks(s.setup.options))) if left else None


def tied(s: State, contest: Contest) -> list[Seat]:
    """Return the seats with the highest card, from the left of the row: the first of them pleads (P-9)."""
    return [seat for seat in s.row if seat in contest.steps[0].left]


def next_plea(s: State, *rulings: Ruling) -> Ruled:
    """Give the plea to the next seat, and move its pawn after a tie (P-8, P-9).

    When nobody is left to plead, the first pleader wins the round (P-15).
    """
    contest = plea_contest(s)
    if contest is None:
        assert s.first_pleader
        text = N_("Nobody is left to plead: {seat} pleaded first and wins the round.")
        return win(s, s.first_pleader, *rulings, ruled("first_pleader", "P-15", text, seat=s.first_pleader))
    before, first, pleader = s, not s.first_pleader, contest.winner
    s = replace(s, phase="pleading", pleader=pleader, first_pleader=s.first_pleader or pleader, asked=())
    if len(tied(s, contest)) > 1:
        s = replace(s, row=(*(seat for seat in s.row if seat != pleader), pleader))
    rank, short = s.played[pleader].rank, reaches(s, s.played[pleader].rank, "P-14")
    text = N_("{pleader} pleads with {rank}, {more} short of the target of {target}; can ask: {can_ask}.")
    facts = dict(pleader=pleader, rank=rank, more=target(s) - rank, target=target(s), can_ask=can_ask(s))
    plea = ruled("plea", "P-8", text, **facts, contest=contest, conditions=(short,))
    return s, (*rulings, *why_the_row(before, s, contest), plea, *([silence(s)] if first else ()))


def why_the_row(before: State, s: State, contest: Contest) -> Iterator[Ruling]:
    """Yield the ruling on which pawn moved and why (P-9).

    If another player laid the same card but no pawn moved, the ruling explains that.
    """
    rivals, pleader, rank = tied(before, contest), contest.winner, s.played[contest.winner].rank
    if len(rivals) > 1:
        text = N_(
            "{tied} are tied at {rank}; in the row {row_before}, {pleader} is furthest left. {pleader} pleads, and "
            "that pawn moves to the end: {row_after}. If this plea fails and nobody sells, {next} is next."
        )
        facts = dict(tied=rivals, rank=rank, pleader=pleader, row_before=before.row, row_after=s.row)
        yield ruled("tie", "P-9", text, **facts, next=next(pleas(s))["seat"])
        return
    others = [seat for seat in s.row if s.played[seat].rank == rank and seat != pleader]
    if others:
        text = N_(
            "Nobody else who laid a {rank} can plead any more ({others}: pleaded or sold). {pleader} has no rival, "
            "so no pawn moves."
        )
        yield ruled("no_rival", "P-9", text, rank=rank, others=others, pleader=pleader)


def silence(s: State) -> Ruling:
    """Return the ruling on who may speak during a plea (P-26)."""
    text = N_("While somebody pleads, only the pleader speaks; the player asked says yes or no and nothing else.")
    if negotiation(s) == "two_way":
        text = N_("While somebody pleads, only the pleader and the player asked speak.")
    return ruled("silence", "P-26", text)


def pleas(s: State) -> Iterator[Plea]:
    """Yield the pleas that follow the present one, if nobody sells and every plea fails."""
    while s.pleader:
        s = replace(s, pleaded=(*s.pleaded, s.pleader))
        contest = plea_contest(s)  # a pawn that moves is one that has pleaded: the others keep their order
        s = replace(s, pleader=contest.winner if contest else None)
        if contest:
            yield {"seat": contest.winner, "tied": tied(s, contest)[1:]}


def make_offer(s: State, event: Offer) -> Ruled:
    strictly(s)
    replaces = s.phase == "answering" and negotiation(s) == "two_way"
    expect(s, "answering" if replaces else "pleading")
    require(
        event.seat == s.pleader,
        "turn",
        N_("{pleader} pleads; nobody else makes an offer."),
        pleader=s.pleader,
    )
    if replaces:
        asked = s.offer.to if s.offer else None
        text = N_("An offer may be replaced only by another offer to {asked}.")
        require(event.to == asked, "same_seat", text, "P-23", asked=asked)
    else:
        require_askable(s, event.to)
    pays = event.chips <= s.chips[event.seat]
    require(pays, "balance", N_("{seat} cannot pay {chips}."), "P-10", seat=event.seat, chips=Amount(event.chips))
    return replace(s, phase="answering", offer=event), (replaced(s.offer, event) if s.offer else offered(event),)


def offered(event: Offer) -> Ruling:
    promise = Said(event.promise) if event.promise else None
    text = N_("{seat} offers {to} {chips} and promises {promise}.") if promise else N_("{seat} offers {to} {chips}.")
    return ruled("offer", "P-10", text, seat=event.seat, to=event.to, chips=Amount(event.chips), promise=promise)


def replaced(old: Offer, new: Offer) -> Ruling:
    """Return the ruling on an offer that replaces the one before (P-23)."""
    text = N_("{seat} changes the offer to {to} from {before} to {chips}.")
    if new.promise:
        text = N_("{seat} changes the offer to {to} from {before} to {chips} and promises {promise}.")
    elif old.promise:
        text = N_("{seat} changes the offer to {to} from {before} to {chips} and takes the promise back.")
    promise, chips, before = Said(new.promise) if new.promise else None, Amount(new.chips), Amount(old.chips)
    facts = dict(seat=new.seat, to=new.to, chips=chips, promise=promise, before=before)
    return ruled("replaced", "P-23", text, **facts)


def require_askable(s: State, to: Seat) -> None:
    left = can_ask(s)
    require(
        to != s.pleader,
        "self",
        N_("{pleader} asks another player: {can_ask}."),
        "P-10",
        pleader=s.pleader,
        can_ask=left,
    )
    require(
        s.holds[to], "no_cards", N_("{to} has no cards left. Can be asked: {can_ask}."), "P-13", to=to, can_ask=left
    )
    again = N_("{to} has said no to {pleader} in this plea. Can be asked: {can_ask}.")
    require(to not in s.asked, "asked", again, "P-12", to=to, pleader=s.pleader, can_ask=left)


def answer(s: State, event: Answer) -> Ruled:
    strictly(s)
    expect(s, "answering")
    assert s.offer and s.pleader
    pleader, asked, chips = s.pleader, s.offer.to, s.offer.chips
    require(event.seat == asked, "turn", N_("{asked} was asked; nobody else answers."), asked=asked)
    s = replace(s, phase="pleading", offer=None)
    if not event.accept:
        still = reaches(s, worth(s.holds[pleader]), "P-14")
        said = N_("{seat} says no to {pleader}.")
        no = ruled("declined", "P-12", said, seat=asked, pleader=pleader, conditions=(still,))
        return go_on(replace(s, asked=(*s.asked, asked)), no)
    cards = s.holds[asked]
    s = replace(
        s,
        chips={**s.chips, pleader: s.chips[pleader] - chips, asked: s.chips[asked] + chips},
        holds={**s.holds, pleader: s.holds[pleader] + cards, asked: ()},
    )
    held = worth(s.holds[pleader])
    text = N_(
        "{seat} says yes: {pleader} pays {chips} and takes {taken}. {pleader} now holds {addends} = {held}; the target "
        "is {target}."
    )
    ranks, sums = [card.rank for card in cards], dict(held=held, addends=addends(s.holds[pleader]), target=target(s))
    facts: dict[str, object] = dict(seat=asked, pleader=pleader, chips=Amount(chips), cards=ranks, taken=cards)
    reached = reaches(s, held, "P-14")
    return go_on(s, ruled("accepted", "P-11", text, **facts, **sums, conditions=(reached,)))


def go_on(s: State, ruling: Ruling) -> Ruled:
    """End the round if the target is reached, end a plea that has failed, or let it continue (P-13, P-14)."""
    assert s.pleader
    held = worth(s.holds[s.pleader])
    reached = reaches(s, held, "P-14")
    facts = dict(seat=s.pleader, held=held, target=target(s), conditions=(reached,))
    if reached.holds:
        text = N_("{seat} holds {addends} = {held} and reaches the target of {target}.")
        won = ruled("reached", "P-14", text, **facts, addends=addends(s.holds[s.pleader]))
        return win(s, s.pleader, ruling, won)
    if can_ask(s):
        return s, (ruling,)
    text = N_("{seat} has asked everybody and still holds only {held} of {target}: the plea fails.")
    failed = ruled("plea_failed", "P-14", text, **facts)
    return next_plea(replace(s, pleaded=(*s.pleaded, s.pleader)), ruling, failed)


# -- free negotiation -------------------------------------------------------------------------------------------


def name_coalition(s: State, event: Coalition) -> Ruled:
    freely(s)
    expect(s, "negotiating")
    seat, members = event.seat, event.members
    once = len(set(members)) == len(members)
    require(once, "repeated", N_("Each member is named only once: {members}."), "P-23", members=members)
    require(
        seat in members,
        "member",
        N_("The winner must be a member of the coalition; {seat} is not."),
        "P-23",
        seat=seat,
    )
    cards = [s.played[member] for member in members]
    reached = reaches(s, worth(cards), "P-23")
    facts = dict(members=members, held=worth(cards), target=target(s), conditions=(reached,))
    text = N_("The cards of {members} come to {held}, {more} short of the target of {target}: name more members.")
    require(reached.holds, "short", text, "P-23", **facts, more=target(s) - worth(cards))
    require_able(s, seat)
    text = N_("{members} hold {addends} = {held} and reach the target of {target}: {seat} wins the round.")
    return win(s, seat, ruled("coalition", "P-23", text, seat=seat, **facts, addends=addends(cards)))


def require_able(s: State, seat: Seat) -> None:
    """Require that the seat can win a coalition (P-25). Raises Refused."""
    text = N_("{seat} laid neither of the two highest cards and cannot win. These can: {able}.")
    if s.setup.options["top_two"] == "ranks":
        text = N_("Two or more players laid a higher card than {seat}, who cannot win. These can: {able}.")
    able = [other for other in s.seats if can_win(s, other)]
    require(can_win(s, seat), "top_two", text, "P-25", seat=seat, able=able)


def transfer(s: State, event: Transfer) -> Ruled:
    freely(s)
    expect(s, "negotiating")
    seat, to, chips = event.seat, event.to, event.chips
    require(seat != to, "self", N_("{seat} hands chips to another player."), "P-23", seat=seat)
    require(chips, "nothing", N_("At least one chip must be handed over."), "P-23")
    require(chips <= s.chips[seat], "balance", N_("{seat} cannot pay {chips}."), "P-23", seat=seat, chips=Amount(chips))
    s = replace(s, chips={**s.chips, seat: s.chips[seat] - chips, to: s.chips[to] + chips})
    return s, (ruled("transfer", "P-23", N_("{seat} hands {to} {chips}."), seat=seat, to=to, chips=Amount(chips)),)


def no_decision(s: State) -> Ruled:
    freely(s)
    agreed = s.setup.options["no_decision"]
    require(agreed, "no_decision_off", N_("Every round needs a winner: name a coalition."), "P-24")
    expect(s, "negotiating")
    text = N_("No decision: no counter is placed and the black pawn stays on {province}.")
    undecided = ruled("no_decision", "P-24", text, province=s.province)
    s = put_aside(s)
    return end(s, undecided) if is_over(s) else begin_round(s, undecided)


# -- winning a round --------------------------------------------------------------------------------------------


def win(s: State, seat: Seat, *rulings: Ruling) -> Ruled:
    """Give the round to the seat: its counter, a governor's pay, and the black pawn (P-16 to P-19, P-21, P-22)."""
    assert s.province
    province = s.province
    facts = dict(seat=seat, province=province)
    if is_short(s.setup) or seat in s.candidates[province]:
        s, paid = govern(s, seat, province)
        rulings = (*rulings, *paid)
    elif counters(s, seat):
        s = replace(s, candidates={**s.candidates, province: (*s.candidates[province], seat)})
        text = N_("{seat} places a counter on {province} and is a candidate there.")
        rulings = (*rulings, ruled("candidate", "P-16", text, **facts))
    else:
        text = N_("{seat} has all five counters on the board: none is placed on {province}.")
        rulings = (*rulings, ruled("no_counter", "P-16", text, **facts))
    s = put_aside(s)
    if is_over(s):
        return end(s, *rulings)
    left = open_provinces(s)
    if len(left) > 1:
        text = N_("{seat} chooses the next province.")
        return replace(s, phase="province", winner=seat), (
            *rulings,
            ruled("move_pawn", "P-19", text, seat=seat),
        )
    text = N_("Only {province} is still open: the black pawn stands there.")
    return begin_round(replace(s, province=left[0]), *rulings, ruled("last_province", "P-19", text, province=left[0]))


def govern(s: State, seat: Seat, province: str) -> tuple[State, list[Ruling]]:
    """Return the state with the new governor paid, and the rulings (P-17, P-18)."""
    value = s.board.provinces[province]
    home = [other for other in s.candidates[province] if other != seat]
    pairs = [other for other in linked(s, province) if s.governors.get(other) == seat]
    s = replace(
        s,
        governors={**s.governors, province: seat},
        candidates={**s.candidates, province: ()},
        chips={**s.chips, seat: s.chips[seat] + value + LINK_PAYS * len(pairs)},
    )
    rule = "P-22" if is_short(s.setup) else "P-17"
    text = N_("{seat} becomes governor of {province}; the bank pays {value}.")
    if home:
        text = plural(
            "{seat} becomes governor of {province}; the bank pays {value}. A counter goes back to {home}.",
            "{seat} becomes governor of {province}; the bank pays {value}. A counter each goes back to {home}.",
            "counters",
        )
    facts = dict(seat=seat, province=province, value=Amount(value))
    governor = ruled("governor", rule, text, **facts, home=home, counters=len(home))
    text = N_("{seat} governs the linked provinces {province} and {linked}; the bank pays {value}.")
    facts["value"] = Amount(LINK_PAYS)
    links = [ruled("link", "P-18", text, **facts, linked=other) for other in pairs]
    return s, [governor, *links]


def linked(s: State, province: str) -> Sequence[str]:
    """Return the provinces linked with this one (P-2)."""
    return [other for pair in s.board.links for other in pair if province in pair and other != province]


def put_aside(s: State) -> State:
    """Clear the cards and the plea of a round that is over (P-19)."""
    return replace(s, played={}, holds={}, pleader=None, first_pleader=None, pleaded=(), asked=(), offer=None)


def is_over(s: State) -> bool:
    """Return whether the game is over (P-21, P-22)."""
    return not open_provinces(s) or (is_short(s.setup) and s.round == len(SHORT))


def game_contest(s: State) -> Contest:
    """Return the comparison of chips that decides who wins the game (P-21)."""
    return Contest("game", (Measure("chips", "P-21", "highest", s.chips),))


def outcome(s: State, confirmed: bool = True) -> Result:
    return result(s.chips, game_contest(s).winners, confirmed)


def end(s: State, *rulings: Ruling) -> Ruled:
    s = replace(s, phase="over")
    facts = outcome(s)
    text = N_("The game is over: {scores}. {winners} wins.")
    if len(facts["winners"]) > 1:
        text = N_("The game is over: {scores}. {winners} share the victory.")
    rule = "P-22" if is_short(s.setup) else "P-21"
    return s, (*rulings, ruled("over", rule, text, **facts, contest=game_contest(s)))


# -- legal, read, view ------------------------------------------------------------------------------------------


def legal(s: State) -> Sequence[Moves[Act]]:
    match s.phase:
        case "pawns":
            return [Moves(Pawns, {"order": tuple(permutations(s.seats))})]
        case "province":
            free = tuple(p for p in open_provinces(s) if s.winner is None or p != s.province)
            return [Moves(Province, {"province": free, "seat": (s.winner,)})]
        case "choosing":
            hands: list[Moves[Act]] = [
                Moves(Choose, {"seat": (seat,), "card": in_order(s.hands[seat])}) for seat in s.seats
            ]
            return hands if missing(s) else [*hands, Moves(Reveal, {})]
        case "pleading":
            return [offers(s, can_ask(s))]
        case "answering":
            assert s.offer
            answers: Moves[Act] = Moves(Answer, {"seat": (s.offer.to,), "accept": (True, False)})
            return [answers, offers(s, (s.offer.to,))] if negotiation(s) == "two_way" else [answers]
        case "negotiating":
            return list(deals(s))
    return []


def offers(s: State, to: tuple[Seat, ...]) -> Moves[Act]:
    assert s.pleader
    return Moves(Offer, {"seat": (s.pleader,), "to": to, "chips": range(s.chips[s.pleader] + 1)})


def deals(s: State) -> Iterator[Moves[Act]]:
    for seat in s.seats:
        others = tuple(other for other in s.seats if other != seat)
        if s.chips[seat]:
            yield Moves(Transfer, {"seat": (seat,), "to": others, "chips": range(1, s.chips[seat] + 1)})
        members = Coalitions(s, seat)
        if can_win(s, seat) and len(members):
            yield Moves(Coalition, {"seat": (seat,), "members": members})
    if s.setup.options["no_decision"]:
        yield Moves(NoDecision, {})


class Coalitions(tuple[tuple[Seat, ...], ...]):
    """The coalitions that let a seat win, each in header order; their members may be named in any order."""

    __slots__ = ()

    def __new__(cls, s: State, seat: Seat) -> "Coalitions":
        sizes = (combinations(s.seats, size) for size in range(1, len(s.seats) + 1))
        groups = (group for size in sizes for group in size if seat in group)
        return super().__new__(cls, (g for g in groups if worth([s.played[m] for m in g]) >= target(s)))

    def __contains__(self, members: object) -> bool:
        if not isinstance(members, tuple) or len(set(members)) < len(members):
            return False
        return any(set(members) == set(group) for group in self)


@lru_cache(maxsize=4096)
def in_order(cards: frozenset[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=hand_order))


def read(s: State, touch: Touch) -> Choose | Answer | None:
    """Read a card while choosing, or the button of the seat asked: a short press is yes, a long one no."""
    if isinstance(touch, Laid):
        return Choose(own_card(touch, s.seats), touch.card) if s.phase == "choosing" else None
    if s.phase == "answering" and s.offer and touch.seat == s.offer.to:
        return Answer(touch.seat, not touch.long)
    return None


def fists(s: State) -> tuple[Seat, ...]:
    """Return every seat once every card is down."""
    return s.seats if s.phase == "choosing" and not missing(s) else ()


def waiting(s: State) -> tuple[Seat, ...]:
    match s.phase:
        case "province" if s.winner:
            return (s.winner,)
        case "choosing":
            return missing(s)
        case "pleading" if s.pleader:
            return (s.pleader,)
        case "answering" if s.offer:
            replacing = s.pleader if negotiation(s) == "two_way" else None
            return tuple(seat for seat in s.seats if seat in (s.offer.to, replacing))
        case "negotiating":
            return s.seats
    return ()


def turn(s: State) -> Seat | None:
    match s.phase:
        case "province":
            return s.winner
        case "pleading":
            return s.pleader
        case "answering" if s.offer:
            return s.offer.to
    return None


def view(s: State, seat: Seat | None = None) -> ProkonsulView:
    """Return everything public; for a seat also its chips, hand and sealed choice."""
    over, shown = s.phase == "over", bool(s.played)
    public: ProkonsulView = {
        "game": GAME.name,
        "phase": s.phase,
        "turn": turn(s),
        "waiting": list(waiting(s)),
        "over": over,
        "result": outcome(s, s.board.confirmed) if over else None,
        "round": s.round or None,
        "row": list(s.row),
        "province": s.province,
        "provinces": {
            province: {
                "value": value,
                "candidates": [seat for seat in s.seats if seat in s.candidates[province]],
                "governor": s.governors.get(province),
            }
            for province, value in s.board.provinces.items()
        },
        "counters": {seat: counters(s, seat) for seat in s.seats},
        "chosen": [seat for seat in s.seats if seat in s.choices],
        "played": {seat: str(card) for seat, card in s.played.items()},
        "holds": {seat: [str(card) for card in cards] for seat, cards in s.holds.items()},
        "total": total(s) if shown else None,
        "target": target(s) if shown else None,
        "pleader": s.pleader,
        "first_pleader": s.first_pleader,
        "pleaded": list(s.pleaded),
        "can_ask": [other for other in can_ask(s) if not s.offer or other != s.offer.to] if s.pleader else [],
        "offer": {"to": s.offer.to, "chips": s.offer.chips, "promise": s.offer.promise} if s.offer else None,
    }
    if seat is not None:
        choice = s.choices.get(seat)
        public["private"] = {
            "chips": s.chips[seat],
            "hand": [str(card) for card in in_order(s.hands[seat])],
            "choice": str(choice) if choice else None,
        }
    return public


def derived(s: State) -> ProkonsulDerived:
    """Return the pleas still to come, what each seat holds, who can win a coalition, and the board's links."""
    return {
        "pleas": list(pleas(s)),
        "held": {seat: worth(cards) for seat, cards in s.holds.items()},
        "able": [seat for seat in s.seats if can_win(s, seat)] if s.phase == "negotiating" else [],
        "links": {province: list(linked(s, province)) for province in s.board.provinces},
    }


# -- the board as data ------------------------------------------------------------------------------------------


def read_board(data: Any) -> Board:
    """Return the board that data in the format of `board.yaml` describes. Raises Mistakes with all errors."""
    found = list(board_mistakes(data))
    if found:
        raise Mistakes(found)
    pairs = dict.fromkeys(tuple(sorted(pair, key=list(data["provinces"]).index)) for pair in data["links"])
    return Board(dict(data["provinces"]), tuple(pairs), data.get("confirmed", False))


def board_mistakes(data: Any) -> Iterator[Mistake]:
    if not isinstance(data, Mapping):
        yield Mistake((), "a board is a mapping with provinces, links and confirmed")
        return
    yield from (Mistake((key,), f"unknown key {key!r}") for key in data if key not in BOARD_KEYS)
    provinces, links = data.get("provinces"), data.get("links")
    if not isinstance(data.get("confirmed", False), bool):
        yield Mistake(("confirmed",), "confirmed is true or false")
    if not isinstance(provinces, Mapping):
        yield Mistake(("provinces",), "provinces is a mapping of seven names to their values")
        return
    yield from province_mistakes(provinces)
    if not isinstance(links, list | tuple):
        yield Mistake(("links",), "links is a list of pairs of provinces")
        return
    for at, pair in enumerate(links):
        yield from link_mistakes(pair, ("links", at), provinces)


BOARD_KEYS = ("provinces", "links", "confirmed")


def province_mistakes(provinces: Mapping[Any, Any]) -> Iterator[Mistake]:
    if len(provinces) != 7:
        yield Mistake(("provinces",), f"there are seven provinces, not {len(provinces)}")
    for name, value in provinces.items():
        if not isinstance(name, str) or not name.strip():
            yield Mistake(("provinces", name), f"a province's name is a text, not {name!r}")
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 999:
            yield Mistake(("provinces", name), f"the value of {name} is a whole number from 0 to 999, not {value!r}")


def link_mistakes(pair: Any, path: tuple[str | int, ...], provinces: Mapping[Any, Any]) -> Iterator[Mistake]:
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        yield Mistake(path, f"a link is a pair of provinces, not {pair!r}")
        return
    for name in pair:
        if not isinstance(name, str) or name not in provinces:
            yield Mistake(path, f"{name!r} is not one of the provinces{nearest(name, map(str, provinces))}")
    if pair[0] == pair[1]:
        yield Mistake(path, f"{pair[0]!r} cannot be linked with itself")


GAME: Game[State, ProkonsulView] = Game(
    name="prokonsul",
    title=N_("Prokonsul"),
    seats=range(3, 6),
    colours=COLOURS,
    ranks=ranks,
    events=(Pawns, Province, Choose, Reveal, Offer, Answer, Coalition, Transfer, NoDecision),
    options=(
        Option(
            "game",
            ("full", "short"),
            "P-22",
            N_("Short: cards 1–7, seven rounds; winning a round makes a governor."),
        ),
        Option(
            "negotiation",
            ("strict", "two_way", "free"),
            "P-23",
            N_("Strict: one offer, yes or no. Two-way: the offer may be replaced. Free: coalitions, no pleading."),
        ),
        Option(
            "no_decision",
            (False, True),
            "P-24",
            N_("The table may end a round without a winner."),
            needs=("negotiation", "free"),
        ),
        Option(
            "top_two",
            (False, True, "ranks"),
            "P-25",
            N_("Only the two highest numbers can win; by ranks: only if fewer than two cards are higher."),
            needs=("negotiation", "free"),
        ),
    ),
    together="P-5",
    setup=setup,
    apply=apply,
    legal=legal,
    read=read,
    fists=fists,
    view=view,
    derived=derived,
    board=read_board,
    vocabulary=lambda given: {"place": tuple(given.board.provinces)},
    blind={"transfer": "coalition"},
    clauses=__doc__ or "",
)
