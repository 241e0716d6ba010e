"""What the start page says about a game that waits to be continued."""

from __future__ import annotations

from companion.record.store.history import GameRow
from companion.rules import N_
from companion.rules.words import Tongue


def waiting(unfinished: GameRow | None, lang: str, titles: dict[str, str]) -> tuple[str, list[str]]:
    """One line about the unfinished game, and the seats of it; ("", []) where there is none."""
    if unfinished is None:
        return "", []
    header = unfinished.table
    tongue = Tongue(lang, header.get("players") or {})
    day, _, clock = str(unfinished.at or "").partition("T")
    text = N_("{game}: {who} – act {count}, started {day} {clock}")
    game = titles.get(header["game"], header["game"])
    line = tongue.tr(text, game=game, who=header["seats"], count=unfinished.events, day=day, clock=clock[:5])
    return line, header["seats"]
