"""Caesar (2-5 players): stacks on a 5x5 board, alliances, duels by sealed cards.

Set-up
C-1  (text) The board has 5×5 squares, columns a–e and rows 1–5; c3 is the middle. Each player has one colour: five
     counters, the cards 1–9 and one flag. The black pawn stands beside the board. With fewer than five players the
     rules advise leaving blue free: its ten counters serve as neutrals.
C-2  (text) Placing: from the first player, clockwise, for five rounds, each player places one own counter on any empty
     square. Then neutral counters, of colours nobody plays, fill every square still empty: 15 with two players, 10
     with three, 5 with four.

A turn
C-3  (decided: the rules have the players agree on who begins, and do not say who comes after a player who is
     eliminated) The first player also takes the first turn after placing. The turn goes clockwise, skipping the
     eliminated; after a duel it goes on from the player who attacked, even if that player is eliminated.
C-4  (text) A turn is one alliance or one attack. A player may pass only if no attack is possible, whether or not an
     alliance is.
C-5  (text) Two squares see each other if they share a row or a column and every square between them is empty; never
     diagonally.
C-6  (text+decided: neutrals never move, although the first sentence of the rules speaks of any counters) Alliance: one
     of a player's groups moves onto another of that player's groups, or onto a neutral counter, that it sees. There the
     two are one group and never part again. The mover says which group moves. Neutrals never move and never lie on top.
C-7  (text) A group belongs to the colour on top.
C-8  (text) Attack: a player's own group against another player's, if they see each other. Neutrals cannot be attacked.
     The attacker lays the black pawn between the two groups; after the duel it goes back beside the board.

A duel
C-9  (text) The two players each choose a card face down and reveal together. Both cards are spent, face down. How many
     cards a player has left is public.
C-10 (text) If either card is a flag, nothing happens.
C-11 (text+decided: the winner always moves, although the rules say only that the winner can) With two numbers, each
     player adds the card to the size of the group. The higher total wins: the winner's group, attacking or defending,
     moves onto the loser's square, on top; its old square is empty.
C-12 (text) Equal totals: both groups leave the game with every counter in them.
C-13 (text) A player without a group is eliminated at once (both, after an equal duel), scores nothing and is skipped.

The end
C-14 (text+decided: no alliances in any order, for the rules say only that no attack can happen any more) The game ends
     right after the duel in which a player spent the tenth card, even if that duel eliminated that player; or as soon
     as no attack can ever happen again: none is possible, and no alliances of the survivors, in any order, could make
     one possible. An attack can still happen as long as counters lead from one survivor's group to another survivor's,
     each in the same row or column as the next.
C-15 (decided: the rules let a player pass, but do not say what happens if nobody does anything else) As many passes in
     a row as there are survivors, no matter who passes first, end the game. An alliance or an attack, even one that a
     flag ends, breaks the row.
C-16 (text) Players score every counter, of any colour, in their own groups; the eliminated score 0. The player with the
     most counters wins. If nobody is left, nobody wins.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from companion.games.caesar.view import CaesarPhase, CaesarView
from companion.rules import (
    N_,
    Choose,
    Game,
    Laid,
    Moves,
    Pass,
    Refused,
    Reveal,
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
from companion.rules import Place as Square
from companion.rules.cards import COLOURS, DECK, FLAG, Card
from companion.rules.contest import Condition, Contest, Measure
from companion.rules.views import Result

SQUARES = tuple(column + row for column in "abcde" for row in "12345")
RANKS = (1, 2, 3, 4, 5, 6, 7, 8, 9, FLAG)
COUNTERS = 5
NEUTRAL = "neutral"

# -- events -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """The placing of an own counter on an empty square (C-2)."""

    seat: Seat
    square: Square


@dataclass(frozen=True, slots=True)
class Ally:
    """An alliance: the group on `from_` moves onto the one on `to` (C-6)."""

    seat: Seat
    from_: Square
    to: Square


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack by the group on `from_` against the one on `to` (C-8)."""

    seat: Seat
    from_: Square
    to: Square


Act = Place | Ally | Attack | Pass | Choose | Reveal
Ruled = tuple["State", Sequence[Ruling]]

# -- board and state --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Group:
    """All counters on one square; the owner is the colour on top (C-7), a seat or "neutral"."""

    owner: str
    size: int


