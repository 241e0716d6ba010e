"""The rules: what the game is about, what to lay out, what matters now, and each clause."""

from __future__ import annotations

from collections.abc import Sequence

from companion.dialogues.lobby import taught
from companion.games import guide_of
from companion.offers.acts import Acts
from companion.rules import N_, Ruling
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Entry
from companion.rules.words import clauses

AIM = N_("What the game is about.")
LAYOUT = N_("What to lay out.")
NOW = N_("What matters now.")
CLAUSES = N_("The rules, one by one.")
NOTHING_NOW = N_("Nothing new to explain at the moment.")
LINE = "{said}"


def rules(acts: Acts) -> Choice:
    """Return everything the rules' page says, without a screen."""
    guide, at = guide_of(acts.game.name), acts.at
    entries = [Entry(NOW, {}, lambda: hints(acts))]
    if guide.aim:
        entries.append(Entry(AIM, {}, (Saying("", guide.aim),)))
    if layout := guide.layout(at.seats, at.options):
        entries.append(Entry(LAYOUT, {}, Choice(None, [_line(at_, saying) for at_, saying in enumerate(layout)])))
    found = [Saying(clause.rule, clause.text) for clause in clauses(acts.game.clauses).values()]
    one_by_one = Entry(CLAUSES, {}, Choice(None, [_line(n, of) for n, of in enumerate(found)]))
    return Choice(None, [*entries, one_by_one, *([] if acts.read else [taught()])])


def hints(acts: Acts) -> Sequence[Saying]:
    """Return what a newcomer is told at such a moment ("Show us how"), for this seat or for everybody."""
    lessons = guide_of(acts.game.name).lessons
    due = [
        lesson for lesson in lessons if lesson.matters(acts.at) and acts.seat in (lesson.to(acts.at) or (acts.seat,))
    ]
    said = [Saying(lesson.rule, lesson.text, lesson.said(acts.at)) for lesson in due]
    return said or [Saying("", NOTHING_NOW)]


def _line(at: int, saying: Saying) -> Entry:
    """Return a sentence as an entry; taking it says it again."""
    said = Ruling("", saying.rule, saying.text, saying.facts)
    return Entry(LINE, {"said": said, "line": at}, (saying,))
