"""What was measured on the computer, as findings: the Pi, its packages, display, disk and clock. Pure; asks nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from companion.doctor import Finding, Verdict

State = Literal["usable", "absent", "denied"]


@dataclass(frozen=True, slots=True)
class Machine:
    """The computer: what it calls itself ("" if it is no Pi), its processor, and whether its supply has sagged."""

    model: str
    processor: str
    sagged: bool = False


def machine(seen: Machine, pi: bool) -> Iterator[Finding]:
    """`pi` says whether config.yaml expects a Raspberry Pi."""
    if not seen.model:
        if pi:
            yield Finding(
                "computer",
                "fail",
                "This is no Raspberry Pi, but config.yaml says hardware: pi",
                "Run it on the Pi, or set hardware to virtual",
            )
        else:
            yield Finding("computer", "pass", f"{seen.processor}, with a virtual table")
        return
    if seen.processor in ("armv6l", "armv7l"):
        yield Finding(
            "computer",
            "warn",
            f"{seen.model} with a 32-bit system ({seen.processor})",
            "Install Raspberry Pi OS (64 bit): there is no Kivy package for 32 bit",
        )
    else:
        yield Finding("computer", "pass", seen.model)
    if seen.sagged:
        yield Finding(
            "supply",
            "warn",
            "The 5 V supply has sagged since the Pi was started",
            "Use the Pi's own power supply and a short cable: readers lose their settings otherwise",
        )
    elif pi:
        yield Finding("supply", "pass", "no dip has been noticed")


@dataclass(frozen=True, slots=True)
class Node:
    """A device file and whether this user can use it."""

    path: str
    state: State


REMEDIES = {
    "spidev0": "Switch SPI on: sudo raspi-config, Interface Options, SPI; then restart the Pi",
    "spidev1": "Add the line dtoverlay=spi1-3cs to /boot/firmware/config.txt and restart the Pi",
    "gpiochip": "Raspberry Pi OS makes it by itself: update the system, and start it without a container",
}
GROUPS = {"spidev": "spi", "gpiochip": "gpio", "dri": "video,render"}


def node(part: str, seen: Node) -> Finding:
    if seen.state == "usable":
        return Finding(part, "pass", f"{seen.path} can be used")
    if seen.state == "absent":
        remedy = next(remedy for name, remedy in REMEDIES.items() if name in seen.path)
        return Finding(part, "fail", f"There is no {seen.path}", remedy)
    return Finding(part, "fail", f"{seen.path} may not be opened", _join(seen.path))


def _join(path: str) -> str:
    group = next(group for name, group in GROUPS.items() if name in path)
    return f"sudo usermod -aG {group} $USER, then log out and in again"


def packages(versions: Mapping[str, str], readers: bool, pins: bool, model: str) -> Iterator[Finding]:
    """`versions` of what is installed, by names in lower case with hyphens; `readers` and `pins` say what is wired."""
    wanted = [*(("mfrc522", "spidev") if readers else ()), *(("lgpio",) if pins else ())]
    missing = [name for name in wanted if name not in versions]
    gpio = [name for name in ("rpi-gpio", "rpi-lgpio") if name in versions]
    if readers and not gpio:
        missing.append("rpi-lgpio")
    if missing:
        yield Finding("packages", "fail", f"Not installed: {', '.join(missing)}", "make pi")
    if len(gpio) == 2:
        yield Finding(
            "packages",
            "fail",
            "RPi.GPIO is installed beside rpi-lgpio: both are the module RPi.GPIO",
            ".venv/bin/pip uninstall -y RPi.GPIO rpi-lgpio, then make pi",
        )
    elif gpio == ["rpi-gpio"] and readers:
        pi_5 = "Pi 5" in model
        what = "RPi.GPIO does not run on a Pi 5" if pi_5 else "RPi.GPIO is installed where rpi-lgpio is meant to be"
        yield Finding("packages", "fail" if pi_5 else "warn", what, ".venv/bin/pip uninstall -y RPi.GPIO, then make pi")
    elif not missing:
        told = ", ".join(f"{name} {versions[name]}" for name in (*wanted, *(gpio if readers else ())))
        yield Finding("packages", "pass", told or "none is needed")
    if readers and versions.get("mfrc522", TRIED) != TRIED:
        yield Finding(
            "packages",
            "warn",
            f"mfrc522 {versions['mfrc522']} was never tried with this driver",
            f".venv/bin/pip install --no-deps mfrc522=={TRIED}",
        )


TRIED = "0.0.7"


def folder(path: str, writable: bool) -> Finding:
    """lgpio makes a pipe in the working directory and cannot be imported without."""
    if writable:
        return Finding("folder", "pass", f"{path} can be written to, as lgpio needs")
    return Finding(
        "folder",
        "fail",
        f"lgpio needs a working directory it can write to, and {path} is none",
        "Start in your home directory (a service: WorkingDirectory=)",
    )


def pins(claims: Mapping[int, str] | None, wanted: Mapping[int, str]) -> Iterator[Finding]:
    """`claims` are the pins others hold, by BCM number; None if only root may know. `wanted` says what each is for."""
    if claims is None:
        yield Finding("pins", "pass", "Who else holds pins, only root may ask; each is opened below instead")
        return
    taken = [(pin, use) for pin, use in wanted.items() if pin in claims]
    for pin, use in taken:
        yield Finding(
            "pins",
            "fail",
            f"GPIO {pin} ({use}) is held by {claims[pin]!r} already",
            "End the other program or take its line out of /boot/firmware/config.txt; or wire another pin",
        )
    if not taken:
        yield Finding("pins", "pass", f"none of our {len(wanted)} pins is held by anybody else")


# -- display, disk, clock ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Display:
    """What is connected ("HDMI-A-1 1920x1080"), the desktop's session ("" without one), and the graphics device."""

    connected: tuple[str, ...]
    session: str
    graphics: Node


