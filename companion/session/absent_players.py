"""Players who have left: the others play on in their place.

The table records it in a decision (T-9), whose words are all there is of it: in the journal and in the log, gone with
an undo. The rules know nothing of it. The screen asks no absent player, and fists wait for none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from companion.rules import N_, Decide, Seat
from companion.rules.words import LANGUAGES, Tongue
from companion.session.receipt import Receipt, backwards

LEFT = N_("{seat} has left; the others play on in {seat:of} place.")
BACK = N_("{seat} is back and plays again.")


def absent_seats(last: Receipt | None, seats: Sequence[Seat], players: Mapping[Seat, str]) -> frozenset[Seat]:
    """Return the seats whose players have left and are not back, by the acts that stand up to `last`."""
    found: dict[Seat, bool] = {}
    for act in backwards(last):
        if isinstance(act.event, Decide) and act.event.change is None:
            seat, gone = _sayings(tuple(seats), tuple(players.items())).get(act.event.words, ("", False))
            found.setdefault(seat, gone)
    return frozenset(seat for seat, gone in found.items() if gone)


@cache
def _sayings(seats: tuple[Seat, ...], players: tuple[tuple[Seat, str], ...]) -> Mapping[str, tuple[Seat, bool]]:
    """Return, by sentence in each language, the seat it is about and whether its player has left."""
    return {
        str(Tongue(lang, dict(players)).tr(text, seat=seat)): (seat, text == LEFT)
        for lang in LANGUAGES
        for seat in seats
        for text in (LEFT, BACK)
    }
