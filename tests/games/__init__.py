"""Tests of each game: its rules, its guide, and how it is heard."""
