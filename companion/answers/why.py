"""Why: everything an act set off, link by link, each with its clause, what it weighed, and how close it was.

Made from public rulings alone, for the screen and the command line alike; sentences are in the language asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any

from companion.answers.guide import standing
from companion.answers.probing import TRIES
from companion.games import guide_of
from companion.record.approvals import SPOKEN
from companion.rules import N_, NC_, Amend, AnyGame, Plural, Ruling, Seat, Undo, plural
from companion.rules.cards import COLOURS
from companion.rules.contest import Condition, Contest, Step
from companion.rules.guide import Counted
from companion.rules.words import Clause, Tongue, find_clause
from companion.session.receipt import Receipt

MARKED: Mapping[str, str] = {
    "text": N_("printed in the rules"),
    "text+decided": N_("printed in the rules; our reading: {note}"),
    "decided": N_("our reading"),
    "variant": N_("a variant of the rules, chosen before the game"),
    "variant+decided": N_("a variant of the rules, chosen before the game; our reading: {note}"),
    "option": N_("a house rule, chosen before the game"),
}
"""A clause's mark in words."""

OURS = N_("our reading: {note}")
"""The mark of a clause of our own reading, with its reason."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One seat's value at one step; `text` is "" where it was out by then, `decides` where this is what won."""

    text: str
    left: bool
    decides: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """A contest as a small table: a column for each step (what is compared, its clause), a line for each seat."""

    columns: Sequence[tuple[str, str]]
    lines: Sequence[tuple[Seat, Sequence[Cell]]]
    winners: Sequence[Seat]
    nearest: str
    """The nearest alternative as a sentence; "" where nobody could have changed the outcome."""


@dataclass(frozen=True, slots=True)
class Held:
    """A condition as a sentence, the clause it stands in, and whether it holds."""

    text: str
    rule: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Reason:
    """One ruling, and everything behind it; `number` is the number of its act."""

    ruling: Ruling
    number: int
    text: str
    rule: str
    clause: str
    mark: str
    """The origin of the clause: printed, our reading and its reason, or a variant; "" where no clause is cited."""
    facts: Sequence[tuple[str, str]]
    rows: Sequence[tuple[str, Sequence[Seat]]]
    """Rows of pawns, as they stood: what each is called, and the seats from the left."""
    contest: Comparison | None
    conditions: Sequence[Held]


@dataclass(frozen=True, slots=True)
class Why:
    """The reason, which is one of the links or of an act before, and the whole chain in the order it happened."""

    lead: Reason
    links: Sequence[Reason]


FACTS: Mapping[str, str] = {
    "card": N_("card"),
    "cards": N_("cards"),
    "chips": N_("chips"),
    "count": N_("number"),
    "fair": N_("allowed, in ms"),
    "fists": N_("fists"),
    "from": NC_("place", "from"),
    "late": N_("late by, in ms"),
    "loser": N_("loses"),
    "open": N_("still open"),
    "own": N_("own"),
    "owner": N_("belongs to"),
    "place": N_("place"),
    "places": N_("places"),
    "reach": N_("can reach"),
    "reader": N_("reader"),
    "scores": N_("scores"),
    "seat": N_("player"),
    "seats": N_("players"),
    "sum": N_("sum"),
    "tag": N_("tag"),
    "tied": N_("tied"),
    "to": NC_("place", "to"),
    "turn": N_("to move"),
    "unconfirmed_board": N_("board not confirmed"),
    "value": N_("value"),
    "waiting": N_("still to act"),
    "winner": N_("winner"),
    "winners": N_("winners"),
}
"""The names of facts in any game; a guide adds those of its game."""

WOULD_HAVE_WON = N_("With {value}, {seat} would have come out first.")


def why(game: AnyGame, tongue: Tongue, log: Sequence[Receipt], ruling: Ruling | None = None) -> Why | None:
    """Return everything that the ruling's act set off; without a ruling, the last act's.

    The lead is the reason for that ruling; without one, for the outcome of the act. Returns None before anything was
    ruled.
    """
    if ruling:
        act = next((receipt for receipt in reversed(log) if any(one is ruling for one in receipt.public)), None)
    else:
        act = last_ruled(log)
    if act is None:
        return None
    at = next(at for at, receipt in enumerate(log) if receipt is act)
    asked = ruling or telling(game, act.public)
    receipt, reason = _reason_for(game, [*standing(log[: at + 1]), act], asked)
    links = [link(game, tongue, act, one) for one in act.public]
    return Why(link(game, tongue, receipt, reason), links)


