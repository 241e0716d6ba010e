"""The examples of config.yaml, and those that are soldered."""

from __future__ import annotations

from pathlib import Path

NOTES = Path(__file__).parent.parent / "firmware_notes"

EXAMPLES = sorted((NOTES / "examples").glob("*.yaml"))

SOLDERED = [example for example in EXAMPLES if example.stem != "tonight"]
