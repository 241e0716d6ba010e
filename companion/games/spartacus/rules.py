"""Spartacus (3-5 players): tricks that the low card takes.

Set-up
S-1  (text) Each player has one colour: 1–10 and one flag. The first player leads the first trick. A colour's second
     flag is the same card: once played, it is gone.

A trick
S-2  (text) The leader plays any card and cannot pass.
S-3  (text) While only flags have been played, the next player plays any card; nobody may pass.
S-4  (text) Once a number has been played, a player plays a number lower than every number before it, or the flag, or
     passes, even if able to play.
S-5  (text) A player who passes is out of this trick.
S-6  (text+decided: the lowest number ends it, as the rules say; “when all others have passed” is only their summary)
     The turn goes clockwise past those who are out. The trick ends when it comes back to the player whose number is
     the lowest, even if somebody answered with a flag and never passed. That player cannot play on.
S-7  (text) The player with the lowest number takes every card of the trick, even flags played after it, and lays it
     face down before them, each trick a pile. Anybody may look at the trick that lies open.
S-8  (text) The player to the left of the taker leads the next trick.

The end
S-9  (text) The game ends at once when a hand is empty, even in mid-trick; nobody may answer. The unfinished trick goes
     to the lowest number; if it has only flags, to nobody.
S-10 (text) A trick is worth the sum of its numbers, doubled once for each flag in it. Each trick is counted
     separately.
S-11 (text) The numbers left in a hand are subtracted, doubled if the flag is there too. A lone flag costs nothing.
     Totals may be negative.
S-12 (text) The highest total wins.

Variants
S-13 (text+decided: the first lead moves on, so that each player has it in turn) Series: totals are added up game after
     game. In the next game the next player clockwise leads first.
S-14 (variant+decided: on jokers alone nobody passes, and a number must be lower than the last one; jokers alone at the
     end are a trick; one penalty excludes the other, though the rules can be read as allowing both at once) Flags as
     jokers: a joker beats anything, even another joker, and may be played on any turn. The next number must be lower
     than the last number under the jokers; while only jokers have been played, nobody may pass. The trick ends when the
     turn comes back to the owner of the last card played, who takes it, joker or not. When a hand is empty, the owner
     of the last card takes the unfinished trick too, even if there are only jokers. Jokers count nothing and double
     nothing, in tricks and in hand. Penalty “minus 10”: each joker in a taken trick or left in a hand costs 10. Penalty
     “void”: a trick with a joker in it is worth nothing; a joker in hand costs nothing. Without jokers the penalty has
     no effect.
S-15 (variant) No flags: they stay in the box; hands of ten cards.
S-16 (option) Points shown: every trick is counted as soon as it is taken. Points covered: nobody is told what a trick
     was worth until the game is over; then all of them are counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.spartacus.view import LaidCard, SpartacusDerived, SpartacusView
from companion.rules import (
    N_,
    Game,
    Laid,
    Moves,
    Option,
    Options,
    Pass,
    Refused,
    Ruling,
    Seat,
    Setup,
    Touch,
    left_of,
    own_card,
    plural,
    require,
    result,
    ruled,
)
from companion.rules.cards import COLOURS, FLAG, Card
from companion.rules.contest import Contest, Measure

NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
JOKER_COSTS = 10

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Play:
    seat: Seat
    card: Card


Act = Play | Pass
Ruled = tuple["State", Sequence[Ruling]]


@dataclass(frozen=True, slots=True)
class State:
    """Everything true about one game.

    A card's colour shows who played it, and the last number played is always the lowest. Whether the game is over and
    what tricks are worth follow from the rest and are not kept.
    """

    setup: Setup
    turn: Seat
    """Who is to act; without meaning when the game is over."""
    hands: Mapping[Seat, Cards]
    """By rank, the flag last."""
    taken: Mapping[Seat, tuple[Cards, ...]]
    """The tricks each seat has taken, each as it was played."""
    trick: Cards = ()
    passed: tuple[Seat, ...] = ()

    @property
    def over(self) -> bool:
        """Return whether a hand is empty, which ends the game (S-9)."""
        return () in self.hands.values()

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.setup.seats

    @property
    def flags(self) -> str:
        """Return the role of flags: "double", "joker" or "none" (S-14, S-15)."""
        return str(self.setup.options["flags"])


def setup(given: Setup) -> State:
    """Set up full hands; the first seat leads (S-1, S-15)."""
    return State(
        setup=given,
        turn=given.seats[0],
        hands={seat: tuple(Card(seat, rank) for rank in ranks(given.options)) for seat in given.seats},
        taken=dict.fromkeys(given.seats, ()),
    )


def ranks(options: Options) -> tuple[int, ...]:
    """Return the ranks of this game, in the order of a hand."""
    return NUMBERS if options["flags"] == "none" else (*NUMBERS, FLAG)


def lowest(s: State) -> Card | None:
    """Return the lowest number played to the trick, always the last number; None while there are only flags."""
    for card in reversed(s.trick):
        if card.rank:
            return card
    return None


def for_trick(s: State) -> Contest | None:
    """Return the comparison that decides who takes the trick so far.

    The lowest number takes it (S-7), or with jokers the last card (S-14). None while nobody would take it: the trick is
    empty, or holds only flags that double.
    """
    if s.flags == "joker":
        last = {card.colour: place for place, card in enumerate(s.trick, 1)}
        measure = Measure("last", "S-14", "highest", in_order(s, last))
    else:
        low = {card.colour: card.rank for card in s.trick if card.rank}  # each number is lower than those before it
        measure = Measure("number", "S-7", "lowest", in_order(s, low))
    could = dict.fromkeys(measure.values, NUMBERS) if measure.by == "number" else {}
    return Contest("trick", (measure,), could) if measure.values else None


def in_order(s: State, values: Mapping[Seat, int]) -> Mapping[Seat, int]:
    """Return the values in the order of the seats."""
    return {seat: values[seat] for seat in s.seats if seat in values}


def strongest(s: State) -> Card | None:
    """Return the card that takes the trick so far: the lowest number (S-7), or with jokers the last card (S-14)."""
    last = s.trick[-1] if s.trick else None
    return last if last and (last.rank or s.flags == "joker") else lowest(s)


def taking(s: State, won: Contest) -> Card:
    """Return the card with which the winner takes the trick."""
    rank = int(won.steps[0].values[won.winner])
    return s.trick[rank - 1] if s.flags == "joker" else Card(won.winner, rank)


# -- what cards count -------------------------------------------------------------------------------------------


def penalty(s: State) -> str:
    """Return the penalty for jokers, "none" without jokers (S-14)."""
    return str(s.setup.options["joker_penalty"]) if s.flags == "joker" else "none"


def jokers_paid(s: State, cards: Cards) -> int:
    """Return how many jokers cost 10 each (S-14)."""
    return flags_in(cards) if penalty(s) == "minus10" else 0


def flags_in(cards: Cards) -> int:
    return [card.rank for card in cards].count(FLAG)


def numbers(cards: Cards) -> int:
    return sum([card.rank for card in cards])


def doubled(s: State, cards: Cards) -> int:
    """Return how many flags double the numbers (S-10, S-11); jokers do not (S-14)."""
    return flags_in(cards) if s.flags == "double" else 0


def value(s: State, cards: Cards) -> int:
    """Return the sum of the numbers, doubled for each flag (S-10, S-11)."""
    return numbers(cards) << doubled(s, cards)


def is_void(s: State, trick: Cards) -> bool:
    return penalty(s) == "void" and flags_in(trick) > 0


def worth(s: State, trick: Cards) -> int:
    """Return the points of a taken trick (S-10, S-14)."""
    return 0 if is_void(s, trick) else value(s, trick) - JOKER_COSTS * jokers_paid(s, trick)


def cost(s: State, hand: Cards) -> int:
    """Return the cost of a hand left at the end (S-11, S-14)."""
    return value(s, hand) + JOKER_COSTS * jokers_paid(s, hand)


def working(s: State, cards: Cards, total: int, sign: str) -> str:
    """Return how a trick or a hand reaches its total: "(9+7+5) × 2 = 42", with jokers "9+7 − 10 = 6"."""
    addends = [str(card.rank) for card in cards if card.rank]
    text = "+".join(addends) or "0"
    if addends and doubled(s, cards):
        text = (f"({text})" if addends[1:] else text) + " × 2" * doubled(s, cards)
    text += f" {sign} {JOKER_COSTS}" * jokers_paid(s, cards)
    return text if text == str(total) else f"{text} = {signed(total)}"


def how(s: State, trick: Cards) -> str:
    """Return how a trick reaches its points."""
    return "0" if is_void(s, trick) else working(s, trick, worth(s, trick), "−")


def covered(s: State) -> bool:
    """Return whether the points of tricks are still covered (S-16)."""
    return s.setup.options["points"] == "covered" and not s.over


def points(s: State, seat: Seat) -> int:
    return sum(worth(s, trick) for trick in s.taken[seat])


def scores(s: State) -> dict[Seat, int]:
    """Return each seat's points from tricks less the cost of its hand (S-12)."""
    return {seat: points(s, seat) - cost(s, s.hands[seat]) for seat in s.seats}


