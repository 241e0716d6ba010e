"""Spartacus: tricks that the low card takes."""

from companion.rules import N_, NC_, plural
from companion.rules.record import Record
from companion.rules.vocabulary import Vocabulary

WORDS = Vocabulary(
    pieces={"trick": plural("{count} trick", "{count} tricks")},
    places={"trick": N_("the trick"), "taken": N_("the tricks taken"), "tricks": N_("{of:of} tricks")},
    ways={
        "trick": (N_("from the trick"), N_("to the trick")),
        "taken": (N_("from the tricks taken"), N_("to the tricks taken")),
    },
    values={
        "double": N_("double"),
        "joker": N_("joker"),
        "minus10": N_("minus 10"),
        "void": NC_("joker", "void"),
        "shown": N_("shown"),
        "covered": N_("covered"),
    },
    acts={
        "play": N_("Play a card"),
    },
    done={
        "play": N_("{seat:of} card"),
    },
)
RECORD = Record(__name__, 3, WORDS)
