"""The kinds of facts that may be in a report: a version, a count, a known word. Anything else is left out.

Nothing is struck out of a text here: a kind returns the value if it is of this kind, and None for all else.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Collection, Mapping
from math import isfinite
from typing import Any

from companion.rules.cards import PAWNS
from companion.rules.readings import CENTRE
from companion.system.updates import LATER, REASONS

HIDDEN = "…"
"""The placeholder for a hidden value."""
Kind = Callable[[Any], Any]
"""Maps a value to what may be shown of it; None for nothing. Any: the value may be of any type."""


def like(pattern: str) -> Kind:
    """Return the kind of texts that match the pattern."""
    form = re.compile(pattern, re.ASCII)
    return lambda value: str(value) if isinstance(value, str) and form.fullmatch(value) else None


def one_of(*known: str) -> Kind:
    """Return the kind of these words."""
    return lambda value: str(value) if isinstance(value, str) and value in known else None


def below(most: int) -> Kind:
    """Return the kind of numbers smaller than `most`, too short to be the number of a card or a telephone."""
    return lambda value: value if type(value) in (int, float) and isfinite(value) and abs(value) < most else None


number = below(10_000_000)
few = below(100_000)


def flag(value: Any) -> Any:
    return value if isinstance(value, bool) else None


def nothing(value: Any) -> Any:  # noqa: ARG001 - it is a kind as the others are
    """Return None: the report says that this value was there, but not what it was."""
    return None


def each(kind: Kind) -> Kind:
    """Return the kind of lists with items of this kind. Other items are HIDDEN, so that they still count."""
    return lambda value: [told(kind, one) for one in value] if isinstance(value, list | tuple) else None


def counted(value: Any) -> Any:
    """Return how many items a list has."""
    return len(value) if isinstance(value, list | tuple) else None


def parted(kind: Kind) -> Kind:
    """Return the kind of texts that list such items, separated by commas."""
    return lambda value: (
        ", ".join(str(told(kind, one)) for one in value.split(", ")) if isinstance(value, str) else None
    )


def keyed(names: Kind, kind: Kind) -> Kind:
    """Return the kind of objects whose keys are of a kind too; other keys are left out."""

    def shown(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return None
        found = ((names(key), one) for key, one in value.items())
        return {key: told(kind, one) for key, one in found if key is not None}

    return shown


def shaped(kinds: Mapping[str, Kind]) -> Kind:
    """Return the kind of objects with these keys; other keys are left out."""

    def shown(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return None
        return {key: told(kind, value[key]) for key, kind in kinds.items() if key in value}

    return shown


def told(kind: Kind, value: Any) -> Any:
    """Return the value if it is of the kind, else HIDDEN. An empty value is never hidden."""
    if value is None or value == "":
        return value
    found = kind(value)
    return HIDDEN if found is None else found


def first_of(*kinds: Kind) -> Kind:
    """Return the kind of values that are of any of these kinds."""
    return lambda value: next((found for kind in kinds if (found := kind(value)) is not None), None)


class Names:
    """The names that people have given to hubs and controllers, as numbers: the same name is the same number."""

    def __init__(self, known: Collection[str] = ()) -> None:
        self._numbers: dict[str, int] = {}
        for name in known:
            self.number(name)

    def number(self, name: Any) -> str | None:
        return str(self._numbers.setdefault(name, len(self._numbers) + 1)) if isinstance(name, str) else None

    def part(self, value: Any) -> str | None:
        """Return a device or another part of the table, as "button red" or "hub 1"; None for any other name."""
        if not isinstance(value, str):
            return None
        what, _, name = value.partition(" ")
        if what in NAMED and name:
            return f"{what} {self.number(name)}"
        words = PIN.sub("GPIO", value).split()  # a row of bare numbers is a telephone's, or the id of a tag
        return value if all(word in PARTS or place(word) or spi(word) for word in words) else None

    def chips(self, value: Any) -> Any:
        """Return the versions of readers' chips and hubs' firmware, by device."""
        return keyed(lambda key: self.part(key) if str(key).startswith("hub ") else place(key), CHIP)(value)


PLACES = (CENTRE, *PAWNS)
NAMED = ("hub", "controller")
"""Words that are followed by a name that a user has chosen."""
PARTS = frozenset((
    "reader", "button", "lamp", "box", "ear", "back", "computer", "packages", "folder", "disk", "clock", "display",
    "pins", "supply", "service", "groups", "boot", "blanking", "installation", "speed", "hall", "recording", "voice",
    "loudspeaker", "keyboard", "bus", "power", "window", "update", "hub", "hubs", "controller", "screen", "network",
    "sound", "readers", "GPIO", "phone", "phones",
))  # fmt: skip
"""The words of a part's name."""
place = one_of(*PLACES)
PIN = re.compile(r"\bGPIO \d{1,2}\b", re.ASCII)
spi = like(r"SPI[01](\.\d)?|bus \d, device \d")
MOMENT = like(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d{1,6})?([+-]\d\d:\d\d|Z)?")
VERSION = like(r"\d{1,4}(\.\d{1,4}){0,2}(\.?(a|b|rc|post|dev)\d{1,3})?")
BUILD = like(r"\d{1,4}(\.\d{1,4}){1,2}(-[0-9a-f]{1,8})?")
"""A version as its folder is called."""
CHIP = first_of(like(r"[0-9A-F]{2}|[0-9A-F]{4}"), VERSION)
MODEL = like(
    r"Raspberry Pi (\d{1,3}|Zero|Model|Compute Module \d)( \d)?( ?W| ?WH)?( Model [AB])?( Plus|\+)?( Rev \d(\.\d)?)?"
    r"|no Raspberry Pi"
)
ARCHITECTURE = one_of("aarch64", "armv7l", "armv6l", "x86_64", "i686", "arm64", "AMD64", "riscv64")
SYSTEM = one_of("Linux", "Darwin", "Windows", "linux", "darwin", "win32")
FILE_SYSTEM = one_of("ext4", "ext3", "ext2", "btrfs", "f2fs", "xfs", "vfat", "exfat", "ntfs", "tmpfs", "overlay", "nfs")
KERNELS = re.compile(
    r"(\d{1,2}\.\d{1,3}(?:\.\d{1,3})?)(?:[-+](?:rpt|rpi\d?|v6|v7l?|v8|16k|2712|deb\d{1,2}(?:u\d)?|amd64|arm64|armmp"
    r"|cloud|generic|raspi|lowlatency|\d{1,4})){0,4}\+?",
    re.ASCII,
)


