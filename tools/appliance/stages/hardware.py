"""Everything that is wired to the table, through the kernel and the real packages."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from tools.appliance import eyes
from tools.appliance.bench import CENTRE, CONFIG, SERVICE, SOON, WIRED, Bench, Table
from tools.appliance.machine import Silent

CARD = "04A3C6CAE26180"
HUB = "E6614C775B8B2C30"
GUEST = "cd /srv/appliance && PYTHONPATH=/opt/tabularium/current:/srv/appliance PYTHONDONTWRITEBYTECODE=1"
FILE_SYSTEMS = {"vfat": ("mkfs.vfat",), "exfat": ("mkfs.exfat",), "ntfs": ("mkfs.ntfs", "-q", "-F", "-Q")}
EXT4 = ("mkfs.ext4", "-q", "-F")
SLOW = 2_000
"""Bytes a second that a slow stick takes: a backup is caught half way."""
KEY_A, BUTTON_1 = 30, 288
KEYBOARD, PAD = "046D:C31C", "0079:0006"
"""The USB ids of the keyboard and the pad (tools/appliance/guest/fingers.py)."""
HEARS = """\
import evdev
keys = next(device for device in map(evdev.InputDevice, evdev.list_devices()) if "Keyboard" in device.name)
print("ready", flush=True)
for event in keys.read_loop():
    print(event, flush=True)
"""
"""Another program that listens to the keyboard."""
SENTENCE = "Red takes the trick. Blue leads."
TYPED, SHOWN = "/run/appliance/typed", "/run/appliance/shown"
RENDERED = "/var/lib/tabularium/said.wav"


def doctor(bench: Bench) -> None:
    """The doctor in the terminal, with the table closed: nothing fails, and it knows the Pi."""
    with bench.started("doctor") as table:
        table.pi.shell(f"systemctl stop {SERVICE}")
        said = table.pi.shell("tabularium doctor", 300, None)
        bench.report.say(f"      the doctor says:\n{said}")
        bench.report.check("the doctor runs on an installed system and nothing fails", " 0 fail" in said, said[-2000:])
        bench.report.check("it knows a Raspberry Pi 4", "Raspberry Pi 4 Model B" in said)
        seen = table.pi.succeeds(
            "cd /run && LG_WD=/run /opt/tabularium/current/venv/bin/python -c 'import RPi.GPIO, mfrc522'", 120
        )
        bench.report.check("rpi-lgpio and mfrc522 take it for a Raspberry Pi", seen)
        bench.report.check("it meets the chip on SPI", "MFRC522 version 2" in said)
        table.pi.shell(f"systemctl start {SERVICE}", 300)
        table.open("Menu", "Settings", "Hardware", "Doctor")
        table.see("Needs attention", 300, what="on-the-screen")


def first_hour(bench: Bench) -> None:
    """The first hour in the terminal: a card is laid, another on top, both are lifted, the buttons are pressed."""
    with bench.started("first-hour") as table:
        table.pi.shell(f"systemctl stop {SERVICE}; mkfifo {TYPED}")
        table.pi.shell(_script(table, "hour", f"tabularium doctor --first-hour <>{TYPED} >{SHOWN} 2>&1"))
        pulls = " ".join(f"/run/appliance/pins/sim_gpio{pin}/pull" for pin in (5, 6, 19))
        presses = f"for n in 1 2 3 4 5; do for p in {pulls}; do echo pull-down >$p; sleep 0.2; echo pull-up >$p; sleep 0.2; done; done"
        first, then = (f"echo {{}} {card} >/run/appliance/spi0.0".format for card in (CARD, f"{CARD[:-1]}1"))
        hands = ("", first("lay"), "", then("lay"), then("lift"), "", "", "")
        while_measured = {5: f"sleep 3; {first('lift')}", 7: presses}
        skipped = {3}  # eight gains, forty polls each: an emulated processor takes longer than the step's patience
        for number, before in enumerate(hands, 1):
            table.pi.wait_for(f"grep -q 'Step {number} of {len(hands)}' {SHOWN}", 180)
            typed = "s" if number in skipped else ""
            table.pi.shell(f"{before or 'true'}; echo {typed} >{TYPED}; {while_measured.get(number, 'true')}")
        table.pi.wait_for(f"grep -q 'Saved as' {SHOWN}", 180)
        said = table.pi.shell(f"cat {SHOWN}")
        bench.report.say(f"      the first hour says:\n{said}")
        faults = [line for line in said.splitlines() if "  ! " in line]
        bench.report.check(
            "only RST fails, whose wire the emulated chip does not have", len(faults) == 1 and "RST" in faults[0], said
        )


def hubs(bench: Bench) -> None:
    """Two hubs: each has a lasting name; one is unplugged and plugged, and a keyboard too, while the doctor's page is open."""
    with bench.started("hubs") as table:
        names = table.pi.shell("ls /dev/tabularium").split()
        bench.report.check(
            "each hub has a name by its serial number",
            names == ["hub-E6614C775B8B2C30", "hub-E6614C775B8B2C31"],
            str(names),
        )
        table.configure(WIRED.replace("[black, white]", "[black]") + _controller("keys", KEYBOARD, "white", KEY_A))
        table.open("Menu", "Settings", "Hardware", "Doctor")
        says = "tail -1 /run/appliance/hub0.log | grep -q linked={} || (echo lamps >/run/appliance/hub0; false)"
        table.pi.wait_for(says.format(True), 60)
        bench.report.check("the first hub is linked to the table", True)
        for _ in range(4):
            _plug(table, "keys", "keyboard")
            table.order("hub0", "unplug")
            table.pi.wait_for(f"! test -e /dev/tabularium/hub-{HUB}", 60)
            table.pi.wait_for(says.format(False), 60)  # or it would count as linked from before
            table.pi.shell("systemctl stop appliance-keys")
            table.order("hub0", "plug")
            table.pi.wait_for(f"test -e /dev/tabularium/hub-{HUB}", 60)
        table.pi.wait_for(says.format(True), 120)
        table.picture("doctor")
        bench.report.check(
            "after four times unplugged, it and a keyboard, it is linked again", table.property("NRestarts") == "0"
        )
        holder = table.pi.shell(
            "fuser /dev/ttyACM0 /dev/ttyACM1 2>/dev/null | xargs -n1 ps -o comm= -p | sort -u", status=None
        )
        bench.report.check("ModemManager keeps off the hubs", "ModemManager" not in holder, holder)
        table.pi.shell(f"systemctl stop {SERVICE}")
        table.order("hub1", "unplug")
        table.pi.shell(f"echo {HUB} >/sys/kernel/config/usb_gadget/hub1/strings/0x409/serialnumber")
        table.order("hub1", "plug")
        table.pi.wait_for("test $(ls /dev/ttyACM* | wc -l) = 2", 60)
        said = table.pi.shell("tabularium hub list", 120, None)
        both = [line for line in said.splitlines() if line.startswith("/dev/") and "hub" in line]
        bench.report.check("two hubs with one serial number are told apart", len(both) == 2, said)
        bench.report.say(f"      {said.strip()}")


