"""The bench on which the stages try an installed Pi: a new disk for each, a started table, pictures, and its hands."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from tools.appliance import eyes
from tools.appliance.installation import Releases
from tools.appliance.machine import Silent, System, VirtualPi
from tools.appliance.report import Report

SERVICE = "tabularium.service"
READY = f"systemctl is-active --quiet {SERVICE}"
STORE = "/var/lib/tabularium/tabularium.sqlite3"
COUNT = f"python3 -c \"import sqlite3; print(sqlite3.connect('file:{STORE}?mode=ro', uri=True).execute('select count(*) from {{}}').fetchone()[0])\""
"""The command that prints how many rows of a table are in the store."""
GAMES = COUNT.format("games")
CONFIG = "/etc/tabularium/config.yaml"
STARTED = "started"
"""The name under which the machine with a started table is kept."""
PATIENCE = 600.0
ANSWERS = 40.0
SOON = 120.0
"""Seconds, emulated on two busy cores: until a table has started, until a touch shows, and until the screen shows what it asked for."""


@dataclass
class Bench:
    """What the stages share."""

    folder: Path
    report: Report
    system: System
    tree: Path
    releases: Releases
    starting: Lock = field(default_factory=Lock)

    @contextmanager
    def pi(self, name: str, base: Path | None = None, **start: object) -> Iterator[Table]:
        """Yield a Pi with a new disk, switched on; with `base`, a disk that begins as that one. `start` as for VirtualPi.start."""
        there = self.folder / "run" / name
        shutil.rmtree(there, ignore_errors=True)
        there.mkdir(parents=True)
        disk = overlay(base or self.system.disk, there / "disk.qcow2")
        with self._running(name, there, disk, **start) as table:
            yield table

    @contextmanager
    def started(self, name: str, **start: object) -> Iterator[Table]:
        """Yield a Pi whose table shows its start page in English, with everything plugged in.

        It is started once and kept, running; each call gets a copy.
        """
        with self.starting:
            kept = self._started()
        there = self.folder / "run" / name
        shutil.rmtree(there, ignore_errors=True)
        there.mkdir(parents=True)
        disk = there / "disk.qcow2"
        subprocess.run(["cp", "--sparse=always", kept / "disk.qcow2", disk], check=True)
        with self._running(name, there, disk, more=("-loadvm", STARTED), **start) as table:
            yield table

    def _started(self) -> Path:
        """Return the folder of the Pi that was started once, which is made where there is none of this system."""
        kept = self.folder / "run/started"
        stamp = (self.folder / "installed.made").read_text(encoding="ascii")
        if (kept / "kept").exists() and (kept / "kept").read_text(encoding="ascii") == stamp:
            return kept
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        with self._running("started", kept, overlay(self.system.disk, kept / "disk.qcow2")) as table:
            table.wait_started()
            table.touch("English")
            table.see("Look for devices")
            table.configure(WIRED)
            table.see("New game")
            table.pi.save(STARTED)
        (kept / "kept").write_text(stamp, encoding="ascii")
        return kept

    @contextmanager
    def _running(self, name: str, there: Path, disk: Path, **start: object) -> Iterator[Table]:
        pi = VirtualPi(there, self.system, self.tree, disk)
        pi.start(**start)  # type: ignore[arg-type]
        table = Table(name, pi, self)
        try:
            pi.wait_up()
            yield table
        except BaseException:
            self.report.say(f"      {name}: the end of its console and log:\n{table.last_words()}")
            raise
        finally:
            pi.cut_power()


def overlay(disk: Path, there: Path) -> Path:
    """Return a disk that holds only what differs from another."""
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", disk.resolve(), "-F", "qcow2", there], check=True)
    return there


CENTRE = "centre: {kind: rc522, bus: 0, device: 0, reset: 25}"
WIRED = f"""\
hardware: pi
readers:
  {CENTRE}
seats:
  red: {{button: 5, lamp: 12, reader: centre}}
  blue: {{button: 6, lamp: 16, reader: centre}}
  green: {{button: 19, lamp: 20, reader: centre}}
hubs:
  box1:
    serial: E6614C775B8B2C30
    seats: [yellow, purple]
  box2:
    serial: E6614C775B8B2C31
    seats: [black, white]
