"""The documents: as fresh as the code they were made from or speak of, and every pointer points somewhere.

`python -m tests.project.test_docs` writes what the examples of docs/transcript.md and docs/positions.md print anew; read the
difference.
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.cli.replay import replay, step_data
from companion.games import position_of
from companion.games.hannibal import rules as hannibal
from companion.games.prokonsul import rules as prokonsul
from companion.record.transcript import BY, HEADER_KEYS, KINDS, PRESS, READING
from companion.rules import TABLE_EVENTS, Ruling
from companion.rules import contract as rules
from companion.rules.outline import shape_of, verb
from companion.rules.words import clauses
from tests.support.paths import ROOT
from tests.support.states import travel
from tests.support.tables import variants
from tests.support.tracked import tracked
from tools.pages import FOLDER, SCHEMA, pages, published, schema_text

TRANSCRIPT = ROOT / "docs" / "transcript.md"
TEXT = TRANSCRIPT.read_text(encoding="utf-8")
POSITIONS = ROOT / "docs" / "positions.md"
OWN = ROOT / "docs" / "table.md"
EXAMPLES = (TRANSCRIPT, POSITIONS, OWN)
"""The pages whose examples are run."""


# -- the rules --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", pages(published()))
def test_the_pages_of_the_rules_are_fresh(name: str) -> None:
    written = (FOLDER / name).read_text(encoding="utf-8")
    assert written == pages(published())[name], (
        "stale: `.venv/bin/python -m tools.pages` (part of `make docs`) writes it anew"
    )


def test_the_schema_of_orders_is_fresh() -> None:
    fresh = SCHEMA.read_text(encoding="utf-8") == schema_text()
    assert fresh, "stale: `make docs` writes it anew"


def test_no_page_is_left_of_a_game_that_has_gone() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(pages(published()))


# -- the examples -----------------------------------------------------------------------------------------------


def blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """The page's examples: a transcript, a command line, and what the page says it prints; "" where it has none."""
    transcript, shown = "", True
    for found in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if found[1] == "console":
            command, _, output = found[2].partition("\n")
            yield transcript, command.removeprefix("$ tabularium "), output
            shown = True
            continue
        assert found[1] == "jsonl", f"an example of a kind that nothing runs: {found[1]}"
        if not shown:
            yield transcript, "replay game.jsonl --strict", ""
        transcript, shown = found[2], False
    if not shown:
        yield transcript, "replay game.jsonl --strict", ""


def run(transcript: str, command: str, folder: Path) -> tuple[int, str]:
    """Exit status and what the command prints, errors too."""
    (folder / "game.jsonl").write_text(transcript, encoding="utf-8")
    if not (folder / "tests").exists():
        (folder / "tests").symlink_to(ROOT / "tests")
    words = shlex.split(command.partition(";")[0])
    script = "import sys; from companion.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", script, *words], cwd=folder, env={"PYTHONPATH": str(ROOT), "PATH": ""},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    status = f"{done.returncode}\n" if command.endswith("; echo $?") else ""
    return done.returncode, done.stdout + status


def printed(command: str, output: str, actual: str) -> str:
    """What the page should show: of JSON only the lines and keys that it does show."""
    if "--json" not in command:
        return actual
    of = {key_of(line): line for line in map(json.loads, actual.splitlines())}
    lines = [json.loads(line) for line in output.splitlines()]
    return "".join(json.dumps(like(line, of[key_of(line)]), ensure_ascii=False) + "\n" for line in lines)


def key_of(line: dict[str, Any]) -> Any:
    return line.get("line", "series")


def like(example: Any, actual: Any) -> Any:
    """The actual value with only the keys of the example, all the way down."""
    if isinstance(example, dict) and isinstance(actual, dict) and example:
        return {key: like(example[key], actual[key]) for key in example}
    if isinstance(example, list) and isinstance(actual, list) and len(example) == len(actual):
        return [like(one, other) for one, other in zip(example, actual, strict=True)]
    return actual


