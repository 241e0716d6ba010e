"""Hannibal gegen Rom (2 players: blue is Rome, red is Carthage): legions and fleets, battles by sealed cards.

Set-up
H-1  (text) Eleven regions and five sea routes, each joining two regions. Both sides hold their cards 1–5.
H-2  (text) Rome: seven legions in Rome, three fleets on the route between Rome and Corsica. Carthage: Hannibal (two
     counters that are one piece for good) and five legions in Carthago, three fleets on the route between Carthago
     and Sardinia. Rome begins; the sides alternate.
H-3  (decided: the rules print no list of links, and ours is worked out from what they say of single regions and of a
     symmetric board; compare it with yours) Regions are linked by land and by sea as the board shows. Corsica, Sardinia
     and Sicilia are islands; the capitals are Rome and Carthago.

A turn
H-4  (text) The side to move moves exactly one piece, a legion or a fleet. There is no passing.
H-5  (text) A legion moves to a neighbouring region by land, or along one route that holds a fleet of its own side, to
     the other end. The fleet stays.
H-6  (text) Hannibal moves by land only.
H-7  (text) A fleet moves from its route to any other route.
H-8  (text) Any number of a side's pieces may share a place. Moving to where the enemy is means a battle.

Battle
H-9  (text) Both choose a card face down and reveal together. The lower card loses one piece there; equal cards cost
     each side one. Both cards are put aside face down. This repeats until at most one side is left there. Land and sea
     alike; the mover always has exactly one piece in the battle.
H-10 (text) After the fifth exchange both take all five cards back, at once, even in the middle of a battle; exchanges
     are counted across all battles.
H-11 (decided: the rules have it declared as a battle begins, but also let Hannibal fight whenever Carthage wants him
     to) Where Hannibal and other legions defend together, Carthage declares before each exchange, before cards are
     chosen, which of the two fights; once declared, it is not changed. Alone, or as the mover, Hannibal fights himself.
     Option “each battle”: it is declared once a battle; when no piece of that kind is left there, the other kind fights
     without being asked.
H-12 (text+decided: on a tie the Roman legion is removed too, as in any other exchange) When Hannibal fights, Carthage's
     card counts one more. If it is still lower, or equal, Hannibal is removed; if equal, so is the Roman legion.

The end
H-13 (text) A legion (Hannibal counts) that enters the enemy capital wins at once; there is no battle.
H-14 (text+decided: in Rome's condition the “or” and the South; Hispania N is printed for Rome too, but only with
     Hispania S does the condition mean the same for both sides of a symmetric board) A side that controls the
     Mediterranean at the end of its own turn wins. Rome: a legion in Sardinia, one in Hispania S or Mauretania, and one
     in Zama or Sicilia. Carthage (Hannibal counts as a legion): one in Corsica, one in Hispania N or Gallia, and one in
     Sicilia or Cannae. Option “Hispania N”: for Rome Hispania N takes the place of Hispania S.
H-15 (text) A side without legions (Hannibal counts as one) loses; if both lose their last at once, nobody wins.
     Checked after every exchange; fleets do not count.
H-16 (text) A side that cannot move any piece on its turn loses, even if the other side could not move either. That
     happens only without a fleet and with every legion on an island.
H-17 (text+decided: a draw breaks the run, because nobody has won it) Series: sides are swapped after each game; the
     first to win twice in a row wins the series. A draw breaks the run.

Variant
H-18 (variant+decided: three or more, both may control a region, and the chip comes before control of the Mediterranean,
     for the rules leave all three open) Core control, if agreed: the core is the three islands and the two Hispanias. A
     side controls a core region with a legion (Hannibal counts) in it or beyond it on the way to the enemy capital:
     Rome controls Corsica from Sardinia too, Sicilia from Zama, Hispania N from Hispania S, and both Hispanias from
     Mauretania; Carthage controls Sardinia from Corsica too, Sicilia from Cannae, Hispania S from Hispania N, and both
     Hispanias from Gallia. Both sides may control the same region. With three or more at the end of its own turn a side
     takes one of eight chips, and the other side gives all of its chips back; a turn without three loses nothing. Eight
     chips win at once. The chip is taken before control of the Mediterranean is checked.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from companion.games.hannibal.view import HannibalDerived, HannibalPhase, HannibalView, Needed, Region, Route
from companion.rules import (
    N_,
    Choose,
    Game,
    Laid,
    Moves,
    Option,
    Piece,
    Place,
    Refused,
    Reveal,
    Ruling,
    Seat,
    Setup,
    Touch,
    own_card,
    plural,
    require,
    result,
    ruled,
)
from companion.rules.cards import Card
from companion.rules.contest import Condition, Contest, Measure
from companion.rules.mistakes import Mistake, Mistakes, nearest
from companion.rules.views import Result

ROME, CARTHAGE = "blue", "red"
SIDES = (ROME, CARTHAGE)
ENEMY = {ROME: CARTHAGE, CARTHAGE: ROME}
CAPITAL = {ROME: "rome", CARTHAGE: "carthago"}
PIECES = ("legion", "hannibal", "fleet")
RANKS = range(1, 6)
HANDS = {side: tuple(Card(side, rank) for rank in RANKS) for side in SIDES}
CHIPS = 8
REGIONS = ("rome", "cannae", "gallia", "hispania_n", "hispania_s", "mauretania", "carthago", "zama",
           "corsica", "sardinia", "sicilia")  # fmt: skip
HARBOURS = {ROME: ("rome", "corsica"), CARTHAGE: ("carthago", "sardinia")}
"""The two ends of the route on which a side's fleets begin (H-2)."""

