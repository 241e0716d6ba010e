"""`make appliance`: builds a virtual Raspberry Pi, installs the table on it, starts it and tries what the stages say."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from tools.appliance import debian, installation
from tools.appliance.bench import Bench, Stage
from tools.appliance.faults import FAULTS, spoilt
from tools.appliance.machine import CommandFailed, Silent, System, board_tree
from tools.appliance.report import Report
from tools.appliance.stages import damage, displays, hall, hardware, leaving, play, start, updating
from tools.apt import install, where

STAGES: Mapping[str, Stage] = {  # the longest before the others: they run beside each other
    "boot": start.boot,
    "update": updating.good,
    "update-dying": updating.dying,
    "update-dark": updating.dark,
    "update-power-cut": updating.power_cut,
    "first-start": start.first_start,
    "clock": start.clock_at_1970,
    "display-late": displays.late,
    "display-off-and-on": displays.off_and_on,
    "sizes": displays.sizes,
    "doctor": hardware.doctor,
    "first-hour": hardware.first_hour,
    "hubs": hardware.hubs,
    "usb-reader": hardware.usb_reader,
    "touch": hardware.touch_panel,
    "keyboard": hardware.keyboard,
    "pad": hardware.pad,
    "voice": hardware.voice,
    "game": play.game,
    "power-cut": play.power_cut,
    "sticks": hardware.sticks,
    "stick-cut": hardware.stick_cut,
    "watchdog": damage.watchdog,
    "full-disk": damage.full_disk,
    "read-only": damage.read_only,
    "hall": hall.joined,
    "stopped": leaving.stopped,
    "off": leaving.switched_off,
    "uninstall": leaving.uninstalled,
}

TOOLS = {
    "qemu-system-aarch64": "qemu-system-arm", "qemu-img": "qemu-utils", "qemu-aarch64-static": "qemu-user-static",
    "mmdebstrap": "mmdebstrap", "fdtput": "device-tree-compiler", "tesseract": "tesseract-ocr", "convert": "imagemagick",
    "mcopy": "mtools", "mkfs.vfat": "dosfstools", "mkfs.exfat": "exfatprogs", "mkfs.ntfs": "ntfs-3g", "mkfs.ext4": "e2fsprogs",
}  # fmt: skip
"""The programs it is made with, and Debian's packages of them."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="make appliance", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/tabularium-appliance"), help="about 12 GB")
    parser.add_argument("--only", default="", help=f"stages, separated by commas: {', '.join(['install', *STAGES])}")
    parser.add_argument("--faults", nargs="?", const=",".join(FAULTS), default="",
                        help=f"put faults back instead, and see that their stages fail: {', '.join(FAULTS)}")  # fmt: skip
    parser.add_argument("--beside", type=int, default=2, help="how many stages run beside each other (%(default)s)")
    args = parser.parse_args()
    chosen = args.only.split(",") if args.only else ["install", *STAGES]
    if unknown := set(chosen) - {"install", *STAGES}:
        parser.error(f"there is no stage {', '.join(sorted(unknown))}")
    faults = args.faults.split(",") if args.faults else []
    if unknown := set(faults) - set(FAULTS):
        parser.error(f"there is no fault {', '.join(sorted(unknown))}")
    if os.geteuid() != 0:
        sys.exit("It builds a system and devices: run it as root.")
    if lacking := [package for program, package in TOOLS.items() if not where(program)]:
        install(lacking)
    args.folder.mkdir(parents=True, exist_ok=True)
    report = Report(args.folder / ("report-faults" if faults else "report"))
    bench = _built(args.folder, report, "install" in chosen and not faults)
    stages = [name for name in chosen if name != "install"]
    with ThreadPoolExecutor(args.beside) as workers:
        tried = workers.map(partial(_found, bench), faults) if faults else workers.map(partial(_tried, bench), stages)
        failed = report.failed + sum(tried)
    report.say(f"{f'{failed} checks failed.' if failed else 'All is well.'} Pictures: {report.folder}")
    return int(failed > 0)


def _built(folder: Path, report: Report, anew: bool) -> Bench:
    """Return a bench with the project as it is installed; `anew` also where that was done before."""
    with debian.foreign():
        base = debian.system(folder)
        report.say(f"a Debian for arm64: {base}")
        releases = installation.releases(folder)
        report.say(f"releases: {releases.first.name}, {', '.join(releases.later)}")
        image, made = folder / "installed.qcow2", folder / "installed.made"
        stamp = f"{(folder / 'releases.made').read_text()} {(folder / 'debian.made').read_text()}"
        if anew or not image.exists() or not made.exists() or made.read_text() != stamp:
            made.unlink(missing_ok=True)
            root = installation.install(folder, base, releases.first, report)
            installation.disk(root, image)
            made.write_text(stamp, encoding="ascii")
            report.say("an installed disk")
    boot = folder / "root/boot"
    system = System(image, next(boot.glob("vmlinuz-*")), next(boot.glob("initrd.img-*")))
    return Bench(folder, report, system, board_tree(folder), releases)


def _tried(bench: Bench, name: str) -> int:
    """Try a stage; return how many of its checks failed."""
    report, began = bench.report.of(name), time.monotonic()
    report.say((STAGES[name].__doc__ or "").strip())
    try:
        STAGES[name](replace(bench, report=report))
    except (CommandFailed, Silent, OSError) as failed:
        report.check("it went through", False, str(failed))
    report.say(f"took {time.monotonic() - began:.0f} s")
    return report.failed


def _found(bench: Bench, name: str) -> int:
    """Put a fault back and try its stage, which must fail; return 1 if it does not."""
    report, stage = bench.report.of(name), FAULTS[name].stage
    report.say("put back")
    found = _tried(spoilt(replace(bench, report=report), name), stage) > 0
    return int(not report.check(f"{stage} finds it", found))


if __name__ == "__main__":
    sys.exit(main())
