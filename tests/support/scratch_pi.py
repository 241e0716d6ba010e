"""A Raspberry Pi as far as the installer sees it: a scratch root, its boot configuration, and what apt knows.

Files, users, groups and the links of systemd are real, below the root. apt, dpkg and the making of a virtual
environment are small programs in `bin`, which keep what they know in the folder $SCRATCH.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from pi.apt import HARDWARE, NEEDED
from pi.machine import Machine
from tests.support.paths import ROOT
from tools.appliance.installation import CONFIG_TXT

PROGRAMS = {
    "dpkg-query": 'case "$3" in *Provides*) sed "s/.*/ii &/" provides;; *) sed "s/^/ii  /" installed;; esac',
    "apt-cache": """
shift
for name in "$@"; do
    known="(none)"
    if grep -qx "$name" archive; then known=1.0; fi
    printf '%s:\\n  Installed: (none)\\n  Candidate: %s\\n' "$name" "$known"
done""",
    "apt-mark": 'shift; printf "%s\\n" "$@" > auto',
    "apt-get": """
echo "$@" >> said
while [ "${1#-}" != "$1" ]; do
    case "$1" in -o) shift;; --simulate) simulate=1;; esac
    shift
done
act=$1; shift
case "$act" in
install)
    if [ -e broken ]; then echo "E: Unable to fetch some archives"; exit 100; fi
    for name in "$@"; do
        case "$name" in --*) continue;; *.deb) name=$(basename "$name" .deb);; esac
        echo "Setting up $name"; echo "$name" >> installed
        if [ "$name" = python3-rpi-lgpio ]; then sed -i /^python3-rpi.gpio$/d installed; fi
    done
    sort -u -o installed installed;;
autoremove) if [ -n "$simulate" ]; then sed "s/.*/Remv & [1.0]/" auto; fi;;
purge) for name in "$@"; do sed -i "/^$name$/d" installed; done;;
esac""",
    "python3": f"""
[ "$1" = -m ] || exec {sys.executable} "$@"
home=$4
mkdir -p "$home/bin"
cat > "$home/bin/python" <<END
#!/bin/sh
case "\\$2" in
pip) echo "\\$@" >> "\\$SCRATCH/said";;
compileall) ;;
*) exec {sys.executable} "\\$@";;
esac
END
chmod +x "$home/bin/python" """,
}


def scratch(at: Path, archive: Mapping[str, bool] | None = None, source: Path = ROOT) -> Machine:
    """Make a new scratch machine; `archive` are the packages apt has, and whether each is installed."""
    known = archive or dict.fromkeys((*NEEDED, *HARDWARE), False) | {"python3-rpi.gpio": True, "libdrm2": True}
    root, state, programs = (at / name for name in ("root", "state", "bin"))
    for folder in (root / "etc/systemd/system", root / "var/lib", root / "usr/local/bin", root / "boot/firmware",
                   root / "etc/udev/rules.d", root / "opt", state, programs):  # fmt: skip
        folder.mkdir(parents=True)
    (root / "boot/firmware/config.txt").write_text(CONFIG_TXT, encoding="utf-8")
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n", encoding="utf-8")
    (root / "etc/shadow").write_text("root:*:19000:0:99999:7:::\n", encoding="utf-8")
    groups = ("root:x:0:", "dialout:x:20:maker", "audio:x:29:", "video:x:44:maker")
    (root / "etc/group").write_text("".join(f"{line}\n" for line in groups), encoding="utf-8")
    (root / "etc/gshadow").write_text("root:*::\ndialout:*::maker\naudio:*::\nvideo:*::maker\n", encoding="utf-8")
    (state / "archive").write_text("".join(f"{name}\n" for name in known), encoding="utf-8")
    (state / "installed").write_text("".join(f"{name}\n" for name, there in known.items() if there), encoding="utf-8")
    for name in ("said", "provides"):
        (state / name).touch()
    for name, text in PROGRAMS.items():
        program = programs / name
        program.write_text(f'#!/bin/sh\ncd "$SCRATCH" || exit\n{text}\n', encoding="utf-8")
        program.chmod(0o755)
    return machine(at, source)


def machine(at: Path, source: Path = ROOT) -> Machine:
    """Return the machine that `scratch` has made in this folder, or a copy of it."""
    env = {"PATH": f"{at}/bin:{os.environ['PATH']}:/usr/sbin", "SCRATCH": f"{at}/state"}
    return Machine(at / "root", source, dict(os.environ) | env)


def copied(m: Machine, at: Path) -> Machine:
    """Return a copy of the whole machine, owners included."""
    subprocess.run(["cp", "-a", f"{m.root.parent}/.", at], check=True)
    return machine(at)


def packages(m: Machine) -> list[str]:
    """Return the names of the installed packages."""
    return sorted((m.root.parent / "state/installed").read_text(encoding="utf-8").split())


def said(m: Machine) -> str:
    """Return what apt-get and pip were asked, line by line."""
    return (m.root.parent / "state/said").read_text(encoding="utf-8")
