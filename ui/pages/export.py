"""A finished game as other programs read it: a table of the scores, a play for BG Stats and its link, a picture."""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from io import StringIO
from struct import pack
from urllib.parse import quote

from companion.words import name
from ui.pages import goback
from ui.pages.end import chart, place
from ui.table.moment import Moment


def scores(m: Moment) -> str:
    """The result as CSV, a line a seat: place, seat, player, score and what the chart shows, step by step."""
    drawn = chart(m)
    lines = drawn.lines if drawn else dict.fromkeys(m.seats, ())
    steps = max(map(len, lines.values()))
    result = m.result
    rows: list[list[object]] = [["place", "seat", "player", "score", "from", *(f"step {n}" for n in range(steps))]]
    for seat in sorted(m.seats, key=lambda seat: result["places"][seat]):
        note = place(m, seat).note
        rows.append([result["places"][seat], seat, m.players.get(seat, ""), result["scores"][seat], note, *lines[seat]])
    return _table(rows)


FORMULA = tuple("=+-@\t\r\n＝＋－＠")
"""What a spreadsheet takes for the beginning of a formula. Source: OWASP, "CSV Injection"."""


def _table(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV. A text that begins like a formula has a quotation mark before it, so that none is run."""
    out = StringIO()
    table = csv.writer(out, lineterminator="\n")
    for row in rows:
        table.writerow([f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell for cell in row])
    return out.getvalue()


def last_word(m: Moment) -> str:
    """The table's decisions and the acts that were otherwise than reported, as CSV; "" where there were none."""
    word = goback.last_word(m)
    if not (word.decided or word.amended):
        return ""
    rows: list[list[object]] = [["act", "kind", "text"]]
    for kind, found in (("decision", word.decided), ("amendment", word.amended)):
        rows += ([act.number, kind, goback.telling(m, act).text] for act in found)
    return _table(rows)


def play(m: Moment, number: int, began: str | None, ended: datetime) -> str:
    """The play as BG Stats takes it from other programs, in JSON.

    Source: bgstatsapp.com, Support, "Push plays to BG Stats from other apps or websites". Every yes or no is
    written out, since the app on Android wants each; `playDate` is the end of the game in UTC; a game that is won or
    lost has no points.
    """
    return json.dumps(
        {
            "sourceName": "Tabularium",
            "sourcePlayId": f"{m.game.name}-{number}",
            "playDate": f"{ended.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
            **_lasted(began, ended),
            "board": ", ".join(f"{name}: {value}" for name, value in m.options.items()),
            "game": {
                "name": m.game.title,
                "sourceGameId": m.game.name,
                "highestWins": True,
                "noPoints": m.game.series == "twice",  # won or lost
            },
            "players": [_player(m, seat) for seat in m.seats],
        },
        ensure_ascii=False,
        indent=1,
    )


LINK = "https://app.bgstatsapp.com/createPlay.html?data="
"""What BG Stats opens: the play in JSON as its data. It takes plays in no other way."""
SPARE = ("durationMin", "board", "role", "rank")
"""What it can do without, of a play and of a player."""


def page(title: str, play: str) -> str:
    """A page with the link that BG Stats opens."""
    data = quote(json.dumps(json.loads(play), ensure_ascii=False, separators=(",", ":")), safe="")
    link = LINK + data
    return f'<!doctype html>\n<meta charset="utf-8">\n<title>{title}</title>\n<a href="{link}">{title}: BG Stats</a>\n'


def short(play: str) -> str:
    """The link with nothing in it that can be left out, for a QR code."""

    def needed(found: dict[str, object]) -> dict[str, object]:
        return {key: value for key, value in found.items() if key not in SPARE}

    data = json.loads(play, object_hook=needed)
    return LINK + quote(json.dumps(data, ensure_ascii=False, separators=(",", ":")), safe=":,")


def _lasted(began: str | None, ended: datetime) -> dict[str, int]:
    if not began:
        return {}
    return {"durationMin": round((ended - datetime.fromisoformat(began)).total_seconds() / 60)}


def _player(m: Moment, seat: str) -> dict[str, object]:
    result = m.result
    colour = name(seat, m.lang)
    called = m.players.get(seat) or colour
    return {
        "name": called,
        "sourcePlayerId": called.casefold(),
        "role": colour,
        "rank": result["places"][seat],
        **({} if m.game.series == "twice" else {"score": result["scores"][seat]}),
        "winner": seat in result["winners"],
        "startPlayer": seat == m.seats[0],
    }


def png(width: int, height: int, rgba: bytes) -> bytes:
    """A picture as a PNG file; `rgba` is its rows from the top down."""
    stride = width * 4
    rows = b"".join(b"\0" + rgba[at : at + stride] for at in range(0, height * stride, stride))
    head = pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    chunks = b"".join(pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data)) for kind, data in parts)
    return b"\x89PNG\r\n\x1a\n" + chunks
