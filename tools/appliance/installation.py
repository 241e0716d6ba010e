"""The installation, in the virtual Pi's root before it is started: shown, made, repeated, configured, taken back.

Before and after, everything in the file system is listed and compared. No systemd runs here, as while an image is made.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.releases import Key, commit, committed
from tools import making
from tools.appliance.debian import Inside, runner
from tools.appliance.report import Report

USER = "tabularium"
CLONE, RELEASE, OURS = "/home/maker/tabularium", "/home/maker/release", "/srv/appliance"
DEVICES = "appliance-devices.service"
GAME = "tests/goldens/prokonsul-hardware.jsonl"
NO_INDEX = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "0"}
"""An index that refuses every package asked for on the network."""
GOOD, DYING, DARK = "99.0.0", "99.1.0", "99.2.0"
"""Later versions: a good one, one that dies by itself after a while, and one that never shows anything."""
SPOILT = {
    DYING: "threading.Timer(150, lambda: os.kill(os.getpid(), signal.SIGSEGV)).start()",
    DARK: "time.sleep(100_000)",
}
AT_THE_TABLE = """

import os, signal, threading, time

if os.environ.get("NOTIFY_SOCKET") and os.environ.get("SDL_VIDEODRIVER") == "kmsdrm":
    {}
"""
APART = ("proc", "sys", "dev", "run", "tmp", "srv", "var/lib/tabularium", "var/lib/dpkg", "var/lib/apt", "var/cache/apt",
         "var/cache/debconf", "var/log", "home", "etc/ld.so.cache", "var/cache/ldconfig", "var/lib/systemd",
         *(f"etc/{name}{end}" for name in ("passwd", "group", "shadow", "gshadow", "subuid", "subgid") for end in ("", "-")))  # fmt: skip
"""What is not compared file by file: the data, apt's and dpkg's own state, and accounts, which are compared by line."""
CONFIG_TXT = """\
# For more options and information see
# http://rptl.io/configtxt

# Uncomment some or all of these to enable the optional hardware interfaces
#dtparam=i2c_arm=on
#dtparam=spi=on

dtparam=audio=on
camera_auto_detect=1
display_auto_detect=1
auto_initramfs=1
dtoverlay=vc4-kms-v3d
max_framebuffers=2
arm_64bit=1

