"""The end of a game: places, scores, and how it came to that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from companion.rules import N_, plural
from companion.rules.data import Data
from companion.rules.dates import day
from companion.rules.words import Tongue
from ui.games.face import face_of
from ui.games.parts.ending import ScorePart
from ui.table.frame import About, about
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Placing:
    """One seat at the end."""

    seat: str
    place: str
    name: str
    shorter: tuple[str, ...]
    """The name in fewer letters, the longest first."""
    score: str
    note: str
    wins: bool
    parts: Sequence[ScorePart] = ()
    """The parts of the score; where there are none, the note says it."""
    about: About = ("", None)
    """The question about the score."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A line a seat over the rounds; `top` is the highest value on it."""

    title: str
    lines: Mapping[str, Sequence[int]]
    top: int


@dataclass(frozen=True, slots=True)
class End:
    title: str
    places: Sequence[Placing]
    chart: Chart | None
    note: str
    why: Sequence[str] = ()
    """What the winners' scores came from, in one sentence each."""
    most: float = 1
    """The highest sum of a seat's parts, which fills the room there is for them."""


def end(m: Moment) -> End:
    """Return the result. Needs a game that is over."""
    result = m.result
    confirmed = not result["unconfirmed_board"] or (m.board or {}).get("confirmed")
    places = [place(m, seat) for seat in sorted(m.seats, key=lambda seat: result["places"][seat])]
    return End(
        m.say(won(result["winners"]), seats=result["winners"]),
        places,
        chart(m),
        m.say(N_("Values not yet checked against your board.")) if not confirmed else "",
        [text for seat in result["winners"] if (text := face_of(m.game.name).why_won(m, seat))],
        max(1.0, *(sum(abs(part.value) for part in each.parts) for each in places)),
    )


def played(m: Moment, began: date, seconds: float | None) -> Sequence[str]:
    """Return what was played: "Prokonsul · 25 Nov 2026 · 4 players · 21 rounds · 68 min", and that in fewer words."""
    minutes = max(1, round(seconds / 60)) if seconds is not None else 0
    lasted = [m.say(N_("{count} min"), count=minutes)] if minutes else []
    players = m.say(plural("{count} player", "{count} players"), count=len(m.seats))
    first, length = [m.title, day(began, m.lang)], face_of(m.game.name).length(m)
    return [
        " · ".join(parts)
        for parts in ([*first, players, length, *lasted], [*first, length, *lasted], [*first, length], first)
    ]


def won(winners: Sequence[str]) -> str:
    """Return the template for this many winners."""
    if not winners:
        return N_("Nobody wins")
    return N_("{seats} wins") if len(winners) == 1 else N_("{seats} share the victory")


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody in the series: by name where everybody has one, else by seat; `seat` is today's colour, if any."""

    seat: str
    name: str
    score: str
    leads: bool


@dataclass(frozen=True, slots=True)
class Series:
    """The series after its games so far; `over` once it is decided."""

    title: str
    rule: str
    standings: Sequence[Standing]
    over: bool


COUNTS = {
    "scores": N_("The scores of all games are added up; the next player clockwise starts the next game."),
    "wins": N_("Games won are counted; a shared victory counts for each winner."),
    "twice": N_("The first to win two games in a row wins the series; players swap sides after each game."),
}
"""By how a game's series is counted: what decides it."""


def series_so_far(m: Moment, series: Data, over: bool = False, players: Mapping[str, str] | None = None) -> Series:
    """Return the standings of this evening's series.

    `players` have kept their seats all along; None means the players of today's game.
    """
    tongue = m.tongue if players is None else Tongue(m.lang, players)
    won = over and series["winner"]
    title = N_("{winner} has won the series after {games} games") if won else N_("The series after {games} games")
    if series["games"] == 1 and not won:
        title = N_("The series after the first game")
    seats = {player: seat for seat, player in m.players.items()}
    standings = [
        Standing(
            seats.get(who, who if who in m.seats else ""),
            tongue.player(who),
            tongue.phrase(score),
            who == series["winner"],
        )
        for who, score in sorted(series["scores"].items(), key=lambda each: -each[1])
    ]
    winner = tongue.player(series["winner"]) if won else None
    text = m.say(title, games=series["games"], winner=winner)
    return Series(text, m.say(COUNTS[m.game.series]), standings, bool(won))


def place(m: Moment, seat: str) -> Placing:
    result, face = m.result, face_of(m.game.name)
    parts = [part for part in face.parts(m, seat) if part.value or part.always]
    return Placing(
        seat,
        str(result["places"][seat]),
        m.name(seat),
        m.short_names[seat],
        "" if m.game.series == "twice" else m.tongue.phrase(result["scores"][seat]),  # won or lost
        "" if parts else face.breakdown(m, seat),
        seat in result["winners"],
        parts,
        about(m, face.number(m, seat), seat),
    )


def chart(m: Moment) -> Chart | None:
    """Return how the game went: each seat's public value over the rounds; None if nothing was counted."""
    found = face_of(m.game.name).chart(m)
    if not found:
        return None
    title, lines = found
    return Chart(m.say(title), lines, max(1, *(max(line) for line in lines.values())))
