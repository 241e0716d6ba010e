"""Findings about an installation on a Pi: service, files, groups, boot configuration. Pure: reads nothing.

A computer without an installation has no such findings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.hardware.doctor import Finding
from companion.rules.message import Message

AGAIN = "sudo /opt/tabularium/current/install"
"""The command to complete or repair an installation."""
LOG = "journalctl -u tabularium -b -n 50"
HOT, CAPPED = 1 << 18 | 1 << 19, 1 << 17
"""Bits that the firmware noted since the start: throttled or too hot; slowed down for any reason."""


@dataclass(frozen=True, slots=True)
class Installed:
    """The state of an installation.

    `changed` are files that are missing or differ from the shipped ones, `lacking` the groups that the user is not in.
    `state` is the service's state as systemd gives it, "" if systemd cannot be asked; `restarts` counts how often
    systemd had to restart it, and `waits` says whether it waits for a display. `boot` lists the lines of the boot
    configuration that config.yaml needs and that are not in force. `blank` is after how many seconds the console goes
    dark (0: never), `throttled` holds the bits that the firmware noted.
    """

    version: str
    changed: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    enabled: bool = True
    state: str = ""
    restarts: int = 0
    waits: bool = False
    boot: tuple[str, ...] = ()
    blank: int = 0
    throttled: int = 0


def installation(seen: Installed) -> Iterator[Finding]:
    yield from _files(seen)
    yield _service(seen)
    if seen.lacking:
        lacking = Message("The user tabularium is not in these groups: {groups}", groups=", ".join(seen.lacking))
        yield Finding("groups", "fail", lacking, AGAIN)
    if seen.boot:
        needed = Message("Not in the boot configuration, but config.yaml needs it: {lines}", lines=", ".join(seen.boot))
        yield Finding("boot", "fail", needed, Message("{command}, then restart the Pi", command=AGAIN))
    if seen.blank:
        dark = Message("The console goes dark after {seconds} s", seconds=seen.blank)
        yield Finding("blanking", "warn", dark, Message("sudo raspi-config nonint do_blanking 1, then restart the Pi"))
    yield from _speed(seen.throttled)


def _files(seen: Installed) -> Iterator[Finding]:
    if seen.changed:
        other = Message("Missing, or not as they came: {files}", files=", ".join(seen.changed))
        own = Message("{command} puts them back; changes of your own: sudo systemctl edit tabularium", command=AGAIN)
        yield Finding("installation", "warn", other, own)
    else:
        yield Finding("installation", "pass", Message("Tabularium {version}", version=seen.version))


def _service(seen: Installed) -> Finding:
    if seen.state == "failed":
        return Finding("service", "fail", Message("The service has failed"), LOG)
    if not seen.enabled:
        asleep = Message("The table does not start with the Pi")
        return Finding("service", "warn", asleep, "sudo systemctl enable tabularium")
    if seen.waits:
        dark = Message("The table waits for a display")
        return Finding("service", "warn", dark, Message("Connect one: the table comes up by itself"))
    if seen.restarts:
        often = Message("Restarts of the service since the Pi started: {count}", count=seen.restarts)
        return Finding("service", "warn", often, LOG)
    if seen.state == "active":
        return Finding("service", "pass", Message("The table is running"))
    return Finding("service", "pass", Message("The table starts with the Pi"))


def _speed(throttled: int) -> Iterator[Finding]:
    if throttled & HOT:
        hot = Message("The processor got too hot since the Pi started, and was slowed down")
        yield Finding("speed", "warn", hot, Message("Give it air, or a cooler"))
    elif throttled & CAPPED:
        slow = Message("The processor was slowed down since the Pi started")
        yield Finding("speed", "warn", slow, Message("Use the Pi's own power supply and a short cable"))
