"""The lines of the hub's protocol (hub_protocol.md, version 1): those of the host are read, those of the hub written.

Runs unchanged under MicroPython and CPython.
"""

from binascii import crc32

VERSION = 1
LONGEST = 512
"""Bytes of a line with its LF."""
DIGITS = 20
"""A number has no more digits: no counter gets that far."""
MODES = ("off", "on", "blink")


def line(body):
    """The bytes that say `body`."""
    return f"{body}*{crc32(body.encode()):08X}\n".encode()


def number(word):
    if not word.isdigit() or len(word) > DIGITS or (word[0] == "0" and word != "0"):
        raise ValueError
    return int(word)


def lamp_mode(word):
    if word not in MODES:
        raise ValueError
    return word


def milliseconds(word):
    value = number(word)
    if not 1 <= value <= 100:
        raise ValueError
    return value


COMMANDS = {
    "hello": (number,),
    "state": (),
    "again": (number,),
    "ack": (number,),
    "ping": (number,),
    "lamp": (number, lamp_mode),
    "debounce": (milliseconds,),
}
"""The host's words and what follows them."""


def parse(received):
    """A line of the host's without its LF, as a list of its word and values.

    Raises ValueError for what is no valid line, KeyError for a valid one of a later version.
    """
    if len(received) >= LONGEST:
        raise ValueError
    if received.endswith(b"\r"):
        received = received[:-1]
    if received == b"?":
        return ["hello", VERSION]
    body, star, crc = received.rpartition(b"*")
    if not star or crc != f"{crc32(body):08X}".encode():
        raise ValueError
    if b"*" in body or any(not 0x20 <= byte <= 0x7E for byte in body):
        raise ValueError
    words = body.decode().split(" ")
    if "" in words:
        raise ValueError
    forms = COMMANDS[words[0]]
    if len(forms) != len(words) - 1:
        raise ValueError
    return [words[0]] + [form(word) for form, word in zip(forms, words[1:])]  # noqa: B905
