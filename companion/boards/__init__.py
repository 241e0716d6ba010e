"""Board data shipped with the program: what a printed board says and the rules do not."""

from functools import cache
from importlib.resources import files
from typing import Any


@cache
def shipped(game: str) -> dict[str, Any]:
    """The shipped board of a game that has one, as transcripts write it."""
    import yaml  # a transcript that brings its board does not need it

    board: dict[str, Any] = yaml.safe_load((files(__package__) / f"{game}.yaml").read_text(encoding="utf-8"))
    return board
