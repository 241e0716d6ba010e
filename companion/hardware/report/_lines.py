"""The ends of logs as far as anybody may read them: lines of known forms, with facts of known kinds.

Other lines are only counted. Of an error its kind and its frames within the program remain.
"""

from __future__ import annotations

import builtins
import json
import re
import sqlite3
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from companion import games
from companion.hardware.report._kinds import (
    HARDWARE,
    HIDDEN,
    SYSTEM,
    VERSION,
    Kind,
    Names,
    first_of,
    like,
    nothing,
    one_of,
    told,
)
from companion.hardware.report._sentences import sentence
from companion.record.transcript import BY
from companion.rules.cards import PAWNS
from companion.rules.contract import TABLE_EVENTS
from companion.rules.outline import verb

PROGRAM = Path(__file__).parents[3]
OURS = re.compile(r"(?:companion|drivers|ui|pi)/[a-z0-9_/]+\.py", re.ASCII)
NUMBER = like(r"-?\d{1,6}")
GAME = one_of(*games.NAMES)
SUFFIXES = like(r"(\.[a-z]{2,8}){1,2}(, (\.[a-z]{2,8}){1,2})*")
EXCEPTIONS = frozenset(
    of.__name__
    for of in (*vars(builtins).values(), *vars(sqlite3).values(), zipfile.BadZipFile, json.JSONDecodeError)
    if isinstance(of, type) and issubclass(of, BaseException)
) | {"StoreInUse", "StoreTooNew", "Damage", "Mistakes", "ConfigError", "HallInUse", "JsonSchemaValueException"}


def exception(value: object) -> str | None:
    """Return the name of an error if Python, its library or this program defines it."""
    return value if isinstance(value, str) and value in EXCEPTIONS else None


def _any_of(words: Iterable[object]) -> str:
    return f"(?:{'|'.join(sorted(re.escape(str(word)) for word in words))})"


@cache
def _act_kind() -> Kind:
    """Return the kind of acts as the log has them (companion.play.match.entry).

    Such a line has the act's source, its verb, its seat, and the codes of the public rulings.
    """
    verbs = {verb(event) for name in games.NAMES for event in (*games.game(name).events, *TABLE_EVENTS)}
    came = rf"act \d{{1,5}} by {_any_of((*BY, None))}|said|refused"
    return like(rf"({came}): {_any_of(('no act', *verbs))}( {_any_of(PAWNS)})? \(([a-z_-]{{1,30}}(, )?)*\)")


@cache
def _option_kind() -> Kind:
    """Return the kind of a game's options as the log has them."""
    every = [(of.name, value) for name in games.NAMES for of in games.game(name).options for value in of.values]
    return like(rf"\{{({_any_of(f'{name!r}: {value!r}' for name, value in every)}(, )?)*\}}")


def log_kinds(names: Names) -> Mapping[str, Mapping[str, Sequence[Kind]]]:
    """Return what each part of the program writes into the log, with the kinds of its facts."""
    said: Kind = lambda value: sentence(value, names)  # noqa: E731
    return {
        "": {
            "the end": (),
            "the program ends with an error": (),
            "no log is kept in %s: %s": (nothing, said),
        },
        "table": {
            "Tabularium %s on Python %s, %s": (VERSION, VERSION, SYSTEM),
            "config: %s; hardware: %s": (one_of("none"), HARDWARE),
        },
        "match": {
            "game %d: %s, %d seats, %s": (NUMBER, GAME, NUMBER, _option_kind()),
            "game %d: resumed after act %d": (NUMBER, NUMBER),
            "game %d: a rule failed at what was only looked at": (NUMBER,),
            "game %d: a rule failed while an explanation was looked for": (NUMBER,),
            "game %d: a rule failed, and nothing was changed": (NUMBER,),
            "game %d: %s": (NUMBER, first_of(one_of("over", "goes on"), _act_kind())),
        },
        "evening": {"disk: %s": (first_of(one_of("well again"), said),)},
        "devices": {"%s: %s. %s": (names.part, one_of("well", "not well"), said)},
        "port": {"a listener failed; the others and the game go on": ()},
        "screen": {"the face of a game failed, and any game's stands in for it": ()},
        "look": {"act %d of a journal cannot be repeated": (NUMBER,)},
        "store": {
            "the writer ends with an error": (),
            "nobody could be woken": (),
            "a restore could not be finished: %s": (nothing,),
        },
        "exports": {
            "not saved: %s (%s)": (nothing, exception),
            "saved: %s (%s)": (nothing, SUFFIXES),
        },
        "trace": {
            "the last minute of the hardware is in %s": (nothing,),
            "no trace: %s": (nothing,),
        },
        "set up": {"the search ended early": ()},
        "phones": {
            "phones may connect to port %d": (NUMBER,),
            "no port for phones: %s": (said,),
            "the port for phones failed, and continues": (),
            "a phone's connection failed, and was closed": (),
            "a phone failed, and nothing was changed": (),
            "a phone's message failed, and nothing was changed": (),
            "what is shown could not be sent to a phone": (),
            "a phone's view could not be made": (),
        },
        "hall": {
            "broker: %s": (first_of(one_of("connected"), said),),
            "the hall's store failed": (),
            "a mistake in the hall": (),
            "a post could not be taken": (),
            "an order came to nothing: %s": (exception,),
            "an order failed": (),
            "a search failed in its process, and continues in this one": (),
            "a search failed": (),
            "the hall was not served": (),
            "game %d fits no message, and is not sent: %s": (NUMBER, nothing),
            "what the hall says cannot be read: %s": (nothing,),
            "game %d cannot be read, and is not sent": (NUMBER,),
            "game %s of table %s is no transcript": (NUMBER, nothing),
            "no way to the hall: %s": (exception,),
        },
    }


