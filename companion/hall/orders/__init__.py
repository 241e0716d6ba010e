"""The organiser's orders, and the evening that follows from them. None of them keeps anything itself: `Organiser` does,
so that an order can be tried before it is given."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from companion.hall._evening import HallEvening, line, mark_of
from companion.hall.orders import evening, history, players, results, rounds
from companion.hall.records import Payload
from companion.hall.request import ORDERS, Act, Order, OrderContext, described

__all__ = ["ORDERS", "Act", "Order", "OrderContext", "described", "evening", "fold", "history", "players", "results",
           "rounds"]  # fmt: skip


def fold(acts: Iterable[Payload]) -> HallEvening:
    """Return the evening after these acts, without those undone. Raises KeyError for one of a later version."""
    acts = list(acts)
    first = HallEvening(mark=mark_of(acts), tie_breaks=bool(acts and acts[0].get("rules")))
    return reduce(lambda so_far, act: ORDERS[act["act"]].fold(so_far, act), line(acts).done, first)
