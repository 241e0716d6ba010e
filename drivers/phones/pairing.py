"""How a phone gets its seat: by the token it has kept, or by the table's consent. All of it on the main thread."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.rules import N_
from companion.rules.message import Message
from companion.rules.readings import FromPhone, PhoneSleep, Press, now
from companion.rules.words import LANGUAGES
from drivers.phones.keys import Codes, digest, new_token, seat_of

ASKED_MS = 60_000
"""How long the table is asked for its consent."""
GONE_MS = 10_000
"""A seat whose phone is away for so long is free for another."""
LONG_MS = 3_600_000
"""A phone that comes back after so long, or after a restart, is told of: it may be one of last week's."""
AGREE_MS = 600
"""A button that is held for so long agrees."""

WAIT = Message("The table is being asked: agree there under Phones.")
WAIT_BUTTON = Message("The table is being asked: hold the button of this seat, or agree there under Phones.")
ASKS = N_("A phone wants to join as {seat}: answer under Phones.")
ASKS_BUTTON = N_("A phone wants to join as {seat}: hold {seat:of} button to agree, or answer under Phones.")
JOINED = N_("{seat} has joined with a phone.")
FORGOTTEN = N_("{seat:of} phone is forgotten.")
SLEEPS = N_("{seat:of} phone is asleep: wake it, or open the fists on the screen.")
WRONG_CODE = Message("That is not the code, or it is too old. The table shows the current one under Menu, Phones.")
UNKNOWN = Message("The table does not know this phone any more: join again.")
REFUSED = Message("The table has not agreed.")
BUSY = Message("Another phone is asking for this seat.")
MOVED = Message("This seat has moved to another phone.")
FORGOT = Message("The table has forgotten this phone.")
OTHER_TAB = Message("This seat is open in another tab.")
STILL = Message("This phone still has its seat. For another one, have the table forget this phone first, under Phones.")


class Port(Protocol):
    """What pairing needs of the port (`drivers.phones.server`)."""

    def send(self, connection: int, message: Mapping[str, Any]) -> None: ...
    def sit(self, connection: int, seat: str) -> None: ...
    def forget(self, seat: str) -> None: ...


class Guests(Protocol):
    """Who takes what the phones of seats send (`companion.phone`)."""

    def greet(self, connection: int, lang: str) -> None: ...
    def joined(self, connection: int, seat: str) -> None: ...
    def left(self, connection: int) -> None: ...
    def receive(self, connection: int, message: Mapping[str, Any]) -> None: ...


class Table(Protocol):
    """What pairing asks and tells the table."""

    def places(self) -> Mapping[str, str]:
        """Return the seats that phones may have, with the names of their players."""

    def is_empty(self) -> bool:
        """Return whether no game is on or waits to be continued, so that no seat is anybody's."""

    def can_agree(self, seat: str) -> bool:
        """Return whether the seat has a button, besides a phone, that can agree now: none that is awaited as a fist."""

    def is_held(self, seat: str) -> bool:
        """Return whether the seat's phone holds its fist, and nothing else does."""

    def say(self, message: Message, lang: str) -> str:
        """Return a message in a phone's language."""

    def tell(self, message: Message) -> None:
        """Tell everybody at the table."""

    def keep(self, tokens: Mapping[str, str]) -> None:
        """Keep what is kept of the seats' tokens."""

    def changed(self, seats: Collection[str]) -> None:
        """Note that these seats have phones that somebody holds."""

    def later(self, ms: int) -> None:
        """Have `hear` called with a word of connection 0 after so many ms."""


@dataclass(slots=True)
class Phone:
    """A connected phone; `let_in` by the screen's picture or a code, and then it `wants` a seat."""

    lang: str = "en"
    let_in: bool = False
    seat: str = ""
    wants: str = ""
    asked_at: int = 0


