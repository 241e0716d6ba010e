"""What the commands share: the settings, the store's place, and how a mistake is reported."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.settings import Settings

STORE = "tabularium.sqlite3"
"""The store's file in the data directory."""
MANY = 100
"""More mistakes than anybody reads: the file is probably something else."""


def fail(*lines: str) -> int:
    """Prints what is wrong; exit status 2."""
    more = (f"… and {len(lines) - MANY} more",) if len(lines) > MANY else ()
    print(*lines[:MANY], *more, sep="\n", file=sys.stderr)
    return 2


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of config.yaml, or of a laptop if there is none or if asked for. Raises ConfigError."""
    from dataclasses import replace

    from companion import settings as config
    from drivers.kinds import KINDS

    path = config.find(args.config)
    settings = config.load(path, KINDS) if path else config.Settings()
    return replace(settings, hardware="virtual") if args.virtual else settings
