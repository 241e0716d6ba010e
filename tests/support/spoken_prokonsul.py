"""Prokonsul as everybody hears it."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from companion.record.transcript import Header
from companion.rules import Seat
from companion.rules.guide import Known
from companion.rules.line import Line
from companion.session import Session
from companion.session.receipt import Receipt
from companion.voice.telling import Level, Teller
from tests.support.playing import Play

NAMES = {"red": "Anna", "blue": "Ben", "green": "Chiara", "yellow": "Dai", "purple": "Eva"}


def known(of: Header, session: Session) -> Known[Any, Any]:
    return Known(of.seats, of.options, session.view(), session.derived(), (), of.reveal)


def begun(said: str) -> str:
    """Return sentences with a capital letter at their beginning."""
    return re.sub(r"(^|[.!?] )([a-z])", lambda found: found[1] + found[2].upper(), said)


class Listening:
    """A game of which somebody hears everything; each act gives what all heard of it."""

    def __init__(self, seats: str, level: Level = "full", lang: str = "en", ears: Collection[Seat] = (), **more: Any):
        self.play = Play("prokonsul", seats, players={seat: NAMES[seat] for seat in seats.split()}, **more)
        self.teller = Teller(self.play.header, lang, level, ears)
        self.ears: list[Line] = []

    def __call__(self, verb: str, seat: str | None = None, **facts: Any) -> list[str]:
        return self.heard(self.play(verb, seat, **{name.rstrip("_"): fact for name, fact in facts.items()}))

    def heard(self, receipt: Receipt) -> list[str]:
        lines = self.teller.tell([receipt], self.at)
        self.ears = [line for line in lines if line.to]
        return [begun(line.say) for line in lines if line.to is None and line.say]

    @property
    def at(self) -> Known[Any, Any]:
        return known(self.play.header, self.play.session)

    def begin(self, *ranks: int, province: str = "sicilia", row: str = "") -> list[str]:
        """Play the first round up to the reveal, with these cards in the order of the seats."""
        seats = self.play.header.seats
        if self.play.view["phase"] == "pawns":
            self("pawns", order=row.split() or list(seats))
        self("province", province=province)
        return self.cards(*ranks)

    def cards(self, *ranks: int) -> list[str]:
        for seat, rank in zip(self.play.header.seats, ranks, strict=True):
            self("choose", seat, card=f"{seat} {rank}")
        return self("reveal")

    def deal(self, seat: str, to: str, chips: int = 0, accept: bool = False) -> list[str]:
        self("offer", seat, to=to, chips=chips)
        return self("answer", to, accept=accept)

    def said(self, sayings: Any) -> list[str]:
        return [begun(self.teller.tongue.tr(saying.text, **saying.facts)) for saying in sayings]
