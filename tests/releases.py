"""Releases to try: a key of their own, and small ones that are signed with it."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pi import release


class Key:
    """A pair of keys that nobody else has, and the file of those whose releases are taken."""

    def __init__(self, at: Path) -> None:
        at.mkdir(parents=True, exist_ok=True)
        self.private, self.signers = at / "key", at / "signers"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", self.private], check=True)
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
    """A release with little in it: a source of one byte, and what it says of itself."""
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
    """With checksums of what is in the folder, or what else they are to say."""
    files = [path for path in sorted(folder.iterdir()) if not path.name.startswith(release.SUMS)]
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files} | dict(more or {})
    text = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    (folder / release.SUMS).write_text(text, encoding="ascii")
    if key:
        key.sign(folder)
    return folder
