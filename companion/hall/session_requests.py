"""What the organiser asks about the sessions of phones. The evening is not changed by it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from companion.hall._people import as_it_is
from companion.hall._reporting import hour
from companion.hall._stand import Stand
from companion.hall.questions import Question
from companion.hall.records import Payload
from companion.hall.request import Argument
from companion.hall.store import HallStore
from companion.rules.message import Message

if TYPE_CHECKING:
    from companion.hall.phones import Phones

CLOSED = Message("The hall is closed: phones can be connected once it is open.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRequest(Question):
    """A request about the sessions, for the hall's process."""

    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        raise ValueError(CLOSED)

    @abstractmethod
    def carried_out(self, phones: Phones) -> tuple[Sequence[Message], Payload]:
        """Carry it out; return the answer and what else it has. Raises ValueError, LookupError and OSError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invite(SessionRequest):
    """Show a QR code that opens the organiser's page on a phone."""

    do = "invite"
    example = 'invite "Anna\'s phone"'

    name: Annotated[str, Argument("what the phone is called in the log of orders", "NAME", least=1, most=40)]

    def carried_out(self, phones: Phones) -> tuple[Sequence[Message], Payload]:
        name = " ".join(self.name.split())
        if not name:
            raise ValueError(Message("Give the phone a name."))
        said = Message("Scan this code with {name} within two minutes. It works once.", name=as_it_is(name))
        return [said], {"invite": phones.invite(name)}


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSessions(SessionRequest):
    """List the phones with the organiser's page."""

    do = "sessions"
    example = "sessions"

    def carried_out(self, phones: Phones) -> tuple[Sequence[Message], Payload]:
        listed = [
            Message("{name}: since {at}, {state}", name=as_it_is(of.name), at=as_it_is(hour(of.since.isoformat())),
                    state=Message("here") if of.here else Message("not heard"))
            for of in phones.sessions.live
        ]  # fmt: skip
        refused = Message("Messages refused, because they were altered, repeated or not sealed for this hall: {count}",
                          count=phones.sessions.refused)  # fmt: skip
        return [*(listed or [Message("No phone is connected.")]), *([refused] if phones.sessions.refused else [])], {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Disconnect(SessionRequest):
    """End the session of a phone: it can give no more orders."""

    do = "disconnect"
    example = 'disconnect "Anna\'s phone"'

    name: Annotated[str, Argument("the phone's name", "NAME", least=1, most=40)]

    def carried_out(self, phones: Phones) -> tuple[Sequence[Message], Payload]:
        return [Message("{name} is disconnected.", name=as_it_is(phones.end(self.name).name))], {}
