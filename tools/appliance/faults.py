"""Faults that real systems have shown once, put back one at a time: the stage that found each must fail again."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tools.appliance.bench import Bench

PROGRAM = "/opt/tabularium/current"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: the stage that must find it, the file it is in, and sed's words that put it there."""

    stage: str
    file: str
    words: str


FAULTS: Mapping[str, Fault] = {
    "lost-frame": Fault("boot", f"{PROGRAM}/ui/app.py",
                        "s/on_flip=self._draw_first_frame_again)/on_flip=self._after_second_frame)/; /ask_update(), AGAIN_S/d"),
    "property-list": Fault("doctor", "/usr/local/bin/tabularium", 's/for word in $given/for word in "$given"/'),
    "late-display": Fault("display-late", f"{PROGRAM}/companion/cli/table.py", "s/if service.there:$/if False:/"),
    "udev-rule": Fault("hubs", "/etc/udev/rules.d/70-tabularium.rules", "/SYMLINK/d"),
    "polkit-rule": Fault("off", "/etc/polkit-1/rules.d/50-tabularium-power.rules", 's/"tabularium"/"table"/'),
}  # fmt: skip


def spoilt(bench: Bench, name: str) -> Bench:
    """Return a bench whose disk has a fault. Raises CommandFailed where the file has changed, and the words do nothing."""
    folder = bench.folder / f"faults/{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "installed.made").write_text(name, encoding="ascii")
    faulty = replace(bench, folder=folder)
    fault = FAULTS[name]
    with faulty.pi("spoilt") as table:
        table.pi.shell(f"f=$(realpath {fault.file}); cp $f /tmp/was; sed -i '{fault.words}' $f; ! cmp -s $f /tmp/was")
        table.pi.shell("sync; systemctl poweroff", status=None)
        table.pi.wait_off()
    return replace(faulty, system=replace(bench.system, disk=folder / "run/spoilt/disk.qcow2"))
