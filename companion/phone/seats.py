"""The phones of a table: what each of them is sent, and what its player does. All of it on the main thread."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any

from companion.dialogues.lobby import READY, Lobby
from companion.dialogues.phones import PhonesDialogue
from companion.dialogues.services import Services
from companion.phone import Connection, Send, Wire
from companion.phone.lists import Place, Step, follow, opens, stand
from companion.phone.page_files import page_texts
from companion.phone.view import SeatView, lobby, moment
from companion.phone.words import Read
from companion.play.evening import Evening
from companion.play.match import FAULT, Match
from companion.play.port import Shown
from companion.record.transcript import event_data
from companion.rules import N_, Choose, Event, Seat
from companion.rules.guide import AnyKnown
from companion.rules.menu import Choice, Do, Entry, Number, Then, Typing, leads, made
from companion.rules.message import Message
from companion.rules.words import LANGUAGES
from companion.system.logs import trace, writing

log = writing("phones")

CHANGED = N_("Something has just happened. Look again.")
DEEPEST = 200
"""The longest path that is followed."""
AGAIN_S = 1.0
"""How often menus that change by themselves are sent again, while somebody looks at one."""


@dataclass(slots=True)
class Phone:
    """One phone at a seat: the list it shows, and what it was sent last."""

    seat: Seat
    path: tuple[Step, ...] = ()
    view: SeatView | None = None
    """The game as it has it; None while there is none."""
    sent: Wire = field(default_factory=dict)
    refused: bool = False
    """Whether an act of this phone was refused, and nobody has said so yet."""


class Phones:
    """Everything between an evening and its phones. `services` is what can be done here besides playing."""

    def __init__(
        self,
        evening: Evening,
        services: Callable[[], Services],
        send: Send,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._evening, self._services, self._send, self._clock = evening, services, send, clock
        self._langs: dict[Connection, str] = {}
        self._phones: dict[Connection, Phone] = {}
        self._match: Match | None = evening.match
        self._moment: tuple[object, AnyKnown] | None = None  # a state, and what everybody may know of it
        self._again_at = 0.0
        self._heard: list[tuple[Shown, AnyKnown]] = []  # and not sent yet
        self._unsubscribe = evening.port.subscribe(self._hear)
        evening.drained = self.look

    def close(self) -> None:
        """Leave the evening; harmless a second time."""
        self._unsubscribe()
        self._evening.drained = lambda: None
        self._phones.clear()

    @property
    def seats(self) -> Collection[Seat]:
        """Return the seats that have a phone now."""
        return [phone.seat for phone in self._phones.values()]

    # -- connections ---------------------------------------------------------------------------------------------

    def greet(self, connection: Connection, lang: str) -> None:
        """Send the page's texts to a new connection; a language we do not have becomes the table's."""
        self._langs[connection] = lang = lang if lang in LANGUAGES else self._evening.lang
        self._send(connection, {"texts": page_texts(lang), "lang": lang})

    def joined(self, connection: Connection, seat: Seat) -> None:
        """Give a connection its seat, after its token or the table's consent, and send the seat's view.

        An earlier connection of the seat gets nothing more.
        """
        self._tell_phones()
        for other in [of for of, phone in self._phones.items() if phone.seat == seat]:
            del self._phones[other]
        self._phones[connection] = Phone(seat)
        self._show(connection)

    def tell(self, message: Message) -> None:
        """Tell every phone something while no game is there; during a game the match does."""
        for connection in self._phones:
            text = Read(self._lang(connection)).sentence(message.template, **message.facts)
            self._send(connection, {"say": [{"text": text, "now": False}]})

    def left(self, connection: Connection) -> None:
        """Forget a connection: it was closed, moved to another phone, or its seat was forgotten."""
        self._phones.pop(connection, None)
        self._langs.pop(connection, None)

    def receive(self, connection: Connection, message: Wire) -> None:
        """Take `look`, `take` and `lang`; anything that makes no sense is ignored, and the driver keeps the rest."""
        try:
            self._tell_phones()
            self._receive(connection, message)
        except Exception as error:  # a mistake costs this message, not the evening
            log.error("a phone's message failed, and nothing was changed\n%s", trace(error))
            self._tell(connection, FAULT)

    def _receive(self, connection: Connection, message: Wire) -> None:
        if isinstance(lang := message.get("lang"), str) and lang in LANGUAGES:
            self.greet(connection, lang)
            if phone := self._phones.get(connection):
                phone.view = None
                self._show(connection)
        elif (phone := self._phones.get(connection)) is None:
            return
        elif (path := _path(message.get("look"))) is not None:
            phone.path = path
            self._show(connection, anew=True)
        elif path := _path(message.get("take")):
            self._take(connection, phone, path, message.get("act"))

    def _lang(self, connection: Connection) -> str:
        return self._langs.get(connection, self._evening.lang)

    # -- what is shown -------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Send what has changed besides the game: another one, or none, and menus that change by themselves."""
        if self._evening.match is not self._match:
            self._turn_to(self._evening.match)
        elif not self._evening.is_playing and self._clock() >= self._again_at:
            self._again_at = self._clock() + AGAIN_S
            self._show_each([of for of, phone in self._phones.items() if phone.path])

    def _turn_to(self, match: Match | None) -> None:
        """Turn every phone to another game."""
        self._match = match
        self._heard.clear()
        for phone in self._phones.values():
            phone.view, phone.path, phone.refused = None, (), False
        self._show_each(self._phones)

    def _hear(self, shown: Shown) -> None:
        """Note what has just been shown, and send it after the screen has painted it; a listener at the port."""
        match = self._evening.match
        if match is not self._match or (match and match.header is not shown.header):
            self._turn_to(match)
        if match is None:
            return
        self._heard.append((shown, self._known(match)))
        self._evening.after_frame(self._tell_phones)

    def _tell_phones(self) -> None:
        """Send each phone what has been heard since the last time."""
        match = self._evening.match
        # while something is not shown yet, views would know of it (law 3): they are sent once it is shown
        if match is None or match.waiting or not self._heard:
            return
        heard, self._heard = self._heard, []
        for connection, phone in self._phones.items():
            try:
                self._tell_phone(connection, phone, heard)
            except Exception as error:  # a fault costs one phone its view, and the others nothing
                log.error("what is shown could not be sent to a phone\n%s", trace(error))

    def _tell_phone(self, connection: Connection, phone: Phone, heard: Sequence[tuple[Shown, AnyKnown]]) -> None:
        """Send one phone its view, and what is newly said."""
        view = phone.view
        said = [each for shown, at in heard for each in view.told(shown, at, phone.refused)] if view else []
        # the view first: focus moves with it, and then the reader speaks
        self._show(connection)
        if said:
            phone.refused = False
            self._send(connection, {"say": said})

    def _known(self, match: Match) -> AnyKnown:
        """Return what everybody may know of the shown game, made once for all phones."""
        if self._moment is None or self._moment[0] is not match.view:
            self._moment = match.view, moment(match)
        return self._moment[1]

    def _show_each(self, connections: Iterable[Connection]) -> None:
        """Show these phones what they have; a fault costs one phone its view, and the others nothing."""
        for connection in connections:
            try:
                self._show(connection)
            except Exception as error:
                log.error("a phone's view could not be made\n%s", trace(error))

    def _show(self, connection: Connection, *, anew: bool = False) -> None:
        """Send a phone its view as it stands, if it is another than before, or if it waits for it `anew`."""
        phone, match = self._phones[connection], self._evening.match
        if anew:
            phone.sent = {}
        if match and not match.written.begun:
            return
        # while something is not shown yet, the lists would know of it (law 3)
        if match and match.waiting:
            return
        place = self._stand(connection, phone)
        phone.path = place.path
        if match:
            message = self._view(connection, phone, match).table(self._known(match), place)
        else:
            message = lobby(phone.seat, place, Read(self._lang(connection)), READY)
        if message != phone.sent:
            phone.sent = message
            self._send(connection, message)

    def _view(self, connection: Connection, phone: Phone, match: Match) -> SeatView:
        """Return the game as this phone has it; what was said before is not said again."""
        if phone.view is None:
            more, phones = partial(self._more, match, phone.seat), self._services().phones
            house = [leads(PhonesDialogue(phones, phone.seat))] if phones else []  # where a lost phone is forgotten
            phone.view = SeatView(match, phone.seat, self._lang(connection), more=more, house=house)
            phone.view.begin(self._known(match))
        return phone.view

    def _stand(self, connection: Connection, phone: Phone, path: Sequence[Step] | None = None) -> Place:
        """Return where a path leads, the phone's own or this one, as far as there still is something."""
        match = self._evening.match
        if match:
            top = self._view(connection, phone, match).top(self._known(match), match.remark, self._evening.lang)
        else:
            top = Lobby(self._evening, self._services(), phone=phone.seat).top(None)
        return stand(top, phone.path if path is None else path, _within(match))

    def _more(self, match: Match, seat: Seat) -> Sequence[Entry]:
        """Return what a seat may do once a game is over: say whether the result is right, begin the next one."""
        if not match.view["over"]:
            return ()
        approving = self._evening.approving
        said = approving.entries(match, seat, "phone") if approving else ()
        return [*said, *Lobby(self._evening, self._services(), match.header).entries()]

    # -- what is done --------------------------------------------------------------------------------------------

    def _take(self, connection: Connection, phone: Phone, path: tuple[Step, ...], act: object) -> None:
        """Take the entry at this path, unless the game has moved since the phone saw it."""
        match = self._evening.match
        place = self._stand(connection, phone, path[:-1])
        way = follow(place.node, path[-1], _within(match)) if place.path == path[:-1] else None
        if way is None or (match and not opens(way.then) and _has_moved(match, act, way.then)):
            self._show(connection, anew=True)
            self._tell(connection, CHANGED)
            return
        phone.path = path[:-1]
        self._go(connection, phone, path, way.then)
        if connection not in self._phones:
            return
        self._show(connection, anew=True)
        if not match:
            self._show_each(self._phones)

    def _go(self, connection: Connection, phone: Phone, path: tuple[Step, ...], then: Then) -> None:
        match then := made(then):
            case Choice() | Number() | Typing():
                phone.path = path
            case Do(act):
                self._done(connection, phone, path, made(act()))
            case list() | tuple():
                phone.path = path if then else path[:-1]
            case event:
                self._play(phone, event)  # type: ignore[arg-type] # the only kind that is left

    def _done(self, connection: Connection, phone: Phone, path: tuple[Step, ...], then: Then) -> None:
        """Go on after an action, which is not repeated: its sentences are said, and its list is made anew."""
        if isinstance(then, list | tuple):
            tongue = Read(self._lang(connection))
            if said := [{"text": text, "now": True} for text in tongue.say_all(then)]:
                self._send(connection, {"say": said})
        else:
            self._go(connection, phone, path, then)

    def _play(self, phone: Phone, event: Event) -> None:
        if match := self._evening.match:
            receipts = match.act(event_data(event), by="phone")
            phone.refused = not all(receipt.ok for receipt in receipts)
            phone.path = phone.path if phone.refused else ()

    def _tell(self, connection: Connection, text: str) -> None:
        """Say something to one phone, at once."""
        self._send(connection, {"say": [{"text": Read(self._lang(connection)).sentence(text), "now": True}]})


def _has_moved(match: Match, act: object, then: Then) -> bool:
    """Return whether the game has moved since its phone saw so many acts.

    While everybody chooses a card, the choices of others change nothing about one's own.
    """
    session = match.session
    if act == session.accepted and not match.waiting:
        return False
    event = made(then) if not isinstance(then, Do) else None
    if not isinstance(event, Choose) or type(act) is not int:
        return True
    since = [of.event for of in session.acts if of.number > act]
    others = all(isinstance(of, Choose) and of.seat != event.seat for of in since)
    return not others or act + len(since) != session.accepted


def _within(match: Match | None) -> int | None:
    """Return what keys are made with: the same entry of another game has another key."""
    return match.number if match else None


def _path(data: Any) -> tuple[Step, ...] | None:
    """Return a path as a phone sends it; None for anything else."""
    if not isinstance(data, list) or len(data) > DEEPEST:
        return None
    return tuple(data) if all(type(step) in (str, int) for step in data) else None
