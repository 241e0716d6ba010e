"""The seam for readers: what a kind of reader must do, and the kinds there are."""

from collections.abc import Callable, Mapping
from typing import Protocol

from drivers.rc522 import Rc522
from drivers.virtual.reader import VirtualReader


class Reader(Protocol):
    """A device that sees tags. Only one thread ever uses it: the one that opened it.

    It may also have: `faint`, the tags that its last poll had to ask again; `version`, what its chip calls itself;
    `repairs`, how often that has lost its settings.
    """

    def poll(self) -> frozenset[str]:
        """The ids of the tags in the field now, in uppercase hex. Raises OSError if there is no answer."""

    def close(self) -> None:
        """Lets go of the device; harmless a second time."""


KINDS: Mapping[str, Callable[..., Reader]] = {
    "virtual": VirtualReader,
    "rc522": Rc522,
}
"""The kinds of reader by their names in config.yaml; each opens one device, given its settings."""
