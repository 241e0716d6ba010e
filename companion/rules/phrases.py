"""Phrases that several games say: parts of sentences, cards that are chosen face down, and the hand that is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial, reduce
from typing import TypeVar

from companion.rules import N_, Ruling, Seat, ruled
from companion.rules.cards import DECK, Card
from companion.rules.data import Data
from companion.rules.guide import AnyKnown, Saying
from companion.rules.message import Message

R = TypeVar("R", Ruling, Message)
part = partial(ruled, "part", "T-1")
"""A phrase within a sentence, for one of its facts."""


def listed(parts: Sequence[Ruling]) -> Ruling:
    """Join phrases with commas only; at least one is needed."""
    return reduce(lambda one, other: part(N_("{a}, {b}"), a=one, b=other), parts)


def joined(messages: Sequence[Message]) -> Message:
    """Join messages with commas only; at least one is needed."""
    return reduce(lambda a, b: Message(N_("{a}, {b}"), a=a, b=b), messages)


def final(ruling: Ruling) -> Data:
    """Return the facts of a finished game: the best score, and the other seats' scores from high to low."""
    scores, winners = ruling.facts["scores"], ruling.facts["winners"]
    in_order = sorted((seat for seat in scores if seat not in winners), key=lambda seat: -scores[seat])
    return {"best": scores[winners[0]], "others": {seat: scores[seat] for seat in in_order}}


THEN = N_("{first} {then}")


def then(first: Ruling, second: Ruling) -> Mapping[str, Ruling]:
    """Return two sentences as facts for `THEN`, which joins them as the language does."""
    return {"first": first, "then": second}


def held(_at: AnyKnown, _seat: Seat, private: Data) -> Sequence[Saying]:
    """Return sentences for the card that is face down, and for the hand by ranks alone: its colour is known."""
    ranks = [rank(DECK[card]) for card in private["hand"]]
    laid = [DECK[private["choice"]]] if private["choice"] else []
    choice = [Saying("T-3", N_("You have laid {card}."), {"card": card}) for card in laid]
    return [*choice, Saying("T-1", N_("You hold {ranks}."), {"ranks": runs(ranks)})]


def runs(ranks: Sequence[int | R]) -> Sequence[int | R | Ruling]:
    """Shorten three or more consecutive numbers, up or down, to "one to four", so that a hand is soon said."""
    found: list[int | R | Ruling] = []
    at = 0
    while at < len(ranks):
        end = max(_run(ranks, at, 1), _run(ranks, at, -1))
        long = end - at >= RUN
        found += [part(N_("{first} to {last}"), first=ranks[at], last=ranks[end - 1])] if long else ranks[at : at + 1]
        at = end if long else at + 1
    return found


RUN = 3
"""The least length of a shortened run of numbers."""


def _run(ranks: Sequence[object], at: int, step: int) -> int:
    """Return the end of the run that begins at `at`."""
    end, before = at + 1, ranks[at]
    while end < len(ranks) and isinstance(before, int) and ranks[end] == before + step:
        end, before = end + 1, ranks[end]
    return end


def card(_at: AnyKnown, value: Card, _chosen: Data) -> Saying:
    """Return the sentence for a card of one's own that could be chosen."""
    return Saying("T-1", N_("{rank}."), {"rank": rank(value)})


def rank(card: Card) -> int | Ruling:
    return card.rank or part(N_("the flag"))