def for_game(s: State) -> Contest:
    """Return the comparison that decides who wins the game (S-12)."""
    return Contest("game", (Measure("points", "S-12", "highest", scores(s)),))


# -- apply ------------------------------------------------------------------------------------------------------


def apply(s: State, event: Act) -> Ruled:
    """Return the state after the event, and the rulings. Raises Refused."""
    match event:
        case Play():
            return play(s, event.seat, event.card)
        case Pass():
            return fall_out(s, event.seat)


def play(s: State, seat: Seat, card: Card) -> Ruled:
    require_turn(s, seat)
    require_held(s, seat, card)
    low = lowest(s)
    if low and card.rank >= low.rank:
        raise Refused(too_high(s, card, low))
    ruling = put(s, card, low)
    hand = s.hands[seat]
    at = hand.index(card)
    left = hand[:at] + hand[at + 1 :]
    s = replace(s, turn=next_turn(s, s.passed), hands={**s.hands, seat: left}, trick=(*s.trick, card))
    return go_on(s, ruling) if left else end(s, seat, ruling)


def fall_out(s: State, seat: Seat) -> Ruled:
    require_turn(s, seat)
    leads = N_("{seat} leads the trick and cannot pass: any card may be played.")
    require(s.trick, "leader", leads, "S-2", seat=seat)
    low = lowest(s)
    only = N_("While only flags have been played, nobody may pass: {seat} plays any card.")
    require(low or s.flags == "joker", "only_flags", only, "S-3", seat=seat)
    jokers = N_("While only jokers have been played, nobody may pass: {seat} plays any card.")
    require(low, "only_flags", jokers, "S-14", seat=seat)
    text, strong = N_("{seat} passes and is out of this trick; {lowest} is still the lowest."), strongest(s)
    if strong != low:
        text = N_("{seat} passes and is out of this trick; {strongest} is still the strongest.")
    ruling = ruled("passed", "S-5", text, seat=seat, strongest=strong, lowest=low)
    passed = (*s.passed, seat)
    return go_on(replace(s, turn=next_turn(s, passed), passed=passed), ruling)


