"""Augur, said aloud."""

from companion.games.augur.rules import AugurView

from companion.rules import N_, plural
from companion.rules.guide import Known, Saying
from companion.rules.speech import Heard, Speech
from companion.rules.views import Derived

At = Known[AugurView, Derived]


def lies(at: At) -> list[Saying]:
    return [
        Saying(
            "A-1", plural("One bird on the roof.", "{birds} birds on the roof.", "birds"), {"birds": at.view["birds"]}
        )
    ]


SPEECH: Speech[AugurView, Derived] = Speech(
    rulings={
        "counted": Heard(N_("{birds} fly off.")),
        "omen": Heard(N_("{seat} reads the omen."), N_("{seat} reads the omen: {winners}."), "won", stays=True),
        "over": Heard(N_("The game is over.")),
        "turn": Heard(N_("It is {turn:of} turn.")),
        "count": Heard(N_("Count one to {most}.")),
    },
    lies=lies,
)
