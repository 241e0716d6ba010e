"""What the start page says about a game that waits to be continued."""

from __future__ import annotations

from companion.rules import N_
from companion.store.history import GameRow
from companion.words import listed, name, tr


def waiting(unfinished: GameRow | None, lang: str, titles: dict[str, str]) -> tuple[str, list[str]]:
    """One line about the unfinished game, and the seats of it; ("", []) where there is none."""
    if unfinished is None:
        return "", []
    header = unfinished.table
    players = header.get("players") or {}
    who = [players.get(seat) or name(seat, lang) for seat in header["seats"]]
    day, _, clock = str(unfinished.at or "").partition("T")
    text = N_("{game}: {who} – move {count}, started {day} {clock}")
    game = titles.get(header["game"], header["game"])
    line = tr(text, lang, game=game, who=listed(who, lang), count=unfinished.events, day=day, clock=clock[:5])
    return line, header["seats"]
