"""Phones as seats: let them join, agree to one that asks for a seat, forget one that is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from companion.rules import N_
from companion.rules.menu import Choice, Dialogue, Do, Entry, Note, Then
from companion.rules.speech import Address
from companion.rules.words import Words

WHAT = N_("A phone can be a seat: its button, its cards and its choices, also read aloud by the phone itself.")
NEEDS = N_("Phones and table must be in the same Wi-Fi. Nothing leaves it.")
SCAN = N_("Scan the picture with a phone, or open {address} there.")
CODE = N_("Code: {digits}")
NO_NETWORK = N_("This computer is in no network: phones cannot reach it.")
ASKS = N_("A phone wants to join as {seat}.")
HERE, AWAY = N_("Connected: {seats}."), N_("Not connected: {seats}.")
AGREE, REFUSE = N_("Yes, it is {seat}"), N_("No, not {seat}")
FORGET, WHICH = N_("Forget a phone"), N_("{seat:of} phone")
FREED = N_("Its seat is free again, and everybody is told.")
START, STOP = N_("Let phones join"), N_("Disconnect all phones")
ALOUD = N_("Read the code aloud")
JOIN = N_("To join with a phone, open {address} there. The code is {digits}.")
FAILED = N_("That did not work: {error}")
APART = "\N{NO-BREAK SPACE}"
"""Between the digits of a code: they are read one by one, and stay on one line."""


class PhonesHere(Protocol):
    """The phones of a table, as its pages see them."""

    fault: str
    """Why the port could not be opened, "" where it could."""

    @property
    def on(self) -> bool:
        """Return whether phones may connect."""

    @property
    def address(self) -> str:
        """Return the address to type into a phone, "" without a network."""

    @property
    def link(self) -> str:
        """Return the address for the picture, with what lets a phone in."""

    @property
    def code(self) -> str:
        """Return the six digits that let a phone in now."""

    @property
    def seats(self) -> Mapping[str, bool]:
        """Return the seats that have a phone, and whether it is connected."""

    @property
    def asking(self) -> Sequence[str]:
        """Return the seats that phones ask for."""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def read_aloud(self) -> None: ...
    def agree(self, seat: str) -> None: ...
    def refuse(self, seat: str) -> None: ...
    def forget(self, seat: str) -> None: ...


class PhonesDialogue(Dialogue):
    """The phones at this table; `asker` is the seat whose phone or ear has it, None for the table's screen."""

    title = N_("Phones")

    def __init__(self, phones: PhonesHere, asker: str | None = None) -> None:
        self._phones, self._asker = phones, asker

    def menu(self) -> Choice:
        notes, entries = (self._how(), self._ways()) if self._phones.on else (self._what(), self._start())
        return Choice(None, list(entries), title=self.title, body=list(notes))

    def _what(self) -> Iterator[Note]:
        if self._phones.fault:
            facts = {"error": self._phones.fault}
            yield Note(FAILED, facts, "warning")
        yield Note(WHAT)
        yield Note(NEEDS)

    def _start(self) -> Iterator[Entry]:
        yield Entry(START, {}, Do(partial(self._do, self._phones.start)), main=True)

    def _how(self) -> Iterator[Note]:
        phones = self._phones
        for seat in phones.asking:
            yield Note(ASKS, {"seat": seat}, "strong")
        if phones.address:
            yield Note(SCAN, {"address": Address(phones.address)})
            yield Note(CODE, {"digits": Words(APART.join(phones.code))}, "lead")
        else:
            yield Note(NO_NETWORK, {}, "warning")
        for text, is_here in ((HERE, True), (AWAY, False)):
            if seats := [seat for seat, here in phones.seats.items() if here is is_here]:
                yield Note(text, {"seats": seats})

    def _ways(self) -> Iterator[Entry]:
        phones = self._phones
        for seat in filter(self._may_answer, phones.asking):
            yield Entry(AGREE, {"seat": seat}, Do(partial(self._do, partial(phones.agree, seat))), main=True)
            yield Entry(REFUSE, {"seat": seat}, Do(partial(self._do, partial(phones.refuse, seat))))
        if phones.address:
            yield Entry(ALOUD, {}, Do(partial(self._do, phones.read_aloud)))
        if phones.seats:
            yield Entry(FORGET, {}, self._forget)
        yield Entry(STOP, {}, Do(partial(self._do, phones.stop)))

    def _may_answer(self, seat: str) -> bool:
        """Return whether a phone may be let take this seat here: no seat gives away that of another's phone."""
        return self._asker is None or self._asker == seat or seat not in self._phones.seats

    def _forget(self) -> Choice:
        found = [
            Entry(WHICH, {"seat": seat}, Do(partial(self._do, partial(self._phones.forget, seat))))
            for seat in self._phones.seats
        ]
        return Choice(None, found, title=FORGET, body=[Note(FREED)])

    def _do(self, act: Callable[[], object]) -> Then:
        act()
        return self.menu