[cm4]
otg_mode=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
"""
"""As Raspberry Pi OS ships it, in short."""
WATCHDOG_S = 120
"""The watchdog's seconds on the virtual Pi."""
NETWORK = "[Match]\nName=e*\n[Network]\nDHCP=yes\n"
EMULATED = f"""\
# An emulated processor is some twenty times slower than a Pi's: a first frame of 1.5 s takes it the watchdog's 30 s.
[Service]
WatchdogSec={WATCHDOG_S}
"""
Listing = Mapping[str, tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Releases:
    """Folders of releases, signed with a key made for this; `later` by version."""

    first: Path
    later: Mapping[str, Path]


def releases(folder: Path) -> Releases:
    """Return a release of the project as it is here, and later ones; made anew when the project has changed."""
    words = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    names = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    digest = hashlib.sha256()
    for name in sorted(filter(None, names)):
        path = ROOT / name
        if path.is_file() and not name.startswith(("tests/", "docs/", "tools/")):
            digest.update(name.encode() + path.read_bytes())
    there, stamp = folder / "releases", folder / "releases.made"
    if not stamp.exists() or stamp.read_text(encoding="ascii") != digest.hexdigest():
        stamp.unlink(missing_ok=True)
        for name in ("key", "repositories", "releases"):
            shutil.rmtree(folder / name, ignore_errors=True)
        key = Key(folder / "key")
        for version in ("", GOOD, DYING, DARK):
            repository = folder / f"repositories/{version or 'first'}"
            repository.mkdir(parents=True)
            committed(repository, key, version)
            if version in SPOILT:
                with (repository / "companion/__init__.py").open("a", encoding="utf-8") as file:
                    file.write(AT_THE_TABLE.format(SPOILT[version]))
                commit(repository)
            making.make(repository, there, key=key.private)
        stamp.write_text(digest.hexdigest(), encoding="ascii")
    made = {path.name.removeprefix("tabularium-"): path for path in there.iterdir()}
    later = {version: made.pop(version) for version in (GOOD, DYING, DARK)}
    return Releases(made.popitem()[1], later)


def dress(root: Path, release: Path) -> None:
    """Make a bare root into a new Raspberry Pi OS Lite, with a release unpacked in somebody's home."""
    put = {
        "etc/hostname": "table\n",
        "etc/hosts": "127.0.0.1 localhost table\n",
        "etc/fstab": "/dev/vda / ext4 defaults,noatime 0 1\n",
        "etc/systemd/network/wired.network": NETWORK,
        "boot/firmware/config.txt": CONFIG_TXT,
        "etc/sudoers.d/maker": "maker ALL=(ALL) NOPASSWD: ALL\n",
        "etc/systemd/system/tabularium.service.d/emulated.conf": EMULATED,
    }
    for name, text in put.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    inside = runner(root)
    inside(
        "sh",
        "-c",
        "id maker || useradd -m -s /bin/bash -G sudo maker; systemctl enable systemd-networkd; mkdir -p /var/log/journal",
    )
    there = root / CLONE.lstrip("/")
    there.mkdir(parents=True, exist_ok=True)
    subprocess.run(["tar", "-xf", next(release.glob("*.tar.gz")), "-C", there, "--strip-components=1"], check=True)
    shutil.copytree(release, root / RELEASE.lstrip("/"), dirs_exist_ok=True)
    for name in ("tests", "tools"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, root / OURS.lstrip("/") / name, ignore=ignored, dirs_exist_ok=True)
    shutil.copy(ROOT / "tools/appliance/guest/devices.service", root / f"etc/systemd/system/{DEVICES}")
    inside("systemctl", "enable", DEVICES)


def install(folder: Path, debian: Path, release: Path, report: Report) -> Path:
    """Install a release in a copy of the system and check it; return the installed root."""
    root = folder / "root"
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "-a", debian, root], check=True)
    dress(root, release)
    inside = runner(root)
    inside("apt-get", "update", "-q", "-o", "Dir::Etc::SourceList=/dev/null")
    before = listing(root), accounts(root), packages(root)
    shown = inside(f"{CLONE}/install", "--dry-run")
    report.check("the dry run shows seven steps", shown.stdout.count("  to do: ") == 7, shown.stdout)
    changed = differences(before[0], listing(root))
    report.check("the dry run changes nothing", not changed, "\n".join(changed))
    done = inside(f"{CLONE}/install", "--offline", RELEASE, **NO_INDEX)
    report.check("it installs from the release's folder, without a network", not done.returncode, done.stdout)
    compilers = {"gcc", "g++", "swig", "python3-dev"} & packages(root)
    report.check("without a compiler", not compilers, str(compilers))
    stands = listing(root)
    again = inside(f"{CLONE}/install", "--offline", RELEASE)
    report.check("a second run finds nothing to do", "Nothing is left to do." in again.stdout, again.stdout)
    changed = differences(stands, listing(root))
    report.check("a second run changes nothing", not changed, "\n".join(changed))
    _use(inside, report)
    apart = folder / "apart"
    shutil.rmtree(apart, ignore_errors=True)
    subprocess.run(["cp", "-a", root, apart], check=True)
    _configure(apart, report)
    _uninstall(apart, before, report)
    shutil.rmtree(apart)
    return root


