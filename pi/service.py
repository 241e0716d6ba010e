"""The files that systemd, udev and polkit read, the command `tabularium`, and the service itself."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from companion.system.files import held
from companion.system.service import WAITING
from drivers import installed
from pi import boot, program
from pi.account import USER
from pi.machine import OURS, Failed, Machine
from pi.steps import InstallStep

UNIT, PATH, TRIAL = f"{USER}.service", f"{USER}-update.path", f"{USER}-trial.service"
UPDATE = f"{USER}-update.service"
FILES = {name: f"/{place}" for name, place in installed.FILES.items()}
"""Where each file of pi/files is installed."""
WANTED = f"/{installed.WANTED}"
BESIDE = [str(Path(WANTED).with_name(name)) for name in installed.BESIDE]
"""The other units that start with the Pi."""
RUN = "/run/tabularium-update"
ASKED = f"{RUN}/asked"
"""The folder of the table's user for requests for updates."""
PLAYING = f"{ASKED}/game"
"""A file that the table locks while a game is on."""
DESKTOP = "/etc/systemd/system/display-manager.service"
LOOK_S = 0.5
"""Seconds between two looks at a start."""
State = Literal["running", "off", "died"]
"""The state of the service; it is also off while it waits for a display."""
WAITS = "The table is {waiting}. It starts by itself as soon as possible; for its status: systemctl status tabularium"
LOG = "Its log: journalctl -u tabularium -b -n 50. To find the cause: tabularium doctor"
HAS_DESKTOP = (
    "This system starts a desktop, but the table needs the screen for itself. To start without a desktop:"
    " sudo systemctl set-default multi-user.target, then sudo reboot"
)


def files(m: Machine, this: str) -> InstallStep:
    return InstallStep(
        f"service, udev rules, power rule, rules for USB readers and command: {', '.join(FILES.values())}",
        f"remove {', '.join(FILES.values())}",
        done=lambda: all(_same(m, this, name) for name in FILES),
        there=lambda: any(m.at(place).exists() for place in FILES.values()),
        do=partial(put, m, this),
        undo=partial(_take, m),
    )


def start(m: Machine, this: str) -> InstallStep:
    return InstallStep(
        f"{program.CURRENT} is {this}; the table starts with the Pi, and now",
        "stop the table; it no longer starts with the Pi",
        done=lambda: program.current(m) == this and _wanted(m) and (waits(m) or running(m)),
        there=lambda: m.at(WANTED).is_symlink() or m.at(program.CURRENT).is_symlink() or (m.booted and running(m)),
        do=partial(_start, m, this),
        undo=partial(_stop, m),
        remedy=LOG,
        lacks=lambda: _lacks(m),
    )


def _lacks(m: Machine) -> str:
    """Return why the table is not visible although it was started, "" if it is."""
    if m.at(DESKTOP).is_symlink():
        return HAS_DESKTOP
    said = _shown(m).get("StatusText", "") if m.booted else ""
    return WAITS.format(waiting=said) if said.startswith(WAITING) else ""


def shipped(m: Machine, this: str, name: str) -> str:
    """Return one of our files as this version ships it, else from the source: a new version may not be there yet."""
    there = m.at(f"{OURS}/{this}/pi/files/{name}")
    return (there if there.exists() else m.source / "pi/files" / name).read_text(encoding="utf-8")


def _same(m: Machine, this: str, name: str) -> bool:
    return m.text(FILES[name]) == shipped(m, this, name)


def put(m: Machine, this: str) -> None:
    """Put the files of this version in their places, and reload them."""
    for name, place in FILES.items():
        if not _same(m, this, name):  # on a full disk, writing less is better
            m.write(place, shipped(m, this, name), mode=0o755 if name == "tabularium" else 0o644)
    _read(m)


def _take(m: Machine) -> None:
    for place in FILES.values():
        m.remove(place)
    _read(m)


def _read(m: Machine) -> None:
    if m.booted:
        m.run("systemctl", "daemon-reload")
        if m.at(folders := FILES["tabularium-update.conf"]).exists():
            m.run("systemd-tmpfiles", "--create", folders)
        m.run("udevadm", "control", "--reload")
        m.run("udevadm", "trigger", "--subsystem-match=tty", "--subsystem-match=spidev", "--subsystem-match=gpio")


def _wanted(m: Machine) -> bool:
    return all(m.at(place).is_symlink() for place in (WANTED, *BESIDE))


def running(m: Machine) -> bool:
    return m.succeeds("systemctl", "is-active", "--quiet", UNIT)


