"""The program in /opt/tabularium: a folder for each version, with a virtual environment that sees apt's packages."""

from __future__ import annotations

import csv
import hashlib
import os
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from companion.system.files import sync
from pi.account import USER
from pi.machine import OURS, Failed, Machine, plain
from pi.steps import InstallStep

PARTS = ("companion", "drivers", "ui", "pi", "firmware_notes", "install", "config.yaml", "constraints.txt",
         "pyproject.toml", "LICENSE", "docs/hall/schemas")  # fmt: skip
"""The parts of the source that are installed: the program, its notes for the maker, and the installer itself."""
CURRENT = f"{OURS}/current"
GOOD = f"{OURS}/good"
"""The version that has proven itself: it updates the program, and watches a new version."""
BEFORE = f"{OURS}/before"
"""The version that ran here before the current one, and may come back."""
NAMED = re.compile(r"\d[\w.]*-[0-9a-f]{8}$")
"""The pattern of a version's folder name."""
WHOLE = "whole"
"""An empty file that marks a version as complete."""
PROGRESS = ("Downloading", "Processing", "Installing collected")
MADE_THERE = {"__pycache__", ".mo"}
"""Files that are no part of a version, as an installed one makes them itself: reinstalling yields the same version."""
UNUSED = ("certifi", "charset-normalizer", "docutils", "idna", "Kivy-Garden", "pycparser", "requests", "urllib3")
"""Packages that Kivy and cffi require and our program does not use, and their dependencies: a Pi does without."""
MISTAKES = "Correct /etc/tabularium/config.yaml and run this again."
LONG = "300"
"""Seconds that a version may take to read config.yaml and a copy of the games."""
NO_NETWORK = "Is the Pi online? Without a network: see firmware_notes/installing.md."


def step(m: Machine, offline: Path | None = None) -> InstallStep:
    this = version(m.source)
    return InstallStep(
        f"Tabularium {this} in {OURS}/{this}, with its Python packages (wheels only, nothing is compiled)",
        f"remove all versions in {OURS}",
        done=lambda: m.at(f"{OURS}/{this}/{WHOLE}").exists(),
        there=lambda: bool(versions(m)),
        do=partial(_install, m, this, offline),
        undo=lambda: tidy(m, keep=()),
        remedy=NO_NETWORK,
    )


@cache
def version(source: Path) -> str:
    """Return a source's version: its number, and a few digits that change with every file of it."""
    said = re.search(r'__version__ = "(.+)"', (source / "companion/__init__.py").read_text(encoding="utf-8"))
    digest = hashlib.sha256()
    for path in _files(source):
        digest.update(f"{path.relative_to(source)}\0".encode() + path.read_bytes() + b"\0")
    return f"{said[1] if said else 0}-{digest.hexdigest()[:8]}"


def _files(source: Path) -> Iterator[Path]:
    for part in PARTS:
        found = [source / part] if (source / part).is_file() else sorted((source / part).rglob("*"))
        yield from (
            path for path in found if path.is_file() and not MADE_THERE.intersection((*path.parts, path.suffix))
        )


def versions(m: Machine) -> list[str]:
    """Return the versions in the folder, complete or not, the newest last."""
    ours = m.at(OURS)
    there = ours.iterdir() if ours.is_dir() else ()
    found = [path for path in there if NAMED.match(path.name) and not path.is_symlink()]
    return [path.name for path in sorted(found, key=lambda path: path.stat().st_mtime)]


def current(m: Machine) -> str:
    """Return the version that is used, "" if there is none."""
    return _at(m, CURRENT)


def _at(m: Machine, link: str) -> str:
    return m.at(link).readlink().name if m.at(link).is_symlink() else ""


def whole(m: Machine, this: str) -> bool:
    """Return whether a version is complete."""
    return bool(this) and m.at(f"{OURS}/{this}/{WHOLE}").exists()


def needs(m: Machine, version: str) -> Mapping[str, Any]:
    """Return what a version reads in config.yaml: boot lines, the place of the games, and the address of updates.

    Raises Failed where config.yaml has mistakes.
    """
    said = _asked(m, version)
    store, boot = said.get("store"), said.get("boot")
    plainly = isinstance(boot, list) and all(isinstance(line, str) for line in boot)
    if not plainly or not isinstance(store, str) or not store.startswith("/") or Path(store).name in ("", ".."):
        raise Failed(f"{version} does not say where the games are.", MISTAKES)
    return said


def fits(m: Machine, version: str, games: Path) -> bool:
    """Return whether this version can read these games, without looking at config.yaml.

    Raises Failed where the version does not run.
    """
    return _asked(m, version, games).get("fits") is True


def _asked(m: Machine, version: str, *of: Path) -> Mapping[str, Any]:
    """Return a version's answer to `companion.cli.needs`, which runs as the service's user."""
    home = m.at(f"{OURS}/{version}")
    places = (f"XDG_CONFIG_HOME={m.at('/etc')}", f"XDG_DATA_HOME={m.at('/var/lib')}", f"PYTHONPATH={home}")
    words = ("timeout", LONG, "env", "--chdir=/", *places, home / "venv/bin/python", "-P", "-m", "companion.cli.needs")
    lines = m.run(*words, *of, doing="reading config.yaml", remedy=MISTAKES, user=USER).splitlines()
    return plain(lines[-1]) if lines else {}


def requirements(source: Path) -> list[str]:
    """Return all Python packages that a Pi needs, in a hall too, in their pinned versions; none brings dependencies."""
    pinned = (source / "constraints.txt").read_text(encoding="utf-8")
    with (source / "pyproject.toml").open("rb") as file:
        hall = tomllib.load(file)["project"]["optional-dependencies"]["hall"]
    besides = {named(line) for line in hall}
    run, _, developing = pinned.partition("besides")
    found = [line for line in run.splitlines() if "==" in line and named(line) not in set(map(named, UNUSED))]
    return found + [line for line in developing.splitlines() if "==" in line and named(line) in besides]


