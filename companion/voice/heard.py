"""How a ruling sounds: as its game says it, as the table does in every game, or else as it is read."""

from __future__ import annotations

from companion.rules import Ruling
from companion.rules.guide import Saying
from companion.rules.speech import AnySpeech, Heard
from companion.voice.table import CLAUSES, TABLE


def heard(speech: AnySpeech, ruling: Ruling) -> Heard:
    """How a ruling sounds: as its game says it, as the table does in every game, or else as it is read."""
    games = {} if ruling.rule in CLAUSES else speech.rulings
    found = games.get(ruling.code, TABLE.get(ruling.code))
    if found is None:
        return Heard(ruling.text)
    return found if isinstance(found, Heard) else found(ruling)


def as_heard(speech: AnySpeech, ruling: Ruling) -> Saying | None:
    """A ruling in all the words that are heard of it; None where it is silent."""
    how = heard(speech, ruling)
    text = how.brief if how.full is None else how.full
    return Saying(ruling.rule, text, {**ruling.facts, **how.facts}) if text else None
