"""Paths of the project, its tests and the golden transcripts."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
GOLDENS = TESTS / "goldens"
