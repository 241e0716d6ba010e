"""The set-up's questions, one at a time: who plays, which button is whose, which reader. The hardware answers them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from companion.hardware.doctor.search_findings import WINDOW, SearchResults
from companion.hardware.wizard._plan import Answers, drawn_lamps, wrong
from companion.rules.cards import PAWNS
from companion.rules.message import Message
from companion.rules.readings import CENTRE, JOYSTICK, Health, Press, Reading

FINGER_MS = 40
"""A contact that closes for less than this was no finger: a lamp's pin flickers."""

SURE = 2
"""The number of held keys told apart by any keyboard."""

Kind = Literal["seats", "button", "hold", "reader", "lamps", "done"]


@dataclass(frozen=True, slots=True)
class WizardStep:
    """A question: `seat` is the seat that is asked, or the centre for the shared reader."""

    kind: Kind
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Walk:
    """The progress through the questions. `told` answers the last input, `refused` says whether it was rejected."""

    found: SearchResults
    answers: Answers = field(default_factory=lambda: Answers(PAWNS[:5]))
    at: int = 0
    told: Message | None = None
    refused: bool = False
    down: Mapping[str, int] = field(default_factory=dict)
    """The sources pressed now, each with its start in ms."""
    ill: Mapping[str, str] = field(default_factory=dict)
    """The devices that failed during the walk, each with its message."""

    # -- the questions -------------------------------------------------------------------------------------------

    @property
    def steps(self) -> list[WizardStep]:
        """Return all questions. The last ones depend on earlier answers."""
        return [WizardStep("seats"), *self._devices(), *self._last_steps()]

    @property
    def step(self) -> WizardStep:
        return self.steps[self.at]

    def _devices(self) -> Iterator[WizardStep]:
        if self._one_for_all():
            yield WizardStep("reader", CENTRE)
        if self.found.buttons:
            yield from (WizardStep("button", seat) for seat in self.answers.seats)
        if len(self.keys) > SURE:
            yield WizardStep("hold")
        if self.found.sources and not self._one_for_all():
            yield from (WizardStep("reader", seat) for seat in self.answers.seats)

    def _last_steps(self) -> Iterator[WizardStep]:
        own = {source for seat, source in self.answers.readers.items() if seat != CENTRE}
        left = set(self.found.sources) - own - set(self.answers.buttons.values())
        if own and left and not self.answers.shared_by_seats and not self._one_for_all():
            yield WizardStep("reader", CENTRE)
        if drawn_lamps(self.found, self.answers):
            yield WizardStep("lamps")
        yield WizardStep("done")

    def _one_for_all(self) -> bool:
        """Return whether the only reader is shared by everybody, as it is at no seat's place."""
        sources = self.found.sources
        return len(sources) == 1 and sources[0] not in self.found.buttons

    @property
    def keys(self) -> Mapping[str, str]:
        """Return the seats whose button is plugged in, with the key of each."""
        return {seat: source for seat, source in self.answers.buttons.items() if " key " in source}

    # -- the answers ---------------------------------------------------------------------------------------------

    def hear(self, word: Press | Reading | Health) -> Walk:
        """Return the walk after a report of the hardware: the answer to a question, or a device's health."""
        match word:
            case Health(device) if device.startswith("box "):
                return self  # its hub says so too
            case Health(device, well, detail):
                ill = {name: why for name, why in self.ill.items() if name != device}
                return replace(self, ill=ill if well else ill | {device: detail})
            case Press(source, down, t, edge):
                return self._handle_press(source, down, t, edge)
            case Reading(source, _, True) if self.step.kind == "reader":
                return self._answer("readers", source)
        return self

    def _handle_press(self, source: str, down: bool, t: int, edge: bool) -> Walk:
        if self.step.kind == "hold":
            return self._handle_hold(source, down, t)
        held = {name: since for name, since in self.down.items() if name != source}
        if down:
            asked = edge and self.step.kind == "button"
            told = Message("Pressed: {where}. Let it go.", where=where(source)) if asked else self.told
            return replace(self, down=held | {source: t} if asked else held, told=told, refused=False)
        since = self.down.get(source)
        if since is None:
            return self
        after = replace(self, down=held, told=None)
        if t - since < FINGER_MS or self.step.kind != "button":
            return after
        return after._answer("buttons", source)

    def _handle_hold(self, source: str, down: bool, t: int) -> Walk:
        """Return the walk after a press while all buttons are to be held at once.

        The largest number that arrived together is kept; less than all is refused once a button is let go.
        """
        if source not in self.keys.values():
            return self
        held = {key: since for key, since in self.down.items() if key != source} | ({source: t} if down else {})
        before = self.answers.together if self.down else frozenset()
        together = max(before, frozenset(held), key=len)
        after = replace(self, down=held, answers=replace(self.answers, together=together), refused=False)
        count, whole = len(together), len(self.keys)
        if count == whole:
            after = replace(after._advance(after.answers), down={})
            return replace(after, told=Message("All {count} arrive together.", count=whole))
        if down:
            return replace(after, told=Message("{count} of {all}", count=len(held), all=whole))
        arrived = tuple(seat for seat, key in self.keys.items() if key in together)
        told = Message(
            "{count} of {all} arrived: {seats}. If all were held, it cannot tell them apart: use an encoder.",
            count=count, all=whole, seats=arrived,
        )  # fmt: skip
        return replace(after, told=told, refused=True)

    def _answer(self, what: Literal["buttons", "readers"], source: str) -> Walk:
        seat = self.step.seat
        given = {**getattr(self.answers, what), seat: source}
        change: Any = {what: given}
        answers = replace(self.answers, **change)
        if refusal := wrong(answers):
            return replace(self, told=refusal, refused=True)
        return replace(self._advance(answers), told=_confirmation(self, answers, what, source))

    def sit(self, seat: str) -> Walk:
        """Return the walk with this colour added to the table or removed from it."""
        seats = {*self.answers.seats} ^ {seat}
        return replace(self, answers=self.answers.only(tuple(each for each in PAWNS if each in seats)), told=None)

    def light(self, lamps: bool) -> Walk:
        """Return the walk with the answer whether the lamps are wired as they are drawn."""
        return self._advance(replace(self.answers, lamps=lamps))

    def skip(self) -> Walk:
        """Return the walk at the next question, without the device that was asked for."""
        step, answers = self.step, self.answers
        if step.kind in ("button", "reader"):
            answers = answers.without(step.seat, "buttons" if step.kind == "button" else "readers")
        if step.kind == "lamps":
            answers = replace(answers, lamps=False)
        return self._advance(answers)

    def skip_all(self) -> Walk:
        """Return the walk after skipping this question for every seat still to be asked."""
        walk = self
        while walk.step.kind == self.step.kind != "done":
            walk = walk.skip()
        return walk

    def unasked(self) -> Walk:
        """Return the walk with what can be known without asking: a single reader is everybody's."""
        if not self._one_for_all():
            return self
        return replace(self, answers=replace(self.answers, readers={CENTRE: self.found.sources[0]}))

    def back(self) -> Walk:
        """Return the walk at the question before."""
        return replace(self, at=max(0, self.at - 1), told=None, refused=False)

    def _advance(self, answers: Answers) -> Walk:
        after = replace(self, answers=answers, told=None, refused=False)
        return replace(after, at=min(self.at + 1, len(after.steps) - 1))


def _confirmation(walk: Walk, answers: Answers, what: str, source: str) -> Message:
    seat = walk.step.seat
    if what == "buttons":
        return Message("{seat:of} button: {where}.", seat=seat, where=where(source))
    if seat == CENTRE:
        return Message("The reader for everybody: {where}.", where=where(source))
    sharing = tuple(other for other, of in answers.readers.items() if of == source)
    if len(sharing) > 1:
        return Message("{seats} share a reader: it is the one in the middle.", seats=sharing)
    return Message("{seat:of} reader: {where}.", seat=seat, where=where(source))


def where(source: str) -> str:
    """Return a source as people find it: a place of a hub, a button or a key."""
    hub, at, number = source.partition(" place ")
    if at:
        return Message("place {place} of {hub}", place=number, hub=hub)
    controller, at, number = source.partition(" key ")
    if controller == WINDOW and at:
        code = int(number)
        if code >= JOYSTICK:
            return Message("button {button} of joystick {number}", button=code % 100 + 1, number=code // 100 % 10 + 1)
        return Message("the key {key}", key=chr(code).upper() if 32 < code < 127 else number)
    return Message("key {key} of {controller}", key=number, controller=controller) if at else source
