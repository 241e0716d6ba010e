"""Players' requests from their phones: to check in, to come back, to leave. Only the organiser's orders decide.

Everybody may write to their topic, and the broker does not say who has written. So they come by a separate connection,
on which a flood waits, and every list here is bounded.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Event
from typing import Literal

from companion.hall import _people as people
from companion.hall._evening import HallEvening
from companion.hall._people import HallPlayer, as_it_is
from companion.hall._wire import Topics, read
from companion.hall.link import Broker, BrokerLink, Post
from companion.rules import N_
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.mistakes import Mistakes

PACED_S = 0.005
"""How long a message holds up the connection: 200 of them a second, with any flood."""
EACH, PER_S = 5, 60.0
"""The most requests of one phone, by its own word, in so many seconds."""
ALL, ALL_PER_S = 100, 10.0
"""The most requests of all phones in so many seconds: everybody comes in at once."""
OPEN, OVER, PHONES = 200, 200, 2_000
"""The most requests kept that are open or settled, and the most phones remembered."""
ALIKE = 4
"""The most phones that ask the same for one player."""
TEXTS = {
    "join": N_("{name} would like to check in."),
    "back": N_("{name} would like to check in again."),
    "leave": N_("{name} would like to leave."),
}
State = Literal["open", "done", "refused", "taken"]
"""With the organiser; carried out; declined or impossible; the name is on the list already."""


@dataclass(frozen=True, slots=True)
class PlayerRequest:
    """What somebody asks: for `player` to come back or to leave, or for one called `name` to join.

    `ids` are those of the phones' messages.
    """

    do: Literal["join", "back", "leave"]
    player: int | None
    name: str
    evening: str | None
    ids: tuple[str, ...]
    at: str

    @property
    def whose(self) -> int | str:
        """Return whom it is about: nobody has two open requests."""
        return self.name.casefold() if self.player is None else self.player

    def person(self, evening: HallEvening) -> HallPlayer | None:
        """Return the player it is about, None for one who is not on the list."""
        if self.player is not None:
            return evening.people.get(self.player)
        return next((of for of in evening.people.values() if of.name.casefold() == self.name.casefold()), None)


class PlayerRequests:
    """The open requests, and those settled lately. `put` hands an act to the thread that owns the store."""

    def __init__(self, topics: Topics, broker: Broker, put: Callable[[Callable[[], object]], object]) -> None:
        self._put, self._stopping = put, Event()
        self.taking = True
        """Whether requests are taken: the organiser stops it while strangers ask for fun."""
        self._link = BrokerLink(broker, subscribed=[topics.asked], came=self._came)
        self._phones: OrderedDict[str, deque[float]] = OrderedDict()
        self._lately = deque[float](maxlen=ALL)
        self._new: list[PlayerRequest] = []
        self._open: list[PlayerRequest] = []
        self._over = deque[tuple[PlayerRequest, State, int | None]](maxlen=OVER)

    def open(self) -> None:
        self._link.open()

    def close(self) -> None:
        self._stopping.set()
        self._link.close()

    # -- paho's thread -----------------------------------------------------------------------------------------------

    def _came(self, post: Post) -> None:
        self._stopping.wait(PACED_S)
        if post.retained or not self.taking:
            return
        try:
            asked = read("request", post.payload)
        except Mistakes:
            return
        if self._too_many(asked["phone"]):
            return
        at = datetime.now().astimezone().isoformat(timespec="minutes")
        made = PlayerRequest(asked["do"], asked["player"], asked["name"], asked["evening"], (asked["id"],), at)
        self._put(lambda: self.take(made))

    def _too_many(self, phone: str) -> bool:
        """Count a request; return whether this phone, or all of them, have asked too often."""
        now = time.monotonic()
        lately = self._phones.setdefault(phone, deque(maxlen=EACH))
        self._phones.move_to_end(phone)
        while len(self._phones) > PHONES:
            self._phones.popitem(last=False)
        full = [
            len(times) == times.maxlen and now - times[0] < seconds
            for times, seconds in ((lately, PER_S), (self._lately, ALL_PER_S))
        ]
        if not any(full):
            lately.append(now)
            self._lately.append(now)
        return any(full)

    # -- the store's thread ------------------------------------------------------------------------------------------

    def take(self, asked: PlayerRequest) -> None:
        """Take a request; what is asked of one player already is one request."""
        if len(self._new) < OPEN:
            self._new.append(asked)

    def listed(self, evening: HallEvening) -> Sequence[PlayerRequest]:
        """Return the requests that wait for the organiser, after settling what the evening has settled."""
        before, self._open = self._open, []
        for asked in before:
            self._sort(asked, evening, new=False)
        for asked in self._new:
            if asked.evening == evening.mark and not any(id_ in of.ids for of in self._all for id_ in asked.ids):
                self._sort(asked, evening, new=True)
        self._new.clear()
        return list(self._open)

    @property
    def _all(self) -> Iterable[PlayerRequest]:
        return [*self._open, *(asked for asked, *_ in self._over)]

    def _sort(self, asked: PlayerRequest, evening: HallEvening, new: bool) -> None:
        person = asked.person(evening)
        if asked.evening != evening.mark:  # of the evening before
            return
        if person and asked.do == "join" and not person.here:
            asked = replace(asked, do="back", player=person.id)
        is_so = person is not None and person.here == (asked.do != "leave")
        if evening.over or (asked.do != "join" and person is None) or not _is_name(asked):
            self._over.append((asked, "refused", None))
        elif is_so:
            state: State = "taken" if new and asked.do == "join" else "done"
            self._over.append((asked, state, person.id if person else None))
        elif same := next((of for of in self._open if of.whose == asked.whose), None):
            if len(same.ids) < ALIKE and same.do == asked.do:
                self._open[self._open.index(same)] = replace(same, ids=(*same.ids, *asked.ids))
        elif len(self._open) < OPEN:
            self._open.append(asked)

    def published(self, evening: HallEvening) -> Data:
        """Return what everybody hears (docs/hall/schemas/requests.json), without names: a phone knows its own id."""
        open_ = [(asked, "open", None) for asked in self.listed(evening)]
        return {
            "taking": self.taking,
            "requests": [
                {"id": id_, "state": state, "player": player}
                for asked, state, player in [*open_, *self._over]
                for id_ in asked.ids
            ],
        }

    def state(self, evening: HallEvening) -> list[Data]:
        """Return the open requests for the organiser's page."""
        return [
            {"id": of.ids[0], "do": of.do, "player": of.player, "name": of.name, "at": of.at}
            for of in self.listed(evening)
        ]

    def decline(self, evening: HallEvening, words: Sequence[str] = ()) -> Sequence[PlayerRequest]:
        """Decline the requests of these ids or players, or all; return them. Raises LookupError for none."""
        listed = self.listed(evening)
        found = [asked for asked in listed if not words or any(_means(evening, asked, word) for word in words)]
        if not found:
            raise LookupError(Message("There is no such request."))
        for asked in found:
            self._open.remove(asked)
            self._over.append((asked, "refused", None))
        return found


def told(evening: HallEvening, asked: PlayerRequest) -> Message:
    """Return a request as a sentence."""
    person = asked.person(evening)
    return Message(TEXTS[asked.do], name=person.called if person else as_it_is(asked.name))


def _is_name(asked: PlayerRequest) -> bool:
    try:
        return asked.player is not None or people.named(asked.name) == asked.name
    except ValueError:
        return False


def _means(evening: HallEvening, asked: PlayerRequest, word: str) -> bool:
    person = asked.person(evening)
    name = person.name if person else asked.name
    return word in asked.ids or word.casefold() == name.casefold() or (person is not None and word == f"#{person.id}")