def _use(inside: Inside, report: Report) -> None:
    # the table's user cannot read a home
    replayed = inside("sh", "-c", f"tabularium replay - --lang de <{CLONE}/{GAME}")
    report.check("`tabularium` replays a transcript", not replayed.returncode, replayed.stdout)
    hardware = "import spidev, lgpio, gpiozero, kivy"  # the others ask for a Pi as soon as they are imported
    env = {"KIVY_HOME": "/tmp/kivy", "LG_WD": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    seen = inside("/opt/tabularium/current/venv/bin/python", "-c", hardware, **env)
    report.check("the program sees spidev, lgpio, gpiozero and Kivy", not seen.returncode, seen.stdout)


def _configure(root: Path, report: Report) -> None:
    """Install again with five readers in config.yaml."""
    inside = runner(root)
    shutil.copy(ROOT / "firmware_notes/examples/five-readers.yaml", root / "etc/tabularium/config.yaml")
    boot = root / "boot/firmware/config.txt"
    done = inside("/opt/tabularium/current/install")
    text = boot.read_text(encoding="utf-8")
    lines = re.findall(r"^dt\w+=.*", text.partition(">>> Tabularium")[2], re.M)
    well = "dtoverlay=spi1-3cs" in lines and not done.returncode
    report.check(f"five readers need {', '.join(lines)} in the boot configuration", well, done.stdout)
    again = inside("/opt/tabularium/current/install")
    report.check("once is enough", "Nothing is left to do." in again.stdout and boot.read_text() == text, again.stdout)


def _uninstall(root: Path, before: tuple[Listing, frozenset[str], frozenset[str]], report: Report) -> None:
    gone = runner(root)("/opt/tabularium/current/install", "--uninstall")
    report.check("it uninstalls, from its own copy", not gone.returncode, gone.stdout)
    left = differences(before[0], listing(root))
    report.check("nothing is left but the data", not left, "\n".join(left))
    same = before[1] == accounts(root)
    report.check("users and groups are as they were, but for the data's owner", same, f"{before[1] ^ accounts(root)}")
    report.check("packages are as they were", before[2] == packages(root), f"{sorted(before[2] ^ packages(root))}")


def disk(root: Path, image: Path) -> None:
    """Write a root into a disk of 6 GB."""
    raw = image.with_suffix(".raw")
    raw.unlink(missing_ok=True)
    with raw.open("wb") as file:
        file.truncate(6 << 30)
    subprocess.run(["mkfs.ext4", "-q", "-F", "-L", "rootfs", "-d", root, raw], check=True)
    subprocess.run(["qemu-img", "convert", "-O", "qcow2", raw, image], check=True)
    raw.unlink()


# -- what is there -----------------------------------------------------------------------------------------------------


def listing(root: Path) -> Listing:
    """Return every file with its kind, mode, owner and content, except what is APART."""
    return dict(_listed(root))


def _listed(root: Path) -> Iterator[tuple[str, tuple[object, ...]]]:
    for folder, names, files in os.walk(root):
        at = Path(folder).relative_to(root)
        names[:] = [name for name in names if str(at / name) not in APART]
        for name in sorted((*names, *files)):
            if str(at / name) in APART:
                continue
            path = root / at / name
            seen = path.lstat()
            what: object = ""
            if stat.S_ISLNK(seen.st_mode):
                what = str(path.readlink())
            elif stat.S_ISREG(seen.st_mode):
                what = hashlib.sha256(path.read_bytes()).hexdigest()
            yield str(at / name), (oct(seen.st_mode), seen.st_uid, seen.st_gid, what)


def differences(before: Listing, after: Listing) -> list[str]:
    gone = [f"gone: {path}" for path in before.keys() - after.keys()]
    new = [f"new: {path}" for path in after.keys() - before.keys()]
    both = before.keys() & after.keys()
    other = [f"other: {path} {before[path]} {after[path]}" for path in both if before[path] != after[path]]
    return sorted((*gone, *new, *other))


def accounts(root: Path) -> frozenset[str]:
    """Return the lines of users and groups, without our user."""
    lines = [
        f"{name}: {line}"
        for name in ("passwd", "group", "gshadow", "shadow")
        for line in (root / "etc" / name).read_text(encoding="utf-8").splitlines()
    ]
    return frozenset(line for line in lines if not re.match(rf"\w+: {USER}:", line))


def packages(root: Path) -> frozenset[str]:
    words = ["dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f", "${db:Status-Abbrev}${Package}\n"]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return frozenset(line[3:] for line in said.splitlines() if line.startswith("ii"))