def kernel(value: Any) -> str | None:
    """Return a kernel's version, or only its beginning for a custom-built kernel."""
    found = KERNELS.match(value) if isinstance(value, str) else None
    return (found[0] if found[0] == value else f"{found[1]}{HIDDEN}") if found else None


HARDWARE = one_of("virtual", "pi", "usb")
READERS = re.compile(
    r"ACR1(?:251|252|255|281|283|311|552|22|25)[ULTM]?"
    r"|OMNIKEY (?:5021|5022|5023|5025|5027|5121|5122|5321|5326|5422|5427)|uTrust (?:2700|3700|4700|4701) F"
    r"|SCL3711|SCM ?3711|CLOUD 3700 F|PN532|MFRC522|RC522"
)
"""Card readers that are known by their models."""


def reader_model(value: Any) -> str | None:
    """Return the model in a reader's name, without the rest of that name."""
    found = READERS.search(value) if isinstance(value, str) else None
    return found[0] if found else None


PACKAGE = one_of(
    *("mfrc522", "spidev", "rpi-lgpio", "lgpio", "gpiozero", "pyserial", "kivy", "RPi.GPIO", "paho-mqtt", "rich"),
    *("fastjsonschema", "PyYAML", "pyyaml", "segno", "pcscd", "libccid", "libpcsclite1", "python3-lgpio", "alsa-utils"),
    *("espeak-ng", "open-jtalk", "piper", "mosquitto", "tabularium", "libgl1", "libegl1", "libgles2", "libmtdev1"),
    *("websockets", "PyNaCl", "pynacl"),
)
WITH_VERSION: Kind = lambda value: (  # noqa: E731
    value if isinstance(value, str) and len(said := value.split(" ")) == 2 and PACKAGE(said[0]) and VERSION(said[1])
    else None
)  # fmt: skip
GROUP = one_of("spi", "gpio", "dialout", "video", "render", "input", "audio", "i2c", "plugdev", "netdev", "scard")
FILE = like(
    r"/(etc/(systemd/system|udev/rules\.d|polkit-1/rules\.d|modprobe\.d|tmpfiles\.d)|usr/local/bin)/(\d\d-)?tabularium"
    r"(-(power|readers|update|trial))?(\.(service|rules|conf|path))?"
)
"""The files that the installer puts into the system."""
DEVICE = like(
    r"/dev/(spidev\d\.\d|gpiochip\d{1,2}|tty(ACM|USB|AMA|S)\d{1,2}|i2c-\d{1,2}|dri(/card\d)?|snd|input(/event\d{1,2})?"
    r"|gpiomem)"
)
BOOT = like(r"enable_uart=1|dt(overlay|param)=[a-z0-9-]{1,20}(=on|=off)?(,[a-z_]{1,20}=\d{1,3})*")
STATE = one_of("active", "inactive", "failed", "activating", "deactivating", "reloading", "maintenance")
SCREEN = like(r"(HDMI-A|DSI|DPI|DP|eDP|LVDS|VGA|Composite|Writeback|Virtual)-\d( \d{3,4}x\d{3,4})?")
PROGRAM = one_of("espeak-ng", "open_jtalk", "open-jtalk", "piper", "aplay", "paplay", "pw-play", "pw-cat", "afplay",
                 "dtoverlay", "auto", "none", "off")  # fmt: skip