class Pairing:
    """The phones of a table and their seats. `kept` is what was kept of the seats' tokens."""

    def __init__(
        self, port: Port, guests: Guests, table: Table, kept: Mapping[str, str], clock: Callable[[], int] = now
    ) -> None:
        self._port, self._guests, self._table, self._clock = port, guests, table, clock
        self._kept = dict(kept)
        self._phones: dict[int, Phone] = {}
        self._asleep = set(kept)  # until they come back
        self._gone_at: dict[str, int] = {}
        self._pressed: dict[str, int] = {}  # buttons that may agree, and since when they are down
        self._codes = Codes()
        self.invitation = new_token()
        """The token in the picture on the screen."""

    # -- for the table's pages -----------------------------------------------------------------------------------

    @property
    def code(self) -> str:
        """Return the code that lets a phone in now."""
        return self._codes.now(self._clock())

    @property
    def seats(self) -> Mapping[str, bool]:
        """Return the seats that have a phone, and whether it is connected."""
        here = {phone.seat for phone in self._phones.values()}
        return {seat: seat in here for seat in self._kept}

    @property
    def tokens(self) -> Mapping[str, str]:
        """Return what is to be kept of the seats' tokens."""
        return self._kept

    @property
    def asking(self) -> Sequence[str]:
        """Return the seats that phones ask for."""
        return [phone.wants for phone in self._phones.values() if phone.wants]

    def agree(self, seat: str) -> None:
        """Give the seat to the phone that asks for it, in place of an earlier one."""
        number, phone = next(((number, of) for number, of in self._phones.items() if of.wants == seat), (0, None))
        if not phone:
            return
        token = new_token()
        self._kept[seat] = digest(token)
        self._table.keep(self._kept)
        self._seat(number, phone, seat, token)
        self._table.tell(Message(JOINED, seat=seat))

    def refuse(self, seat: str, why: Message = REFUSED) -> None:
        """Tell the phone that asks for this seat that it does not get it."""
        for number, phone in self._phones.items():
            if phone.wants == seat:
                phone.wants = ""
                self._say(number, "gone", why)
        self._show_seats()

    def forget(self, seat: str) -> None:
        """Take the seat from its phone, and tell everybody."""
        if self._kept.pop(seat, None) is None:
            return
        self._table.keep(self._kept)
        self._unseat(seat, FORGOT)
        self._port.forget(seat)
        self._gone_at.pop(seat, None)
        self._asleep.discard(seat)
        self._report()
        self._table.tell(Message(FORGOTTEN, seat=seat))

    # -- what phones do ------------------------------------------------------------------------------------------

    def hear(self, word: FromPhone | PhoneSleep) -> bool:
        """Take what a phone has sent, or that it sleeps; return whether seats may have changed."""
        if isinstance(word, PhoneSleep):
            self._sleep(word)
        elif not word.connection:
            self._look()
        elif word.message is None:
            return self._end(word.connection)
        elif "hello" in word.message:
            return self._greet(word.connection, word.message)
        elif phone := self._phones.get(word.connection):
            if "code" in word.message:
                self._let_in(
                    word.connection, phone, self._codes.takes(word.message["code"], word.address, self._clock())
                )
            elif "sit" in word.message:
                self._ask(word.connection, phone, word.message["sit"])
            else:
                phone.lang = _lang(word.message.get("lang"), phone.lang)
                self._guests.receive(word.connection, word.message)
                return False
        return True

    def press(self, press: Press) -> bool:
        """Take a button that answers whether a phone may have its seat; return whether it does."""
        seat = press.seat
        if not press.down:
            since = self._pressed.pop(seat, None)
            if since is None:
                return False
            if press.edge and press.t - since >= AGREE_MS:
                self.agree(seat)
            else:
                self.refuse(seat)
            return True
        if seat not in self.asking or not press.edge or not self._table.can_agree(seat):
            return False
        self._pressed[seat] = press.t
        return True

    def _look(self) -> None:
        """Withdraw what was asked for too long."""
        for phone in list(self._phones.values()):
            if phone.wants and self._clock() - phone.asked_at >= ASKED_MS:
                self.refuse(phone.wants)
        self._show_seats()

    def _greet(self, number: int, message: Mapping[str, Any]) -> bool:
        """Let a phone in that has a token, or has scanned the picture; return whether it is back at its seat."""
        token, invitation = message.get("token"), message.get("invitation")
        phone = self._phones.setdefault(number, Phone())
        phone.lang = _lang(message.get("lang"), phone.lang)
        if phone.seat:
            return False
        self._guests.greet(number, phone.lang)
        if not isinstance(token, str) or not token:
            return False
        if seat := seat_of(token, self._kept):
            was_long = not self.seats[seat] and self._clock() - self._gone_at.get(seat, -LONG_MS) >= LONG_MS
            self._unseat(seat, OTHER_TAB, "tab")  # the same token is the same phone
            self._seat(number, phone, seat, token)
            if was_long:
                self._table.tell(Message(JOINED, seat=seat))
            if invitation:
                said = {"text": self._table.say(STILL, phone.lang), "now": False}
                self._port.send(number, {"say": [said]})
            return True
        if any(isinstance(of, str) and digest(of) == digest(self.invitation) for of in (token, invitation)):
            self._let_in(number, phone, True)
        else:
            self._say(number, "gone", UNKNOWN)
        return False

    def _let_in(self, number: int, phone: Phone, right: bool) -> None:
        if phone.seat:
            return
        phone.let_in = phone.let_in or right
        if right:
            self._port.send(number, {"seats": self._free()})
        else:
            self._say(number, "gone", WRONG_CODE)

    def _free(self) -> Sequence[Mapping[str, Any]]:
        """Return the seats as a phone without one sees them."""
        now = self._clock()
        taken = {seat for seat, here in self.seats.items() if here or now - self._gone_at.get(seat, -GONE_MS) < GONE_MS}
        return [{"seat": seat, "name": name, "free": seat not in taken} for seat, name in self._table.places().items()]

    def _show_seats(self) -> None:
        """Send the seats to every phone that may choose one."""
        for number, phone in self._phones.items():
            if phone.let_in and not phone.seat and not phone.wants:
                self._port.send(number, {"seats": self._free()})

    def _ask(self, number: int, phone: Phone, seat: object) -> None:
        if not phone.let_in or phone.seat or not isinstance(seat, str) or seat not in self._table.places():
            return
        if phone.wants:  # one seat at a time: each is asked for aloud
            return
        if seat in self.asking:
            self._say(number, "gone", BUSY)
            return
        phone.wants, phone.asked_at = seat, self._clock()
        self._pressed.pop(seat, None)  # it was held for an earlier phone
        button = self._table.can_agree(seat)
        # the first phone, let in by picture or code, can agree to the others
        if not button and not self._kept and self._table.is_empty():
            self.agree(seat)
            return
        self._say(number, "waiting", WAIT_BUTTON if button else WAIT)
        self._table.later(ASKED_MS)
        self._table.tell(Message(ASKS_BUTTON if button else ASKS, seat=seat))

    def _seat(self, number: int, phone: Phone, seat: str, token: str) -> None:
        self._unseat(seat, MOVED)
        phone.seat, phone.wants, phone.let_in = seat, "", False
        self._gone_at.pop(seat, None)
        self._asleep.discard(seat)
        self._port.sit(number, seat)
        self._port.send(number, {"token": token, "seat": seat})
        self._guests.joined(number, seat)
        self._report()

    def _unseat(self, seat: str, why: Message, what: str = "gone") -> None:
        """Take the seat from the phone that has it now."""
        for number, phone in self._phones.items():
            if phone.seat == seat:
                phone.seat = ""
                self._guests.left(number)
                self._port.sit(number, "")
                self._say(number, what, why)

    def _end(self, number: int) -> bool:
        """Forget a phone that is gone; return whether it had a seat, or asked for one."""
        phone = self._phones.pop(number, None)
        if not phone:
            return False
        self._guests.left(number)
        if phone.seat:
            self._gone_at[phone.seat] = self._clock()
            self._table.later(GONE_MS)
        self._report()
        return bool(phone.seat or phone.wants)

    def _sleep(self, word: PhoneSleep) -> None:
        (self._asleep.add if word.asleep else self._asleep.discard)(word.seat)
        self._report()
        if word.asleep and self._table.is_held(word.seat):
            self._table.tell(Message(SLEEPS, seat=word.seat))

    def _report(self) -> None:
        """Tell the table which phones are held, and phones which seats are free."""
        self._table.changed([seat for seat in self._kept if seat not in self._asleep])
        self._show_seats()

    def _say(self, number: int, what: str, message: Message) -> None:
        self._port.send(number, {what: self._table.say(message, self._phones[number].lang)})


def _lang(said: object, before: str) -> str:
    """Return the language that a phone asks for, if we have it."""
    return said if isinstance(said, str) and said in LANGUAGES else before