def display(seen: Display, pi: bool) -> Finding:
    where = f"under {seen.session}" if seen.session else "without a desktop"
    if not seen.connected and not seen.session:
        return Finding(
            "display",
            "fail" if pi else "warn",
            "No display is connected",
            "Plug it in before the Pi is started; a ribbon cable's contacts face the board",
        )
    if not seen.session and seen.graphics.state == "denied":
        return Finding("display", "fail", f"{seen.graphics.path} may not be opened", _join(seen.graphics.path))
    return Finding("display", "pass", f"{', '.join(seen.connected) or 'a window'}, {where}")


@dataclass(frozen=True, slots=True)
class Disk:
    """Where games are kept: its file system, what is free in MB, and what it took to write safely, in ms."""

    path: str
    fault: str = ""
    system: str = ""
    free: int = 0
    times: tuple[float, ...] = ()


LEAST_MB, FEW_MB = 20, 200
SLOW_MS, STUCK_MS = 100, 1000
"""The screen follows the disk: above the first every tap is felt to wait, above the second nobody can play."""
IN_MEMORY = ("overlay", "tmpfs", "ramfs")


def disk(seen: Disk) -> Iterator[Finding]:
    if seen.fault:
        yield Finding(
            "disk",
            "fail",
            f"{seen.path} cannot be written to: {seen.fault}",
            "Make it writable, or set data in config.yaml to a folder that is",
        )
        return
    verdict: Verdict = "fail" if seen.free < LEAST_MB else "warn" if seen.free < FEW_MB else "pass"
    room = "" if verdict == "pass" else "Make room: a game takes less than 1 MB, but the system needs some too"
    yield Finding("disk", verdict, f"{seen.free} MB are free for {seen.path}", room)
    if seen.system in IN_MEMORY:
        yield Finding(
            "disk",
            "warn",
            f"{seen.path} is on {seen.system}: all games may be lost when the power goes",
            "Set data to a partition of its own that is written to (ext4), or a USB stick",
        )
    times = sorted(seen.times)
    middle, most = times[len(times) // 2], times[-1]
    verdict = "fail" if middle > STUCK_MS else "warn" if most > SLOW_MS else "pass"
    slow = "" if verdict == "pass" else "An A2 card, a USB stick or an SSD answers sooner; a worn card is slow at first"
    yield Finding("disk", verdict, f"a safe write takes {middle:.1f} ms, at most {most:.1f} ms", slow)


@dataclass(frozen=True, slots=True)
class Clock:
    """What the clock says, the day something here was last written, both in s, and whether a time server set it."""

    now: float
    written: float
    synchronised: bool


def clock(seen: Clock, told: str) -> Finding:
    """`told` is what the clock says, in words."""
    if seen.now < seen.written - 86_400:
        return Finding(
            "clock",
            "warn",
            f"It says {told}, and files here are younger",
            "Let the Pi go online once, or: sudo date -s '2026-12-31 20:00'",
        )
    sure = "set by a time server" if seen.synchronised else "not set by a time server since the start"
    return Finding("clock", "pass", f"{told}, {sure}", "" if seen.synchronised else "Is the time right?")