Board = Mapping[str, Group]
"""The occupied squares."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything true about one game. Who survives, and what is left to place, follows from the board."""

    setup: Setup
    phase: CaesarPhase
    turn: Seat
    """Who is to move; in a duel, and after the end, who moved last."""
    board: Board
    hands: Mapping[Seat, tuple[Card, ...]]
    passes: int = 0
    """How many seats in a row have passed (C-15)."""
    duel: Attack | None = None
    choices: Mapping[Seat, Card] = field(default_factory=dict)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.setup.seats


def setup(given: Setup) -> State:
    """Set up an empty board and ten cards each; the first seat begins to place (C-1)."""
    hands = {seat: tuple(DECK[str(Card(seat, rank))] for rank in RANKS) for seat in given.seats}
    return State(given, "placing", given.seats[0], {}, hands)


def rays(square: str) -> Iterator[tuple[str, ...]]:
    """Yield the squares from here to the edge, nearest first, in each of the four directions (C-5)."""
    at = SQUARES.index(square)
    column, row = divmod(at, 5)
    yield SQUARES[row:at:5][::-1]
    yield SQUARES[5 * column : at][::-1]
    yield SQUARES[at + 1 : 5 * column + 5]
    yield SQUARES[at + 5 :: 5]


RAYS = {square: tuple(rays(square)) for square in SQUARES}


def seen(board: Board, square: str) -> Iterator[str]:
    """Yield the occupied squares that this one sees (C-5)."""
    for ray in RAYS[square]:
        for other in ray:
            if other in board:
                yield other
                break


def owned(board: Board, seat: str) -> tuple[str, ...]:
    """Return the squares of the seat's groups, in the order of the squares."""
    return tuple(square for square in SQUARES if square in board and board[square].owner == seat)


def allies(board: Board, square: str, seat: Seat) -> tuple[str, ...]:
    """Return the squares that this seat's group can move onto from there (C-6)."""
    return tuple(other for other in seen(board, square) if board[other].owner in (seat, NEUTRAL))


def enemies(board: Board, square: str, seat: Seat) -> tuple[str, ...]:
    """Return the squares that this seat's group can attack from there (C-8)."""
    return tuple(other for other in seen(board, square) if board[other].owner not in (seat, NEUTRAL))