@pytest.mark.parametrize(
    ("transcript", "command", "output"),
    [block for page in EXAMPLES for block in blocks(page.read_text(encoding="utf-8"))],
)
def test_an_example_prints_what_the_page_says(transcript: str, command: str, output: str, tmp_path: Path) -> None:
    status, actual = run(transcript, command, tmp_path)
    if not output:
        assert status == 0, actual
    else:
        assert output == printed(command, output, actual), "stale: `.venv/bin/python -m tests.project.test_docs`"


# -- the tables of the transcript -------------------------------------------------------------------------------


def table(after: str, text: str = TEXT) -> list[list[str]]:
    """The rows of the first table after these words, without its head."""
    lines = text[text.index(after) :].splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("|---"))
    rows: list[list[str]] = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def keys(after: str, text: str = TEXT) -> list[str]:
    return [row[0].strip("`") for row in table(after, text)]


def test_the_header_has_the_keys_of_the_page() -> None:
    assert keys("## The header") == list(HEADER_KEYS)


def test_boards_have_the_keys_of_the_page() -> None:
    rows = [(row[0], row[1].strip("`")) for row in table("### Boards")]
    for name, known in (("prokonsul", prokonsul.BOARD_KEYS), ("hannibal", hannibal.BOARD_KEYS)):
        assert [key for game, key in rows if game in (name, "both")] == list(known)


def test_values_are_of_the_kinds_of_the_page() -> None:
    assert set(keys("| a value |")) == set(KINDS) - {"reader", "whole", "number"}
    assert all(f"`{by}`" in TEXT for by in BY)


def written_shape(cell: str) -> list[tuple[str, str, bool]]:
    """`seat: seat, [promise: text]` as `shape_of` gives it."""
    fields = [field.strip() for field in cell.split(",") if field.strip()]
    parts = [(field.strip("[]").partition(": "), not field.startswith("[")) for field in fields]
    return [(key, kind, needed) for (key, _, kind), needed in parts]


@pytest.mark.parametrize("name", published())
def test_events_are_as_the_page_says(name: str) -> None:
    game = games.game(name)
    found = {row[0].strip("`"): written_shape(row[1]) for row in table(f"\n**{game.title}**\n")}
    assert found == {verb(event): list(shape_of(event)) for event in game.events}


def test_the_tables_own_events_are_as_their_page_says() -> None:
    page = OWN.read_text(encoding="utf-8")
    found = {row[0].strip("`"): written_shape(row[1]) for row in table("keeps its number.", page)}
    assert found == {verb(event): list(shape_of(event)) for event in TABLE_EVENTS}


def test_hardware_lines_are_as_the_page_says() -> None:
    reader, button = (written_shape(row[1]) for row in table("## Hardware lines"))
    assert ["reader", *(key for key, _, _ in reader[1:])] == list(READING)
    assert [kind for _, kind, _ in reader[1:]] == list(READING.values())[1:]
    assert {key: kind for key, kind, _ in button} == PRESS


def test_the_output_has_the_keys_of_the_page() -> None:
    steps = [
        step_data(step, "en", "red", True, layout=True)
        for step in replay(ROOT / "tests/goldens/prokonsul-hardware.jsonl")
    ]
    assert {key for step in steps for key in step} | {"followed"} == set(keys("Exit status: 0"))
    assert {key for step in steps for ruling in step["rulings"] for key in ruling} <= set(keys("A ruling has"))
    assert set(Ruling.__dataclass_fields__) == set(keys("A ruling has"))


@cache
def seen(name: str) -> tuple[dict[str, Any], ...]:
    """Views with red's or blue's secrets, from the opening to the end, with every combination of options."""
    found: list[dict[str, Any]] = []
    game = games.game(name)
    for options in variants(game):
        header, _, states = travel(name, game.seats[0], options)
        found += (game.view(state, header.seats[0]) for state in states)
    return tuple(found)


