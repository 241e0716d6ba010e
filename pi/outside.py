"""Settings of this computer for other programs, which must not affect the set-up of a clone or the installer.

The standard library alone: nothing else is installed yet.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from configparser import Error, RawConfigParser
from contextlib import suppress
from pathlib import Path

FOREIGN = ("PYTHON", "PIP_", "CONDA_", "HATCH_")
"""Prefixes of variables that are meant for other Pythons."""
ELSEWHERE = ("VIRTUAL_ENV", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")
"""Variables that name other environments and repositories."""
SOURCES = ("index-url", "extra-index-url", "find-links", "no-index", "proxy", "cert", "client-cert", "trusted-host",
           "timeout", "retries", "cache-dir", "no-cache-dir", "keyring-provider")  # fmt: skip
"""The settings that pip may have here: where packages come from and how they are reached, not which and where to."""


def clean(env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without other programs' variables; of pip's settings, files included, only SOURCES.

    Names of files may be in any language: Python reads a .pth file as the locale says, also in its UTF-8 mode.
    """
    homes = [f"{env[name]}/bin" for name in ("VIRTUAL_ENV", "CONDA_PREFIX") if env.get(name)]
    kept = {name: value for name, value in env.items() if not name.startswith(FOREIGN) and name not in ELSEWHERE}
    if "PATH" in kept:
        kept["PATH"] = os.pathsep.join(at for at in kept["PATH"].split(os.pathsep) if at not in homes)
    told = {f"PIP_{key.upper().replace('-', '_')}": value for key, value in _sources(env).items()}
    return kept | told | {"PIP_CONFIG_FILE": os.devnull, "LC_ALL": "C.UTF-8"}


def _sources(env: Mapping[str, str]) -> dict[str, str]:
    """Return pip's settings for package sources, from its files and variables; later ones override, as in pip."""
    found: dict[str, str] = {}
    for path in _files(env):
        parser = RawConfigParser()
        with suppress(Error, OSError, UnicodeDecodeError):  # a broken file is ignored
            parser.read_string(path.read_text(encoding="utf-8"))
        for section in ("global", "install"):
            found |= parser.items(section) if parser.has_section(section) else ()
    found |= {name[4:].lower().replace("_", "-"): value for name, value in env.items() if name.startswith("PIP_")}
    if "default-timeout" in found:
        found.setdefault("timeout", found["default-timeout"])
    if "find-links" not in found:  # without an index and a folder no package could ever come
        found.pop("no-index", None)
    return {key: " ".join(found[key].split()) for key in SOURCES if found.get(key)}


def _files(env: Mapping[str, str]) -> Iterator[Path]:
    """Yield pip's configuration files, the more specific later: https://pip.pypa.io/en/stable/topics/configuration/."""
    named = env.get("PIP_CONFIG_FILE", "")
    if named == os.devnull:
        return
    for folder in reversed((env.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(os.pathsep)):
        yield Path(folder) / "pip/pip.conf"
    yield Path("/etc/pip.conf")
    if named and Path(named).exists():
        yield Path(named)
        return
    with suppress(RuntimeError):  # there is no home directory
        yield Path("~/.pip/pip.conf").expanduser()
        yield Path(env.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "pip/pip.conf"
