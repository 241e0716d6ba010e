"""Board data shipped with the program: what a printed board says and the rules do not."""

from functools import cache
from typing import Any

from companion.games import board_file
from companion.rules import AnyGame
from companion.rules.mistakes import Mistakes


class BoardFileError(ValueError):
    """All that is wrong with a board file, each as "FILE:LINE: …"."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


@cache
def shipped(game: str) -> dict[str, Any]:
    """Return the shipped board of a game that has one, as transcripts write it. Raises BoardFileError."""
    from companion.rules.mistakes import ConfigError
    from companion.system.yaml_lines import read_yaml  # a transcript that brings its board needs no YAML

    try:
        board: dict[str, Any] = read_yaml(board_file(game))[0]
    except ConfigError as error:
        raise BoardFileError(list(error.lines)) from None
    return board


def check(game: AnyGame) -> None:
    """Read the game's shipped board, if it has one.

    Raises BoardFileError with all that is wrong with the file.
    """
    from companion.system.yaml_lines import lines, read_yaml

    if game.board is None:
        return
    path = board_file(game.name)
    try:
        game.board(shipped(game.name))
    except Mistakes as found:
        raise BoardFileError(lines(path, found, read_yaml(path)[1])) from None
