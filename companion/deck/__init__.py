"""The deck: which tag is stuck to which card. Enrolling a deck, and checking it before an evening."""

from companion.deck.check import Check
from companion.deck.enrol import Enrolment, enrolment
from companion.deck.tags import (
    WEAK,
    Deck,
    KnownTag,
    Tags,
    blank,
    brought,
    can_be_laid,
    deck,
    keep,
    known,
    names,
    needed,
    without,
)

__all__ = [
    "WEAK",
    "Check",
    "Deck",
    "Enrolment",
    "KnownTag",
    "Tags",
    "blank",
    "brought",
    "can_be_laid",
    "deck",
    "enrolment",
    "keep",
    "known",
    "names",
    "needed",
    "without",
]
