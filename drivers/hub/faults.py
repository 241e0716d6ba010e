"""The faults that end a talk with a hub, and the gaps that a talk leaves, as texts."""

from companion.rules.message import Message, code
from drivers.hub import VERSION

LOOP = Message("The port echoes what it is sent and is not a hub", code="loop")
NOBODY = Message("No hub answers there", code="nobody")
TORN = Message("It answers only in part", code="torn")
SILENT = Message("It has stopped answering", code="silent")
STOPPED = Message("It no longer accepts data", code="stopped")
UNPLUGGED = Message("It has been unplugged, or its cable is loose", code="unplugged")
UNASKED = Message("No contact yet", code="unasked")

QUESTIONS = {
    "loop": Message("Are its wires RX and TX joined?"),
    "nobody": Message("Is the firmware on it, and is it the right port?"),
    "torn": Message("Is the cable bad?"),
    "stopped": Message("Has its program stopped?"),
}
"""The first thing to look at, by the codes of faults."""
AGAIN = Message("Retrying automatically; until then play on the screen.")


def status(fault: str) -> Message:
    """Return a fault as the status line shows it."""
    question = QUESTIONS.get(code(fault))
    if question:
        return Message("{why}. {question} {remedy}", why=fault, question=question, remedy=AGAIN)
    return Message("{why}. {remedy}", why=fault, remedy=AGAIN)


def started(hub: str) -> Message:
    """Return the text for a gap: the hub was without power."""
    return Message("Hub {hub} has restarted: compare the table with the screen; something may be missing.", hub=hub)


def replaced(hub: str) -> Message:
    """Return the text for a gap: a different microcontroller has answered, as when two cables were swapped."""
    return Message(
        "A different box answers as hub {hub}: check who has which box, and compare table and screen.", hub=hub
    )


def missed(hub: str) -> Message:
    """Return the text for a gap: more has happened than the hub can keep."""
    return Message(
        "Hub {hub} could not keep everything: compare the table with the screen; something is missing.", hub=hub
    )


def other_version(theirs: int) -> Message:
    """Return the fault of a hub with another version of the protocol: it names the older side."""
    versions = dict(theirs=theirs, ours=VERSION)
    if theirs < VERSION:
        return Message(
            "It speaks version {theirs}, this program {ours}: update its firmware", code="version", **versions
        )
    return Message("It speaks version {theirs}, this program {ours}: update this program", code="version", **versions)


class Lost(OSError):  # noqa: N818 - what has happened, in a word
    """The hub at this port can no longer be reached."""


class OtherVersion(Lost):
    """A hub with another version of the protocol."""
