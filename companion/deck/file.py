"""A deck's file: a small YAML with the name of the deck, and each card with its tag or tags."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.deck import Deck, Tags, without
from companion.rules.cards import DECK, Card
from companion.rules.data import Data
from companion.rules.mistakes import ConfigError, Mistake, Mistakes, nearest, quoted
from companion.rules.readings import TAG
from companion.system import limits
from companion.system.limits import NAME, few
from companion.system.yaml_lines import lines, read_yaml

FILE = ("deck", "cards")
ODD = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that JSON leaves in a text as they are, and that YAML rejects or takes for the end of a line."""


def dump(d: Deck) -> str:
    """Return a deck as YAML: each card with its tag, or its tags. Quoted, as some ids look like numbers."""
    name = ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(d.name, ensure_ascii=False))
    lines = [f"deck: {name}", "cards:"]
    for name, card in DECK.items():
        tags = [f'"{tag}"' for tag in sorted(d.of(card))]
        if tags:
            lines.append(f"  {name}: {tags[0] if len(tags) == 1 else '[' + ', '.join(tags) + ']'}")
    return "\n".join(lines) + "\n"


def load(path: Path, tags: Tags) -> Deck:
    """Return the deck in a file, none of whose tags may be another deck's.

    Raises ConfigError, each mistake with its line.
    """
    data, line_of = read_yaml(path, limits.DECK)
    try:
        return read(data, tags)
    except Mistakes as mistakes:
        raise ConfigError(lines(path, mistakes, line_of)) from None


def read(data: object, tags: Tags) -> Deck:
    """Return a deck from YAML data. Raises Mistakes, also for a tag that is another deck's in `tags`."""
    if not isinstance(data, Mapping):
        raise Mistakes([Mistake((), "expected the keys 'deck' and 'cards'")])
    found = few(Mistake((key,), f"unknown key{nearest(key, FILE)}") for key in data if key not in FILE)
    name, cards = data.get("deck"), data.get("cards")
    if not isinstance(name, str) or not name.strip():
        found.append(Mistake(("deck",), "expected the deck's name"))
    elif len(name) > NAME:
        found.append(Mistake(("deck",), f"a deck's name has at most {NAME} characters, not {len(name)}"))
    if not isinstance(cards, Mapping) or not cards:  # an empty deck would only wipe out the one of its name
        raise Mistakes([*found, Mistake(("cards",), 'expected cards with their tags, like red 7: "04A1B2C3D4E5F6"')])
    read: dict[str, Card] = {}
    found += few(_cards(cards, read, without(tags, str(name))))
    if found:
        raise Mistakes(found)
    return Deck(str(name), read)


def _cards(cards: Data, read: dict[str, Card], others: Tags) -> Iterator[Mistake]:
    """Read the cards into `read`; yield what is wrong with them."""
    for key, value in cards.items():
        if key not in DECK:
            yield Mistake(("cards", key), f"there is no such card{nearest(key, DECK)}")
            continue
        for at, tag in enumerate(value if isinstance(value, list) else [value]):
            wrong = _wrong_tag(tag, read, others)
            if wrong:
                yield Mistake(("cards", key, at) if isinstance(value, list) else ("cards", key), wrong)
            else:
                read[tag.upper()] = DECK[key]


def _wrong_tag(tag: object, tags: Mapping[str, Card], others: Tags) -> str:
    if not isinstance(tag, str):
        return "a tag stands in quotes: as a number it would lose its zeros"
    if not TAG.fullmatch(tag.upper()):
        return f"{quoted(tag)} is no tag: expected 2 to 64 of the digits 0-9 and A-F, two for each byte"
    if tag.upper() in tags:
        return f"the tag {tag} is {tags[tag.upper()]}'s already: one of the two is wrong"
    of = others.get(tag.upper())
    return f"the tag {tag} is {of.card} of the deck {of.deck!r} already: forget that deck first" if of else ""
