"""Checks of single keys of config.yaml whose type alone is not enough."""

from __future__ import annotations

import re
from pathlib import Path

from companion.rules.cards import PAWNS
from companion.rules.mistakes import shown
from companion.rules.readings import CENTRE
from companion.system import home
from companion.system.typed import PLAIN, expected, one_of
from companion.voice.choices import Quiet


def folder(written: object) -> Path:
    try:
        return home.written(PLAIN[str](written))
    except (ValueError, OSError):
        raise expected("a directory", written) from None


def file(written: object) -> Path:
    try:
        return home.written(PLAIN[str](written))
    except (ValueError, OSError):
        raise expected("a file", written) from None


# -- the voice ---------------------------------------------------------------------------------------------------------


def words(written: object) -> str:
    """Return how much is said aloud. YAML reads a plain off as false."""
    word: str = one_of("off", "brief", "full")("off" if written is False else written)
    return word


def quiet(written: object) -> str:
    return str(Quiet.read(PLAIN[str](written)))


def sound(written: object) -> str:
    name: str = PLAIN[str](written)
    if not re.fullmatch(r"[A-Za-z][\w:=,.+-]*", name, re.ASCII):
        raise expected("a sound device as aplay -L lists it, such as plughw:CARD=Device", name)
    if re.fullmatch(r"\w+:(CARD=)?[0-9].*", name):
        raise ValueError(f"the number in {name} may change when it is plugged in: name the card, as aplay -L does")
    return name


def ear(written: object) -> str:
    name = sound(written)
    if "CARD=" not in name:
        raise ValueError(f"an ear names its sound card, such as plughw:CARD=Device (aplay -L), not {shown(name)}")
    return name


def card(device: str) -> str:
    """Return what all names of the same sound card have in common."""
    found = re.search("CARD=([^,]+)(?:,DEV=([0-9]+))?", device)
    return f"{found[1]},{found[2] or 0}" if found else device


# -- hubs --------------------------------------------------------------------------------------------------------------


def device_name(written: str) -> str:
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", written) or written in (CENTRE, *PAWNS):
        raise ValueError(f"a name must be one word and not a seat's, not {shown(written)}")
    return written


# -- the hall ----------------------------------------------------------------------------------------------------------


def topic_word(written: object) -> str:
    """Return the name of a hall or table. YAML reads a table's number as an int."""
    word = str(written) if type(written) is int else PLAIN[str](written)
    if not re.fullmatch("[a-z0-9][a-z0-9-]{0,31}", word):
        raise expected("a word of small letters, digits and -", written)
    return word


# -- updates -----------------------------------------------------------------------------------------------------------


def address(written: object) -> str:
    """Return the address of a folder on the network."""
    word = str(PLAIN[str](written))
    if not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", word):
        raise expected("an address such as https://example.org/tabularium", written)
    return word
