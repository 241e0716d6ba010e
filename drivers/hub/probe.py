"""Questions to hubs: their ports are opened for a moment, or a running hub's worker tells its state."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

from companion.hardware.doctor import Finding, hubs
from companion.hardware.doctor.hubs import AtPlace, Box
from companion.rules.message import code, reason
from drivers.hub import FIRMWARE, faults
from drivers.hub.protocol import HubLink
from drivers.hub.talk import SECOND
from drivers.hub.worker import Hub, HubWorker, exchange, micros
from drivers.port import SerialPort, find

PINGS = 50
PATIENCE = 4 * SECOND
"""A hub that has not answered everything by then is reported as far as it is known."""


def ask(name: str, hub: Hub, pings: int = PINGS, patience: int = PATIENCE) -> Box:
    """Talk to a hub until it has answered this many pings, or `patience` (µs) runs out."""
    link = HubLink(name, (), lambda _: None, pings=pings)
    try:
        path = find(hub.where)
        with closing(SerialPort(path, hub.dtr)) as port:
            began = micros()
            link.opened(began)
            while micros() - began < patience and not _has_answered(link, pings):
                exchange(port, link, 0.05)
    except OSError as fault:
        return _no_answer(name, reason(fault))
    if not link.settled:
        return Box(name, path, faults.NOBODY)
    return box(name, hub.seats, path, link)


def _no_answer(name: str, fault: str) -> Box:
    return Box(name, fault=fault, question=faults.QUESTIONS.get(code(fault), ""))


def _has_answered(link: HubLink, pings: int) -> bool:
    polled = all(row.reader != "new" for row in link.rows)
    return link.settled and polled and len(link.trips) >= pings


def running(name: str, worker: HubWorker) -> Box:
    """Return what the worker of a running hub knows; from any thread."""
    port = worker.port
    if port is None or not worker.link.settled:
        return _no_answer(name, worker.fault)
    return box(name, worker.hub.seats, port.path, worker.link)


def box(name: str, seats: Sequence[str | None], path: str, link: HubLink) -> Box:
    hello = link.hello
    if hello is None:
        return Box(name, path)
    trips = tuple(trip / 1000 for trip in list(link.trips))
    unsure = (link.clock.uncertainty(micros()) or 0) / 1000
    rows = {row.place: row for row in link.rows}
    standing = []
    for place, seat in enumerate(seats):
        has = hello.places[place] if place < len(hello.places) else "-"
        row = rows.get(place)
        if seat:
            standing.append(AtPlace(place, seat, has, row.button if row else "-", row.reader if row else "-"))
    who = (name, path, "", hello.hub, hello.firmware, hello.places)
    return Box(*who, link.lines.dropped, link.bad, trips, unsure, tuple(standing))


def examine(table: Mapping[str, Hub], working: Mapping[str, HubWorker] | None = None) -> Iterator[Finding]:
    """Yield the findings on a table's hubs; for an open table, from what their workers know."""
    if working is None:
        yield from hubs.findings([ask(name, hub) for name, hub in table.items()], FIRMWARE)
    else:
        yield from hubs.findings([running(name, worker) for name, worker in working.items()], FIRMWARE)
