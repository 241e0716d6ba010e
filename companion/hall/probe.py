"""A single probe for a broker and a hall, for the doctor and for `tabularium hall setup --check`."""

from __future__ import annotations

from threading import Event

from companion.hall._wire import Topics
from companion.hall.link import Broker, BrokerLink

WAIT_S = 5.0


def probe(broker: Broker, hall: str, wait_s: float = WAIT_S) -> tuple[str, bool, str]:
    """Return why the broker cannot be reached, whether the hall has said anything, and the broker's address.

    The reason is "" where the broker can be reached, and the address "" where it is not known. Raises OSError and
    ssl.SSLError for a certificate that cannot be read.
    """
    changed, heard = Event(), Event()
    link = BrokerLink(
        broker, subscribed=[Topics(hall).said("evening")], came=lambda _: heard.set(), changed=changed.set
    )
    link.open()
    try:
        changed.wait(wait_s)
        if link.connected:
            heard.wait(wait_s / 2)
        return link.fault, heard.is_set(), link.address
    finally:
        link.close()
