"""Playing in tests: a game from its header, events as transcripts write them."""

from collections.abc import Mapping
from typing import Any

from companion.games import position_of
from companion.play.evening import Evening
from companion.play.match import Match
from companion.record.transcript import Header, read_event, read_header
from companion.rules import Reveal
from companion.session import Session
from companion.session.receipt import ActLine, Receipt
from ui.table.moment import Moment, moment

BOARD: dict[str, Any] = {
    "provinces": {"a": 10, "b": 20, "c": 30, "d": 40, "e": 50, "f": 60, "g": 70},
    "links": [["a", "b"], ["c", "b"], ["b", "a"]],
    "confirmed": True,
}


def header(game: str, seats: str, **more: Any) -> Header:
    return read_header({"tabularium": 1, "game": game, "seats": seats.split(), **more})


def match_of(evening: Evening) -> Match:
    """Return the game on the table."""
    assert evening.match
    return evening.match


def view_of(evening: Evening) -> Mapping[str, Any]:
    """Return what everybody may see of the game, with the keys that only this game has."""
    return match_of(evening).view


def moment_of(evening: Evening) -> Moment:
    """Return what the screen may show of the game."""
    return moment(match_of(evening), evening.devices.health, evening.devices.equipment)


class Play:
    """A session that takes events as words: `play("offer", "red", to="blue", chips=3)`."""

    def __init__(self, game: str, seats: str, **more: Any) -> None:
        self.header = header(game, seats, **more)
        self.session = Session(self.header.game, self.header.setup)
        if self.header.position is not None:
            notation = position_of(self.header.game.name)
            self.put(notation.read(self.header.setup, self.header.position))

    def __call__(self, verb: str, seat: str | None = None, **facts: Any) -> Receipt:
        data = {"event": verb, **({"seat": seat} if seat else {}), **facts}
        return self.session.receive(read_event(self.header, data).event)

    def put(self, state: Any) -> None:
        """Set the game as if it had begun in this state."""
        self.session.opening = state
        self.session.back_to((ActLine(), 0))

    def ok(self, verb: str, seat: str | None = None, **facts: Any) -> Receipt:
        receipt = self(verb, seat, **facts)
        assert receipt.ok, receipt.rulings
        return receipt

    def refused(self, verb: str, seat: str | None = None, **facts: Any) -> tuple[str, str]:
        """Return the code and clause of the refusal; check that the state stays the very same."""
        before = self.session.state
        receipt = self(verb, seat, **facts)
        assert not receipt.ok
        assert self.session.state is before
        (ruling,) = receipt.rulings
        return ruling.code, ruling.rule

    def undo(self, times: int = 1) -> None:
        for _ in range(times):
            self.ok("undo")

    @property
    def view(self) -> Mapping[str, Any]:
        return self.session.view()

    @property
    def derived(self) -> Any:
        return self.session.derived()

    def private(self, seat: str) -> Mapping[str, Any]:
        private: Mapping[str, Any] = self.session.view(seat)["private"]
        return private


def opened(receipt: Receipt) -> Mapping[str, int] | None:
    """Return how late each fist opened in a reveal, in ms."""
    assert isinstance(receipt.event, Reveal)
    return receipt.event.opened


def codes(receipt: Receipt) -> list[str]:
    return [ruling.code for ruling in receipt.rulings]


def facts(receipt: Receipt, code: str) -> Mapping[str, Any]:
    (found,) = [ruling.facts for ruling in receipt.rulings if ruling.code == code]
    return found
