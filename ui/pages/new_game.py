"""A new game while it is being put together: who sits where, and by which rules."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from companion.dialogues import table_draft
from companion.dialogues.table_draft import TableDraft
from companion.games import guide_of
from companion.rules import N_, AnyGame, Option
from companion.rules.vocabulary import value_word
from companion.rules.words import name, title, tr, words
from ui.games.face import face_of


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat, clockwise: who takes it."""

    seat: str
    text: str
    fixed: bool
    """The game cannot do without it."""
    ear: bool = False
    """Whether it has a private earphone."""


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """An option with its values as words."""

    name: str
    text: str
    values: Sequence[tuple[object, str, bool]]
    off: bool
    """It needs a value of another option, and the text says which."""


def chairs(d: TableDraft, lang: str, ears: Collection[str] = ()) -> Sequence[Chair]:
    """Return the seats in order; `ears` are the seats with an earphone."""
    return [Chair(seat, called(d, seat, lang), bool(d.game.fixed), seat in ears) for seat in d.seats]


def called(d: TableDraft, seat: str, lang: str) -> str:
    """Return the player at a seat, else its colour; with the side, if the game has sides."""
    who, side = d.players.get(seat) or name(seat, lang), face_of(d.game.name).sides.get(seat, "")
    return tr(N_("{name}: {side}"), lang, name=words(who, lang), side=words(tr(side, lang), lang)) if side else who


def colours(d: TableDraft, lang: str) -> Sequence[tuple[str, str, bool]]:
    """Return the game's colours: name, seat and whether it is free; a taken one keeps its place."""
    full = len(d.seats) == d.game.seats[-1]
    return (
        [] if d.game.fixed else [(name(seat, lang), seat, not full and seat not in d.seats) for seat in d.game.colours]
    )


def counts(d: TableDraft, lang: str) -> Sequence[tuple[str, int]]:
    """Return the numbers of players who can sit down at once at an empty table, each in words."""
    if d.seats:
        return []
    text = N_("{count} players")
    return [(tr(text, lang, count=count), count) for count in d.game.seats if count <= len(d.game.colours)]


def players(game: AnyGame) -> str:
    """Return the number of players as text: "3–7"."""
    few, many = game.seats[0], game.seats[-1]
    return f"{few}–{many}" if few != many else str(few)


def drawn(d: TableDraft, seat: str, lang: str) -> str:
    """Return who was drawn to begin."""
    return tr(N_("{name} begins, by lot."), lang, name=words(d.players.get(seat) or name(seat, lang), lang))


def count(d: TableDraft, lang: str) -> str:
    """Return what is missing before the game can begin, or how many players are seated."""
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


def choices(d: TableDraft, lang: str) -> Sequence[OptionChoice]:
    """Return every option of the game with its explanation."""
    return [_option_choice(d, option, lang) for option in d.game.options]


def _option_choice(d: TableDraft, option: Option, lang: str) -> OptionChoice:
    current = table_draft.chosen(d, option)
    values = [(value, tr(value_word(value), lang), value == current) for value in option.values]
    text, needed = tr(option.text, lang), table_draft.needed(d, option)
    if needed:
        called, name, value = (words(tr(of, lang), lang) for of in needed)
        text = tr(N_("{option}: only with “{needed}: {value}”."), lang, option=called, needed=name, value=value)
    return OptionChoice(option.name, text, values, bool(needed))