def usb_reader(bench: Bench) -> None:
    """A PC/SC reader through pcscd and polkit's rule, as the service's own user: the doctor reads a card on it."""
    with bench.started("usb-reader") as table:
        config = WIRED.replace(CENTRE, "centre: {kind: pcsc, reader: Virtual PCD}")
        table.pi.write(CONFIG, config)
        lay = f"VirtualCard(0, bytes.fromhex('{CARD}')); time.sleep(300)"
        table.pi.write("/srv/appliance/card.py", f"import time\nfrom tests.support.pcscd import VirtualCard\n{lay}\n")
        # a daemon that ends when nobody has asked it for a minute would take the card with it
        stays = "[Service]\nExecStart=\nExecStart=/usr/sbin/pcscd --foreground\n"
        table.pi.shell("mkdir -p /run/systemd/system/pcscd.service.d")
        table.pi.write("/run/systemd/system/pcscd.service.d/stays.conf", stays)
        table.pi.shell(
            f"chown tabularium: {CONFIG}; systemctl stop {SERVICE}; systemctl daemon-reload; systemctl restart pcscd; sleep 1"
        )
        table.pi.shell(_script(table, "card", f"{GUEST} python3 card.py"))
        said = table.pi.shell("tabularium doctor", 300, None)
        lines = [line for line in said.splitlines() if line.startswith("reader centre")]
        bench.report.check(
            "the doctor reads the card",
            bool(lines) and "no card on it" not in said and " fail " not in "".join(lines),
            said,
        )
        denied = table.pi.shell(
            "journalctl -b -u pcscd --no-pager -o cat | grep -ci 'not authorized'", status=None
        ).strip()
        bench.report.check("pcscd lets the table's user use the reader", denied == "0", denied)


def _script(table: Table, name: str, command: str) -> str:
    """Write a command into a file of the guest, and return the command that runs it as a separate unit."""
    table.pi.write(f"/run/appliance/{name}.sh", f"#!/bin/bash\n{command}\n")
    return f"systemd-run -q --unit=appliance-{name} --collect bash /run/appliance/{name}.sh"


