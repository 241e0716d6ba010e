"""The program in /opt/tabularium: a folder a version, with a virtual environment that sees apt's packages."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from pi.machine import OURS, Failed, Machine
from pi.steps import Step

PARTS = ("companion", "drivers", "ui", "pi", "firmware_notes", "install", "config.yaml", "constraints.txt",
         "pyproject.toml", "LICENSE", "docs/hall/schemas")  # fmt: skip
"""What of the source is installed: the program, its notes for the maker, and the installer itself."""
CURRENT = f"{OURS}/current"
WHOLE = "whole"
"""An empty file that says that all of a version is there."""
PROGRESS = ("Downloading", "Processing", "Installing collected")
MADE_THERE = {"__pycache__", ".mo"}
"""What is no part of a version, as an installed one makes it itself: it is the same when it installs itself again."""
UNUSED = ("certifi", "charset-normalizer", "docutils", "idna", "Kivy-Garden", "requests", "urllib3")
"""What Kivy asks for and nothing of ours uses, with what comes along: a Pi does without."""
MISTAKES = "Correct /etc/tabularium/config.yaml and start this again."
NO_NETWORK = "Is the Pi online? Without a network: see Offline in firmware_notes/installing.md."


def step(m: Machine, offline: Path | None = None) -> Step:
    this = version(m.source)
    return Step(
        f"Tabularium {this} in {OURS}/{this}, with its Python packages (wheels alone, nothing is compiled)",
        f"remove all versions in {OURS}",
        done=lambda: m.at(f"{OURS}/{this}/{WHOLE}").exists(),
        there=lambda: bool(versions(m)),
        do=partial(_install, m, this, offline),
        undo=lambda: tidy(m, keep=()),
        remedy=NO_NETWORK,
    )


@cache
def version(source: Path) -> str:
    """Its number, and a few digits that change with every file of it."""
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
    """The versions that are there, whole or not, the newest last."""
    ours = m.at(OURS)
    found = [path for path in ours.iterdir() if path.is_dir() and not path.is_symlink()] if ours.is_dir() else []
    return [path.name for path in sorted(found, key=lambda path: path.stat().st_mtime)]


def current(m: Machine) -> str:
    """The version that is used, "" if there is none."""
    link = m.at(CURRENT)
    return link.readlink().name if link.is_symlink() else ""


def needs(m: Machine, version: str) -> Mapping[str, Any]:
    """What this version says of config.yaml: lines for the boot configuration, and where the games are.

    Raises Failed where config.yaml has mistakes.
    """
    home = m.at(f"{OURS}/{version}")
    places = (f"XDG_CONFIG_HOME={m.at('/etc')}", f"XDG_DATA_HOME={m.at('/var/lib')}", f"PYTHONPATH={home}")
    words = ("env", "--chdir=/", *places, home / "venv/bin/python", "-P", "-m", "companion.cli.needs")
    said: dict[str, Any] = json.loads(m.run(*words, doing="reading config.yaml", remedy=MISTAKES).splitlines()[-1])
    return said


def requirements(source: Path) -> list[str]:
    """All of Python's packages that a Pi needs, in a hall too, in their pinned versions; none is to bring others."""
    pinned = (source / "constraints.txt").read_text(encoding="utf-8")
    with (source / "pyproject.toml").open("rb") as file:
        hall = tomllib.load(file)["project"]["optional-dependencies"]["hall"]
    besides = {named(line) for line in hall}
    run, _, developing = pinned.partition("besides")
    found = [line for line in run.splitlines() if "==" in line and named(line) not in set(map(named, UNUSED))]
    return found + [line for line in developing.splitlines() if "==" in line and named(line) in besides]


def named(requirement: str) -> str:
    """The name of a package as an index has it."""
    return re.split(r"[=<>~!\[ ]", requirement)[0].lower().replace("_", "-")


def _install(m: Machine, this: str, offline: Path | None) -> None:
    home = m.at(f"{OURS}/{this}")
    m.remove(f"{OURS}/{this}")  # what an attempt that failed has left
    m.folder(f"{OURS}/{this}")
    for path in _files(m.source):
        copy = home / path.relative_to(m.source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        copy.chmod(0o755 if path.name == "install" else 0o644)
    for folder in (path for path in home.rglob("*") if path.is_dir()):
        folder.chmod(0o755)  # whatever the umask says
    _packages(m, home, offline)
    (home / WHOLE).touch()


def _packages(m: Machine, home: Path, offline: Path | None) -> None:
    m.run(m.python(), "-m", "venv", "--system-site-packages", home / "venv")
    where = ("--no-index", "--find-links", str(offline.resolve())) if offline else ()
    pip = (home / "venv/bin/python", "-m", "pip", "install", "--disable-pip-version-check", "--no-cache-dir",
           "--only-binary", ":all:", "--no-deps", *where)  # fmt: skip
    m.run(*pip, *requirements(m.source), show=PROGRESS)
    m.run("env", "--chdir=/", f"PYTHONPATH={home}", home / "venv/bin/python", "-P", "-m", "companion.rules.catalogues")
    m.run(home / "venv/bin/python", "-m", "compileall", "-q", *(home / part for part in ("companion", "drivers", "ui")))


def use(m: Machine, this: str) -> None:
    """Makes a version the current one, at once."""
    beside = m.at(f"{CURRENT}.new")
    beside.unlink(missing_ok=True)
    beside.symlink_to(this)
    beside.replace(m.at(CURRENT))


def tidy(m: Machine, keep: Sequence[str]) -> None:
    """Removes all versions but these."""
    for name in versions(m):
        if name not in keep:
            m.remove(f"{OURS}/{name}")


def unlike(m: Machine) -> None:
    """Raises Failed where another version is installed: it is replaced by --update alone, which can go back."""
    used, this = current(m), version(m.source)
    if used and used != this:
        raise Failed(f"Tabularium {used} is installed, and this is {this}.", "To replace it: sudo ./install --update")