MEDITERRANEAN: Mapping[Seat, tuple[tuple[str, ...], ...]] = {
    ROME: (("sardinia",), ("hispania_s", "mauretania"), ("zama", "sicilia")),
    CARTHAGE: (("corsica",), ("hispania_n", "gallia"), ("sicilia", "cannae")),
}
"""A legion in one region of each group (H-14)."""
NORTH = (("sardinia",), ("hispania_n", "mauretania"), ("zama", "sicilia"))
"""Rome's groups with the option "north"."""

CORE: Mapping[Seat, Mapping[str, tuple[str, ...]]] = {
    ROME: {
        "corsica": ("corsica", "sardinia"),
        "sardinia": ("sardinia",),
        "sicilia": ("sicilia", "zama"),
        "hispania_n": ("hispania_n", "hispania_s", "mauretania"),
        "hispania_s": ("hispania_s", "mauretania"),
    },
    CARTHAGE: {
        "corsica": ("corsica",),
        "sardinia": ("sardinia", "corsica"),
        "sicilia": ("sicilia", "cannae"),
        "hispania_n": ("hispania_n", "gallia"),
        "hispania_s": ("hispania_s", "hispania_n", "gallia"),
    },
}
"""Where a side's legion controls each core region (H-18)."""

# -- events, board and state ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    seat: Seat
    piece: Piece
    from_: Place
    to: Place


@dataclass(frozen=True, slots=True)
class Defend:
    """The declaration which of the two fights for Carthage (H-11)."""

    seat: Seat
    piece: Piece


Act = Move | Defend | Choose | Reveal
Ruled = tuple["State", Sequence[Ruling]]
Pieces = Mapping[Seat, Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True, slots=True)
class Board:
    """The neighbours of each region by land, and by sea with the route between; the routes in the board's order."""

    land: Mapping[str, tuple[str, ...]]
    sea: Mapping[str, Mapping[str, str]]
    routes: tuple[str, ...]
    confirmed: bool


@dataclass(frozen=True, slots=True)
class Battle:
    """The place of a battle, and the piece that fights for Carthage: None while red has to say."""

    place: str
    fighter: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """Everything true about one game. `turn` is the side to move and, in a battle, the mover."""

    setup: Setup
    phase: HannibalPhase
    turn: Seat
    pieces: Pieces
    """How many of each kind stand where; a place without one is left out."""
    hands: Mapping[Seat, tuple[Card, ...]]
    chips: Mapping[Seat, int]
    choices: Mapping[Seat, Card] = field(default_factory=dict)
    battle: Battle | None = None
    winners: tuple[Seat, ...] = ()

    @property
    def board(self) -> Board:
        board: Board = self.setup.board
        return board


def setup(given: Setup) -> State:
    """Set up the pieces, hands and chips (H-1, H-2).

    H-16 need not be checked here: with a fleet and four other routes Rome can begin on every board.
    """
    harbour = {side: {given.board.sea[one][other]: 3} for side, (one, other) in HARBOURS.items()}
    pieces = {
        ROME: {"legion": {"rome": 7}, "hannibal": {}, "fleet": harbour[ROME]},
        CARTHAGE: {"legion": {"carthago": 5}, "hannibal": {"carthago": 1}, "fleet": harbour[CARTHAGE]},
    }
    return State(given, "moving", ROME, pieces, HANDS, dict.fromkeys(SIDES, 0))


def legions(s: State, side: Seat) -> set[str]:
    """Return the regions where a side's legions stand; Hannibal counts as one."""
    own = s.pieces[side]
    return {*own["legion"], *own["hannibal"]}


def stands(s: State, side: Seat, place: str) -> int:
    """Return how many pieces of the side stand at that place."""
    return sum(spots.get(place, 0) for spots in s.pieces[side].values())


def reach(s: State, side: Seat, piece: str, start: str) -> tuple[str, ...]:
    """Return the places that a piece can reach from `start` (H-5 to H-7)."""
    if piece == "fleet":
        return tuple(route for route in s.board.routes if route != start)
    land = s.board.land[start]
    if piece == "hannibal":
        return land
    fleets = s.pieces[side]["fleet"]
    return (*land, *(end for end, route in s.board.sea[start].items() if route in fleets and end not in land))


def free(s: State, side: Seat) -> Iterator[str]:
    """Return the regions that a legion of the side, or Hannibal, can leave."""
    own = s.pieces[side]
    return (place for piece in ("legion", "hannibal") for place in own[piece] if reach(s, side, piece, place))


def can_move(s: State, side: Seat) -> bool:
    """Return whether the side can move a piece (H-16). A fleet always can: there are four other routes."""
    return bool(s.pieces[side]["fleet"]) or any(True for _ in free(s, side))


def missing(s: State) -> tuple[Seat, ...]:
    """Return the sides that have not chosen a card yet."""
    return tuple(side for side in SIDES if side not in s.choices)


