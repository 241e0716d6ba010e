"""Every module of the program, and what it imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.support.paths import ROOT

OURS = ("companion", "drivers", "ui")


def modules(package: str) -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / package).rglob("*.py")):
        yield ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), path


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


@cache
def trees() -> Mapping[str, ast.AST]:
    """Return every module of ours, parsed; they are read once, and not before a test wants them."""
    return {name: ast.parse(path.read_text(encoding="utf-8")) for package in OURS for name, path in modules(package)}
