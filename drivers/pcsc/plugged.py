"""The readers that the system's USB knows, and what keeps pcscd from having them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.rules.message import Message
from drivers import ROOT

CCID = "0b"
"""The USB class of card readers; the ACR122U and its kin say so too."""
KERNEL = ("pn533_usb", "pn533")
"""The kernel's own driver: it takes an ACR122U before pcscd can."""


def readers(root: Path = ROOT) -> list[str]:
    """Return the names that the plugged-in card readers report."""
    found = dict.fromkeys(folder.parent for folder in _interfaces(root) if _read(folder / "bInterfaceClass") == CCID)
    return [_called(device) for device in found]


def _interfaces(root: Path) -> Iterator[Path]:
    for device in sorted((root / "sys/bus/usb/devices").glob("*")):
        yield from sorted(device.glob(f"{device.name}:*"))


def _called(device: Path) -> str:
    name = " ".join(filter(None, (_read(device / "manufacturer"), _read(device / "product"))))
    return name or f"{_read(device / 'idVendor')}:{_read(device / 'idProduct')}"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def taken(root: Path = ROOT) -> bool:
    """Return whether the kernel's own driver has taken a reader."""
    return any(list((root / "sys/bus/usb/drivers" / name).glob("*:*")) for name in KERNEL)


def hindered(root: Path = ROOT) -> str:
    """Return why pcscd lacks a reader that is plugged in, "" where no cause is known."""
    return Message("The kernel's own driver is using the reader", code="kernel") if taken(root) else ""
