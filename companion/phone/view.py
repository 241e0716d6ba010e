"""What the phone of a seat receives of a game: the one place where its messages are made (law 2).

All of it is made from what everybody sees and from the private part of this one seat's view.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from companion.answers import guide
from companion.games import prompts_of
from companion.offers.acts import Acts
from companion.offers.history import history
from companion.offers.table_menu import GOING_ON, TABLE, TableMenu, asking, holds
from companion.phone.lists import Leads, Place, opened, shown
from companion.phone.words import Read
from companion.play.match import Match
from companion.play.port import Shown
from companion.record.transcript import Header, header_data
from companion.rules import N_, Ruling, Seat
from companion.rules.guide import AnyKnown, Known, Saying
from companion.rules.line import Line
from companion.rules.menu import Choice, Entry, Note
from companion.rules.prompts import EVERYBODY, ONE_BY_ONE, reveal_words
from companion.rules.words import Tongue
from companion.session.receipt import Receipt
from companion.voice.telling import EAR, Teller

HISTORY = N_("History.")
ABSENT = N_("Your seat takes no part in this game.")
HOLD_ON = N_("hold your button until all are held")
WON = {0: N_("Nobody has won"), 1: N_("{seats} wins")}
SHARED = N_("{seats} share the victory")
PUBLIC = ("game", "seats", "options", "players", "board", "reveal")
"""What of a game's header a phone receives."""
HIDDEN_BYTES = 2048
"""What is private fills a multiple of this, so that the length of a frame tells nothing of it."""


def for_seat(receipts: Sequence[Receipt], seat: Seat) -> list[Receipt]:
    """Return what a seat may be told of: everything but what is said into ears."""
    return [of for of in receipts if not of.whispered or any(_is_for(ruling, seat) for ruling in of.rulings)]


def _is_for(ruling: Ruling, seat: Seat) -> bool:
    return ruling.seat == seat and not ruling.code.startswith(EAR)


def moment(match: Match) -> AnyKnown:
    """Return what everybody may know of the shown game."""
    header = match.header
    return Known(header.seats, header.options, match.view, match.derived, match.outlines, header.reveal)


def moves(acts: Acts) -> tuple[Saying | None, Sequence[Entry]]:
    """Return what can be done, and the question to it; a seat that is asked for one thing is asked it at once."""
    found = acts.entries()
    if not guide.mine(acts.game, acts.at, acts.seat):
        return None, found
    # while fists are awaited, nobody is asked for the card that can still be changed
    first = opened(found[0].then) if len(found) == 1 and not acts.fists else None
    if isinstance(first, Choice):
        ask = first.ask or Saying("", found[0].text, found[0].facts)
        # a seat none of whose cards will do looks like any other to somebody who sees the covered list
        return ask, [replace(entry, main=True, private=first.private) for entry in first.entries or found]
    return None, [replace(entry, main=True) for entry in found]


