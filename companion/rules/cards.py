"""The deck: five colours, in each 1 to 10, a 12 and two identical flags (docs/rules/README.md)."""

from dataclasses import dataclass

COLOURS = ("red", "blue", "green", "yellow", "purple")
PAWNS = (*COLOURS, "black", "white")
"""Seven pawns: Mercator seats two players more than there are colours of cards."""

FLAG = 0
RANKS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, FLAG)
"""In the order of a hand: by rank, the flag last."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card. Two flags of a colour are the same card (T-2); compare and hash by what is printed."""

    colour: str
    rank: int

    def __str__(self) -> str:
        return f"{self.colour} {self.rank or 'flag'}"


DECK = {str(card): card for card in (Card(colour, rank) for colour in COLOURS for rank in RANKS)}
"""The cards by their text form: `DECK["red 7"]`, `DECK["blue flag"]`."""


def hand_order(card: Card) -> tuple[int, int]:
    """Return the sort key of a card in a hand: by colour as the deck is listed, then by rank, the flag last."""
    return COLOURS.index(card.colour), card.rank or 99
