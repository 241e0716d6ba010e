"""A new game as it is put together: who sits where, and by which rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games import guide_of
from companion.rules import N_, AnyGame, Option
from companion.rules.data import Data
from companion.rules.vocabulary import value_word
from companion.rules.words import name, title, tr, words
from ui.games.face import face_of


@dataclass(frozen=True, slots=True)
class TableDraft:
    """The table so far; `seats` clockwise, the first one starts."""

    game: AnyGame
    seats: tuple[str, ...] = ()
    players: Mapping[str, str] = field(default_factory=dict)
    options: Data = field(default_factory=dict)
    reveal: str = "fists"
    teach: bool = False
    """It is a first game, and is explained while it is played."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat, clockwise: who takes it."""

    seat: str
    text: str
    fixed: bool
    """The game cannot do without it."""
    ear: bool = False
    """It has an earphone of its own."""


@dataclass(frozen=True, slots=True)
class Setting:
    """An option with its values as words; `off` says what it needs first."""

    name: str
    text: str
    values: Sequence[tuple[object, str, bool]]
    off: bool


def draft(games: Sequence[AnyGame], last: Data | None, reveal: str = "fists") -> TableDraft:
    """The last table again, or an empty one for the first game there is."""
    game = next((game for game in games if last and last.get("game") == game.name), None)
    if not last or game is None:
        return TableDraft(games[0], games[0].fixed or (), reveal=reveal)
    seats = tuple(seat for seat in last.get("seats", ()) if seat in game.colours)
    known = {option.name: option for option in game.options}
    options = {key: value for key, value in (last.get("options") or {}).items() if key in known}
    players = {seat: player for seat, player in (last.get("players") or {}).items() if seat in seats}
    return TableDraft(game, seats, players, options, last.get("reveal") or reveal)


def play(d: TableDraft, game: AnyGame) -> TableDraft:
    """Another game for the same people: those whose colours it has keep them, the others take what is free."""
    if game.fixed:
        players = {seat: player for seat, player in d.players.items() if seat in game.fixed}
        rest = [d.players[seat] for seat in d.seats if seat in d.players and seat not in players]
        free = [seat for seat in game.fixed if seat not in players]
        return TableDraft(
            game, game.fixed, players | dict(zip(free, rest, strict=False)), reveal=d.reveal, teach=d.teach
        )
    seats = [seat for seat in d.seats if seat in game.colours][: game.seats[-1]]
    players = {seat: player for seat, player in d.players.items() if seat in seats}
    return TableDraft(game, tuple(seats), players, reveal=d.reveal, teach=d.teach)


