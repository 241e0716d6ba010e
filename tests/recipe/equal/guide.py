"""What Augur tells when it is asked."""

from companion.games.augur.rules import MOST, AugurView

from companion.rules import N_
from companion.rules.guide import Guide, Known, Lesson, Saying
from companion.rules.views import Derived

At = Known[AugurView, Derived]


GUIDE: Guide[AugurView, Derived] = Guide(
    begins=("count",),
    because={"omen": ("counted",)},
    names={"birds": N_("Birds"), "left": N_("Left")},
    aim=N_("Birds fly off in ones, twos and threes. Whoever counts the last one reads the omen."),
    layout=lambda *_: [Saying("A-1", N_("Twenty-one birds sit on the roof."))],
    lessons=[
        Lesson("few", "A-2", N_("Never more birds fly off than are left."), lambda at: 0 < at.view["birds"] < MOST),
    ],
)
