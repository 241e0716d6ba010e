"""The public part of a game, act by act: what leaves the table (law 2), and the transcript made of it.

Nothing is redacted here: each payload is built up from what everybody at the table has seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games import position_of
from companion.record.transcript import Header, dump, dump_event, event_data, header_data, read_event, read_header
from companion.rules import Amend, Choose, Decide, Event, Redo, Reveal, Undo
from companion.rules.cards import DECK, Card
from companion.rules.data import Data
from companion.session.correction import anew, shown
from companion.session.receipt import ActLine, Receipt, acts, backwards, chosen, find, unseen

CODES = 40
"""How many codes of rulings a payload holds."""
NAME = 80
"""Characters of a player's name."""
UNSEEN = ("tags", "position", "ears")
"""What of a header stays at the table."""
FACE_DOWN = Card("", -1)
"""Stands for an unseen card."""


def header_of(header: Header, names: bool) -> dict[str, Any]:
    """Return the header as it leaves the table; players' names only if the hall shows `names` in full."""
    kept = {key: value for key, value in header_data(header).items() if key not in (*UNSEEN, "players")}
    players = {seat: name[:NAME] for seat, name in header.players.items() if name}
    return kept | {"players": players} if names else kept


def told(receipts: Iterable[Receipt], last: Receipt | None = None) -> Iterator[tuple[Receipt, dict[str, Any]]]:
    """Yield each accepted act and what everybody may know of it; `last` is the act that stood before the first."""
    for receipt in receipts:
        yield receipt, _told(receipt, last)
        last = receipt.last


def _told(receipt: Receipt, last: Receipt | None) -> dict[str, Any]:
    data: dict[str, Any] = {"number": receipt.number, "event": _event(receipt)}
    match receipt.event:
        case Reveal():
            data["cards"] = {seat: str(card) for seat, card in chosen(receipt.before).items()}
        case Amend(_, Decide(_, change)) | Decide(_, change) if _secret(receipt, change):
            data["untold"] = True
    if isinstance(receipt.event, Amend):
        before, after = _seen(last), _seen(receipt.before)
        data["turned"] = {str(at): str(card) for at, card in after.items() if before.get(at) != card}
    return data | {"at": receipt.at, "codes": [ruling.code for ruling in receipt.public][:CODES]}


def _event(receipt: Receipt) -> Data:
    match receipt.event:
        case Choose(seat):
            return {"event": "choose", "seat": seat}
        case Amend(act):
            (facts,) = (ruling.facts for ruling in receipt.public if ruling.code == "amended")
            return {"event": "amend", "act": act, **{key: facts[key] for key in ("was", "now", "kept", "fallen")}}
        case Decide():
            assert receipt.game
            return shown(receipt.event, hidden=False, secret=position_of(receipt.game.name).secret)
    assert receipt.event
    return event_data(receipt.event)


def _secret(receipt: Receipt, change: Data | None) -> bool:
    assert receipt.game
    return not (change or {}).keys().isdisjoint(position_of(receipt.game.name).secret)


def _seen(last: Receipt | None) -> Mapping[int, Card]:
    """Return the cards of this line that everybody has seen, by the number of the act that laid them."""
    line = acts(last)
    hidden = {number for numbers in unseen(line) for number in numbers}
    return {act.number: act.event.card for act in line if isinstance(act.event, Choose) and act.number not in hidden}


# -- the public transcript ----------------------------------------------------------------------------------------


class PublicLine:
    """The acts that stand, rebuilt from payloads; undo and corrections work as at the table (T-5, T-7, T-8)."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._line = ActLine()  # an act's `state` is the number of the amendment that made it what it is
        self._cards: dict[tuple[int, int | None], Card] = {}  # what has been turned up
        self._untold: set[tuple[int, int | None]] = set()

    def take(self, payload: Data) -> None:
        """Take the next act. Raises Mistakes for what is no event of this game."""
        data = payload["event"]
        if data["event"] == "amend":
            self._amend(payload)
            return
        event = self._read(data)
        match event:
            case Undo(to):
                self._line = self._line.undone() if to is None else self._line.back_to(find(self._line.last, to))
            case Redo():
                assert self._line.left
                self._line = self._line.left
            case _:
                self._act(event, payload)

    def _read(self, data: Data) -> Event:
        if data["event"] == "choose" and "card" not in data:
            return Choose(data["seat"], FACE_DOWN)
        return read_event(self._header, data).event

    def _act(self, event: Event, payload: Data) -> None:
        laid = {act.event.seat: act for act in acts(self._line.last) if isinstance(act.event, Choose)}
        self._cards |= {_key(laid[seat]): DECK[card] for seat, card in payload.get("cards", {}).items()}
        act = Receipt(True, event, number=payload["number"], at=payload.get("at"), before=self._line.last)
        self._untold |= {_key(act)} if payload.get("untold") else set()
        self._line = self._line.after(act)

    def _amend(self, payload: Data) -> None:
        """Apply a correction to the line, as the table's own line does (`amending.amend`).

        The cards that were taken up, and the acts that fell away, are left out.
        """
        line, data = acts(self._line.last), payload["event"]
        at = next(at for at, act in enumerate(line) if act.number == data["act"])
        first, judged = anew(line, at)
        now = replace(line[at], event=self._read(data["now"]), at=None, state=payload["number"])
        rest = [now if act is line[at] else act for act in judged]
        tip = line[first - 1] if first else None
        for act in rest[: len(rest) - data["fallen"]]:
            tip = replace(act, before=tip)
        assert tip
        self._untold |= {_key(now)} if payload.get("untold") else set()
        self._line = self._line.amended_to(tip)
        self._cards |= {
            _key(act): DECK[payload["turned"][str(act.number)]]
            for act in backwards(tip) if str(act.number) in payload.get("turned", {})
        }  # fmt: skip

    def knows(self, number: int, amended: int | None = None) -> bool:
        """Return whether the card of this act, or of its correction with that number, has been turned up."""
        return (number, amended) in self._cards

    def numbered(self) -> Iterator[tuple[int, Event, str | None]]:
        """Yield the acts that stand with their numbers and times, and with the cards that have been turned up.

        The other cards were never laid. It ends where the table has changed something that it keeps to itself: nobody
        can follow it from there.
        """
        for act in acts(self._line.last):
            if _key(act) in self._untold:
                return
            event = act.event
            if isinstance(event, Choose) and event.card is FACE_DOWN:
                card = self._cards.get(_key(act))
                event = Choose(event.seat, card) if card else None
            if event:
                yield act.number, event, act.at


def _key(act: Receipt) -> tuple[int, int | None]:
    return act.number, act.state


def transcript(header: Data, payloads: Sequence[Data]) -> Iterator[str]:
    """Yield the lines of a game's public transcript, made of what was published. Raises Mistakes."""
    line = PublicLine(read_header(header))
    for payload in payloads:
        line.take(payload)
    yield dump(header)
    for _, event, at in line.numbered():
        yield dump_event(event, at=at)
