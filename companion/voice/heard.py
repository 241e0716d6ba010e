"""How a ruling sounds: as its game says it, as the table does in every game, or else as it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import Formatter

from companion.rules import Plural, Ruling
from companion.rules.guide import Saying
from companion.rules.speech import AnySpeech, Heard
from companion.voice.table_speech import CLAUSES, TABLE


def heard(speech: AnySpeech, ruling: Ruling) -> Heard:
    """Return how a ruling sounds: as its game says it, as the table does in every game, or else as it is read."""
    games = {} if ruling.rule in CLAUSES else speech.rulings
    found = games.get(ruling.code, TABLE.get(ruling.code))
    if found is None:
        return Heard(ruling.text)
    return found if isinstance(found, Heard) else found(ruling)


def as_heard(speech: AnySpeech, ruling: Ruling) -> Saying | None:
    """Return a ruling in all the words that are heard of it; None where it is silent."""
    how = heard(speech, ruling)
    text = how.brief if how.full is None else how.full
    return Saying(ruling.rule, text, {**ruling.facts, **how.facts}) if text else None


def otherwise(speech: AnySpeech, before: Sequence[Ruling], after: Sequence[Ruling]) -> Iterator[Saying]:
    """Yield what is heard of the later rulings and was not heard of the earlier ones, in these very words."""
    told = [_words(saying) for ruling in before if (saying := as_heard(speech, ruling))]
    for ruling in after:
        if (saying := as_heard(speech, ruling)) and _words(saying) not in told:
            yield saying


def _words(saying: Saying) -> tuple[object, list[object]]:
    """Return the text, and the facts that it names."""
    texts = [saying.text, saying.text.many] if isinstance(saying.text, Plural) else [saying.text]
    named = {field for text in texts for _, field, _, _ in Formatter().parse(text) if field}
    if isinstance(saying.text, Plural):
        named.add(saying.text.by)
    return saying.text, [saying.facts.get(name) for name in sorted(named)]
