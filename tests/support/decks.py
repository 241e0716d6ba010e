"""Decks as their tests type, lay and list them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from companion.deck import KnownTag
from companion.rules.cards import DECK
from tests.support.paths import ROOT


def uid(number: int) -> str:
    return f"04AB{number:010X}"


ALL = {uid(number): KnownTag(card, "box") for number, card in enumerate(DECK.values())}


def run(*words: str, typed: str = "") -> tuple[int, str, str]:
    """Run a `deck` command in a child process with this input; return its exit code, output and errors."""
    command = [sys.executable, "-m", "companion", "deck", *words]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False, env=env, timeout=60)
    return done.returncode, done.stdout, done.stderr


def lines(*tags: str, begin: int = 0) -> str:
    """Return cards laid one after the other, as a transcript's hardware lines."""
    said = []
    for at, tag in enumerate(tags):
        for present in (True, False):
            t = begin + 2000 * at + (0 if present else 1000)
            said.append(json.dumps({"reader": "centre", "tag": tag, "present": present, "t": t}))
    return "\n".join(said) + "\n"
