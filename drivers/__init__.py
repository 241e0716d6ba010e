"""Hardware drivers: readers, buttons and lamps. They know the terms of `companion.play.table`, nothing of games."""

from pathlib import Path

ROOT = Path("/")
"""The root folder of the system's files; tests use another one."""