def next_turn(s: State, passed: tuple[Seat, ...]) -> Seat:
    """Return the next seat clockwise that is not out (S-6).

    The owner of the strongest card is never out, so there always is one.
    """
    seat = left_of(s.seats, s.turn)
    while seat in passed:
        seat = left_of(s.seats, seat)
    return seat


def require_turn(s: State, seat: Seat) -> None:
    require(not s.over, "not_now", N_("The game is over; you can only undo."))
    out = N_("{seat} has passed and is out of this trick: {turn} plays a card or passes.")
    require(seat not in s.passed, "out", out, "S-5", seat=seat, turn=s.turn)
    if seat != s.turn:
        text = N_("It is {turn:of} turn, not {seat:of}: {turn} plays a card or passes.")
        if not lowest(s):
            text = N_("It is {turn:of} turn, not {seat:of}: {turn} plays a card.")
        raise Refused(ruled("turn", "T-1", text, turn=s.turn, seat=seat))


def require_held(s: State, seat: Seat, card: Card) -> None:
    if card in s.hands[seat]:
        return
    require(card.colour == seat, "colour", N_("The {card} is not one of {seat:of} cards."), "T-2", card=card, seat=seat)
    text = N_("The {card} is not in this game; only 1–10 and one flag of each colour are.")
    if s.flags == "none":
        text = N_("The {card} is not in this game; only 1–10 of each colour are, without flags.")
    require(card.rank in ranks(s.setup.options), "card", text, "T-2", card=card)
    raise Refused(ruled("played", "T-2", N_("The {card} has been played; {seat} plays another."), card=card, seat=seat))


