"""The virtual table for the doctor: the emulated reader and mock pins under the same examination."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from companion.hardware.fitting import Fitting
from companion.hardware.kind import Reader
from companion.rules.readings import CENTRE
from drivers.probe import Bench
from drivers.rc522.kind import KIND
from drivers.rc522.settings import Rc522Settings
from drivers.rig import Wiring
from drivers.virtual import rc522, spi
from drivers.virtual.pins import VirtualPins
from drivers.virtual.reader import VirtualReader
from drivers.virtual.rig import BUTTON_PINS, LAMP_PINS


def bench(seats: Sequence[str], **common: Any) -> Bench:
    """Return a bench with one shared reader, and a button and a lamp a seat; no one presses or watches.

    `common` are a Bench's other fields.
    """
    buttons = dict(zip(seats, BUTTON_PINS, strict=False))
    lamps = dict(zip(seats, LAMP_PINS, strict=False))
    pins = VirtualPins(buttons, lamps)
    opener: Callable[[], Reader] = VirtualReader().open
    fitted: dict[str, Fitting[Any]] = {}
    if spi.installed():
        reader = rc522.readers(1)[1][0]
        opener, common["clock"] = reader.open, reader.chip.clock
        fitted = {CENTRE: Fitting(replace(KIND, packages=(), file=None), Rc522Settings())}  # none of it is real
    wiring = Wiring({CENTRE: opener}, buttons, lamps, lambda: pins.factory)
    still = {"watch": lambda: None, "wait": lambda _: None}
    return Bench(wiring, pi=False, fitted=fitted, virtual=True, **common | still)
