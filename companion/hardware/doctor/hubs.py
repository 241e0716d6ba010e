"""Findings about hubs: limits, likely causes and next steps. Pure: talks to no device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.hardware.doctor import Finding, Verdict
from companion.hardware.plugged import SWITCH_ON
from companion.rules.message import Message, code

SLOW_MS = 20
"""A hub on USB answers within one or two; even this much would be no trouble at the table."""
UNSURE_MS = 10
"""Fists that open within this time of each other may be reported in the wrong order."""
FEW = 3
"""This many damaged lines are usual: one may be torn whenever a hub is plugged in."""


@dataclass(frozen=True, slots=True)
class AtPlace:
    """A hub's place: its seat, what it `has` ("rbl"), its button (up, down) and reader (well, dead, new)."""

    place: int
    seat: str
    has: str
    button: str = "-"
    reader: str = "-"


@dataclass(frozen=True, slots=True)
class Box:
    """The result of one hub's test: `fault` says why it could not be reached, `question` what to check first.

    `dropped` counts damaged lines received from the hub, `bad` damaged lines that the hub has received since it
    started; `trips` are the round trips of pings, and `unsure` is how far off its times may be, all in ms. `has` lists
    the parts of every place.
    """

    name: str
    port: str = ""
    fault: str = ""
    hub: str = ""
    firmware: str = ""
    has: tuple[str, ...] = ()
    dropped: int = 0
    bad: int = 0
    trips: tuple[float, ...] = ()
    unsure: float = 0.0
    places: tuple[AtPlace, ...] = ()
    question: str = ""


def hub(seen: Box, shipped: str) -> Iterator[Finding]:
    """Yield the findings about one hub. `shipped` is the firmware that comes with this program."""
    part = f"hub {seen.name}"
    if seen.fault or not seen.hub:
        fault = seen.fault or Message("No contact yet")
        listed = SWITCH_ON if code(fault) == "uart" else Message("{tabularium} hub list shows what is plugged in")
        yield Finding(part, "fail", fault, seen.question or listed)
        return
    yield Finding(part, "pass", Message("{hub} answers at {port}", hub=seen.hub, port=seen.port))
    yield _firmware(part, seen.firmware, shipped)
    yield _lines(part, seen)
    yield from _times(part, seen)
    for standing in seen.places:
        yield from _place(standing)


def older(firmware: str, shipped: str) -> bool:
    """Return whether one version comes before another: 1.9.0 before 1.10.0."""
    return _numbers(firmware) < _numbers(shipped)


def _numbers(version: str) -> list[int]:
    return [int(part) if part.isdigit() else -1 for part in version.split(".")]


def _firmware(part: str, firmware: str, shipped: str) -> Finding:
    if older(firmware, shipped):
        what = Message("Its firmware is {firmware}; {shipped} is available", firmware=firmware, shipped=shipped)
        return Finding(part, "warn", what, Message("{tabularium} hub update says how to update it"))
    return Finding(part, "pass", Message("its firmware is {firmware}", firmware=firmware))


def _lines(part: str, seen: Box) -> Finding:
    if not seen.dropped + seen.bad:
        return Finding(part, "pass", Message("no damaged lines"))
    what = Message(
        "damaged lines: {here} on the way here, {there} on the way to the hub",
        here=seen.dropped,
        there=seen.bad,
    )
    if seen.dropped + seen.bad <= FEW:
        return Finding(part, "pass", what)
    return Finding(part, "warn", what, Message("Try another, shorter cable, plugged straight into the computer"))


def _times(part: str, seen: Box) -> Iterator[Finding]:
    if not seen.trips:
        return
    times = sorted(seen.trips)
    middle, most = (times[round(share * (len(times) - 1))] for share in (0.5, 0.95))
    what = Message(
        "a ping takes {middle:.1f} ms; 95 % take less than {most:.1f} ms, the slowest {longest:.1f} ms",
        middle=middle,
        most=most,
        longest=times[-1],
    )
    slow = Message("Close other programs, and leave out any USB hub in between")
    yield Finding(part, "pass" if middle <= SLOW_MS else "warn", what, "" if middle <= SLOW_MS else slow)
    verdict: Verdict = "pass" if seen.unsure <= UNSURE_MS else "warn"
    sure = Message("its times are accurate to {unsure:.1f} ms", unsure=seen.unsure)
    yield Finding(part, verdict, sure, "" if verdict == "pass" else slow)


def _place(standing: AtPlace) -> Iterator[Finding]:
    part, at = f"box {standing.seat}", standing.place
    if not standing.has.strip("-"):
        what = Message("Its hub has nothing at place {place}", place=at)
        yield Finding(part, "fail", what, Message("Make seats in config.yaml match how the boxes are plugged in"))
    elif standing.reader == "dead":
        what = Message("The reader at place {place} does not answer", place=at)
        yield Finding(part, "fail", what, Message("Check its seven wires to the hub, and the 3.3 V at the reader"))
    elif standing.reader == "new":
        what = Message("The reader at place {place} has not been polled yet", place=at)
        yield Finding(part, "warn", what, Message("Run the doctor again"))
    elif standing.button == "down":
        what = Message("The button at place {place} is held down", place=at)
        yield Finding(
            part,
            "warn",
            what,
            Message("Let go; failing that, turn the button by 90°, or look for a wire touching ground"),
        )
    else:
        yield Finding(part, "pass", Message("place {place} has {parts}", place=at, parts=PARTS[standing.has]))


PARTS = {
    "rbl": Message("a reader, a button and a lamp"),
    "rb": Message("a reader and a button"),
    "rl": Message("a reader and a lamp"),
    "bl": Message("a button and a lamp"),
    "r": Message("a reader"),
    "b": Message("a button"),
    "l": Message("a lamp"),
}


def findings(boxes: Sequence[Box], shipped: str) -> Iterator[Finding]:
    """Yield the findings about all hubs, one hub after the other."""
    for seen in boxes:
        yield from hub(seen, shipped)
