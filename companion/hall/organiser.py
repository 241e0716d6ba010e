"""The organiser's orders, at the terminal or elsewhere, and the hall's answers.

Each order becomes an act that is kept, or a sentence that says why not. Any order can be tried first: then nothing is
kept.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from companion.hall._people import as_it_is
from companion.hall._seating import Search, solve
from companion.hall._stand import Stand
from companion.hall.new_evening import BeginEvening
from companion.hall.orders import fold
from companion.hall.phones import Phones
from companion.hall.planning import Planning
from companion.hall.player_requests import PlayerRequests
from companion.hall.published import stand
from companion.hall.questions import AboutRequests, CancelPlanning, Question
from companion.hall.records import Payload
from companion.hall.request import REASON, Order, OrderContext, Request, described
from companion.hall.schema import STRANGE, read_request
from companion.hall.session_requests import SessionRequest
from companion.hall.store import HallStore
from companion.rules.message import Message
from companion.rules.mistakes import Mistakes
from companion.rules.words import LANGUAGES, Tongue
from companion.system.uptime import Up, uptime

PLAIN = "{text}"


@dataclass(slots=True)
class Organiser:
    """The hall's answers to orders, given one after the other in the thread to which the store belongs."""

    store: HallStore
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    ill: Callable[[], Sequence[Message]] = tuple
    """What is wrong with the hall itself: its broker, its disk."""
    up: Callable[[], Up] = uptime
    before: Stand | None = None
    """The previous state of the evening, if known: it saves work. An answer leaves the one that it has worked out."""
    terminal: bool = True
    """Orders come from a terminal; elsewhere, sentences about commands are left out."""
    search: Search = solve
    """How a seating is found; it may raise Unplanned, and then so does `answer`."""
    again: bool = False
    """Whether the order's seating has been searched for before, and the evening has changed since."""
    cancel: Callable[[int | None], Sequence[Planning]] = lambda _: ()
    """Cancel the planning of this number, or all."""
    phones: Phones | None = None
    """The phones with the organiser's page, while the hall is open."""
    requests: PlayerRequests | None = None
    """What players ask, while the hall is open."""

    def _context(self, now: Stand) -> OrderContext:
        return OrderContext(now, self.store.said(), self.now(), self.up(), self.search)

    def answer(self, order: Payload) -> Payload:
        """Carry out an order and return the answer.

        The order is {"do": …}, as docs/hall/schemas/order.json has it. The answer is {"ok": …, "said": […]}, in the
        order's language or the evening's. "order" is the number under which the order is kept, and "as_of" the last
        number when it was tried. With "try", the answer only says what the order would do.

        An order as of another number than the last is refused, and tried anew: two people who look at one evening never
        both change it.
        """
        now = self.before = stand(self.store, self.before)
        kept: Payload = {}
        ok = True
        try:
            said, kept = self._dispatch(now, order)
        except _Overtaken as overtaken:
            again = self.answer({**order, "try": True})
            lines = again["said"][1:] if again["ok"] else again["said"]  # but for that nothing has been changed
            first = self._tongue(order, now).phrase(overtaken.said)
            return {"ok": False, "said": [first, *lines], "as_of": overtaken.last}
        except (ValueError, LookupError, OSError, TypeError) as error:
            said, ok = _explained(error), False
        except sqlite3.Error as error:
            said = [
                Message("Cannot write to the hall's disk ({error}): nothing has changed.", error=as_it_is(str(error)))
            ]
            ok = False
        tongue = self._tongue(order, now)
        if not self.terminal:
            said = [line for line in said if "{tabularium}" not in line.template]
        return {"ok": ok, "said": [tongue.phrase(line) for line in said], **kept}

    def refused(self, order: Payload, why: Message) -> Payload:
        """Return the answer to an order that is refused unread."""
        return {"ok": False, "said": [self._tongue(order, stand(self.store, self.before)).phrase(why)]}

    def _tongue(self, order: Payload, now: Stand) -> Tongue:
        return Tongue(str(order["lang"] if order.get("lang") in LANGUAGES else now.evening.lang))

    def _dispatch(self, now: Stand, asked: Payload) -> tuple[Sequence[Message], Payload]:
        match read_request(asked):
            case Order() as order:
                return self._execute(now, order)
            case CancelPlanning() as order:
                return order.cancelled(self.cancel(order.number)), {}
            case AboutRequests() as request if self.requests:
                return request.carried_out(now.evening, self.requests), {}
            case SessionRequest() as request if self.phones:
                return request.carried_out(self.phones)
            case BeginEvening() as request:
                return self._begin(now, request)
            case Question() as question:
                return question.answer(now, self.store, self.ill()), question.attached(now, self.store)
        raise ValueError(STRANGE)

    def _begin(self, now: Stand, request: BeginEvening) -> tuple[Sequence[Message], Payload]:
        """Begin a new evening, or say what that would do."""
        desk = self._context(now)
        if request.id and any(act.get("id") == request.id for act in desk.acts):
            return [CARRIED_OUT], {}
        _require_newest(request, desk)
        lines = [*request.answer(now, self.store, ()), *request.disconnects(self.phones)]
        if request.try_:
            return [NOTHING_CHANGED, *lines], {"as_of": desk.last}
        attached = request.put_aside(now, self.store, self.phones)
        self.before = None
        for act in request.acts(now, desk.at):
            self._keep(act)
        return lines, attached

    def _execute(self, now: Stand, order: Order) -> tuple[Sequence[Message], dict[str, int]]:
        desk = self._context(now)
        if order.id and (before := next((act for act in desk.acts if act.get("id") == order.id), None)):
            return [CARRIED_OUT], {"order": before["number"]}
        last = desk.last
        _require_newest(order, desk)
        act = order.act(desk) | {"at": desk.at.isoformat(timespec="seconds")}
        after = now.with_evening(fold([*desk.acts, {"number": last + 1, **act}]))
        lines = [*([AGAIN] if self.again else []), *order.answer(desk, act, after)]
        lacks = _missing_reason(order, now, act, after)
        if order.try_:
            return [NOTHING_CHANGED, *lines, *order.preview(desk, act, after), *lacks], {"as_of": last}
        if lacks:
            raise ValueError(*lacks)
        self.before = after
        given = {"who": order.who, "id": order.id}
        return lines, {"order": self._keep({**act, **{key: value for key, value in given.items() if value}})}

    def _keep(self, act: Payload) -> int:
        """Keep an act; the first of an evening gets its mark, by which tables know it from any other."""
        mark = {} if self.store.said() else {"mark": secrets.token_hex(8), "rules": 2}
        return self.store.say({**mark, **act})