def shifted(pieces: Pieces, side: Seat, piece: str, start: str, to: str | None = None) -> Pieces:
    """Return the pieces with one of them moved; without `to` it leaves the game."""
    own = pieces[side]
    spots = dict(own[piece])
    spots[start] -= 1
    if not spots[start]:
        del spots[start]
    if to:
        spots[to] = spots.get(to, 0) + 1
    return {**pieces, side: {**own, piece: spots}}


# -- apply ------------------------------------------------------------------------------------------------------

EXPECTED = {
    "moving": N_("Not now: {turn} moves a legion or a fleet."),
    "declaring": N_("Not now: first {waiting} declares who fights, Hannibal or a legion."),
    "choosing": N_("Not now: a battle is on; first {waiting} must choose a card."),
    "reveal": N_("Not now: both cards are face down, waiting to be revealed."),
    "over": N_("The game is over."),
}


def apply(s: State, event: Act) -> Ruled:
    """Return the state after the event, and the rulings. Raises Refused."""
    match event:
        case Move():
            return move(s, event)
        case Defend():
            return defend(s, event)
        case Choose():
            return choose(s, event)
        case Reveal():
            return reveal(s)


def expect(s: State, phase: HannibalPhase) -> None:
    """Refuse an event that does not fit the phase, and say what is expected (T-1). Raises Refused."""
    if s.phase != phase:
        now = "reveal" if fists(s) else s.phase
        raise Refused(ruled("not_now", "T-1", EXPECTED[now], phase=now, waiting=waiting(s), turn=turn(s)))


def no_way(code: str, rule: str, text: str, event: Move, **facts: Any) -> Refused:
    """Return the refusal of a move, with the requested move among its facts."""
    asked = {"seat": event.seat, "piece": event.piece, "from": event.from_, "to": event.to}
    return Refused(Ruling(code, rule, text, asked | facts))


ABSENT = {
    "legion": N_("{seat} has no legion in {from}, only in {places}."),
    "hannibal": N_("Hannibal is not in {from} but in {places}."),
    "fleet": N_("{seat} has no fleet on {from}, only on {places}."),
}
GONE = {
    "legion": N_("{seat} has no legion left."),
    "hannibal": N_("Hannibal has fallen and will not return."),
    "fleet": N_("{seat} has no fleet left."),
}
UNREACHED = {
    "legion": (
        "H-5",
        N_("From {from} a legion can now reach {reach}: by land, or along a route with a fleet of {seat:of}."),
    ),
    "hannibal": ("H-6", N_("From {from} Hannibal can reach {reach}: he moves by land only.")),
    "fleet": ("H-7", N_("A fleet on {from} can move to another route: {reach}.")),
}
STUCK = {
    "legion": N_("From {from} no legion can move: no fleet of {seat:of} is on a route from there."),
    "hannibal": N_("From {from} Hannibal cannot move: he moves by land only."),
}
"""Where nothing can be reached: from an island, or where a board has no land links; a fleet always has other routes."""
MOVED = {
    "legion": ("H-5", N_("{seat:of} legion moves from {from} to {to}.")),
    "hannibal": ("H-6", N_("Hannibal moves from {from} to {to}.")),
    "fleet": ("H-7", N_("{seat:of} fleet moves from {from} to {to}.")),
}


def move(s: State, event: Move) -> Ruled:
    expect(s, "moving")
    side, piece, start, to = event.seat, event.piece, event.from_, event.to
    require(side == s.turn, "turn", N_("It is {turn:of} turn."), turn=s.turn)
    require_piece(s, event)
    require_way(s, event)
    by_sea = piece == "legion" and to not in s.board.land[start]
    s = replace(s, pieces=shifted(s.pieces, side, piece, start, to))
    facts = {"seat": side, "piece": piece, "from": start, "to": to}
    if by_sea:
        text = N_("{seat:of} legion crosses from {from} to {to}, carried by the fleet on {route}, which stays.")
        moved = ruled("moved", "H-5", text, **facts, route=s.board.sea[start][to])
    else:
        moved = ruled("moved", *MOVED[piece], **facts)
    if to == CAPITAL[ENEMY[side]]:
        return win(s, side, moved, enters(side, piece, to))
    return join_battle(s, piece, to, moved) if stands(s, ENEMY[side], to) else end_turn(s, moved)


def enters(side: Seat, piece: str, capital: str) -> Ruling:
    """Return the ruling that a side wins by entering the enemy capital (H-13)."""
    text = N_("{seat} enters {capital}, the enemy capital, and wins at once; no battle is fought for a capital.")
    held = Condition("capital", "H-13", True, capital, N_("{seat} has entered {by}."), {"seat": side})
    return ruled("capital", "H-13", text, seat=side, piece=piece, capital=capital, conditions=(held,))


def require_piece(s: State, event: Move) -> None:
    """Require that the side has that piece there, and that the piece may stand in such places. Raises Refused."""
    side, piece, start = event.seat, event.piece, event.from_
    text = N_("Hannibal belongs to Carthage; {seat} moves a legion or a fleet.")
    require(piece != "hannibal" or side == CARTHAGE, "whose", text, "H-2", seat=side)
    routes = s.board.routes
    if piece == "fleet" and (start not in routes or event.to not in routes):
        raise no_way("kind", "H-7", N_("A fleet moves from route to route: {routes}."), event, routes=routes)
    if piece != "fleet" and (start in routes or event.to in routes):
        text = N_("A legion moves from region to region, even along a route: name the regions at its ends.")
        raise no_way("kind", UNREACHED[piece][0], text, event)
    spots = s.pieces[side][piece]
    if start not in spots:
        raise no_way("absent", "H-4", (ABSENT if spots else GONE)[piece], event, places=tuple(spots))


