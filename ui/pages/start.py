"""The start page's texts about a game that waits to be continued."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.record.store.history import GameRow
from companion.rules import N_
from companion.rules.words import Tongue


def waiting(unfinished: GameRow | None, lang: str, titles: dict[str, str]) -> tuple[str, list[str]]:
    """Return a line about the unfinished game, and its seats; ("", []) if there is none."""
    if unfinished is None:
        return "", []
    header = unfinished.table
    tongue = Tongue(lang, header.get("players") or {})
    day, _, clock = str(unfinished.at or "").partition("T")
    text = N_("{game}: {who} – move {count}, started {day} {clock}")
    game = titles.get(header["game"], header["game"])
    line = tongue.tr(text, game=game, who=header["seats"], count=unfinished.events, day=day, clock=clock[:5])
    return line, header["seats"]


ARRIVED: Mapping[str, str] = {
    "reader": N_("A card reader was plugged in: use it?"),
    "buttons": N_("Buttons were plugged in: use them?"),
    "board": N_("A board was plugged in: use it?"),
}
SEVERAL = N_("New devices were plugged in: use them?")


def plugged(arrived: Collection[str]) -> str:
    """Return the question about newly plugged-in devices; "" for none."""
    found = [text for sort, text in ARRIVED.items() if sort in arrived]
    return SEVERAL if len(found) > 1 else found[0] if found else ""
