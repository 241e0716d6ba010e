"""Findings from measurements of the computer: the Pi, its packages, display, disk and clock. Pure: measures nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from companion.hardware.doctor import Finding, Verdict, installing
from companion.hardware.kind import DeviceFile, Package
from companion.rules.message import Message, device

State = Literal["usable", "absent", "denied"]


@dataclass(frozen=True, slots=True)
class Computer:
    """The computer: its model ("" if it is no Pi), its processor, and whether its supply has sagged."""

    model: str
    processor: str
    sagged: bool = False


def machine(seen: Computer, pi: bool, usb: bool = False) -> Iterator[Finding]:
    """Yield the findings about the computer and its supply.

    `pi` says whether config.yaml expects a Raspberry Pi, `usb` whether the table has devices on USB, which need no Pi.
    """
    if not seen.model:
        if pi:
            yield Finding(
                "computer",
                "fail",
                Message("This is not a Raspberry Pi, but config.yaml says hardware: pi"),
                Message("Run this on the Pi, or set hardware to virtual"),
            )
        elif usb:
            yield Finding("computer", "pass", Message("{processor}, with devices on USB", processor=seen.processor))
        else:
            yield Finding("computer", "pass", Message("{processor}, with a virtual table", processor=seen.processor))
        return
    if seen.processor in ("armv6l", "armv7l"):
        yield Finding(
            "computer",
            "warn",
            Message("{model} with a 32-bit system ({processor})", model=seen.model, processor=seen.processor),
            Message("Install Raspberry Pi OS (64-bit): Kivy has no 32-bit package"),
        )
    else:
        yield Finding("computer", "pass", seen.model)
    if seen.sagged:
        yield Finding(
            "supply",
            "warn",
            Message("The 5 V supply has dipped since the Pi started"),
            Message("Use the Pi's own power supply and a short cable; otherwise readers lose their settings"),
        )
    elif pi:
        yield Finding("supply", "pass", Message("no dips seen"))


GPIO_CHIP = Message("Raspberry Pi OS creates this itself: update the system, and do not run in a container")


def file(part: str, seen: DeviceFile, state: State) -> Finding:
    """Return the finding on a device's file: whether it is there and this user can open it."""
    if state == "usable":
        return Finding(part, "pass", Message("{path} can be used", path=seen.path))
    if state == "absent":
        return Finding(part, "fail", Message("There is no {path}", path=seen.path), seen.absent)
    return Finding(part, "fail", Message("No permission to open {path}", path=seen.path), _join(seen.group))


def _join(group: str) -> Message:
    return Message("sudo usermod -aG {group} $USER, then log out and in again", group=group)


def packages(versions: Mapping[str, str], wanted: Iterable[Package], model: str) -> Iterator[Finding]:
    """Yield which wanted packages are missing or untried.

    `versions` maps each installed package to its version; names are in lower case with hyphens.
    """
    wanted = tuple(dict.fromkeys(wanted))
    yield from _installed(versions, [package.name for package in wanted], model)
    for package in wanted:
        version = versions.get(package.name, package.tried)
        if package.tried and version != package.tried:
            what = Message("{name} {version} has not been tried with this driver", name=package.name, version=version)
            yield Finding("packages", "warn", what, installing("--no-deps", f"{package.name}=={package.tried}"))


