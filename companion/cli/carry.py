"""Migration of edits in the shipped config.yaml: `make run` calls it in a clone.

Settings were once written into that file, which git tracks: a single changed line, and `git pull` refuses. They go to
the user's own config.yaml, and the file is again as it was shipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.cli.common import fail
from companion.hardware import settings as config
from companion.hardware.wizard.place import BEFORE
from companion.system import files
from companion.system.home import written
from companion.system.terminal import guarded
from companion.system.yaml_lines import MERGE

PATHS = (("data",), ("voice", "model"), ("hall", "password_file"), ("hall", "tls"))
"""Settings that are paths, and relative ones start from their file's folder."""


def carry(root: Path) -> Iterator[str]:
    """Move the settings edited in `root` to the user's file, and yield what has been done. Raises OSError.

    Where the user has a file already, that one stays in use and the edited one is put beside it.
    """
    path, goal = root / "config.yaml", config.users()
    if goal is None or not path.is_file() or not config.edited(path):
        return
    if os.geteuid() == 0 != path.stat().st_uid:  # `sudo make run`: they are not root's settings
        return
    text = path.read_bytes()
    if MERGE.search(text.decode(errors="replace")):
        text = _stashed(root, path.name) or text
    placed = _placed(text, root)
    back = _status(root, "diff-index", "--quiet", "HEAD", "--", path.name) == 1
    if not goal.exists() and placed is not None:  # else the program itself says what is wrong with it, and where
        files.folder(goal.parent)
        files.save(goal, placed)
        yield f"Your settings have moved from {path} to {goal}: change them there. Updates no longer overwrite them."
    elif not goal.exists() or not back:  # nothing to go on with, or nothing of git's to put back: the doctor names it
        return
    elif placed != goal.read_bytes():
        aside = files.free(goal.with_name(BEFORE))
        files.save(aside, text if placed is None else placed)
        yield f"{path} had been edited, but the settings in use are in {goal}. The edited file is kept as {aside}."
    if not back or _status(root, "checkout", "-q", "HEAD", "--", path.name):
        yield f"{path} is no longer used."


def _placed(text: bytes, root: Path) -> bytes | None:
    """Return the settings for another folder: relative paths become absolute.

    Returns None for a file that cannot be read, and for paths whose bytes are no text.
    """
    import yaml

    try:
        words = text.decode("utf-8-sig").replace("\r\n", "\n")
        found = [node for keys in PATHS if (node := _node(yaml.compose(words, yaml.SafeLoader), keys))]
        for node in sorted(found, key=lambda node: -node.start_mark.index):
            if not written(node.value).is_absolute():
                at = json.dumps(str(root / node.value), ensure_ascii=False)
                words = f"{words[: node.start_mark.index]}{at}{words[node.end_mark.index :]}"
        return words.encode()
    except (yaml.YAMLError, UnicodeError):
        return None


def _node(node: Any, keys: tuple[str, ...]) -> Any:
    """Return the text node at these keys, None if there is none. Any: PyYAML's nodes."""
    import yaml

    for key in keys:
        if not isinstance(node, yaml.MappingNode):
            return None
        node = next((value for name, value in node.value if name.value == key), None)
    return node if isinstance(node, yaml.ScalarNode) and node.tag.endswith(":str") else None


def _stashed(root: Path, name: str) -> bytes:
    """Return the edited file as it was before `git pull --autostash` could not merge it.

    Returns b"" in another conflict, where the edit is already a commit.
    """
    for other in ("MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"):
        if _status(root, "rev-parse", "-q", "--verify", other) == 0:
            return b""
    found = _git(root, "show", f":3:./{name}")
    return found.stdout if found else b""


def _status(root: Path, *words: str) -> int | None:
    """Return git's exit status; None without git."""
    run = _git(root, *words)
    return run.returncode if run else None


def _git(root: Path, *words: str) -> subprocess.CompletedProcess[bytes] | None:
    """Run git in this clone, without GIT_ variables, and return its result; None without git."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        return subprocess.run(("git", *words), check=False, capture_output=True, cwd=root, env=env)
    except OSError:
        return None


def main() -> int:
    """Carry over the edits. Exit status 0 also where that fails: then the file is read where it is."""
    try:
        for line in carry(Path(sys.argv[1]).absolute()):
            print(line)
    except OSError as error:
        fail(f"{error.filename or 'config.yaml'}: {error.strerror or error}")
    return 0


if __name__ == "__main__":
    with guarded():
        status = main()
    sys.exit(status)