def named(requirement: str) -> str:
    """Return the name of a required package, normalised as in an index."""
    return re.split(r"[=<>~!\[ ]", requirement)[0].lower().replace("_", "-")


def _install(m: Machine, this: str, offline: Path | None) -> None:
    home = m.at(f"{OURS}/{this}")
    m.remove(f"{OURS}/{this}")  # the remains of a failed attempt
    m.folder(f"{OURS}/{this}")
    for path in _files(m.source):
        copy = home / path.relative_to(m.source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        copy.chmod(0o755 if path.name == "install" else 0o644)
    for folder in (path for path in home.rglob("*") if path.is_dir()):
        folder.chmod(0o755)  # independent of the umask
    _packages(m, home, offline)
    if m.root == Path("/"):
        os.sync()  # all files are on disk before the version is marked as complete
    (home / WHOLE).touch()


def _packages(m: Machine, home: Path, offline: Path | None) -> None:
    m.run(m.python(), "-m", "venv", "--system-site-packages", home / "venv")
    where = ("--no-index", "--find-links", str(offline.resolve())) if offline else ()
    pip = (home / "venv/bin/python", "-m", "pip", "install", "--disable-pip-version-check", "--no-cache-dir",
           "--only-binary", ":all:", "--no-deps", *where)  # fmt: skip
    m.run(*pip, *requirements(m.source), show=PROGRESS)
    carry(m, home)
    m.run("env", "--chdir=/", f"PYTHONPATH={home}", home / "venv/bin/python", "-P", "-m", "companion.rules.catalogues")
    m.run(home / "venv/bin/python", "-m", "compileall", "-q", *(home / part for part in ("companion", "drivers", "ui")))


def carry(m: Machine, home: Path) -> None:
    """Carry over what was installed by hand into the current version's environment, such as a voice.

    The files are hard links, so they take no room; programs get their new path. With another version of Python nothing
    is carried over, and it must be installed again.
    """
    old = m.at(f"{OURS}/{current(m)}") if current(m) else None
    found, here = (next(iter((of / "venv").glob("lib/python3*/site-packages")), None) for of in (old or home, home))
    if old is None or old == home or not found or not here or found.parent.name != here.parent.name:
        return
    ours = {named(line) for line in (*requirements(old), *UNUSED, "pip", "setuptools", "wheel")}
    for record in sorted(found.glob("*.dist-info/RECORD")):
        if named(record.parent.name.rpartition(".dist")[0].rpartition("-")[0]) in ours:
            continue
        if (here / record.parent.name).exists():
            continue
        for row in csv.reader(record.read_text(encoding="utf-8").splitlines()):
            _along(found / row[0], here / row[0], old / "venv", home / "venv")


def _along(file: Path, to: Path, old: Path, new: Path) -> None:
    """Put a file of the old environment in the same place of the new one, unless it exists there."""
    there, goal = Path(os.path.normpath(file)), Path(os.path.normpath(to))
    if not there.is_relative_to(old) or not there.is_file() or goal.exists():
        return
    goal.parent.mkdir(parents=True, exist_ok=True)
    if goal.parent == new / "bin":
        goal.write_bytes(there.read_bytes().replace(os.fsencode(old), os.fsencode(new)))
        goal.chmod(0o755)
    else:
        goal.hardlink_to(there)


def use(m: Machine, this: str) -> None:
    """Make a version the current one, atomically."""
    _link(m, CURRENT, this)


def good(m: Machine) -> str:
    """Return the version that has proven itself, "" if there is none."""
    return _at(m, GOOD)


def trust(m: Machine, this: str) -> None:
    """Note that a version has proven itself."""
    _link(m, GOOD, this)


def follows(m: Machine, before: str) -> None:
    """Note which version ran before the current one.

    It is noted at once, not only when the current one has proven itself: an older program, which does not know of this
    link, may be what watches it.
    """
    _link(m, BEFORE, before)


def back_to(m: Machine, this: str) -> None:
    """Note that an older version is the good one again; none is before it."""
    m.remove(BEFORE)
    _link(m, GOOD, this)


def before(m: Machine) -> str:
    """Return the version that ran here before the current one and is still installed, "" for none.

    Other folders do not count: they may belong to an update that was refused or interrupted.
    """
    now = current(m)
    found = good(m) if good(m) != now else _at(m, BEFORE)
    return found if found != now and whole(m, found) else ""


def _link(m: Machine, link: str, this: str) -> None:
    if _at(m, link) == this:
        return
    beside = m.at(f"{link}.new")
    beside.unlink(missing_ok=True)
    beside.symlink_to(this)
    beside.replace(m.at(link))
    sync(beside.parent)


def tidy(m: Machine, keep: Sequence[str]) -> None:
    """Remove all versions but these. Each loses its mark of completeness before its first file."""
    for name in versions(m):
        if name not in keep:
            m.remove(f"{OURS}/{name}/{WHOLE}")
            m.remove(f"{OURS}/{name}")


def clear(m: Machine) -> None:
    """Remove all versions except the current one, the good one and the one before."""
    tidy(m, keep=(current(m), good(m), before(m)))


def unlike(m: Machine) -> None:
    """Raise Failed where another version is installed: only --update replaces it, as that can go back."""
    used, this = current(m), version(m.source)
    if used and used != this:
        raise Failed(f"Tabularium {used} is installed, but this is {this}.", "To replace it: sudo ./install --update")
