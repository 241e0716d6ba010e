"""Findings about a table's connection to its hall: broker, password, hall. Pure: connects to nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from companion.hardware.doctor import Finding
from companion.rules.message import Message, code


@dataclass(frozen=True, slots=True)
class HallProbe:
    """What a probe of the connection has found.

    `fault` says why the broker cannot be reached, "" where it can; `heard` whether the hall has said anything; `behind`
    how many acts it does not have yet; `address` is the broker's. `allowed` are the networks that the table's service
    may reach, None where it may reach any or there is no service.
    """

    hall: str
    table: str
    fault: str
    heard: bool
    behind: int = 0
    address: str = ""
    allowed: Sequence[str] | None = None

    @property
    def forbidden(self) -> bool:
        """Return whether the service is not allowed to reach the broker."""
        if self.allowed is None or not self.address:
            return False
        # of IPv6 in a link-local network, the part behind % says which cable
        address = ip_address(self.address.partition("%")[0])
        address = getattr(address, "ipv4_mapped", None) or address
        return not any(address in ip_network(each, strict=False) for each in self.allowed)


REMEDIES = {
    "unknown": Message(
        "Compare broker in config.yaml with what the hall's computer is called, or write its address there"
    ),
    "closed": Message("Is the broker running on the hall's computer? Compare port in config.yaml"),
    "silent": Message("Is the hall's computer on, and in the same network? A guests' Wi-Fi keeps its computers apart"),
    "forbidden": Message("A firewall on this computer forbids it"),
    "password": Message("Compare user and password_file in config.yaml with what the hall gave out"),
    "plain": Message("Fetch the table's file from the hall again: {tabularium} hall take FILE"),
    "certificate": Message("Fetch the table's file from the hall again: {tabularium} hall take FILE"),
    "host": Message("In config.yaml, use the name that the hall's computer had when the hall was set up"),
    "early": Message("Set this computer's clock"),
    "expired": Message(
        "On the hall's computer: remove hall.crt, set the hall up again, and fetch the tables' files again"
    ),
    "hung_up": Message("Compare port in config.yaml: usually 8883 with a certificate and 1883 without one"),
}
"""The remedy for each cause (`companion.hall.reach`)."""
AWAY = Message("Is the hall's computer on, and in the same network? Compare broker and port in config.yaml")


def way(seen: HallProbe) -> Iterator[Finding]:
    """Yield the state of the connection to the hall."""
    if seen.forbidden and code(seen.fault) in ("", "silent", "forbidden"):
        what = Message(
            "The table's service is not allowed to reach {address}: it is limited to local networks",
            address=seen.address,
        )
        edit = Message(
            "sudo systemctl edit tabularium: [Service], and in the next line IPAddressAllow={address}; then restart it",
            address=seen.address,
        )
        yield Finding("hall", "fail", what, edit)
    elif seen.fault:
        what = Message("The hall's broker cannot be reached: {fault}", fault=seen.fault)
        yield Finding("hall", "fail", what, REMEDIES.get(code(seen.fault), AWAY))
    elif not seen.heard:
        what = Message("The broker is there, but no hall called {hall}", hall=seen.hall)
        yield Finding(
            "hall",
            "warn",
            what,
            Message("Start it on the hall's computer: tabularium hall. Nothing is lost in the meantime"),
        )
    else:
        what = Message(
            "Table {table} of {hall}; moves still to be sent: {count}",
            table=seen.table,
            hall=seen.hall,
            count=seen.behind,
        )
        yield Finding("hall", "pass", what)


def wireless(asleep: bool) -> Iterator[Finding]:
    """Yield a warning if this computer's Wi-Fi sleeps between packets."""
    if asleep:
        what = Message("Wi-Fi power saving is on: messages arrive late, and the hall takes the table for offline")
        once = Message(
            "sudo nmcli connection modify NAME wifi.powersave 2 (nmcli connection lists the names), then restart"
        )
        yield Finding("hall", "warn", what, once)
