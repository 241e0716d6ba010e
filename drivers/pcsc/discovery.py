"""Discovery of the readers that pcscd has, and of those that are plugged in but that pcscd has not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from companion.hardware.kind import Sighting
from companion.rules.message import reason
from drivers import ROOT
from drivers.pcsc import plugged
from drivers.pcsc.lite import Context, LiteContext
from drivers.pcsc.reader import model, readers
from drivers.pcsc.settings import PcscSettings

HERE = 0
"""The version of a reader without a version of its chip."""


def search(connect: Callable[[], Context] = LiteContext, root: Path = ROOT) -> Iterator[Sighting[PcscSettings]]:
    """Yield every reader; one that is plugged in but not usable comes with the reason."""
    try:
        with closing(connect()) as context:
            names = [slots[0] for slots in readers(context.readers())]
    except OSError as fault:
        names, why = [], reason(fault)
    else:
        why = plugged.hindered(root)
    count: Counter[str] = Counter()
    for name in names:
        count[model(name)] += 1
        number = count[model(name)]
        yield Sighting(name, PcscSettings(model(name), number), HERE)
    if not names and why:
        for name in plugged.readers(root):
            yield Sighting(name, PcscSettings(), fault=why)
