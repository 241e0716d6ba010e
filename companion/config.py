"""config.yaml to frozen settings, with every mistake at once. The one module that imports pydantic."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from companion import config_hubs
from companion.mistakes import Mistake, Mistakes, nearest, shown
from companion.session import FAIR_MS
from companion.table import CENTRE, NO_MS
from companion.yaml_lines import ConfigError, LineOf, Where, dotted, lines, read_yaml

__all__ = ["ConfigError", "Hub", "Reader", "Screen", "Settings", "Wires", "find", "load"]

SPI = {0: range(7, 12), 1: range(16, 22)}
"""The pins of each SPI bus, by BCM number: not free while a reader is on it."""
DEVICES = {0: 2, 1: 3}
"""How many readers each bus can choose between."""
RESERVED = {0: "the ID EEPROM", 1: "the ID EEPROM", 2: "I2C", 3: "I2C", 14: "the UART", 15: "the UART"}

Seat = Literal["red", "blue", "green", "yellow", "purple", "black", "white"]
ReaderName = Literal["centre", "red", "blue", "green", "yellow", "purple", "black", "white"]


def between(low: int, high: int) -> AfterValidator:
    """Whole numbers from `low` to `high`."""

    def check(number: int) -> int:
        if not low <= number <= high:
            raise ValueError(f"expected a whole number from {low} to {high}, not {number}")
        return number

    return AfterValidator(check)


def _folder(written: Any) -> Path:
    try:
        if not isinstance(written, str) or not written.strip() or "\0" in written:
            raise ValueError
        return Path(written).expanduser()
    except (ValueError, RuntimeError):
        raise ValueError(f"expected a directory, not {shown(written)}") from None


def _data_home() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "tabularium"


Pin = Annotated[int, between(0, 27)]


class Part(BaseModel):
    """What all parts share: frozen, nothing unknown, nothing converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Reader(Part):
    """A card reader; bus, device and reset (a BCM number) are an rc522's."""

    kind: Literal["virtual", "rc522"]
    bus: Annotated[int, between(0, 1)] = 0
    device: Annotated[int, between(0, 2)] = 0
    reset: Pin = 25


class Wires(Part):
    """What is wired to a seat: pins by BCM number, and the reader its cards are laid on."""

    button: Pin | None = None
    lamp: Pin | None = None
    reader: str | None = None


class Hub(Part):
    """A hub on USB, found by one of `serial`, `usb` and `port`; `seats` says who sits at its places, ~ for nobody.

    Without `dtr` the port's control lines stay low when it is opened, for boards that restart by them.
    """

    serial: Annotated[str, BeforeValidator(config_hubs.quoted), AfterValidator(config_hubs.serial)] | None = None
    usb: Annotated[str, BeforeValidator(config_hubs.quoted), AfterValidator(config_hubs.usb_kind)] | None = None
    port: Annotated[str, AfterValidator(config_hubs.lasting)] | None = None
    seats: Annotated[tuple[ReaderName | None, ...], BeforeValidator(config_hubs.places)]
    dtr: bool = True


class Reveal(Part):
    """How face-down cards are opened; no mode: with fists, or by itself where a seat has no button."""

    mode: Literal["fists", "auto"] | None = None
    fair_ms: Annotated[int, between(0, 10_000)] = FAIR_MS


class Press(Part):
    """Buttons: from when on a press says no, and how long an open contact must last to count."""

    no_ms: Annotated[int, between(100, 5_000)] = NO_MS
    debounce_ms: Annotated[int, between(1, 100)] = 12


class Screen(Part):
    """The window, in pixels, and where the first seat sits as seen from the screen."""

    fullscreen: bool = False
    width: Annotated[int, between(320, 7_680)] = 1280
    height: Annotated[int, between(320, 7_680)] = 720
    rotation: Literal[0, 90, 180, 270] = 0
    theme: Literal["light", "dark"] = "light"
    first_seat_side: Literal["bottom", "left", "top", "right"] = "left"