HEAD = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}) ([A-Z]{4,8}) +tabularium(?:\.([a-z ]+))?: (.*)", re.ASCII)
LEVEL = one_of("INFO", "WARNING", "ERROR", "CRITICAL", "DEBUG")
FRAME = re.compile(r'  File "(.*)", line (\d{1,6}), in .*')
SOURCE = re.compile(r"    .*")
"""The line of source below a frame, and what marks a place in it."""


def log(text: str, names: Names) -> str:
    """Return what may be shown of the log's end."""
    forms = {part: [_form_of(form, kinds) for form, kinds in of.items()] for part, of in log_kinds(names).items()}
    return _joined(_show_line(line, forms) for line in text.splitlines())


Form = Callable[[str], str | None]


def _form_of(form: str, kinds: Sequence[Kind]) -> Form:
    """Return a function that shows a line of this form with its facts, each checked by its kind.

    It returns None for any other line.
    """
    pieces = re.split("%[sd]", form)
    pattern = re.compile("(.*?)".join(map(re.escape, pieces)))

    def shown(line: str) -> str | None:
        found = pattern.fullmatch(line)
        if not found:
            return None
        facts = (str(told(kind, fact)) for kind, fact in zip(kinds, found.groups(), strict=True))
        return "".join(piece + next(facts, "") for piece in pieces)

    return shown


def _show_line(line: str, forms: Mapping[str, Sequence[Form]]) -> str | None:
    """Return the line as it may be shown; "" for one that is left out, None for one that is only counted."""
    if head := HEAD.fullmatch(line):
        at, level, part, said = head.groups()
        shown = next((found for form in forms.get(part or "", ()) if (found := form(said)) is not None), None)
        if shown is None or not LEVEL(level):
            return None
        return f"{at} {level:7} tabularium{f'.{part}' if part else ''}: {shown}"
    if frame := FRAME.fullmatch(line):
        return f'  File "{_module(frame[1])}", line {frame[2]}'
    if SOURCE.fullmatch(line):
        return ""
    return exception(line)


def _module(path: str) -> str:
    """Return a file of the program by its path within the program; HIDDEN for any other file."""
    for found in OURS.finditer(path):
        if path.endswith(found[0]) and (PROGRAM / found[0]).is_file():
            return found[0]
    return HIDDEN


def _joined(lines: Iterable[str | None]) -> str:
    """Return the lines, with the number of omitted lines in between."""
    found, out = [], 0
    for line in lines:
        if line is None:
            out += 1
        elif line:
            found += [*_count_omitted(out), line]
            out = 0
    return "".join(f"{line}\n" for line in (*found, *_count_omitted(out)))


def _count_omitted(count: int) -> Iterator[str]:
    if count:
        yield f"{HIDDEN} ({count} {'line' if count == 1 else 'lines'})"


# -- the kernel ----------------------------------------------------------------------------------------------------

