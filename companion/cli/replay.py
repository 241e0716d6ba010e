"""Replay of a transcript, line by line, with the same code as live play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion import games
from companion.games import position_of
from companion.play.series import Finished, lasting, series, twice_running
from companion.play.table import Table
from companion.record.transcript import Header, Line, TranscriptEntry, event_data, parse, read_line
from companion.rules import N_, Ruling, Seat, as_json
from companion.rules.data import Data
from companion.rules.mistakes import Mistake, Mistakes
from companion.rules.readings import Press, Reading
from companion.rules.vocabulary import value_word
from companion.rules.words import Tongue, title
from companion.session import Session
from companion.session.receipt import Receipt
from companion.system import limits


class TranscriptError(ValueError):
    """The mistakes in a transcript, each as "FILE:LINE: …"."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One line of a transcript as it was played."""

    line: int
    header: Header
    session: Session
    receipts: Sequence[Receipt]
    opening: bool = False
    """The line is the game's header."""

    @property
    def ok(self) -> bool:
        return all(receipt.ok for receipt in self.receipts)


def read(path: Path, until: int | None = None) -> tuple[list[tuple[int, Line]], list[tuple[int, str]]]:
    """Return a transcript's lines up to number `until`, and all its mistakes; numbers start at 1."""
    lines: list[tuple[int, Line]] = []
    mistakes: list[tuple[int, str]] = []
    header: Header | None = None
    skipping, clock = False, 0  # after a broken header nothing can be said of its events
    text = limits.content(path, limits.TRANSCRIPT).removeprefix(b"\xef\xbb\xbf").removesuffix(b"\n")
    if (count := text.count(b"\n") + 1) > limits.LINES:
        return [], [(limits.LINES, f"a transcript has at most {limits.LINES:,} lines, not {count:,}")]
    written = text.split(b"\n")
    if until is not None and not 1 <= until <= len(written):
        return [], [(until, f"there is no such line: the file has {len(written)}")]
    for number, raw in enumerate(written[:until], start=1):
        if len(mistakes) > limits.MANY:
            break
        text = raw.strip()
        if not text or text.startswith(b"#"):
            continue
        try:
            data = parse(text)
            if "tabularium" in data:
                skipping, clock = True, 0
            elif skipping:
                continue
            line = read_line(data, header)
            if isinstance(line, Header):
                line = _same_game(line, header)
                header, skipping = line, False
            elif isinstance(line, Reading | Press):
                clock = _onward(line.t, clock)
        except Mistakes as found:
            mistakes += ((number, mistake.what) for mistake in found.found)
            skipping = skipping or header is None
        else:
            lines.append((number, line))
    if not lines and not mistakes:
        mistakes.append((1, 'a transcript begins with its header: {"tabularium": 1, "game": …, "seats": […]}'))
    return lines, mistakes


def _same_game(header: Header, before: Header | None) -> Header:
    if before and header.game is not before.game:
        what = f"one file holds one kind of game: {before.game.name}, not {header.game.name}"
        raise Mistakes([Mistake(("game",), what)])
    return header


def _onward(t: int, clock: int) -> int:
    if t < clock:
        raise Mistakes([Mistake(("t",), f"t goes back from {clock} to {t}: the clock never goes back")])
    return t


def replay(path: Path, seat: Seat | None = None, until: int | None = None) -> Iterator[ReplayStep]:
    """Play the file step by step, up to the first line with a mistake; then raise TranscriptError with all mistakes.

    `seat` must sit in every game of the file: its secrets are asked for. With `until` the file ends with the line of
    that number.
    """
    try:
        lines, mistakes = read(path, until)
    except OSError as error:
        raise TranscriptError([f"{path}: {error.strerror}"]) from None
    for number, line in lines:
        if isinstance(line, Header) and seat is not None and seat not in line.seats:
            mistakes.append((number, f"{seat} has no seat in this game"))
    first_bad = min((number for number, _ in mistakes), default=None)
    table: Table | None = None
    header: Header | None = None
    tally = Tally()
    for number, line in lines:
        if first_bad is not None and number >= first_bad:
            break
        if isinstance(line, Header):
            wrong = tally.forbids(line)
            if wrong:
                mistakes.append((number, wrong))
                break
            header = line
            table = seated(header)
            step = ReplayStep(number, header, table.session, (), opening=True)
            tally.take(step)
            yield step
            continue
        assert table and header
        receipts = _feed(table, line)
        yield ReplayStep(number, header, table.session, receipts)
    if mistakes:
        raise TranscriptError([f"{path}:{number}: {what}" for number, what in sorted(mistakes)])


def seated(header: Header) -> Table:
    """Return a table for a game of a file."""
    session = Session(header.game, header.setup, position=header.position)
    if not header.ears:
        return Table(session, header.tags, header.reveal)
    from companion.ear.seats import AudioSeats  # few transcripts need it

    return Table(session, header.tags, header.reveal, ears=AudioSeats(session, header))


