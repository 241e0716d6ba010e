"""Helpers for the command line: a command's help, its example, and the module that is loaded only when it runs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any


class LateParser(argparse.ArgumentParser):
    """A parser whose arguments `fill` adds on first use."""

    fill: Callable[[argparse.ArgumentParser], None] | None = None

    def filled(self) -> LateParser:
        """Return the parser with the arguments of `fill` added."""
        fill, self.fill = self.fill, None
        if fill:
            fill(self)
        return self

    def parse_known_args(self, *args: Any, **named: Any) -> Any:
        self.filled()
        return super().parse_known_args(*args, **named)


def command(commands: Any, name: str, what: str, example: str) -> LateParser:
    """Add a command below others, and return its parser."""
    command: LateParser = commands.add_parser(
        name, help=what, description=f"{what[0].upper()}{what[1:]}.", epilog=f"Example: tabularium {example}"
    )
    return command


def late(module: str, name: str) -> Callable[..., int]:
    """Return a command whose module is imported when it is run."""

    def run(*args: Any) -> int:
        status: int = getattr(import_module(f"companion.cli.{module}"), name)(*args)
        return status

    return run