def require_way(s: State, event: Move) -> None:
    """Require that the piece can reach the place it moves to (H-5 to H-7). Raises Refused."""
    near = reach(s, event.seat, event.piece, event.from_)
    if event.to in near:
        return
    route = s.board.sea[event.from_].get(event.to) if event.piece == "legion" else None
    if route:
        text = N_("{seat} has no fleet on {route}; from {from} a legion can now reach {reach}.")
        text = text if near else STUCK["legion"]
        raise no_way("no_fleet", "H-5", text, event, route=route, reach=near)
    rule, text = UNREACHED[event.piece]
    raise no_way("reach", rule, text if near else STUCK[event.piece], event, reach=near)


# -- battle -----------------------------------------------------------------------------------------------------


def join_battle(s: State, piece: str, place: str, moved: Ruling) -> Ruled:
    """Begin a battle at a place where the enemy stands (H-8)."""
    side, enemy = s.turn, ENEMY[s.turn]
    facts = dict(place=place, seat=side, piece=piece, enemy=enemy, count=stands(s, enemy, place))
    text = plural(
        "Battle at {place}: {seat} attacks with one piece, {enemy} defends with {count} piece.",
        "Battle at {place}: {seat} attacks with one piece, {enemy} defends with {count} pieces.",
    )
    return next_exchange(replace(s, battle=Battle(place)), moved, ruled("battle", "H-8", text, **facts))


def next_exchange(s: State, *rulings: Ruling) -> Ruled:
    """Open the next exchange, or ask red which piece fights where Carthage has a choice (H-11)."""
    assert s.battle
    place, before = s.battle.place, s.battle.fighter
    there = [piece for piece, spots in s.pieces[CARTHAGE].items() if place in spots]
    said = before if s.setup.options["hannibal_choice"] == "battle" else None
    fighter = there[0] if len(there) == 1 else said
    s = replace(s, phase="choosing" if fighter else "declaring", battle=Battle(place, fighter))
    if fighter is None:
        text = N_("Hannibal or a legion ({count} there) defends {place}: {seat} declares which of the two fights.")
        count = stands(s, CARTHAGE, place) - 1
        rulings = (*rulings, ruled("who_fights", "H-11", text, place=place, seat=CARTHAGE, count=count))
    elif "hannibal" in (fighter, before, *there):
        rulings = (*rulings, fights(place, fighter))
    return s, rulings


FIGHTS = {
    "legion": N_("{seat:of} legion fights at {place}."),
    "hannibal": N_("Hannibal fights at {place}: {seat:of} card counts one more."),
}


def fights(place: str, piece: str) -> Ruling:
    return ruled("fights", "H-11", FIGHTS[piece], place=place, seat=CARTHAGE, piece=piece)


def defend(s: State, event: Defend) -> Ruled:
    if s.phase == "choosing" and s.battle:
        facts = dict(seat=CARTHAGE, fighter=s.battle.fighter, place=s.battle.place)
        raise Refused(ruled("settled", "H-11", N_("Who fights for {seat} is already settled: {fighter}."), **facts))
    expect(s, "declaring")
    require(event.seat == CARTHAGE, "turn", N_("{carthage} declares who fights."), "H-11", carthage=CARTHAGE)
    require(event.piece != "fleet", "land", N_("Only Hannibal or a legion fights here, never a fleet."), "H-11")
    assert s.battle
    place = s.battle.place
    return replace(s, phase="choosing", battle=Battle(place, event.piece)), (fights(place, event.piece),)


def choose(s: State, event: Choose) -> Ruled:
    expect(s, "choosing")
    side, card = event.seat, event.card
    require(card.colour == side, "colour", N_("The {card} is not one of {seat:of} cards."), "T-2", card=card, seat=side)
    strange = N_("The {card} is not in this game; only 1–5 are.")
    require(card in HANDS[side], "card", strange, "T-2", card=card, seat=side)
    text = N_("The {card} has been played; {seat} chooses another. All five come back after the fifth exchange.")
    require(card in s.hands[side], "played", text, "T-2", card=card, seat=side)
    return replace(s, choices={**s.choices, side: card}), (ruled("chosen", "H-9", N_("{seat} has chosen."), seat=side),)


LOST = {
    "legion": N_("Rome {blue} against Carthage {red}: {loser} loses a legion at {place}."),
    "hannibal": N_("Rome {blue} against Carthage {red}: Hannibal is removed."),
    "fleet": N_("Rome {blue} against Carthage {red}: {loser} loses a fleet at {place}."),
}
BOTH_LOST = {
    "legion": N_("Rome {blue} against Carthage {red}: each loses a legion at {place}."),
    "hannibal": N_("Rome {blue} against Carthage {red}: Hannibal and the Roman legion are both removed."),
    "fleet": N_("Rome {blue} against Carthage {red}: each loses a fleet at {place}."),
}


