"""An independent implementation of table.md: it replays every line of acts from its beginning and keeps only events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games import position_of
from companion.rules import Amend, AnyGame, Choose, Decide, Event, Redo, Reveal, Setup, Undo, judge
from companion.rules.mistakes import Mistakes

Act = tuple[int, Event]


@dataclass
class Reading:
    """What table.md says of a game: which events are accepted, under which number, and which acts stand."""

    game: AnyGame
    setup: Setup
    opening: Any
    line: list[Act] = field(default_factory=list)
    steps: list[list[Act]] = field(default_factory=list)
    """The lines that plain undos go back to, the nearest last."""
    left: list[tuple[list[Act], list[list[Act]]]] = field(default_factory=list)
    accepted: int = 0

    def take(self, event: Event) -> bool:
        """Take an event; return whether it is accepted."""
        match event:
            case Undo(to):
                ok = self.undo(to)
            case Redo():
                ok = self.redo()
            case Amend():
                ok = self.amend(event)
            case _:
                ok = self.applied(self.state, event) is not None
                if ok:
                    self.steps.append(self.line)
                    self.line = [*self.line, (self.accepted + 1, event)]
                    self.left = []
        self.accepted += ok
        return ok

    def undo(self, to: int | None) -> bool:
        numbers = [number for number, _ in self.line]
        left = (self.line, self.steps)
        if to is None:
            if not self.steps:
                return False
            self.line, self.steps = self.steps[-1], self.steps[:-1]
        else:
            if to not in (0, *numbers[:-1]) or not numbers:
                return False
            self.line = self.line[: numbers.index(to) + 1 if to else 0]
            self.steps = [self.line[:end] for end in range(len(self.line))]
        self.left = [*self.left, left]
        return True

    def redo(self) -> bool:
        if not self.left:
            return False
        self.line, self.steps = self.left[-1]
        self.left = self.left[:-1]
        return True

    def amend(self, event: Amend) -> bool:
        sealed = self.sealed()
        shown = self.shown()
        was = dict(self.line).get(event.act)
        if was is None or event.act in sealed or untimed(was) == untimed(event.as_):
            return False
        if isinstance(was, Choose) and event.act not in shown:
            return False
        numbers = [number for number, _ in self.line]
        at = numbers.index(event.act)
        before, after = (
            [(n, e) for n, e in acts if not isinstance(e, Choose) or n in shown]  # what nobody has seen stays unseen
            for acts in (self.line[:at], self.line[at + 1 :])
        )
        line, state = before, self.played(before)
        for number, one in ((event.act, event.as_), *after):
            found = self.applied(state, one)
            if found is None and number == event.act:
                return False
            if found is None:
                break
            line, state = [*line, (number, one)], found[0]
        self.steps.append(self.line)
        self.line, self.left = line, []
        return True

    def sealed(self) -> Sequence[int]:
        """Return the numbers of the cards chosen since the last reveal."""
        reveals = [at for at, (_, event) in enumerate(self.line) if isinstance(event, Reveal)]
        since = self.line[reveals[-1] + 1 if reveals else 0 :]
        return [number for number, event in since if isinstance(event, Choose)]

    def shown(self) -> Sequence[int]:
        """Return the numbers of chosen cards that a reveal has turned up: those that lay there when it came."""
        found: list[int] = []
        lying: dict[str, int] = {}
        for number, event in self.line:
            if isinstance(event, Choose):
                lying[event.seat] = number
            if isinstance(event, Decide) and event.change is not None:
                lying = {}
            if isinstance(event, Reveal):
                found += lying.values()
                lying = {}
        return found

    @property
    def state(self) -> Any:
        return self.played(self.line)

    def played(self, line: Sequence[Act]) -> Any:
        state = self.opening
        for _, event in line:
            found = self.applied(state, event)
            assert found
            state = found[0]
        return state

    def applied(self, state: Any, event: Event) -> tuple[Any] | None:
        """Return the state after the event, in a tuple; None where it is refused."""
        if isinstance(event, Decide):
            return self.decided(state, event)
        ok, after, _ = judge(self.game, state, event)
        return (after,) if ok else None

    def decided(self, state: Any, event: Decide) -> tuple[Any] | None:
        if event.change is None:
            return (state,)
        if event.change.get("choice"):
            return None
        try:
            written = position_of(self.game.name).written(state)
            written.pop("choice", None)
            return (position_of(self.game.name).read(self.setup, patched(written, event.change)),)
        except Mistakes:
            return None


def patched(target: Any, patch: Any) -> Any:
    """Apply a merge patch: RFC 7396, section 2, word for word."""
    if not isinstance(patch, dict):
        return patch
    if not isinstance(target, dict):
        target = {}
    for name, value in patch.items():
        if value is None:
            if name in target:
                target = {key: old for key, old in target.items() if key != name}
        else:
            target = {**target, name: patched(target.get(name), value)}
    return target


def untimed(event: Event) -> Event:
    return replace(event, opened=None) if isinstance(event, Reveal) else event
