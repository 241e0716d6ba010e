"""Contests: seats compared step by step, and the smallest change with which another would have come out first (T-12).

The games rule with these, and rulings carry them as facts, so what decides is what explains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from companion.rules.data import Data

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Measure:
    """What seats are compared by, by which clause, which value is best, and every seat's value."""

    by: str
    rule: str
    best: Literal["highest", "lowest"]
    values: Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class Step:
    """One comparison of the seats left by the step before: their values, and the seats left now, in header order."""

    by: str
    rule: str
    best: Literal["highest", "lowest"]
    values: Mapping[str, Number]
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The seat that came closest to being first, and the value it would have needed."""

    seat: str
    value: Number


@dataclass(frozen=True)
class Contest:
    """One comparison of seats: by the first measure, then those still tied by the next, until one is left.

    `what` it is for is one of table.md's words. The first measure's values name the seats that compete, in header
    order. `could` says what each of them could have had there instead; where it says nothing, nobody had a choice.
    """

    what: str
    measures: tuple[Measure, ...]
    could: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Return the comparisons that were needed, in order."""
        steps: list[Step] = []
        left = tuple(self.measures[0].values)
        for measure in self.measures:
            values = {seat: measure.values[seat] for seat in left}
            best = max(values.values()) if measure.best == "highest" else min(values.values())
            left = tuple([seat for seat in left if values[seat] == best])
            steps.append(Step(measure.by, measure.rule, measure.best, values, left))
            if len(left) == 1:
                break
        return tuple(steps)

    @property
    def winners(self) -> tuple[str, ...]:
        """Return the seats that are left at the end; several share the win."""
        return self.steps[-1].left

    @property
    def winner(self) -> str:
        """Return the only winner. Use it only for a contest whose last measure separates all seats."""
        (seat,) = self.winners
        return seat

    @cached_property
    def nearest(self) -> NearMiss | None:
        """Return the seat that needed the smallest change of its own first value to win alone, all else unchanged.

        Every change is judged anew; of equal changes the first in header order counts.
        """
        first = self.measures[0].values
        nearest: tuple[Fraction, NearMiss] | None = None
        for seat in first:
            for value in () if self.winners == (seat,) else self.could.get(seat, ()):
                change = abs(Fraction(value) - first[seat])
                if (nearest is None or change < nearest[0]) and self._with(seat, value).winners == (seat,):
                    nearest = change, NearMiss(seat, value)
        return nearest[1] if nearest else None

    def _with(self, seat: str, value: int) -> Contest:
        """Return the same contest with another first value for one seat."""
        first, *others = self.measures
        return replace(self, measures=(replace(first, values={**first.values, seat: value}), *others))

    @property
    def facts(self) -> Data:
        """Return the contest as a transcript's replay prints it."""
        nearest = self.nearest
        return {
            "for": self.what,
            "steps": self.steps,
            "winners": self.winners,
            "nearest": nearest and {"seat": nearest.seat, "value": nearest.value},
        }


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that must hold, but compares no seats: three regions, a full ship, a target.

    `what` is a stable word, `by` what it was weighed by (the regions held, the sum reached); `text` says it for
    people, holding or not, from `by` and `facts`: "Not yet a win: Rome has no legion in Sardinia."
    """

    what: str
    rule: str
    holds: bool
    by: Any  # of every kind that a fact can be
    text: str
    said: Data = field(default_factory=dict)
    """The further facts that the text names besides `by`."""

    @property
    def facts(self) -> Data:
        """Return the condition as a transcript's replay prints it."""
        return {"what": self.what, "rule": self.rule, "holds": self.holds, "by": self.by}