def _installed(versions: Mapping[str, str], wanted: Sequence[str], model: str) -> Iterator[Finding]:
    """Yield which wanted packages are installed or missing, and conflicts of rpi-lgpio with RPi.GPIO.

    Both provide the same module: only one may be installed, and only rpi-lgpio runs on every Pi.
    """
    rival = "rpi-gpio" in versions and "rpi-lgpio" in wanted
    missing = [name for name in wanted if name not in versions and not (name == "rpi-lgpio" and rival)]
    if missing:
        yield Finding("packages", "fail", Message("Not installed: {names}", names=", ".join(missing)), "make pi")
    if {"rpi-gpio", "rpi-lgpio"} <= versions.keys():
        yield Finding(
            "packages",
            "fail",
            Message("RPi.GPIO and rpi-lgpio are both installed: both provide the module RPi.GPIO"),
            Message(".venv/bin/pip uninstall -y RPi.GPIO rpi-lgpio, then make pi"),
        )
    elif rival:
        pi_5 = "Pi 5" in model
        lacking = Message("RPi.GPIO does not run on a Pi 5")
        unmeant = Message("RPi.GPIO is installed instead of rpi-lgpio")
        remedy = Message(".venv/bin/pip uninstall -y RPi.GPIO, then make pi")
        yield Finding("packages", "fail" if pi_5 else "warn", lacking if pi_5 else unmeant, remedy)
    elif not missing:
        found = ", ".join(f"{name} {versions[name]}" for name in wanted)
        yield Finding("packages", "pass", found or Message("none needed"))


