"""`tabularium why`, `now` and `rules`: the referee's answers to questions."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

from companion import games
from companion.cli.common import fail
from companion.rules import N_, AnyGame

if TYPE_CHECKING:
    from companion.answers.why import Comparison, Reason
    from companion.cli.replay import ReplayStep
    from companion.rules.words import Clause, Tongue
    from companion.session.receipt import Receipt

Answer = Callable[[argparse.Namespace, "ReplayStep", Sequence["Receipt"]], int]
"""The answer to a question about one step of a transcript, printed; it returns the exit status."""


def _at_a_line(answer: Answer) -> Callable[[argparse.Namespace], int]:
    """Pass a command the step of its transcript at the line asked for, and the game's acts up to there."""

    @wraps(answer)
    def run(args: argparse.Namespace) -> int:
        from companion.cli.replay import TranscriptError

        try:
            return answer(args, *up_to(args.file, args.at))
        except TranscriptError as error:
            return fail(*error.lines)

    return run


@_at_a_line
def run_why(args: argparse.Namespace, step: ReplayStep, log: Sequence[Receipt]) -> int:
    from companion.answers.why import why

    said = [receipt for receipt in step.receipts if receipt.public]
    if args.at is not None and not said:
        return fail(f"{args.file}:{args.at}: there is no ruling for this line")
    tongue = _tongue(step, args.lang)
    found = why(step.header.game, tongue, log)
    if found is None:
        return fail(f"{args.file}: there is no ruling yet")
    for line in (*_link_lines(found.lead, tongue), "", *_chain_lines(found.links, found.lead, tongue)):
        print(line.rstrip())
    return 0


@_at_a_line
def run_now(args: argparse.Namespace, step: ReplayStep, _: Sequence[Receipt]) -> int:
    from companion.answers.guide import known, now, ways

    tongue = _tongue(step, args.lang)
    answer = now(step.header.game, known(step.header, step.session))
    if not answer.can and step.session.view()["over"]:
        print(tongue.tr(N_("The game is over.")))
    for can in answer.can:
        print(f"{tongue.tr(can.says.text, **can.says.facts)} ({can.says.rule})")
        print(f"    {'; '.join(ways(can, tongue))}")
    for saying in answer.cannot:
        print(f"✗ {tongue.tr(saying.text, **saying.facts)} ({saying.rule})")
    return 0


def run_rules(args: argparse.Namespace) -> int:
    from companion.rules.words import Tongue, clauses, shared_clauses, title

    game, tongue = games.game(args.game), Tongue(args.lang)
    print(title(game, args.lang))
    print(_at_a_glance(game, tongue))
    if args.teach:
        for line in _lessons(args.game, tongue):
            print(line)
        return 0
    for line in _page(list(clauses(game.clauses).values()), tongue):
        print(line)
    heading = N_("In every game")
    print(f"\n{tongue.tr(heading)}\n")
    for line in _page(list(shared_clauses().values()), tongue):
        print(line)
    return 0


def _at_a_glance(game: AnyGame, tongue: Tongue) -> str:
    """Return how many can play a game, and how long it takes."""
    from companion.games import guide_of

    few, many, minutes = game.seats[0], game.seats[-1], guide_of(game.name).minutes
    text = N_("{few} to {many} players") if few < many else N_("{few} players")
    said, takes = tongue.tr(text, few=few, many=many), N_("{minutes} minutes")
    return f"{said}, {tongue.tr(takes, minutes=minutes)}" if minutes else said


@_at_a_line
def run_position(_args: argparse.Namespace, step: ReplayStep, _: Sequence[Receipt]) -> int:
    from companion.games import position_of
    from companion.record.transcript import dump_header
    from companion.rules.mistakes import Mistakes

    try:
        written = position_of(step.header.game.name).written(step.session.state)
    except Mistakes as mistakes:
        return fail(*(mistake.what for mistake in mistakes.found))
    print(dump_header(replace(step.header, position=written)))
    return 0


@_at_a_line
def run_layout(args: argparse.Namespace, step: ReplayStep, _: Sequence[Receipt]) -> int:
    from companion.games import position_of

    tongue = _tongue(step, args.lang)
    for place, pieces in position_of(step.header.game.name).relaid(step.session.view(), step.header.options).items():
        what = tongue.listed([tongue.piece(piece, count) for piece, count in pieces.items()])
        print(tongue.tr(N_("{place}: {pieces}"), place=tongue.place(place), pieces=what))
    return 0