TOKENS = {
    "n": r"-?\d{1,4}",
    "many": r"\d{1,20}",
    "t": r"\d{1,2}\.\d{1,2}",
    "id": r"[0-9a-f]{4}",
    "bits": r"000[0-9a-f]000[0-9a-f]",
    "at": r"\d{1,2}-\d{1,2}(?:\.\d{1,2}){0,5}(?::\d\.\d)?",
    "hub": r"(?:usb\d{1,2}|\d{1,2}-\d{1,2}(?:\.\d{1,2}){0,5})",
    "tty": r"tty(?:ACM|USB)\d{1,2}",
    "bus": r"(?:xhci_hcd|xhci-hcd|dwc2|dwc_otg|ehci-pci|ehci-platform|uhci_hcd|ohci-platform)",
    "speed": r"(?:low-speed|full-speed|high-speed|SuperSpeed|SuperSpeed Plus)(?: Gen \d(?:x\d)?)?",
    "disk": r"(?:sd[a-z]\d?|mmcblk\d(?:p\d{1,2})?|nvme\dn\d(?:p\d{1,2})?)",
    "driver": r"(?:cdc_acm|ftdi_sio|ch341(?:-uart)?|cp210x|usbhid|usbfs|hub|usb-storage|uas|pn533_usb|snd-usb-audio)",
    "volt": r"(?:hwmon hwmon\d{1,2}|rpi_volt|raspberrypi-hwmon raspberrypi-hwmon)",
    "kind": r"(?:(?:ultra high|high|UHS-I) speed )?(?:SDR\d{2,3} |DDR\d{2} |HS\d{3} )?(?:SD|SDHC|SDXC|MMC)",
    "did": r"(?:lost async page write|lost sync page write|async page read)",
    "op": r"0x\d:\((?:READ|WRITE|FLUSH|DISCARD)\) flags 0x[0-9a-f]{1,6}",
    "spi": r"(?:fe204000|3f204000|20204000|1f00050000)",
}
"""The words allowed in the kernel's sentences."""
SENTENCES = (
    "{volt}: Undervoltage detected!",
    "{volt}: Voltage normalised",
    "Under-voltage detected! (0x{bits})",
    "Voltage normalised (0x{bits})",
    "CPU{n}: Core temperature above threshold, cpu clock throttled (total events = {many})",
    "CPU{n}: Package temperature above threshold, cpu clock throttled (total events = {many})",
    "thermal thermal_zone{n}: critical temperature reached",
    "thermal thermal_zone{n}: failed to read out thermal zone ({n})",
    "usb {at}: new {speed} USB device number {n} using {bus}",
    "usb {at}: reset {speed} USB device number {n} using {bus}",
    "usb {at}: New USB device found, idVendor={id}, idProduct={id}, bcdDevice={t}",
    "usb {at}: New USB device found, idVendor={id}, idProduct={id}, bcdDevice= {t}",
    "usb {at}: New USB device strings: Mfr={n}, Product={n}, SerialNumber={n}",
    "usb {at}: USB disconnect, device number {n}",
    "usb {at}: device descriptor read/{n}, error {n}",
    "usb {at}: device descriptor read/all, error {n}",
    "usb {at}: device not accepting address {n}, error {n}",
    "usb {at}: Device not responding to setup address.",
    "usb {at}: can't set config #{n}, error {n}",
    "usb {hub}-port{n}: over-current condition",
    "usb {hub}-port{n}: over-current change #{n}",
    "usb {hub}-port{n}: attempt power cycle",
    "usb {hub}-port{n}: unable to enumerate USB device",
    "usb {hub}-port{n}: cannot reset (err = {n})",
    "usb {hub}-port{n}: disabled by hub (EMI?), re-enabling...",
    "usbcore: registered new interface driver {driver}",
    "{driver} {at}: {tty}: USB ACM device",
    "mmc{n}: new {kind} card at address {id}",
    "mmc{n}: card {id} removed",
    "mmc{n}: error {n} whilst initialising SD card",
    "mmc{n}: error {n} transferring data",
    "mmc{n}: Timeout waiting for hardware interrupt.",
    "mmc{n}: Timeout waiting for hardware cmd interrupt.",
    "I/O error, dev {disk}, sector {many}",
    "I/O error, dev {disk}, sector {many} op {op} phys_seg {n} prio class {n}",
    "blk_update_request: I/O error, dev {disk}, sector {many} op {op} phys_seg {n} prio class {n}",
    "Buffer I/O error on dev {disk}, logical block {many}, {did}",
    "spidev spi{t}: buggy DT: spidev listed directly in DT",
    "spi_master spi{n}: failed to transfer one message from queue",
    "spi-bcm2835 {spi}.spi: chipselect {n} not supported",
)
"""The kernel's sentences on voltage, heat and devices; a device's own name is not among them."""
SAYS = re.compile(
    "|".join(re.sub(r"\\{([a-z]+)\\}", lambda of: TOKENS[of[1]], re.escape(said)) for said in SENTENCES), re.ASCII
)
STAMPED = re.compile(r"\[ *(\d{1,8}\.\d{1,6})\] (?:\S+ kernel: )?(.*)")
OF = ("voltage", "throttl", "temperature", "over-current", "spi", "usb ", "mmc", "i/o error", "gpio")
"""The subjects of the kernel's lines in a report."""


MANY = re.compile(r"(?<=[ =])\d{5,}")
"""Numbers too long to be of any help."""


UNREAD = "The kernel's words may not be read here.\n"
MOST = 400
"""The number of lines shown, from the end."""


def kernel(text: str | None) -> str:
    """Return what may be shown of the kernel's log: its known sentences, and the number of other lines.

    None means that nobody may read the log.
    """
    if text is None:
        return UNREAD
    spoken = [line for line in text.splitlines() if any(word in line.lower() for word in OF)]
    return _joined(map(_kernels, spoken[-MOST:]))


def _kernels(line: str) -> str | None:
    found = STAMPED.fullmatch(line)
    return f"[{found[1]:>12}] {MANY.sub(HIDDEN, found[2])}" if found and SAYS.fullmatch(found[2]) else None
