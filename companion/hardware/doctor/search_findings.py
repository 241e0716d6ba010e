"""Findings about a search for devices: which ones answer, and what to check where none does. Pure: searches nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.hardware.doctor import Finding, computer, hubs, wired
from companion.hardware.doctor.computer import Display
from companion.hardware.doctor.hubs import Box
from companion.hardware.doctor.wired import PollSummary
from companion.hardware.kind import Kind, Sighting
from companion.rules.message import Message


@dataclass(frozen=True, slots=True)
class ReaderFound:
    """A place where a reader may be, and the reader's kind."""

    kind: Kind[Any]
    at: Sighting[Any]

    @property
    def answers(self) -> bool:
        return self.at.version is not None


@dataclass(frozen=True, slots=True)
class HubFound:
    """A serial port and the hub that answered there.

    `where` is the one key of config.yaml that finds it again, and its value: serial, usb or port; "" where none does.
    Without `dtr` its board does not restart when the port is opened, unless it `restarts` in any case.
    """

    box: Box
    where: tuple[str, str] = ("", "")
    dtr: bool = True
    restarts: bool = False

    @property
    def name(self) -> str:
        return self.box.name

    @property
    def answers(self) -> bool:
        return bool(self.box.hub)


@dataclass(frozen=True, slots=True)
class ControllerFound:
    """A plugged-in controller: its name in config.yaml, the name it reports, its kind on USB, its place, its key codes.

    The place is "" where the kind says enough.
    """

    name: str
    called: str
    usb: str
    place: str
    keys: frozenset[int]


@dataclass(frozen=True, slots=True)
class SearchResults:
    """All results of a search.

    `pins` are listened to, by BCM number; the `held` ones were at ground from the first. `fault` says why no pin can be
    listened to, if none can.
    """

    readers: Sequence[ReaderFound] = ()
    hubs: Sequence[HubFound] = ()
    pins: Sequence[int] = ()
    held: frozenset[int] = frozenset()
    fault: str = ""
    display: Display | None = None
    pi: bool = False
    controllers: Sequence[ControllerFound] = ()
    denied: Sequence[str] = ()
    """The names of controllers without permission to read them."""
    window: bool = False
    """Keys are heard through the window instead."""

    @property
    def places(self) -> dict[str, str]:
        """Return the places of the hubs that config.yaml can name, as "box1 place 0", each with its parts: "rbl"."""
        return {
            place(hub.name, number): has
            for hub in self.hubs
            if hub.where[0]
            for number, has in enumerate(hub.box.has)
            if has.strip("-")
        }

    @property
    def sources(self) -> list[str]:
        """Return where cards may be laid: on readers of the Pi, and at places of hubs that have a reader."""
        answering = [reader.at.place for reader in self.readers if reader.answers]
        return answering + [name for name, has in self.places.items() if "r" in has]

    @property
    def buttons(self) -> list[str]:
        """Return what may be pressed: pins, places of hubs that have a button, and keys."""
        keys = [key(of.name, code) for of in self.controllers for code in sorted(of.keys)]
        keys += [WINDOW] if self.window else []
        return [pin(number) for number in self.pins] + [name for name, has in self.places.items() if "b" in has] + keys


WINDOW = "window"
"""The window, as a controller."""


def pin(number: int) -> str:
    return f"GPIO {number}"


def place(hub: str, number: int) -> str:
    return f"{hub} place {number}"


def key(controller: str, code: int) -> str:
    return f"{controller} key {code}"


def findings(found: SearchResults) -> Iterator[Finding]:
    """Yield the findings: first the devices that answer, then what to check for the others.

    A device that does not answer is a fault only where no other one answers.
    """
    several = any(reader.answers for reader in found.readers)
    for reader in sorted(found.readers, key=lambda reader: not reader.answers):
        yield _reader(reader, several)
    for hub in sorted(found.hubs, key=lambda hub: not hub.answers):
        yield _hub(hub)
    for controller in found.controllers:
        yield Finding(f"controller {controller.name}", "pass", controller.called)
    for called in found.denied:
        text = Message("{name}: no permission to read it; its keys come through the window alone", name=called)
        more = Message("Better: sudo usermod -aG input $USER, then log out and in again")
        yield Finding(f"controller {WINDOW}", "warn", text, more)
    if found.fault:
        what = Message("No pin can be used: {fault}", fault=found.fault)
        see = Message("See packages and permissions above; without buttons, play on the screen")
        yield Finding("pins", "warn", what, see)
    for number in sorted(found.held):
        held = Message("GPIO {pin} stays at ground", pin=number)
        yield Finding("pins", "pass", held, _HELD)
    if found.display:
        yield computer.display(found.display, found.pi)


_HELD = Message("A lamp may be wired there. If it is a button, let go; failing that, turn it by 90°")


def _reader(reader: ReaderFound, several: bool) -> Finding:
    at, checkup = reader.at, reader.kind.checkup
    part = f"reader {at.place}"
    if at.version is not None:
        what, remedy = checkup.chip(at.version) if checkup.chip else (Message("It answers"), "")
        return Finding(part, "warn" if remedy else "pass", what, remedy)
    (missing,) = wired.reader(PollSummary(at.place, at.fault), checkup)
    return Finding(part, "pass" if several else "fail", missing.what, missing.next)


def _hub(hub: HubFound) -> Finding:
    box = hub.box
    part = f"hub {box.name}" if hub.answers else f"hub {box.port}"
    if not hub.answers:
        (missing,) = hubs.hub(box, "")
        return Finding(part, "warn", missing.what, missing.next)
    if not hub.where[0]:
        what = Message("{hub} answers at {port}", hub=box.hub, port=box.port)
        return Finding(part, "warn", what, _NAMELESS)
    readers, buttons, lamps = (sum(part in has for has in box.has) for part in "rbl")
    what = Message(
        "{hub} answers: readers {readers}, buttons {buttons}, lamps {lamps}",
        hub=box.hub,
        readers=readers,
        buttons=buttons,
        lamps=lamps,
    )
    if hub.restarts:
        anew = Message("{hub} restarts whenever its port is opened", hub=box.hub)
        return Finding(part, "warn", anew, _DEAF)
    return Finding(part, "pass", what)


_DEAF = Message("It works, but then misses a second or two; a board with native USB does not restart")
_NAMELESS = Message("It looks the same as another device: unplug that one and look again")