def flag_may_follow(s: State, seat: Seat) -> bool:
    """Return whether the seat may still have its flag, judged by the cards seen so far (S-1)."""
    tricks = (s.trick, *(trick for taken in s.taken.values() for trick in taken))
    return s.flags != "none" and not any(card.colour == seat and not card.rank for trick in tricks for card in trick)


def too_high(s: State, card: Card, low: Card) -> Ruling:
    """Return why the card may not follow, and what may (S-4)."""
    if not flag_may_follow(s, s.turn):
        text = N_("The {card} is not lower than the {lowest}: {seat} plays a lower number or passes.")
        none = N_("No number is lower than {lowest}: {seat} passes.")
    elif s.flags == "joker":
        text = N_("The {card} is not lower than the {lowest}: {seat} plays a lower number or a joker, or passes.")
        none = N_("No number is lower than {lowest}: {seat} plays a joker or passes.")
    else:
        text = N_("The {card} is not lower than the {lowest}: {seat} plays a lower number or the flag, or passes.")
        none = N_("No number is lower than {lowest}: {seat} plays the flag or passes.")
    rule = "S-14" if s.flags == "joker" and not s.trick[-1].rank else "S-4"
    return ruled("lower", rule, none if low.rank == 1 else text, card=card, lowest=low, seat=s.turn)


def put(s: State, card: Card, low: Card | None) -> Ruling:
    """Return the ruling on a card played; `low` is the lowest number before it."""
    if card.rank:
        rule, text = "S-4", N_("{seat} plays {card}: it is now the lowest.")
        if not s.trick:
            rule, text = "S-2", N_("{seat} leads {card}: it is the lowest.")
        elif not low:
            rule, text = "S-3", N_("{seat} plays {card}: it is the first number and the lowest.")
        return ruled("play", rule, text, seat=s.turn, card=card, lowest=card)
    if s.flags == "joker":
        text = N_("{seat} plays {card}, a joker: it beats anything; a number must still be lower than {lowest}.")
        if not low:
            text = N_("{seat} plays {card}, a joker: only jokers so far.")
        return ruled("play", "S-14", text, seat=s.turn, card=card, lowest=low)
    text = N_("{seat} plays {card}: it doubles the trick; {lowest} is still the lowest.")
    if not low:
        text = N_("{seat} plays {card}: it doubles the trick; only flags so far.")
    return ruled("play", "S-4" if low else "S-3" if s.trick else "S-2", text, seat=s.turn, card=card, lowest=low)


# -- the end of a trick and of the game -------------------------------------------------------------------------


def go_on(s: State, ruling: Ruling) -> Ruled:
    """Continue the trick, or let the seat take it if the turn is back at its strongest card (S-6, S-8)."""
    seat, card = s.turn, strongest(s)
    if not card or card.colour != seat:
        return s, (ruling,)
    won = for_trick(s)
    assert won, "a card lies that takes it"
    card, leader = taking(s, won), left_of(s.seats, seat)
    rule, text = "S-6", N_("The turn is back at {seat}, and {card} is the lowest: {seat} takes the trick.")
    if s.flags == "joker":
        rule, text = "S-14", N_("The turn is back at {seat}, and {card} was played last: {seat} takes the trick.")
    s, points = take(s, card, leader)
    taken = ruled("taken", rule, text, seat=seat, card=card, contest=won)
    leads = ruled("leads", "S-8", N_("{leader}, on {seat:of} left, leads the next trick."), leader=leader, seat=seat)
    return s, (ruling, taken, *points, leads)


