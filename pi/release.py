"""A release: a folder of files, their checksums, and a signature of the checksums. Where from it comes is not trusted.

`opened` takes the few small files first, and believes nothing before the signature is proven; `fetched` takes what the
checksums name, and nothing else. Both only read: from a folder, such as one on a stick, or from an address.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import subprocess
import tarfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

from companion.system.updates import WHY
from pi.machine import Failed

SUMS, SIGNATURE, ABOUT = "SHA256SUMS", "SHA256SUMS.sig", "release.json"
SIGNERS = Path(__file__).parent / "files/signers"
"""The public keys that this version knows, as ssh-keygen(1) wants them. Two, while one follows the other."""
SIGNER, NAMESPACE = "release", "tabularium-release"
FORMAT = 1
SMALL, LARGE = 1 << 18, 1 << 29
"""How many bytes checksums, signature and what a release says of itself may have each, and all of it together."""
MOST = 300
"""How many files there may be."""
PATIENCE = 30.0
"""Seconds until an address that says nothing is given up."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,150}")
NUMBER = re.compile(r"\d{1,4}\.\d{1,4}\.\d{1,4}")


class Refused(Failed):
    """A release that is not taken. `code` and `facts` are for whoever says it in another language."""

    def __init__(self, code: str, **facts: str) -> None:
        super().__init__(WHY[code].format(**facts))
        self.code = code
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Release:
    """What a release says of itself: its number, what has changed, how much room it takes once installed (MB), the file
    with the source, and the checksum of each file."""

    version: str
    changes: Sequence[str]
    room: int
    source: str
    files: Mapping[str, str]


class Source(Protocol):
    """Where a release lies. `open` raises Refused."""

    def open(self, name: str) -> BinaryIO: ...


class Folder:
    """One on a stick or a disk. Links are not followed, and only plain files are opened."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self, name: str) -> BinaryIO:
        try:
            number = os.open(self.path / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            raise Refused("missing", file=name) from None
        except OSError as error:
            if self.path.joinpath(name).is_symlink():
                raise Refused("odd", file=name) from None
            raise Refused("unread", place=str(self.path), why=error.strerror or str(error)) from None
        if not stat.S_ISREG(os.fstat(number).st_mode):
            os.close(number)
            raise Refused("odd", file=name)
        return os.fdopen(number, "rb")


class Address:
    """One on the network: the address of its folder."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")

    def open(self, name: str) -> BinaryIO:
        if not self.url.startswith(("https://", "http://")):
            raise Refused("unread", place=self.url, why="it is no address of the network")
        try:
            found: BinaryIO = urlopen(f"{self.url}/{quote(name)}", timeout=PATIENCE)
        except (URLError, OSError, ValueError) as error:
            if getattr(error, "code", 0) == 404:
                raise Refused("missing", file=name) from None
            raise Refused("unread", place=self.url, why=str(getattr(error, "reason", error))) from None
        return found


def opened(source: Source, at: Path, signers: Path = SIGNERS) -> Release:
    """What a release says of itself, once it is proven to be ours; the small files are then in the folder `at`.

    Raises Refused.
    """
    for name in (SUMS, SIGNATURE):
        try:
            _taken(source, name, at / name, SMALL)
        except Refused as refused:
            if refused.code == "missing":
                raise Refused("none" if name == SUMS else "unsigned", place=_place(source)) from None
            raise
    _proven(at, signers)
    files = _sums((at / SUMS).read_bytes())
    if ABOUT not in files:
        raise Refused("unknown")
    _taken(source, ABOUT, at / ABOUT, SMALL, files[ABOUT])
    return _about((at / ABOUT).read_bytes(), files)


def fetched(source: Source, release: Release, at: Path, tell: Callable[[int], object] = lambda _: None) -> None:
    """Takes all its files into a folder; each is compared with its checksum. `tell` hears how many bytes have come.

    Raises Refused.
    """
    left = LARGE
    for name, digest in release.files.items():
        if not (at / name).exists():
            left -= _taken(source, name, at / name, left, digest)
            tell(LARGE - left)


