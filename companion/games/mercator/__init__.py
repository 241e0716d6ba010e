"""Mercator: lots under the hammer, ships that are loaded."""

from companion.rules import N_
from companion.rules.record import Record
from companion.rules.vocabulary import Vocabulary

WORDS = Vocabulary(
    pieces={"space": N_("space {count}")},
    places={
        "pile": N_("the pile"),
        "lot": N_("the lot"),
        "ship": N_("{of:of} ship"),
        "space": N_("space {of}"),
        "track": N_("{of:of} pawn"),
    },
    ways={
        "pile": (N_("from the pile"), N_("to the pile")),
        "lot": (N_("from the lot"), N_("to the lot")),
        "ship": (N_("from {of:of} ship"), N_("to {of:of} ship")),
        "space": (N_("from space {of}"), N_("to space {of}")),
    },
    own={"ship": N_("ship"), "track": N_("pawn")},
    states={
        "flipping": N_("flipping cards"),
        "fists": N_("closing fists"),
        "bidding": N_("naming bids"),
        "loading": N_("loading the last ship"),
    },
    values={"exact": N_("exact"), "down": N_("rounded down"), "fists": N_("in fists"), "open": N_("out loud")},
    acts={
        "flip": N_("Flip a card"),
        "auction": N_("Start the auction"),
        "reveal": N_("Open the fists"),
        "bid": N_("Name a bid"),
        "sold": N_("Say who buys"),
        "unsold": N_("Nobody buys"),
        "load": N_("Load a card"),
    },
    done={
        "flip": N_("{seat:of} flip"),
        "bid": N_("{seat:of} bid"),
        "load": N_("{seat:of} loading"),
        "auction": N_("the auction"),
        "sold": N_("the sale"),
        "unsold": N_("the auction"),
    },
)
RECORD = Record(__name__, 1, WORDS)
