"""What the commands share: the settings, the store's place, and how a mistake is reported."""

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
"""Characters of a line that says what is wrong."""


def fail(*lines: str) -> int:
    """Prints what is wrong; exit status 2."""
    for text in map(line, lines[:MANY]):
        print(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…", file=sys.stderr)
    if len(lines) > MANY:
        print("… and more", file=sys.stderr)
    return 2


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of config.yaml, or of a laptop if there is none or if asked for. Raises ConfigError."""
    from dataclasses import replace

    from companion.hardware import settings as config
    from drivers.kinds import KINDS

    path = config.find(args.config)
    settings = config.load(path, KINDS) if path else config.Settings()
    return replace(settings, hardware="virtual") if args.virtual else settings