def take(s: State, card: Card, turn: Seat) -> tuple[State, Sequence[Ruling]]:
    """Give the trick to the card's owner and rule on its points, unless they are covered (S-7, S-10, S-16)."""
    seat, trick = card.colour, s.trick
    taken = {**s.taken, seat: (*s.taken[seat], trick)}
    after = replace(s, taken=taken, trick=(), passed=(), turn=turn)
    return after, () if s.setup.options["points"] == "covered" else (counted(s, seat, trick),)


def counted(s: State, seat: Seat, trick: Cards) -> Ruling:
    """Return the ruling on the points of a taken trick."""
    rule = "S-14" if s.flags == "joker" and not all(card.rank for card in trick) else "S-10"
    text = N_("The trick is worth {working}.")
    if is_void(s, trick):
        text = N_("With a joker in it, the trick is worth nothing.")
    return ruled("worth", rule, text, seat=seat, cards=trick, working=how(s, trick), points=worth(s, trick))


def end(s: State, seat: Seat, ruling: Ruling) -> Ruled:
    """End the game because the seat's hand is empty (S-9)."""
    won = for_trick(s)
    empty = ruled("empty", "S-9", N_("{seat:of} hand is empty: the game is over at once."), seat=seat)
    if won:
        text, card = N_("{seat} takes the last trick with {card}."), taking(s, won)
        rule = "S-14" if s.flags == "joker" else "S-9"
        last = ruled("last_trick", rule, text, seat=won.winner, card=card, contest=won)
        s, points = take(s, card, seat)
        rulings: tuple[Ruling, ...] = (ruling, empty, last, *points)
    else:
        text = N_("Only flags were played: the last trick goes to nobody.")
        rulings = (ruling, empty, ruled("nobody", "S-9", text, cards=s.trick))
        s = replace(s, trick=())
    if s.setup.options["points"] == "covered":
        rulings = (*rulings, *(uncovered(s, other) for other in s.seats if s.taken[other]))
    return s, (*rulings, *(hand_left(s, other) for other in s.seats if s.hands[other]), totals(s))


def uncovered(s: State, seat: Seat) -> Ruling:
    """Return the ruling that uncovers the points of the seat's tricks at the end (S-16)."""
    tricks, total = tuple([how(s, trick) for trick in s.taken[seat]]), points(s, seat)
    text = plural("{seat} took {count} trick: {tricks}. That is {points}.",
                  "{seat} took {count} tricks: {tricks}. That is {points} in all.")  # fmt: skip
    return ruled("tricks", "S-16", text, seat=seat, tricks=tricks, points=total, count=len(tricks))


def hand_left(s: State, seat: Seat) -> Ruling:
    hand = s.hands[seat]
    lost = cost(s, hand)
    text = N_("{seat} still holds {cards}: {working} is subtracted.")
    if not lost:
        text = N_("{seat} still holds {cards}, which costs nothing.")
    rule = "S-14" if s.flags == "joker" and not hand[-1].rank else "S-11"
    return ruled("hand", rule, text, seat=seat, cards=hand, working=working(s, hand, lost, "+"), cost=lost)


def signed(number: int) -> str:
    """Return a number with the minus sign that sums use."""
    return f"−{-number}" if number < 0 else str(number)


def totals(s: State) -> Ruling:
    """Return the ruling on tricks less hands, and on who wins (S-12)."""
    won, lost = {seat: points(s, seat) for seat in s.seats}, {seat: cost(s, s.hands[seat]) for seat in s.seats}
    final = scores(s)
    shown = {
        seat: f"{signed(won[seat])} − {lost[seat]} = {signed(final[seat])}" if lost[seat] else signed(won[seat])
        for seat in s.seats
    }
    contest = for_game(s)
    text = N_("The game is over: {totals}. {winners} wins.")
    if len(contest.winners) > 1:
        text = N_("The game is over: {totals}. {winners} share the victory.")
    facts = result(final, contest.winners)
    return ruled("over", "S-12", text, totals=shown, points=won, costs=lost, **facts, contest=contest)


