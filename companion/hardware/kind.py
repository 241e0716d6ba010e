"""A kind of card reader as one record: all that the rest of the program knows of it.

What config.yaml takes for it, what it occupies, how it is opened, which thread polls it, what must be installed, what
the doctor says of it and how it is drawn. The record is `KIND` in the module `kind` of the driver's own package
(drivers/rc522/kind.py), whose name stands in the list drivers/kinds.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from companion.hardware.header import Bus
from companion.hardware.tap import Layers
from companion.rules.message import Message

S = TypeVar("S")


class Reader(Protocol):
    """A device that sees tags. Only one thread ever uses it: the one that opened it.

    It may also have: `faint`, the tags that its last poll had to ask again; `version`, what its chip calls itself;
    `repairs`, how often the chip has lost its settings; `wait()`, which returns as soon as a poll may see something
    else, and soon in any case.
    """

    def poll(self) -> frozenset[str]:
        """Return the ids of the tags in the field now, in uppercase hex. Raises OSError if there is no answer."""

    def close(self) -> None:
        """Release the device; harmless a second time."""


@dataclass(frozen=True, slots=True)
class Occupied:
    """The place, bus and pins that one reader occupies.

    No other reader has its `place` ("bus 0, device 0"). The pins of its `bus` serve nothing else; readers may share
    those in `pins`, listed by the keys that set them.
    """

    place: str = ""
    bus: Bus | None = None
    pins: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Package:
    """A Python package that must be installed. `tried` is the one version the driver was tried with, "" for any.

    One that comes `alone`, without its own dependencies, is installed on every computer: they have a stand-in.
    """

    name: str
    tried: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class DeviceFile:
    """The system's file for a device: the remedy where it is `absent`, and the `group` whose members may open it."""

    path: str
    absent: Message
    group: str


@dataclass(frozen=True, slots=True)
class Checkup:
    """The doctor's knowledge of a kind.

    `remedies` are the next steps by the codes of faults; REPAIRED is the code of a chip that had lost its settings.
    `chip` says what a version stands for, and what to do about it ("" if that is a good chip). A poll that takes longer
    than `slow_ms` holds up the table.
    """

    remedies: Mapping[str, Message] = field(default_factory=dict)
    chip: Callable[[int], tuple[str, str]] | None = None
    slow_ms: float = 20
    unseen: Message | str = ""
    """The likely cause where it sees no card although one lies there."""


REPAIRED = "repaired"


@dataclass(frozen=True, slots=True)
class BusProbe:
    """A reader on a shared bus: whether it answers, and which other readers it answers without while they are in reset.

    `asked` are the readers that could be held in reset, as they do not share this reader's reset line.
    """

    name: str
    bus: int
    answers: bool
    without: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leg:
    """A leg of a reader's board: the name printed there, and the pin or supply ("3.3V", "5V", "GND") it is joined with.

    "" leaves it free.
    """

    name: str
    to: int | str = ""


@dataclass(frozen=True, slots=True)
class DrawnReader:
    """A reader in the drawing of the wiring: what is printed under its name, and its legs from left to right.

    `caution` stands above the drawing, with `several` where there are two or more readers.
    """

    note: str
    legs: tuple[Leg, ...]
    caution: str = ""
    several: str = ""


@dataclass(frozen=True, slots=True)
class Sighting(Generic[S]):
    """A place where a reader may be ("SPI0.1"), as a search finds it, and the settings it would have.

    `version` is what a chip that answers calls itself; without one, `fault` says why nothing does.
    """

    place: str
    settings: S
    version: int | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[S]):
    """One kind of reader. `settings` is a frozen dataclass of what config.yaml takes besides `kind`."""

    name: str
    called: str
    """The kind in a sentence: "an rc522"."""
    settings: type[S]
    open: Callable[[S], Reader]
    """Opens one device; only then imports what it needs. Raises OSError, preferably with a Message that has a code."""
    tapped: Callable[[S, Layers], Reader] | None = None
    """Opens it for a recording, if it can say what goes to the chip and comes back; else its polls are recorded."""
    virtual: bool = False
    """Whether it stands in for any other kind, whose keys may stay in config.yaml."""
    pi: bool = False
    """Whether it is wired to the header of a Raspberry Pi."""
    occupied: Callable[[S], Occupied] = lambda _: Occupied()
    wrong: Callable[[S], Iterable[tuple[str, str]]] = lambda _: ()
    """The mistakes between its keys: the key, and the message."""
    lifts: bool = True
    """Whether it notices the lifting of a card."""
    unasked: tuple[str, ...] = ()
    """The steps of the first hour to be left out for it."""
    owner: str = ""
    """Readers with the same owner take turns on one thread; without one each has its own."""
    packages: tuple[Package, ...] = ()
    apt: tuple[str, ...] = ()
    """Debian's packages it needs."""
    boot: Callable[[S], Iterable[str]] = lambda _: ()
    """The lines it needs in a Pi's boot configuration."""
    file: Callable[[S], DeviceFile] | None = None
    checkup: Checkup = Checkup()
    drawn: Callable[[S], DrawnReader] | None = None
    together: Callable[[Mapping[str, S]], Sequence[BusProbe]] | None = None
    """A test of how readers of this kind answer on the bus they share, run where one of several fails. Raises
    OSError."""
    search: Callable[[], Iterable[Sighting[S]]] = lambda: ()
    """A search of every place where one may be; it drives no pin, and writes nothing to what it asks."""


Kinds = Mapping[str, Callable[[], Kind[Any]]]
"""All kinds by name, each loaded on first use. Any: each kind has its own settings."""