SESSION = one_of("X11", "Wayland")
USB = like(r"[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}")
"""A kind of device: thousands have the same."""
CODES = (
    *("absent", "busy", "changed", "closed", "denied", "forgets", "held", "kernel", "keys", "loop", "missing"),
    *("no_port", "no_service", "nobody", "numbering", "other", "pcsc", "pin", "refused", "repaired", "sends"),
    *("several", "silent", "stopped", "torn", "twice", "uart", "unasked", "unplugged", "version"),
)  # fmt: skip
CODE = first_of(one_of(*CODES), like(r"reads_[0-9A-F]{2}"))
"""The program's own words for a fault."""
ERRORS = frozenset((*map(os.strerror, errno.errorcode), *errno.errorcode.values()))
"""The system's words and names for faults."""
NUMBERED = re.compile(r"\[Errno \d{1,3}\] ([^:]+)(?:: .*)?", re.ASCII)
BUSY = re.compile(r"(pin GPIO\d{1,2} is already in use) by .*", re.ASCII)
LIBRARIES = first_of(
    like(r"No module named '(_?lgpio|gpiozero|RPi|RPi\.GPIO|spidev|mfrc522|serial|kivy|paho(\.mqtt(\.client)?)?)'"),
    like(r"'?(GPIO (busy|not allocated|not set as an output)|bad GPIO number|can not open (gpiochip|(SPI|I2C) device)"
         r"|no permission to perform action|not a gpiochip|unknown handle)'?"),
    like(r"\d{1,2} is not a valid pin name|cannot set state of pin GPIO\d{1,2}"),
    like(r"silent|settings|version_[0-9A-F]{2}"),
    like(r"no answer|not connected yet|Not authorized|Bad user name or password|Server unavailable"),
    one_of("No permission to read it: sudo usermod -aG input $USER, then log out and in again"),
)  # fmt: skip
"""The words for faults of the libraries for pins, the hubs' firmware, brokers and the kernel's events."""


def fault(value: Any) -> str | None:
    """Return the fault as the system or a library words it, without a path or a pin's holder."""
    if not isinstance(value, str):
        return None
    if numbered := NUMBERED.fullmatch(value):
        return numbered[1] if numbered[1] in ERRORS else None
    if busy := BUSY.fullmatch(value):
        return busy[1]
    return value if value in ERRORS or LIBRARIES(value) else None


REASON = one_of(*REASONS)
COMMANDS = frozenset(("sudo /opt/tabularium/current/install",))

