"""Mercator from positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.mercator import rules as mercator
from companion.session.receipt import Receipt
from tests.support.playing import Play

THREE = "red blue green"

FOUR = "red blue green yellow"

Cards = int | str
"""That many cards that nobody has seen yet, low ones first; or named: "red 7, blue 8"; or only their ranks: "7 8"."""


class Market(Play):
    """A game of Mercator that deals its own cards."""

    def __init__(self, seats: str = THREE, **options: Any) -> None:
        super().__init__("mercator", seats, options=options)
        self.unseen = [str(card) for card in sorted(mercator.CARDS, key=lambda card: card.rank)]
        self.paid = dict.fromkeys(self.header.seats, 0)

    def deal(self, cards: Cards) -> list[str]:
        if isinstance(cards, int):
            dealt = self.unseen[:cards]
        elif cards[0].isalpha():
            dealt = cards.split(", ")
        else:
            dealt = []
            for rank in cards.split():
                dealt.append(next(c for c in self.unseen if c.split()[1] == rank and c not in dealt))
        self.unseen = [card for card in self.unseen if card not in dealt]
        return dealt

    def lot(self, cards: Cards) -> Receipt:
        """Turn the cards up as the flipper, and begin the auction."""
        for card in self.deal(cards):
            receipt = self.ok("flip", self.view["flipper"], card=card)
        if self.view["phase"] == "flipping":
            receipt = self.ok("auction", self.view["flipper"])
        return receipt

    def bid(self, **bids: int) -> Receipt:
        """Open the fists, and let every seat that takes part name a bid, 0 unless given."""
        self.ok("reveal")
        for seat in self.view["taking_part"]:
            receipt = self.ok("bid", seat, chips=bids.get(seat, 0))
        return receipt

    def sell(self, cards: Cards, seat: str, chips: int = 1) -> Receipt:
        self.lot(cards)
        self.paid[seat] += chips
        return self.bid(**{seat: chips}) if self.fists else self.ok("sold", seat, chips=chips)

    def waste(self, cards: Cards) -> Receipt:
        """Auction a lot that nobody wants."""
        self.lot(cards)
        return self.bid() if self.fists else self.ok("unsold")

    @property
    def fists(self) -> bool:
        return bool(self.header.options["auction"] == "fists")

    def stow(self, seat: str, ranks: str) -> Receipt:
        """Let the seat buy these cards one by one, for 1 chip each."""
        for rank in ranks.split():
            receipt = self.sell(rank, seat)
        return receipt

    def waste_the_pile(self) -> Receipt:
        while self.view["pile"]:
            receipt = self.waste(1)
        return receipt

    def prizes(self) -> dict[str, float]:
        scores = self.view["result"]["scores"]
        return {seat: scores[seat] - 50 + paid for seat, paid in self.paid.items()}


def sale(seats: str, cargos: Sequence[str], **options: Any) -> Market:
    """Play a game that ends with these cargoes and an empty pile."""
    play = Market(seats, **options)
    for seat, ranks in zip(play.header.seats, cargos, strict=True):
        if ranks:
            play.stow(seat, ranks)
    play.waste_the_pile()
    assert play.view["over"]
    return play
