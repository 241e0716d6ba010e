"""config.yaml to frozen settings, with every mistake at once."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from companion.mistakes import ConfigError, Mistakes
from companion.settings.parts import Hub, Press, Reader, Reveal, Screen, Settings, Wires
from companion.settings.typed import Reading

__all__ = ["ConfigError", "Hub", "Press", "Reader", "Reveal", "Screen", "Settings", "Wires", "find", "load"]


def find(explicit: Path | None) -> Path | None:
    """The config.yaml to use: the one named, the working directory's, the user's; None if there is none."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    usual = (Path("config.yaml"), home / "tabularium" / "config.yaml")
    return explicit or next((path for path in usual if path.is_file()), None)


def load(path: Path) -> Settings:
    """The settings of a file; `data` is taken from the file's own directory. Raises ConfigError with all mistakes."""
    from companion.settings import across
    from companion.settings.yaml_lines import lines, read_yaml  # a table without a config.yaml needs no YAML

    data, line_of = read_yaml(path)
    if data is None:
        data = {}
    reading = Reading()
    settings: Settings = reading.value(Settings, data, ())
    found = reading.found
    if isinstance(data, dict):  # else there is nothing to compare
        found += across.mistakes(settings, data, line_of)
    if found:
        raise ConfigError(lines(path, Mistakes(found), line_of))
    return replace(settings, data=path.absolute().parent / settings.data)
