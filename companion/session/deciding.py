"""The table decides (T-9): words, and a change to the position, which is read anew with every mistake named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from companion.games import position_of
from companion.rules import N_, AnyGame, Decide, Ruling, Said, Seat, Setup, ruled
from companion.rules.data import SEALED, Data
from companion.rules.layout import NOWHERE, Lying
from companion.rules.message import Message, Messages
from companion.rules.mistakes import Mistake, Mistakes, Where, dotted
from companion.rules.words import Words
from companion.session.piece_moves import changed

if TYPE_CHECKING:  # loaded with the first decision about a position
    from companion.rules.position_parts import Part


def merge(target: object, patch: object) -> Any:
    """Merge a patch into a target (RFC 7396).

    Objects are merged, null removes a key, anything else is replaced whole.
    """
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged


def decide(
    game: AnyGame, setup: Setup, state: Any, event: Decide, was: Lying = NOWHERE
) -> tuple[bool, Any, Sequence[Ruling]]:
    """Return whether the change was possible, the state after it, and the rulings.

    If it was not possible, the state is the very same. `was` says where cards lie face down that everybody can follow.
    """
    text, words = N_("The table decides: {words}"), Said(event.words)
    if event.change is None:
        return True, state, (ruled("decided", "T-9", text, words=words, moves=()),)
    try:
        after = _read_change(game, setup, state, event.change)
    except Mistakes as mistakes:
        return False, state, list(_refused(game, setup, state, mistakes.found))
    moved = changed(game, setup, game.view(state), game.view(after), was)
    return (
        True,
        after,
        (moved.ruling("decided", "T-9", text, words=words), *_private_rulings(game, setup, state, after)),
    )


def _read_change(game: AnyGame, setup: Setup, state: object, change: Data) -> Any:
    before = position_of(game.name).written(state)
    if SEALED in before:
        before[SEALED] = {}
    if change.get(SEALED):
        raise Mistakes([Mistake((SEALED,), Message("a decision cannot lay a card face down"))])
    return position_of(game.name).read(setup, merge(before, change))


def apart(
    game: AnyGame, setup: Setup, found: Sequence[Mistake]
) -> tuple[Sequence[Mistake], Mapping[Seat, Sequence[Mistake]]]:
    """Return the mistakes that everybody may hear of, and those that each seat alone may."""
    own: dict[Seat, list[Mistake]] = {}
    public: list[Mistake] = []
    for mistake in found:
        key, seat = (*mistake.path, "", "")[:2]
        if key in position_of(game.name).secret and seat in setup.seats:
            own.setdefault(str(seat), []).append(mistake)
        elif key in position_of(game.name).secret and key != SEALED:
            own.update({seat: [*own.get(seat, ()), mistake] for seat in setup.seats})
        else:
            public.append(mistake)
    return tuple(public), own


def _refused(game: AnyGame, setup: Setup, state: object, mistakes: Sequence[Mistake]) -> Sequence[Ruling]:
    """Return the rulings of a refusal.

    Everybody hears what everybody may know. What is wrong in a purse or a hand is told to its owner alone.
    """
    public, own = apart(game, setup, mistakes)
    known = _parts(game, setup, state)
    text = N_("That cannot be: {mistakes}.") if public else N_("That cannot be: it does not fit what is hidden.")
    rulings = [ruled("impossible", "T-9", text, mistakes=_joined(known, public) if public else None)]
    text = N_("That cannot be: {mistakes}.")
    for seat, wrong in own.items():
        rulings.append(Ruling("impossible", "T-9", text, {"mistakes": _joined(known, wrong)}, seat))
    return rulings


def _parts(game: AnyGame, setup: Setup, state: object) -> Sequence[Part]:
    """Return the parts of the position that everybody knows."""
    secret = position_of(game.name).secret
    try:
        written = position_of(game.name).written(state)
    except Mistakes:
        return ()
    return position_of(game.name).parts(setup, {key: value for key, value in written.items() if key not in secret})


def _joined(known: Sequence[Part], mistakes: Sequence[Mistake]) -> Messages:
    return Messages("; ".join(map(said, mistakes)), [explained(known, mistake) for mistake in mistakes])


def said(mistake: Mistake) -> str:
    """Return where and what is wrong, as programs have it."""
    return f"{dotted(mistake.path)}: {mistake.what}" if mistake.path else mistake.what


def explained(known: Sequence[Part], mistake: Mistake) -> str:
    """Return where and what is wrong, as people call it."""
    if not mistake.path:
        return mistake.what
    return Message("{where}: {what}", where=_part_at(known, mistake.path), what=mistake.what)


def _part_at(known: Sequence[Part], path: Where) -> str:
    """Return the part that has the path in it, or the section that has the parts at the path."""
    within = (Message(part.text, of=part.of) for part in known if path[: len(part.path)] == part.path)
    above = (Message(part.section) for part in known if part.path[: len(path)] == path)
    return next(chain(within, above), Words(dotted(path)))


def _private_rulings(game: AnyGame, setup: Setup, before: object, after: object) -> Sequence[Ruling]:
    """Return the rulings on what a seat alone may know of the change."""
    rulings: list[Ruling] = []
    for seat in setup.seats:
        had, has = (game.view(state, seat).get("private") or {} for state in (before, after))
        facts = {key: value for key, value in has.items() if key != SEALED and had.get(key) != value}
        if "chips" in facts:
            text = N_("Your purse now holds {chips}.")
            rulings.append(Ruling("purse", "T-9", text, {"chips": facts["chips"]}, seat))
        if "hand" in facts:
            rulings.append(Ruling("hand", "T-9", N_("Your hand is now: {hand}."), {"hand": facts["hand"]}, seat))
    return rulings
