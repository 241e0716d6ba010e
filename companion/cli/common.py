"""Shared parts of the commands: the settings, the store's file, and how a mistake is reported."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from companion.system.limits import MANY
from companion.system.terminal import line

if TYPE_CHECKING:
    from companion.hardware.settings import Settings

STORE = "tabularium.sqlite3"
"""The store's file in the data directory."""
LONGEST = 500
"""The most characters in the line for a mistake."""


def fail(*lines: str) -> int:
    """Print the mistakes on standard error; return exit status 2."""
    for text in map(line, lines[:MANY]):
        print(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…", file=sys.stderr)
    if len(lines) > MANY:
        print("… and more", file=sys.stderr)
    return 2


def settings_of(args: argparse.Namespace) -> Settings:
    """Return config.yaml's settings, or a laptop's without that file; --virtual makes the hardware virtual.

    Raises ConfigError.
    """
    from dataclasses import replace

    from companion.hardware import settings as config
    from drivers.kinds import KINDS

    path = config.find(args.config)
    settings = config.load(path, KINDS) if path else config.Settings()
    return replace(settings, hardware="virtual") if args.virtual else settings
