"""Hannibal gegen Rom: legions and fleets, battles by sealed cards."""

from companion.rules import N_, plural
from companion.rules.record import Record
from companion.rules.vocabulary import Vocabulary

WORDS = Vocabulary(
    pieces={
        "legion": plural("{count} legion", "{count} legions"),
        "fleet": plural("{count} fleet", "{count} fleets"),
        "blue legion": plural("{count} blue legion", "{count} blue legions"),
        "red legion": plural("{count} red legion", "{count} red legions"),
        "blue fleet": plural("{count} blue fleet", "{count} blue fleets"),
        "red fleet": plural("{count} red fleet", "{count} red fleets"),
        "hannibal": N_("Hannibal"),
    },
    names={
        "legion": N_("Legion"),
        "fleet": N_("Fleet"),
        "hannibal": N_("Hannibal"),
        "rome": N_("Rome"),
        "cannae": N_("Cannae"),
        "gallia": N_("Gallia"),
        "hispania_n": N_("Hispania N"),
        "hispania_s": N_("Hispania S"),
        "mauretania": N_("Mauretania"),
        "carthago": N_("Carthago"),
        "zama": N_("Zama"),
        "corsica": N_("Corsica"),
        "sardinia": N_("Sardinia"),
        "sicilia": N_("Sicilia"),
    },
    heard={"hispania_n": N_("northern Hispania"), "hispania_s": N_("southern Hispania")},
    states={"moving": N_("moving a piece"), "declaring": N_("saying who fights")},
    values={
        "exchange": N_("each exchange"),
        "battle": N_("each battle"),
        "south": N_("Hispania S"),
        "north": N_("Hispania N"),
    },
    joins={
        "land": N_("{a} and {b} are neighbours by land."),
        "sea": N_("A sea route leads from {a} to {b}."),
        "more land": N_("Two more neighbours by land."),
        "more sea": N_("Another sea route."),
    },
    acts={
        "move": N_("Move a piece"),
        "defend": N_("{piece} fights"),
    },
    done={
        "move": N_("{seat:of} move"),
        "defend": N_("who fights"),
    },
)
RECORD = Record(__name__, 5, WORDS)
