"""A table's way to its hall, as findings: broker, password, hall. Pure; asks nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.hardware.doctor import Finding
from companion.rules.message import Message


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of the way: `fault` is why the broker is not reached, "" where it is; `heard` whether the hall has
    said anything, `behind` how many acts it does not have yet."""

    hall: str
    table: str
    fault: str
    heard: bool
    behind: int = 0


def way(seen: Seen) -> Iterator[Finding]:
    if seen.fault:
        refused = "uthor" in seen.fault
        wrong = Message("Compare user and password_file in config.yaml with what the hall gave out")
        away = Message("Is the hall's computer on, and in the same network? Compare broker and port in config.yaml")
        what = Message("The hall's broker cannot be reached: {fault}", fault=seen.fault)
        yield Finding("hall", "fail", what, wrong if refused else away)
    elif not seen.heard:
        what = Message("The broker is there, but no hall called {hall}", hall=seen.hall)
        yield Finding("hall", "warn", what, Message("On its computer: tabularium hall. Nothing is lost meanwhile"))
    else:
        what = Message(
            "Table {table} of {hall}; acts still to be sent: {count}",
            table=seen.table,
            hall=seen.hall,
            count=seen.behind,
        )
        yield Finding("hall", "pass", what)


def wireless(asleep: bool) -> Iterator[Finding]:
    """Yield a warning if this computer's Wi-Fi sleeps between packets."""
    if asleep:
        what = Message("Wi-Fi saves power: what the table sends comes late, and the hall takes it for away")
        once = Message(
            "sudo nmcli connection modify NAME wifi.powersave 2 (nmcli connection lists the names), then restart"
        )
        yield Finding("hall", "warn", what, once)
