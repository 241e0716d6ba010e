"""Small releases for tests, and the key that signs them."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pi import release
from tests.support.paths import ROOT
from tools.needs import needs


class Key:
    """A new key pair, and the file of the signers whose releases are accepted."""

    def __init__(self, at: Path) -> None:
        at.mkdir(parents=True, exist_ok=True)
        self.private, self.signers = at / "key", at / "signers"
        subprocess.run([needs("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", self.private], check=True)
        public = self.private.with_suffix(".pub").read_text(encoding="utf-8").strip()
        self.line = f'{release.SIGNER} namespaces="{release.NAMESPACE}" {public}'
        self.signers.write_text(f"# whose\n{self.line}\n", encoding="utf-8")

    def sign(self, folder: Path, namespace: str = release.NAMESPACE) -> None:
        (folder / release.SIGNATURE).unlink(missing_ok=True)
        words: list[str | Path] = [
            "ssh-keygen",
            "-q",
            "-Y",
            "sign",
            "-f",
            self.private,
            "-n",
            namespace,
            folder / release.SUMS,
        ]
        subprocess.run(words, check=True)


def small(folder: Path, key: Key | None, version: str = "9.9.9", **said: Any) -> Path:
    """Write a release with little in it: a source of one byte, and its description."""
    folder.mkdir(parents=True)
    (folder / "source.tar.gz").write_bytes(b"s")
    about: dict[str, Any] = {
        "release": 1,
        "version": version,
        "changes": ["New."],
        "room": 1,
        "source": "source.tar.gz",
    }
    (folder / release.ABOUT).write_text(json.dumps(about | said), encoding="utf-8")
    return summed(folder, key)


def summed(folder: Path, key: Key | None, more: Mapping[str, str] | None = None) -> Path:
    """Write the checksums of what is in the folder, changed by `more`; sign them if there is a key."""
    files = [path for path in sorted(folder.iterdir()) if not path.name.startswith(release.SUMS)]
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files} | dict(more or {})
    text = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    (folder / release.SUMS).write_text(text, encoding="ascii")
    if key:
        key.sign(folder)
    return folder


def committed(there: Path, key: Key, version: str = "") -> Path:
    """Commit a copy of the project to a new repository, with a date in its changelog and this key among its signers."""
    words = ["git", "ls-files", "-co", "--exclude-standard"]
    for name in subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines():
        if (ROOT / name).exists():
            (there / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, there / name)
    signers, changes, init = (there / name for name in ("pi/files/signers", "CHANGELOG.md", "companion/__init__.py"))
    signers.write_text(f"{signers.read_text(encoding='utf-8')}{key.line}\n", encoding="utf-8")
    changes.write_text(changes.read_text(encoding="utf-8").replace("unreleased", "2026-12-01"), encoding="utf-8")
    if version:
        changes.write_text(f"# Changes\n\n## {version} – 2026-12-02\n\n- News of {version}.\n", encoding="utf-8")
        init.write_text(re.sub('"[0-9.]+"', f'"{version}"', init.read_text(encoding="utf-8")), encoding="utf-8")
    return commit(there)


def commit(there: Path) -> Path:
    """Commit all that is in a folder to a new repository there."""
    who = ("-c", "user.name=maker", "-c", "user.email=maker@localhost", "-c", "init.defaultBranch=main")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "all of it")):
        subprocess.run(["git", *who, *words], cwd=there, check=True)
    return there


NEEDS = """
import json, os, sqlite3, sys
from pathlib import Path

if sys.argv[1:]:
    try:
        found = sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError:
        found = 0
    print(json.dumps({"fits": found <= READS}))
else:
    config = Path(os.environ["XDG_CONFIG_HOME"], "tabularium/config.yaml")
    words = config.read_text().split() if config.exists() else []
    if not set(words) <= set(KNOWN):
        sys.exit("config.yaml:1: has mistakes")
    store = os.environ["XDG_DATA_HOME"] + "/tabularium/tabularium.sqlite3"
    print(json.dumps({"boot": [], "store": store, "update": None}))
"""


def tiny(at: Path, version: str, reads: int = 1, knows: str = "") -> Path:
    """Write the source of a version that is hardly more than what root asks of one.

    It reads games of versions up to `reads`, and knows a few words in config.yaml.
    """
    files = {
        "companion/__init__.py": f'__version__ = "{version}"\n',
        "companion/cli/__init__.py": "",
        "companion/cli/needs.py": f"READS, KNOWN = {reads}, {knows.split()}\n{NEEDS}",
        "companion/rules/__init__.py": "",
        "companion/rules/catalogues.py": "",
    }
    for name, text in files.items():
        (at / name).parent.mkdir(parents=True, exist_ok=True)
        (at / name).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "pi/files", at / "pi/files")
    for name in ("constraints.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, at / name)
    with (at / "pi/files/tabularium.service").open("a", encoding="utf-8") as file:
        file.write(f"# of {version}\n")
    return at
