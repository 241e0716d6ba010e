"""What the page for updates says and offers, as things stand. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from companion.rules import N_
from companion.rules.message import Message
from companion.rules.words import message, tr
from companion.system.updates import Answer, Offer
from ui.pages.answers import Heading, Sentence

HERE = N_("This is version {version}.")
TRIAL = N_(
    "It is on trial for {minutes} minutes of running. If it ends by itself in that time, the one before comes back."
)
GAME = N_("A game lies on the table. It can wait for another evening; nothing of it is lost.")
STICK = N_("Plug in a stick with a release.")
LOOKING = N_("Looking…")
STEPS = {
    "look": LOOKING,
    "take": N_("The signature is being checked…"),
    "back": N_("The version before is coming back; the table starts again by itself."),
    "copy": N_("The release is being copied…"),
    "install": N_("Version {version} is being put beside this one. That takes a minute or two; then the table starts"
                  " again by itself."),
}  # fmt: skip
"""What root is at, in words."""
INSTALL = N_("The games are copied, then the table ends and starts again as {version}. If that shows no picture, or"
             " ends by itself within ten minutes of running, this version comes back.")  # fmt: skip
GO_BACK = N_("The table ends and starts again as {version}. The games of now are kept where it can read them; where it"
             " cannot, those from before come back, and the others lie beside them.")  # fmt: skip
NEWS = N_("What is new in {version}")
Act = Literal["look", "address", "take", "back", "away", "sure", "no"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand: the versions, what became of the last update, what root says, and what is about to be done."""

    version: str
    last: Message | None = None
    trial: tuple[str, int] | None = None
    before: str = ""
    address: str = ""
    playing: bool = False
    answer: Answer | None = None
    sure: Literal["", "take", "back"] = ""

    @property
    def busy(self) -> bool:
        return bool(self.answer and self.answer.state == "working")

    @property
    def best(self) -> Offer | None:
        """The newest release that would be taken."""
        return self.answer.best if self.answer else None


def items(stands: Standing, lang: str) -> Sequence[Any]:
    """What is said, from top to bottom."""
    return list(_items(stands, lang))


def _items(stands: Standing, lang: str) -> Iterator[Any]:
    if stands.sure:
        wanted, best = (INSTALL, stands.best) if stands.sure == "take" else (GO_BACK, None)
        yield Sentence(tr(wanted, lang, version=best.version if best else stands.before), weight="lead")
        return
    yield Sentence(tr(HERE, lang, version=stands.version), weight="strong")
    if stands.trial:
        yield Sentence(tr(TRIAL, lang, minutes=stands.trial[1]))
    answer = stands.answer
    if answer and stands.busy:
        yield Sentence(tr(STEPS.get(answer.step, LOOKING), lang, version=answer.version))
        return
    if answer and answer.text:
        yield Sentence(message(answer.text, lang), weight="lead")
    elif stands.last:
        yield Sentence(message(stands.last, lang))
    if stands.playing:
        yield Sentence(tr(GAME, lang))
        return
    if not answer or answer.offers is None:
        return
    if not answer.offers:
        yield Sentence(tr(STICK, lang))
    if best := stands.best:
        yield Heading(tr(NEWS, lang, version=best.version))
        yield from (Sentence(line) for line in best.changes)
    for offer in answer.offers:
        if offer.why:
            yield Sentence(f"{_named(offer.place)}: {message(offer.why, lang)}")


def _named(place: str) -> str:
    """A stick's folder by its last two names, an address as it is."""
    return place if "://" in place else "/".join(Path(place).parts[-2:])


def acts(stands: Standing) -> Sequence[tuple[Act, str, dict[str, str]]]:
    """What can be done, the first first: each with its words."""
    if stands.sure:
        return [("sure", N_("Yes, now"), {}), ("no", N_("Not now"), {})]
    if stands.busy:
        return []
    found: list[tuple[Act, str, dict[str, str]]] = []
    if stands.playing:
        found.append(("away", N_("Stop the game for another evening"), {}))
    elif stands.best and not stands.trial:
        found.append(("take", N_("Install {version}"), {"version": stands.best.version}))
    if not stands.playing:
        found.append(("look", N_("Look at sticks"), {}))
        found += [("address", N_("Look online"), {})] if stands.address else []
        found += [("back", N_("Back to {version}"), {"version": stands.before})] if stands.before else []
    return found
