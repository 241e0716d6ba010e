"""Both README commands on fresh machines: `make fresh`, as root on Debian; most of an hour.

Minimal Debian 12 and 13, as mmdebstrap or debootstrap makes them, with what the README says is to be installed first
and nothing else. In each a clone is set up, opened, used and tested: once as root, once as a user, for whom the system's
packages are installed by the commands that the set-up itself has named. The root is entered by pivot_root, since the
kernel refuses user namespaces in a chroot. What this machine must lend (a mirror's settings, say) is named by `--lend`.
The report is printed, and kept in the folder beside the roots.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

if __name__ == "__main__":  # begun with the system's Python: nothing is set up for it
    sys.path.insert(0, str(Path(__file__).parent.parent))

ROOT = Path(__file__).resolve().parent.parent
SUITES = {"12": "bookworm", "13": "trixie"}
FIRST = "python3,python3-venv,git,make,ca-certificates"
"""What the README has people install before anything else."""
MOUNTS = """
set -e
mount --bind "$0" "$0"; cd "$0"
mount -t proc -o nosuid,nodev,noexec proc proc; mount --rbind /sys sys; mount --rbind /dev dev
mount -t tmpfs -o nosuid,nodev,mode=755 tmpfs run; mkdir -m 1777 run/lock
mount -t tmpfs -o nosuid,nodev tmpfs tmp
for file in /etc/hosts /etc/resolv.conf $LENT; do
  if [ -d "$file" ]; then mkdir -p "$0$file"; else mkdir -p "$0$(dirname "$file")"; touch "$0$file"; fi
  mount --bind "$file" "$0$file"
