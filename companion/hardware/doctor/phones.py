"""Findings about the port that phones connect to. Pure: connects to nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from companion.hardware.doctor import Finding
from companion.rules.message import Message


@dataclass(frozen=True, slots=True)
class PhoneProbe:
    """What is known of the port: whether it is open, or why not; and where phones reach this computer.

    `allowed` are the networks that the table's service may talk with, None where it may talk with any.
    """

    port: int
    open: bool
    fault: str
    addresses: Sequence[str]
    allowed: Sequence[str] | None = None

    @property
    def forbidden(self) -> Sequence[str]:
        """Return the addresses whose networks the service may not talk with."""
        if self.allowed is None:
            return ()
        networks = [ip_network(each, strict=False) for each in self.allowed]
        return [of for of in self.addresses if not any(ip_address(of) in network for network in networks)]


def way(seen: PhoneProbe) -> Iterator[Finding]:
    """Yield whether phones can reach the table; nothing while nobody wants them to."""
    if seen.fault:
        remedy = Message("Choose another port in config.yaml (phones: port), or end the program that has it")
        yield Finding("phones", "fail", Message("Phones cannot connect: {fault}", fault=seen.fault), remedy)
    elif not seen.open:
        return
    elif not seen.addresses:
        what = Message("This computer is in no network: phones cannot reach it")
        yield Finding("phones", "warn", what, Message("Connect it to the Wi-Fi that the phones are in"))
    elif seen.forbidden:
        address = seen.forbidden[0]
        what = Message(
            "The table's service is not allowed to talk with phones in the network of {address}", address=address
        )
        edit = Message(
            "sudo systemctl edit tabularium: [Service], in the next line IPAddressAllow={address}/24; then restart it",
            address=address,
        )
        yield Finding("phones", "fail", what, edit)
    else:
        address = f"http://{seen.addresses[0]}:{seen.port}"
        remedy = Message(
            "If a phone cannot open {address}: is it in the same Wi-Fi, and not in one for guests, which keeps devices"
            " apart? Does a firewall on this computer let port {port} in?",
            address=address,
            port=seen.port,
        )
        yield Finding("phones", "pass", Message("Phones may connect at {address}", address=address), remedy)
