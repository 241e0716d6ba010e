"""Rehearses the installation without a Pi: `make rehearse`, as root on Debian; most of an hour.

An emulated arm64 Debian 13 is made to look like a freshly written Raspberry Pi OS Lite, and in it the installer is
shown, run, run again, given a config.yaml and a place in a hall, used for an update, and taken back; before and after, everything in the file
system is listed and compared. What no emulation has: a graphics card, fingers, pins, and time as it passes on a Pi.

The report is printed, and kept in the folder beside the emulated system.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.releases import Key, committed
from tools import making
from tools.rehearse_hall import friday
from tools.rehearse_root import accounts, differences, listing, packages, pi_like, stubs

HERE = ROOT / "tools"
QEMU = Path("/usr/bin/qemu-aarch64-static")
BINFMT = Path("/proc/sys/fs/binfmt_misc")
ELF = r":tabularium-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:" \
      r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:" + str(QEMU) + ":F"  # fmt: skip
"""How the kernel knows a program for arm64, and what is to run it."""
BASE = "systemd,systemd-sysv,udev,dbus,python3,ca-certificates,sudo,kmod,openssh-client"
"""What Raspberry Pi OS Lite has too, as far as the installer meets it."""
CLEAN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
CLONE, RELEASE = "/home/maker/tabularium", "/home/maker/release"
NO_INDEX = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "0"}
"""An index that refuses every package asked for on the network."""
GAME = "tests/goldens/prokonsul-hardware.jsonl"
MOUNTS = """
set -e
mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; mount -t tmpfs tmpfs "$0/run"; mount -t tmpfs tmpfs "$0/tmp"
mount --bind /etc/hosts "$0/etc/hosts"; mount --bind /etc/resolv.conf "$0/etc/resolv.conf"
mount --bind /etc/ssl/certs/ca-certificates.crt "$0/etc/ssl/certs/ca-certificates.crt"
exec chroot "$0" "$@"
"""
"""What a command sees besides the emulated system's own files. It goes with the command."""
PATIENCE = 900
"""Seconds until an emulated table must have been heard at the hall."""
Inside = Callable[..., "subprocess.CompletedProcess[str]"]