def _plug(table: Table, name: str, kind: str) -> None:
    """Plug in a device of uinput."""
    log = f"/run/appliance/{name}.log"
    fingers = f"{GUEST} python3 -u -m tools.appliance.guest.fingers {name} {kind}"
    table.pi.shell(_script(table, name, f"exec >{log} 2>&1; {fingers}"))
    table.pi.wait_for(f"grep -q ready {log}", 60)


def touch_panel(bench: Bench) -> None:
    """A multitouch panel through the kernel's own input events, mounted in all four ways."""
    with bench.started("touch") as table:
        _plug(table, "panel", "touch")
        for turned in (0, 90, 180, 270):
            table.configure(f"{WIRED}screen: {{rotation: {turned}}}\n")
            x, y = _upright(table, "New game", turned)
            table.order("panel", f"touch {x:.4f} {y:.4f}")
            table.order("panel", "lift")
            _upright(table, "who sits where", turned)
            table.picture(f"turned-by-{turned}")
            bench.report.check(f"turned by {turned}, a finger on the panel opens what it touched", True)


def _upright(table: Table, text: str, turned: int) -> tuple[float, float]:
    """Wait until a text stands on a screen that is turned, and return where on the panel, in parts of its sides."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        picture = table.picture()
        back = picture.with_name("upright.png")
        subprocess.run(["convert", picture, "-rotate", str(turned), "+repage", back], check=True)
        if place := eyes.find(back, text):
            width, height = table.pi.size if turned % 180 == 0 else table.pi.size[::-1]
            x, y = place[0] / width, place[1] / height
            return {0: (x, y), 90: (y, 1 - x), 180: (1 - x, 1 - y), 270: (1 - y, x)}[turned]
        time.sleep(1)
    raise Silent(f"“{text}” is not on the screen turned by {turned} ({table.picture('not-' + text).name})")


def keyboard(bench: Bench) -> None:
    """A keyboard whose keys are seats' buttons: the table hears them, and no other program does."""
    with bench.started("keyboard") as table:
        _plug(table, "keys", "keyboard")
        table.pi.write("/run/appliance/hears.py", HEARS)
        table.pi.shell(
            _script(table, "hears", "exec >/run/appliance/hears.log 2>&1; python3 -u /run/appliance/hears.py")
        )
        table.pi.wait_for("grep -q ready /run/appliance/hears.log", 60)
        _press(table, "keys", KEY_A)
        table.pi.wait_for("grep -q 'code 30' /run/appliance/hears.log", 30)
        table.pi.shell("cp /run/appliance/hears.log /run/appliance/before.log")
        _passes(table, "keys", KEYBOARD, KEY_A)
        heard = table.pi.shell("diff /run/appliance/before.log /run/appliance/hears.log", status=None)
        bench.report.check("no other program does", not heard.strip(), heard)


def pad(bench: Bench) -> None:
    """An arcade encoder whose buttons are the seats': the table hears a press."""
    with bench.started("pad") as table:
        _plug(table, "box", "pad")
        _passes(table, "box", PAD, BUTTON_1)


def _controller(name: str, usb: str, seat: str, code: int) -> str:
    """Return the part of config.yaml that makes a device's key or button a seat's."""
    return f"controllers: {{{name}: {{usb: '{usb}', seats: {{{seat}: {code}}}}}}}\n"


def _press(table: Table, name: str, code: int) -> None:
    table.order(name, f"down {code}")
    table.order(name, f"up {code}")


def _passes(table: Table, name: str, kind: str, code: int) -> None:
    """Make a device's key red's button, begin a game and press it: red leads, and may not pass."""
    table.configure(f"hardware: pi\nreaders:\n  {CENTRE}\n{_controller(name, kind, 'red', code)}")
    table.open("Spartacus", "3 players", "Begin as printed")
    table.see("Red")
    _press(table, name, code)
    table.see("cannot pass", what="heard")
    table.bench.report.check(f"the table hears {name}", True)


def voice(bench: Bench) -> None:
    """What the table says is heard at the loudspeaker's other end, as long and as loud as it was rendered."""
    with bench.started("voice") as table:
        record = "arecord -q -D hw:CARD=Loopback,DEV=1 -f S16_LE -r 22050 -c 1 -d 40 /run/appliance/heard.wav"
        table.pi.shell(f"systemctl stop {SERVICE}")  # it keeps its loudspeaker open, and the loopback has several
        table.pi.shell(_script(table, "heard", record))
        said = table.pi.shell(f"cd / && tabularium say '{SENTENCE}' 2>&1", 120, None)
        table.pi.shell(f"cd / && tabularium say '{SENTENCE}' --out {RENDERED}", 120)
        table.pi.wait_for("! systemctl is-active -q appliance-heard", 90)
        (heard, loud), (rendered, meant) = _speech(table, "/run/appliance/heard.wav"), _speech(table, RENDERED)
        bench.report.check(
            f"{heard:.1f} s of speech are heard, up to {loud:.0%}; {rendered:.1f} s were rendered, up to {meant:.0%}",
            rendered > 0.5 and abs(heard - rendered) <= 0.2 * rendered and abs(loud - meant) <= 0.2 * meant,
            said,
        )


