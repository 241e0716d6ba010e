"""Layouts of the real table, and the moves from one to another: from the public view alone (T-11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.rules import Seat
from companion.rules.cards import COLOURS, DECK
from companion.rules.vocabulary import CARD

Layout = Mapping[str, Mapping[str, int]]
"""The count of each piece at each place."""
Lying = Mapping[str, str]
"""The place of each card that nobody sees and everybody can follow: put aside, taken, gone from the game."""
NOWHERE: Lying = {}


@dataclass(frozen=True, slots=True)
class Move:
    """A number of one piece moved from one place to another."""

    piece: str
    count: int
    from_: str
    to: str


@dataclass(frozen=True, slots=True)
class Payment:
    """A number of chips paid from a seat or the bank to another."""

    count: int | Fraction
    from_: str
    to: str


def cards_of(seat: str, size: int, down: bool, whole: int) -> dict[str, dict[str, int]]:
    """Return where a seat's `whole` cards are: in the hand of `size`, face down if `down`, or put aside."""
    return {
        f"hand {seat}": {CARD: size - down},
        f"sealed {seat}": {CARD: int(down)},
        f"aside {seat}": {CARD: whole - size},
    }


def open_cards(lying: Layout) -> Sequence[str]:
    """Return the names of the cards that lie open."""
    return [piece for pieces in lying.values() for piece in pieces if piece in DECK]


def counted(places: Mapping[str, Mapping[str, int]]) -> Layout:
    """Return the layout without empty places and without pieces that count 0."""
    found = {place: {piece: count for piece, count in pieces.items() if count} for place, pieces in places.items()}
    return {place: pieces for place, pieces in found.items() if pieces}


def moves(before: Layout, after: Layout, was: Lying = NOWHERE, now: Lying | None = None) -> Sequence[Move]:
    """Return the fewest moves by hand that turn one layout into the other, in the order of the pieces.

    `was` and `now` say where cards lie face down that everybody can follow. Without `now`, as after a decision, a card
    that no longer lies open has gone to a place where one more lies face down. A card that is not followed is in its
    owner's hand or, in a game without hands, in the pile while any are left there; no card goes to another's hand. A
    move names its card where the card lies open, before or after, and where it comes from or goes to a shared place.
    """
    found: list[Move] = []
    gone, come = _excess_of(before, after), _excess_of(after, before)
    for piece in dict.fromkeys((*gone, *come)):
        if piece not in DECK and piece != CARD:
            found += _fewest_moves(piece, gone.get(piece, {}), come.get(piece, {}))
    named, unseen = _Cards(before, after, was, now).moves()
    return [*found, *named, *unseen]


Rest = dict[str, dict[str, int]]


def _excess_of(one: Layout, other: Layout) -> Rest:
    """Return, by piece and place, how many more lie in the one layout than in the other."""
    found: Rest = {}
    for place, pieces in one.items():
        for piece, count in pieces.items():
            more = count - other.get(place, {}).get(piece, 0)
            if more > 0:
                found.setdefault(piece, {})[place] = more
    return found