def compared(cards: Mapping[Seat, Card], hannibal: bool) -> Contest:
    """Return the comparison of an exchange's cards, with Hannibal's extra point (H-9, H-12)."""
    more = {ROME: 0, CARTHAGE: int(hannibal)}
    values = {side: cards[side].rank + more[side] for side in SIDES}
    could = {side: [rank + more[side] for rank in RANKS] for side in SIDES}
    return Contest("exchange", (Measure("card", "H-12" if hannibal else "H-9", "highest", values),), could)


def reveal(s: State) -> Ruled:
    """Reveal both cards and remove the lost pieces (H-9, H-10, H-12)."""
    expect(s, "choosing")
    require(not missing(s), "missing", N_("Not yet: {waiting} must still choose."), "H-9", waiting=missing(s))
    assert s.battle and s.battle.fighter
    place, fighter, cards = s.battle.place, s.battle.fighter, s.choices
    contest = compared(cards, fighter == "hannibal")
    fought = {ROME: "fleet" if fighter == "fleet" else "legion", CARTHAGE: fighter}
    removed = {side: fought[side] for side in SIDES if contest.winners != (side,)}
    pieces = s.pieces
    for side, piece in removed.items():
        pieces = shifted(pieces, side, piece, place)
    exchange = exchanged(place, cards, contest, removed)
    hands = {side: tuple(held for held in s.hands[side] if held != cards[side]) for side in SIDES}
    if hands[ROME]:
        return after_exchange(replace(s, pieces=pieces, hands=hands, choices={}), exchange)
    back = ruled("cards_back", "H-10", N_("That was the fifth exchange: both take all {count} cards back."), count=5)
    return after_exchange(replace(s, pieces=pieces, hands=HANDS, choices={}), exchange, back)


def exchanged(place: str, cards: Mapping[Seat, Card], contest: Contest, removed: Mapping[Seat, str]) -> Ruling:
    """Return the ruling on an exchange: both cards, and what each side loses."""
    (step,) = contest.steps
    rome, carthage = cards[ROME].rank, cards[CARTHAGE].rank
    tied = len(removed) == 2
    loser = next(iter(removed))
    facts = {
        "place": place,
        "cards": cards,
        "blue": str(rome),
        "red": f"{carthage} + 1 = {carthage + 1}" if step.rule == "H-12" else str(carthage),
        "loser": None if tied else loser,
        "removed": removed,
        "contest": contest,
    }
    text = BOTH_LOST[removed[CARTHAGE]] if tied else LOST[removed[loser]]
    return ruled("exchange", step.rule, text, **facts)


def after_exchange(s: State, *rulings: Ruling) -> Ruled:
    """Check for a side without legions (H-15), then continue the battle (H-9) or end the mover's turn."""
    left = {side: legion_count(s, side) for side in SIDES}
    if not all(left.values()):
        return without_legions(s, left, *rulings)
    assert s.battle
    place = s.battle.place
    left = {side: count for side in SIDES if (count := stands(s, side, place))}
    if len(left) == 2:
        return next_exchange(s, *rulings)
    if not left:
        return end_turn(s, *rulings, ruled("battle_over", "H-9", N_("Nobody is left at {place}."), place=place))
    ((winner, count),) = left.items()
    text = plural(
        "{winner} wins the battle at {place}; one piece is left there.",
        "{winner} wins the battle at {place}; {count} pieces are left there.",
    )
    return end_turn(s, *rulings, ruled("battle_won", "H-9", text, winner=winner, place=place, count=count))


def without_legions(s: State, left: Mapping[Seat, int], *rulings: Ruling) -> Ruled:
    """End the game when a side has no legion left (H-15); `left` counts each side's legions."""
    beaten = [side for side, count in left.items() if not count]
    conditions = tuple(has_legions(side, count) for side, count in left.items())
    if len(beaten) == 2:
        text = N_("Neither side has any legions left: nobody wins.")
        return over(s, (), *rulings, ruled("no_winner", "H-15", text, sides=beaten, conditions=conditions))
    (loser,) = beaten
    text = N_("{loser} has no legions left and loses; fleets do not count. {winner} wins.")
    lost = ruled("no_legions", "H-15", text, loser=loser, winner=ENEMY[loser], conditions=conditions)
    return win(s, ENEMY[loser], *rulings, lost)


# -- the end ----------------------------------------------------------------------------------------------------


def end_turn(s: State, *rulings: Ruling) -> Ruled:
    """Check H-18 and H-14 for the mover, then pass the turn and check H-16 for the other side.

    The last of `rulings` also lists what the mover still lacks for control of the Mediterranean.
    """
    side, enemy = s.turn, ENEMY[s.turn]
    *before, done = rulings
    chips: tuple[Ruling, ...] = ()
    if s.setup.options["core_control"]:
        s, chip = take_chip(s)
        chips = (chip,)
        full = eight(side, s.chips[side])
        if full.holds:
            text = N_("{seat} holds all {chips} chips and wins.")
            won = ruled("eight_chips", "H-18", text, seat=side, chips=CHIPS, conditions=(full,))
            return win(s, side, *rulings, chip, won)
    control = mediterranean(s, side)
    if all(condition.holds for condition in control):
        text, regions = N_("{seat} controls the Mediterranean with {regions} and wins."), tuple(map(held, control))
        won = ruled("mediterranean", "H-14", text, seat=side, regions=regions, conditions=control)
        return win(s, side, *rulings, *chips, won)
    rulings = (*before, done.adding(seat=side, conditions=control), *chips)
    if not can_move(s, enemy):
        text, conditions = N_("{loser} cannot move any piece and loses. {winner} wins."), stuck(s, enemy)
        return win(s, side, *rulings, ruled("no_move", "H-16", text, loser=enemy, winner=side, conditions=conditions))
    return replace(s, phase="moving", turn=enemy, battle=None), rulings


