"""An update in the emulated system: asked for as the table asks, answered by root's own program, watched, and taken back.

Run inside it by its own Python, as root. No systemd runs: what starts root's program when something is asked, and the
table's, stands here. Prints `ok: …` or `FAIL: …` for each thing that was looked at.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

sys.path[:0] = ["/opt/tabularium/good", "/srv/rehearse"]

from pi import program, service, trial  # noqa: E402 - the installed version's
from pi.keeper import ASK  # noqa: E402
from pi.machine import Machine  # noqa: E402
from tools.rehearse_service import begun  # noqa: E402

KEEPER = ("/opt/tabularium/good/venv/bin/python", "-P", "-m", "pi.keeper", "asked")
PATIENCE = 1800.0
m = Machine()
failed = 0


def check(what: str, well: bool, details: str = "") -> None:
    global failed  # noqa: PLW0603
    failed += not well
    print(f"{'ok' if well else 'FAIL'}: {what}", flush=True)
    if not well:
        print(details, flush=True)


def typed(*words: str) -> subprocess.CompletedProcess[str]:
    """Run `tabularium …`, with root's program started as often as something is asked."""
    with subprocess.Popen(
        ["tabularium", *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as asking:
        end = time.monotonic() + PATIENCE
        while asking.poll() is None and time.monotonic() < end:
            if Path(ASK).exists():
                subprocess.run(
                    KEEPER, check=False, env=dict(os.environ) | {"PYTHONPATH": "/opt/tabularium/good"}, cwd="/"
                )
            time.sleep(0.2)
        out = asking.stdout.read() if asking.stdout else ""
    return subprocess.CompletedProcess(words, asking.returncode, out, "")


def watched() -> None:
    """Run the new version, and let its ten minutes pass in a few seconds."""
    on = trial.read(m)
    assert on
    trial.EVERY = 2
    trial.write(m, replace(on, left=10))
    with ExitStack() as stack:
        running = stack.enter_context(begun())
        state: Callable[[Machine], service.State] = lambda _: "running" if running.poll() is None else "died"  # noqa: E731
        trial.watch(m, print, service.Table(state=state))


def main() -> int:
    subprocess.run(["systemd-tmpfiles", "--create", "/etc/tmpfiles.d/tabularium-update.conf"], check=False)
    first = program.current(m)
    games = Path("/var/lib/tabularium/tabularium.sqlite3")
    check("there are games to be kept", games.exists())
    looked = typed("update", "--yes")
    second = program.current(m)
    check(f"an update by `tabularium update`: {first} becomes {second}", second.startswith("99.0.0-"), looked.stdout)
    check("the version before watches it", program.good(m) == first and trial.read(m) is not None)
    watched()
    check("it runs, and has proven itself", program.good(m) == second and trial.read(m) is None)
    again = typed("update", "--yes")
    check("the same is not installed again", "installed already" in again.stdout and not again.returncode, again.stdout)
    back = typed("update", "--back", "--yes")
    check(f"back to {first}", program.current(m) == first == program.good(m) and not back.returncode, back.stdout)
    check("its games are there", games.exists() and games.stat().st_uid != 0)
    made = subprocess.run(
        ["tabularium", "report", "--to", "/var/lib/tabularium/reports"], check=False, capture_output=True, text=True
    )
    found = sorted(Path("/var/lib/tabularium/reports").glob("*.zip"))
    check("a report is saved", len(found) == 1, made.stdout + made.stderr)
    words = ["tabularium", "report", "read", *map(str, found)]
    read = subprocess.run(words, check=False, capture_output=True, text=True)
    check("and read", not read.returncode and "program: " in read.stdout, read.stdout + read.stderr)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