class _Cards:
    """The moves of cards between two layouts: open cards by name, the others by how many lie where."""

    def __init__(self, before: Layout, after: Layout, was: Lying, now: Lying | None) -> None:
        self._open = _opened(before), _opened(after)
        self._was, self._now = was, now
        places = [at for at in (*before, *after) if CARD in (*before.get(at, ()), *after.get(at, ()))]
        self._places = list(dict.fromkeys(places))
        self._hands = any(map(whose, self._places))
        self._unknown = [
            {at: lying.get(at, {}).get(CARD, 0) - [*known.values()].count(at) for at in self._places}
            for lying, known in ((before, was), (after, now or {}))
        ]  # how many lie there face down that may be any card, before and after
        self._more = {
            at: after.get(at, {}).get(CARD, 0) - before.get(at, {}).get(CARD, 0) for at in self._places
        }  # how many more cards lie there face down, after the moves that have been found

    def moves(self) -> tuple[Sequence[Move], Sequence[Move]]:
        """Return the moves that name their card, and the moves that only count cards."""
        named: list[Move] = []
        rest: list[Move] = []
        cards = [*self._open[0], *self._open[1], *self._was, *(self._now or ())]
        for card in dict.fromkeys(cards):
            seen = card in self._open[0] or card in self._open[1]
            if not seen and self._now is None:
                continue  # a decision never says where a face-down card went
            one, other = self._ends_of_card(card)
            if one == other and not seen:
                continue
            self._count_as_moved(card, one, other)
            if one != other and (seen or None in (whose(one), whose(other))):  # among many cards, the name must be said
                named.append(Move(card, 1, one, other))
            elif one != other:
                rest.append(Move(CARD, 1, one, other))
        rest += [move for who in self._owners() for move in self._unseen_moves(who)]
        return self._sorted(named), sorted(
            _merged(rest), key=lambda move: (self._order_of(move.from_), self._order_of(move.to))
        )

    def _sorted(self, named: Sequence[Move]) -> Sequence[Move]:
        """Sort the named moves into the order in which people make them.

        First come cards that lie open all the while, then those that only go or come. Players who take one card and lay
        another come last, one player after the other.
        """
        both = [move for move in named if all(move.piece in opened for opened in self._open)]
        gone = {owner(move.piece) for move in named if move not in both and move.piece in self._open[0]}
        come = {owner(move.piece) for move in named if move not in both and move.piece in self._open[1]}
        swaps = [mine for mine in COLOURS if mine in gone & come]

        def turn(move: Move) -> int:
            if move in both:
                return -1
            return 1 + swaps.index(owner(move.piece)) if owner(move.piece) in swaps else 0

        return sorted(named, key=turn)

    def _order_of(self, place: str) -> int:
        """Return a place's position in the order of the layouts; an unknown place comes last."""
        return self._places.index(place) if place in self._places else len(self._places)

    def _ends_of_card(self, card: str) -> tuple[str, str]:
        """Return where a card is before and after. A card that nobody can follow stays where it may have been."""
        known = (self._was, self._now or {})
        one, other = (opened.get(card) or lies.get(card) for opened, lies in zip(self._open, known, strict=True))
        return one or self._unseen_place(card, 0, other), other or self._unseen_place(card, 1, one)

    def _unseen_place(self, card: str, when: int, end: str | None) -> str:
        """Return where a card is that nobody can follow, before (`when` 0) or after (1).

        That is its other `end` if it may lie there, else its owner's hand or the pile, or a place where others lie face
        down if none is left there.
        """
        mine, sign = owner(card), (-1, 1)[when]
        home = f"hand {mine}" if self._hands else "pile"
        others = [at for at in self._places if whose(at) in (mine, None) and not at.startswith("sealed")]
        if self._now is None:
            return next((at for at in (home, *others) if self._more.get(at, 0) * sign > 0), home)
        unknown = self._unknown[when]
        found = next((at for at in (*([end] if end else ()), home, *others) if unknown.get(at, 0) > 0), home)
        unknown[found] = unknown.get(found, 0) - 1
        return found

    def _count_as_moved(self, card: str, one: str, other: str) -> None:
        """Count a card as moved: what it leaves and fills face down needs no other move."""
        for place, opened, by in ((one, self._open[0], 1), (other, self._open[1], -1)):
            if card not in opened:
                self._more[place] = self._more.get(place, 0) + by

    def _owners(self) -> Sequence[str | None]:
        """Return the owners whose cards are counted apart; in a game without hands, all cards count together."""
        return list(dict.fromkeys(whose(at) for at in self._more if whose(at))) if self._hands else [None]

    def _unseen_moves(self, who: str | None) -> Sequence[Move]:
        """Return the moves of the cards of one owner that nobody sees, or of all such cards.

        What is lacking at a place comes from places where there are more.
        """
        more = {at: count for at, count in self._more.items() if count and whose(at) == who}
        shared = next((at for at in self._more if whose(at) is None), None)
        if who and shared and sum(more.values()):
            more[shared] = -sum(more.values())
        return _fewest_moves(
            CARD,
            {at: -count for at, count in more.items() if count < 0},
            {at: count for at, count in more.items() if count > 0},
        )


def _opened(lying: Layout) -> dict[str, str]:
    """Return the place of each card that lies open."""
    return {piece: place for place, pieces in lying.items() for piece in pieces if piece in DECK}


def owner(card: str) -> str:
    return card.split(maxsplit=1)[0]


