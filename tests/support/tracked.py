"""What the project consists of, as git has it: people leave files beside it, and edit what is shipped."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.support.paths import ROOT


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout


def tracked(*patterns: str) -> Sequence[Path]:
    """Return the files of the project, all or those that match (`*.md` in any folder).

    A new file counts once it is added.
    """
    return [path for name in _git("ls-files", "-z", *patterns).split("\0") if name and (path := ROOT / name).is_file()]


def shipped(name: str) -> str:
    """Return the text of a file as git has it, without later edits."""
    return _git("show", f":{name}")
