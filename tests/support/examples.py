"""The examples of config.yaml, and those that are soldered."""

from __future__ import annotations

from tests.support.paths import ROOT

NOTES = ROOT / "firmware_notes"

EXAMPLES = sorted((NOTES / "examples").glob("*.yaml"))

SOLDERED = [example for example in EXAMPLES if example.stem != "tonight"]
