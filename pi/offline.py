"""A folder with all downloads, prepared on another computer: sudo ./install --offline FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path

from pi import apt, program
from pi.machine import Machine
from pi.steps import Say

PYTHONS = ("3.11", "3.13")
"""The Pythons of Debian 12 and of Debian 13."""
GLIBC = {"3.11": 36, "3.13": 41}
"""The C library of each: a wheel may require an older one."""
DEBS = """\
{folder} has the wheels for Debian 12 and 13. What comes from apt is not in it, as this is no Pi. Either the Pi has
these packages already, or they go into the folder too (*.deb), fetched on a Pi that is online, with the same system:

  sudo apt-get install --download-only --no-install-recommends -o Dir::Cache::archives={folder} {names}

Then on the Pi: sudo ./install --offline FOLDER"""


def prepare(m: Machine, folder: Path, say: Say, pythons: tuple[str, ...] = PYTHONS) -> None:
    """Fetch the wheels for 64-bit Pis, on any computer. Raises Failed where one is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for version in pythons:
        say(f"  now: wheels for Python {version} on a 64-bit Pi, into {folder}")
        download(m, folder, version)
    say(DEBS.format(folder=folder.resolve(), names=" ".join((*apt.NEEDED, *apt.HARDWARE))))


def download(m: Machine, folder: Path, version: str) -> None:
    """Download all wheels for one version of Python on a 64-bit Pi."""
    of_pi = [word for name in _platforms(GLIBC[version]) for word in ("--platform", name)]
    m.run(sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "-q", "--dest", folder,
          "--only-binary", ":all:", "--no-deps", "--implementation", "cp", "--python-version", version, *of_pi,
          *program.requirements(m.source), remedy=apt.NO_NETWORK)  # fmt: skip


def _platforms(glibc: int) -> list[str]:
    """Return the platform tags of wheels that run with this C library, the newest first."""
    return [*(f"manylinux_2_{minor}_aarch64" for minor in range(glibc, 16, -1)), "manylinux2014_aarch64"]
