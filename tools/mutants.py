"""`make mutants`: changes one thing at a time in a copy of the program and sees whether a test notices.

`python -m tools.mutants [FILE or FOLDER …] [--sample N] [--seed N] [--jobs N] [--tests FILE …]`. What is not noticed is
printed with its line: it is a gap in the tests, or a change that makes no difference. Modules that nearly every test
imports take hours; `--tests` names those that are to notice.
"""

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import monotonic

from tests.support.paths import ROOT

USUAL = (
    "companion/games",
    "companion/session/session.py",
    "companion/record/transcript.py",
    "companion/store",
    "companion/play/series.py",
)
LEFT_OUT = (".git", ".venv", "mutants", "screenshots", "__pycache__", ".*_cache", ".hypothesis")
SLOW = ("tests/ui/", "tests/drivers/hub/")
"""Tests with windows and boxes check what the rules say, which quicker ones do too."""

FLIPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip
NEGATED = (ast.Compare, ast.UnaryOp)
"""Conditions that are negated already."""
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file with one thing changed; `was` and `now` say what, on which line."""

    file: str
    line: int
    was: str
    now: str
    text: bytes

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {short(self.was)}  →  {short(self.now)}"


def short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 70 else flat[:69] + "…"


# -- what is changed --------------------------------------------------------------------------------------------


def mutants(file: str, source: bytes) -> Iterator[Mutant]:
    """Yield every changed version of a file."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in code(ast.parse(source)):
        for part, now in changes(node):
            begin = starts[part.lineno - 1] + part.col_offset
            assert part.end_lineno and part.end_col_offset is not None
            end = starts[part.end_lineno - 1] + part.end_col_offset
            yield Mutant(file, part.lineno, ast.unparse(part), now, source[:begin] + now.encode() + source[end:])


