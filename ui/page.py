"""The base of every page: entering, showing, leaving, and a title with the way back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Protocol

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.rules import N_
from companion.rules.data import Data
from ui import theme
from ui.layout import slots
from ui.table.moment import Moment
from ui.theme import TextSize
from ui.widgets.annotations import asked
from ui.widgets.box import column, high, panel, row, wide
from ui.widgets.leaves import Leaves
from ui.widgets.spine import Control, Controls, Spine
from ui.widgets.text import Text

if TYPE_CHECKING:
    from companion.dialogues.services import Services
    from companion.dialogues.settings import Appearance
    from companion.hardware.doctor import Finding
    from companion.hardware.doctor.hour import HourStep
    from companion.hardware.wizard.session import WizardSession
    from companion.play.evening import Evening
    from companion.play.match import Match
    from ui.shell import Shell
    from ui.window import Screen


class Cable(Protocol):
    """A cable of the virtual table that can be pulled."""

    @property
    def plugged(self) -> bool: ...
    def plug(self) -> None: ...
    def unplug(self) -> None: ...


class Dock(Protocol):
    """The virtual table: a hand that lays cards on its readers and holds its buttons."""

    @property
    def readers(self) -> Sequence[str]: ...
    @property
    def deck(self) -> MutableMapping[str, str]:
        """Return its own cards with their tags."""

    @property
    def chance(self) -> Random:
        """Return the random numbers that shuffle its piles."""

    @property
    def cables(self) -> Mapping[str, Cable]:
        """Return the cables by hub, where it has hubs."""

    def lay(self, reader: str, tag: str) -> None: ...
    def lift(self, reader: str, tag: str) -> None: ...
    def tags_on(self, reader: str) -> Collection[str]: ...
    def hold(self, seat: str) -> None: ...
    def let_go(self, seat: str) -> None: ...
    def found_open(self, seat: str) -> None:
        """Report that a held button is up, though nobody knows since when."""


class Hour(Protocol):
    """The first hour with a new reader."""

    lang: str
    """The language of its report."""

    @property
    def steps(self) -> Sequence[HourStep]: ...
    def measure(self, step: HourStep) -> Sequence[Finding]:
        """Do a step and wait for hands; call it from any thread but the main one. Raises OSError."""

    def save(self) -> Path:
        """Write report and trace; return where the report is. Raises OSError."""

    def close(self) -> None: ...


class VirtualHand(Protocol):
    """A hand that moves emulated devices: it holds and releases buttons, lays and lifts cards, each by its place."""

    @property
    def sources(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the buttons to press and the places to lay cards on."""

    def hold(self, source: str) -> None: ...
    def let_go(self, source: str) -> None: ...
    def lay(self, source: str) -> None: ...
    def lift(self, source: str) -> None: ...


class SetUp(Protocol):
    """The set-up of the table. From `begin` to `end` the devices are its own."""

    first: bool
    """Whether nothing has been set up yet: the set-up comes before all else."""
    desk: WizardSession | None
    """The running set-up."""

    @property
    def hand(self) -> VirtualHand | None:
        """Return the hand that moves the devices of a rehearsal."""

    @property
    def keys(self) -> Mapping[int, str]:
        """Return the seat of each key that comes through the window."""

    def arrived(self) -> frozenset[Literal["reader", "board", "buttons"]]:
        """Return the devices plugged in since the program began, where the table has no devices yet."""

    def begin(self, rehearse: bool = False) -> WizardSession: ...
    def end(self) -> Dock | None: ...


class App(Protocol):
    """The part of the app that a page may use."""

    evening: Evening
    screen: Screen
    shell: Shell
    services: Services
    """The services available here besides refereeing."""
    settings: Appearance
    """The appearance of the screen."""
    hour: Callable[[], Hour | None] | None
    """Begins the first hour with the hardware that is open, where there is any."""
    set_up: SetUp | None
    """Finds what is wired and writes config.yaml, where that can be done."""
    page: Page
    """The open page."""
    pages: dict[str, Page]
    """The pages built so far."""
    home: str
    """The target of "Back": the start, or the table."""
    upright: bool

    @property
    def mirrored(self) -> bool:
        """Return whether the first seat is at the right, so that the rail stands there and the controls at the left."""

    @property
    def dock(self) -> Dock | None:
        """Return the virtual table, None where real hardware stands."""

    @property
    def match(self) -> Match:
        """Return the game that is played, or was played last. Raises LookupError if there is none."""

    @property
    def lang(self) -> str: ...

    @property
    def opening(self) -> str:
        """Return the page that the evening opens with."""

    def moment(self) -> Moment:
        """Return what may be shown of the game now. Raises LookupError if there is none."""

    def act(self, event: Data, *, at_once: bool = False) -> str:
        """Apply an act by finger, as a transcript writes it; return why it was refused, "" if it was accepted."""

    def go(self, name: str, **given: Any) -> None:
        """Turn to a page and pass it what it needs to know."""

    def say(self, text: str, **facts: Any) -> str:
        """Return a text of the screen in the chosen language."""

    def paint(self) -> None:
        """Show the current state."""

    def stop(self, *_: object) -> None:
        """Close the window, which ends the program."""

    def rebuild(self) -> None:
        """Build every page anew, for another size, language or text size."""


