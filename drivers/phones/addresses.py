"""The addresses at which phones on the same network reach this computer."""

from __future__ import annotations

import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

NET = Path("/sys/class/net")
SIOCGIFADDR = 0x8915
"""Asks Linux for an interface's address (netdevice(7))."""
ELSEWHERE = "192.0.2.1"
"""An address that belongs to nobody (RFC 5737): the way to it is the way to everywhere. Nothing is sent there."""


def addresses(net: Path = NET) -> Sequence[str]:
    """Return this computer's own addresses in local networks, those on the way to everywhere first.

    Networks of virtual machines and containers are left out: no phone is in them.
    """
    found: dict[str, None] = dict.fromkeys(_outwards())
    for _, name in socket.if_nameindex():
        if (net / name / "device").exists():
            found |= dict.fromkeys(_of_interface(name))
    return [address for address in found if ip_address(address).is_private and not ip_address(address).is_loopback]


def _outwards() -> Sequence[str]:
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((ELSEWHERE, 9))
        return [str(probe.getsockname()[0])]
    return ()


def _of_interface(name: str) -> Sequence[str]:
    try:
        from fcntl import ioctl
    except ImportError:  # no Linux
        return ()
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        said = ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
        return [socket.inet_ntoa(said[20:24])]
    return ()