class SeatView:
    """One game as the phone of a seat has it, in the phone's language.

    `more` returns what can be done once the game is over, and `house` what has nothing to do with the game.
    """

    def __init__(
        self, match: Match, seat: Seat, lang: str, *, more: Callable[[], Sequence[Entry]], house: Sequence[Entry] = ()
    ) -> None:
        self.match, self.seat = match, seat
        self._more, self._house = more, house
        self._tongue = Read(lang, match.header.players)
        self._teller = Teller(match.header, lang, "full", (seat,), tongue=Read)
        self._plays = seat in match.header.seats

    def begin(self, at: AnyKnown) -> None:
        """Take the game as it stands as told."""
        self._teller.tell((), at)

    def told(self, of: Shown, at: AnyKnown, refused: bool) -> list[dict[str, Any]]:
        """Return what is newly said; `refused` is whether an act by this phone was refused."""
        lines = self._teller.tell(for_seat(of.receipts, self.seat), at)
        return [said for line in lines if (said := self._said(line, refused))]

    def _said(self, line: Line, refused: bool) -> dict[str, Any] | None:
        """Return a line as it is sent. What only this seat may know is not said: it is among its covered lines."""
        ours = line.to == self.seat and line.sound in ("turn", "refused")
        text = line.full or line.say
        if not text or not (line.to is None or ours):
            return None
        return {"text": text, "now": ours or (refused and line.sound == "refused")}

    # -- the lists -----------------------------------------------------------------------------------------------

    def _acts(self, at: AnyKnown) -> Acts:
        match = self.match
        return Acts(match.game, match.state, at, self.seat, match.absent, bool(match.fists), read=True)

    def top(self, at: AnyKnown, put: Callable[[Ruling], object], lang: str) -> Choice:
        """Return the first list; `put` puts something to the table, and decisions are written down in its `lang`."""
        if not self._plays:
            return Choice(None, [*self._more(), *self._house], body=[Note(ABSENT)])
        match, tongue, acts = self.match, self._tongue, self._acts(at)
        ask, entries = moves(acts)
        table = TableMenu(match.session, acts, put, Tongue(lang, match.header.players))
        return Choice(
            ask,
            [
                *entries,
                *self._more(),
                Entry(GOING_ON, {}, Leads(lambda: asking(acts, match.session.last, tongue, match.log))),
                Entry(HISTORY, {}, Leads(lambda: history(acts, match.log, match.session.acts))),
                Entry(TABLE, {}, Leads(table.choice)),
                *self._house,
            ],
        )

    # -- the view as it stands -----------------------------------------------------------------------------------

    def table(self, at: AnyKnown, place: Place) -> dict[str, Any]:
        """Return the seat's whole view, as it is sent."""
        match, tongue, seat = self.match, self._tongue, self.seat
        asked = guide.mine(match.game, at, seat) if self._plays else None
        held = holds(self._acts(at)) if self._plays else ()
        mine = [{"label": "", "value": said} for said in tongue.say_all(held)]
        listed = shown(place, tongue, match.number)
        return _padded({
            "game": match.game.name,
            "act": match.session.accepted,
            "head": head(match, at, tongue),
            "yours": tongue.sentence(asked.text, **asked.facts) if asked else "",
            "seat": seat,
            "public": {"header": public(match.header), "view": match.view},
            "mine": mine,
            "fist": {
                "can": seat in match.fists, "closed": seat in match.closed, "called": match.called,
                "cards": match.game.owned,
            },
            "list": listed,
        }, [mine, listed] if place.private or any(of["private"] for of in listed["entries"]) else [mine])  # fmt: skip


def public(header: Header) -> dict[str, Any]:
    """Return what everybody may know of a game's header."""
    data = header_data(header)
    return {key: data[key] for key in PUBLIC}


def encoded(message: object) -> bytes:
    """Return a message as its frame holds it, before it is filled up."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def head(match: Match, at: AnyKnown, tongue: Read) -> str:
    """Return whose move it is and what is asked, in one line."""
    who, what = _head(match, at, tongue)
    return " ".join(filter(None, (who, what)))


def _head(match: Match, at: AnyKnown, tongue: Read) -> tuple[str, str]:
    result = match.view["result"]
    if result is not None:
        winners = result["winners"]
        return "", tongue.tr(WON.get(len(winners), SHARED), seats=winners)
    if match.counts:
        return tongue.tr(EVERYBODY), tongue.tr(reveal_words(match.game).wait)
    if match.called:
        return tongue.tr(EVERYBODY), tongue.tr(reveal_words(match.game).now)
    if match.fists and match.header.reveal == "fists":
        still = [seat for seat in match.fists if seat not in match.closed]
        return tongue.tr(ONE_BY_ONE, seats=still), tongue.tr(HOLD_ON)
    prompt = prompts_of(match.game.name).shown(at)
    return tongue.tr(prompt.named, seats=match.fists or prompt.seats), tongue.tr(prompt.what, **prompt.facts)


def _padded(table: dict[str, Any], private: object) -> dict[str, Any]:
    """Return the message with what hides the length of its private part."""
    return {"table": table, "pad": " " * (-len(encoded(private)) % HIDDEN_BYTES)}


def lobby(seat: Seat, place: Place, tongue: Read, text: str) -> dict[str, Any]:
    """Return the view of a seat while no game is there."""
    table: dict[str, Any] = {
        "game": None,
        "act": 0,
        "head": tongue.sentence(text),
        "yours": "",
        "seat": seat,
        "public": None,
        "mine": [],
        "fist": {"can": False, "closed": False, "called": False, "cards": False},
        "list": shown(place, tongue, None),
    }
    return {"table": table}
