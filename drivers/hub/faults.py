"""How a talk with a hub ends, and what gaps it leaves, in words."""

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
"""What to look at first, by the codes of faults."""
AGAIN = Message("Retrying automatically; until then play on the screen.")


def status(fault: str) -> Message:
    """A fault as the status line says it."""
    question = QUESTIONS.get(code(fault))
    if question:
        return Message("{why}. {question} {remedy}", why=fault, question=question, remedy=AGAIN)
    return Message("{why}. {remedy}", why=fault, remedy=AGAIN)


def started(hub: str) -> Message:
    """A gap: the hub was without power."""
    return Message("Hub {hub} has restarted: compare the table with the screen; something may be missing.", hub=hub)


def replaced(hub: str) -> Message:
    """A gap: a different microcontroller has answered, as when two cables were swapped."""
    return Message(
        "A different box answers as hub {hub}: check who has which box, and compare table and screen.", hub=hub
    )


def missed(hub: str) -> Message:
    """A gap: more has happened than the hub can keep."""
    return Message(
        "Hub {hub} could not keep everything: compare the table with the screen; something is missing.", hub=hub
    )


def other_version(theirs: int) -> Message:
    """Which side is older."""
    versions = dict(theirs=theirs, ours=VERSION)
    if theirs < VERSION:
        return Message(
            "It speaks version {theirs}, this program {ours}: update its firmware", code="version", **versions
        )
    return Message("It speaks version {theirs}, this program {ours}: update this program", code="version", **versions)


class Lost(OSError):  # noqa: N818 - what has happened, in a word
    """There is nobody to talk to at this port."""


class OtherVersion(Lost):
    """A hub, but of another version of the protocol."""
