"""How a talk with a hub ends, and what gaps it leaves, in words."""

from companion.message import Message
from drivers.hub import VERSION

LOOP = Message("The port sends back what it is told and is no hub: are its wires RX and TX joined?")
NOBODY = Message("Nothing there answers as a hub: is the firmware on it, and is it the right port?")
TORN = Message("It answers in part only: is the cable a bad one?")
SILENT = Message("It has fallen silent")


def started(hub: str) -> Message:
    """A gap: the hub was without power."""
    return Message("Hub {hub} has started anew: compare the table with the screen, something may be missing.", hub=hub)


def replaced(hub: str) -> Message:
    """A gap: another microcontroller has answered than before, as when two cables were exchanged."""
    return Message("Another box answers as hub {hub}: see who has which box, and compare the table.", hub=hub)


def missed(hub: str) -> Message:
    """A gap: there was more than the hub can keep."""
    return Message("Hub {hub} could not keep all: compare the table with the screen, something is missing.", hub=hub)


def other_version(theirs: int) -> Message:
    """Which side is older."""
    versions = dict(theirs=theirs, ours=VERSION)
    if theirs < VERSION:
        return Message("It speaks version {theirs}, this program {ours}: update its firmware", **versions)
    return Message("It speaks version {theirs}, this program {ours}: update this program", **versions)


class Lost(OSError):  # noqa: N818 - what has happened, in a word
    """There is nobody to talk with at this port."""


class OtherVersion(Lost):
    """A hub, but of another version of the protocol."""