voice: {{words: full, sounds: true, engine: espeak-ng, device: "plughw:CARD=Loopback,DEV=0"}}
"""
"""config.yaml with everything that is plugged in."""


@dataclass
class Table:
    """A table on a virtual Pi, with a finger that reads the screen."""

    name: str
    pi: VirtualPi
    bench: Bench

    # -- the screen ---------------------------------------------------------------------------------------------------

    def picture(self, what: str = "") -> Path:
        """Take a picture of the screen; with `what`, one that is kept in the report's folder."""
        if not what:
            return self.pi.picture(self.pi.folder / "screen.png")
        return self.pi.picture(self.bench.report.picture(f"{self.name}-{what}"))

    def text(self) -> str:
        return eyes.read(self.picture())

    def shows(self, text: str) -> bool:
        return eyes.find(self.picture(), text) is not None

    def see(self, text: str, seconds: float = SOON, what: str = "") -> tuple[float, float]:
        """Wait until a text stands on the screen and return its middle. Raises Silent with what stands there instead."""
        end = time.monotonic() + seconds
        while True:
            if place := eyes.find(picture := self.picture(), text):
                if what:
                    self.picture(what)
                return place
            if time.monotonic() > end:
                kept = self.picture(f"without-{text.replace(' ', '-')}")
                raise Silent(f"“{text}” is not on the screen ({kept.name}), but:\n{eyes.read(picture)}")
            time.sleep(1)

    def gone(self, text: str, seconds: float = SOON) -> None:
        """Wait until a text no longer stands on the screen. Raises Silent."""
        end = time.monotonic() + seconds
        while self.shows(text):
            if time.monotonic() > end:
                raise Silent(f"“{text}” is still on the screen ({self.picture('with-' + text.replace(' ', '-')).name})")
            time.sleep(1)

    def touch(self, text: str, seconds: float = SOON) -> None:
        """Touch a text as soon as it stands on the screen, and wait until the screen has answered and is still.

        As a person would, it touches once more where nothing happens, and the report says so.
        """
        place = self.see(text, seconds)
        if not self._answered(place) and (again := eyes.find(self.picture(), text)):
            self.bench.report.say(f"      “{text}” was touched a second time: see {self.picture('no-answer').name}")
            self._answered(again)

    def _answered(self, place: tuple[float, float]) -> bool:
        """Touch a place and wait until the screen has changed and is still; return whether it has changed."""
        last = before = self.picture().read_bytes()
        self.pi.tap(*place)
        end = time.monotonic() + ANSWERS
        while time.monotonic() < end:
            time.sleep(0.5)
            now = self.picture().read_bytes()
            if now == last != before:
                return True
            last = now
        return last != before

    def wake(self) -> None:
        """Light the screen, which goes dark after ten minutes: the touch that does so does nothing else."""
        if eyes.colours(self.picture()) == 1:
            self._answered((self.pi.size[0] / 2, self.pi.size[1] / 2))

    def open(self, *texts: str) -> None:
        """Touch one text after the other."""
        for text in texts:
            self.touch(text)

    # -- the system ---------------------------------------------------------------------------------------------------

    def wait_started(self, seconds: float = PATIENCE) -> float:
        """Wait until systemd knows that the table has shown its first frame; return the seconds that took."""
        return self.pi.wait_for(READY, seconds)

    def configure(self, config: str) -> None:
        """Give the table another config.yaml and start it anew."""
        self.pi.write(CONFIG, config)
        # systemd counts these starts too, and allows five in five minutes
        self.pi.shell(
            f"chown tabularium: {CONFIG}; systemctl reset-failed {SERVICE}; systemctl restart {SERVICE}", PATIENCE
        )

    def property(self, name: str) -> str:
        """Return a property of the table's service, such as NRestarts."""
        return self.pi.shell(f"systemctl show -P {name} {SERVICE}").strip()

    def order(self, device: str, order: str) -> None:
        """Give an order to a device that is plugged in: to its FIFO (tools/appliance/guest)."""
        self.pi.shell(f"timeout 20 sh -c 'echo {order} >/run/appliance/{device}'")

    def wait_kept(self, number: int, seconds: float = 60) -> None:
        """Wait until so many events of the newest game are on disk. Raises Silent."""
        events = COUNT.format("events where game = (select max(number) from games)")
        self.pi.wait_for(f"test $({events}) -ge {number}", seconds, 0.2)

    def press(self, pin: int, seconds: float = 0.3) -> None:
        """Press a button on a pin for a while, measured in the guest."""
        pull = f"/run/appliance/pins/sim_gpio{pin}/pull"
        self.pi.shell(f"echo pull-down >{pull}; sleep {seconds}; echo pull-up >{pull}")

    def lamp(self, pin: int) -> bool:
        return self.pi.shell(f"cat /run/appliance/pins/sim_gpio{pin}/value").strip() == "1"

    def last_words(self) -> str:
        """Return the end of the console and of the table's log, as far as the guest still answers."""
        console = self.pi.folder / "console.log"
        said = console.read_text(errors="replace").splitlines()[-15:] if console.exists() else []
        try:
            said += self.pi.shell(f"journalctl -b -u {SERVICE} -n 25 --no-pager -o cat", 30, None).splitlines()
        except (Silent, OSError, AssertionError):
            said.append("(the guest does not answer)")
        return "\n".join(f"        {line}" for line in said)


Stage = Callable[[Bench], None]