class Page(BoxLayout):
    """A page that fills the window. It is built once, and told to show itself whenever something is new."""

    warns = False
    """Whether it shows the shell's warning itself."""
    under = ""
    """The settings or the result, where they led here; else "", and Back leads to the table or the start."""

    def __init__(self, app: App) -> None:
        super().__init__(orientation="vertical", padding=dp(theme.PAD), spacing=dp(theme.GAP))
        self.app = app
        self.name = ""
        self.say = app.say
        self.spine = Controls(app.shell.shared(Spine, partial(Spine, app.upright)))
        self.build()

    def build(self) -> None:
        """Make the widgets."""

    def frame(self, content: Widget) -> None:
        """Put the content on the page; the controls stand at its side, upright below it."""
        self.spacing, self.padding = 0, 0
        self.orientation = "vertical" if self.app.upright else "horizontal"
        self.add_widget(content)

    def arrive(self) -> None:
        """Take over the controls at the side, as the page is about to be seen."""
        spine = self.spine.spine
        if spine.parent is not self:
            if spine.parent:
                spine.parent.remove_widget(spine)
            (high if self.app.upright else wide)(spine, slots(self.app.upright).spine)
            self.add_widget(spine, index=len(self.children) if self.app.mirrored else 0)
        self.spine.take()

    def enter(self, *_: Any, **__: Any) -> None:
        """Prepare the page when it is turned to, with what it needs to know."""

    def show(self) -> None:
        """Show the current state, as something may be new."""

    def finish(self) -> None:
        """Complete the page after all of it has been shown."""

    def leave(self) -> None:
        """Clear what is private, as the page is turned away from."""

    def escape(self) -> None:
        """Go back, where a page has a way back."""

    def tell(self, word: str, seat: str | None) -> None:
        """Answer a touch on what a widget `asks`, which no control took."""

    def on_touch_down(self, touch: Any) -> bool:
        found = asked(self, touch.pos)
        took = bool(super().on_touch_down(touch))
        touch.ud["asked"] = None if touch.grab_list else found
        return took

    def on_touch_up(self, touch: Any) -> bool:
        took = bool(super().on_touch_up(touch))
        if found := touch.ud.pop("asked", None):
            self.tell(*found)
        return took

    def key(self, key: int, down: bool, edge: bool = True) -> bool:  # noqa: ARG002 - most pages need no keys
        """Handle a key of a keyboard; return whether it meant something here. Without `edge` it was found up."""
        return False


class Sheet(Page):
    """A page with a title and the controls at the side: back first, and what turns its leaves last."""

    title = ""

    def build(self) -> None:
        self.head = Text(self.say(self.title), most=TextSize.HEAD, bold=True, ink=theme.now.on_seal)
        self.titled = row(self.head, gap=theme.PAD, pad=(theme.EDGE, 6, theme.PAD, 6))
        """The title, and at its right what leads on from the page as a whole."""
        self.body = BoxLayout(orientation="vertical", spacing=dp(theme.GAP), padding=dp(theme.PAD))
        band = high(panel(self.titled, theme.now.seal, radius=0), slots(self.app.upright).band)
        self.frame(column(band, self.body, gap=0))
        self._leaves: Leaves | None = None
        self.ways: Sequence[Control | None] = (None, None)
        """The further pages it leads to, in the two slots below the way back."""
        self.back = Control("back", self.say(N_("Back")), self.close)
        self.fill()
        self.finish()

    def fill(self) -> None:
        """Make the widgets below the title."""

    def finish(self) -> None:
        """Show the controls at the side for the current state of the page."""
        leaves = self._leaves if self._leaves and self._holds(self._leaves) else None
        turn = leaves if leaves and leaves.many else None
        up = Control("up", self.say(N_("Up")), turn.turn_back if turn and turn.before else None) if turn else None
        down = Control("down", self.say(N_("Down")), turn.turn_on if turn and turn.after else None) if turn else None
        self.spine.show([self.back, *self.ways, up, down], turn.place if turn else "")

    def turns(self, leaves: Leaves) -> None:
        """Let the controls at the side turn these leaves."""
        self._leaves = leaves
        self.finish()

    def _holds(self, widget: Widget) -> bool:
        while widget is not None and widget is not self:
            parent = widget.parent
            if parent is widget:
                return False
            widget = parent
        return widget is self

    def escape(self) -> None:
        if self.back.act:
            self.back.act()

    def close(self) -> None:
        """Turn back to the settings, the result or the start's menu that led here, else to the table or the start."""
        self.app.go(self.under or self.app.home)
