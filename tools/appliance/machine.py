"""The virtual Pi: QEMU's arm64 board with a Raspberry Pi 4's device tree, driven from outside.

Nothing of the product is changed for it. The host reaches the guest through QEMU's monitor (QMP: fingers, sticks,
pictures, power) and QEMU's guest agent (commands as root); there is no network inside but for a hall's.
"""

from __future__ import annotations

import base64
import json
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MEMORY, CORES = "1536", "2"
AGENT = "org.qemu.guest_agent.0"
BOARD = ("-M", "virt", "-cpu", "cortex-a72", "-smp", CORES, "-m", MEMORY)
EMULATED = ("-accel", "tcg,thread=multi,tb-size=512")
CONSOLES = "root=/dev/vda rw console=ttyAMA0 console=tty1"
POINTER = 0x7FFF
"""The largest coordinate of QEMU's tablet."""


class CommandFailed(Exception):  # noqa: N818 - it is what happened
    """A command in the guest ended with another status than 0; the text holds its output."""


class Silent(Exception):  # noqa: N818 - it is what happened
    """The guest, or QEMU itself, did not answer in time."""


@dataclass(frozen=True, slots=True)
class System:
    """An installed system: its disk, kernel and initial file system."""

    disk: Path
    kernel: Path
    initrd: Path


def board_tree(folder: Path) -> Path:
    """Return the device tree of QEMU's board under the name of a Raspberry Pi 4 B 1.4.

    QEMU's own GPIO chip is taken out of it, as it would be the first one.
    """
    there, tree = folder / "virt.dtb", folder / "pi4.dtb"
    _run("qemu-system-aarch64", *BOARD, "-machine", f"dumpdtb={there}", "-display", "none")
    shutil.copy(there, tree)
    _run("fdtput", "-t", "s", tree, "/", "model", "Raspberry Pi 4 Model B Rev 1.4")
    _run("fdtput", "-t", "s", tree, "/", "compatible", "raspberrypi,4-model-b", "brcm,bcm2711")
    _run("fdtput", "-t", "s", tree, "/", "serial-number", "10000000c0ffee42")
    _run("fdtput", "-p", "-t", "x", tree, "/system", "linux,revision", "c03114")
    _run("fdtput", "-t", "x", tree, "/system", "linux,serial", "10000000", "c0ffee42")
    nodes = _run("fdtget", "-l", tree, "/").split()
    for name in ("gpio-keys", *(node for node in nodes if node.startswith("pl061"))):
        if name in nodes:
            _run("fdtput", "-r", tree, f"/{name}")
    return tree


