"""The roof with its birds."""

from ui.games.augur import Roof

from ui.games.parts.board import Act, Go, Say
from ui.games.parts.controls import ActBoard
from ui.widgets.text import Text


class AugurBoard(ActBoard[Roof]):
    """How many birds are left, beside what can be done."""

    def __init__(self, act: Act, go: Go, say: Say, upright: bool) -> None:
        super().__init__(act, go, say, upright)
        self.birds = Text()
        self.add_widget(self.birds)
        self.add_widget(self.controls)

    def show(self, centre: Roof) -> None:
        self.centre = centre
        self.birds.show(centre.birds)
        self.controls.show(centre.actions)
