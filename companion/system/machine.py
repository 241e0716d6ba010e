"""What the window may ask of the computer it is on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.system.service import Service

Ask = Callable[[], str]
"""Asks for something that ends this program; says why it will not be, "" if it will. It may take seconds."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A laptop has a window and nothing else: it is only quit."""

    light: Callable[[bool], object] = lambda _: None
    """Switches the light behind the screen on or off, where there is one."""
    off: Ask | None = None
    restart: Ask | None = None
    lamp: bool = False
    """Whether a lamp is wired that goes out when the plug may be pulled."""
    service: Service = field(default_factory=lambda: Service({}))
