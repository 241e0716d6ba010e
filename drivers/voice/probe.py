"""Findings for the doctor on speech: whether an engine speaks and a device plays; every device is tried."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from companion.hardware.doctor import Finding
from companion.rules.message import Message, reason
from drivers.voice.engines import LANGUAGES, Engines
from drivers.voice.interruptible import patiently
from drivers.voice.sinks import Aplay, Sink
from drivers.voice.sounds import HZ
from drivers.voice.voice import device, remedy

MEI = Message("The voice “Mei”: MMDAgent Project Team, Nagoya Institute of Technology, CC BY 3.0")


def examine(
    engines: Engines,
    lang: str,
    loudspeaker: str | None,
    ears: Mapping[str, str],
    opened: Callable[[str], Sink] = Aplay,
) -> Iterator[Finding]:
    """Yield the findings; `lang` is the table's language, and `loudspeaker` is None where it must not be heard."""
    yield from _engines(engines, lang)
    if loudspeaker is not None:
        yield _device(None, loudspeaker, opened)
    yield from (_device(seat, name, opened) for seat, name in ears.items())
    yield from _alike([(None, loudspeaker or ""), *ears.items()])


def _alike(names: Iterable[tuple[str | None, str]]) -> Iterator[Finding]:
    """Yield a warning on cards of one make: their numbers may change, and a player would hear what is another's."""
    first: dict[str, str] = {}
    for place, name in names:
        found = re.search(r"CARD=(\w+?)(?:_\d+)?(?:,|$)", name)
        other = first.setdefault(found[1], name) if found else name
        if other != name:
            yield Finding(device(place), "warn", Message("{first} and {second} are of one make and may change places",
                first=other, second=name), Message("Name them by their sockets: firmware_notes/sound.md"))  # fmt: skip


def _engines(engines: Engines, lang: str) -> Iterator[Finding]:
    serving = engines.serving()
    said = {of: serving[of] or "–" for of in LANGUAGES}
    try:
        silent = engines.of(lang) is None
    except OSError as fault:
        yield Finding("voice", "fail", Message("{why} ({lang})", why=reason(fault), lang=lang), engines.remedy(lang))
    else:
        if silent:
            yield Finding("voice", "warn", Message("Nothing speaks: engine is none"), engines.remedy(lang))
    yield Finding("voice", "pass", Message("en: {en}, de: {de}, ja: {ja}", **said))
    if serving["ja"] == "open-jtalk":
        yield Finding("voice", "pass", MEI)


def _device(place: str | None, name: str, opened: Callable[[str], Sink]) -> Finding:
    sink = opened(name)
    try:
        sink.begin(HZ)
        sink.end(patiently)
    except OSError as fault:
        return Finding(device(place), "fail", reason(fault), remedy(fault, place))
    finally:
        sink.stop()
    return Finding(device(place), "pass", Message("{path} can be used", path=name))
