"""Spartacus: tricks that the low card takes."""

from companion.rules import N_
from companion.rules.record import Record
from companion.rules.vocabulary import Vocabulary

WORDS = Vocabulary(
    places={"trick": N_("the trick"), "taken": N_("the tricks taken")},
)
RECORD = Record(__name__, 3, WORDS)
