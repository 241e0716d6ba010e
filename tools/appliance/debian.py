"""The virtual Pi's system before anything of ours is on it: Debian 13 for arm64, made once and kept.

Debian's own kernel and packages, and what only Raspberry Pi's archive has: lgpio and rpi-lgpio, built from their
sources. gpio-sim is off in Debian's kernel: it is built of the kernel's own source as a module.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

QEMU = Path("/usr/bin/qemu-aarch64-static")
BINFMT = Path("/proc/sys/fs/binfmt_misc")
ELF = r":tabularium-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:" \
      r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:" + str(QEMU) + ":F"  # fmt: skip
"""How the kernel knows a program for arm64, and what is to run it."""
SUITE = "trixie"
LITE = (
    "systemd", "systemd-sysv", "systemd-timesyncd", "udev", "dbus", "libpam-systemd", "python3", "ca-certificates",
    "sudo", "kmod", "openssh-client", "polkitd", "initramfs-tools", "zstd", "e2fsprogs", "dosfstools", "exfatprogs",
    "usbutils", "iproute2", "procps", "git", "linux-image-arm64",
)  # fmt: skip
"""What Raspberry Pi OS Lite has too, as far as the installer and the table meet it."""
INSTALLED = (
    "python3-venv", "libegl1", "libgles2", "libgl1", "libgl1-mesa-dri", "libgbm1", "libdrm2", "libmtdev1t64",
    "fonts-ipafont-gothic", "espeak-ng", "alsa-utils", "pcscd", "libccid", "python3-spidev",
)  # fmt: skip
"""What the installer takes from apt: it is there already, as inside there is no network."""
DRIVEN = ("qemu-guest-agent", "python3-evdev", "vsmartcard-vpcd", "modemmanager")
"""What the host drives it with, and a program that opens new serial ports unasked."""
BUILDING = ("linux-headers-arm64", "make", "gcc", "libc6-dev", "python3-dev", "python3-pip", "python3-setuptools",
            "python3-wheel", "swig", "xz-utils")  # fmt: skip
DPKG = "force-unsafe-io\npath-exclude=/usr/share/man/*\npath-exclude=/usr/share/doc/*\n"
INITRAMFS = "MODULES=list\nCOMPRESS=zstd\nCOMPRESSLEVEL=1\n"
MODULES = "virtio_blk\nvirtio_pci\next4\n"
NO_SERVICES = "#!/bin/sh\nexit 101\n"
CLEAN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
MOUNTS = """
set -e
mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; mount -t tmpfs tmpfs "$0/run"; mount -t tmpfs tmpfs "$0/tmp"
for file in hosts resolv.conf ssl/certs/ca-certificates.crt; do
  mkdir -p "$(dirname "$0/etc/$file")"; touch "$0/etc/$file"; mount --bind "/etc/$file" "$0/etc/$file"
done
exec chroot "$0" "$@"
"""
"""What a command sees besides the emulated system's own files. It goes with the command."""
GPIO_SIM = r"""
set -e
kernel=$(basename /lib/modules/*) && mkdir -p /srv/gpio-sim && cd /srv/gpio-sim
tar -xf /srv/linux-source-*.tar.xz --strip-components=3 --wildcards '*/drivers/gpio/gpio-sim.c' '*/kernel/irq/irq_sim.c'
# The interrupt simulator is not a separate module, so it goes into this one; two of its calls are not exported to modules.
sed -i -e 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' -e '/^EXPORT_SYMBOL/d' \
  -e 's/irq_domain_get_irq_data(domain, virq)/irq_get_irq_data(virq)/' irq_sim.c
# A finger is stronger than a pin's own pull: without this, asking for a line with a pull-up lets go of a held button.
sed -i 's/return gpio_sim_apply_pull(chip, offset, [01]);/return 0;/' gpio-sim.c
printf 'obj-m := gpio-sim-table.o\ngpio-sim-table-y := gpio-sim.o irq_sim.o\n' >Makefile
make -C "/lib/modules/$kernel/build" M="$PWD" modules
"""
PI_PACKAGES: Mapping[str, str] = {
    "python3-lgpio": "Architecture: arm64\nDepends: python3\n",
    "python3-rpi-lgpio": "Architecture: all\nDepends: python3-lgpio\nConflicts: python3-rpi.gpio\nReplaces: python3-rpi.gpio\n",
}
"""Packages of Raspberry Pi's archive, with what they say of themselves."""
Inside = Callable[..., "subprocess.CompletedProcess[str]"]


class BuildFailed(Exception):  # noqa: N818 - it is what happened
    """A step of the build failed: its command, and the end of what it printed."""


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


def runner(root: Path) -> Inside:
    """Return a function that runs a command in the emulated system, which sees nothing of ours but the network."""

    def inside(*words: str, **given: str) -> subprocess.CompletedProcess[str]:
        apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", MOUNTS, str(root)]
        return subprocess.run(
            [*apart, *words],
            check=False,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=CLEAN | given,
        )

    return inside