def up_to(file: Path, line: int | None) -> tuple[ReplayStep, Sequence[Receipt]]:
    """Return the last step of a transcript, or that of the line, and the game's acts up to there.

    For a comment or an empty line it is the step before. Raises TranscriptError, also where there is no such line.
    """
    from companion.cli.replay import TranscriptError, replay

    last: ReplayStep | None = None
    log: list[Receipt] = []
    for step in replay(file, until=line):
        log = [*([] if step.opening else log), *step.receipts]
        last = step
    if last is None:
        raise TranscriptError([f"{file}:{line}: the game only begins further down"])
    if line is not None and last.line != line:
        last = replace(last, receipts=())
    return last, log


def _tongue(step: ReplayStep, lang: str) -> Tongue:
    from companion.rules.words import Tongue

    return Tongue(lang, step.header.players)


# -- why --------------------------------------------------------------------------------------------------------


def _chain_lines(links: Sequence[Reason], lead: Reason, tongue: Tongue) -> Iterator[str]:
    """Yield all consequences, in order; the reason stands above already."""
    if len(links) > 1 or links[0].ruling is not lead.ruling:
        yield tongue.tr(N_("Step by step:"))
    for at, link in enumerate(links, start=1):
        if len(links) == 1 and link.ruling is lead.ruling:
            return
        if link.ruling is lead.ruling:
            yield f"{at}. {link.text} ({link.rule})"
        else:
            first, *rest = _link_lines(link, tongue)
            yield f"{at}. {first}"
            yield from (f"   {line}" for line in rest)


def _link_lines(link: Reason, tongue: Tongue) -> Iterator[str]:
    """Yield a ruling, its clause with its mark, its facts, the contest as a table, and the conditions."""
    yield link.text
    if link.clause:
        yield f"    {link.rule} ({link.mark}) {link.clause}" if link.mark else f"    {link.rule} {link.clause}"
    for name, value in link.facts:
        yield f"    {name}: {value}"
    for caption, seats in link.rows:
        yield f"    {caption}: {' '.join(tongue.phrase(seat) for seat in seats)}"
    if link.contest:
        yield from (f"    {line}" for line in _table(link.contest, tongue))
    for condition in link.conditions:
        yield f"    {'✓' if condition.holds else '✗'} {condition.text} ({condition.rule})"


def _table(contest: Comparison, tongue: Tongue) -> Iterator[str]:
    """Yield the contest as a table: a column for each step, a line for each seat; ◄ marks the deciding cell."""
    from rich.cells import cell_len

    rows = [["", *(f"{by} ({rule})" for by, rule in contest.columns)]]
    for seat, cells in contest.lines:
        rows.append([tongue.phrase(seat), *(f"{cell.text}{' ◄' if cell.decides else ''}" for cell in cells)])
    widths = [max(cell_len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True)).rstrip()
    if contest.nearest:
        yield contest.nearest


# -- rules ------------------------------------------------------------------------------------------------------


def _page(found: Sequence[Clause], tongue: Tongue) -> Iterator[str]:
    """Yield the numbered page: headings, and each clause with its mark."""
    from companion.answers.why import mark

    section = None
    for clause in found:
        if clause.section != section:
            section = clause.section
            if section:
                yield f"\n{tongue.tr(section)}\n"
        yield f"{clause.rule:5} {tongue.tr(clause.text)} ({mark(clause, tongue)})"


def _lessons(name: str, tongue: Tongue) -> Iterator[str]:
    """Yield the short introduction: the aim, what to lay out, and the lessons in the order of the rules."""
    from companion.answers.guide import known
    from companion.games import guide_of
    from companion.record.transcript import read_header
    from companion.session import Session

    guide, game = guide_of(name), games.game(name)
    if not guide.aim:
        yield tongue.tr(N_("This game has no guided first game yet: read its rules."))
        return
    yield f"\n{tongue.tr(guide.aim)}"
    seats = game.fixed or tuple(game.colours)[: game.seats[0]]
    heading = N_("What to lay out (for {count} players)")
    yield f"\n{tongue.tr(heading, count=len(seats))}\n"
    yield from (f"- {tongue.tr(line.text, **line.facts)}" for line in guide.layout(seats, game.defaults))
    course = N_("As you play")
    yield f"\n{tongue.tr(course)}\n"
    header = read_header({"tabularium": 1, "game": name, "seats": list(seats)})
    opening = known(header, Session(game, header.setup))
    for lesson in (lesson for lesson in guide.lessons if lesson.fits(game.defaults)):
        yield f"- {tongue.tr(lesson.text, **lesson.said(opening))} ({lesson.rule})"
