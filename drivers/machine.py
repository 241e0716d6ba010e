"""Questions to the computer, each below a root directory, "/" on a real one."""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import distributions
from pathlib import Path

from companion.hardware.doctor.computer import GPIO_CHIP, Computer, Disk, Display, State, TimeOfDay
from companion.hardware.kind import DeviceFile
from companion.rules.message import system_error
from drivers import ROOT

Allowed = Callable[[Path], bool]
SYNCS = 12
"""The number of safe writes that are timed."""


def may_use(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)


def machine(root: Path = ROOT, processor: str | None = None) -> Computer:
    model = _read(root / "proc/device-tree/model").rstrip("\0")
    return Computer(model if model.startswith("Raspberry Pi") else "", processor or platform.machine(), sags(root))


def sags(root: Path = ROOT) -> bool:
    """Return whether a Pi's kernel reports that the voltage is too low.

    The sensor is looked for anew each time: its number may change, and its driver may load late.
    """
    return any(
        _read(alarm) == "1" and _read(alarm.with_name("name")) == "rpi_volt"
        for alarm in root.glob("sys/class/hwmon/*/in0_lcrit_alarm")
    )


def state(path: str, root: Path = ROOT, allowed: Allowed = may_use) -> State:
    """Return the state of a device's file, given its usual path, such as "/dev/spidev0.0"."""
    here = root / path.lstrip("/")
    return "absent" if not here.exists() else "usable" if allowed(here) else "denied"


def gpio_chip(root: Path = ROOT, allowed: Allowed = may_use) -> tuple[DeviceFile, State]:
    """Return the chip that gpiozero opens for the header, and its state.

    A Pi 5 has its header on chip 4 with older kernels, and on chip 0, like all others, with newer ones. Elsewhere chip
    4 is something else, such as an expander (gpiozero 2.0.1, pins/lgpio.py).
    """
    five = machine(root).model.startswith("Raspberry Pi 5 ")
    older, usual = (DeviceFile(f"/dev/gpiochip{number}", GPIO_CHIP, "gpio") for number in (4, 0))
    chip = older if five and state(older.path, root, allowed) != "absent" else usual
    return chip, state(chip.path, root, allowed)


def packages(folders: Iterable[str] | None = None) -> dict[str, str]:
    """Return the installed packages with their versions; `folders` to look in, else where Python looks."""
    found = distributions() if folders is None else distributions(path=list(folders))
    named = ((package.metadata["Name"], package.version) for package in found)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in named if name}


def not_installed(names: Iterable[str], root: Path = ROOT) -> list[str]:
    """Return those of Debian's packages that are not installed; none where the system is not of Debian's kind."""
    info = root / "var/lib/dpkg/info"
    if not info.is_dir():
        return []
    return [name for name in names if not (info / f"{name}.list").exists() and not any(info.glob(f"{name}:*.list"))]


def claims(root: Path = ROOT) -> dict[int, str] | None:
    """Return the holder of each pin (BCM number); None where the kernel's list cannot be read, as by any user but root.

    The list has lines such as " gpio-529 (GPIO17 |w1) in hi".
    """
    try:
        text = (root / "sys/kernel/debug/gpio").read_text(encoding="utf-8")
    except OSError:
        return None
    lines = re.findall(r"\((?:\w+/)?GPIO(\d+)\s*\|([^)]*)\)", text)
    return {int(pin): holder.strip() for pin, holder in lines if holder.strip()}


def display(environment: Mapping[str, str], root: Path = ROOT, allowed: Allowed = may_use) -> Display:
    connected = [
        f"{status.parent.name.partition('-')[2]} {_read(status.with_name('modes')).partition(chr(10))[0]}".strip()
        for status in sorted(root.glob("sys/class/drm/card*-*/status"))
        if _read(status) == "connected"
    ]
    session = "Wayland" if environment.get("WAYLAND_DISPLAY") else "X11" if environment.get("DISPLAY") else ""
    cards = sorted(path.name for path in root.glob("dev/dri/card*"))
    graphics = f"/dev/dri/{cards[0] if cards else 'card0'}"
    return Display(tuple(connected), session, graphics, state(graphics, root, allowed))


def disk(
    folder: Path,
    root: Path = ROOT,
    sync: Callable[[int], object] = os.fsync,
    clock: Callable[[], float] = time.perf_counter,
) -> Disk:
    """Write a small file a few times over, with a sync each, and time that; the file is gone afterwards."""
    times = []
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # this may be the first program to need it
        with tempfile.TemporaryFile(dir=folder) as file:
            for _ in range(SYNCS):
                began = clock()
                file.write(bytes(4096))
                file.flush()
                sync(file.fileno())
                times.append(1000 * (clock() - began))
        free = shutil.disk_usage(folder).free // 1_000_000
    except OSError as error:
        return Disk(str(folder), system_error(error))
    return Disk(str(folder), "", _file_system(folder, root), free, tuple(times))


def _file_system(folder: Path, root: Path) -> str:
    """Return the file system of the deepest mount that holds the folder."""
    mounts = [line.split()[1:3] for line in _read(root / "proc/mounts").splitlines() if len(line.split()) > 2]
    holding = [(len(at), kind) for at, kind in mounts if folder.resolve().is_relative_to(at)]
    return max(holding, default=(0, ""))[1]


def clock(written: Iterable[Path], root: Path = ROOT, wall: Callable[[], float] = time.time) -> TimeOfDay:
    """Return the time of day as the computer has it; `written` are our own files, which are no younger than today."""
    youngest = max((path.stat().st_mtime for path in written if path.exists()), default=0.0)
    return TimeOfDay(wall(), youngest, (root / "run/systemd/timesync/synchronized").exists())


def _read(path: Path) -> str:
    """Return a file's text without its end of line, "" if there is none to read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
