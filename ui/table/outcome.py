"""The outcome of a move as one text, with the payments and the moves of pieces that people make for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from companion.answers import why
from companion.games import guide_of, position_of
from companion.rules import N_, Amount, Ruling, ruled
from companion.rules.message import Message
from companion.rules.phrases import THEN, then
from companion.rules.vocabulary import BANK
from companion.rules.words import Words, digits
from ui.table.moment import Moment

Counts = Sequence[int | Fraction]
"""Several payments from one payer to one receiver."""

PAYS = N_("{seat} pays {to} {chips}.")
PAYS_BANK = N_("{seat} pays the bank {chips}.")
BANK_PAYS = N_("The bank pays {seat} {chips}.")
BANK_PAYS_EACH = N_("The bank pays: {chips}.")


def told(m: Moment, act: Sequence[Ruling]) -> Ruling:
    """Return everything that people need to know of a move, in the order of its rulings."""
    outcome, moves, paid = telling(m, act), guide_of(m.game.name).moves, position_of(m.game.name).paid
    sums = _sums(m, act)
    named = {(one.from_, one.to) for one in paid(outcome)}
    sentences: dict[str, Ruling] = {}
    for ruling in act:
        if ruling is outcome:
            sentences[ruling.code] = brief(_with_sums(m, ruling, sums))
        elif ruling.code in moves:
            sentences[ruling.code] = replace(ruling, text=moves[ruling.code])
        for payer in {one.from_: None for one in paid(ruling) if (one.from_, one.to) not in named}:
            sentences.setdefault(payer, _payment(ruling, payer, sums[payer]))
    return reduce(lambda one, other: ruled(other.code, other.rule, THEN, **then(one, other)), sentences.values())


def pays(m: Moment, act: Sequence[Ruling]) -> bool:
    """Return whether somebody pays chips because of this move."""
    return any(position_of(m.game.name).paid(ruling) for ruling in act)


def moves(m: Moment, act: Sequence[Ruling]) -> bool:
    """Return whether people are to move pieces or cards that the outcome itself does not name."""
    return any(ruling.code in guide_of(m.game.name).moves for ruling in act)


def telling(m: Moment, rulings: Sequence[Ruling]) -> Ruling:
    """Return the last ruling that says more than what comes next."""
    return why.telling(m.game, rulings)


def brief(ruling: Ruling) -> Ruling:
    """Return the ruling without what goes where, which has a separate list."""
    said = ruling.facts.get("said")
    return brief(said) if isinstance(said, Ruling) else ruling


def _sums(m: Moment, act: Sequence[Ruling]) -> Mapping[str, Mapping[str, Counts]]:
    """Return what everybody pays because of this move, by payer and receiver."""
    sums: dict[str, dict[str, list[int | Fraction]]] = {}
    for ruling in act:
        for payment in position_of(m.game.name).paid(ruling):
            sums.setdefault(payment.from_, {}).setdefault(payment.to, []).append(payment.count)
    return sums


def _with_sums(m: Moment, outcome: Ruling, sums: Mapping[str, Mapping[str, Counts]]) -> Ruling:
    """Return the outcome with all that its payer pays the same receiver, where it names an amount."""
    for payment in position_of(m.game.name).paid(outcome):
        key = next((key for key, fact in outcome.facts.items() if isinstance(fact, Amount)), None)
        if key and len(counts := sums[payment.from_][payment.to]) > 1:
            return replace(outcome, facts={**outcome.facts, key: _chips(counts)})
    return outcome


def _payment(ruling: Ruling, payer: str, to: Mapping[str, Counts]) -> Ruling:
    """Return the sentence for what a seat or the bank pays."""
    if payer == BANK and (len(to) > 1 or any(count % 1 for counts in to.values() for count in counts)):
        return ruled("paid", ruling.rule, BANK_PAYS_EACH, chips={seat: sum(counts) for seat, counts in to.items()})
    (receiver, counts), *_ = to.items()
    if payer == BANK:
        return ruled("paid", ruling.rule, BANK_PAYS, seat=receiver, chips=_chips(counts))
    if receiver == BANK:
        return ruled("paid", ruling.rule, PAYS_BANK, seat=payer, chips=_chips(counts))
    return ruled("paid", ruling.rule, PAYS, seat=payer, to=receiver, chips=_chips(counts))


def _chips(counts: Counts) -> object:
    """Return whole numbers of chips as a sum: 20 chips, or 15 + 5 chips."""
    *first, last = counts
    chips = Amount(int(last))
    return Message("{sum} + {chips}", sum=Words(" + ".join(map(digits, first))), chips=chips) if first else chips
