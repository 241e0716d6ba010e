"""The amounts of an auction on one page: the bidders, the bids named, and every possible amount."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import N_
from companion.rules.data import Data
from ui.games.mercator.moment import MercatorMoment

MOST = 50
"""Chips are only paid before the sale, so nobody has more than at the start (M-1)."""


@dataclass(frozen=True, slots=True)
class BidRow:
    """A seat that takes part, and the amount it has named; `asked`: the next amount is this seat's."""

    seat: str
    name: str
    shorter: tuple[str, ...]
    """The name in fewer letters, the longest first."""
    amount: str
    asked: bool


@dataclass(frozen=True, slots=True)
class Bids:
    """All that the page shows; `least` is 1 where the lot is sold out loud."""

    title: str
    rows: Sequence[BidRow]
    seat: str
    """The seat whose amount is asked for, "" until one is touched."""
    least: int


def bids(m: MercatorMoment, touched: str) -> Bids | None:
    """Return the page for the touched seat or else the next one; None while no amounts are named."""
    if m.view["phase"] != "bidding":
        return None
    out_loud = m.options["auction"] == "open"
    part, waiting = m.view["taking_part"], m.view["waiting"]
    seat = touched if touched in part else "" if out_loud else waiting[0]
    rows = [BidRow(one, m.name(one), m.short_names[one], str(m.view["bids"].get(one, "")), one == seat) for one in part]
    title = N_("{seat}: what was in your fist?")
    if out_loud:
        title = N_("{seat} buys the lot: for how much?") if seat else N_("Who buys the lot?")
    return Bids(m.say(title, seat=seat), rows, seat, int(out_loud))


def event(shown: Bids, chips: int) -> Data:
    """Return the act that names this amount, as a transcript writes it."""
    return {"event": "sold" if shown.least else "bid", "seat": shown.seat, "chips": chips}
