"""Asks a Pi what was installed on it, below a root directory, "/" on a real one."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from companion.hardware.doctor.installation import Installed
from companion.system.service import WAITING
from drivers import ROOT, boot

PROGRAM = "opt/tabularium/current"
UNIT = "etc/systemd/system/tabularium.service"
FILES = {
    "tabularium.service": UNIT,
    "70-tabularium.rules": "etc/udev/rules.d/70-tabularium.rules",
    "50-tabularium-power.rules": "etc/polkit-1/rules.d/50-tabularium-power.rules",
    "50-tabularium-readers.rules": "etc/polkit-1/rules.d/50-tabularium-readers.rules",
    "tabularium-readers.conf": "etc/modprobe.d/tabularium-readers.conf",
    "tabularium-update.path": "etc/systemd/system/tabularium-update.path",
    "tabularium-update.service": "etc/systemd/system/tabularium-update.service",
    "tabularium-trial.service": "etc/systemd/system/tabularium-trial.service",
    "tabularium-update.conf": "etc/tmpfiles.d/tabularium-update.conf",
    "tabularium": "usr/local/bin/tabularium",
}
"""The place of each of pi/files, below the root."""
WANTED = "etc/systemd/system/multi-user.target.wants/tabularium.service"
BESIDE = ("tabularium-update.path", "tabularium-trial.service")
"""Further units started with the Pi."""
Ask = Callable[..., str]
"""Runs a command and returns its output, "" if it cannot be run."""


def ask(*words: str) -> str:
    try:
        return subprocess.run(words, check=False, capture_output=True, text=True, timeout=5).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def installed(root: Path, needed: Iterable[str] = (), asked: Ask = ask) -> Installed | None:
    """Return what was installed, None if nothing was.

    `needed` are the lines that config.yaml needs in the boot configuration.
    """
    program = root / PROGRAM
    if not program.is_symlink():
        return None
    shipped = program.parent / program.readlink().name
    said = asked("systemctl", "show", "--property=ActiveState,NRestarts,StatusText", "tabularium")
    service = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    restarts = service.get("NRestarts", "")
    return Installed(
        program.readlink().name,
        tuple(f"/{place}" for name, place in FILES.items() if _is_changed(root / place, shipped / "pi/files" / name)),
        _missing_groups(root),
        (root / WANTED).is_symlink(),
        service.get("ActiveState", ""),
        int(restarts) if restarts.isdecimal() else 0,
        service.get("StatusText", "").startswith(WAITING),
        boot.lacking(_text(root / boot.FILE.lstrip("/")), needed),
        int(_text(root / "sys/module/kernel/parameters/consoleblank").strip() or 0),
        _throttled(root, asked),
    )


def _missing_groups(root: Path) -> tuple[str, ...]:
    """Return the groups that the service's unit grants and its user lacks: `tabularium doctor` would lack them."""
    wanted = re.findall(r"^SupplementaryGroups=(.*)", _text(root / UNIT), re.M)
    rows = [line.split(":") for line in _text(root / "etc/group").splitlines()]
    has = {row[0] for row in rows if len(row) > 3 and "tabularium" in row[3].split(",")}
    return tuple(group for line in wanted for group in line.split() if group not in has)


def reachable(asked: Ask = ask) -> Sequence[str] | None:
    """Return the networks that the table's service may reach, None where it may reach any or is not installed."""
    said = asked("systemctl", "show", "--property=IPAddressAllow,IPAddressDeny", "tabularium")
    rules = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    return rules.get("IPAddressAllow", "").split() if rules.get("IPAddressDeny") else None


def asleep(root: Path = ROOT, asked: Ask = ask) -> bool:
    """Return whether Wi-Fi saves power, as `iw` says; False where `iw` is not installed."""
    there = [path.parent.name for path in root.glob("sys/class/net/*/wireless")]
    return any(asked("/usr/sbin/iw", "dev", name, "get", "power_save").endswith(" on") for name in there)


def _throttled(root: Path, asked: Ask) -> int:
    """Return the firmware's throttling bits, from the kernel or else from the firmware's own tool."""
    for path in root.glob("sys/devices/platform/soc*/soc*firmware/get_throttled"):
        return int(_text(path).strip() or "0", 16)
    said = re.search(r"throttled=0x([0-9a-fA-F]+)", asked("vcgencmd", "get_throttled"))
    return int(said[1], 16) if said else 0


def _is_changed(path: Path, shipped: Path) -> bool:
    """Return whether a file differs from the shipped one; False for one that may not be read, as polkit's rules."""
    try:
        return path.read_text(encoding="utf-8", errors="replace") != _text(shipped)
    except PermissionError:
        return False
    except OSError:
        return True


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