def stuck(s: State, side: Seat) -> tuple[Condition, ...]:
    """Return the two failed conditions of H-16: no fleet, and no legion that can leave its region."""
    fleets, able, facts = sum(s.pieces[side]["fleet"].values()), tuple(free(s, side)), {"seat": side}
    text = N_("{seat} has no legion that can leave its region.")
    return (
        Condition("fleet", "H-16", bool(fleets), fleets, GONE["fleet"], facts),
        Condition("legion", "H-16", bool(able), able, text, facts),
    )


def legion_count(s: State, side: Seat) -> int:
    """Return the number of a side's legions; Hannibal counts as one (H-15)."""
    return sum(s.pieces[side]["legion"].values()) + len(s.pieces[side]["hannibal"])


def has_legions(side: Seat, count: int) -> Condition:
    """Return the condition that a side has legions left (H-15)."""
    return Condition("legions", "H-15", bool(count), count, LEGIONS if count else GONE["legion"], {"seat": side})


LEGIONS = plural("{seat} still has one legion.", "{seat} still has {by} legions.", by="by")

IN = {ROME: N_("Rome holds {place}."), CARTHAGE: N_("Carthage holds {place}.")}
NOT_IN = {
    ROME: N_("Not yet a win: Rome has no legion in {regions}."),
    CARTHAGE: N_("Not yet a win: Carthage has no legion in {regions}."),
}


def mediterranean(s: State, side: Seat) -> tuple[Condition, ...]:
    """Return the conditions for the Mediterranean: a legion in one region of each group (H-14).

    Each condition is weighed by the number of legions in each region of its group.
    """
    north = side == ROME and s.setup.options["rome_hispania"] == "north"
    legions, hannibal = s.pieces[side]["legion"], s.pieces[side]["hannibal"]
    return tuple([
        in_one_of(side, group, tuple([legions.get(region, 0) + (region in hannibal) for region in group]))
        for group in (NORTH if north else MEDITERRANEAN[side])
    ])  # fmt: skip


@cache
def in_one_of(side: Seat, group: tuple[str, ...], counts: tuple[int, ...]) -> Condition:
    """Return the condition that a legion stands in one of these regions; `counts` are the legions in each."""
    there = dict(zip(group, counts, strict=True))
    place = next((region for region, count in there.items() if count), None)
    text = IN[side] if place else NOT_IN[side]
    return Condition("mediterranean", "H-14", bool(place), there, text, {"place": place, "regions": either(group)})


@cache
def either(regions: tuple[str, ...]) -> str | Ruling:
    """Name one region, or two as "one or other" where either will do."""
    if len(regions) == 1:
        return regions[0]
    one, other = regions
    return ruled("either", "H-14", N_("{one} or {other}"), one=one, other=other)


def held(condition: Condition) -> str | None:
    """Return the region of a group that is held, or None."""
    return next((region for region, count in condition.by.items() if count), None)


NO_CHIP = plural(
    "No chip: {seat} controls one core region, {own}; three are needed.",
    "No chip: {seat} controls {count} core regions, {own}; three are needed.",
)
NO_CORE = N_("No chip: {seat} controls no core region; three are needed.")
CHIP = N_("{seat} controls {own} and takes a chip, now {count} of 8.")
CHIPS_BACK = plural(
    "{seat} controls {own} and takes a chip, now {count} of 8; {enemy} gives back one chip.",
    "{seat} controls {own} and takes a chip, now {count} of 8; {enemy} gives back all {back} chips.",
    by="back",
)


def take_chip(s: State) -> tuple[State, Ruling]:
    """Give the mover a chip for three core regions, and take back the other side's chips (H-18)."""
    side, enemy = s.turn, ENEMY[s.turn]
    three = enough(s, side)
    facts: dict[str, Any] = dict(seat=side, enemy=enemy, own=three.by, theirs=core(s, enemy))
    if not three.holds:
        text = NO_CHIP if three.by else NO_CORE
        return s, ruled("no_chip", "H-18", text, count=len(three.by), chips=s.chips, conditions=(three,), **facts)
    count, back = s.chips[side] + 1, s.chips[enemy]
    s = replace(s, chips={each: count if each == side else 0 for each in SIDES})
    conditions = three, eight(side, count)
    text = CHIPS_BACK if back else CHIP
    return s, ruled("chip", "H-18", text, count=count, back=back, chips=s.chips, conditions=conditions, **facts)


def enough(s: State, side: Seat) -> Condition:
    """Return the condition of three or more core regions, weighed by those the side controls (H-18)."""
    own = core(s, side)
    holds = len(own) >= 3
    few = N_("{seat} controls fewer than three core regions: {by}.") if own else N_("{seat} controls no core region.")
    text = N_("{seat} controls three or more core regions: {by}.") if holds else few
    return Condition("core", "H-18", holds, own, text, {"seat": side})


