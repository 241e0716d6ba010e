"""What lies where on the real table, and what moves when it becomes another: from the public view alone (T-11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.cards import DECK
from companion.rules import N_, plural

Layout = Mapping[str, Mapping[str, int]]
"""How many of each piece lie at each place."""
CARD = "card"
"""A card that nobody sees; one that lies open is named by itself, as "red 7"."""
BANK = "bank"
"""Where chips come from and go to; it is no place of a layout."""

PIECES = {
    CARD: plural("{count} card", "{count} cards"),
    "chip": plural("{count} chip", "{count} chips"),
    "counter": plural("{count} counter", "{count} counters"),
    "pawn": plural("{count} pawn", "{count} pawns"),
    "marker": plural("{count} marker", "{count} markers"),
    "legion": plural("{count} legion", "{count} legions"),
    "fleet": plural("{count} fleet", "{count} fleets"),
    "hannibal": N_("Hannibal"),
    "black pawn": N_("the black pawn"),
    "space": N_("space {count}"),
}
"""What pieces are called; a colour before one of them is whose it is, as in "red counter"."""
PLACES = {
    BANK: N_("the bank"),
    "box": N_("the box"),
    "hand": N_("{of:of} hand"),
    "sealed": N_("face down before {of}"),
    "before": N_("open before {of}"),
    "aside": N_("put aside by {of}"),
    "row": N_("place {of} in the row"),
    "stock": N_("{of:of} stock"),
    "province": N_("{of}"),
    "governor": N_("the value of {of}"),
    "trick": N_("the trick"),
    "taken": N_("the tricks taken"),
    "square": N_("{of}"),
    "pile": N_("the pile"),
    "lot": N_("the lot"),
    "ship": N_("{of:of} ship"),
    "space": N_("space {of}"),
    "track": N_("{of:of} pawn"),
}
"""What places are called, by their first word; the rest of a place is whose it is, or where: "hand red"."""


@dataclass(frozen=True, slots=True)
class Move:
    """So many of a piece go from one place to another."""

    piece: str
    count: int
    from_: str
    to: str


@dataclass(frozen=True, slots=True)
class Payment:
    """So many chips went from a seat or the bank to another."""

    count: int | Fraction
    from_: str
    to: str


def cards_of(seat: str, size: int, down: bool, whole: int) -> dict[str, dict[str, int]]:
    """Where the `whole` cards of a seat are that nobody sees: in the hand of `size`, face down if chosen, put aside."""
    return {
        f"hand {seat}": {CARD: size - down},
        f"sealed {seat}": {CARD: int(down)},
        f"aside {seat}": {CARD: whole - size},
    }


def open_cards(lying: Layout) -> Sequence[str]:
    """The cards that everybody sees, by name."""
    return [piece for pieces in lying.values() for piece in pieces if piece in DECK]


def counted(places: Mapping[str, Mapping[str, int]]) -> Layout:
    """The layout without what is not there."""
    found = {place: {piece: count for piece, count in pieces.items() if count} for place, pieces in places.items()}
    return {place: pieces for place, pieces in found.items() if pieces}


def moves(before: Layout, after: Layout) -> Sequence[Move]:
    """The fewest moves that make the one the other, in the order of the pieces.

    A card that turns over is the same piece: what is missing of open cards is made up by cards that nobody sees, and
    such a move is named by the card where it lies open, before or after.
    """
    found: list[Move] = []
    gone, come = _excess(before, after), _excess(after, before)
    for piece in dict.fromkeys((*gone, *come)):
        if piece != CARD:
            found += _carry(piece, gone.get(piece, {}), come.get(piece, {}))
    hidden = [at for at in (*after, *before) if CARD in (*before.get(at, ()), *after.get(at, ()))]
    found += _turned(gone, come, related)
    found += _exchanged(gone, come, sorted(dict.fromkeys(hidden), key=lambda at: not at.startswith("hand")))
    found += _turned(gone, come, lambda *_: True)
    found += _carry(CARD, gone.get(CARD, {}), come.get(CARD, {}))
    return found


Rest = dict[str, dict[str, int]]


def _excess(one: Layout, other: Layout) -> Rest:
    """By piece and place: how many more lie in the one."""
    found: Rest = {}
    for place, pieces in one.items():
        for piece, count in pieces.items():
            more = count - other.get(place, {}).get(piece, 0)
            if more > 0:
                found.setdefault(piece, {})[place] = more
    return found


def _carry(piece: str, gone: dict[str, int], come: dict[str, int]) -> list[Move]:
    """Moves of one piece, as few as can be found: first those that settle two places at once."""
    exact = [(place, to) for place in gone for to in come if gone[place] == come[to]]
    found: list[Move] = []
    for place, to in (*exact, *((place, to) for place in tuple(gone) for to in tuple(come))):
        if count := min(gone.get(place, 0), come.get(to, 0)):
            if (place, to) in exact and gone[place] != come[to]:
                continue  # one of the two has been settled with another
            found.append(Move(piece, count, place, to))
            _less(gone, place, count)
            _less(come, to, count)
    return found


def _less(rest: dict[str, int], place: str, count: int) -> None:
    rest[place] -= count
    if not rest[place]:
        del rest[place]


def _turned(gone: Rest, come: Rest, near: Callable[[str, str], bool]) -> list[Move]:
    """Cards that lie open on one side only: each goes to, or comes from, where a card that nobody sees is missing.

    Where it lies open is tried first, then the places that are near to the card.
    """
    found: list[Move] = []
    for here, there, back in ((gone, come, False), (come, gone, True)):
        for piece, place in _open(here):
            unseen = there.get(CARD, {})
            end = place if place in unseen else next((at for at in unseen if near(at, piece)), None)
            if end is None:
                continue
            if end != place:  # else it only turns over
                found.append(Move(piece, 1, *((end, place) if back else (place, end))))
            _less(here[piece], place, 1)
            _less(unseen, end, 1)
    return found


def _open(rest: Rest) -> Sequence[tuple[str, str]]:
    """Every open card that is left, and where it lies."""
    found = [
        (piece, place, count) for piece, places in rest.items() if piece in DECK for place, count in places.items()
    ]
    return [(piece, place) for piece, place, count in found for _ in range(count)]


def _exchanged(gone: Rest, come: Rest, hidden: Sequence[str]) -> list[Move]:
    """Open cards whose place is taken by others: the one goes to the cards that nobody sees, the other comes from them,
    and of those there are as many as before."""
    found: list[Move] = []
    for piece, place in _open(gone):
        others = sorted(_open(come), key=lambda other: other[0].split()[0] != piece.split()[0])
        home = next((at for at in hidden if related(at, piece)), hidden[0] if hidden else None)
        if not others or home is None:
            break
        other, to = others[0]
        found += [Move(piece, 1, place, home), Move(other, 1, home, to)]
        _less(gone[piece], place, 1)
        _less(come[other], to, 1)
    return [move for move in found if move.from_ != move.to]


def related(place: str, piece: str) -> bool:
    """The place belongs to the card's colour: its hand before anybody else's."""
    return piece.split(maxsplit=1)[0] in place.split()
