"""What is written from the code (`make docs`): docs/rules from the docstrings, and the schema of the hall's orders from
their fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from companion import games
from companion.hall.schema import schema
from companion.record import boards
from companion.rules import AnyGame, Option
from companion.rules import contract as rules
from companion.rules.cards import COLOURS, RANKS
from companion.rules.words import Clause, clauses

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "rules"
SCHEMA = ROOT / "docs" / "hall" / "schemas" / "order.json"

MADE = "<!-- Made from {source} by `make docs`: change it there. -->"

MARKS = """\
## What the marks mean

| mark | whose the clause is |
|---|---|
| text | The rulebook says so. |
| decided | The rulebook is silent or unclear, and this is our reading. |
| text+decided | The rulebook says so, but for what stands after the colon: that is our reading. |
| variant | The rulebook offers it. It holds only if it is chosen before the game. |
| variant+decided | As before; what stands after the colon is our reading. |
| option | A house rule of ours. It holds only if it is chosen before the game. |
"""

INTRODUCTION = """\
Each clause has a number, and every ruling, every refusal and every *why* cites one. These pages are made from the
docstrings of the modules that decide, so what you read is what is played."""

DECK = """\
The colours are {colours}. In each there are the numbers {numbers} and two flags, which count as the same card (T-2):
{each} cards a colour, {all} in all. A game uses only the cards its page names. Pawns, counters, chips and boards carry
no tags."""

BOARDS = """\
Some games have a printed board that the rules do not give in full. The program ships such a board as a file. Compare it
with your own, correct it and confirm it: on the screen under *Board data*, or in a transcript's header
([transcript.md](../transcript.md#boards)). Until then a banner stands on the table, and the result is marked."""


def published() -> list[str]:
    """Return the games that have a page; a new one has none until somebody writes it with `make docs`."""
    return [name for name in games.NAMES if (FOLDER / f"{name}.md").exists()]


def pages(names: Sequence[str]) -> Mapping[str, str]:
    """Return the pages of these games and the one that lists them, by file name, as Markdown."""
    known = [games.game(name) for name in names]
    return {"README.md": _overview(known)} | {f"{game.name}.md": page(game) for game in known}


def page(game: AnyGame) -> str:
    """Return a game's page: its clauses under their sections, each with an anchor like `#p-9`, and its options."""
    lines = [
        f"# {game.title}",
        MADE.format(source=f"companion/games/{game.name}.py"),
        "{}. {}".format(*_head(game)),
        "See also the [clauses for every game](README.md#clauses-for-every-game) and "
        "[what the marks mean](README.md#what-the-marks-mean).",
        *_sections(clauses(game.clauses).values()),
        *_options(game.options),
    ]
    return "\n\n".join(lines) + "\n"


def _overview(known: Iterable[AnyGame]) -> str:
    numbers = [rank for rank in RANKS if rank]
    each = len(numbers) + 2
    lines = [
        "# The rules",
        MADE.format(source="companion/rules/contract.py and companion/games/"),
        INTRODUCTION,
        _table(("game", "players", "what it is"), map(_row, known)),
        MARKS.rstrip(),
        "## Clauses for every game",
        _listed(clauses(rules.__doc__ or "").values()),
        "## The deck",
        DECK.format(
            colours=", ".join(COLOURS), numbers=", ".join(map(str, numbers)), each=each, all=len(COLOURS) * each
        ),
        "## The boards",
        BOARDS,
        "\n".join(_boards()),
    ]
    return "\n\n".join(lines) + "\n"


def _row(game: AnyGame) -> tuple[str, ...]:
    few, many = game.seats[0], game.seats[-1]
    return f"[{game.title}]({game.name}.md)", f"{few}–{many}" if many > few else str(few), _head(game)[1]


def _head(game: AnyGame) -> tuple[str, str]:
    """Return who plays and what the game is, from the first paragraph: "Caesar (2-5 players): stacks on …"."""
    head = " ".join(game.clauses.split("\n\n", maxsplit=1)[0].split())
    players, _, summary = head.partition(" (")[2].partition("): ")
    return players, summary[:1].upper() + summary[1:]


def _sections(found: Iterable[Clause]) -> Iterator[str]:
    """Yield the clauses, with a heading wherever a section begins."""
    sections: dict[str, list[Clause]] = {}
    for clause in found:
        sections.setdefault(clause.section or "The rules", []).append(clause)
    for section, of in sections.items():
        yield f"## {section}"
        yield _listed(of)


def _listed(found: Iterable[Clause]) -> str:
    return "\n".join(f'- <a id="{c.rule.lower()}"></a>**{c.rule}** *({_mark(c)})* {c.text}' for c in found)


def _mark(clause: Clause) -> str:
    return f"{clause.mark}: {clause.note}" if clause.note else clause.mark


def _options(options: Iterable[Option]) -> Iterator[str]:
    rows = [(f"`{o.name}`", _values(o), f"[{o.rule}](#{o.rule.lower()})", _needs(o), o.text) for o in options]
    if rows:
        yield "## Options"
        yield "Chosen before the game. The first value holds if nothing is said."
        yield _table(("option", "values", "clause", "needs", "what it does"), rows)


def _values(option: Option) -> str:
    return ", ".join(f"`{value if isinstance(value, str) else json.dumps(value)}`" for value in option.values)


def _needs(option: Option) -> str:
    return f"`{option.needs[0]}`: `{option.needs[1]}`" if option.needs else ""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines).replace("|  |", "| |")


def _boards() -> Iterator[str]:
    """Yield where the shipped boards are, and which of them nobody has compared with a printed one."""
    for game in map(games.game, games.NAMES):
        if game.board:
            state = "" if boards.shipped(game.name).get("confirmed") else ", not confirmed"
            path = f"companion/games/{game.name}/board.yaml"
            yield f"- {game.title}: [{path}](../../{path}){state}"


def schema_text() -> str:
    """Return the schema of all orders to the hall, as its file has it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages(games.NAMES).items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    SCHEMA.write_text(schema_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