def unpacked(archive: Path, to: Path) -> Path:
    """The source, from the archive of a release into a new folder. Raises Refused where anything in it is odd."""
    to.mkdir(mode=0o755)
    try:
        with tarfile.open(archive, "r:gz") as tar:
            for member in tar:
                name = Path(member.name)
                if name.is_absolute() or ".." in name.parts or not (member.isfile() or member.isdir()):
                    raise Refused("odd", file=archive.name)
                if member.isdir():
                    (to / name).mkdir(parents=True, exist_ok=True)
                    continue
                (to / name).parent.mkdir(parents=True, exist_ok=True)
                content = tar.extractfile(member)
                assert content
                with content:
                    (to / name).write_bytes(content.read())
                (to / name).chmod(0o755 if member.mode & 0o100 else 0o644)
    except (tarfile.TarError, EOFError, OSError) as error:
        if isinstance(error, OSError) and error.errno:  # the disk's own trouble
            raise
        raise Refused("torn", file=archive.name) from None
    (home,) = to.iterdir()
    return home


def number(version: str) -> tuple[int, ...]:
    """What versions are compared by: 0.10.0 is newer than 0.9.3. What follows a hyphen does not count."""
    return tuple(int(part) for part in version.partition("-")[0].split("."))


def _taken(source: Source, name: str, to: Path, most: int, digest: str = "") -> int:
    """Copies a file to a new one, and returns how large it is. Raises Refused."""
    seen, size = hashlib.sha256(), 0
    with source.open(name) as file, to.open("xb") as copy:
        while True:
            try:
                part = file.read(1 << 20)
            except (OSError, ValueError) as error:
                raise Refused(
                    "unread", place=_place(source), why=getattr(error, "strerror", "") or str(error)
                ) from None
            if not part:
                break
            size += len(part)
            if size > most:
                raise Refused("large", file=name)
            seen.update(part)
            copy.write(part)
    if digest and seen.hexdigest() != digest:
        raise Refused("torn", file=name)
    return size


def _place(source: Source) -> str:
    return str(getattr(source, "path", "") or getattr(source, "url", ""))


def _proven(at: Path, signers: Path) -> None:
    """The signature is by one of the keys. Until when a key is good is not asked: a Pi's clock may stand at 1970."""
    keys = [line for line in signers.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    if not keys:
        raise Refused("no-keys")
    words = ("ssh-keygen", "-Y", "verify", "-f", signers, "-I", SIGNER, "-n", NAMESPACE, "-s", at / SIGNATURE)
    try:
        with (at / SUMS).open("rb") as file:
            proven = (
                subprocess.run(words, stdin=file, check=False, capture_output=True, timeout=PATIENCE).returncode == 0
            )
    except OSError as error:
        raise Failed(f"ssh-keygen: {error.strerror}", "sudo apt-get install openssh-client") from None
    if not proven:
        raise Refused("forged")


def _sums(written: bytes) -> Mapping[str, str]:
    """The checksum of each file, as sha256sum writes them. Raises Refused."""
    found: dict[str, str] = {}
    for line in written.decode("ascii", errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        if not re.fullmatch(r"[0-9a-f]{64}", digest) or not NAME.fullmatch(name) or name in (SUMS, SIGNATURE):
            raise Refused("unknown")
        found[name] = digest
    if len(found) > MOST:
        raise Refused("unknown")
    return found


def _about(written: bytes, files: Mapping[str, str]) -> Release:
    try:
        said: dict[str, Any] = json.loads(written)
        version, changes, room, source = (said[key] for key in ("version", "changes", "room", "source"))
        plain = all(isinstance(line, str) for line in (version, source, *changes)) and isinstance(room, int)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Refused("unknown") from None
    if said.get("release") != FORMAT or not plain or not NUMBER.fullmatch(version) or source not in files:
        raise Refused("unknown")
    return Release(version, tuple(changes), room, source, files)
