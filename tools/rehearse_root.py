"""A root folder made to look like a Raspberry Pi's, and what is in it, so that before and after can be compared."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

USER = "tabularium"
APART = ("proc", "sys", "dev", "run", "tmp", "srv", "var/lib/tabularium", "var/lib/dpkg", "var/lib/apt", "var/cache/apt",
         "var/cache/debconf", "var/log", "home", "etc/ld.so.cache", "var/cache/ldconfig",
         *(f"etc/{name}{end}" for name in ("passwd", "group", "shadow", "gshadow", "subuid", "subgid") for end in ("", "-")))  # fmt: skip
"""What is not compared file by file: the data, apt's and dpkg's own state, and accounts, which are compared by line."""
CONFIG_TXT = """\
# For more options and information see
# http://rptl.io/configtxt

# Uncomment some or all of these to enable the optional hardware interfaces
#dtparam=i2c_arm=on
#dtparam=spi=on

dtparam=audio=on
camera_auto_detect=1
display_auto_detect=1
auto_initramfs=1
dtoverlay=vc4-kms-v3d
max_framebuffers=2
arm_64bit=1

[cm4]
otg_mode=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
"""
"""As Raspberry Pi OS ships it, in short."""
STUBS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "python3-lgpio": ("", {"lgpio.py": ""}),
    "python3-rpi-lgpio": (
        "Depends: python3-lgpio\nConflicts: python3-rpi.gpio\nReplaces: python3-rpi.gpio\n",
        {"RPi/__init__.py": "", "RPi/GPIO/__init__.py": "BCM = 11\n"},
    ),
    "python3-rpi.gpio": ("", {"RPi/__init__.py": "", "RPi/GPIO/__init__.py": "OLD = True\n"}),
}
"""Packages of Raspberry Pi's archive: what else they say of themselves, and their files."""
Listing = Mapping[str, tuple[object, ...]]


def stubs(root: Path) -> None:
    """Make a local archive with stand-ins for Raspberry Pi's packages."""
    archive = root / "srv/archive"
    entries = []
    for name, (fields, files) in STUBS.items():
        tree = archive / name
        control = f"Package: {name}\nVersion: 99.0-1\nArchitecture: all\nMaintainer: rehearsal <nobody@localhost>\n"
        control += f"{fields}Description: stands in for Raspberry Pi's package\n"
        for file, text in {
            "DEBIAN/control": control,
            **{f"usr/lib/python3/dist-packages/{f}": t for f, t in files.items()},
        }.items():
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            (tree / file).write_text(text, encoding="utf-8")
        deb = archive / f"{name}.deb"
        subprocess.run(["dpkg-deb", "--build", "--root-owner-group", tree, deb], check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(tree)
        digest = hashlib.sha256(deb.read_bytes()).hexdigest()
        head, _, rest = control.partition("Description:")
        entries.append(
            f"{head}Filename: ./{deb.name}\nSize: {deb.stat().st_size}\nSHA256: {digest}\nDescription:{rest}\n"
        )
    (archive / "Packages").write_text("\n".join(entries), encoding="utf-8")
    source = root / "etc/apt/sources.list.d/raspi.list"
    source.write_text("deb [trusted=yes] file:/srv/archive ./\n", encoding="utf-8")


def pi_like(root: Path, source: Path, release: Path, clone: str) -> None:
    """Make the root look like a new Raspberry Pi OS, with a release unpacked in somebody's home.

    It gets the boot configuration, our tests and tools, and a quicker apt.
    """
    (root / "etc/dpkg/dpkg.cfg.d/rehearsal").write_text("force-unsafe-io\n", encoding="utf-8")
    (root / "boot/firmware").mkdir(parents=True, exist_ok=True)
    (root / "boot/firmware/config.txt").write_text(CONFIG_TXT, encoding="utf-8")
    there = root / clone.lstrip("/")
    there.mkdir(parents=True)
    sdist = next(release.glob("*.tar.gz"))
    subprocess.run(["tar", "-xf", sdist, "-C", there, "--strip-components=1"], check=True)
    for name in ("tests", "tools"):
        shutil.copytree(source / name, root / "srv/rehearse" / name, ignore=shutil.ignore_patterns("__pycache__"))


def listing(root: Path) -> Listing:
    """Return every file with its kind, mode, owner and content, except what is APART."""
    return dict(_listed(root))


def _listed(root: Path) -> Iterator[tuple[str, tuple[object, ...]]]:
    for folder, names, files in os.walk(root):
        at = Path(folder).relative_to(root)
        names[:] = [name for name in names if str(at / name) not in APART]
        for name in sorted((*names, *files)):
            if str(at / name) in APART:
                continue
            path = root / at / name
            seen = path.lstat()
            what: object = ""
            if stat.S_ISLNK(seen.st_mode):
                what = str(path.readlink())
            elif stat.S_ISREG(seen.st_mode):
                what = hashlib.sha256(path.read_bytes()).hexdigest()
            yield str(at / name), (oct(seen.st_mode), seen.st_uid, seen.st_gid, what)


def differences(before: Listing, after: Listing) -> list[str]:
    gone = [f"gone: {path}" for path in before.keys() - after.keys()]
    new = [f"new: {path}" for path in after.keys() - before.keys()]
    other = [
        f"other: {path} {before[path]} {after[path]}"
        for path in before.keys() & after.keys()
        if before[path] != after[path]
    ]
    return sorted((*gone, *new, *other))


def accounts(root: Path) -> frozenset[str]:
    """Return the lines of users and groups, without our user."""
    lines = [
        f"{name}: {line}"
        for name in ("passwd", "group", "gshadow", "shadow")
        for line in (root / "etc" / name).read_text(encoding="utf-8").splitlines()
    ]
    return frozenset(line for line in lines if not re.match(rf"\w+: {USER}:", line))


def packages(root: Path) -> frozenset[str]:
    words = ["dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f", "${db:Status-Abbrev}${Package}\n"]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return frozenset(line[3:] for line in said.splitlines() if line.startswith("ii"))