def debian(missing: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding about the missing Debian packages that the readers need."""
    if missing:
        names = " ".join(missing)
        what = Message("Not installed: {names}", names=", ".join(missing))
        yield Finding("packages", "fail", what, Message("sudo apt install {names}", names=names))


def folder(path: str, writable: bool) -> Finding:
    """Return the finding on the working directory.

    lgpio makes a pipe there, and cannot be imported where that fails.
    """
    if writable:
        return Finding("folder", "pass", Message("{path} is writable, as lgpio needs", path=path))
    return Finding(
        "folder",
        "fail",
        Message("lgpio needs a writable working directory, but {path} is read-only", path=path),
        Message("Start in your home directory (for a service: WorkingDirectory=)"),
    )


def pins(claims: Mapping[int, str] | None, wanted: Mapping[int, str]) -> Iterator[Finding]:
    """Yield which wanted pins another program holds.

    `claims` maps the BCM number of each pin that others hold to its holder; None if only root may know. `wanted` maps
    each of our pins to its use.
    """
    if claims is None:
        secret = Message("Only root can see who else holds pins; each is tried below instead")
        yield Finding("pins", "pass", secret)
        return
    taken = [(pin, use) for pin, use in wanted.items() if pin in claims]
    for pin, use in taken:
        yield Finding(
            "pins",
            "fail",
            Message("GPIO {pin} ({use}) is already in use by “{holder}”", pin=pin, use=device(use), holder=claims[pin]),
            Message("Stop the other program, remove its line from /boot/firmware/config.txt, or wire another pin"),
        )
    if not taken:
        free = Message("nothing else holds our pins ({count})", count=len(wanted))
        yield Finding("pins", "pass", free)


def settings(used: Path | None, others: Mapping[Path, bool]) -> Iterator[Finding]:
    """Yield which config.yaml is in use and which others are not.

    `others` maps each unused file to whether it is an edited one that was shipped with the program.
    """
    none = Message("no config.yaml of your own: the defaults apply")
    yield Finding("settings", "pass", Message("{path} is in use", path=used.absolute()) if used else none)
    for path, shipped in others.items():
        what = Message("{path} is not in use", path=path.absolute())
        remedy = Message("Copy what you need from it into the file in use") if shipped else ""
        yield Finding("settings", "warn" if shipped else "pass", what, remedy)


# -- display, disk, clock ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Display:
    """The display of the computer.

    `connected` are its screens ("HDMI-A-1 1920x1080"), `session` is the desktop's session ("" without one), and
    `graphics` the graphics device's file.
    """

    connected: tuple[str, ...]
    session: str
    graphics: str
    state: State


def display(seen: Display, pi: bool) -> Finding:
    desktop = Message("under {session}", session=seen.session)
    where = desktop if seen.session else Message("without a desktop")
    if not seen.connected and not seen.session:
        return Finding(
            "display",
            "fail" if pi else "warn",
            Message("No display is connected"),
            Message("Plug it in; a ribbon cable only while the Pi is off, its contacts facing the board"),
        )
    if not seen.session and seen.state == "denied":
        denied = Message("No permission to open {path}", path=seen.graphics)
        return Finding("display", "fail", denied, _join("video,render"))
    screens = ", ".join(seen.connected) or Message("a window")
    return Finding("display", "pass", Message("{screens}, {where}", screens=screens, where=where))


def window(lacking: Mapping[str, str], renderer: str, fault: str) -> Iterator[Finding]:
    """Yield whether a window can be drawn.

    `lacking` maps each missing library to the package that brings it. `renderer` drew a hidden test window, and `fault`
    says what went wrong with that window.
    """
    for library, package in lacking.items():
        needs = Message("The window needs {library}, which cannot be loaded", library=library)
        yield Finding("window", "fail", needs, Message("sudo apt install {names}", names=package))
    if fault:
        what = Message("No window can be drawn: {fault}", fault=fault)
        all_of_it = "libgl1 libegl1 libgles2 libgl1-mesa-dri"
        yield Finding("window", "fail", what, Message("sudo apt install {names}", names=all_of_it))
    elif renderer:
        yield Finding("window", "pass", Message("drawn by {renderer}", renderer=renderer))


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk that holds the games: its file system, the free space in MB, and the times of safe writes in ms."""

    path: str
    fault: str = ""
    system: str = ""
    free: int = 0
    times: tuple[float, ...] = ()


LEAST_MB, FEW_MB = 20, 200
SLOW_MS, STUCK_MS = 100, 1000
"""The screen waits for the disk: above the first every tap feels slow, above the second nobody can play."""
IN_MEMORY = ("overlay", "tmpfs", "ramfs")


def disk(seen: Disk) -> Iterator[Finding]:
    if seen.fault:
        yield Finding(
            "disk",
            "fail",
            Message("{path} cannot be written to: {fault}", path=seen.path, fault=seen.fault),
            Message("Make it writable, or set data in config.yaml to a folder that is"),
        )
        return
    verdict: Verdict = "fail" if seen.free < LEAST_MB else "warn" if seen.free < FEW_MB else "pass"
    room = Message("Free some space: a game takes less than 1 MB, but the system needs room too")
    what = Message("{free} MB free for {path}", free=seen.free, path=seen.path)
    yield Finding("disk", verdict, what, "" if verdict == "pass" else room)
    if seen.system in IN_MEMORY:
        yield Finding(
            "disk",
            "warn",
            Message("{path} is on {system}: a power cut may lose all games", path=seen.path, system=seen.system),
            Message("Set data to a separate, writable partition (ext4) or a USB stick"),
        )
    times = sorted(seen.times)
    middle, most = times[len(times) // 2], times[-1]
    verdict = "fail" if middle > STUCK_MS else "warn" if most > SLOW_MS else "pass"
    slow = Message("An A2 card, a USB stick or an SSD is faster; a card that is wearing out slows down first")
    what = Message("a safe write takes {middle:.1f} ms, {most:.1f} ms at most", middle=middle, most=most)
    yield Finding("disk", verdict, what, "" if verdict == "pass" else slow)


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """The clock's time and the newest time of a file here, both in s, and whether a time server set the clock."""

    now: float
    written: float
    synchronised: bool


def clock(seen: TimeOfDay, says: str) -> Finding:
    """Return the finding on the clock: whether its time can be right. `says` is its time in words."""
    if seen.now < seen.written - 86_400:
        return Finding(
            "clock",
            "warn",
            Message("The clock says {time}, but files here are newer", time=says),
            Message("Put the Pi online once, or run: sudo date -s '2026-12-31 20:00'"),
        )
    if seen.synchronised:
        return Finding("clock", "pass", Message("{time}, set by a time server", time=says))
    what = Message("{time}, not set by a time server since starting", time=says)
    return Finding("clock", "pass", what, Message("Is the time right?"))
