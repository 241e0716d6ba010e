"""A reader that pcscd has. The card on it is known by the service's status and by asking the card again."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress

from companion.hardware.tap import Tap, silent
from companion.rules.message import Message
from companion.rules.readings import TAG
from drivers.pcsc.lite import (
    LIFTED,
    MUTE,
    PRESENT,
    UNAVAILABLE,
    UNKNOWN,
    UNKNOWN_READER,
    CardHandle,
    Context,
    LiteContext,
    PcscError,
)
from drivers.presence import OneCard

UID = bytes.fromhex("FFCA000000")
"""Get Data: the card's UID, answered with it and 90 00 (PC/SC part 3, 3.2.2.1.3)."""
QUIET = bytes.fromhex("FF00520000")
"""No beep when a card is laid (ACR122U, API 6.7). Debian's driver takes it only while a card lies there, so one beep is
heard."""
DONE = b"\x90\x00"
NOTICE = 0.15
"""Seconds that a reader waits for a change at most: its thread has other work, or must end.

A wait in vain takes libpcsclite a millisecond of processor time.
"""
QUICK = 0.03
"""The same where a card has just left: its going is known after three looks."""
AGAIN = 0.25
"""Seconds until a card that lies there is asked again: a quick swap makes no event."""


def model(name: str) -> str:
    """Return the name of a reader without the numbers that pcscd gives it, which change as it is plugged in.

    >>> model("ACS ACR122U PICC Interface 00 00")
    'ACS ACR122U PICC Interface'
    """
    return re.sub(r"( \([^()]*\))?( [0-9A-F]{2}){2}$", "", name)


def usable(names: Iterable[str]) -> list[str]:
    """Return the slots that cards are laid on, in order.

    Some readers have more slots, for a SIM card or a card with contacts, and a security key counts as a card. Where one
    slot of a device calls itself contactless, its other slots are for contacts; names as in CCID's list of readers.
    """
    there = [name for name in names if not CONTACTS.search(name)]
    without = {device(name) for name in there if CONTACTLESS.search(name)}
    return sorted(name for name in there if CONTACTLESS.search(name) or device(name) not in without)


CONTACTLESS = re.compile(r"contactless|\bPICC\b|\dCL\b|\bCL\b|NFC|RFID|^Virtual PCD", re.IGNORECASE)  # the last is vpcd
CONTACTS = re.compile(r"\b(SAM|ICC)\b|contacted|yubi|\bsolokey|nitrokey|token|trustkey", re.IGNORECASE)


def device(name: str) -> str:
    """Return the part of the name that all slots of one device share, without the interface and the numbers at its end.

    >>> device("HID Global OMNIKEY 5422 Smartcard Reader [OMNIKEY 5422CL Smartcard Reader] (KT01) 01 00")
    'HID Global OMNIKEY 5422 Smartcard Reader (KT01)'
    """
    return re.sub(r" \[[^]]*\]|( [0-9A-F]{2}){2}$", "", name)


def readers(names: Iterable[str]) -> list[list[str]]:
    """Return the usable slots of each reader: more than one where no name says which of them takes cards."""
    found: dict[str, list[str]] = {}
    for name in usable(names):
        slot = "" if CONTACTLESS.search(name) else r" [0-9A-F]{2}$"
        found.setdefault(re.sub(slot, "", name), []).append(name)
    return list(found.values())


def chosen(names: Sequence[str], wanted: str, number: int) -> list[str]:
    """Return the slots of the reader that config.yaml means; [] where there is none.

    It is the one with that number among those whose name holds the word.
    """
    fitting = [slots for slots in readers(names) if wanted.lower() in slots[0].lower()]
    return fitting[number - 1] if number <= len(fitting) else []