def eight(side: Seat, count: int) -> Condition:
    """Return the condition that a side has all eight chips (H-18)."""
    holds = count == CHIPS
    text = N_("{seat} has all {chips} chips.") if holds else N_("Not yet a win: {seat} has {by} of {chips} chips.")
    return Condition("chips", "H-18", holds, count, text, {"seat": side, "chips": CHIPS})


def core(s: State, side: Seat) -> list[str]:
    """Return the core regions that a side controls (H-18)."""
    at = legions(s, side)
    return [region for region, within in CORE[side].items() if not at.isdisjoint(within)]


def win(s: State, winner: Seat, *rulings: Ruling) -> Ruled:
    return over(s, (winner,), *rulings)


def over(s: State, winners: tuple[Seat, ...], *rulings: Ruling) -> Ruled:
    return replace(s, phase="over", battle=None, winners=winners), rulings


# -- legal, read, view ------------------------------------------------------------------------------------------


def legal(s: State) -> Sequence[Moves[Act]]:
    match s.phase:
        case "moving":
            return list(moves(s))
        case "declaring":
            return [Moves(Defend, {"seat": (CARTHAGE,), "piece": ("legion", "hannibal")})]
        case "choosing":
            hands: list[Moves[Act]] = [Moves(Choose, {"seat": (side,), "card": s.hands[side]}) for side in SIDES]
            return hands if missing(s) else [*hands, Moves(Reveal, {})]
    return []


def moves(s: State) -> Iterator[Moves[Act]]:
    """Yield the moves of the side to move, by place and kind of piece."""
    for piece, spots in s.pieces[s.turn].items():
        for start in spots:
            near = reach(s, s.turn, piece, start)
            if near:
                yield Moves(Move, {"seat": (s.turn,), "piece": (piece,), "from_": (start,), "to": near})


def read(s: State, touch: Touch) -> Choose | None:
    """Read a card laid while both choose as that side's choice; a button is no move: `fists` says when it counts."""
    if isinstance(touch, Laid) and s.phase == "choosing":
        return Choose(own_card(touch, SIDES), touch.card)
    return None


def fists(s: State) -> tuple[Seat, ...]:
    """Return both sides once both cards are down."""
    return SIDES if s.phase == "choosing" and not missing(s) else ()


def waiting(s: State) -> tuple[Seat, ...]:
    match s.phase:
        case "moving":
            return (s.turn,)
        case "declaring":
            return (CARTHAGE,)
        case "choosing":
            return missing(s)
    return ()


def turn(s: State) -> Seat | None:
    """Return the side to move; in a battle this is the mover."""
    return None if s.phase == "over" else s.turn


def view(s: State, seat: Seat | None = None) -> HannibalView:
    """Return everything public; for a seat also its hand and sealed choice."""
    public: HannibalView = {
        "game": GAME.name,
        "phase": s.phase,
        "turn": turn(s),
        "waiting": list(waiting(s)),
        "over": s.phase == "over",
        "result": outcome(s) if s.phase == "over" else None,
        "regions": regions(s),
        "routes": routes(s),
        "battle": None,
        "chosen": [side for side in SIDES if side in s.choices],
        "hand_sizes": {side: len(s.hands[side]) for side in SIDES},
        "chips": dict(s.chips) if s.setup.options["core_control"] else None,
    }
    if s.battle:
        hannibal = s.battle.fighter == "hannibal" if s.battle.fighter else None
        public["battle"] = {"place": s.battle.place, "mover": s.turn, "hannibal": hannibal}
    if seat is not None:
        choice = s.choices.get(seat)
        hand = [str(card) for card in s.hands[seat]]
        public["private"] = {"hand": hand, "choice": str(choice) if choice else None}
    return public


def regions(s: State) -> dict[str, Region]:
    """Return the legions of both sides in each region, and where Hannibal is."""
    rome, carthage, hannibal = s.pieces[ROME]["legion"], s.pieces[CARTHAGE]["legion"], s.pieces[CARTHAGE]["hannibal"]
    return {
        place: {"blue": rome.get(place, 0), "red": carthage.get(place, 0), "hannibal": place in hannibal}
        for place in REGIONS
    }


def routes(s: State) -> dict[str, Route]:
    """Return the fleets of both sides on each route."""
    rome, carthage = s.pieces[ROME]["fleet"], s.pieces[CARTHAGE]["fleet"]
    return {place: {"blue": rome.get(place, 0), "red": carthage.get(place, 0)} for place in s.board.routes}


def outcome(s: State) -> Result:
    """Return the result: a win is worth 1, and a draw has no winner (H-15)."""
    scores = {side: int(side in s.winners) for side in SIDES}
    return result(scores, s.winners, s.board.confirmed)


def derived(s: State) -> HannibalDerived:
    """Return what follows from the state.

    This is what each side needs and has for the Mediterranean, which sides are a move from winning, the core regions
    that each side controls, and the borders by land.
    """
    return {
        "mediterranean": {side: list(map(needed, mediterranean(s, side))) for side in SIDES},
        "a_move_away": [side for side in SIDES if s.phase == "moving" and a_move_away(s, side)],
        "core": {side: core(s, side) for side in SIDES} if s.setup.options["core_control"] else None,
        "land": {region: list(near) for region, near in s.board.land.items()},
    }


