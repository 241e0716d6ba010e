"""Hardware drivers: readers, buttons and lamps. They know the terms of `companion.play.table`, nothing of games."""

from pathlib import Path

ROOT = Path("/")
"""The folder below which the system's files are looked for; tests use another one."""