def system(folder: Path) -> Path:
    """Return the root of the system, with the Pi's archive in /srv/archive and gpio-sim among its modules.

    It is made anew only when this recipe changes. Raises BuildFailed.
    """
    root = folder / "debian"
    recipe = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    stamp = folder / "debian.made"
    if root.exists() and stamp.exists() and stamp.read_text(encoding="ascii") == recipe:
        return root
    stamp.unlink(missing_ok=True)
    shutil.rmtree(root, ignore_errors=True)
    _bootstrap(root, (*LITE, *INSTALLED, *DRIVEN))
    _build(folder, root)
    stamp.write_text(recipe, encoding="ascii")
    return root


def _bootstrap(root: Path, packages: tuple[str, ...]) -> None:
    put = {
        "etc/dpkg/dpkg.cfg.d/appliance": DPKG,
        "etc/initramfs-tools/conf.d/appliance": INITRAMFS,
        "etc/initramfs-tools/modules": MODULES,
        "usr/sbin/policy-rc.d": NO_SERVICES,
    }
    for name, text in put.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="ascii")
    (root / "usr/sbin/policy-rc.d").chmod(0o755)
    hooks = [f'--setup-hook=cp -a {root}/. "$1"', '--customize-hook=rm "$1/usr/sbin/policy-rc.d"']
    made = root.with_suffix(".new")
    words = ["mmdebstrap", "--mode=root", "--arch=arm64", "--variant=minbase", f"--include={','.join(packages)}",
             "--aptopt=Apt::Install-Recommends false", *hooks, SUITE, str(made)]  # fmt: skip
    shutil.rmtree(made, ignore_errors=True)
    _well(subprocess.run(words, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
    shutil.rmtree(root)
    made.rename(root)


def _build(folder: Path, root: Path) -> None:
    """Build what is built from source in a copy of the system that has compilers, and put it into the system."""
    workshop = folder / "workshop"
    shutil.rmtree(workshop, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", root, workshop], check=True)
    inside = runner(workshop)
    install = "apt-get install -y -q --no-install-recommends"
    fetch = "cd /srv && apt-get download -q linux-source-6.12 && dpkg-deb --fsys-tarfile linux-source-*.deb | tar -x --strip-components=3"
    _well(
        inside(
            "sh",
            "-c",
            f"apt-get update -q && {install} {' '.join(BUILDING)} && {fetch}",
            DEBIAN_FRONTEND="noninteractive",
        )
    )
    _well(inside("sh", "-c", GPIO_SIM))
    modules = next((root / "lib/modules").iterdir())
    (modules / "updates").mkdir(exist_ok=True)
    shutil.copy(workshop / "srv/gpio-sim/gpio-sim-table.ko", modules / "updates")
    _well(runner(root)("depmod", modules.name))
    sources = workshop / "srv/sources"
    sources.mkdir(exist_ok=True)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--disable-pip-version-check",
        "-q",
        "--no-deps",
        "--no-binary",
        ":all:",
    ]
    subprocess.run([*pip, "-d", sources, "lgpio", "rpi-lgpio"], check=True, env=os.environ | {"PYPI": "1"})
    for name in PI_PACKAGES:
        source = next(sources.glob(f"{name.removeprefix('python3-').replace('-', '[-_]')}-*.tar.gz"))
        _packaged(inside, workshop, name, source)
    archive = root / "srv/archive"
    shutil.rmtree(archive, ignore_errors=True)
    shutil.copytree(workshop / "srv/archive", archive)
    (root / "etc/apt/sources.list.d/raspi.list").write_text(
        "deb [trusted=yes] file:/srv/archive ./\n", encoding="ascii"
    )
    shutil.rmtree(workshop)


def _packaged(inside: Inside, workshop: Path, name: str, source: Path) -> None:
    """Build a Debian package of a Python package's source, and enter it in the archive."""
    there = f"/srv/archive/{name}"
    pip = "python3 -m pip install -q --no-index --no-deps --no-build-isolation --root-user-action ignore"
    built = inside("sh", "-c", f"mkdir -p {there}/DEBIAN && {pip} --target {there}/usr/lib/python3/dist-packages /srv/sources/{source.name}",
                   PYPI="1")  # fmt: skip
    _well(built)
    control = f"Package: {name}\nVersion: 99.0-1\nMaintainer: appliance <nobody@localhost>\n{PI_PACKAGES[name]}"
    (workshop / there[1:] / "DEBIAN/control").write_text(
        f"{control}Description: as in Raspberry Pi's archive\n", encoding="ascii"
    )
    enter = f"cd /srv/archive && dpkg-deb --build --root-owner-group {name} {name}.deb && rm -r {name}"
    _well(inside("sh", "-c", enter))
    with (workshop / "srv/archive/Packages").open("a", encoding="utf-8") as index:
        deb = workshop / f"srv/archive/{name}.deb"
        digest = hashlib.sha256(deb.read_bytes()).hexdigest()
        index.write(
            f"{control}Filename: ./{deb.name}\nSize: {deb.stat().st_size}\nSHA256: {digest}\nDescription: of the Pi\n\n"
        )


def _well(done: subprocess.CompletedProcess[str]) -> None:
    if done.returncode:
        raise BuildFailed(f"{done.args[-1]}\n{done.stdout[-3000:]}")