def ruled_on(receipt: Receipt) -> bool:
    """Return whether the referee ruled something; what players say about a result is no ruling."""
    return any(ruling.code not in SPOKEN for ruling in receipt.public)


def last_ruled(log: Sequence[Receipt]) -> Receipt | None:
    """Return the last receipt with a ruling; None before there is one.

    A refusal, an undo or a correction comes before the note that counts it among the amounts tried.
    """
    found = filter(ruled_on, reversed(log))
    last = next(found, None)
    act = last
    while act and act.public[0].code == TRIES:
        act = next(found, None)
    return act if act and (not act.ok or isinstance(act.event, Undo | Amend)) else last


def number(game: AnyGame, tongue: Tongue, log: Sequence[Receipt], word: str, seat: Seat | None = None) -> Why | None:
    """Return the rulings that a number on the screen is made of, oldest first, led by the newest; None without any."""
    links = [link(game, tongue, act, one) for act, one in made_of(game, log, word, seat)]
    return Why(links[-1], links) if links else None


def made_of(
    game: AnyGame, log: Sequence[Receipt], word: str, whose: Seat | None = None
) -> Sequence[tuple[Receipt, Ruling]]:
    """Return the rulings that the number is made of, with their standing acts, oldest first.

    `whose` is the seat or the place whose number it is, None where it is the table's. Raises KeyError for an unknown
    word.
    """
    counted: Counted = guide_of(game.name).numbers[word]
    of = {whose} if whose and counted.by else set()
    found: list[tuple[Receipt, Ruling]] = []
    for act, ruling in reversed([(one, said) for one in standing(log) for said in one.public]):
        if ruling.code in counted.codes and (not of or of & _names_in(ruling, counted.by)):
            found.append((act, ruling))
            of |= _names_in(ruling, counted.joins)
        if ruling.code in counted.since:
            break
    return found[::-1]


def _names_in(ruling: Ruling, by: str | Sequence[str]) -> set[str]:
    """Return the seats or places that these facts of the ruling name, alone or among others."""
    facts = [ruling.facts.get(key) for key in ([by] if isinstance(by, str) else by)]
    return {name for fact in facts if fact for name in ([fact] if isinstance(fact, str) else fact)}


def telling(game: AnyGame, rulings: Sequence[Ruling]) -> Ruling:
    """Return the ruling that tells the outcome of an act: its last that says more than what comes next."""
    quiet = guide_of(game.name).quiet
    return next((ruling for ruling in reversed(rulings) if ruling.code not in quiet), rulings[-1])


def _reason_for(game: AnyGame, acts: Sequence[Receipt], asked: Ruling) -> tuple[Receipt, Ruling]:
    """Return the ruling that gives the reason for the one asked about, with its act: the nearest before it.

    `acts` are those that stood when it was said, its own at the end.
    """
    codes = guide_of(game.name).because.get(asked.code, ())
    for act in reversed(acts):
        for code in codes:
            for ruling in reversed(act.public):
                if ruling.code == code:
                    return act, ruling
    return acts[-1], asked


# -- one link ---------------------------------------------------------------------------------------------------


def link(game: AnyGame, tongue: Tongue, act: Receipt, ruling: Ruling) -> Reason:
    """Return a ruling, and everything behind it."""
    guide = guide_of(game.name)
    clause = find_clause(game, ruling.rule)
    weighed = ruling.facts.get("contest")
    return Reason(
        ruling,
        act.number,
        before_and_now(tongue, ruling) if ruling.code == "amended" else tongue.say(ruling),
        ruling.rule,
        tongue.tr(clause.text) if clause else "",
        mark(clause, tongue) if clause else "",
        _after_correction(tongue, ruling) if ruling.code == "amended" else _weighed_facts(game, tongue, ruling),
        [(tongue.tr(text), tuple(ruling.facts[key])) for key, text in guide.rows.items() if ruling.facts.get(key)],
        comparison(game, tongue, weighed) if isinstance(weighed, Contest) else None,
        [held(tongue, condition) for condition in ruling.facts.get("conditions", ())],
    )