def attackers(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the squares of the seat's groups that can attack (C-4)."""
    return tuple(square for square in owned(board, seat) if enemies(board, square, seat))


def survivors(s: State) -> tuple[Seat, ...]:
    """Return the seats that own a group (C-13)."""
    owners = {group.owner for group in s.board.values()}
    return tuple(seat for seat in s.seats if seat in owners)


def duellists(s: State) -> tuple[Seat, ...]:
    """Return the attacker and the defender, in the order of the seats; none without a duel."""
    if not s.duel:
        return ()
    both = (s.turn, s.board[s.duel.to].owner)
    return tuple([seat for seat in s.seats if seat in both])


def missing(s: State) -> tuple[Seat, ...]:
    """Return the duellists whose card is not down yet."""
    return tuple(seat for seat in duellists(s) if seat not in s.choices)


def joined(board: Board) -> frozenset[Seat]:
    """Return seats between whose groups an attack can happen, now or after alliances; none if it never can (C-14).

    It can exactly when two seats have groups in one component of the occupied squares joined along rows and columns.

    If there is such a component: of all chains of squares, each seeing the next, between groups of different seats take
    a shortest. A third group on it would end a shorter chain, so all squares between are neutral. The group at one end
    can move over them, one by one; the squares it leaves are empty and block no view. At last it sees the other group:
    an attack.

    If every component holds at most one seat's groups: no attack is possible now, for squares that see each other are
    in one component. None becomes possible: an alliance stays in its component and adds no square, so components can
    only split.
    """
    parts: list[tuple[set[str], set[str]]] = []
    for square, group in board.items():
        lines, owners = set(square), {group.owner} - {NEUTRAL}  # a square's name is its column and its row
        apart = []
        for part in parts:
            if lines.isdisjoint(part[0]):
                apart.append(part)
            else:
                lines, owners = lines | part[0], owners | part[1]
        if len(owners) > 1:
            return frozenset(owners)
        parts = [*apart, (lines, owners)]
    return frozenset()


# -- apply ------------------------------------------------------------------------------------------------------

EXPECTED = {
    "placing": N_("Not now: {turn} places a counter on an empty square."),
    "turn": N_("Not now: {turn} makes an alliance or attacks, or passes if no attack is possible."),
    "choosing": N_("Not now: {duellists} are in a duel; each chooses a card, and both are revealed together."),
    "over": N_("The game is over; you can only undo."),
}


def apply(s: State, event: Act) -> Ruled:
    """Return the state after the event, and the rulings. Raises Refused."""
    match event:
        case Place():
            return place(s, event)
        case Ally():
            return ally(s, event)
        case Attack():
            return attack(s, event)
        case Pass():
            return pass_on(s, event)
        case Choose():
            return choose(s, event)
        case Reveal():
            return reveal(s)


def expect(s: State, phase: CaesarPhase, seat: Seat | None = None) -> None:
    """Refuse an event that does not fit the phase or the turn, and say what is expected (T-1). Raises Refused."""
    if s.phase != phase:
        raise Refused(ruled("not_now", "T-1", EXPECTED[s.phase], phase=s.phase, turn=s.turn, duellists=duellists(s)))
    require(seat in (None, s.turn), "turn", N_("It is {turn:of} turn."), turn=s.turn, seat=seat)


def place(s: State, event: Place) -> Ruled:
    expect(s, "placing", event.seat)
    seat, square = event.seat, event.square
    if square in s.board:
        text = N_("{square} is taken by {owner}; {seat} chooses an empty square.")
        raise Refused(ruled("taken", "C-2", text, square=square, owner=s.board[square].owner, seat=seat))
    s = replace(s, board={**s.board, square: Group(seat, 1)}, turn=left_of(s.seats, seat))
    text = N_("{seat} places a counter on {square}; still to place: {left}.")
    placed = ruled("placed", "C-2", text, seat=seat, square=square, left=to_place(s, seat), gains={seat: 1})
    return (s, (placed,)) if len(s.board) < COUNTERS * len(s.seats) else open_main_phase(s, placed)


def open_main_phase(s: State, *rulings: Ruling) -> Ruled:
    """Fill the board with neutrals and give the first seat the turn (C-2, C-3).

    On a full board attacks can always arise, so C-14 need not be checked.
    """
    empty = [square for square in SQUARES if square not in s.board]
    if empty:
        text = N_("Neutral counters fill the {count} empty squares.")
        rulings = (*rulings, ruled("neutrals", "C-2", text, count=len(empty), squares=empty))
    opens = ruled("opens", "C-3", N_("All counters are placed: {seat} takes the first turn."), seat=s.turn)
    return replace(s, phase="turn", board={**s.board, **dict.fromkeys(empty, Group(NEUTRAL, 1))}), (*rulings, opens)


def ally(s: State, event: Ally) -> Ruled:
    mover = own_group(s, event, "C-6")
    reach = allies(s.board, event.from_, event.seat)
    if event.to not in reach:
        raise Refused(why_not(s.board, event, "C-6", reach))
    onto = s.board[event.to]
    gains = {event.seat: onto.size} if onto.owner == NEUTRAL else {}
    facts = {"seat": event.seat, "from": event.from_, "to": event.to, "size": mover.size + onto.size, "gains": gains}
    text = N_("Alliance: {seat} moves the group on {from} onto the one on {to}; together, a group of {size}.")
    if onto.owner == NEUTRAL:
        text = N_("Alliance: {seat} moves the group on {from} onto the neutral counter on {to}; a group of {size}.")
    s = replace(s, board=moved(s.board, event.from_, event.to), passes=0)
    return end_turn(s, ruled("alliance", "C-6", text, **facts))


def attack(s: State, event: Attack) -> Ruled:
    mover = own_group(s, event, "C-8")
    reach = enemies(s.board, event.from_, event.seat)
    if event.to not in reach:
        raise Refused(why_not(s.board, event, "C-8", reach))
    target = s.board[event.to]
    facts = {"attacker": event.seat, "from": event.from_, "defender": target.owner, "to": event.to}
    text = N_(
        "{attacker:of} group of {size} on {from} attacks {defender:of} group of {other} on {to}: both choose a card."
    )
    begun = ruled("attack", "C-8", text, **facts, size=mover.size, other=target.size)
    return replace(s, phase="choosing", duel=event, passes=0), (begun,)


def own_group(s: State, event: Ally | Attack, rule: str) -> Group:
    """Return the group that is to act. Raises Refused if it is not the seat's own."""
    expect(s, "turn", event.seat)
    group = s.board.get(event.from_)
    if group and group.owner == event.seat:
        return group
    facts = {"seat": event.seat, "from": event.from_, "own": owned(s.board, event.seat)}
    if group is None:
        raise Refused(ruled("empty", rule, N_("{from} is empty; {seat} has groups on {own}."), **facts))
    if group.owner == NEUTRAL:
        text = N_("The neutral counter on {from} neither moves nor attacks; {seat} has groups on {own}.")
        raise Refused(ruled("neutral", rule, text, **facts))
    text = N_("The group on {from} belongs to {owner}, whose counter is on top; {seat} has groups on {own}.")
    raise Refused(ruled("owner", "C-7", text, owner=group.owner, **facts))


def why_not(board: Board, event: Ally | Attack, rule: str, reach: Sequence[str]) -> Ruling:
    """Return why a group cannot ally with that square or attack it (C-5, C-6, C-8).

    `reach` are the squares that it can reach instead.
    """
    facts = {"seat": event.seat, "from": event.from_, "to": event.to, "reach": reach}
    target, attacks = board.get(event.to), isinstance(event, Attack)
    if target is None:
        text = N_("{to} is empty: a group moves only onto one of {seat:of} other groups or a neutral counter.")
        return ruled("empty", rule, N_("{to} is empty: nobody to attack there.") if attacks else text, **facts)
    if event.from_ == event.to:
        return ruled("same", rule, N_("The group stands on {to} already: choose another square."), **facts)
    if not attacks and target.owner not in (event.seat, NEUTRAL):
        text = N_("The group on {to} belongs to {owner}: it can be attacked, but no alliance moves onto it.")
        return ruled("enemy", rule, text, owner=target.owner, **facts)
    if attacks and target.owner == NEUTRAL:
        text = N_("The counter on {to} is neutral: it cannot be attacked, but an alliance can move onto it.")
        return ruled("neutral", rule, text, **facts)
    if attacks and target.owner == event.seat:
        text = N_("The group on {to} is {seat:of} own: an alliance can move onto it, but it cannot be attacked.")
        return ruled("own", rule, text, **facts)
    for ray in RAYS[event.from_]:
        if event.to in ray:
            between = [square for square in ray[: ray.index(event.to)] if square in board]
            text = N_("{from} and {to} do not see each other: counters on {between} stand in between.")
            return ruled("hidden", "C-5", text, between=between, **facts)
    text = N_("{from} and {to} share neither a row nor a column; nothing goes diagonally.")
    return ruled("line", "C-5", text, **facts)


def moved(board: Board, source: str, onto: str) -> Board:
    """Return the board with one group moved on top of another (C-6, C-7, C-11)."""
    mover = board[source]
    after = {**board, onto: Group(mover.owner, mover.size + board[onto].size)}
    del after[source]
    return after


def pass_on(s: State, event: Pass) -> Ruled:
    expect(s, "turn", event.seat)
    seat, open_to = event.seat, attackers(s.board, event.seat)
    text = N_("No pass: {seat} can attack from {open}. Attack, or make an alliance.")
    require(not open_to, "attack_open", text, "C-4", seat=seat, open=open_to)
    passes, alive = s.passes + 1, len(survivors(s))
    text = N_("{seat} cannot attack and passes. Passes in a row: {passes}; at {survivors} the game ends.")
    passed = ruled("passed", "C-4", text, seat=seat, passes=passes, survivors=alive)
    s = replace(s, passes=passes)
    if passes < alive:
        return end_turn(s, passed)
    text = N_("All survivors have passed in a row ({passes}): the game ends.")
    return end(s, passed, ruled("all_passed", "C-15", text, passes=passes, survivors=alive))


# -- the duel ---------------------------------------------------------------------------------------------------


def choose(s: State, event: Choose) -> Ruled:
    expect(s, "choosing")
    seat, card, both = event.seat, event.card, duellists(s)
    text = N_("This duel is between {duellists}; nobody else chooses a card.")
    require(seat in both, "duellist", text, "C-9", duellists=both)
    if card not in s.hands[seat]:
        raise Refused(why_not_held(event))
    s = replace(s, choices={**s.choices, seat: card})
    return s, (ruled("chosen", "C-9", N_("{seat} has chosen."), seat=seat),)


def why_not_held(event: Choose) -> Ruling:
    """Return why a card cannot be chosen: another player's, not in this game, or already spent (T-2)."""
    seat, card = event.seat, event.card
    if card.colour != seat:
        return ruled("colour", "T-2", N_("The {card} is not one of {seat:of} cards."), card=card, seat=seat)
    if card.rank not in RANKS:
        text = N_("The {card} is not in this game; {seat} chooses 1–9 or the flag.")
        return ruled("card", "T-2", text, card=card, seat=seat)
    return ruled("spent", "T-2", N_("The {card} is already spent; {seat} chooses another card."), card=card, seat=seat)


def reveal(s: State) -> Ruled:
    expect(s, "choosing")
    awaited = missing(s)
    require(not awaited, "missing", N_("Not yet: {waiting} must still choose."), "C-9", waiting=awaited)
    assert s.duel
    cards, both = s.choices, duellists(s)
    spent = {seat: tuple(card for card in s.hands[seat] if card.rank != cards[seat].rank) for seat in both}
    left = {seat: len(hand) for seat, hand in spent.items()}
    tenths = [tenth_card(seat, left[seat]) for seat in both]
    text = N_("Revealed: {card} against {other}; both are spent. Number of cards left: {left}.")
    mine, other = cards[s.duel.seat], cards[s.board[s.duel.to].owner]
    shown = ruled("revealed", "C-9", text, card=mine, other=other, left=left, conditions=tenths)
    board, fought = fight(s)
    s = replace(s, phase="turn", board=board, hands={**s.hands, **spent}, duel=None, choices={})
    fallen = tuple(seat for seat in both if not owned(board, seat))
    text = N_("{seat} has no groups left and is eliminated.")
    rulings = (shown, *fought, *(ruled("eliminated", "C-13", text, seat=seat) for seat in fallen))
    empty = [seat for seat, tenth in zip(both, tenths, strict=True) if tenth.holds]
    if empty:
        text = N_("The tenth card has been spent by {seats}: the game ends.")
        return end(s, *rulings, ruled("tenth_card", "C-14", text, seats=empty))
    return end_turn(s, *rulings)


def tenth_card(seat: Seat, left: int) -> Condition:
    """Return the condition that the seat has spent its tenth card (C-14)."""
    text: str = plural("{seat} still has {count} card.", "{seat} still has {count} cards.")
    if not left:
        text = N_("{seat} has no card left.")
    return Condition("tenth_card", "C-14", not left, left, text, {"seat": seat, "count": left})


def totals(s: State) -> Contest:
    """Return the comparison of card plus group of both sides (C-11).

    It also lists the totals that each side could have reached with its other numbers.
    """
    assert s.duel
    sizes = {s.duel.seat: s.board[s.duel.from_].size, s.board[s.duel.to].owner: s.board[s.duel.to].size}
    sums = {seat: s.choices[seat].rank + sizes[seat] for seat in duellists(s)}
    could = {seat: [rank + sizes[seat] for rank in RANKS if rank != FLAG] for seat in sums}
    return Contest("duel", (Measure("total", "C-11", "highest", sums),), could)


def fight(s: State) -> tuple[Board, Sequence[Ruling]]:
    """Return the board after the duel, and the rulings (C-10 to C-12)."""
    assert s.duel
    squares = s.duel.from_, s.duel.to
    at = {s.board[square].owner: square for square in squares}
    flags = [seat for seat in at if s.choices[seat].rank == FLAG]
    if flags:
        return s.board, (ruled("flag", "C-10", N_("A flag from {seats}: nothing happens."), seats=flags),)
    contest = totals(s)
    added = summed(s, contest, at)
    if len(contest.winners) > 1:
        gains = {seat: -s.board[square].size for seat, square in at.items()}
        text = N_("Equal totals: the groups on {squares} leave the game, {counters} counters in all.")
        equal = ruled("equal", "C-12", text, squares=squares, counters=-sum(gains.values()), gains=gains)
        return {square: group for square, group in s.board.items() if square not in squares}, (added, equal)
    winner = contest.winner
    loser = next(seat for seat in at if seat != winner)
    taken = s.board[at[loser]].size
    facts = {"winner": winner, "from": at[winner], "loser": loser, "to": at[loser]}
    board = moved(s.board, at[winner], at[loser])
    text = N_("{winner} wins and moves from {from} onto {loser:of} group on {to}: a group of {size}; {from} is empty.")
    gains = {winner: taken, loser: -taken}
    return board, (added, ruled("won", "C-11", text, **facts, size=board[at[loser]].size, gains=gains))


def summed(s: State, contest: Contest, at: Mapping[Seat, str]) -> Ruling:
    """Return the ruling on how both totals are reached (C-11)."""
    total = contest.steps[0].values
    attacker, defender = at
    mine, other = (f"{s.choices[seat].rank} + {s.board[at[seat]].size} = {total[seat]}" for seat in at)
    text = N_("Card plus group: {attacker} {sum} against {defender} {other}.")
    facts = {"attacker": attacker, "defender": defender, "sum": mine, "other": other}
    return ruled("totals", "C-11", text, **facts, contest=contest)


# -- the end ----------------------------------------------------------------------------------------------------


def end_turn(s: State, *rulings: Ruling) -> Ruled:
    """End the game if no attack can ever arise (C-14), else pass the turn to the next survivor (C-3)."""
    never = never_again(s)
    *before, last = rulings
    rulings = (*before, last.adding(conditions=[never]))
    if never.holds:
        return end(s, *rulings, no_attack(s))
    owners = {group.owner for group in s.board.values()}
    turn = left_of(s.seats, s.turn)
    while turn not in owners:
        turn = left_of(s.seats, turn)
    return replace(s, turn=turn), rulings


def never_again(s: State) -> Condition:
    """Return the condition that no attack can ever arise again (C-14)."""
    still = joined(s.board)
    between = [seat for seat in s.seats if seat in still]
    text = N_("No attack can ever happen again.")
    if still:
        text = N_("An attack can still happen: counters in rows and columns join the groups of {seats}.")
    return Condition("no_attack", "C-14", not still, between, text, {"seats": between})


def no_attack(s: State) -> Ruling:
    """Return the ruling on why no attack can ever arise again (C-14)."""
    alive = survivors(s)
    text = N_("No attack can ever happen again: nobody is left. The game ends.")
    if len(alive) == 1:
        text = N_("No attack can ever happen again: only {survivors} is left. The game ends.")
    elif alive:
        text = N_(
            "No attack can ever happen again: no rows and columns of counters join two players' groups ({groups}). "
            "The game ends."
        )
    return ruled("no_attack", "C-14", text, survivors=alive, groups={seat: owned(s.board, seat) for seat in alive})


def sizes(s: State, seat: Seat) -> list[int]:
    return [s.board[square].size for square in owned(s.board, seat)]


def standings(s: State) -> Contest:
    """Return the comparison of the counters in each seat's groups (C-16)."""
    counters = {seat: sum(sizes(s, seat)) for seat in s.seats}
    return Contest("game", (Measure("counters", "C-16", "highest", counters),))


def final(s: State) -> Result:
    """Return the result; nobody wins if nobody is left (C-16)."""
    contest = standings(s)
    return result(contest.steps[0].values, contest.winners if survivors(s) else ())


def end(s: State, *rulings: Ruling) -> Ruled:
    s = replace(s, phase="over")
    facts = final(s)
    text = N_("The game is over. Nobody is left, so nobody wins.")
    if len(facts["winners"]) == 1:
        text = N_("The game is over. Counters: {scores}. {winners} wins.")
    elif facts["winners"]:
        text = N_("The game is over. Counters: {scores}. {winners} share the victory.")
    weighed = {"contest": standings(s)} if facts["winners"] else {}
    return s, (*rulings, *scored(s), ruled("over", "C-16", text, **facts, **weighed))


def scored(s: State) -> Iterator[Ruling]:
    """Yield a ruling on each survivor's counters, group by group (C-16)."""
    for seat in survivors(s):
        groups = sizes(s, seat)
        addends = " + ".join(map(str, groups))
        counted = f"{addends} = {sum(groups)}" if len(groups) > 1 else addends
        text = N_("{seat:of} counters on {squares}: {counters}.")
        yield ruled("scored", "C-16", text, seat=seat, squares=owned(s.board, seat), counters=counted)


# -- legal, read, view ------------------------------------------------------------------------------------------


def legal(s: State) -> Sequence[Moves[Act]]:
    match s.phase:
        case "placing":
            empty = tuple(square for square in SQUARES if square not in s.board)
            return [Moves(Place, {"seat": (s.turn,), "square": empty})]
        case "turn":
            return turns(s)
        case "choosing":
            hands: list[Moves[Act]] = [Moves(Choose, {"seat": (seat,), "card": s.hands[seat]}) for seat in duellists(s)]
            return hands if missing(s) else [*hands, Moves(Reveal, {})]
    return []


def turns(s: State) -> list[Moves[Act]]:
    """Return the alliances and attacks, group by group, and a pass if no attack is possible (C-4)."""
    me, board = s.turn, s.board
    own = owned(board, me)
    attacks = list(from_each(Attack, me, ((square, enemies(board, square, me)) for square in own)))
    alliances = from_each(Ally, me, ((square, allies(board, square, me)) for square in own))
    return [*attacks, *alliances] if attacks else [*alliances, Moves(Pass, {"seat": (me,)})]


Towards = TypeVar("Towards", Ally, Attack)


def from_each(
    act: type[Towards], seat: Seat, targets: Iterable[tuple[str, tuple[str, ...]]]
) -> Iterator[Moves[Towards]]:
    for square, to in targets:
        if to:
            yield Moves(act, {"seat": (seat,), "from_": (square,), "to": to})


def read(s: State, touch: Touch) -> Choose | Pass | None:
    """Read a card as a choice in a duel; the button of the seat to move passes."""
    if isinstance(touch, Laid):
        return Choose(own_card(touch, s.seats), touch.card) if s.phase == "choosing" else None
    return Pass(touch.seat) if s.phase == "turn" and touch.seat == s.turn else None


def fists(s: State) -> tuple[Seat, ...]:
    """Return the duellists once both cards are down."""
    return duellists(s) if not missing(s) else ()


def waiting(s: State) -> tuple[Seat, ...]:
    if s.phase == "choosing":
        return missing(s)
    return () if s.phase == "over" else (s.turn,)


def to_place(s: State, seat: Seat) -> int:
    return COUNTERS - len(owned(s.board, seat))


def view(s: State, seat: Seat | None = None) -> CaesarView:
    """Return everything public; for a seat also its hand and sealed choice."""
    placing, over, duel = s.phase == "placing", s.phase == "over", s.duel
    alive = s.seats if placing else survivors(s)
    public: CaesarView = {
        "game": GAME.name,
        "phase": s.phase,
        "turn": None if over else s.turn,
        "waiting": list(waiting(s)),
        "over": over,
        "result": final(s) if over else None,
        "board": {
            square: {"owner": s.board[square].owner, "size": s.board[square].size}
            for square in SQUARES
            if square in s.board
        },
        "to_place": {each: to_place(s, each) for each in s.seats} if placing else {},
        "hand_sizes": {each: len(s.hands[each]) for each in s.seats},
        "duel": None,
        "chosen": [each for each in s.seats if each in s.choices],
        "out": [each for each in s.seats if each not in alive],
    }
    if duel:
        public["duel"] = {
            "attacker": duel.seat,
            "defender": s.board[duel.to].owner,
            "from": duel.from_,
            "to": duel.to,
        }
    if seat is not None:
        choice = s.choices.get(seat)
        public["private"] = {"hand": [str(card) for card in s.hands[seat]], "choice": str(choice) if choice else None}
    return public


GAME: Game[State, CaesarView] = Game(
    name="caesar",
    title=N_("Caesar"),
    seats=range(2, 6),
    colours=COLOURS,
    ranks=lambda _: RANKS,
    events=(Place, Ally, Attack, Pass, Choose, Reveal),
    together="C-9",
    setup=setup,
    apply=apply,
    legal=legal,
    read=read,
    fists=fists,
    view=view,
    vocabulary=lambda _: {"place": SQUARES},
    clauses=__doc__ or "",
)
