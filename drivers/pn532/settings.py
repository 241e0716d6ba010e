"""The settings of a PN532: the plug it is at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from companion.hardware import plugged


@dataclass(frozen=True, slots=True)
class Pn532Settings:
    """The place of a PN532, by one of its serial number, its kind on USB and its port."""

    serial: Annotated[str, plugged.serial] | None = None
    usb: Annotated[str, plugged.usb_kind] | None = None
    port: Annotated[str, plugged.lasting_port] | None = None
