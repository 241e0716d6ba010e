"""Pictures of phones at the table: nobody yet, the picture that lets one in, one that asks, and those that are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.rules.message import Message

if TYPE_CHECKING:
    from ui.page import App


@dataclass
class SomePhones:
    """Phones, each where a picture wants it."""

    on: bool = False
    fault: str = ""
    address: str = "http://192.168.178.24:8765"
    link: str = "http://192.168.178.24:8765/#K7QXm2d0RZ6t1yJvT5cWbA"
    code: str = "493016"
    seats: Mapping[str, bool] = field(default_factory=dict)
    asking: Sequence[str] = ()

    def start(self) -> None:
        self.on = True

    def stop(self) -> None:
        self.on = False

    def read_aloud(self) -> None: ...
    def agree(self, seat: str) -> None: ...
    def refuse(self, seat: str) -> None: ...
    def forget(self, seat: str) -> None: ...


def phones(app: App) -> Iterator[str]:
    app.services.phones = some = SomePhones(fault=Message("Port {port}: {why}", port=8765, why="Permission denied"))
    app.pages.pop("more", None)
    app.go("more")
    yield "phones-more"
    app.go("phones")
    yield "phones-fault"
    some.fault = ""
    app.paint()
    yield "phones-off"
    some.start()
    app.paint()
    yield "phones"
    some.seats, some.asking = dict.fromkeys(("red", "blue", "green", "yellow", "purple", "black"), True), ["white"]
    some.seats |= {"green": False}
    app.paint()
    yield "phones-asked"
    app.page.choose("Forget a phone")
    yield "phones-forget"
    app.go("start")
    app.services.phones = None
    for name in ("more", "phones"):
        app.pages.pop(name)