# -- legal, read, view ------------------------------------------------------------------------------------------


def legal(s: State) -> list[Moves[Act]]:
    if s.over:
        return []
    turn, low = (s.turn,), lowest(s)
    if not low:
        return [Moves(Play, {"seat": turn, "card": s.hands[s.turn]})]
    lower = tuple(card for card in s.hands[s.turn] if card.rank < low.rank)
    passing = Moves(Pass, {"seat": turn})
    return [Moves(Play, {"seat": turn, "card": lower}), passing] if lower else [passing]


def read(s: State, touch: Touch) -> Act | None:
    """Read a card as played by its colour; the button of the seat to move passes."""
    if s.over:
        return None
    if isinstance(touch, Laid):
        return Play(own_card(touch, s.seats), touch.card)
    return Pass(touch.seat) if touch.seat == s.turn else None


def fists(_: State) -> tuple[Seat, ...]:
    """Return no seats: nothing is sealed in this game."""
    return ()


def view(s: State, seat: Seat | None = None) -> SpartacusView:
    """Return everything public; for a seat also its hand."""
    low = lowest(s)
    public: SpartacusView = {
        "game": GAME.name,
        "phase": "over" if s.over else "trick",
        "turn": None if s.over else s.turn,
        "waiting": [] if s.over else [s.turn],
        "over": s.over,
        "result": result(scores(s), for_game(s).winners) if s.over else None,
        "trick": [lying(card) for card in s.trick],
        "lowest": lying(low) if low else None,
        "passed": [other for other in s.seats if other in s.passed],
        "hand_sizes": {other: len(s.hands[other]) for other in s.seats},
        "tricks": {other: len(s.taken[other]) for other in s.seats},
        "points": {} if covered(s) else {other: points(s, other) for other in s.seats},
    }
    if seat is not None:
        public["private"] = {"hand": [str(card) for card in s.hands[seat]]}
    return public


def lying(card: Card) -> LaidCard:
    """Return a card of the trick with the seat that played it."""
    return {"seat": card.colour, "card": str(card)}


def derived(s: State) -> SpartacusDerived:
    """Return what follows from the trick so far: who takes it, its points, and which cards may follow."""
    low, takes = lowest(s), strongest(s)
    return {
        "below": low.rank if low else None,
        "takes": lying(takes) if takes else None,
        "flags": [seat for seat in s.seats if flag_may_follow(s, seat)],
        "worth": None if covered(s) else worth(s, s.trick),
        "working": "" if covered(s) else how(s, s.trick),
        "numbers": numbers(s.trick),
        "doubled": doubled(s, s.trick),
        "jokers": jokers_paid(s, s.trick),
        "void": is_void(s, s.trick),
    }


GAME: Game[State, SpartacusView] = Game(
    name="spartacus",
    title=N_("Spartacus"),
    seats=range(3, 6),
    colours=COLOURS,
    ranks=ranks,
    events=(Play, Pass),
    options=(
        Option(
            "flags",
            ("double", "joker", "none"),
            "S-14",
            N_("Double: each flag doubles its trick. Joker: a flag beats anything. None: the flags stay in the box."),
        ),
        Option(
            "joker_penalty",
            ("none", "minus10", "void"),
            "S-14",
            N_("Minus 10: each joker costs 10, in a trick or in hand. Void: a trick with a joker is worth nothing."),
        ),
        Option(
            "points",
            ("shown", "covered"),
            "S-16",
            N_("Shown: every trick is counted at once. Covered: tricks are counted when the game is over."),
        ),
    ),
    series="scores",
    setup=setup,
    apply=apply,
    legal=legal,
    read=read,
    fists=fists,
    view=view,
    derived=derived,
    blind={"play": "pass"},
    clauses=__doc__ or "",
)
