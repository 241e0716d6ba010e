"""Debian's packages: those that have no wheel, or are not Python at all."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

from drivers import kinds
from pi.machine import Machine
from pi.steps import InstallStep

NEEDED = (
    "python3-venv",
    *("libegl1", "libgles2", "libgl1", "libgl1-mesa-dri", "libgbm1", "libdrm2"),  # the screen without a desktop
    "libmtdev1",  # touch without a desktop
    "fonts-ipafont-gothic",  # Japanese
    "polkitd",  # the right to switch the Pi off
    *("espeak-ng", "alsa-utils"),  # the voice, and its player
    "openssh-client",  # to verify a release's signature
    *kinds.debian(),  # readers on USB
)
HARDWARE = ("python3-lgpio", *(f"python3-{name}" for name in kinds.packages(alone=False)))
"""The packages that pins and readers need. Debian lacks some of them; Raspberry Pi's own archive has all."""
NO_PINS = (
    "apt has no {names}, as Raspberry Pi's archive is not among its sources: buttons, lamps and readers on pins will"
    " not work; hubs on USB will. Raspberry Pi OS has them."
)
NO_NETWORK = "Is the Pi online? Without a network: see firmware_notes/installing.md."
PROGRESS = ("Get:", "Setting up ", "Removing ", "Purging ")
APT = ("apt-get", "-y", "-q", "-o", "Dpkg::Options::=--force-confold")


def step(m: Machine, offline: Path | None = None) -> InstallStep:
    lacking = unknown(m)
    known = [name for name in (*NEEDED, *HARDWARE) if name not in lacking]
    return InstallStep(
        f"packages from apt: {', '.join(known)}{f'; apt has no {_and(lacking)}' if lacking else ''}",
        "remove the packages installed for it, and reinstall those it replaced",
        done=lambda: not missing(m),
        there=lambda: bool(m.brought("packages") or m.brought("displaced")),
        do=partial(_install, m, offline),
        undo=partial(_remove, m),
        remedy=NO_NETWORK,
        lacks=lambda: NO_PINS.format(names=", ".join(lacking)) if (lacking := unknown(m)) else "",
    )


def _and(names: Sequence[str]) -> str:
    return " and no ".join(names)


def installed(m: Machine) -> frozenset[str]:
    """Return the names of the installed packages."""
    listing = m.run("dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Package}\n")
    return frozenset(line.split()[1] for line in listing.splitlines() if line.startswith("ii"))


def provided(m: Machine) -> frozenset[str]:
    """Return the other names that installed packages provide: libmtdev1 is libmtdev1t64 on Debian 13."""
    listing = m.run("dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Provides}\n")
    lines = [line.partition(" ")[2] for line in listing.splitlines() if line.startswith("ii")]
    return frozenset(name.split()[0] for line in lines for name in line.split(",") if name.strip())


def missing(m: Machine) -> list[str]:
    """Return the packages that are not installed and have to be, or could be."""
    there = installed(m) | provided(m)
    could = [name for name in HARDWARE if name not in there]
    return [name for name in NEEDED if name not in there] + available(m, could)


def unknown(m: Machine) -> list[str]:
    """Return those of HARDWARE that are neither installed nor known to apt."""
    there = installed(m) | provided(m)
    could = [name for name in HARDWARE if name not in there]
    known = available(m, could)
    return [name for name in could if name not in known]


def available(m: Machine, names: Sequence[str]) -> list[str]:
    """Return the packages that apt could install."""
    said = m.run("apt-cache", "policy", *names) if names else ""
    known = re.findall(r"^(\S+):\n.*\n  Candidate: (?!\(none\))", said, re.M)
    return [name for name in names if name in known]


def _install(m: Machine, offline: Path | None) -> None:
    before = installed(m)
    if offline:
        wanted = [str(file.resolve()) for file in sorted(offline.glob("*.deb"))] or missing(m)
    else:
        m.run("apt-get", "update", "-q", remedy=NO_NETWORK)
        wanted = missing(m)
    try:
        m.run(*APT, "install", "--no-install-recommends", *wanted, show=PROGRESS)
    finally:  # a failed installation may have brought some packages too
        _noted(m, before)


def _noted(m: Machine, before: Collection[str]) -> None:
    """Note the packages that came, and those that were removed for them: Debian's RPi.GPIO for rpi-lgpio."""
    after = installed(m)
    m.note(packages=sorted(after - set(before)), displaced=sorted(set(before) - after))


def _remove(m: Machine) -> None:
    """Remove the packages that nothing else needs by now, and reinstall those that were removed for them.

    The other packages stay, marked as needed by something else.
    """
    brought = [name for name in m.brought("packages") if name in installed(m)]
    if brought:
        m.run("apt-mark", "auto", *brought)
        only = ("-o", "APT::AutoRemove::RecommendsImportant=0", "-o", "APT::AutoRemove::SuggestsImportant=0")
        plan = m.run(*APT, *only, "--simulate", "autoremove")
        free = [name for name in re.findall(r"^Remv (\S+)", plan, re.M) if name in brought]
        if free:
            m.run(*APT, "purge", *free, show=PROGRESS)
    displaced = available(m, [name for name in m.brought("displaced") if name not in installed(m)])
    if displaced:
        m.run(*APT, "install", "--no-install-recommends", *displaced, show=PROGRESS)
