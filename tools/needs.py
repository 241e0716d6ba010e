"""The programs that only tests need: a test calls `needs`, `make tools` installs what is missing.

The system's Python runs this before anything is set up (`python3 tools/needs.py [TOOL …]`): nothing from .venv is there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

if __name__ == "__main__":  # begun with the system's Python: nothing is set up for it
    sys.path.insert(0, str(Path(__file__).parent.parent))

from tools.apt import install, where

VPCD = Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")


def _vpcd() -> str | None:
    return str(VPCD) if VPCD.exists() else None


@cache
def _namespaces() -> str | None:
    refused = subprocess.run([*apart("--mount", "--net"), "true"], check=False, capture_output=True).returncode
    return None if refused else "unshare"


@dataclass(frozen=True, slots=True)
class Tool:
    """A program, Debian's package of it, the services that come with it, and a file that other programs would heed."""

    where: Callable[[], str | None]
    package: str = ""
    services: tuple[str, ...] = ()
    noticed: str = ""


def _program(name: str, package: str, *services: str) -> dict[str, Tool]:
    return {name: Tool(partial(where, name), package, services)}


TOOLS: dict[str, Tool] = {
    **_program("shellcheck", "shellcheck"),
    **_program("systemd-analyze", "systemd"),
    **_program("systemd-sysusers", "systemd"),
    **_program("udevadm", "udev"),
    **_program("espeak-ng", "espeak-ng"),
    **_program("aplay", "alsa-utils"),
    **_program("mosquitto", "mosquitto", "mosquitto.service"),
    **_program("pcscd", "pcscd", "pcscd.service", "pcscd.socket"),
    "vpcd": Tool(_vpcd, "vsmartcard-vpcd", noticed="/etc/reader.conf.d/vpcd"),
    **_program("chromium", "chromium"),
    **_program("chromedriver", "chromium-driver"),
    **_program("node", "nodejs"),
    **_program("npm", "npm"),
    **_program("Xvfb", "xvfb"),
    **_program("ssh-keygen", "openssh-client"),
    "namespaces": Tool(_namespaces),
}


REFUSED = "this computer refuses user namespaces: unshare --user"


def apart(*namespaces: str) -> list[str]:
    """Return the words that go before a command to run it as root in namespaces of its own.

    Root needs no user namespace for that, and so has them in a chroot too, where the kernel refuses one.
    """
    return ["unshare", *namespaces] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", *namespaces]


def needs(*names: str) -> str:
    """Return the path of the first of these tools.

    If one is missing, skip the test that asks; in CI, which has them all, fail it.
    """
    found = [TOOLS[name].where() for name in names]
    for name, path in zip(names, found, strict=True):
        if path is None:
            package = TOOLS[name].package
            without(f"{name} is not installed: {_command([package])}" if package else REFUSED)
    return found[0] or ""


def needs_micropython() -> None:
    """Do what `needs` does, for the MicroPython that npm fetches into .venv."""
    from drivers.virtual.hub import micropython_process

    if what := micropython_process.missing():
        needs("npm")
        without(what)


def without(reason: str) -> None:
    """Skip the test for want of something; in CI, which has everything, fail it."""
    import pytest

    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


# -- make tools --------------------------------------------------------------------------------------------------------


def _command(packages: Sequence[str]) -> str:
    return f"sudo apt-get install -y --no-install-recommends {' '.join(packages)}"


def main(names: Sequence[str]) -> None:
    """Install what is missing of these tools (of all), or print the command that does."""
    missing = [TOOLS[name] for name in names or TOOLS if TOOLS[name].package and TOOLS[name].where() is None]
    packages = list(dict.fromkeys(tool.package for tool in missing))
    services = [service for tool in missing for service in tool.services]
    if not missing:
        return
    if os.geteuid() == 0 and where("apt-get") and install(packages, services):
        for tool in missing:
            if tool.noticed:
                Path(tool.noticed).unlink(missing_ok=True)
    else:
        command = "sudo make tools" if where("apt-get") and os.geteuid() else _command(packages)
        print(f"The tests that need {' '.join(packages)} are left out. To have them too: {command}")


if __name__ == "__main__":
    main(sys.argv[1:])
