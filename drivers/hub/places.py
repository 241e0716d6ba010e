"""The host's record of a hub's places, and the events it reports when the hub says otherwise."""

from collections.abc import Iterable, Sequence

from companion.rules.message import Message
from companion.rules.readings import CENTRE, Health, Press, Reading
from drivers.hub.lines import HubEvent, Place
from drivers.worker import Put

REMEDY = Message("Check its cable and power. Retrying automatically; until then play on the screen.")


class Places:
    """The places of one hub: at each a seat, the shared reader, or None. They outlive the hub's port."""

    def __init__(self, seats: Sequence[str | None], put: Put) -> None:
        self.seats = tuple(seats)
        self._put = put
        self._down: set[int] = set()
        self._tags: dict[int, frozenset[str]] = {}
        self._dead: set[int] = set()
        self._last: dict[int, int] = {}  # ms of a place's latest event

    def lying(self, place: int) -> frozenset[str] | None:
        """Return the tags recorded at a place; None where the hub has not reported any."""
        return self._tags.get(place)

    def happened(self, event: HubEvent, t: int) -> None:
        """Report a new event; `t` in ms."""
        place, seat = event.place, self._seat(event.place)
        if seat is None:
            return
        t = self._not_before_last(place, t)
        lying = self._tags.get(place, frozenset())
        match event.what:
            case "down" | "up":
                self._report_press(place, seat, event.what == "down", t, edge=True)
            case "laid":
                self._tags[place] = lying | {event.tag}
                self._put(Reading(seat, event.tag, True, t))
            case "lifted":
                self._tags[place] = lying - {event.tag}
                self._put(Reading(seat, event.tag, False, t))
            case "dead":
                self._report_dead(place, seat, Message("It does not answer its hub ({why})", why=event.why))
            case "well":
                self._report_well(place, seat)
                self._set_tags(place, seat, event.tags, t)

    def stands(self, row: Place, t: int) -> None:
        """Report where a snapshot differs from the record; `t` in ms."""
        place, seat = row.place, self._seat(row.place)
        if seat is None:
            return
        t = self._not_before_last(place, t)
        if (row.button == "down") != (place in self._down):
            self._report_press(place, seat, row.button == "down", t, edge=False)
        if row.reader == "dead":
            self._report_dead(place, seat, Message("It does not answer its hub"))
        elif row.reader in ("well", "-"):  # no tag lies where there is no longer a reader
            self._report_well(place, seat)
            self._set_tags(place, seat, row.tags, t)

    def _seat(self, place: int) -> str | None:
        return self.seats[place] if place < len(self.seats) else None

    def _not_before_last(self, place: int, t: int) -> int:
        # the mapped clock may step back a little with a better ping; times at one place never may
        t = self._last[place] = max(t, self._last.get(place, t))
        return t

    def _report_press(self, place: int, seat: str, down: bool, t: int, edge: bool) -> None:
        self._down = self._down | {place} if down else self._down - {place}
        # a button at the shared reader's place is tracked, but belongs to nobody
        if seat != CENTRE:
            self._put(Press(seat, down, t, edge))

    def _set_tags(self, place: int, seat: str, tags: Iterable[str], t: int) -> None:
        before, now = self._tags.get(place, frozenset()), frozenset(tags)
        self._tags[place] = now
        # lifted cards first, as in `ReaderWorker`
        for tag in sorted(before - now):
            self._put(Reading(seat, tag, False, t))
        for tag in sorted(now - before):
            self._put(Reading(seat, tag, True, t))

    def _report_dead(self, place: int, seat: str, why: str) -> None:
        if place not in self._dead:
            self._dead.add(place)
            self._put(Health(f"reader {seat}", False, Message("{why}. {remedy}", why=why, remedy=REMEDY)))

    def _report_well(self, place: int, seat: str) -> None:
        if place in self._dead:
            self._dead.remove(place)
            self._put(Health(f"reader {seat}", True))