def _feed(table: Table, line: Line) -> Sequence[Receipt]:
    if isinstance(line, TranscriptEntry):
        return table.script(line.event, line.by, line.at)
    assert isinstance(line, Reading | Press)
    return table.feed(line)


# -- what comes out ---------------------------------------------------------------------------------------------


def ruling_data(ruling: Ruling, tongue: Tongue) -> dict[str, Any]:
    facts = {
        name: ruling_data(fact, tongue) if isinstance(fact, Ruling) else as_json(fact)
        for name, fact in ruling.facts.items()
    }
    data = {"code": ruling.code, "rule": ruling.rule, "text": tongue.say(ruling), "facts": facts}
    return data if ruling.seat is None else data | {"seat": ruling.seat}


def step_data(
    step: ReplayStep, lang: str = "en", seat: Seat | None = None, referee: bool = False, layout: bool = False
) -> dict[str, Any]:
    """Return a step as `replay --json` prints it.

    A line that made two events (an automatic reveal) names the second under `followed`.
    """
    events = [event_data(r.event, r.by, r.at) for r in step.receipts if r.event]
    rulings = [
        ruling for receipt in step.receipts for ruling in receipt.rulings if referee or ruling.seat in (None, seat)
    ]
    tongue = Tongue(lang, step.header.players)
    data: dict[str, Any] = {
        "line": step.line,
        "ok": step.ok,
        "event": events[0] if events else None,
        "number": next((receipt.number for receipt in step.receipts if receipt.number), None),
        "standing": step.session.standing,
        "rulings": [ruling_data(ruling, tongue) for ruling in rulings],
        "view": step.session.view(),
    }
    if events[1:]:
        data["followed"] = events[1:]
    if layout:
        data["layout"] = position_of(step.header.game.name).layout(step.session.view(), step.header.options)
    if seat is not None:
        data["private"] = step.session.view(seat)["private"]
    if referee:
        data["state"] = as_json(step.session.state)
    return data


def otherwise(header: Header, tongue: Tongue) -> Iterator[str]:
    """Yield the options that differ from their defaults, in words."""
    for option in header.game.options:
        value = header.options.get(option.name, option.default)
        if value != option.default:
            yield tongue.tr(option.text).rstrip(".。") if value is True else tongue.tr(value_word(value))


def sentences(step: ReplayStep, lang: str = "en", seat: Seat | None = None, referee: bool = False) -> Iterator[str]:
    """Yield a step as lines to read: the number of its line, what the referee says, and the clause."""
    tongue = Tongue(lang, step.header.players)
    if step.opening:
        options = tongue.listed([*otherwise(step.header, tongue)])
        with_them = f" ({options})" if options != "–" else ""
        yield f"{step.line:4}  {title(step.header.game, lang)}: {tongue.phrase(step.header.seats)}{with_them}"
    for receipt in step.receipts:
        for ruling in receipt.rulings:
            if referee or ruling.seat in (None, seat):
                mark = " " if receipt.ok else "✗"
                yield f"{step.line:4} {mark}{tongue.say(ruling)} ({ruling.rule})"


class Tally:
    """A count of a file's games, for the series line."""

    def __init__(self) -> None:
        self._games: list[ReplayStep] = []

    def take(self, step: ReplayStep) -> None:
        if step.opening:
            self._games.append(step)

    def _finished(self) -> list[Finished]:
        results = ((step.header, step.session.view()["result"]) for step in self._games)
        return [(header, result) for header, result in results if result]

    def forbids(self, header: Header) -> str | None:
        """Return why this game cannot follow those before it: a series knows its players, and its end (H-17)."""
        if header.game.series != "twice" or not self._games:
            return None
        if not all(set(played.players) == set(played.seats) for played in (self._games[0].header, header)):
            return "in a series of this game, every header must name both players"
        winner = twice_running(self._finished())
        return f"the series is over: {winner} has won twice running" if winner else None

    def line(self) -> Data | None:
        """Return the series line, None for a file of one game."""
        if len(self._games) < 2:
            return None
        return series(self._games[0].header.game.name, self._finished())

    def sentence(self, lang: str) -> str:
        """Return the series line as a sentence."""
        line = self.line()
        return series_sentence(line, Tongue(lang, lasting([step.header for step in self._games]))) if line else ""


def series_sentence(line: Data, tongue: Tongue) -> str:
    text = N_("After game {games}: {scores}.")
    if line["winner"]:
        text = N_("After game {games}: {scores}. {winner} is ahead.")
    if line["winner"] and games.game(line["game"]).series == "twice":
        text = N_("After game {games}: {scores}. {winner} has won twice running and wins the series.")
    scores = {tongue.player(who): score for who, score in line["scores"].items()}
    return tongue.tr(text, games=line["games"], scores=scores, winner=line["winner"] and tongue.player(line["winner"]))