def whose(place: str) -> str | None:
    """Return the seat that a place belongs to; None for a shared one, such as the pile and the tricks taken."""
    last = place.rpartition(" ")[2]
    return last if last in COLOURS else None


def is_hand(place: str) -> bool:
    return place.startswith("hand ")


def _merged(found: Sequence[Move]) -> Sequence[Move]:
    """Merge the moves between the same two places into one."""
    counts: dict[tuple[str, str], int] = {}
    for move in found:
        counts[move.from_, move.to] = counts.get((move.from_, move.to), 0) + move.count
    return [Move(CARD, count, *ends) for ends, count in counts.items()]


MOST = 12
"""The most places among which the minimum is searched; among more, the moves are few but perhaps not the fewest."""


def _fewest_moves(piece: str, gone: Mapping[str, int], come: Mapping[str, int]) -> list[Move]:
    """Return the fewest moves of one piece.

    The places are split into as many groups as can be balanced, and a group of n places needs n - 1 moves.
    """
    left = {**gone, **{at: -count for at, count in come.items()}}
    found: list[Move] = []
    for place in gone:  # two places that settle each other do so in some fewest
        to = next((at for at in come if left[at] == -left[place] and left[place] > 0), None)
        if to:
            found.append(Move(piece, left[place], place, to))
            left[place] = left[to] = 0
    places = [at for at, count in left.items() if count]
    for group in _groups([left[at] for at in places]):
        found += _moves_in_group(piece, {places[at]: left[places[at]] for at in sorted(group)})
    return found


def _moves_in_group(piece: str, left: Mapping[str, int]) -> Iterator[Move]:
    """Yield moves within a group, each of which settles a place."""
    gone = {at: count for at, count in left.items() if count > 0}
    come = {at: -count for at, count in left.items() if count < 0}
    while gone and come:
        place, to = next(iter(gone)), next(iter(come))
        count = min(gone[place], come[to])
        yield Move(piece, count, place, to)
        for rest, at in ((gone, place), (come, to)):
            rest[at] -= count
            if not rest[at]:
                del rest[at]


def _groups(counts: Sequence[int]) -> Sequence[Sequence[int]]:
    """Split the numbers into as many groups as possible whose sum is 0, and return their positions.

    More than MOST numbers stay in one group.
    """
    whole = (1 << len(counts)) - 1
    if len(counts) > MOST or not whole:
        return [range(len(counts))] if whole else []
    sums, best, last = [0] * (whole + 1), [0] * (whole + 1), [0] * (whole + 1)
    for mask in range(1, whole + 1):
        low = (mask & -mask).bit_length() - 1
        sums[mask] = sums[mask & (mask - 1)] + counts[low]
        best[mask], last[mask] = max((best[mask ^ 1 << at], at) for at in range(len(counts)) if mask >> at & 1)
        best[mask] += not sums[mask]
    groups: list[list[int]] = []
    mask, group = whole, list[int]()
    while mask:
        group.append(last[mask])
        mask ^= 1 << last[mask]
        if not sums[mask]:
            groups.append(group)
            group = []
    return groups


# -- What people compare with the real table, place by place (T-11), made from the layout --------------------------


ELSE = ""
"""The key of all other pieces."""
Lies = Mapping[str, Mapping[str, int]]
"""The pieces said to lie at some places: a count of each that is named, and maybe of ELSE."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the real table, and the pieces that can lie there; of cards that lie open every one by its name."""

    place: str
    pieces: Sequence[str]
    most: int = 30
    """The most of one piece there."""
    one: bool = False
    """All that lies there is one of the pieces: whose group it is, whose pawn."""


def by_seat(seats: Sequence[Seat], places: Sequence[str], pieces: Sequence[str] = (CARD,)) -> Sequence[Spot]:
    """Return a spot for each of these places before every seat."""
    return [Spot(f"{place} {seat}", pieces) for seat in seats for place in places]


def there(pieces: Mapping[str, int]) -> Sequence[str]:
    """Return the pieces that lie there, without those that count 0."""
    return [piece for piece, count in pieces.items() if count]


def in_order(before: Sequence[str], pieces: Mapping[str, int]) -> list[str]:
    """Return the cards that lie there, or whose counters do; those that lay there before come first."""
    found = there(pieces)
    return [*(card for card in before if card in found), *(card for card in found if card not in before)]
