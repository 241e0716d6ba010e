"""The loudspeaker on one touch: silent, or heard again."""

from __future__ import annotations

from collections.abc import Callable

from kivy.metrics import dp

from companion.rules import N_
from ui import theme
from ui.widgets.box import wide
from ui.widgets.icon import Loudspeaker
from ui.widgets.tap import Touchable
from ui.widgets.text import Backdrop, Text, broad


class MuteTap(Touchable):
    """A loudspeaker over its word; crossed out and filled while the voice is silent."""

    def __init__(self, say: Callable[..., str], act: Callable[[], object]) -> None:
        super().__init__(act)
        self.words = {muted: say(text) for muted, text in ((False, N_("Mute")), (True, N_("Muted")))}
        self.back = Backdrop(self, None)
        self.sign = Loudspeaker(size_hint=(None, None), size=(dp(24), dp(24)))
        self.word = Text("", most=theme.SMALL, lines=1, align="center", size_hint=(None, None))
        self.add_widget(self.sign)
        self.add_widget(self.word)
        self.bind(pos=self._arrange, size=self._arrange)
        wide(self, max(theme.TOUCH, max(broad(word, theme.SMALL) for word in self.words.values()) / dp(1) + 10))

    def show(self, muted: bool) -> None:
        look = theme.now
        ink = look.on_seal if muted else look.ink
        self.back.paint(look.seal if muted else look.panel, look.rim if muted else look.line)
        self.sign.show(muted, ink)
        self.word.show(self.words[muted])
        self.word.color = theme.rgba(ink)

    def _arrange(self, *_: object) -> None:
        tall, (across, high) = dp(theme.lines(1, theme.SMALL)), self.sign.size
        edge = max(dp(1), (self.height - tall - high) / 2)
        self.sign.pos = self.x + (self.width - across) / 2, self.y + self.height - edge - high
        self.word.pos, self.word.size = (self.x, self.y + edge), (self.width, tall)
