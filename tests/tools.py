"""The programs that only tests need, and what to do without them: a test asks `needs`, `make tools` installs.

Run by the system's Python before anything is set up (`python3 tests/tools.py [TOOL …]`), so it imports nothing else.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

SBIN = "/usr/sbin:/usr/local/sbin"
VPCD = Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
POLICY = Path("/usr/sbin/policy-rc.d")
"""Asked by Debian's packages before they start a service; 101 forbids it."""


def _where(program: str) -> str | None:
    return shutil.which(program) or shutil.which(program, path=SBIN)


def _vpcd() -> str | None:
    return str(VPCD) if VPCD.exists() else None


@cache
def _namespaces() -> str | None:
    return (
        None
        if subprocess.run([*apart("--mount", "--net"), "true"], check=False, capture_output=True).returncode
        else "/"
    )


@dataclass(frozen=True, slots=True)
class Tool:
    """Where it is (None: it is not there), Debian's package that has it, the services that come with it, and a file
    by which other programs would notice."""

    where: Callable[[], str | None]
    package: str = ""
    services: tuple[str, ...] = ()
    noticed: str = ""


def _program(name: str, package: str, *services: str) -> dict[str, Tool]:
    return {name: Tool(partial(_where, name), package, services)}


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
    "namespaces": Tool(_namespaces),
}


def apart(*namespaces: str) -> list[str]:
    """The words before a command that gives it such namespaces, where it is root. Root needs no user namespace for
    that, and so has them in a chroot too, where a user namespace is refused."""
    return ["unshare", *namespaces] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", *namespaces]


def needs(*names: str) -> str:
    """Where the first of these tools is. Skips the test that asks where one is missing, and fails it in CI, which has
    them all."""
    found = [TOOLS[name].where() for name in names]
    for name, where in zip(names, found, strict=True):
        if where is None:
            package = TOOLS[name].package
            without(f"{name} is not installed: {_command([package])}" if package else f"no {name} for us (unshare)")
    return found[0] or ""


def needs_micropython() -> None:
    """Like `needs`, for the MicroPython that npm fetches into .venv."""
    from drivers.virtual.hub import node

    if what := node.missing():
        needs("npm")
        without(what)


def without(reason: str) -> None:
    """Skips the test for want of something that CI has, where it fails."""
    import pytest

    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


# -- make tools --------------------------------------------------------------------------------------------------------


def _command(packages: Sequence[str]) -> str:
    return f"sudo apt-get install -y {' '.join(packages)}"


def _apt(*words: str) -> tuple[bool, str]:
    """Whether it went well, and all that apt-get said; what it fetches is shown at once. It does not retry: without a
    network that takes a minute."""
    env = os.environ | {"LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    said, fetched = [], 0
    with subprocess.Popen(
        ["apt-get", "-q", "-o", "Acquire::Retries=0", *words], text=True, errors="replace", stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env,
    ) as apt:  # fmt: skip
        for line in apt.stdout or ():
            said.append(line)
            if line.startswith("Get:"):
                fetched += 1
                print(f"  {fetched}: {line.partition(' ')[2].rstrip()}", flush=True)
    return not apt.returncode, "".join(said)


def _announced(packages: Sequence[str]) -> tuple[str, str]:
    """What apt would install for these, for people; or else its own words, if it cannot."""
    _, said = _apt("install", "--assume-no", "--no-install-recommends", *packages)
    if not (count := re.search(r"(\d+) newly installed", said)):
        return "", said
    fetched = re.search(r"Need to get (\S+ \S?B)", said)
    room = re.search(r"After this operation, (\S+ \S?B) of additional", said)
    sizes = [f"{fetched[1]} to fetch"] if fetched else []
    sizes += [f"{room[1]} on disk"] if room else []
    return f"{count[1]} packages ({', '.join(sizes)})", said


@contextmanager
def _nothing_starts() -> Iterator[None]:
    """Packages that bring a service do not start it meanwhile; a policy of this computer stays as it is."""
    refusing = "#!/bin/sh\n# make tools is at work\nexit 101\n"
    ours = not POLICY.exists() or POLICY.read_text(encoding="utf-8", errors="replace") == refusing
    if ours:
        POLICY.write_text(refusing, encoding="utf-8")
        POLICY.chmod(0o755)
    try:
        yield
    finally:
        if ours:
            POLICY.unlink()


def _switch_off(service: str) -> None:
    """It is not started with the computer either, by systemd or by its script."""
    name = service.partition(".")[0]
    for words in (["deb-systemd-helper", "disable", service], ["update-rc.d", name, "disable"]):
        if _where(words[0]) and (words[0] != "update-rc.d" or Path("/etc/init.d", name).exists()):
            subprocess.run(words, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def install(missing: Sequence[Tool]) -> bool:
    """Installs what is missing, as root; says before what and how much, and leaves services off that were not there."""
    packages = list(dict.fromkeys(tool.package for tool in missing))
    announced, said = _announced(packages)
    if not announced:
        updated, said = _apt("update")
        if updated:
            announced, said = _announced(packages)
    if announced:
        services = [service for tool in missing for service in tool.services]
        off = f" {' and '.join(dict.fromkeys(s.partition('.')[0] for s in services))} stay off." if services else ""
        print(f"For the tests apt-get now installs {' '.join(packages)}: {announced}.{off}", flush=True)
        with _nothing_starts():
            done, said = _apt("install", "-y", "--no-install-recommends", *packages)
        for service in services:
            _switch_off(service)
        for tool in missing:
            if tool.noticed:
                Path(tool.noticed).unlink(missing_ok=True)
        if done:
            return True
    faults = [line for line in said.splitlines() if line.startswith(("E:", "W:", "Err:"))]
    print(*(faults or said.splitlines()[-3:]), sep="\n", file=sys.stderr)
    return False


def main(names: Sequence[str]) -> None:
    """Installs what is missing of these tools (of all), or names the command that does."""
    missing = [TOOLS[name] for name in names or TOOLS if TOOLS[name].package and TOOLS[name].where() is None]
    if missing and not (os.geteuid() == 0 and _where("apt-get") and install(missing)):
        print(f"Left out without: {_command(list(dict.fromkeys(tool.package for tool in missing)))}")


if __name__ == "__main__":
    main(sys.argv[1:])