class Settings(Part):
    """All of config.yaml; without one, a laptop with a virtual table."""

    language: Literal["en", "ja", "de"] = "en"
    data: Annotated[Path, BeforeValidator(_folder)] = Field(default_factory=_data_home)
    hardware: Literal["virtual", "pi"] = "virtual"
    readers: Mapping[ReaderName, Reader] = {"centre": Reader(kind="virtual")}
    seats: Mapping[Seat, Wires] = {}
    hubs: Mapping[Annotated[str, AfterValidator(config_hubs.hub_name)], Hub] = {}
    reveal: Reveal = Reveal()
    press: Press = Press()
    screen: Screen = Screen()

    @property
    def reveal_mode(self) -> Literal["fists", "auto"]:
        """The mode that is set, or the one that fits the table."""
        without = {seat for seat, wires in self.seats.items() if wires.button is None} - self.at_hubs
        buttons = (self.seats or self.at_hubs - {CENTRE}) and not without
        fitting: Literal["fists", "auto"] = "fists" if self.hardware == "virtual" or buttons else "auto"
        return self.reveal.mode or fitting

    @property
    def at_hubs(self) -> frozenset[str]:
        """The seats at hubs, and the centre if its reader is."""
        return frozenset(seat for hub in self.hubs.values() for seat in hub.seats if seat)


PARTS: Mapping[str, type[Part]] = {
    "readers": Reader,
    "seats": Wires,
    "hubs": Hub,
    "reveal": Reveal,
    "press": Press,
    "screen": Screen,
}


def find(explicit: Path | None) -> Path | None:
    """The config.yaml to use: the one named, the working directory's, the user's; None if there is none."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    usual = (Path("config.yaml"), home / "tabularium" / "config.yaml")
    return explicit or next((path for path in usual if path.is_file()), None)


def load(path: Path) -> Settings:
    """The settings of a file; `data` is taken from the file's own directory. Raises ConfigError with all mistakes."""
    data, line_of = read_yaml(path)
    if data is None:
        data = {}
    found, settings = _checked(data)
    if isinstance(data, dict):
        found += _across(settings, data, line_of)
    if found:
        raise ConfigError(lines(path, Mistakes(found), line_of))
    return settings.model_copy(update={"data": path.absolute().parent / settings.data})


# -- part by part ------------------------------------------------------------------------------------------------------


def _checked(data: Any) -> tuple[list[Mistake], Settings]:
    """What is wrong with each part, and the settings of all parts that are right."""
    found: list[Mistake] = []
    while True:
        try:
            return found, Settings.model_validate(data)
        except ValidationError as wrong:
            errors = wrong.errors(include_url=False)
        found = found or [Mistake(_place(error), _what(error)) for error in errors]  # later ones only follow
        for error in errors:
            data = _without(data, tuple(takewhile(lambda key: isinstance(key, str), _place(error))))


def _place(error: Any) -> Where:
    place: Where = error["loc"]
    return place[:-1] if error["type"] == "missing" or place[-1:] == ("[key]",) else place


def _without(data: Any, place: Where) -> Any:
    if not place:
        return {}
    head, rest = place[0], place[1:]
    if head not in data:
        return data
    kept = {key: value for key, value in data.items() if key != head}
    return kept | {head: _without(data[head], rest)} if rest else kept


def _what(error: Any) -> str:
    given = error["input"]
    found = f", not {shown(given)}"
    match error["type"]:
        case "extra_forbidden":
            place = error["loc"]
            known = Settings if len(place) == 1 else PARTS[place[0]]
            return f"unknown key{nearest(place[-1], known.model_fields)}"
        case "missing":
            return f"the key {error['loc'][-1]!r} is missing"
        case "literal_error":
            words = error["ctx"]["expected"]
            return f"expected {words}{found}{nearest(given, re.findall(WORD, words))}"
        case "value_error":
            return str(error["ctx"]["error"])
    return f"expected {EXPECTED.get(error['type'], 'something else')}{found}"


WORD = re.compile("'(.*?)'")
EXPECTED = {
    "int_type": "a whole number",
    "bool_type": "true or false",
    "string_type": "a word",
    "tuple_type": "a list, as [red, blue]",
    "model_type": "keys with values",
    "dict_type": "keys with values",
    "mapping_type": "keys with values",
}


# -- across the parts --------------------------------------------------------------------------------------------------


def _across(settings: Settings, data: Mapping[str, Any], line_of: LineOf) -> Iterator[Mistake]:
    """What is wrong between parts; `data`, as written, tells what was left out from what was only wrong."""
    hardware = data.get("hardware", settings.hardware)
    yield from _pins(settings, line_of)
    yield from _devices(settings, hardware, line_of)
    yield from config_hubs.mistakes(settings, data, hardware, line_of)
    readers = data.get("readers", settings.readers)
    for seat, wires in settings.seats.items():
        if wires.reader is not None and isinstance(readers, Mapping):
            yield from _reader_of(seat, wires.reader, {*readers, *settings.at_hubs})
        buttonless = "button" not in data["seats"][seat] and seat not in settings.at_hubs
        if hardware == "pi" and settings.reveal.mode == "fists" and buttonless:
            what = f"{seat} has no button, and line {line_of(('reveal', 'mode'))} asks for fists"
            yield Mistake(("seats", seat), f"{what}: wire one, or set reveal.mode to auto")


def _pins(settings: Settings, line_of: LineOf) -> Iterator[Mistake]:
    chips = {name: reader for name, reader in settings.readers.items() if reader.kind == "rc522"}
    reserved = dict(RESERVED)
    for name, chip in chips.items():
        reserved |= dict.fromkeys(SPI[chip.bus], f"SPI{chip.bus}, which the reader {name!r} needs")
    uses: list[tuple[Where, int]] = [(("readers", name, "reset"), chip.reset) for name, chip in chips.items()]
    for seat, wires in settings.seats.items():
        pins = {"button": wires.button, "lamp": wires.lamp}
        uses += ((("seats", seat, use), pin) for use, pin in pins.items() if pin is not None)
    first: dict[int, Where] = {}
    for place, pin in sorted(uses, key=lambda use: line_of(use[0])):
        other = first.setdefault(pin, place)
        shared = place[0] == other[0] == "readers"  # readers may be reset together
        if pin in reserved:
            yield Mistake(place, f"pin {pin} belongs to {reserved[pin]}{_free(reserved, uses)}")
        elif other != place and not shared:
            what = f"pin {pin} is {dotted(other)}'s already (line {line_of(other)})"
            yield Mistake(place, what + _free(reserved, uses))


def _free(reserved: Mapping[int, str], uses: list[tuple[Where, int]]) -> str:
    taken = {*reserved, *SPI[0], *(pin for _, pin in uses)}
    return f"; free are {', '.join(str(pin) for pin in range(28) if pin not in taken)}"


def _devices(settings: Settings, hardware: Any, line_of: LineOf) -> Iterator[Mistake]:
    first: dict[tuple[int, int], Where] = {}
    for name, reader in settings.readers.items():
        if reader.kind != "rc522":
            continue
        place: Where = ("readers", name)
        other = first.setdefault((reader.bus, reader.device), place)
        if other != place:
            what = f"bus {reader.bus}, device {reader.device} is {dotted(other)}'s already"
            yield Mistake(place, f"{what} (line {line_of(other)})")
        if reader.device >= DEVICES[reader.bus]:
            last = DEVICES[reader.bus] - 1
            yield Mistake((*place, "device"), f"SPI{reader.bus} has the devices 0 to {last}, not {reader.device}")
        if hardware == "virtual":
            what = "an rc522 needs a Raspberry Pi: set hardware to pi, or kind to virtual"
            yield Mistake((*place, "kind"), what)


def _reader_of(seat: str, name: str, readers: Collection[str]) -> Iterator[Mistake]:
    place: Where = ("seats", seat, "reader")
    if name not in (CENTRE, seat):
        what = f"{seat} lays its cards on 'centre' or on a reader of its own, {seat!r}, not {shown(name)}"
        yield Mistake(place, what + nearest(name, (CENTRE, seat)))
    elif name not in readers:
        yield Mistake(place, f"there is no reader {name!r} under readers{nearest(name, readers)}")