@pytest.mark.parametrize("name", published())
def test_views_have_the_keys_and_phases_of_the_page(name: str) -> None:
    title = f"\n**{games.game(name).title}:**"
    rows = {row[0].strip("`"): row[1] for row in table(title)}
    private = re.findall(r"`(\w+)`", rows.pop("private"))
    phases = TEXT[TEXT.index(title) + len(title) :].splitlines()[0].strip().split(", ")
    for view in seen(name):
        assert list(view) == [*keys("Every view has"), *rows, "private"]
        assert list(view["private"]) == private
    assert {view["phase"] for view in seen(name)} == set(phases)
    assert set(seen(name)[-1]["result"]) == set(keys("A result has"))


def test_a_series_has_the_keys_of_the_page() -> None:
    from companion.play.series import series

    assert keys("## Series\n") == list(series("caesar", []))


WRITTEN = [name for name in published() if (ROOT / f"companion/games/{name}/position.py").exists()]
"""The games whose positions can be written."""


@pytest.mark.parametrize("name", WRITTEN)
def test_positions_have_the_keys_of_the_page(name: str) -> None:
    header, _, states = travel(name, games.game(name).seats[0], {})
    text = POSITIONS.read_text(encoding="utf-8")
    section = text[text.index(f"\n## {header.game.title}\n") :].split("\n## ", maxsplit=2)[1]
    assert keys(header.game.title, section) == list(position_of(header.game.name).written(states[0]))
    assert any(f'"game": "{name}"' in transcript for transcript, _, _ in blocks(section))


# -- pointers ---------------------------------------------------------------------------------------------------

PAGES = tracked("*.md")
SOURCES = tracked("*.md", "*.py", "*.yaml", "*.toml", "Makefile", ":!pi/")


def anchors(page: Path) -> set[str]:
    """What a link to the page may name after #, as GitHub makes it of headings; and what `<a id>` says."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r'<a id="([^"]+)">', text)
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found.append(slug if slug not in found else f"{slug}-{found.count(slug)}")
    return set(found)


def links(page: Path) -> Iterator[str]:
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            yield target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for link in links(page):
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def cited(pattern: str) -> Iterator[tuple[str, str]]:
    """What is cited, and where."""
    for path in SOURCES:
        for found in re.findall(pattern, path.read_text(encoding="utf-8")):
            yield found, str(path.relative_to(ROOT))


def test_every_law_that_is_cited_exists() -> None:
    laws = set(re.findall(r"^### Law (\d+)", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE))
    wrong = [(law, where) for law, where in cited(r"\b[Ll]aw (\d+)\b") if law not in laws]
    assert laws and not wrong


def test_every_clause_that_is_cited_exists() -> None:
    known = {rule for page in (rules.__doc__ or "", *(games.game(name).clauses for name in games.NAMES))
             for rule in clauses(page)}  # fmt: skip
    letters = "".join({rule[0] for rule in known})
    wrong = [(rule, where) for rule, where in cited(rf"(?<![\w-])([{letters}]-\d+)(?![\w-])") if rule not in known]
    assert not wrong


def test_every_document_that_is_cited_exists() -> None:
    names = {
        "THIRD_PARTIES.md",
        "NOTES.md",
        *(str(path.relative_to(ROOT)) for path in PAGES),
    }  # two that a release brings
    wrong = [(name, where) for name, where in cited(r"(?<![\w*/.])([\w./-]*\w+\.md)\b")
             if not any(of == name.lstrip("./") or of.endswith("/" + name.lstrip("./")) for of in names)]  # fmt: skip
    assert not wrong


def main() -> None:
    """Writes the examples' outputs into the page."""
    for page in EXAMPLES:
        text = page.read_text(encoding="utf-8")
        for transcript, command, output in blocks(text):
            with tempfile.TemporaryDirectory() as folder:
                _, actual = run(transcript, command, Path(folder))
            if f"$ tabularium {command}\n" in text:
                place = text.index(f"$ tabularium {command}\n{output}```", text.index(transcript))
                start = place + len(f"$ tabularium {command}\n")
                text = text[:start] + printed(command, output, actual) + text[start + len(output) :]
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
