"""The kernel's input devices, as /proc/bus/input/devices lists them: any user may read that file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.rules.message import Message
from drivers import ROOT

LIST = "proc/bus/input/devices"
USB = 0x0003
"""The bus type of USB devices."""
A, SPACE, ENTER, NUMBER_1, NUMBER_ENTER = 30, 57, 28, 79, 96
"""Keys (linux/input-event-codes.h)."""
ROLLOVER = 2
"""The number of held keys that any keyboard tells apart; none announces that it can tell more."""
PADS = (range(0x100, 0x10A), range(0x120, 0x13F), range(0x2C0, 0x2E8))
"""The buttons of encoders, joysticks and game pads; those of mice and of fingers on a pad lie between."""


@dataclass(frozen=True, slots=True)
class InputDevice:
    """A device with keys. `place` is the socket it is at ("usb-0000:00:14.0-2"), `usb` its kind ("0079:0006")."""

    name: str
    usb: str
    place: str
    path: str
    keys: frozenset[int]

    @property
    def types(self) -> bool:
        """Return whether it is a keyboard or a number pad: what it types would reach every other program too."""
        return bool(self.keys & {A, NUMBER_1} and self.keys & {SPACE, ENTER, NUMBER_ENTER})

    @property
    def playable(self) -> bool:
        """Return whether it has buttons to play with: it is no mouse and no headset."""
        return self.types or any(code in pad for pad in PADS for code in self.keys)


@dataclass(frozen=True, slots=True)
class Plug:
    """The device that is meant: of this kind, at this place, with this name; "" for any."""

    usb: str = ""
    place: str = ""
    name: str = ""

    def fits(self, device: InputDevice) -> bool:
        asked = {self.usb.upper(): device.usb, self.place: device.place, self.name: device.name}
        return all(word in ("", has) for word, has in asked.items())

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.name, self.usb, self.place)))


def devices(root: Path = ROOT) -> list[InputDevice]:
    """Return every device on USB or Bluetooth that has keys, in the kernel's order."""
    try:
        text = (root / LIST).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return list(_parse_devices(text.split("\n\n")))


def _parse_devices(parts: Iterable[str]) -> Iterator[InputDevice]:
    for part in parts:
        number = re.search(r"^I: Bus=(\w+) Vendor=(\w+) Product=(\w+)", part, re.M)
        event = re.search(r"^H: Handlers=.*\b(event\d+)", part, re.M)
        keys = re.search(r"^B: KEY=([0-9a-f ]+)", part, re.M)
        if not (number and event and keys) or int(number[1], 16) < USB or int(number[1], 16) > 5:
            continue  # the computer's own buttons and lid, which are not plugged in
        name = re.search(r'^N: Name="(.*)"', part, re.M)
        phys = re.search(r"^P: Phys=(\S*)", part, re.M)
        usb = f"{number[2]}:{number[3]}".upper()
        place = re.sub("/input[0-9]+$", "", phys[1]) if phys else ""
        found = _keys_in_bitmap(keys[1])
        if found:
            yield InputDevice(name[1] if name else usb, usb, place, f"/dev/input/{event[1]}", found)


def _keys_in_bitmap(words: str) -> frozenset[int]:
    """Return the keys in a bitmap of 64-bit words, the highest first."""
    value = 0
    for word in words.split():
        value = value << 64 | int(word, 16)
    return frozenset(at for at in range(value.bit_length()) if value >> at & 1)


def find(plug: Plug, codes: Iterable[int], there: Iterable[InputDevice]) -> InputDevice:
    """Return the device that is meant and has these keys: of a keyboard's two or three, only one has the letters.

    Raises OSError where there is none, or more than one.
    """
    known, wanted = list(there), frozenset(codes)
    fitting = [device for device in known if plug.fits(device)]
    having = [device for device in fitting if wanted <= device.keys]
    if len({device.place for device in having}) > 1:
        places = ", ".join(device.place for device in having)
        text = Message(
            "Two {plug} are plugged in: tell them apart by place ({places})", code="twice", plug=plug, places=places
        )
        raise OSError(text)
    if having:
        return having[0]
    if fitting:
        lacking = ", ".join(map(str, sorted(wanted - fitting[0].keys)))
        raise OSError(Message("{plug} has no key {codes}", code="keys", plug=plug, codes=lacking))
    names = ", ".join(dict.fromkeys(f"{device.name} ({device.usb})" for device in known))
    if names:
        raise OSError(Message("{plug} is not plugged in, but: {names}", code="absent", plug=plug, names=names))
    raise OSError(Message("{plug} is not plugged in", code="absent", plug=plug))
