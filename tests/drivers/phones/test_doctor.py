"""What the doctor says of the port, and where phones reach this computer."""

from ipaddress import ip_address
from typing import Any

import pytest

from companion.hardware.doctor.phones import PhoneProbe, way
from drivers.phones.addresses import addresses

LOCAL = ["192.168.0.0/16", "10.0.0.0/8"]


@pytest.mark.parametrize(
    ("of", "verdict", "says"),
    [
        (dict(open=False), None, ""),
        (dict(open=True), "pass", "http://192.168.4.1:8765"),
        (dict(open=True, allowed=LOCAL), "pass", "http://192.168.4.1:8765"),
        (dict(open=True, addresses=["172.20.1.1"], allowed=LOCAL), "fail", "not allowed"),
        (dict(open=True, addresses=[]), "warn", "in no network"),
        (dict(open=False, fault="Port 8765: Address already in use"), "fail", "already in use"),
    ],
)  # fmt: skip
def test_the_doctor_says_whether_phones_can_connect(of: dict[str, Any], verdict: str | None, says: str) -> None:
    seen: dict[str, Any] = dict(port=8765, fault="", addresses=["192.168.4.1"])
    found = list(way(PhoneProbe(**{**seen, **of})))
    assert [each.verdict for each in found] == ([verdict] if verdict else [])
    assert all(says in each.what and each.next for each in found)


def test_every_address_is_this_computers_own_and_local() -> None:
    for address in addresses():
        assert ip_address(address).is_private and not ip_address(address).is_loopback