class Report:
    """The findings, printed and kept line by line."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._began = time.monotonic()
        self.failed = 0
        file.write_text("", encoding="utf-8")

    def say(self, line: str) -> None:
        text = f"{(time.monotonic() - self._began) / 60:5.1f} min  {line}"
        print(text, flush=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")

    def check(self, what: str, well: bool, details: str = "") -> None:
        self.failed += not well
        self.say(f"{'ok  ' if well else 'FAIL'}  {what}")
        if not well and details:
            self.say("\n".join(f"            {line}" for line in details.splitlines()[-40:]).lstrip())


# -- an emulated system ------------------------------------------------------------------------------------------------


@contextmanager
def foreign() -> Iterator[None]:
    """Let programs for arm64 run, as long as this lasts."""
    if not (BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", BINFMT], check=True)
    ours = BINFMT / "tabularium-aarch64"
    others = [entry for entry in BINFMT.iterdir() if "aarch64" in entry.name]
    if not others:
        (BINFMT / "register").write_text(ELF, encoding="ascii")
    try:
        yield
    finally:
        if not others:
            ours.write_text("-1", encoding="ascii")


def bootstrapped(folder: Path, suite: str) -> Path:
    """Return a minimal Debian for arm64, made once and kept."""
    base = folder / f"base-{suite}"
    if not (base / "made").exists():
        shutil.rmtree(base, ignore_errors=True)
        words = ["debootstrap", "--arch=arm64", "--variant=minbase", f"--include={BASE}", suite, str(base)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        (base / "made").touch()
    return base


def runner(root: Path) -> Inside:
    """Return a function that runs a command in the emulated system, which sees nothing of ours but the network."""

    def inside(*words: str, **given: str) -> subprocess.CompletedProcess[str]:
        apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", MOUNTS, str(root)]
        env = CLEAN | given
        return subprocess.run(
            [*apart, *words], check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env
        )

    return inside


# -- the rehearsal -----------------------------------------------------------------------------------------------------


def rehearse(folder: Path, suite: str, report: Report) -> None:
    base = bootstrapped(folder, suite)
    root = folder / f"root-{suite}"
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "-a", base, root], check=True)
    (root / "made").unlink(missing_ok=True)
    inside = runner(root)
    stubs(root)
    first, second = _releases(folder, report)
    pi_like(root, ROOT, first, CLONE)
    shutil.copytree(first, root / RELEASE.lstrip("/"))
    prepared = inside(
        "sh", "-c", "apt-get update -q && apt-get install -y -q --no-install-recommends polkitd python3-rpi.gpio"
    )
    report.check(
        f"a {suite} root for arm64, with stubs of Raspberry Pi's packages", not prepared.returncode, prepared.stdout
    )
    before = listing(root), accounts(root), packages(root)

    shown = inside(f"{CLONE}/install", "--dry-run")
    report.check("the dry run shows seven steps", shown.stdout.count("  to do: ") == 7, shown.stdout)
    report.check(
        "and changes nothing", not differences(before[0], listing(root)), str(differences(before[0], listing(root)))
    )

    began = time.monotonic()
    done = inside(f"{CLONE}/install", "--offline", RELEASE, **NO_INDEX)
    report.check(
        f"it installs from the release's folder, without an index of Python's packages ({(time.monotonic() - began) / 60:.0f} min)",
        not done.returncode,
        done.stdout,
    )
    compilers = {"gcc", "g++", "swig", "python3-dev"} & packages(root)
    report.check("without a compiler", not compilers, str(compilers))
    stands = listing(root)
    again = inside(f"{CLONE}/install", "--offline", RELEASE)
    report.check("a second start finds nothing to do", "Nothing is left to do." in again.stdout, again.stdout)
    report.check("and changes nothing", not differences(stands, listing(root)), str(differences(stands, listing(root))))

    _verified(inside, report)
    _used(inside, root, report)
    _configured(inside, root, report)
    _in_a_hall(inside, root, folder, report)
    _updated(inside, root, second, report)

    gone = inside("/opt/tabularium/current/install", "--uninstall")
    report.check("it uninstalls, from its own copy", not gone.returncode, gone.stdout)
    after = listing(root), accounts(root), packages(root)
    left = differences(before[0], after[0])
    report.check("nothing is left but the data", not left, "\n".join(left))
    report.check(
        "users and groups are as they were, but for the data's owner", before[1] == after[1], f"{before[1] ^ after[1]}"
    )
    report.check("packages are as they were", before[2] == after[2], f"{sorted(before[2] ^ after[2])}")
    data = sorted(path.name for path in (root / "var/lib/tabularium").iterdir())
    report.check(f"the data is there: {', '.join(data)}", "tabularium.sqlite3" in data)


def _verified(inside: Inside, report: Report) -> None:
    unit = inside("systemd-analyze", "verify", "/etc/systemd/system/tabularium.service")
    report.check("systemd-analyze verify has nothing to say", not unit.stdout.strip(), unit.stdout)
    rules = inside("udevadm", "verify", "/etc/udev/rules.d/70-tabularium.rules")
    report.check("udevadm verify finds no fault", not rules.returncode, rules.stdout)


def _used(inside: Inside, root: Path, report: Report) -> None:
    versions = inside("tabularium", "--version")
    report.check(f"`tabularium` runs: {versions.stdout.strip()}", not versions.returncode, versions.stdout)
    wire = "import companion.hall.outbox, companion.hall._wire as wire; print(len(list(wire.SCHEMAS.glob('*.json'))))"
    python, there = "/opt/tabularium/current/venv/bin/python", {"PYTHONPATH": "/opt/tabularium/current"}
    found = inside(python, "-P", "-c", wire, PYTHONDONTWRITEBYTECODE="1", **there)
    schemas = len(list((ROOT / "docs/hall/schemas").glob("*.json")))
    well = found.stdout == f"{schemas}\n"
    report.check("a table of a hall finds its packages and the wire's schemas", well, found.stdout)
    hardware = "import spidev, lgpio, RPi.GPIO, mfrc522, gpiozero, kivy; print(kivy.__version__)"
    seen = inside(
        "/opt/tabularium/current/venv/bin/python", "-c", hardware, KIVY_HOME="/tmp/kivy", PYTHONDONTWRITEBYTECODE="1"
    )
    report.check("the program sees spidev, lgpio, rpi-lgpio, mfrc522, Kivy", not seen.returncode, seen.stdout)
    replayed = inside("tabularium", "replay", f"{CLONE}/{GAME}", "--lang", "de")
    report.check("a transcript is replayed", not replayed.returncode, replayed.stdout)
    doctor = inside("tabularium", "doctor")
    report.say(f"      the doctor says:\n{doctor.stdout}")
    report.check("the doctor runs", "pass, " in doctor.stdout, doctor.stdout)
    began = time.monotonic()
    started = inside("python3", "/srv/rehearse/tools/rehearse_service.py")
    took = time.monotonic() - began
    report.check(
        f"the service's program shows its first frame ({took:.0f} s), and ends when told",
        not started.returncode,
        started.stdout,
    )
    env = {
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": "/opt/tabularium/current:/srv/rehearse",
        "SDL_VIDEODRIVER": "offscreen",
        "HOME": "/tmp",
    }
    words = (
        "/opt/tabularium/current/venv/bin/python",
        "-m",
        "tests.ui.windows.window_transcript",
        f"/srv/rehearse/{GAME}",
        "/tmp/game.sqlite3",
    )
    began = time.monotonic()
    game = inside(*words, **env)
    took = time.monotonic() - began
    report.check(f"a game is played on the virtual table ({took:.0f} s)", '"events": [[' in game.stdout, game.stdout)
    _ = root


def _configured(inside: Inside, root: Path, report: Report) -> None:
    shutil.copy(ROOT / "firmware_notes/examples/five-readers.yaml", root / "etc/tabularium/config.yaml")
    boot = root / "boot/firmware/config.txt"
    done = inside("/opt/tabularium/current/install")
    text = boot.read_text(encoding="utf-8")
    lines = re.findall(r"^dt\w+=.*", text.partition(">>> Tabularium")[2], re.M)
    report.check(
        f"five readers need {', '.join(lines)}", "dtoverlay=spi1-3cs" in lines and not done.returncode, done.stdout
    )
    again = inside("/opt/tabularium/current/install")
    report.check("once is enough", "Nothing is left to do." in again.stdout and boot.read_text() == text, again.stdout)


def _in_a_hall(inside: Inside, root: Path, folder: Path, report: Report) -> None:
    """Run a hall outside; check that the table takes its file, and that the doctor and the service reach it."""
    shutil.rmtree(folder / "friday", ignore_errors=True)
    heard = root / "srv/rehearse/heard"
    with friday(folder / "friday") as (stick, here):
        shutil.copy(stick, root / "srv/rehearse/1.yaml")
        (root / "srv/rehearse/1.yaml").chmod(0o644)
        taken = inside("tabularium", "hall", "take", "/srv/rehearse/1.yaml")
        report.check("the table takes what a hall gave out", not taken.returncode, taken.stdout)
        doctor = inside("tabularium", "doctor")
        report.check("the doctor finds the hall", "Table 1 of friday" in " ".join(doctor.stdout.split()), doctor.stdout)
        with ThreadPoolExecutor(1) as pool:
            started = pool.submit(
                inside, "python3", "/srv/rehearse/tools/rehearse_service.py", f"/{heard.relative_to(root)}"
            )
            joined = here.wait(PATIENCE)
            heard.touch()
            report.check("the service's program is at the hall", joined, started.result().stdout)


def _updated(inside: Inside, root: Path, second: Path, report: Report) -> None:
    """Update from a stick with a second release: taken, on trial, back; then save and read a report."""
    stick = root / "media/sda1" / second.name
    shutil.copytree(second, stick)
    began = time.monotonic()
    done = inside("python3", "/srv/rehearse/tools/rehearse_update.py", **NO_INDEX)
    said = [line.partition(": ")[::2] for line in done.stdout.splitlines() if line.startswith(("ok: ", "FAIL: "))]
    for well, what in said:
        report.check(what, well == "ok", done.stdout)
    took = (time.monotonic() - began) / 60
    report.check(
        f"an update, back again, and a report ({took:.0f} min)", not done.returncode and bool(said), done.stdout
    )
    shutil.rmtree(root / "media/sda1")


def _releases(folder: Path, report: Report) -> tuple[Path, Path]:
    """Make two releases of the project as it is here, signed with a key made for this."""
    for name in ("key", "repositories", "releases"):
        shutil.rmtree(folder / name, ignore_errors=True)
    key, made = Key(folder / "key"), []
    for version in ("", "99.0.0"):
        there = folder / f"repositories/{version or 'first'}"
        there.mkdir(parents=True)
        made.append(making.make(committed(there, key, version), folder / "releases", key=key.private))
    count = len(list(made[0].glob("*.whl"))) - 1
    report.check(f"two releases are made, each with {count} wheels for arm64 on Python 3.11 and 3.13", count > 10)
    return made[0], made[1]


def main() -> int:
    parser = argparse.ArgumentParser(description="Rehearses the installation without a Pi.")
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/tabularium-rehearsal"), help="about 3 GB")
    parser.add_argument("--suite", default="trixie", help="Debian's name (default: trixie)")
    args = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("The rehearsal makes a system of its own: run it as root.")
    lacking = [
        name for name in ("debootstrap", "qemu-user-static") if not shutil.which(name.replace("user", "aarch64"))
    ]
    if lacking and subprocess.run(["apt-get", "install", "-y", "-q", *lacking], check=False).returncode:
        sys.exit(f"The rehearsal needs {', '.join(lacking)}: apt-get install {' '.join(lacking)}")
    args.folder.mkdir(parents=True, exist_ok=True)
    report = Report(args.folder / "report.txt")
    with foreign():
        rehearse(args.folder, args.suite, report)
    report.say(f"{'All is well.' if not report.failed else f'{report.failed} checks failed.'}")
    return int(report.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
