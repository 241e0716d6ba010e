"""The user that the program runs as, the groups that may use the devices, and the program's folders."""

from __future__ import annotations

import os
import shutil
from functools import partial
from pathlib import Path

from pi.machine import Machine
from pi.steps import InstallStep

USER = "tabularium"
GROUPS = ("spi", "gpio", "dialout", "video", "render", "input", "audio")
"""Readers, pins, hubs, the screen (two), fingers, sound."""
DATA = "/var/lib/tabularium"
CONFIG = "/etc/tabularium"
CACHE = "/var/cache/tabularium"
KEPT = f"{DATA}/config"
"""Where config.yaml and its earlier copies wait for the next installation."""


def user(m: Machine) -> InstallStep:
    return InstallStep(
        f"the user {USER}, in the groups {', '.join(GROUPS)} (missing ones are created)",
        f"take {USER} out of its groups, and remove those that were created; the user stays as long as there is data",
        done=lambda: USER in ids(m, "passwd") and all(USER in members(m).get(group, ()) for group in GROUPS),
        there=lambda: any(USER in people for people in members(m).values()) or bool(made(m)),
        do=partial(_enter, m),
        undo=partial(_leave, m),
    )


def places(m: Machine) -> InstallStep:
    return InstallStep(
        f"{CONFIG} for config.yaml and {DATA} for the games",
        f"remove {CONFIG}; the data in {DATA} stays, and config.yaml is moved there",
        done=lambda: all(_owned(m, path) for path in (CONFIG, DATA)),
        there=lambda: m.at(CONFIG).exists() or m.at(CACHE).exists() or _empty(m.at(DATA)),
        do=partial(_settle, m),
        undo=partial(_clear, m),
    )


def ids(m: Machine, file: str) -> dict[str, tuple[int, int]]:
    """Return the names of users or groups with their two numbers (a group has one)."""
    rows = [line.split(":") for line in m.text(f"/etc/{file}").splitlines()]
    return {row[0]: (int(row[2]), int(row[3] if file == "passwd" else row[2])) for row in rows if len(row) > 3}


def members(m: Machine) -> dict[str, list[str]]:
    """Return the members of each group, besides the users whose own group it is."""
    rows = [line.split(":") for line in m.text("/etc/group").splitlines()]
    return {row[0]: [name for name in row[3].split(",") if name] for row in rows if len(row) > 3}


def made(m: Machine) -> list[str]:
    """Return the groups that the installer made and that still exist."""
    return [group for group in m.brought("groups") if group in members(m)]


def own(m: Machine, path: Path) -> None:
    """Make a file or folder the user's."""
    os.chown(path, *ids(m, "passwd")[USER])


def _prefix(m: Machine) -> tuple[str, ...]:
    return () if m.root == Path("/") else ("--prefix", str(m.root))


def _enter(m: Machine) -> None:
    missing = [group for group in GROUPS if group not in members(m)]
    for group in missing:
        m.run("groupadd", *_prefix(m), "--system", group)
        m.note(groups=[group])
    if USER not in ids(m, "passwd"):
        home = ("--home-dir", DATA, "--no-create-home", "--shell", "/usr/sbin/nologin")
        m.run("useradd", *_prefix(m), "--system", "--user-group", *home, "--comment", "Tabularium", USER)
    m.run("usermod", *_prefix(m), "--append", "--groups", ",".join(GROUPS), USER)


def _leave(m: Machine) -> None:
    if not m.at(DATA).exists():
        m.run("userdel", *_prefix(m), USER)
        if USER in members(m):
            m.run("groupdel", *_prefix(m), USER)
    elif USER in ids(m, "passwd"):
        m.run("usermod", *_prefix(m), "--groups", "", USER)
    for group in made(m):
        m.run("groupdel", *_prefix(m), group)


# -- folders -----------------------------------------------------------------------------------------------------------


def _owned(m: Machine, path: str) -> bool:
    there = m.at(path)
    return there.is_dir() and USER in ids(m, "passwd") and there.stat().st_uid == ids(m, "passwd")[USER][0]


def _empty(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def _settle(m: Machine) -> None:
    for path in (CONFIG, DATA):
        m.folder(path)
        m.at(path).chmod(0o700 if path == DATA else 0o755)
        own(m, m.at(path))
    _move(m, KEPT, CONFIG)


def _clear(m: Machine) -> None:
    _move(m, CONFIG, KEPT)
    m.remove(CONFIG)
    m.remove(CACHE)
    if _empty(m.at(DATA)):
        m.at(DATA).rmdir()


def _move(m: Machine, here: str, there: str) -> None:
    """Move the files of a folder to another, except those that exist there; remove the folder once it is empty."""
    for folder in (here, there):
        if m.at(folder).is_symlink():  # the service's user could place a link, and root must not follow it
            m.at(folder).unlink()
    files = m.at(here).glob("*") if m.at(here).is_dir() else ()
    found = [path for path in files if path.is_file() and not path.is_symlink()]
    if found and not m.at(there).exists():
        m.at(there).mkdir(mode=0o700)
        own(m, m.at(there))
    for path in found:
        if not (m.at(there) / path.name).exists():
            shutil.move(path, m.at(there) / path.name)
    if _empty(m.at(here)):
        m.at(here).rmdir()
