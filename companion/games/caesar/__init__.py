"""Caesar: groups on a board, alliances and duels."""

from companion.rules import N_
from companion.rules.record import Record
from companion.rules.vocabulary import Vocabulary

WORDS = Vocabulary(
    pieces={"black pawn": N_("the black pawn")},
    places={"square": N_("{of}"), "between": N_("between {of}")},
    states={"placing": N_("placing counters"), "turn": N_("a turn")},
    acts={
        "place": N_("Place a counter"),
        "attack": N_("Attack"),
        "ally": N_("Make an alliance"),
    },
    done={
        "place": N_("{seat:of} counter"),
        "ally": N_("{seat:of} alliance"),
        "attack": N_("{seat:of} attack"),
    },
)
RECORD = Record(__name__, 4, WORDS)
