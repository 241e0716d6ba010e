"""A table's phones: the port, the pairing and what each seat sees, put together when somebody asks for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.play.fists import later
from companion.record.preferences import remembered
from companion.rules import Ruling
from companion.rules.cards import PAWNS
from companion.rules.message import Message, reason
from companion.rules.readings import FromPhone, PhoneSleep
from companion.rules.speech import Address
from companion.rules.words import Tongue
from companion.system.logs import trace, writing

if TYPE_CHECKING:
    from companion.dialogues.services import Services
    from companion.hardware.doctor import Finding
    from companion.phone.seats import Phones
    from companion.play.evening import Evening
    from companion.record.store import Store
    from drivers.phones.pairing import Pairing
    from drivers.phones.server import PhoneServer

log = writing("phones")

KEPT = "phones"
"""The store's key: whether phones may join, the key that frames are sealed with, and what is kept of seats' tokens."""
SECRET = re.compile(r"[\w-]{43}", re.ASCII)
"""A secret key (`companion.system.sealing`), which is not loaded before it is needed."""


def is_kept(value: Any) -> bool:
    """Return whether this is what is kept of phones."""
    seats, secret = value["seats"], value.get("secret")
    known = all(seat in PAWNS and isinstance(of, str) for seat, of in seats.items())
    return type(value["on"]) is bool and known and (secret is None or bool(SECRET.fullmatch(secret)))


class TablePhones:
    """The phones of a table. Nothing of them is loaded, and no port is open, before `start`."""

    def __init__(self, evening: Evening, store: Store, port: int, services: Callable[[], Services]) -> None:
        self._evening, self._store, self._port, self._services = evening, store, port, services
        self._server: PhoneServer | None = None
        self._pairing: Pairing | None = None
        self._guests: Phones | None = None
        self.fault = ""

    # -- for the table's pages -----------------------------------------------------------------------------------

    @property
    def on(self) -> bool:
        return self._server is not None

    @property
    def address(self) -> str:
        from drivers.phones.addresses import addresses

        found = addresses()
        return f"http://{found[0]}:{self._server.port}" if found and self._server else ""

    @property
    def link(self) -> str:
        if not (self._server and self._pairing and (address := self.address)):
            return ""
        return f"{address}/#{self._pairing.invitation}.{self._server.keys.public}"

    @property
    def code(self) -> str:
        return self._pairing.code if self._pairing else ""

    @property
    def seats(self) -> Mapping[str, bool]:
        return self._pairing.seats if self._pairing else {}

    @property
    def asking(self) -> Sequence[str]:
        return self._pairing.asking if self._pairing else ()

    def read_aloud(self) -> None:
        """Say the address and the code on the loudspeaker, for somebody who does not see them."""
        from companion.dialogues.phones import FAILED, JOIN, NO_NETWORK

        if self.fault:
            said = Message(FAILED, error=self.fault)
        elif address := self.address:
            said = Message(JOIN, address=Address(address), digits=Address(self.code))
        else:
            said = Message(NO_NETWORK)
        self._evening.sound.loud([Ruling("", "", said.template, said.facts)])

    def agree(self, seat: str) -> None:
        if self._pairing:
            self._pairing.agree(seat)

    def refuse(self, seat: str) -> None:
        if self._pairing:
            self._pairing.refuse(seat)

    def forget(self, seat: str) -> None:
        if self._pairing:
            self._pairing.forget(seat)

    def findings(self) -> Sequence[Finding]:
        """Return the doctor's findings about the port."""
        if not (self.on or self.fault):
            return ()
        from companion.hardware.doctor.phones import PhoneProbe, way
        from drivers.installed import reachable
        from drivers.phones.addresses import addresses

        return list(way(PhoneProbe(self._port, self.on, self.fault, addresses(), reachable())))

    def resume(self) -> None:
        """Open the port again if it was open when the program ended: phones look for it."""
        kept = remembered(self._store, KEPT, is_kept)
        if kept and kept["on"]:
            self.start()

    def start(self) -> None:
        """Let phones connect; `fault` says why they cannot."""
        if self._server:
            return
        from companion.phone.page_files import make_texts, page_file
        from companion.phone.seats import Phones
        from companion.system.sealing import KeyPair
        from drivers.phones.pairing import Pairing
        from drivers.phones.server import PhoneServer

        devices = self._evening.devices
        self.fault = ""
        kept = remembered(self._store, KEPT, is_kept)
        keys = KeyPair(kept.get("secret") if kept else None)
        try:
            server = self._server = PhoneServer(devices.inbox.put, page_file, self._port, keys=keys)
        except OSError as error:
            self.fault = Message("Port {port}: {why}", port=self._port, why=reason(error))
            log.warning("no port for phones: %s", self.fault)
            return
        server.run(make_texts)
        guests = self._guests = Phones(self._evening, self._services, server.send)
        self._pairing = Pairing(server, guests, self, kept["seats"] if kept else {})
        devices.phoned, devices.agreeing, devices.opened = self._hear, self._pairing.press, server.opened
        self._keep(True, self._pairing.tokens)
        log.info("phones may connect to port %d", server.port)

    def stop(self) -> None:
        """Close the port, for good."""
        if self._pairing:
            self._keep(False, self._pairing.tokens)
        self.close()

    def close(self) -> None:
        """Close the port; where the program ends, it opens again with the next start."""
        server, self._server = self._server, None
        if not server:
            return
        server.close()
        devices = self._evening.devices
        devices.phoned, devices.agreeing, devices.opened = lambda _: False, lambda _: False, lambda _: None
        if self._guests:
            self._guests.close()
        self._guests = self._pairing = None
        self.changed(())

    def _hear(self, word: FromPhone | PhoneSleep) -> bool:
        """Take what a phone has sent; a fault costs this message, not the evening."""
        try:
            return self._pairing is not None and self._pairing.hear(word)
        except Exception as fault:  # broad on purpose: nothing that a phone sends may stop the evening
            log.error("a phone failed, and nothing was changed\n%s", trace(fault))
            return False

    # -- for the pairing (`drivers.phones.pairing.Table`) --------------------------------------------------------

    def places(self) -> Mapping[str, str]:
        match, last = self._evening.match, self._evening.regulars.last_table
        if match:
            return {seat: match.header.players.get(seat, "") for seat in match.header.seats}
        players = last["players"] if last else {}
        return {seat: players.get(seat, "") for seat in (last["seats"] if last else PAWNS)}

    def is_empty(self) -> bool:
        return not self._evening.match and not self._evening.unfinished

    def can_agree(self, seat: str) -> bool:
        match, devices = self._evening.match, self._evening.devices
        real = replace(devices.equipment, phones=())  # a phone shows no fist to hold but where one is awaited
        return real.means([seat], devices.health)[seat].button and not (match and seat in match.fists)

    def is_held(self, seat: str) -> bool:
        return self._evening.devices.held_by_phone(seat)

    def say(self, message: Message, lang: str) -> str:
        match = self._evening.match
        return Tongue(lang, match.header.players if match else {}).phrase(message)

    def tell(self, message: Message) -> None:
        evening = self._evening
        if evening.match:
            evening.match.note(message)
            return
        evening.note = message
        if self._guests:
            self._guests.tell(message)
        evening.sound.call(message)
        evening.sound.aside([Ruling("notice", "", message.template, message.facts, seat) for seat in evening.ears])

    def keep(self, tokens: Mapping[str, str]) -> None:
        self._keep(True, tokens)

    def _keep(self, on: bool, tokens: Mapping[str, str]) -> None:
        if self._server:
            self._store.keep(KEPT, {"on": on, "secret": self._server.keys.secret, "seats": dict(tokens)})

    def changed(self, seats: Collection[str]) -> None:
        self._evening.devices.phones = frozenset(seats)

    def later(self, ms: int) -> None:
        devices = self._evening.devices
        later(ms / 1000, lambda: devices.inbox.put(FromPhone(0, None, "")))
