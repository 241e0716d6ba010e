"""Hardware that speaks: readers, buttons, lamps. Knows the words of `companion.play.table`, nothing of games."""

from pathlib import Path

ROOT = Path("/")
"""Below it everything is looked for: another folder in tests."""
