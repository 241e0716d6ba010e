"""libpcsclite by ctypes: as much of PC/SC as it takes to see which card lies on a reader.

PC/SC part 5 and the header files of pcsc-lite; on Linux its DWORD and LONG are C longs, and its structures are not
packed. A package on PyPI would need a compiler.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_long, c_ubyte, c_ulong, c_void_p, create_string_buffer
from functools import cache
from typing import Any, Final, Protocol

from companion.rules.message import Message

LIBRARY = "libpcsclite.so.1"

# what a call returns (pcsclite.h); 0 is success
SERVICE_STOPPED: Final = 0x8010001E
NO_SERVICE: Final = 0x8010001D
NO_READERS: Final = 0x8010002E
UNKNOWN_READER: Final = 0x80100009
READER_UNAVAILABLE: Final = 0x80100017
SHARING_VIOLATION: Final = 0x8010000B
REFUSED: Final = 0x8010006A
TIMEOUT: Final = 0x8010000A
RESET_CARD: Final = 0x80100068
LIFTED: Final = frozenset(
    {
        0x80100069,  # W_REMOVED_CARD
        0x8010000C,  # E_NO_SMARTCARD
        0x80100066,  # W_UNRESPONSIVE_CARD: at the edge of the field
        0x80100067,  # W_UNPOWERED_CARD
        0x80100016,  # E_NOT_TRANSACTED: it was lifted in the middle of an answer
        0x8010002F,  # E_COMM_DATA_LOST
        0x8010000F,  # E_PROTO_MISMATCH: it had left before it said how it talks
        RESET_CARD,  # another program has reset it
    }
)
"""No card to talk to any more, which is no fault: the next status says what lies there."""

# bits of a reader's state; the upper 16 count its events
UNKNOWN, UNAVAILABLE, PRESENT, MUTE = 0x0004, 0x0008, 0x0020, 0x0200
_CHANGED = 0x0002

_SHARED, _LEAVE, _ANY_PROTOCOL, _SYSTEM = 2, 0, 3, 2
_ATR = 33
_LONGEST = 264


class PcscError(OSError):
    """A call that failed. `result` is the code it returned."""

    def __init__(self, result: int) -> None:
        code, text = FAULTS.get(result, ("pcsc", Message("PC/SC failed with {result:08X}", result=result)))
        super().__init__(Message(text.template, code=code, **text.facts))
        self.result = result


FAULTS = {
    NO_SERVICE: ("no_service", Message("The service pcscd, which handles the readers, is not running")),
    SERVICE_STOPPED: ("no_service", Message("The service pcscd, which handles the readers, has stopped")),
    REFUSED: ("refused", Message("The service pcscd refuses this user")),
    SHARING_VIOLATION: ("busy", Message("Another program is using the reader")),
    UNKNOWN_READER: ("unplugged", Message("The reader has been unplugged")),
    READER_UNAVAILABLE: ("unplugged", Message("The reader has been unplugged")),
}
"""The code and the text of each fault with its own remedy."""


class _ReaderState(Structure):
    _fields_ = (
        ("reader", c_char_p),
        ("user_data", c_void_p),
        ("current", c_ulong),
        ("event", c_ulong),
        ("atr_length", c_ulong),
        ("atr", c_ubyte * _ATR),
    )


class _Protocol(Structure):
    _fields_ = (("protocol", c_ulong), ("length", c_ulong))


@cache
def _library() -> Any:
    """Return the library, with the calls' types set. Raises OSError if it is not installed."""
    try:
        lib = CDLL(LIBRARY)
    except OSError as fault:
        raise OSError(Message("PC/SC is not installed on this computer", code="missing")) from fault
    handle, text = c_long, c_char_p
    number, numbers = c_ulong, POINTER(c_ulong)
    for name, types in {
        "SCardEstablishContext": (number, c_void_p, c_void_p, POINTER(handle)),
        "SCardReleaseContext": (handle,),
        "SCardListReaders": (handle, text, text, numbers),
        "SCardGetStatusChange": (handle, number, POINTER(_ReaderState), number),
        "SCardConnect": (handle, text, number, number, POINTER(handle), numbers),
        "SCardDisconnect": (handle, number),
        "SCardTransmit": (handle, POINTER(_Protocol), text, number, c_void_p, text, numbers),
    }.items():
        getattr(lib, name).argtypes, getattr(lib, name).restype = types, c_long
    return lib