class _Overtaken(Exception):  # noqa: N818 - no error: it is answered with how things stand now
    """A refusal: another order, `last`, has come since the one as of which an order was given."""

    def __init__(self, last: int, what: Message) -> None:
        super().__init__(last)
        self.last = last
        self.said = Message(
            "Nothing has been changed: order {number} has come meanwhile ({what}). Now it would be so:",
            number=last,
            what=what,
        )


NOTHING = Message("nothing")
NOTHING_CHANGED = Message("Nothing has been changed yet. This would happen:")
CARRIED_OUT = Message("This order has already been carried out.")
AGAIN = Message("Planned again, because players, tables or results have changed meanwhile.")


def _require_newest(request: Request, desk: OrderContext) -> None:
    """Raise _Overtaken where another order has come since the one that the sender has seen last."""
    if not request.try_ and request.as_of not in (None, desk.last):
        raise _Overtaken(desk.last, described(desk.now.evening, desk.acts[-1]) if desk.last else NOTHING)


def _missing_reason(order: Order, now: Stand, act: Payload, after: Stand) -> Sequence[Message]:
    """Return the demand for a reason where the order gives none and results hang on it."""
    if order.needs_reason != "results" or "reason" in act or not hangs(now, after):
        return []
    return [Message("This affects results: give a reason of 1 to {most} characters.", most=REASON)]


def hangs(before: Stand, after: Stand) -> bool:
    """Return whether something that was played, or a result, is different afterwards."""
    then = {of.key: of for of in after.outcomes}
    return any(
        of.state != "missing" and (other := then.get(of.key)) != of
        and (other is None or (other.state, other.result, other.seated.seats) != (of.state, of.result, of.seated.seats))
        for of in before.outcomes
    )  # fmt: skip


def _explained(error: Exception) -> Sequence[Message]:
    """Return an error as sentences."""
    if isinstance(error, Mistakes):
        return [Message(PLAIN, text=as_it_is(str(error)))]
    if isinstance(error, OSError):
        place = f"{error.filename or ''}: {error.strerror or error}"
        return [Message("That did not work: {error}", error=as_it_is(place))]
    return [each for each in error.args if isinstance(each, Message)] or [STRANGE]