def waits(m: Machine) -> bool:
    """Return whether the table cannot start now: without systemd, before a restart of the Pi, or beside a desktop."""
    return not m.booted or not boot.ready(m) or m.at(DESKTOP).is_symlink()


def _start(m: Machine, this: str) -> None:
    program.use(m, this)
    if not program.good(m):
        program.trust(m, this)
    below = () if m.root == Path("/") else ("--root", str(m.root))
    m.run("systemctl", *below, "enable", "--quiet", UNIT, *installed.BESIDE)
    if m.booted:
        m.run("systemctl", "start", PATH)
    if not waits(m):
        first_frame(m)


def first_frame(m: Machine) -> None:
    """Start the service; it counts as started with its first frame. Raises Failed if there is none in time.

    Without a display it counts as started as soon as it waits for one: that is no version's fault. Where no systemd
    runs, as while an image is built, there is nothing to start.
    """
    if not m.booted:
        return
    m.succeeds("systemctl", "reset-failed", UNIT)  # it may have failed too often, and gets another chance
    # To systemd a start that it repeats (RestartMode=direct) is one job, which never ends: so nobody waits for that.
    m.run("systemctl", "restart", "--no-block", UNIT)
    while (seen := seen_first_frame(_shown(m))) is None:
        time.sleep(LOOK_S)
    if not seen:
        raise Failed("The table did not show its first frame.", LOG)


def end(m: Machine) -> None:
    """Stop the service, also one that systemd is about to restart."""
    if m.booted:
        m.succeeds("systemctl", "stop", UNIT)


def state(m: Machine) -> State:
    """Return the state of the service."""
    return judged(_shown(m) if m.booted else {})


def seen_first_frame(shown: Mapping[str, str]) -> bool | None:
    """Return from systemctl's output whether a start has ended with the first frame, or in waiting for a display.

    None: not yet.

    >>> seen_first_frame({"ActiveState": "activating", "NRestarts": "0", "Job": "812"})
    >>> seen_first_frame({"ActiveState": "activating", "NRestarts": "1", "Job": "812"})
    False
    >>> seen_first_frame({"ActiveState": "active", "NRestarts": "0"})
    True
    """
    if judged(shown) == "died":
        return False
    return None if shown.get("Job", "0") not in ("", "0") else shown.get("ActiveState") == "active"


def _shown(m: Machine) -> Mapping[str, str]:
    said = m.run("systemctl", "show", "--property=ActiveState,NRestarts,StatusText,Job", UNIT)
    return dict(line.split("=", 1) for line in said.splitlines() if "=" in line)


def judged(shown: Mapping[str, str]) -> State:
    """Return the state of the service from systemctl's output.

    It has died where systemd had to start it again, or has given up. While it waits for a display it has not proven
    anything yet, and is not to blame.

    >>> judged({"ActiveState": "active", "NRestarts": "0", "StatusText": "waiting for a display"})
    'off'
    """
    if shown.get("NRestarts", "0") != "0" or shown.get("ActiveState") == "failed":
        return "died"
    waits = shown.get("StatusText", "").startswith(WAITING)
    return "running" if shown.get("ActiveState") == "active" and not waits else "off"


def playing(m: Machine) -> bool:
    """Return whether a game is on: the table holds a lock meanwhile, which ends with its process."""
    try:
        number = os.open(m.at(PLAYING), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return held(number)
    finally:
        os.close(number)


def tried(m: Machine) -> None:
    """Start the watch over the new version."""
    if m.booted:
        m.succeeds("systemctl", "reset-failed", TRIAL)  # earlier failures must not prevent the watch
        m.run("systemctl", "start", "--no-block", TRIAL)


@dataclass(frozen=True, slots=True)
class Table:
    """The table at work, for the code that replaces its program. `start` raises Failed without a first frame."""

    start: Callable[[Machine], object] = first_frame
    end: Callable[[Machine], object] = end
    state: Callable[[Machine], State] = state
    playing: Callable[[Machine], bool] = playing
    tried: Callable[[Machine], object] = tried


SERVICE = Table()


def _stop(m: Machine) -> None:
    end(m)
    if m.booted:
        m.succeeds("systemctl", "start", "getty@tty1.service")  # the login prompt that the table had replaced
        m.run("systemctl", "stop", PATH, UPDATE, TRIAL)
    for place in (WANTED, *BESIDE):
        m.remove(place)
    with suppress(OSError):  # it existed before, or has other links
        m.at(WANTED).parent.rmdir()
    for link in (program.CURRENT, program.GOOD, RUN):
        m.remove(link)