def _call(name: str, *args: object) -> None:
    result = getattr(_library(), name)(*args) & 0xFFFFFFFF
    if result:
        raise PcscError(result)


class CardHandle(Protocol):
    """A card that lies on a reader, as long as it lies there."""

    def transmit(self, command: bytes) -> bytes:
        """Send a command and return the card's answer. Raises PcscError."""

    def close(self) -> None:
        """Let go of the card and leave it as it is."""


class Context(Protocol):
    """A connection to the service. One that has failed never recovers: a new one is needed."""

    def readers(self) -> Sequence[str]:
        """Return the readers' names, in the service's order; none if none is plugged in. Raises PcscError."""

    def status(self, reader: str) -> int:
        """Return the reader's state now: bits, and above them the count of its events. Raises PcscError."""

    def wait(self, reader: str, state: int, seconds: float) -> None:
        """Wait until the reader's state is no longer `state`, for `seconds` at most. Raises PcscError."""

    def connect(self, reader: str) -> CardHandle:
        """Return the card on a reader, shared with other programs. Raises PcscError."""

    def close(self) -> None:
        """Close the connection; harmless a second time."""


class LiteContext:
    """A connection through libpcsclite, for one thread. Raises OSError where there is no PC/SC."""

    def __init__(self) -> None:
        self._handle = c_long()
        _call("SCardEstablishContext", _SYSTEM, None, None, byref(self._handle))
        self._states: dict[str, _ReaderState] = {}
        self._open = True

    def readers(self) -> Sequence[str]:
        length = c_ulong()
        try:
            _call("SCardListReaders", self._handle, None, None, byref(length))
            # the length first: a reader plugged in between the two calls is found by the next poll
            names = create_string_buffer(length.value)
            _call("SCardListReaders", self._handle, None, names, byref(length))
        except PcscError as fault:
            if fault.result == NO_READERS:
                return ()
            raise
        return [name.decode("utf-8", "replace") for name in names.raw[: length.value].split(b"\0") if name]

    def status(self, reader: str) -> int:
        state = self._states.setdefault(reader, _ReaderState(reader.encode()))
        _call("SCardGetStatusChange", self._handle, 0, byref(state), 1)  # with no known state it answers at once
        return int(state.event)

    def wait(self, reader: str, state: int, seconds: float) -> None:
        # given back with the bit CHANGED set, the call would answer at once and the thread spin
        waiting = _ReaderState(reader.encode(), current=state & ~_CHANGED)
        try:
            _call("SCardGetStatusChange", self._handle, round(1000 * seconds), byref(waiting), 1)
        except PcscError as fault:
            if fault.result != TIMEOUT:
                raise

    def connect(self, reader: str) -> LiteCard:
        card, protocol = c_long(), c_ulong()
        _call("SCardConnect", self._handle, reader.encode(), _SHARED, _ANY_PROTOCOL, byref(card), byref(protocol))
        return LiteCard(card, protocol.value)

    def close(self) -> None:
        if self._open:
            self._open = False
            _call("SCardReleaseContext", self._handle)


class LiteCard:
    """A card through libpcsclite; only LiteContext makes one."""

    def __init__(self, handle: c_long, protocol: int) -> None:
        self._handle, self._how = handle, _Protocol(protocol, 16)

    def transmit(self, command: bytes) -> bytes:
        answer, length = create_string_buffer(_LONGEST), c_ulong(_LONGEST)
        how = byref(self._how)
        _call("SCardTransmit", self._handle, how, command, len(command), None, answer, byref(length))
        return answer.raw[: length.value]

    def close(self) -> None:
        _call("SCardDisconnect", self._handle, _LEAVE)
