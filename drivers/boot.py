"""The Pi's boot configuration (config.txt) as text: the settings in force and those that are missing.

Source: Raspberry Pi's documentation of config.txt and of device trees, overlays and parameters.
"""

from __future__ import annotations

from collections.abc import Iterable

FILE = "/boot/firmware/config.txt"


def lacking(text: str, lines: Iterable[str]) -> tuple[str, ...]:
    """Return the lines that are not in force.

    >>> lacking("dtparam=i2c_arm=on,spi=on", ["dtparam=spi=on", "dtoverlay=spi1-3cs"])
    ('dtoverlay=spi1-3cs',)
    """
    there = in_force(text)
    return tuple(line for line in lines if not _settings(line) <= there)


def in_force(text: str) -> frozenset[str]:
    """Return the settings in force on every Pi: none below a filter such as [pi4], none switched off later."""
    found: set[str] = set()
    everywhere = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            everywhere = line == "[all]"
        elif everywhere and not line.startswith("#"):
            for setting in _settings(line):
                found.discard(_negated(setting))
                found.add(setting)
    return frozenset(found)


def _settings(line: str) -> frozenset[str]:
    """Return the settings of one line: `dtparam` takes several at once and counts a bare name as switched on."""
    key, _, value = line.partition("=")
    if key.strip() != "dtparam":
        return frozenset({line.strip()})
    parts = [part.strip() for part in value.split(",") if part.strip()]
    return frozenset(f"dtparam={part if '=' in part else f'{part}=on'}" for part in parts)


def _negated(setting: str) -> str:
    return setting.removesuffix("=on") + "=off" if setting.endswith("=on") else setting.removesuffix("=off") + "=on"
