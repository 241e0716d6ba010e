"""The hardware of one table, opened as its settings say."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from companion.cli.common import STORE
from companion.hardware.tap import Taps, unheard

if TYPE_CHECKING:
    from companion.hardware.settings import Settings
    from companion.play.devices import Word
    from drivers.rig import Rig


def real(settings: Settings, put: Callable[[Word], object], taps: Taps = unheard) -> Rig:
    from drivers.rig import Rig

    return Rig(wired(settings, taps), put)


def wired(settings: Any, taps: Taps = unheard) -> Any:
    from functools import partial

    from companion.rules.readings import BACK, POWER
    from drivers.rig import Wiring

    readers = {name: _opener(reader, str(name), taps) for name, reader in settings.readers.items()}
    owners = {name: reader.kind.owner for name, reader in settings.readers.items() if reader.kind.owner}
    pins = partial(_pins_of, settings.seats)
    times = dict(interval=0.02, release_ms=settings.press.debounce_ms)
    switch = {} if settings.power.button is None else {POWER: settings.power.button}
    return Wiring(
        readers,
        pins("button") | {f"{BACK}{seat}": pin for seat, pin in pins("back").items()} | switch,
        pins("lamp"),
        owners=owners,
        unseen={str(name): reader.kind.checkup.unseen for name, reader in settings.readers.items()},
        unasked={str(name): reader.kind.unasked for name, reader in settings.readers.items()},
        hubs=hubs_of(settings),
        controllers=controllers_of(settings),
        taps=taps,
        **times,
    )


def _opener(reader: Any, name: str, taps: Taps) -> Any:
    from functools import partial

    if taps is unheard or reader.kind.tapped is None:
        return partial(reader.kind.open, reader.settings)
    return partial(reader.kind.tapped, reader.settings, lambda layer: taps(layer, name))


def hubs_of(settings: Any) -> dict[str, Any]:
    from drivers.hub.worker import Hub
    from drivers.port import Where

    return {
        name: Hub(Where(hub.serial or "", hub.usb or "", hub.port or ""), hub.seats, hub.dtr)
        for name, hub in settings.hubs.items()
    }


def controllers_of(settings: Any) -> dict[str, Any]:
    from drivers.controllers.listed import Plug
    from drivers.controllers.worker import Controller

    return {
        name: Controller(Plug(of.usb or "", of.place or "", of.name or ""), of.seats, together=of.together)
        for name, of in settings.controllers.items()
        if not of.window
    }


def window_keys(settings: Settings) -> dict[int, str]:
    """Return the seat of each key that comes through the window."""
    return {code: seat for of in settings.controllers.values() if of.window for seat, code in of.seats.items()}


def _pins_of(seats: Any, use: str) -> dict[str, int]:
    return {seat: getattr(wires, use) for seat, wires in seats.items() if getattr(wires, use) is not None}


@contextmanager
def alone(settings: Any) -> Iterator[None]:
    """Lock out another Tabularium from the real devices meanwhile. Raises StoreInUse if it has them already."""
    from companion.record.store import Store

    if settings.hardware == "virtual":
        yield
        return
    with closing(Store(settings.data / STORE)) as store:
        yield
    if store.note:  # it may have been put aside as damaged
        print(store.note, file=sys.stderr)