class VirtualPi:
    """One virtual Pi. `disk` is written to; `folder` takes its sockets, console and pictures."""

    def __init__(self, folder: Path, system: System, tree: Path, disk: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._system, self._tree, self._disk = system, tree, disk
        self._running: subprocess.Popen[bytes] | None = None
        self._qmp: _Line | None = None
        self._agent: _Line | None = None
        self.size = (800, 480)

    # -- power --------------------------------------------------------------------------------------------------------

    def start(
        self, *, size: tuple[int, int] = (800, 480), clock: str = "utc", kernel: str = "quiet", more: Sequence[str] = ()
    ) -> None:
        """Switch on. `clock` is QEMU's -rtc base, such as "1970-01-01T00:00:05"."""
        self.size = size
        for name in ("qmp", "agent"):
            (self.folder / name).unlink(missing_ok=True)
        words = [
            "qemu-system-aarch64", *BOARD, *EMULATED, "-nodefaults", "-display", "none",
            *("-kernel", str(self._system.kernel), "-initrd", str(self._system.initrd), "-dtb", str(self._tree)),
            *("-append", f"{CONSOLES} {kernel}".strip()),
            *("-drive", f"if=none,id=disk,file={self._disk},format=qcow2,cache=writethrough,discard=unmap"),
            *("-device", "virtio-blk-pci,drive=disk"),
            *("-device", f"virtio-gpu-pci,id=gpu,xres={size[0]},yres={size[1]}"),
            *("-netdev", "user,id=net,net=192.168.76.0/24,restrict=off", "-device", "virtio-net-pci,netdev=net,romfile="),
            *("-device", "qemu-xhci,id=usb", "-device", "virtio-tablet-pci,id=pointer"),
            *("-device", "virtio-serial-pci"),
            *("-chardev", f"socket,id=agent,path={self.folder}/agent,server=on,wait=off"),
            *("-device", f"virtserialport,chardev=agent,name={AGENT}"),
            *("-chardev", f"file,id=console,path={self.folder}/console.log,append=on", "-serial", "chardev:console"),
            *("-qmp", f"unix:{self.folder}/qmp,server=on,wait=off", "-rtc", f"base={clock}"),
            *more,
        ]  # fmt: skip
        with (self.folder / "qemu.log").open("ab") as log:
            self._running = subprocess.Popen(words, stdout=log, stderr=log)
        self._qmp = _Line(self.folder / "qmp", 30)
        self._qmp.read(30)
        self.monitor("qmp_capabilities")

    def cut_power(self) -> None:
        """Take the power away at once: what the guest has not flushed is lost, as its own caches are."""
        for line in (self._agent, self._qmp):
            if line:
                line.close()
        self._agent = self._qmp = None
        if self._running:
            self._running.send_signal(signal.SIGKILL)
            self._running.wait()
            self._running = None

    def wait_off(self, seconds: float = 300) -> None:
        """Wait until the guest has switched itself off. Raises Silent if it has not."""
        assert self._running
        try:
            self._running.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Silent("the Pi did not switch itself off") from None
        self.cut_power()

    @property
    def on(self) -> bool:
        return self._running is not None and self._running.poll() is None

    def save(self, name: str) -> None:
        """Keep the whole machine as it is now, running, under a name."""
        self.human(f"savevm {name}")

    def copy_disk(self, there: Path) -> Path:
        """Copy the disk as it is at this moment, to `there`: what it would hold if the power failed now."""
        self.monitor("stop")
        try:
            _run("cp", "--sparse=always", self._disk, there)
        finally:
            self.monitor("cont")
        return there

    # -- QEMU's monitor -----------------------------------------------------------------------------------------------

    def monitor(self, execute: str, seconds: float = 120, **arguments: Any) -> Any:
        """Carry out a QMP command. Raises CommandFailed with QEMU's words."""
        assert self._qmp, "it is switched off"
        self._qmp.write({"execute": execute, "arguments": arguments})
        while True:
            answer = self._qmp.read(seconds)
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise CommandFailed(f"{execute}: {answer['error']['desc']}")

    def human(self, line: str) -> str:
        """Carry out a line of QEMU's human monitor. Raises CommandFailed with the error it prints."""
        said = str(self.monitor("human-monitor-command", 300, **{"command-line": line}))
        if said.startswith(("Error", "Could not")):
            raise CommandFailed(f"{line}: {said.strip()}")
        return said

    def picture(self, file: Path) -> Path:
        """Save what the display shows, as PNG."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self.monitor("screendump", filename=str(file.resolve()), format="png")
        return file

    def point(self, x: float, y: float, down: bool | None = None) -> None:
        """Move the pointer to a place, in pixels, and press or let go."""
        axes = (
            (axis, int(value / whole * POINTER)) for axis, value, whole in zip("xy", (x, y), self.size, strict=True)
        )
        events: list[dict[str, Any]] = [{"type": "abs", "data": {"axis": a, "value": v}} for a, v in axes]
        self.monitor("input-send-event", events=events)
        if down is not None:
            self.monitor("input-send-event", events=[{"type": "btn", "data": {"button": "left", "down": down}}])

    def tap(self, x: float, y: float, hold: float = 0.4) -> None:
        """Touch a place of the display, in pixels."""
        self.point(x, y)
        time.sleep(0.4)
        self.point(x, y, True)
        time.sleep(hold)
        self.point(x, y, False)

    @contextmanager
    def stick(self, image: Path, name: str = "stick", pace: int = 0) -> Iterator[None]:
        """Plug in a USB stick, as long as this lasts; `pace` is how many bytes a second can be written, 0 for any."""
        throttle = f",throttling.bps-write={pace}" if pace else ""
        self.human(f"drive_add 0 if=none,id={name},file={image},format=raw,cache=writethrough{throttle}")
        self.monitor("device_add", driver="usb-storage", id=f"{name}-dev", drive=name, removable=True, bus="usb.0")
        try:
            yield
        finally:
            with suppress(CommandFailed, Silent, AssertionError):
                self.monitor("device_del", id=f"{name}-dev")

    # -- the guest ----------------------------------------------------------------------------------------------------

    def _ask(self, execute: str, seconds: float, **arguments: Any) -> Any:
        """Ask the guest's agent. Raises Silent without an answer, CommandFailed with its error."""
        if self._agent is None:
            self._agent = _Line(self.folder / "agent", 10)
        try:
            number = time.monotonic_ns() % 2**30
            self._agent.write({"execute": "guest-sync", "arguments": {"id": number}})
            while self._agent.read(seconds).get("return") != number:
                pass
            self._agent.write({"execute": execute, "arguments": arguments})
            answer = self._agent.read(seconds)
        except (Silent, OSError):
            self._agent.close()
            self._agent = None
            raise Silent(f"the guest's agent does not answer {execute}") from None
        if "error" in answer:
            raise CommandFailed(f"{execute}: {answer['error']['desc']}")
        return answer["return"]

    def wait_up(self, seconds: float = 600) -> None:
        """Wait until commands can be run in the guest. Raises Silent."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(Silent, CommandFailed):
                self._ask("guest-ping", 5)
                return
            time.sleep(0.5)
        raise Silent("the guest's agent did not come up")

    def shell(self, command: str, seconds: float = 300, status: int | None = 0, given: bytes = b"") -> str:
        """Run a command as root, by the shell; return what it prints.

        Raises CommandFailed if it ends with another status than `status` (None for any), Silent if it does not end.
        """
        words = {"path": "/bin/bash", "arg": ["-c", f"exec 2>&1; {command}"], "capture-output": True}
        if given:
            words["input-data"] = base64.b64encode(given).decode()
        number = self._ask("guest-exec", 60, **words)["pid"]
        end, wait = time.monotonic() + seconds, 0.05
        while time.monotonic() < end:
            got = self._ask("guest-exec-status", 60, pid=number)
            if got["exited"]:
                said = base64.b64decode(got.get("out-data", "")).decode(errors="replace")
                if status is not None and got.get("exitcode", -1) != status:
                    raise CommandFailed(f"{command}: {got.get('exitcode', got.get('signal'))}\n{said}")
                return said
            time.sleep(wait)
            wait = min(0.3, wait * 1.5)
        raise Silent(f"{command} did not end within {seconds:.0f} s")

    def succeeds(self, command: str, seconds: float = 300) -> bool:
        """Return whether a command ends with status 0."""
        with suppress(CommandFailed):
            self.shell(command, seconds)
            return True
        return False

    def write(self, path: str, content: bytes | str) -> None:
        """Write a file in the guest."""
        data = content.encode() if isinstance(content, str) else content
        self.shell(f"mkdir -p {Path(path).parent}; cat >{path}", given=data)

    def wait_for(self, command: str, seconds: float = 300, every: float = 1.0) -> float:
        """Wait until a command ends with status 0; return the seconds that took. Raises Silent.

        The guest repeats it by itself, a minute at a time: each command from outside costs an emulated processor much more.
        """
        began = time.monotonic()
        while (left := seconds - (time.monotonic() - began)) > 0:
            with suppress(Silent):
                repeated = f"until {{ {command}; }} >/dev/null; do (( SECONDS < {min(left, 60):.0f} )) || exit 1; sleep {every}; done"
                if self.succeeds(repeated, 120):
                    return time.monotonic() - began
            time.sleep(0.5)
        raise Silent(f"not within {seconds:.0f} s: {command}")


class _Line:
    """A Unix socket that takes and gives JSON, a line each."""

    def __init__(self, path: Path, patience: float) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._rest = b""
        end = time.monotonic() + patience
        while True:
            try:
                self._socket.connect(str(path))
                return
            except OSError:
                if time.monotonic() > end:
                    raise Silent(f"nobody answers at {path}") from None
                time.sleep(0.1)

    def write(self, said: dict[str, Any]) -> None:
        self._socket.settimeout(30)
        self._socket.sendall(json.dumps(said).encode() + b"\n")

    def read(self, seconds: float) -> dict[str, Any]:
        """Return the next line. Raises Silent."""
        end = time.monotonic() + seconds
        while True:
            line, found, rest = self._rest.partition(b"\n")
            if found:
                self._rest = rest
                with suppress(ValueError):  # the agent begins with a delimiter that is no JSON
                    got = json.loads(line.lstrip(b"\xff"))
                    if isinstance(got, dict):
                        return got
                continue
            self._socket.settimeout(max(0.01, end - time.monotonic()))
            try:
                part = self._socket.recv(1 << 16)
            except TimeoutError:
                raise Silent("no answer in time") from None
            if not part:
                raise Silent("the line is closed")
            self._rest += part

    def close(self) -> None:
        self._socket.close()


def _run(*words: str | Path) -> str:
    done = subprocess.run([str(word) for word in words], check=False, capture_output=True, text=True)
    if done.returncode:
        raise CommandFailed(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout
