"""The settings as config.yaml has them, part by part: each key's type and its default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from companion.hardware import plugged
from companion.hardware.fitting import Fitting
from companion.hardware.header import Pin
from companion.hardware.settings import _keys as keys
from companion.play.equipment import Equipment
from companion.play.table import LONG_MS, NO_MS
from companion.rules.data import Data
from companion.rules.message import program
from companion.rules.mistakes import ConfigError, LineOf, Mistake, Where, dotted
from companion.rules.readings import CENTRE
from companion.session import FAIR_MS
from companion.system.home import folder
from companion.system.typed import LEFT_OUT, Intake, expected, one_of, whole

if TYPE_CHECKING:
    from companion.hardware.kind import Kind, Kinds

Seat = Literal["red", "blue", "green", "yellow", "purple", "black", "white"]
ReaderName = Literal["centre", "red", "blue", "green", "yellow", "purple", "black", "white"]


def data_home() -> Path:
    """Return where this user's programs keep their data. Raises ConfigError where there is no such place."""
    found = folder("XDG_DATA_HOME", ".local/share")
    if not found:
        raise ConfigError(["there is no home directory to keep games in: set HOME, or data in config.yaml"])
    return found / "tabularium"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wires:
    """The wiring of a seat: pins by BCM number, the reader for its cards, and its own earphone.

    `back` is a second button beside an ear's: a press goes one step back, and a hold repeats what was said.
    """

    button: Pin | None = None
    back: Pin | None = None
    lamp: Pin | None = None
    reader: str | None = None
    ear: Annotated[str, keys.ear] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HubSettings:
    """A hub on USB, found by one of `serial`, `usb` and `port`; `seats` are those at its places, ~ for none.

    Without `dtr` the port's control lines stay low when it is opened, for boards that restart by them.
    """

    serial: Annotated[str, plugged.serial] | None = None
    usb: Annotated[str, plugged.usb_kind] | None = None
    port: Annotated[str, plugged.lasting_port] | None = None
    seats: tuple[ReaderName | None, ...]
    dtr: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerSettings:
    """An arcade encoder, a game pad or a keyboard, with the code of each seat's button.

    It is known by its kind on USB (`place` tells two of a kind apart) or its name. `together` is how many of its keys
    have been seen held at once. With `window` it stands for all keyboards and joysticks that the window hears, in
    Kivy's codes (ui/joysticks.py).
    """

    usb: Annotated[str, plugged.usb_kind] | None = None
    place: str | None = None
    name: str | None = None
    window: bool = False
    seats: Mapping[Seat, Annotated[int, whole(1, 9_999)]]
    together: Annotated[int, whole(1, 8)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealSettings:
    """How face-down cards are opened; without a mode by fists, or automatically where a seat has no button."""

    mode: Literal["fists", "auto"] | None = None
    fair_ms: Annotated[int, whole(0, 10_000)] = FAIR_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class PressSettings:
    """The durations of presses.

    `no_ms` is a press that says no, `long_ms` one that asks what is going on; a contact must stay open for
    `debounce_ms` to count.
    """

    no_ms: Annotated[int, whole(100, 5_000)] = NO_MS
    long_ms: Annotated[int, whole(200, 15_000)] = LONG_MS
    debounce_ms: Annotated[int, whole(1, 100)] = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenSettings:
    """The window in pixels (None: as suits the display), the side of the first seat, and when the screen goes dark.

    The side is as seen from the screen.
    """

    fullscreen: bool = False
    width: Annotated[int, whole(320, 7_680)] | None = None
    height: Annotated[int, whole(320, 7_680)] | None = None
    rotation: Literal[0, 90, 180, 270] = 0
    theme: Literal["light", "dark"] = "light"
    text: Literal["normal", "large"] = "normal"
    first_seat_side: Literal["bottom", "left", "top", "right"] = "left"
    blank_min: Annotated[int, whole(0, 240)] = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceSettings:
    """What is heard at the table, until something else is chosen on the screen. `rate` and `volume` are per cent.

    `lead_ms` of silence wake a device before the first word after a pause; None: only devices that are known to sleep.
    The voice is off by default: a referee that begins to talk after an update would be a fright. Ears (`Wires`) are
    always spoken to.
    """

    words: Annotated[Literal["off", "brief", "full"], keys.words] = "off"
    sounds: bool = False
    engine: Literal["auto", "espeak-ng", "open-jtalk", "piper", "none"] = "auto"
    model: Annotated[Path, keys.file] | None = None
    device: Annotated[str, keys.sound] = "default"
    rate: Annotated[int, whole(50, 200)] = 100
    volume: Annotated[int, whole(0, 100)] = 100
    quiet: Annotated[str, keys.quiet] | None = None
    lead_ms: Annotated[int, whole(0, 3000)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerSettings:
    """A button that switches the computer off, and a lamp that goes out when the plug may be pulled.

    Both are pins by BCM number. The lamp is the kernel's (its overlay gpio-poweroff), as this program ends before the
    computer does.
    """

    button: Pin | None = None
    lamp: Pin | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateSettings:
    """Where releases can be had on the network. The program looks there only when asked."""

    address: Annotated[str, keys.address] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneSettings:
    """The port that phones connect to. It is opened only when somebody asks for it."""

    port: Annotated[int, whole(1_024, 65_535)] = 8765


@dataclass(frozen=True, slots=True, kw_only=True)
class HallSettings:
    """The hall this table belongs to, and its broker (docs/hall).

    `tls` is the certificate the broker is known by, None for a plain connection; without `user` the table's name is the
    user.
    """

    broker: str
    port: Annotated[int, whole(1, 65_535)] = 1883
    tls: Annotated[Path, keys.file] | None = None
    user: str | None = None
    password_file: Annotated[Path, keys.file] | None = None
    hall: Annotated[str, keys.topic_word]
    table: Annotated[str, keys.topic_word]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All of config.yaml; without one, a laptop with a virtual table."""

    language: Literal["en", "ja", "de"] = "en"
    data: Annotated[Path, keys.folder] = field(default_factory=data_home)
    hardware: Literal["virtual", "pi", "usb"] = "virtual"
    readers: Mapping[ReaderName, Fitting[Any]] = field(default_factory=dict)
    seats: Mapping[Seat, Wires] = field(default_factory=dict)
    hubs: Mapping[Annotated[str, keys.device_name], HubSettings] = field(default_factory=dict)
    controllers: Mapping[Annotated[str, keys.device_name], ControllerSettings] = field(default_factory=dict)
    reveal: RevealSettings = RevealSettings()
    press: PressSettings = PressSettings()
    screen: ScreenSettings = ScreenSettings()
    voice: VoiceSettings = VoiceSettings()
    power: PowerSettings = PowerSettings()
    phones: PhoneSettings = PhoneSettings()
    hall: HallSettings | None = None
    update: UpdateSettings = UpdateSettings()

    @property
    def reveal_mode(self) -> Literal["fists", "auto"]:
        """Return the mode that is set, or the one that fits the table."""
        without = {seat for seat, wires in self.seats.items() if wires.button is None} - self.pressed
        buttons = (self.seats or self.pressed) and not without
        fitting: Literal["fists", "auto"] = "fists" if self.hardware == "virtual" or buttons else "auto"
        return self.reveal.mode or fitting

    @property
    def equipment(self) -> Equipment:
        """Return which seats have readers and buttons, and which readers cannot tell when a card is lifted."""
        buttons = {seat for seat, wires in self.seats.items() if wires.button is not None}
        typing = {name for name, reader in self.readers.items() if not reader.kind.lifts}
        return Equipment(self.readers.keys() | self.at_hubs, buttons | self.pressed, typing)

    @property
    def ears(self) -> Mapping[str, str]:
        """Return the seats with their own earphone, each with its ALSA device."""
        return {seat: wires.ear for seat, wires in self.seats.items() if wires.ear is not None}

    @property
    def pressed(self) -> frozenset[str]:
        """Return the seats whose buttons are at hubs or controllers."""
        plugged_in = (seat for controller in self.controllers.values() for seat in controller.seats)
        return (self.at_hubs | {*plugged_in}) - {CENTRE}

    @property
    def at_hubs(self) -> frozenset[str]:
        """Return the seats at hubs, and the centre if its reader is at one."""
        return frozenset(seat for hub in self.hubs.values() for seat in hub.seats if seat)


# -- What is wrong among the controllers of config.yaml, and between them and the other parts ----------------------


MOST = 767
"""The highest code of a key (linux/input-event-codes.h)."""


def mistakes(settings: Settings, hardware: object, line_of: LineOf) -> Iterator[Mistake]:
    """Yield the mistakes about controllers. `settings` holds the valid parts of config.yaml."""
    if settings.controllers and hardware == "virtual":
        yield Mistake(("controllers",), "a virtual table has no controllers: set hardware to usb (on a Pi: pi)")
    first: dict[str, Where] = {seat: ("seats", seat, "button") for seat, of in settings.seats.items() if of.button}
    at_hubs = {seat: ("hubs", name, "seats") for name, hub in settings.hubs.items() for seat in hub.seats if seat}
    windows: dict[str, str] = {}
    for name, controller in settings.controllers.items():
        place: Where = ("controllers", name)
        if controller.window:
            yield from (
                Mistake((*place, key), "the window's keys are those of all keyboards: leave this out")
                for key in ("usb", "place", "name")
                if getattr(controller, key) is not None
            )
        elif controller.usb is None and controller.name is None:
            yield Mistake(place, f"say which it is: usb or name ({program()} setup finds it)")
        codes: dict[int, str] = {}
        if controller.window and windows.setdefault("window", name) != name:
            yield Mistake(place, f"the window is already {windows['window']}")
        for seat, code in controller.seats.items():
            at: Where = (*place, "seats", seat)
            if code > MOST and not controller.window:
                yield Mistake(at, f"expected a whole number from 1 to {MOST}, not {code}")
            if codes.setdefault(code, seat) != seat:
                yield Mistake(at, f"{code} is already {codes[code]}'s button")
            other = at_hubs.get(seat) or first.setdefault(seat, at)
            if other != at:
                yield Mistake(at, f"{seat} already has a button at {dotted(other)} (line {line_of(other)})")


# -- The readers of config.yaml: each is read by the record of its kind --------------------------------------------


def fitting(kinds: Kinds, intake: Intake, written: object, place: Where) -> Any:
    """Return one reader, or LEFT_OUT. `kind` says which record reads its other keys."""
    if not isinstance(written, Mapping):
        return intake.wrong(place, str(expected("keys with values", written)))
    kind = _kind(kinds, intake, written, place)
    if kind is None or kind.virtual:  # then the other keys cannot be checked, except that some kind must have them
        intake.unknown(written, {"kind", *(key for other in kinds.values() for key in _keys(other()))}, place)
        return Fitting(kind, kind.settings()) if kind else LEFT_OUT
    settings = intake.part(kind.settings, {key: of for key, of in written.items() if key != "kind"}, place)
    return LEFT_OUT if settings is LEFT_OUT else Fitting(kind, settings)


def _kind(kinds: Kinds, intake: Intake, written: Data, place: Where) -> Kind[Any] | None:
    if "kind" not in written:
        intake.wrong(place, "the key 'kind' is missing")
        return None
    name = intake.checked(one_of(*kinds), written["kind"], (*place, "kind"))
    return None if name is LEFT_OUT else kinds[name]()


def _keys(kind: Kind[Any]) -> list[str]:
    return [field.name for field in fields(kind.settings)]
