"""Several games at one sitting: the standings so far, and the seating for the next game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from companion.record.transcript import Header
from companion.rules import Seat, left_of, number
from companion.rules.views import Result

Finished = tuple[Header, Result]
"""A finished game: its header and its result."""


def series(game: str, finished: Sequence[Finished]) -> dict[str, Any]:
    """Return the series line of a transcript.

    Scores go by player where every header names everybody, else by seat. The games' scores are added up (M-18, S-13),
    or the first to win twice running leads (H-17). In all other games the number of games won counts, and a shared
    victory counts for each.
    """
    named = all(_all_have_names(header) for header, _ in finished)
    scores: dict[str, Fraction] = {}
    for header, result in finished:
        for seat in header.seats:
            who = header.players[seat] if named else seat
            points = result["scores"][seat] if header.game.series == "scores" else seat in result["winners"]
            scores[who] = scores.get(who, Fraction(0)) + Fraction(points)
    best = [who for who, score in scores.items() if score == max(scores.values())]
    leader = best[0] if len(best) == 1 else None
    if finished and finished[0][0].game.series == "twice":
        leader = twice_running(finished) if named else None
    return {
        "game": game,
        "games": len(finished),
        "scores": {who: number(score) for who, score in scores.items()},
        "winner": leader,
    }


def _all_have_names(header: Header) -> bool:
    return set(header.players) == set(header.seats) and len(set(header.players.values())) == len(header.seats)


def lasting(headers: Sequence[Header]) -> Mapping[Seat, str]:
    """Return the players who kept their seat in all of these games: what a seat has won is theirs."""
    *earlier, last = headers
    return {seat: who for seat, who in last.players.items() if all(h.players.get(seat) == who for h in earlier)}


def twice_running(finished: Sequence[Finished]) -> str | None:
    """Return the player who has won two games in a row, None without one; a draw breaks the run (H-17)."""
    before: str | None = None
    for header, result in finished:
        winner = header.players[result["winners"][0]] if result["winners"] else None
        if winner and winner == before:
            return winner
        before = winner
    return None


@dataclass(slots=True)
class Played:
    """A game of a sitting: its number in the store, and its result once it is over."""

    number: int
    header: Header
    result: Result | None = None


class Sitting:
    """The games of a sitting; those of one kind are a series, in the order they were begun."""

    def __init__(self) -> None:
        self._series: dict[str, list[Played]] = {}

    def last(self, game: str) -> int | None:
        """Return the number of the game that a new one follows, None where it begins a series."""
        return self._series[game][-1].number if game in self._series and not self.over(game) else None

    def begin(self, number: int, header: Header) -> None:
        """Add a new game, which continues the series or, where that is over, begins another."""
        game = header.game.name
        if self.last(game) is None:
            self._series[game] = []
        self._series[game].append(Played(number, header))

    def part(self, game: str) -> None:
        """Make the next game of this kind begin a series."""
        self._series.pop(game, None)

    def take_up(self, earlier: Iterable[Played], number: int, header: Header) -> None:
        """Continue the series of a game of another evening, given with the games before it."""
        self._series[header.game.name] = [*earlier, Played(number, header)]

    def forget(self, number: int) -> None:
        """Remove this game from its series."""
        for game, played in list(self._series.items()):
            left = [of for of in played if of.number != number]
            self._series[game] = left
            if not left:
                self.part(game)

    def end(self, game: str, result: Result | None) -> None:
        """Set the result of the latest game of this kind; None reopens the game."""
        self._series[game][-1].result = result

    def line(self, game: str) -> dict[str, Any]:
        """Return the standings of this kind's games, as a transcript's series line."""
        return series(game, self._finished_games(game))

    def next_table(self, game: str) -> dict[str, Any] | None:
        """Return the next game of a series as a header; None where no finished game of this kind is followed by one."""
        played = self._series.get(game)
        return next_table(played[-1].header) if played and played[-1].result and not self.over(game) else None

    def players(self, game: str) -> Mapping[Seat, str]:
        """Return the players of this kind's games who have kept their seat."""
        return lasting([played.header for played in self._series[game]])

    def length(self, game: str) -> int:
        """Return how many games of this kind have been begun in a row."""
        return len(self._series.get(game, ()))

    def over(self, game: str) -> bool:
        """Return whether somebody has won twice running, where that ends the series."""
        finished = self._finished_games(game)
        return bool(finished) and finished[0][0].game.series == "twice" and self.line(game)["winner"] is not None

    def _finished_games(self, game: str) -> list[Finished]:
        return [(played.header, played.result) for played in self._series.get(game, ()) if played.result]


def next_table(header: Header) -> dict[str, Any]:
    """Return the next game of a series in the form of a transcript's header, with the same players.

    The next seat clockwise is first (M-18, S-13), or the sides are swapped (H-17). In all other games everybody stays.
    """
    seats, players = list(header.seats), dict(header.players)
    if header.game.series == "scores":
        seats = [*seats[1:], seats[0]]
    elif header.game.series == "twice":
        players = {left_of(seats, seat): player for seat, player in players.items()}
    return {
        "tabularium": 1,
        "game": header.game.name,
        "seats": seats,
        "options": dict(header.options),
        "players": players,
        "reveal": header.reveal,
    }