class PcscReader:
    """One reader, with its own connection to the service. Raises OSError where there is none.

    `wanted` is any part of its name, `number` tells identical readers apart.
    """

    def __init__(
        self,
        wanted: str,
        number: int = 1,
        connect: Callable[[], Context] = LiteContext,
        clock: Callable[[], float] = time.monotonic,
        *,
        hindered: Callable[[], str] = lambda: "",
        tap: Tap = silent,
    ) -> None:
        self._clock, self._tap = clock, tap
        self._context = connect()
        self._card: CardHandle | None = None
        self._tag = ""
        self._one = OneCard()
        self._state = 0
        self._due = 0.0
        self._asked: dict[str, int] = {}  # by slot that is not read, its state when its card was asked last
        try:
            self._slots = self._find_slots(wanted, number, hindered)
        except OSError:
            self.close()
            raise
        self.name = self._slots[0]
        self._beeps = "ACR122" in self.name

    def _find_slots(self, wanted: str, number: int, hindered: Callable[[], str]) -> list[str]:
        names = self._context.readers()
        slots = chosen(names, wanted, number)
        if slots:
            return slots
        if hinder := hindered():
            raise OSError(hinder)
        called = f"{wanted or 'USB'} ({number})" if number > 1 else wanted
        if not names:
            raise OSError(Message("No card reader is plugged in", code="unplugged"))
        there = ", ".join(model(slots[0]) for slots in readers(names))
        raise OSError(
            Message("No reader “{wanted}” is plugged in, but: {there}", code="other", wanted=called, there=there)
        )

    def poll(self) -> frozenset[str]:
        """Return the card on the reader now. Raises OSError: PcscError, or one that says that the reader has gone."""
        if len(self._slots) > 1:
            self._choose_slot()
        state = self._context.status(self.name)
        if state & (UNKNOWN | UNAVAILABLE):
            raise PcscError(UNKNOWN_READER)
        # mute: a card lies there that does not answer
        if not state & PRESENT or state & MUTE:
            self._close_card()
        # the event counter: a card swapped between two polls leaves the rest of the state as it was
        elif state >> 16 != self._state >> 16 or self._due <= self._clock():
            self._read_id()
        if state != self._state:
            self._tap(status=state)
        # after the id was read: where that raises, the next poll asks again
        self._state = state
        return self._one.see(self._tag, self._clock())

    def _choose_slot(self) -> None:
        """Choose the slot whose card answers with an id, and read only that slot from now on.

        A card with contacts that stays in another slot never answers. Each card is asked once.
        """
        if self._tag:
            self._slots = [self.name]
            return
        for slot in self._slots:
            state = self._context.status(slot)
            if slot == self.name or not state & PRESENT or state & MUTE or self._asked.get(slot) == state:
                continue
            self._asked[slot] = state
            if self._answers_with_id(slot):
                self._close_card()
                self.name, self._slots, self._state = slot, [slot], 0
                return

    def _answers_with_id(self, slot: str) -> bool:
        """Return whether the card in the slot answers with an id, as a contactless card does."""
        with suppress(PcscError), closing(self._context.connect(slot)) as card:
            return card.transmit(UID)[-2:] == DONE
        return False

    def wait(self) -> None:
        """Wait until a card has come or gone, and never for long. Raises PcscError."""
        self._context.wait(self.name, self._state, QUICK if self._one.changing(self._clock()) else NOTICE)

    def _read_id(self) -> None:
        """Ask the card for its id; a card that has been lifted meanwhile counts as none."""
        try:
            self._card = self._card or self._context.connect(self.name)
            answer = self._card.transmit(UID)
        except PcscError as fault:
            self._close_card()
            if fault.result not in LIFTED:
                raise
            self._tap(card="")
            return
        uid = answer[:-2].hex().upper() if answer[-2:] == DONE else ""
        self._tag = uid if TAG.fullmatch(uid) else ""
        self._tap(card=self._tag)
        self._due = self._clock() + AGAIN
        if self._beeps:
            self._beeps = False
            with suppress(PcscError):  # a clone that does not know the command keeps beeping
                self._card.transmit(QUIET)

    def _close_card(self) -> None:
        card, self._card = self._card, None
        self._tag, self._due = "", 0.0
        if card:
            with suppress(PcscError):  # it has gone already
                card.close()

    def close(self) -> None:
        self._close_card()
        with suppress(PcscError):  # the service may have gone
            self._context.close()
