"""Augur: birds fly off, and the last one is an omen."""

from companion.rules import N_, plural
from companion.rules.record import Record
from companion.rules.vocabulary import Vocabulary

WORDS = Vocabulary(
    pieces={"bird": plural("{count} bird", "{count} birds")},
    places={"roof": N_("the roof"), "sky": N_("the sky")},
    states={"counting": N_("counting birds")},
    acts={"count": N_("Count birds")},
)
RECORD = Record(__name__, words=WORDS)