def _speech(table: Table, path: str) -> tuple[float, float]:
    """Return how many seconds of a WAV file are not silent, in steps of a tenth, and its loudest part of full scale."""
    said = table.pi.shell(
        f"python3 -c \"import wave,array; w=wave.open('{path}'); d=array.array('h',w.readframes(w.getnframes()));"
        " n=w.getframerate()//10; peaks=[max(map(abs,d[i:i+n])) for i in range(0,len(d)-n,n)];"
        ' print(sum(peak>500 for peak in peaks)/10, max(peaks)/32768)"'
    )
    seconds, loudest = map(float, said.split())
    return seconds, loudest


def sticks(bench: Bench) -> None:
    """Sticks as they are bought, plugged in while the table runs: a report goes onto each, and a backup onto the last.

    One with a Linux file system belongs to somebody else's user, and is left alone.
    """
    with bench.started("sticks") as table, ExitStack() as last:
        table.open("Menu", "Settings", "Hardware", "Report")
        table.see("no cards, no names")
        for kind, make in {"ext4": EXT4, **FILE_SYSTEMS}.items():
            plugged = last.enter_context(ExitStack())
            plugged.enter_context(table.pi.stick(_stick(table, kind, make), kind))
            if kind == "ext4":
                table.pi.wait_for("test -b /dev/sda && udevadm settle", 60)
                bench.report.check("a stick with ext4 is left alone", not table.pi.succeeds("findmnt /media/sda"))
            else:
                table.pi.wait_for("findmnt /media/sda", 60)
                table.gone("No USB stick")
                if not table.shows("USB stick"):
                    table.touch("Down")
                table.touch("USB stick")
                table.pi.wait_for("ls /media/sda/tabularium-report*", 60)
                table.picture(kind)
                bench.report.check(f"a report goes onto a stick with {kind}", True)
            if kind != [*FILE_SYSTEMS][-1]:
                plugged.close()
                table.pi.wait_for("! test -b /dev/sda && ! findmnt /media/sda", 60)
        table.pi.shell(f"systemctl stop {SERVICE}")
        said = table.pi.shell("tabularium backup", 120, None)
        bench.report.check("a backup goes onto the last", "Saved as" in said, said)


def stick_cut(bench: Bench) -> None:
    """The power fails while a backup is written onto a stick: no half backup has a backup's name, and the table starts."""
    with bench.started("stick-cut") as table:
        image = _stick(table, "vfat", FILE_SYSTEMS["vfat"])
        with table.pi.stick(image, pace=SLOW):
            table.pi.wait_for("findmnt /media/sda", 60)
            table.pi.shell(f"systemctl stop {SERVICE}")
            table.pi.shell(_script(table, "backup", "tabularium backup"))
            table.pi.wait_for("ls -A /media/sda | grep -q tabularium", 120, 0.1)
            table.pi.cut_power()
        there = subprocess.run(
            ["mdir", "-b", "-a", "-i", image, "::/"], check=True, capture_output=True, text=True
        ).stdout.split()
        bench.report.say(f"      on the stick: {', '.join(there)}")
        bench.report.check(
            "the power failed before the backup had its name", not any(name.endswith(".zip") for name in there)
        )
        broken = [name for name in there if name.endswith(".zip") and not _whole(image, name)]
        bench.report.check("every backup on the stick is whole", not broken, ", ".join(broken))
        table.pi.start()
        table.pi.wait_up()
        table.wait_started()
        table.see("New game", what="after-the-cut")
        with table.pi.stick(image, "again"):
            table.pi.wait_for("findmnt /media/sda", 60)
            table.pi.shell(f"systemctl stop {SERVICE}")
            said = table.pi.shell("tabularium backup", 120, None)
            bench.report.check("the same stick takes the next backup", "Saved as" in said, said)


def _whole(image: Path, name: str) -> bool:
    copy = image.with_name("copy.zip")
    subprocess.run(["mcopy", "-n", "-o", "-i", image, name, copy], check=True, capture_output=True)
    with suppress(BadZipFile), ZipFile(copy) as archive:
        return archive.testzip() is None
    return False


def _stick(table: Table, kind: str, make: Sequence[str]) -> Path:
    """Make the image of a stick with a file system."""
    image = Path(table.pi.folder, f"{kind}.img")
    with image.open("wb") as file:
        file.truncate(64 << 20)
    subprocess.run([*make, image], check=True, capture_output=True)
    return image
