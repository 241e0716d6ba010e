"""The elements of answers: sentences, clauses, sums, contests, conditions, rows of pawns and acts, for every page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from companion.answers.why import Comparison, Held, Reason, Why
from companion.games import guide_of
from companion.rules import N_
from ui.games.face import face_of
from ui.games.parts.sum import Sum
from ui.table.frame import About, about, listed, named
from ui.table.moment import Moment

if TYPE_CHECKING:
    from ui.widgets.annotations import About


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading for the items after it; never left at the foot of a page."""

    text: str
    leads = True


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with the shapes of those it is about; the `lead` is large; how `near` it was is set off, and so is a
    `warning`."""

    text: str
    seats: Sequence[str] = ()
    weight: Literal["lead", "plain", "strong", "near", "muted", "warning"] = "plain"
    alone: bool = False
    """It has a page almost to itself, and is large, as a lead is."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A clause: its id, which leads to the rules, its text and whose it is."""

    rule: str
    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A fact: what it is called, and its value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Summed:
    """Cards on the way to a target, as the board shows them."""

    sum: Sum


@dataclass(frozen=True, slots=True)
class Compared:
    """A contest as a table: a column for each step, a line for each seat, called as `names` has it; `about` is what the
    first number of a seat can be asked about."""

    table: Comparison
    names: Mapping[str, str]
    about: Mapping[str, About]


@dataclass(frozen=True, slots=True)
class Ticked:
    """A condition, with a tick where it holds and a cross where it does not."""

    held: Held


@dataclass(frozen=True, slots=True)
class StoodBefore:
    """Pawns in a row, as they stood."""

    caption: str
    seats: Sequence[str]


@dataclass(frozen=True, slots=True)
class Act:
    """A ruling of the chain; a touch shows all of it."""

    number: int
    text: str
    rule: str
    seats: Sequence[str]
    chosen: bool
    link: Reason


def title(m: Moment, number: About | None) -> str:
    """Return what the page answers: why something was ruled, or how a number came about."""
    if number is None:
        return m.say(N_("Why?"))
    word, of = number
    return m.say(guide_of(m.game.name).numbers[word].title, of=of)


def reason(m: Moment, shown: Reason) -> Sequence[Any]:
    """Return one step in full, without the clause it rests on."""
    lead = Sentence(shown.text, listed(shown.ruling, m.seats), "lead")
    added = face_of(m.game.name).summed(m, shown.ruling)
    facts = [Weighed(*fact) for fact in shown.facts]
    return [lead, *([Summed(added)] if added else []), *proofs(m, shown), *facts]


def cited(shown: Reason) -> Sequence[Cited]:
    """Return the clause that a step rests on."""
    return [Cited(shown.rule, shown.clause, shown.mark)] if shown.clause else []


def chain(m: Moment, found: Why, shown: Reason) -> Sequence[Act]:
    """Return what was done, and everything that followed."""
    return [act(m, at, link, link.ruling is shown.ruling) for at, link in enumerate(found.links, 1)]


def act(m: Moment, at: int, link: Reason, chosen: bool) -> Act:
    return Act(at, link.text, link.rule, named(link.ruling, m.seats), chosen, link)


def proofs(m: Moment, link: Reason) -> Sequence[Any]:
    """Return the contest, the conditions, and the pawns as they stood."""
    return [*contest(m, link), *map(Ticked, link.conditions), *(StoodBefore(*row) for row in link.rows)]


def contest(m: Moment, link: Reason) -> Sequence[Any]:
    if link.contest is None:
        return []
    names = {seat: m.name(seat) for seat, _ in link.contest.lines}
    near = [Sentence(link.contest.nearest, weight="near")] if link.contest.nearest else []
    return [Compared(link.contest, names, asked(m, link)), *near]


def asked(m: Moment, link: Reason) -> Mapping[str, About]:
    """Return what each seat's final score can be asked about; nothing for any other ruling."""
    if link.ruling.code != "over":
        return {}
    number = face_of(m.game.name).number
    return {seat: about(m, number(m, seat), seat) for seat in m.seats}