def a_move_away(s: State, side: Seat) -> bool:
    """Return whether the side could win with one move, if need be after its battle (H-13, H-14, H-18)."""
    ways = [(piece, start, to) for piece in PIECES for start in s.pieces[side][piece]
            for to in reach(s, side, piece, start)]  # fmt: skip
    there = (replace(s, pieces=shifted(s.pieces, side, *way)) for way in ways)
    capital = CAPITAL[ENEMY[side]]
    return any(to == capital for _, _, to in ways) or any(has_won(after, side) for after in there)


def has_won(s: State, side: Seat) -> bool:
    """Return whether the side wins at the end of its turn with these pieces (H-14) or by its last chip (H-18)."""
    last = s.setup.options["core_control"] and s.chips[side] == CHIPS - 1
    return all(condition.holds for condition in mediterranean(s, side)) or bool(last and enough(s, side).holds)


def needed(condition: Condition) -> Needed:
    return {"regions": list(condition.by), "held": held(condition)}


# -- the board as data ------------------------------------------------------------------------------------------

BOARD_KEYS = ("land", "sea", "confirmed")


def read_board(data: Any) -> Board:
    """Return the board that data in the format of `board.yaml` describes. Raises Mistakes with all errors."""
    found = list(board_mistakes(data))
    if found:
        raise Mistakes(found)
    near: dict[str, list[str]] = {region: [] for region in REGIONS}
    sea: dict[str, dict[str, str]] = {region: {} for region in REGIONS}
    for one, other in data["land"]:
        near[one].append(other)
        near[other].append(one)
    routes = tuple(f"{one}-{other}" for one, other in data["sea"])
    for route, (one, other) in zip(routes, data["sea"], strict=True):
        sea[one][other] = sea[other][one] = route
    land = {region: tuple(dict.fromkeys(others)) for region, others in near.items()}
    return Board(land, sea, routes, data.get("confirmed", False))


def board_mistakes(data: Any) -> Iterator[Mistake]:
    if not isinstance(data, Mapping):
        yield Mistake((), "a board is a mapping with land, sea and confirmed")
        return
    yield from (
        Mistake((key,), f"unknown key {key!r}{nearest(key, BOARD_KEYS)}") for key in data if key not in BOARD_KEYS
    )
    if not isinstance(data.get("confirmed", False), bool):
        yield Mistake(("confirmed",), "confirmed is true or false")
    for key, what in (("land", "neighbouring regions"), ("sea", "regions, one for each of the five routes")):
        if isinstance(data.get(key), list | tuple):
            for at, pair in enumerate(data[key]):
                yield from link_mistakes(pair, (key, at))
        else:
            yield Mistake((key,), f"{key} is a list of pairs of {what}")
    if isinstance(data.get("sea"), list | tuple):
        yield from sea_mistakes(data["sea"])


def sea_mistakes(sea: Sequence[Any]) -> Iterator[Mistake]:
    """Yield what is wrong with the sea routes: there are five (H-1), two of them harbours (H-2)."""
    if len(sea) != 5:
        yield Mistake(("sea",), f"there are five sea routes, not {len(sea)}")
    ends = [sorted(map(str, pair)) if isinstance(pair, list | tuple) else [] for pair in sea]
    for at, pair in enumerate(ends):
        if pair and pair in ends[:at]:
            yield Mistake(("sea", at), f"the route between {' and '.join(pair)} stands twice")
    for one, other in HARBOURS.values():
        if sorted((one, other)) not in ends:
            yield Mistake(("sea",), f"no route joins {one} and {other}, where fleets begin")


def link_mistakes(pair: Any, path: tuple[str | int, ...]) -> Iterator[Mistake]:
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        yield Mistake(path, f"a link is a pair of regions, not {pair!r}")
        return
    for name in pair:
        if name not in REGIONS:
            yield Mistake(path, f"{name!r} is not one of the regions{nearest(name, REGIONS)}")
    if pair[0] == pair[1]:
        yield Mistake(path, f"{pair[0]!r} cannot be linked with itself")


GAME: Game[State, HannibalView] = Game(
    name="hannibal",
    title=N_("Hannibal gegen Rom"),
    seats=range(2, 3),
    colours=SIDES,
    ranks=lambda _: RANKS,
    fixed=SIDES,
    events=(Move, Defend, Choose, Reveal),
    options=(
        Option(
            "hannibal_choice",
            ("exchange", "battle"),
            "H-11",
            N_("Hannibal defends beside legions: say who fights before each exchange, or once per battle."),
        ),
        Option(
            "rome_hispania",
            ("south", "north"),
            "H-14",
            N_(
                "Which Hispania counts for Rome's control of the Mediterranean: "
                "the book prints North; South suits both sides alike."
            ),
        ),
        Option("core_control", (False, True), "H-18", N_("Three core regions earn a chip each turn; eight chips win.")),
    ),
    series="twice",
    together="H-9",
    setup=setup,
    apply=apply,
    legal=legal,
    read=read,
    fists=fists,
    view=view,
    derived=derived,
    board=read_board,
    vocabulary=lambda given: {"place": (*REGIONS, *given.board.routes), "piece": PIECES},
    clauses=__doc__ or "",
)
