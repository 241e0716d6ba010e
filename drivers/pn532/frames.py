"""The PN532's frames on a line: building them, and finding them among noise (UM0701-02, 6.2.1)."""

from __future__ import annotations

from typing import Final

START = b"\x00\x00\xff"
ACK = bytes.fromhex("0000FF00FF00")
NACK = bytes.fromhex("0000FFFF0000")
TO_CHIP, FROM_CHIP = 0xD4, 0xD5
LONGEST = 255
ERROR: Final = b"\x7f"
"""The chip's reply to a frame it did not understand, in a separate frame."""


def frame(data: bytes) -> bytes:
    """Return the frame of a command to the chip: the command's code and its parameters.

    >>> frame(bytes([0x02])).hex(" ")
    '00 00 ff 02 fe d4 02 2a 00'
    """
    return _framed(bytes([TO_CHIP]) + data)


def answer(data: bytes) -> bytes:
    """Return the frame of an answer from the chip."""
    return _framed(bytes([FROM_CHIP]) + data)


def _framed(body: bytes) -> bytes:
    return START + bytes([len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])


class Damaged(OSError):  # noqa: N818 - what it is, in a word
    """A frame that began well but has a wrong checksum or sender."""


class Listener:
    """A parser that finds frames in the incoming bytes. `sender` is the side that sends them: the chip or the host."""

    def __init__(self, sender: int = FROM_CHIP) -> None:
        self._sender = sender
        self._heard = bytearray()

    def feed(self, data: bytes) -> None:
        self._heard += data

    def clear(self) -> None:
        self._heard.clear()

    def next(self) -> bytes | None:
        """Return the next frame: ACK, NACK, or an answer's content; None until more bytes come. Raises Damaged."""
        heard = self._heard
        while True:
            at = heard.find(START)
            if at < 0:
                # the last bytes may be the beginning of a START that is still coming
                del heard[: -len(START) + 1]
                return None
            del heard[:at]
            if len(heard) < len(ACK):
                return None
            if bytes(heard[: len(ACK)]) in (ACK, NACK):
                return self._take_bytes(len(ACK))
            length = heard[3]
            if length == 0 or length + heard[4] & 0xFF:
                del heard[:1]  # this is no frame, but one may begin within it
                continue
            if len(heard) < length + 7:
                return None
            body, check = bytes(heard[5 : 5 + length]), heard[5 + length]
            if sum(body) + check & 0xFF or (body[0] != self._sender and body != ERROR):
                # not the whole frame: where its length is wrong, the next frame begins within it
                del heard[: len(START)]
                raise Damaged
            del heard[: length + 7]
            return body if body == ERROR else body[1:]

    def _take_bytes(self, length: int) -> bytes:
        taken = bytes(self._heard[:length])
        del self._heard[:length]
        return taken