def code(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield every statement and expression that does something: no annotations, decorators, docstrings, texts."""
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from code(child)


def changes(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield parts of the node, each with what may stand in its place."""
    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                other = deepcopy(node)
                other.ops[at] = FLIPS[type(op)]()  # type: ignore[call-overload]
                yield node, f"({ast.unparse(other)})"
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in FLIPS:
            flipped = deepcopy(node)
            flipped.op = FLIPS[type(op)]()  # type: ignore[assignment]
            yield node, f"({ast.unparse(flipped)})"
        case ast.Constant(value=bool(value)):
            yield node, str(not value)
        case ast.Constant(value=int(value)):
            yield node, str(value + 1)
        case ast.Name(id=name) if name in NAMES:
            yield node, NAMES[name]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"({ast.unparse(operand)})"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if not isinstance(test, NEGATED):
            yield test, f"(not {ast.unparse(test)})"
        case ast.Expr(value=ast.Call() | ast.YieldFrom() | ast.Yield()) | ast.Raise() | ast.Continue() | ast.Break():
            yield node, "pass"
        case ast.AugAssign() | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield node, "pass"


# -- which tests look at it -------------------------------------------------------------------------------------


def tests_of(file: str) -> list[str]:
    """Return the module's own tests, and those that import it or its folder, directly or through shared helpers."""
    module, stem = file.removesuffix(".py").replace("/", "."), Path(file).stem
    wanted = {module, module.rpartition(".")[0]} - {"companion", "drivers", "ui"}
    slow = () if file.startswith(("ui/", "drivers/")) else SLOW
    found = [path.relative_to(ROOT) for path in sorted((ROOT / "tests").rglob("test_*.py"))]
    return [
        str(path)
        for path in found
        if not str(path).startswith(slow)
        and (path.stem.startswith(f"test_{stem}") or wanted & imports(ROOT / path, frozenset()))
    ]


def imports(path: Path, seen: frozenset[Path]) -> set[str]:
    """Return what a test imports, with what the helpers it imports do."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    helpers = {ROOT / f"{name.replace('.', '/')}.py" for name in found if name.startswith("tests.")}
    for helper in helpers - seen - {path}:
        if helper.exists():
            found |= imports(helper, seen | {path, *helpers})
    return found


# -- the run ----------------------------------------------------------------------------------------------------


def noticed(folder: Path, tests: Sequence[str], limit: float | None = None) -> bool:
    """Return whether a test of the copy fails, or takes so long that it hangs."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    env = os.environ | ({"PYTHONDONTWRITEBYTECODE": "1"} if limit else {})  # its cache may take two mutants for one
    process = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return process.wait(limit) != 0
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True


def quickest_first(folder: Path, tests: Sequence[str]) -> dict[str, float]:
    """Return the tests by how long they take, in seconds. Raises SystemExit if one fails without a change."""
    took = {}
    for test in tests:
        progress(f"first without a change: {test}")
        began = monotonic()
        if noticed(folder, [test]):
            raise SystemExit(f"\n{test} fails before anything is changed")
        took[test] = monotonic() - began
    return dict(sorted(took.items(), key=lambda item: item[1]))


def run(found: Sequence[Mutant], jobs: int, home: Path, named: Sequence[str]) -> list[bool | None]:
    """Try each mutant; return whether it was noticed, None where no test imports the file."""
    copies: SimpleQueue[Path] = SimpleQueue()
    for job in range(jobs):
        shutil.copytree(ROOT, home / str(job), ignore=shutil.ignore_patterns(*LEFT_OUT))
        for words in (["init"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x", "commit", "-m", "a copy"]):
            subprocess.run(["git", *words], cwd=home / str(job), check=True, capture_output=True)  # tests ask it
        copies.put(home / str(job))
    first = home / "0"
    tests_of_file = {file: list(named) or tests_of(file) for file in {m.file for m in found}}
    every = dict.fromkeys(test for those in tests_of_file.values() for test in those)
    took = quickest_first(first, list(every))
    tests = {file: [test for test in took if test in those] for file, those in tests_of_file.items()}
    began, done, missed = monotonic(), 0, 0

    def one(mutant: Mutant) -> bool | None:
        nonlocal done, missed
        if not tests[mutant.file]:
            return None
        folder = copies.get()
        path = folder / mutant.file
        for cached in path.parent.glob(f"__pycache__/{path.stem}.*"):
            cached.unlink()
        path.write_bytes(mutant.text)
        seen = noticed(folder, tests[mutant.file], 60 + 3 * sum(took[test] for test in tests[mutant.file]))
        shutil.copy(ROOT / mutant.file, path)
        copies.put(folder)
        done, missed = done + 1, missed + (not seen)
        if not seen:
            progress("")
            print(mutant, flush=True)
        progress(f"{done} of {len(found)}, {missed} not noticed, {(monotonic() - began) / done:.1f} s each")
        return seen

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, found))


def progress(text: str) -> None:
    """Print one line that is overwritten."""
    print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("places", nargs="*", default=USUAL, help=f"files or folders, usually {' '.join(USUAL)}")
    parser.add_argument("--sample", type=int, default=100, help="how many changes to try, 0 for all (usually 100)")
    parser.add_argument("--seed", type=int, default=0, help="another number draws another sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    parser.add_argument("--tests", nargs="*", default=(), help="test files, usually all that import what is changed")
    args = parser.parse_args()
    paths = [path for place in args.places for path in sorted((ROOT / place).rglob("*.py")) or [ROOT / place]]
    found = [m for path in paths for m in mutants(str(path.relative_to(ROOT)), path.read_bytes())]
    if 0 < args.sample < len(found):
        found = [found[at] for at in sorted(Random(args.seed).sample(range(len(found)), args.sample))]
    with tempfile.TemporaryDirectory() as home:
        seen = run(found, args.jobs, Path(home), args.tests)
    progress("")
    for file in dict.fromkeys(m.file for m in found):
        those = [was for m, was in zip(found, seen, strict=True) if m.file == file]
        tried = [was for was in those if was is not None]
        share = (
            f"{sum(tried)} of {len(tried)} noticed ({sum(tried) / len(tried):.0%})" if tried else "no test imports it"
        )
        print(f"{file}: {share}")


if __name__ == "__main__":
    main()