def known(d: TableDraft, colours: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Who has played here and does not sit yet, with the colour to take: the last one, or the first that is free."""
    free = [seat for seat in d.game.colours if seat not in (d.players if d.game.fixed else d.seats)]
    missing = [(player, seat) for player, seat in colours.items() if player not in d.players.values()]
    if not free or (len(d.seats) == d.game.seats[-1] and not d.game.fixed):
        return []
    return [(player, seat if seat in free else free[0]) for player, seat in missing]


def sit(d: TableDraft, seat: str) -> TableDraft:
    """The next chair clockwise is this colour's."""
    full = len(d.seats) == d.game.seats[-1]
    return d if seat in d.seats or full else replace(d, seats=(*d.seats, seat))


def stand(d: TableDraft, seat: str) -> TableDraft:
    """The colour leaves the table."""
    left = {other: player for other, player in d.players.items() if other != seat}
    return replace(d, seats=tuple(other for other in d.seats if other != seat), players=left)


def call(d: TableDraft, seat: str, player: str) -> TableDraft:
    """Names who plays a colour; "" is nobody in particular."""
    others = {other: known for other, known in d.players.items() if other != seat}
    return replace(d, players=others | ({seat: player} if player else {}))


def choose(d: TableDraft, option: str, value: object) -> TableDraft:
    """Sets an option; those that needed another value go back to their own."""
    options = {**d.options, option: value}
    for other in d.game.options:
        if other.needs and options.get(other.needs[0], _default(d.game, other.needs[0])) != other.needs[1]:
            options.pop(other.name, None)
    return replace(d, options=options)


def ready(d: TableDraft) -> bool:
    return len(d.seats) in d.game.seats


def taught(d: TableDraft) -> bool:
    """Somebody has written a first game for it."""
    return bool(guide_of(d.game.name).lessons)


def header(d: TableDraft) -> dict[str, object]:
    """The game's header, as a transcript writes it."""
    return {
        "tabularium": 1,
        "game": d.game.name,
        "seats": list(d.seats),
        "options": dict(d.options),
        "players": dict(d.players),
        **({"reveal": d.reveal} if d.game.sealed else {}),  # else it means nothing, and the table's own will do
    }


def chairs(d: TableDraft, lang: str, ears: Collection[str] = ()) -> Sequence[Chair]:
    """The seats in order; `ears` have an earphone, whoever sits there."""
    return [Chair(seat, called(d, seat, lang), bool(d.game.fixed), seat in ears) for seat in d.seats]


def called(d: TableDraft, seat: str, lang: str) -> str:
    """Who plays it, or its colour; and what side that is, where the game has sides."""
    who, side = d.players.get(seat) or name(seat, lang), face_of(d.game.name).sides.get(seat, "")
    return tr(N_("{name}: {side}"), lang, name=words(who, lang), side=words(tr(side, lang), lang)) if side else who


def colours(d: TableDraft, lang: str) -> Sequence[tuple[str, str, bool]]:
    """The game's colours by their names, each with whether it can be taken: one that is taken stays where it was."""
    full = len(d.seats) == d.game.seats[-1]
    return (
        [] if d.game.fixed else [(name(seat, lang), seat, not full and seat not in d.seats) for seat in d.game.colours]
    )


def players(game: AnyGame) -> str:
    """For how many it is: "3–7"."""
    few, many = game.seats[0], game.seats[-1]
    return f"{few}–{many}" if few != many else str(few)


def first(d: TableDraft, seat: str) -> TableDraft:
    """This seat begins, and the others follow clockwise."""
    at = d.seats.index(seat)
    return replace(d, seats=(*d.seats[at:], *d.seats[:at]))


def drawn(d: TableDraft, seat: str, lang: str) -> str:
    """Who has been drawn to begin."""
    return tr(N_("{name} begins, by lot."), lang, name=words(d.players.get(seat) or name(seat, lang), lang))


def count(d: TableDraft, lang: str) -> str:
    """What is still missing before the game can begin."""
    few, many = d.game.seats[0], d.game.seats[-1]
    if len(d.seats) < few:
        named, minutes = title(d.game, lang), guide_of(d.game.name).minutes
        if minutes:
            named = tr(N_("{game} ({minutes} minutes)"), lang, game=words(named, lang), minutes=minutes)
        return tr(N_("{game} is for {few} to {many} players: tap colours clockwise round the table."), lang,
                  game=words(named, lang), few=few, many=many)  # fmt: skip
    told = tr(N_("{count} players, clockwise. The first one starts."), lang, count=len(d.seats))
    spare = guide_of(d.game.name).spare
    if spare and spare.facts["colour"] in d.seats and len(d.seats) < many:
        return tr(spare.text, lang, colour=words(name(spare.facts["colour"], lang), lang))
    return told


def choices(d: TableDraft, lang: str) -> Sequence[Setting]:
    """Every option of the game with its explanation."""
    return [_choice(d, option, lang) for option in d.game.options]


def _choice(d: TableDraft, option: Option, lang: str) -> Setting:
    current = d.options.get(option.name, option.default)
    needs = option.needs
    off = bool(needs) and d.options.get(needs[0], _default(d.game, needs[0])) != needs[1] if needs else False
    values = [(value, tr(value_word(value), lang), value == current) for value in option.values]
    return Setting(option.name, tr(option.text, lang), values, off)


def _default(game: AnyGame, name: str) -> object:
    return next(option.default for option in game.options if option.name == name)
