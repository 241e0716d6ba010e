"""The settings that choose one of pcscd's readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from companion.system.typed import whole


@dataclass(frozen=True, slots=True)
class PcscSettings:
    """Any part of the reader's name ("ACR122U"), "" for any reader; the number tells identical readers apart."""

    reader: str = ""
    number: Annotated[int, whole(1, 16)] = 1
