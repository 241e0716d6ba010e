"""A new game as it is put together, by screen and by ear: who sits where, and by which rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games import guide_of, speech_of
from companion.record.transcript import read_header
from companion.rules import N_, AnyGame, Option, Seat
from companion.rules.data import Data
from companion.rules.mistakes import Mistakes
from companion.rules.vocabulary import value_word

REVEAL = N_("Cards are revealed when all let go of their buttons together, or at once when the last card is down.")
PRINTED, VARIED, HELPED = N_("Begin as printed"), N_("Begin with variants"), N_("Begin, with help")
REVEALS = {"fists": N_("fists"), "auto": N_("at once")}


@dataclass(frozen=True, slots=True)
class TableDraft:
    """The table so far; `seats` clockwise, the first one starts."""

    game: AnyGame
    seats: tuple[str, ...] = ()
    players: Mapping[str, str] = field(default_factory=dict)
    options: Data = field(default_factory=dict)
    reveal: str = "fists"


def draft(games: Sequence[AnyGame], last: Data | None, reveal: str = "fists") -> TableDraft:
    """Return the last table again, or an empty one for the first game there is."""
    game = next((game for game in games if last and last.get("game") == game.name), None)
    if not last or game is None:
        return TableDraft(games[0], games[0].fixed or (), reveal=reveal)
    seats = tuple(seat for seat in last.get("seats", ()) if seat in game.colours)
    known = {option.name: option for option in game.options}
    options = {key: value for key, value in (last.get("options") or {}).items() if key in known}
    players = {seat: player for seat, player in (last.get("players") or {}).items() if seat in seats}
    return TableDraft(game, seats, players, options, last.get("reveal") or reveal)


def of(game: AnyGame, count: int, before: Collection[Seat] = ()) -> TableDraft:
    """Return a table for so many: these seats `before` all others, and last the colour whose pieces are neutrals."""
    spare = guide_of(game.name).spare
    last = spare.facts["colour"] if spare else None
    colours = sorted(game.colours, key=lambda seat: (seat not in before, seat == last))
    return TableDraft(game, game.fixed or tuple(colours[:count]))


def again(game: AnyGame, last: Data | None) -> Data | None:
    """Return the header of this game for the players of last time, None where they cannot play it.

    The game of last time keeps its rules.
    """
    if not last:
        return None
    table = {"tabularium": 1, "game": game.name, "seats": last["seats"], "players": last["players"]}
    if game.name == last["game"]:
        table |= {"options": last["options"], "reveal": last["reveal"]}
    try:
        read_header(table)
    except Mistakes:
        return None
    return table


def play(d: TableDraft, game: AnyGame) -> TableDraft:
    """Return the table with another game for the same people.

    Players keep their colours where the game has them; the others take what is free, as long as there is room.
    """
    people = [seat for seat in d.seats if seat in d.players] if game.fixed else d.seats
    free = iter([seat for seat in game.colours if seat not in people])
    moved = {seat: seat if seat in game.colours else next(free, "") for seat in people[: game.seats[-1]]}
    seats = game.fixed or tuple(filter(None, moved.values()))
    players = {moved[seat]: player for seat, player in d.players.items() if moved.get(seat) in seats}
    return TableDraft(game, seats, players, reveal=d.reveal)


def known(d: TableDraft, colours: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Return the players who have played here and do not sit yet, with their last colour or the first that is free."""
    free = [seat for seat in d.game.colours if seat not in (d.players if d.game.fixed else d.seats)]
    missing = [(player, seat) for player, seat in colours.items() if player not in d.players.values()]
    if not free or (len(d.seats) == d.game.seats[-1] and not d.game.fixed):
        return []
    return [(player, seat if seat in free else free[0]) for player, seat in missing]


def sit(d: TableDraft, seat: str) -> TableDraft:
    """Give this colour the next chair clockwise."""
    full = len(d.seats) == d.game.seats[-1]
    return d if seat in d.seats or full else replace(d, seats=(*d.seats, seat))


def stand(d: TableDraft, seat: str) -> TableDraft:
    """Remove a colour from the table."""
    left = {other: player for other, player in d.players.items() if other != seat}
    return replace(d, seats=tuple(other for other in d.seats if other != seat), players=left)


def call(d: TableDraft, seat: str, player: str) -> TableDraft:
    """Name the player of a colour; "" is nobody in particular."""
    others = {other: known for other, known in d.players.items() if other != seat}
    return replace(d, players=others | ({seat: player} if player else {}))


def choose(d: TableDraft, option: str, value: object) -> TableDraft:
    """Set an option; options that needed another value go back to their own."""
    options = {**d.options, option: value}
    for other in d.game.options:
        if other.needs and _chosen(options, d.game, other.needs[0]) != other.needs[1]:
            options.pop(other.name, None)
    return replace(d, options=options)


def first(d: TableDraft, seat: str) -> TableDraft:
    """Let this seat begin; the others follow clockwise."""
    at = d.seats.index(seat)
    return replace(d, seats=(*d.seats[at:], *d.seats[:at]))


def ready(d: TableDraft) -> bool:
    return len(d.seats) in d.game.seats


def taught(d: TableDraft) -> bool:
    """Return whether the game has lessons for a first game."""
    return bool(guide_of(d.game.name).lessons)


def varied(d: TableDraft) -> bool:
    """Return whether another rule than the printed one is chosen."""
    return any(chosen(d, option) != option.default for option in d.game.options)


def ways(d: TableDraft, new: bool) -> Sequence[tuple[str, bool]]:
    """Return the ways to begin, the expected one first: each in words, and whether the game is explained.

    People who are `new` here are expected to want help.
    """
    found = [(VARIED if varied(d) else PRINTED, False)]
    if taught(d):
        found.insert(0 if new else 1, (HELPED, True))
    return found


def header(d: TableDraft) -> dict[str, object]:
    """Return the game's header, as a transcript writes it."""
    return {
        "tabularium": 1,
        "game": d.game.name,
        "seats": list(d.seats),
        "options": dict(d.options),
        "players": dict(d.players),
        **({"reveal": d.reveal} if d.game.sealed else {}),  # else it means nothing, and the table's own will do
    }


def chosen(d: TableDraft, option: Option) -> object:
    """Return the value of an option, its default where none was chosen."""
    return d.options.get(option.name, option.default)


def applies(d: TableDraft, option: Option) -> bool:
    """Return whether an option that needs a value of another one has it."""
    return not option.needs or _chosen(d.options, d.game, option.needs[0]) == option.needs[1]


def needed(d: TableDraft, option: Option) -> tuple[str, str, str] | None:
    """Return what a greyed option is called, and the option with the value that it needs; None where it applies."""
    if not option.needs or applies(d, option):
        return None
    speech, (name, value) = speech_of(d.game.name).options, option.needs
    other = next(other for other in d.game.options if other.name == name)
    called, needs = (speech[of.name].name if of.name in speech else of.text.rstrip(".") for of in (option, other))
    return called, needs, (speech[name].words if name in speech else {}).get(value, value_word(value))


def _chosen(options: Data, game: AnyGame, name: str) -> object:
    return options.get(name, next(option.default for option in game.options if option.name == name))
