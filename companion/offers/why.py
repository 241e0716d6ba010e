"""Why, as deep as the page: each step of the last act with what was compared, how close it was, its clause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.answers.why import Reason, why
from companion.offers.acts import Acts
from companion.rules import N_, Said
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Entry
from companion.rules.words import Tongue
from companion.session.receipt import Receipt

COMPARED = N_("Compared: {what}.")
ROW = N_("{name}: {values}.")
FACT = N_("{name}: {values}.")
HOLDS, FAILS = N_("That holds: {said}"), N_("That does not hold: {said}")
CLAUSE = N_("The rule says: {said}")
NO_REASON = N_("Nothing has been ruled yet.")
LINE = "{said}"


def reasons(acts: Acts, tongue: Tongue, log: Sequence[Receipt]) -> Choice | Sequence[Saying]:
    """Return the reason first, then each step that the act set off; each opens into all it rests on."""
    found = why(acts.game, tongue, log)
    if found is None:
        return [Saying("", NO_REASON)]
    links = [found.lead, *(link for link in found.links if link.ruling is not found.lead.ruling)]
    return Choice(None, [Entry(LINE, {"said": Said(link.text), "line": at}, Choice(None, list(_all(link))))
                         for at, link in enumerate(links)])  # fmt: skip


def _all(link: Reason) -> Iterator[Entry]:
    """Yield the rows of a step; taking a row says it again."""
    for at, saying in enumerate(_sayings(link)):
        yield Entry(saying.text, {**saying.facts, "line": at}, (saying,))


def _sayings(link: Reason) -> Iterator[Saying]:
    if link.contest:
        yield Saying("", COMPARED, {"what": Said(", ".join(text for text, _ in link.contest.columns))})
        for seat, cells in link.contest.lines:
            values = ", ".join(cell.text for cell in cells if cell.text)
            yield Saying("", ROW, {"name": seat, "values": Said(values)})
        if link.contest.nearest:
            yield Saying("", LINE, {"said": Said(link.contest.nearest)})
    for held in link.conditions:
        yield Saying(held.rule, HOLDS if held.holds else FAILS, {"said": Said(held.text)})
    for name, value in link.facts:
        yield Saying("", FACT, {"name": Said(name), "values": Said(value)})
    yield Saying(link.rule, CLAUSE, {"said": Said(link.clause)} if link.clause else {"said": Said(link.text)})