done
pivot_root . .; umount -l .; cd /
exec "$@"
"""
CLEAN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "TERM": "dumb"}
NAMED = re.compile(r"sudo (apt-get install -y [^\n]*|make tools)")
Who = Literal["root", "maker"]
HOMES: dict[Who, str] = {"root": "/root", "maker": "/home/maker"}


def maker() -> str | None:
    """Return the program that makes a Debian in a folder; both take the same words."""
    return shutil.which("mmdebstrap") or shutil.which("debootstrap")


class Fresh:
    """One fresh machine, and who uses it. It is made anew, so that nothing of an earlier run helps."""

    def __init__(self, folder: Path, suite: str, who: Who, lent: Sequence[str]) -> None:
        self.root, self.who, self._lent = folder / f"root-{suite}-{who}", who, lent
        self.printed = folder / f"root-{suite}-{who}.txt"
        """What is being printed, to look at meanwhile."""
        base = folder / f"base-{suite}"
        if not (base / "made").exists():
            subprocess.run(["rm", "-rf", base], check=True)
            words = [maker() or "", "--variant=minbase", f"--include={FIRST}", SUITES[suite], str(base)]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            (base / "made").touch()
        subprocess.run(["rm", "-rf", self.root], check=True)
        subprocess.run(["cp", "-aT", base, self.root], check=True)
        self.clone = f"{HOMES[who]}/tabularium"
        if who != "root":
            self.run("root", f"useradd --create-home {who}")
        subprocess.run(["git", "clone", "-q", ROOT, self.root / self.clone.lstrip("/")], check=True)
        self.run("root", f"chown -R {who} {HOMES[who]}")

    def run(self, who: Who, command: str, **env: str) -> tuple[int, str]:
        """Run a command; return its exit status and all it printed."""
        kept = {
            name: os.environ[name] for name in os.environ if name.startswith(("PIP_", "SSL_", "npm_", "NODE_EXTRA_"))
        }
        given = CLEAN | kept | {"HOME": HOMES[who], "LENT": " ".join(self._lent)} | env
        words = ["sh", "-c", command] if who == "root" else ["setpriv", f"--reuid={who}", f"--regid={who}",
                 "--clear-groups", "sh", "-c", command]  # fmt: skip
        apart = ["setpriv", "--pdeathsig=KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child",
                 "sh", "-c", MOUNTS, str(self.root)]  # fmt: skip
        with self.printed.open("w+", errors="replace") as printed:
            done = subprocess.run(
                [*apart, *words], check=False, stdout=printed, stderr=subprocess.STDOUT, env=given,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
            printed.seek(0)
            return done.returncode, printed.read()

    def make(self, what: str, **env: str) -> tuple[int, str]:
        """Run a command as the machine's user; return its exit status and all it printed.

        Where it names packages instead of installing them, that command is run once, and then this one again.
        """
        status, said = self.run(self.who, f"cd {self.clone} && {what}", **env)
        named = NAMED.findall(said) if self.who != "root" else []
        if named:
            self.run("root", f"cd {self.clone} && apt-get update -q && {named[-1]}")
            status, again = self.run(self.who, f"cd {self.clone} && {what}", **env)
            said += again
        return status, said


TYPED = """
set -e
.venv/bin/tabularium simulate caesar --seats 3 --games 3
.venv/bin/tabularium say "Anna pleads." --out anna.wav
.venv/bin/tabularium wiring > wiring.svg || true
.venv/bin/tabularium replay tests/goldens/prokonsul.jsonl > saturday.jsonl
.venv/bin/tabularium report
echo "# mine" >> config.yaml; sed -i 's/^#* *language:.*/language: de/' config.yaml
"""
"""What the README has people type; it leaves files in the clone, and must not turn a test red."""
SERVICES = "find /etc/systemd/system /etc/rc?.d -name 'S*mosquitto*' -o -name 'S*pcscd*' -o -path '*.wants/mosquitto*' -o -path '*.wants/pcscd*'"


def tried(fresh: Fresh) -> list[tuple[str, bool, str]]:
    """Try what the README describes; return each step, whether it went well, and what was printed."""
    found = []
    status, said = fresh.make("timeout -s INT 60 make run", SDL_VIDEODRIVER="offscreen", SDL_AUDIODRIVER="dummy")
    opened = "Traceback" not in said and "Error 130" in said  # Ctrl-C, after a minute
    found.append(
        ("make run", opened and fresh.run(fresh.who, f"{fresh.clone}/.venv/bin/tabularium --version")[0] == 0, said)
    )
    _, packages = fresh.run(fresh.who, f"ls {fresh.clone}/.venv/lib/python3*/site-packages")
    found.append(("make run has installed nothing that only tests need", "mypy" not in packages, packages))
    status, said = fresh.make("make tools")
    found.append(("make tools", not status, said))
    _, said = fresh.run(fresh.who, SERVICES)
    found.append(("make tools has left services off", fresh.who != "root" or not said, said))
    status, said = fresh.run(fresh.who, f"cd {fresh.clone}\n{TYPED}")
    found.append(("what the README has people type", not status, said))
    status, said = fresh.run(fresh.who, f"cd {fresh.clone} && make test")
    found.append(("make test", not status, said))
    moved = f"{fresh.clone}-moved"
    fresh.run(fresh.who, f"mv {fresh.clone} {moved}")
    status, said = fresh.run(fresh.who, f"cd {moved} && make run ARGS=--version")
    found.append(("make run in a folder that was moved", not status, said))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Both README commands on fresh Debian 12 and 13.")
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/tabularium-fresh"), help="about 5 GB")
    parser.add_argument("--suite", action="append", choices=SUITES, help="which Debian (default: both)")
    parser.add_argument("--who", action="append", choices=HOMES, help="as whom (default: both)")
    parser.add_argument("--lend", action="append", default=[], metavar="PATH", help="a file or folder of this machine")
    args = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("Fresh machines are made in folders of their own: run this as root.")
    if not maker():
        sys.exit("This needs mmdebstrap or debootstrap: apt-get install mmdebstrap")
    args.folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for suite in args.suite or SUITES:
        for who in args.who or HOMES:
            for what, well, said in tried(Fresh(args.folder, suite, who, args.lend)):
                failed += not well
                file = args.folder / f"debian{suite}-{who}-{what.replace(' ', '-')[:20]}.txt"
                file.write_text(said, encoding="utf-8")
                ends = [
                    line for line in said.splitlines() if re.search(r"\d (passed|failed)\b.* in |^left out: ", line)
                ]
                print(f"{'ok  ' if well else 'FAIL'}  Debian {suite}, {who}: {what}  ({file})", flush=True)
                print(*(f"      {line}" for line in ends), sep="\n", end="\n" * bool(ends), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
