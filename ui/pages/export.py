"""A finished game for other programs: a table of the scores, a play for BG Stats and its link, a picture."""

from __future__ import annotations

import json
import zlib
from datetime import datetime
from struct import pack
from urllib.parse import quote

from companion.dialogues.table_draft import TableDraft
from companion.record.bgstats import LINK, SPARE, BgPlay, data, link
from companion.record.spreadsheet import table
from companion.rules.words import name, tr
from ui.games.face import face_of
from ui.pages import goback
from ui.pages.end import chart, place
from ui.pages.new_game import choices
from ui.table.moment import Moment


def scores(m: Moment, play: str) -> bytes:
    """Return the result as CSV, a line per seat.

    Columns: place, seat, player, score, its source, the play's id, and the chart's values step by step.
    """
    drawn = chart(m)
    lines = drawn.lines if drawn else dict.fromkeys(m.seats, ())
    steps = max(map(len, lines.values()))
    result = m.result
    rows: list[list[object]] = [
        ["place", "seat", "player", "score", "from", "play", *(f"step {n}" for n in range(steps))]
    ]
    for seat in sorted(m.seats, key=lambda seat: result["places"][seat]):
        note = place(m, seat).note
        named = seat, m.players.get(seat, "")
        rows.append([result["places"][seat], *named, result["scores"][seat], note, play, *lines[seat]])
    return table(rows, m.lang)


def last_word(m: Moment) -> bytes:
    """Return the table's decisions and amended acts as CSV; empty if there were none."""
    word = goback.last_word(m)
    if not (word.decided or word.amended):
        return b""
    rows: list[list[object]] = [["act", "kind", "text", "reported"]]
    rows += [[act.number, "decision", goback.telling(m, act).text, ""] for act in word.decided]
    for was, now in word.amended:
        reported, stands = goback.became(m, was, now)
        rows.append([now.number, "amendment", stands, reported])
    return table(rows, m.lang)


def play(m: Moment, play: str, began: datetime, seconds: float | None) -> str:
    """Return the play with this id as JSON for BG Stats; it was played for this many seconds."""
    sides = face_of(m.game.name).sides
    roles = {seat: tr(sides[seat], m.lang) if seat in sides else name(seat, m.lang) for seat in m.seats}
    called = {seat: m.players.get(seat) or name(seat, m.lang) for seat in m.seats}
    told = BgPlay(play, m.game, rules(m), m.seats, called, roles, m.result, began, seconds)
    return json.dumps(data(told), ensure_ascii=False, indent=1)


def rules(m: Moment) -> str:
    """Return the chosen rules in words, without the usual ones."""
    settings = choices(TableDraft(m.game, tuple(m.seats), options=m.options), m.lang)
    usual = {option.name: option.default for option in m.game.options}
    chosen = ((setting, value, words) for setting in settings for value, words, now in setting.values if now)
    return " ".join(
        setting.text if isinstance(value, bool) else f"{setting.text} ({words})"
        for setting, value, words in chosen
        if value != usual[setting.name]
    )


def page(title: str, play: str) -> str:
    """Return an HTML page with the link that BG Stats opens."""
    href = link(json.loads(play))
    return f'<!doctype html>\n<meta charset="utf-8">\n<title>{title}</title>\n<a href="{href}">{title}: BG Stats</a>\n'


def short(play: str) -> str:
    """Return the shortest link, for a QR code."""

    def needed(found: dict[str, object]) -> dict[str, object]:
        return {key: value for key, value in found.items() if key not in SPARE}

    spare = json.loads(play, object_hook=needed)
    return LINK + quote(json.dumps(spare, ensure_ascii=False, separators=(",", ":")), safe=":,")


def cropped(size: tuple[int, int], rgba: bytes, box: tuple[int, int, int, int]) -> tuple[int, int, bytes]:
    """Return width, height and pixels of a part of a picture.

    The box is left, top, right and bottom, counted from the top left.
    """
    left, top, right, bottom = box
    rows = (rgba[(at * size[0] + left) * 4 : (at * size[0] + right) * 4] for at in range(top, bottom))
    return right - left, bottom - top, b"".join(rows)


def png(width: int, height: int, rgba: bytes) -> bytes:
    """Return a picture as a PNG file; `rgba` holds its rows from the top down."""
    stride = width * 4
    rows = b"".join(b"\0" + rgba[at : at + stride] for at in range(0, height * stride, stride))
    head = pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    chunks = b"".join(pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data)) for kind, data in parts)
    return b"\x89PNG\r\n\x1a\n" + chunks
