"""A release: a folder of files, their checksums, and a signature of the checksums. Its origin is not trusted.

`opened` fetches the few small files first, and trusts nothing before the signature is verified; `fetched` fetches only
the files that the checksums name. Both only read: from a folder, such as one on a stick, or from an address.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import select
import shutil
import stat
import subprocess
import sys
import tarfile
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from errno import EDQUOT, EIO, ENOSPC, EROFS
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast
from urllib.parse import quote

from companion.system.updates import WHY
from pi import fetch
from pi.machine import Failed

SUMS, SIGNATURE, ABOUT = "SHA256SUMS", "SHA256SUMS.sig", "release.json"
SIGNERS = Path(__file__).parent / "files/signers"
"""The public keys that this version accepts, as in ssh-keygen(1). There are two during a change of keys."""
SIGNER, NAMESPACE = "release", "tabularium-release"
SIGNED = b"-----BEGIN SSH SIGNATURE-----"
FORMAT = 1
SMALL, LARGE = 1 << 18, 1 << 29
"""The size in bytes of the checksums, the signature and the description each, and of the whole release, at most."""
MOST = 300
"""The number of files in a release at most."""
PATIENCE = 60.0
"""Seconds that an address has for a file, and one more for each of these bytes that have come:"""
SLOWEST = 1 << 14
MB = 1_000_000
MEMBERS, DEEP, HEADER = 20_000, 20, 1 << 20
"""The number of files and folders in an archive, their depth, and the bytes of it read at once, at most."""
DISK = (ENOSPC, EDQUOT, EIO, EROFS)
"""The disk's own faults."""
LINES = 16_000
"""The characters shown of the changes at most."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,150}")
NUMBER = re.compile(r"\d{1,4}\.\d{1,4}\.\d{1,4}")


class ReleaseRefused(Failed):
    """A release that is refused. `code` and `facts` allow the message in another language."""

    def __init__(self, code: str, **facts: str) -> None:
        super().__init__(WHY[code].format(**facts))
        self.code = code
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Release:
    """A release's description of itself.

    It has its number, its first changes and the number of further ones, the room it takes once installed (MB), the file
    with the source, and the checksum of each file.
    """

    version: str
    changes: Sequence[str]
    further: int
    room: int
    source: str
    files: Mapping[str, str]


class ReleaseSource(Protocol):
    """The place of a release. `open` raises ReleaseRefused."""

    def open(self, name: str) -> BinaryIO: ...


class Folder:
    """A release on a stick or a disk. Links are not followed, and only plain files are opened."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self, name: str) -> BinaryIO:
        try:
            number = os.open(self.path / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            raise ReleaseRefused("missing", file=name) from None
        except OSError as error:
            if self.path.joinpath(name).is_symlink():
                raise ReleaseRefused("odd", file=name) from None
            raise ReleaseRefused("unread", place=str(self.path), why=error.strerror or str(error)) from None
        if not stat.S_ISREG(os.fstat(number).st_mode):
            os.close(number)
            raise ReleaseRefused("odd", file=name)
        return os.fdopen(number, "rb")


class Address:
    """A release on the network: the address of its folder. Another process reads it, as `user` if given."""

    def __init__(self, url: str, user: str | None = None) -> None:
        self.url = url.rstrip("/")
        self._user = user

    def open(self, name: str) -> BinaryIO:
        if not self.url.startswith(("https://", "http://")):
            raise ReleaseRefused("unread", place=self.url, why="it is not a network address")
        words = (sys.executable, "-P", "-m", "pi.fetch", f"{self.url}/{quote(name)}")
        env = dict(os.environ) | {"PYTHONPATH": str(Path(__file__).parent.parent), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            running = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd="/",
                env=env,
                user=self._user,
                group=self._user,
                extra_groups=None if self._user is None else [],
            )
        except OSError as error:
            raise ReleaseRefused("unread", place=self.url, why=error.strerror or str(error)) from None
        return cast("BinaryIO", _Fetched(running, self.url, name))


class _Fetched:
    """The other process's output, as it comes. It must come at a minimum speed."""

    def __init__(self, running: subprocess.Popen[bytes], place: str, name: str) -> None:
        self._running, self._place, self._name = running, place, name
        self._end = time.monotonic() + PATIENCE

    def __enter__(self) -> _Fetched:
        return self

    def __exit__(self, *_: object) -> None:
        self._running.kill()
        self._running.communicate()

    def read(self, size: int) -> bytes:
        """Return the next part, b"" at the end. Raises ReleaseRefused."""
        assert self._running.stdout
        assert self._running.stderr
        left = self._end - time.monotonic()
        if left <= 0 or not select.select([self._running.stdout], [], [], left)[0]:
            raise ReleaseRefused("unread", place=self._place, why="it takes too long")
        part = os.read(self._running.stdout.fileno(), min(size, 1 << 16))
        self._end += len(part) / SLOWEST
        if not part and (failed := self._running.wait()):
            if failed == fetch.MISSING:
                raise ReleaseRefused("missing", file=self._name)
            why = self._running.stderr.read(10_000).decode(errors="replace").strip().rpartition("\n")[2]
            raise ReleaseRefused("unread", place=self._place, why=why[:200] or f"status {failed}")
        return part


def opened(source: ReleaseSource, at: Path, signers: Path = SIGNERS) -> Release:
    """Return a release's description, once its signature is verified; the small files are then in the folder `at`.

    Raises ReleaseRefused.
    """
    for name in (SUMS, SIGNATURE):
        try:
            _taken(source, name, at / name, SMALL)
        except ReleaseRefused as refused:
            if refused.code == "missing":
                raise ReleaseRefused("none" if name == SUMS else "unsigned", place=_place(source)) from None
            raise
    if isinstance(source, Address) and not (at / SIGNATURE).read_bytes().startswith(SIGNED):
        raise ReleaseRefused("portal", place=source.url)
    _proven(at, signers)
    files = _sums((at / SUMS).read_bytes())
    if ABOUT not in files:
        raise ReleaseRefused("unknown")
    _taken(source, ABOUT, at / ABOUT, SMALL, files[ABOUT])
    return _about((at / ABOUT).read_bytes(), files)


def fetched(source: ReleaseSource, release: Release, at: Path, tell: Callable[[int], object] = lambda _: None) -> None:
    """Copy all files of a release into a folder. Raises ReleaseRefused.

    Each is compared with its checksum, and together they must not exceed the room that the release states. `tell` is
    called with the bytes that have come.
    """
    most = left = min(LARGE, release.room * MB)
    for name, digest in release.files.items():
        if not (at / name).exists():
            left -= _taken(source, name, at / name, left, digest)
            tell(most - left)


def unpacked(archive: Path, to: Path, most: int = LARGE) -> Path:
    """Unpack the source from a release's archive into a new folder; return the source's folder.

    It may have at most `most` bytes. Raises ReleaseRefused where anything in the archive is unusual.
    """
    to.mkdir(mode=0o755)
    try:
        with gzip.open(archive) as packed, tarfile.open(fileobj=cast("Any", _Careful(packed, most)), mode="r:") as tar:
            for count, member in enumerate(tar):
                most -= member.size
                if count >= MEMBERS or most < 0:
                    raise ReleaseRefused("large", file=archive.name)
                _member(tar, member, to, archive.name)
    except OSError as error:
        if error.errno in DISK:
            raise
        raise ReleaseRefused("torn", file=archive.name) from None
    except (tarfile.TarError, EOFError, ValueError, zlib.error, RecursionError):
        raise ReleaseRefused("torn", file=archive.name) from None
    homes = list(to.iterdir())
    if len(homes) != 1 or not homes[0].is_dir():
        raise ReleaseRefused("odd", file=archive.name)
    return homes[0]


def _member(tar: tarfile.TarFile, member: tarfile.TarInfo, to: Path, archive: str) -> None:
    """Write a plain file or a folder. A sparse file is refused: it may be larger than its data."""
    name = Path(member.name)
    plain = member.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not member.issparse()
    if name.is_absolute() or ".." in name.parts or len(name.parts) > DEEP or not (plain or member.isdir()):
        raise ReleaseRefused("odd", file=archive)
    if member.isdir():
        (to / name).mkdir(parents=True, exist_ok=True)
        return
    (to / name).parent.mkdir(parents=True, exist_ok=True)
    content = tar.extractfile(member)
    assert content
    with content, (to / name).open("xb") as copy:
        shutil.copyfileobj(content, copy)
    (to / name).chmod(0o755 if member.mode & 0o100 else 0o644)


class _Careful:
    """An unpacked archive that is read in pieces; it rejects headers that claim to be longer than any of ours."""

    def __init__(self, packed: gzip.GzipFile, most: int) -> None:
        self._packed, self._most = packed, most + 1024 * 2 * MEMBERS
        self.seek, self.tell, self.close = packed.seek, packed.tell, packed.close

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= HEADER or self._packed.tell() > self._most:
            raise tarfile.ReadError("too long")
        return self._packed.read(size)


def number(version: str) -> tuple[int, ...]:
    """Return the key that versions are compared by: 0.10.0 is newer than 0.9.3. Text after a hyphen does not count."""
    return tuple(int(part) for part in version.partition("-")[0].split("."))


def _taken(source: ReleaseSource, name: str, to: Path, most: int, digest: str = "") -> int:
    """Copy a file to a new one, and return its size. Raises ReleaseRefused."""
    seen, size = hashlib.sha256(), 0
    with source.open(name) as file, to.open("xb") as copy:
        while True:
            try:
                part = file.read(1 << 20)
            except (OSError, ValueError) as error:
                raise ReleaseRefused(
                    "unread", place=_place(source), why=getattr(error, "strerror", "") or str(error)
                ) from None
            if not part:
                break
            size += len(part)
            if size > most:
                raise ReleaseRefused("large", file=name)
            seen.update(part)
            copy.write(part)
    if digest and seen.hexdigest() != digest:
        raise ReleaseRefused("torn", file=name)
    return size


def _place(source: ReleaseSource) -> str:
    return str(getattr(source, "path", "") or getattr(source, "url", ""))


def _proven(at: Path, signers: Path) -> None:
    """Verify that one of the keys made the signature. Raises ReleaseRefused.

    Expiry dates of keys are not checked: a Pi's clock may stand at 1970.
    """
    keys = [line for line in signers.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    if not keys:
        raise ReleaseRefused("no-keys")
    words = ("ssh-keygen", "-Y", "verify", "-f", signers, "-I", SIGNER, "-n", NAMESPACE, "-s", at / SIGNATURE)
    try:
        with (at / SUMS).open("rb") as file:
            proven = (
                subprocess.run(words, stdin=file, check=False, capture_output=True, timeout=PATIENCE).returncode == 0
            )
    except OSError as error:
        raise Failed(f"ssh-keygen: {error.strerror}", "sudo apt-get install openssh-client") from None
    except subprocess.TimeoutExpired:
        raise ReleaseRefused("forged") from None
    if not proven:
        raise ReleaseRefused("forged")


def _sums(written: bytes) -> Mapping[str, str]:
    """Return the checksum of each file, from the format of sha256sum. Raises ReleaseRefused."""
    found: dict[str, str] = {}
    for line in written.decode("ascii", errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        if not re.fullmatch(r"[0-9a-f]{64}", digest) or not NAME.fullmatch(name) or name in (SUMS, SIGNATURE):
            raise ReleaseRefused("unknown")
        found[name] = digest
    if len(found) > MOST:
        raise ReleaseRefused("unknown")
    return found


def _about(written: bytes, files: Mapping[str, str]) -> Release:
    try:
        said: dict[str, Any] = json.loads(written)
        version, changes, room, source = (said[key] for key in ("version", "changes", "room", "source"))
        plain = all(isinstance(line, str) for line in (version, source, *changes))
        plain = plain and isinstance(changes, list) and type(room) is int and room > 0
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ReleaseRefused("unknown") from None
    if said.get("release") != FORMAT or not plain or not NUMBER.fullmatch(version) or source not in files:
        raise ReleaseRefused("unknown")
    shown = [line for line, long in zip(changes, accumulate(map(len, changes)), strict=True) if long <= LINES]
    return Release(version, tuple(shown), len(changes) - len(shown), room, source, files)
