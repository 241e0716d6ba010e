"""Prokonsul: sealed cards, pleas, and provinces to govern."""

from companion.rules import N_, NC_, plural
from companion.rules.record import Record
from companion.rules.vocabulary import Vocabulary

WORDS = Vocabulary(
    pieces={
        "pawn": plural("{count} pawn", "{count} pawns"),
        "red pawn": N_("the red pawn"),
        "blue pawn": N_("the blue pawn"),
        "green pawn": N_("the green pawn"),
        "yellow pawn": N_("the yellow pawn"),
        "purple pawn": N_("the purple pawn"),
        "marker": plural("{count} marker", "{count} markers"),
        "black pawn": N_("the black pawn"),
    },
    places={
        "row": N_("place {of} in the row"),
        "stock": N_("{of:of} stock"),
        "province": N_("{of}"),
        "governor": N_("the governor of {of}"),
    },
    ways={
        "row": (N_("from place {of} in the row"), N_("to place {of} in the row")),
        "stock": (N_("from {of:of} stock"), N_("to {of:of} stock")),
        "governor": (N_("from the number on {of}"), N_("to the value of {of}")),
    },
    own={"stock": N_("stock")},
    labels={"province": N_("Counters on {of}"), "governor": N_("Governor of {of}")},
    sides={"governor": N_("The governors")},
    names={
        "hispania_citerior": N_("Hispania Citerior"),
        "hispania_ulterior": N_("Hispania Ulterior"),
        "macedonia": N_("Macedonia"),
        "sicilia": N_("Sicilia"),
        "africa": N_("Africa"),
        "asia": N_("Asia"),
    },
    states={
        "pawns": N_("drawing pawns"),
        "province": N_("choosing a province"),
        "pleading": N_("pleading"),
        "answering": N_("answering an offer"),
        "negotiating": N_("negotiating"),
    },
    values={
        "full": NC_("game", "full"),
        "short": N_("short"),
        "strict": N_("strict"),
        "two_way": N_("two-way"),
        "free": N_("free"),
        "ranks": N_("by ranks"),
    },
    joins={"links": N_("{a} and {b} have a five between them."), "more links": N_("Another five.")},
    acts={
        "pawns": N_("Say the pawn row"),
        "province": N_("Move the black pawn"),
        "offer": N_("Make an offer"),
        "offer.promise": N_("Add a promise"),
        "answer": N_("Say {accept}"),
        "coalition": N_("Name a coalition"),
        "transfer": N_("Hand over chips"),
        "no_decision": N_("End the round without a winner"),
    },
    done={
        "offer": N_("{seat:of} offer"),
        "answer": N_("{seat:of} answer"),
        "transfer": N_("what {seat} handed over"),
        "coalition": N_("{seat:of} coalition"),
        "pawns": N_("the pawn row"),
        "province": N_("the move of the black pawn"),
        "no_decision": N_("the end of the round"),
    },
)
RECORD = Record(__name__, 2, WORDS)
