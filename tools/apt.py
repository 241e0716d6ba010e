"""Installs Debian's packages as root: says before what and how much, starts no service, and passes on apt's faults.

`python3 -I tools/apt.py PACKAGE …`, by the system's Python before anything is set up; exit status 1 if they could
not be installed.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

SBIN = "/usr/sbin:/usr/local/sbin"
POLICY = Path("/usr/sbin/policy-rc.d")
"""Asked by Debian's packages before they start a service; 101 forbids it."""


def where(program: str) -> str | None:
    """Return the path of a program, also of one that only root has on the PATH; None if there is none."""
    return shutil.which(program) or shutil.which(program, path=SBIN)


def _apt(*words: str) -> tuple[bool, str]:
    """Run apt-get and print what it fetches at once; return whether it succeeded, and all its output.

    It does not retry: without a network that would take a minute.
    """
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
    """Return what apt would install for these packages, "" if it cannot, and its own words."""
    _, said = _apt("install", "--assume-no", "--no-install-recommends", *packages)
    if not (count := re.search(r"(\d+) upgraded, (\d+) newly installed", said)):
        return "", said
    fetched = re.search(r"Need to get (\S+ \S?B)", said)
    room = re.search(r"After this operation, (\S+ \S?B) of additional", said)
    sizes = [f"{fetched[1]} to fetch"] if fetched else []
    sizes += [f"{room[1]} on disk"] if room else []
    newer = f" and newer versions of {count[1]}" if count[1] != "0" else ""
    return f"{count[2]} packages{newer} ({', '.join(sizes)})", said


@contextmanager
def _nothing_starts() -> Iterator[None]:
    """Keep packages from starting their services; a policy that this computer has already stays."""
    for number in (signal.SIGTERM, signal.SIGHUP):  # the policy must not outlive us, or no service ever starts again
        signal.signal(number, lambda *_: sys.exit(1))
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
    """Keep a service from starting with the computer, by systemd or by its script."""
    name = service.partition(".")[0]
    for words in (["deb-systemd-helper", "disable", service], ["update-rc.d", name, "disable"]):
        if where(words[0]) and (words[0] != "update-rc.d" or Path("/etc/init.d", name).exists()):
            subprocess.run(words, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def install(packages: Sequence[str], services: Sequence[str] = ()) -> bool:
    """Install packages and leave off these services of theirs; return whether they are installed."""
    announced, said = _announced(packages)
    if not announced:
        updated, said = _apt("-o", "APT::Update::Error-Mode=any", "update")
        if updated:
            announced, said = _announced(packages)
    if announced:
        names = dict.fromkeys(service.partition(".")[0] for service in services)
        off = f" {' and '.join(names)} stay off." if names else ""
        print(f"apt-get now installs {' '.join(packages)}: {announced}.{off}", flush=True)
        with _nothing_starts():
            done, said = _apt("install", "-y", "--no-install-recommends", *packages)
        for service in services:
            _switch_off(service)
        if done:
            return True
    faults = [line for line in said.splitlines() if line.startswith(("E:", "W:", "Err:"))]
    print(*(faults or said.splitlines()[-3:]), sep="\n", file=sys.stderr, flush=True)
    return False


if __name__ == "__main__":
    sys.exit(not install(sys.argv[1:]))
