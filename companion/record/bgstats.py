"""A play as BG Stats takes it from other programs, and the link that its app opens.

Source: bgstatsapp.com, Support, "Push plays to BG Stats from other apps or websites".
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from companion.rules import AnyGame, Seat
from companion.rules.data import Data
from companion.rules.views import Result

LINK = "https://app.bgstatsapp.com/createPlay.html?data="
"""The link that BG Stats opens: the play in JSON as its data. It takes plays in no other way."""
SPARE = ("durationMin", "board", "role", "rank")
"""The optional keys of a play and of a player."""


@dataclass(frozen=True, slots=True)
class BgPlay:
    """A finished game: who played (`called` by seat, in the order of the seats) and which colour, when and how long."""

    id: str
    game: AnyGame
    rules: str
    """The rules of the play."""
    seats: Sequence[Seat]
    called: Mapping[Seat, str]
    roles: Mapping[Seat, str]
    result: Result
    began: datetime
    seconds: float | None = None
    """The seconds of play; None where nobody measured them."""


def data(play: BgPlay) -> dict[str, Any]:
    """Return the play in plain data.

    Every yes or no is written out, since the app on Android wants each. `playDate` is when the game began, in UTC. A
    game that is won or lost has no points.
    """
    return {
        "sourceName": "Tabularium",
        "sourcePlayId": play.id,
        "playDate": f"{play.began.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        **_duration(play),
        "board": play.rules,
        "game": {
            "name": play.game.title,
            "sourceGameId": play.game.name,
            "highestWins": True,
            "noPoints": play.game.series == "twice",  # won or lost
        },
        "players": [_player(play, seat) for seat in play.seats],
    }


def _duration(play: BgPlay) -> dict[str, int]:
    minutes = round((play.seconds or 0) / 60)
    return {"durationMin": minutes} if minutes else {}


def _player(play: BgPlay, seat: Seat) -> dict[str, object]:
    called, result = play.called[seat], play.result
    return {
        "name": called,
        "sourcePlayerId": called.casefold(),
        "role": play.roles[seat],
        "rank": result["places"][seat],
        **({} if play.game.series == "twice" else {"score": result["scores"][seat]}),
        "winner": seat in result["winners"],
        "startPlayer": seat == play.seats[0],
    }


def link(data: Data) -> str:
    """Return the link that BG Stats opens."""
    return LINK + quote(json.dumps(data, ensure_ascii=False, separators=(",", ":")), safe="")