def called(game: AnyGame, tongue: Tongue, word: str) -> str:
    """Return what a fact, a step or a number is called: one of a seat's by its seat, one without a name by its word."""
    if word in COLOURS:
        return tongue.name(word)
    names = {**FACTS, **guide_of(game.name).names}
    return tongue.tr(names[word]) if word in names else word.replace("_", " ")


def mark(clause: Clause, tongue: Tongue) -> str:
    """Return, in words, whose a clause is: "printed in the rules; our reading: …"."""
    if clause.mark not in MARKED:
        return ""
    note = tongue.tr(clause.note) if clause.note else ""
    return tongue.tr(OURS if note and clause.mark == "decided" else MARKED[clause.mark], note=note)


def _weighed_facts(game: AnyGame, tongue: Tongue, ruling: Ruling) -> Sequence[tuple[str, str]]:
    """Return what was weighed, each with its name; without what a sentence, a table or a picture shows."""
    guide, said = guide_of(game.name), _full_template(ruling)
    hidden = {"contest", "conditions", "fists", "places", "verb", "what", *guide.hidden, *guide.rows}
    return [
        (called(game, tongue, key), tongue.phrase(value))
        for key, value in ruling.facts.items()
        if key not in hidden and f"{{{key}" not in said and says(value)
    ]


def _full_template(ruling: Ruling) -> str:
    """Return the ruling's template, in all its forms, with that of the ruling before it."""
    text, before = ruling.text, ruling.facts.get("said")
    forms = f"{text} {text.many}" if isinstance(text, Plural) else text
    return f"{_full_template(before)} {forms}" if isinstance(before, Ruling) else forms


def before_and_now(tongue: Tongue, correction: Ruling) -> str:
    """Return what was entered, and what was done."""
    facts = correction.facts
    return tongue.tr(BEFORE_AND_NOW, before=facts["before"], now=facts["what"])


BEFORE_AND_NOW = N_("Before: {before} Now: {now}")


def _after_correction(tongue: Tongue, correction: Ruling) -> Sequence[tuple[str, str]]:
    """Return how many later moves stand, how many fall away, and why."""
    kept = plural("{count} later move still stands.", "{count} later moves still stand.")
    fallen = plural("{count} later move falls away: {because}", "{count} later moves fall away: {because}")
    facts = correction.facts
    if facts.get("since"):
        fallen = plural(
            "{count} later move falls away. {first} That is no longer possible: {since}",
            "{count} later moves fall away. {first} That is no longer possible: {since}",
        )
    found = [tongue.tr(text, count=facts[key], **{key: facts.get(key) for key in ("because", "first", "since")})
             for key, text in (("kept", kept), ("fallen", fallen)) if facts[key]]  # fmt: skip
    return [(tongue.tr(N_("After it")), " ".join(found))] if found else []


def says(value: object) -> bool:
    """Return whether a fact says something: it is neither missing nor an empty list nor a plain no."""
    return value is not None and value is not False and not (isinstance(value, Sized) and len(value) == 0)


def comparison(game: AnyGame, tongue: Tongue, contest: Contest) -> Comparison:
    """Return the contest as a table, with how close it was."""
    guide = guide_of(game.name)
    steps = contest.steps
    miss = contest.nearest
    near = tongue.tr(guide.near.get(contest.what, WOULD_HAVE_WON), seat=miss.seat, value=miss.value) if miss else ""
    return Comparison(
        [(called(game, tongue, step.by), step.rule) for step in steps],
        [(seat, [_cell(tongue, step, seat, step is steps[-1]) for step in steps]) for seat in steps[0].values],
        contest.winners,
        near,
    )


def _cell(tongue: Tongue, step: Step, seat: Seat, last: bool) -> Cell:
    if seat not in step.values:
        return Cell("", False, False)
    left = seat in step.left
    return Cell(tongue.phrase(step.values[seat]), left, left and last)


def held(tongue: Tongue, condition: Condition) -> Held:
    """Return a condition as a sentence, with its clause and whether it holds."""
    facts: dict[str, Any] = {"by": condition.by, **condition.said}
    return Held(tongue.tr(condition.text, **facts), condition.rule, condition.holds)