NUMBERS: Mapping[str, Kind] = {
    **dict.fromkeys((
        "count", "middle", "most", "longest", "unsure", "here", "there", "pin", "place", "polls", "wrong", "percent",
        "bounce", "waited", "ms", "free", "seconds", "version", "before", "major", "minor", "theirs", "ours", "gain",
        "best", "both", "us", "times", "more", "seen", "last", "heard", "device", "together", "others", "minutes",
        "needed", "a", "b", "second", "first", "readers", "buttons", "lamps", "seats", "day", "year",
    ), number),
    "result": lambda value: value if 0x80100000 <= value <= 0x801000FF else None,  # PC/SC's own codes
}  # fmt: skip
"""The facts of a sentence that may be numbers."""
NUMERALS = like(r"\d{1,4}(\.\d{1,3})?( ms)?")
TEXTS: Mapping[str, Kind] = {
    **dict.fromkeys(("firmware", "shipped", "version"), first_of(BUILD, VERSION, CHIP)),
    **dict.fromkeys(
        ("readers", "buttons", "lamps", "seats", "place", "at", "others", "last"),
        first_of(spi, parted(first_of(place, spi, NUMERALS))),
    ),
    **dict.fromkeys(("names", "name"), parted(first_of(PACKAGE, WITH_VERSION))),
    **dict.fromkeys(("path", "port", "device"), DEVICE),
    **dict.fromkeys(("groups", "group"), parted(GROUP)),
    **dict.fromkeys(("program", "en", "de", "ja"), first_of(PROGRAM, one_of("–"))),
    **dict.fromkeys(("changes", "pins", "codes", "us", "a", "b", "ms", "times"), parted(NUMERALS)),
    **dict.fromkeys(("wanted", "there", "reader"), parted(reader_model)),
    **dict.fromkeys(("why", "fault", "error"), fault),
    "holder": like(r"w1|spi\d CS\d|lg|sysfs|onewire@\d{1,2}"),
    "model": MODEL,
    "chip": like(r"MFRC522 version \d(\.\d)?"),
    "processor": ARCHITECTURE,
    "files": parted(FILE),
    "lines": parted(BOOT),
    "system": FILE_SYSTEM,
    "session": SESSION,
    "screens": parted(SCREEN),
    "time": MOMENT,
    "clock": like(r"\d\d:\d\d"),
    "bus": one_of("SPI0", "SPI1"),
    "usb": USB,
    "sends": one_of("10D", "8H", "reversed"),
    "lang": one_of("en", "de", "ja"),
    "state": STATE,
    "command": lambda value: value if value in COMMANDS else None,
}
"""The facts of a sentence that may be texts, and of which kind."""


def facts(names: Names) -> Mapping[str, Kind]:
    """Return the kinds of report.json's facts about the computer and the table."""
    return {
        "at": MOMENT,
        "program": VERSION,
        "python": VERSION,
        "packages": keyed(PACKAGE, VERSION),
        "model": MODEL,
        "kernel": kernel,
        "chips": names.chips,
        "free_mb": number,
        "system": SYSTEM,
        "hardware": HARDWARE,
        "hubs": keyed(names.number, VERSION),
        "shipped": VERSION,
        "sagged": flag,
        "quiet": flag,
    }


INSTALLED = shaped({
    "version": BUILD,
    "changed": each(FILE),
    "lacking": each(GROUP),
    "enabled": flag,
    "state": STATE,
    "restarts": few,
    "boot": each(BOOT),
    "blank": few,
    "throttled": below(1 << 20),
    "brought": shaped({"groups": each(GROUP), "packages": counted, "displaced": counted, "folders": counted}),
    "trial": shaped({
        "this": BUILD, "before": BUILD, "phase": one_of("switching", "trying", "back"), "left": few, "why": REASON,
    }),
    "last": shaped({
        "number": few, "what": one_of(*LATER), "version": BUILD, "other": BUILD, "why": REASON, "aside": nothing,
    }),
})  # fmt: skip
"""The facts in installed.json."""
VERDICT = one_of("pass", "warn", "fail")
DEVICES = ("device", "well", "detail", "code")
