"""The hardware set-up on the screen: the search, the questions, and the resulting file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.hardware.doctor.search_findings import findings
from companion.hardware.wizard.said import help_with, question, table
from companion.hardware.wizard.session import WizardSession
from companion.hardware.wizard.walk import Walk, where
from companion.rules import N_
from companion.rules.cards import PAWNS
from companion.rules.message import Message
from companion.rules.readings import CENTRE
from companion.rules.words import device, message, name, phrase, tr
from ui.pages.device_state import DeviceState, of_finding


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: the seat asked, the result of the last answer, help, and what can be answered by finger."""

    seat: str
    text: str
    told: str
    wrong: bool
    help: str
    where: str
    seats: Sequence[str]
    """The playing colours, if the step asks for them."""
    yes: bool
    """Whether it is answered by yes or no."""
    skips: bool
    several: bool
    """Others are still to be asked the same."""


@dataclass(frozen=True, slots=True)
class Plays:
    """A seat, or the centre, and what it plays with."""

    seat: str
    called: str
    text: str


def found(desk: WizardSession, lang: str) -> list[DeviceState]:
    """Return the findings of the search; those that need attention come first."""
    order = ("fail", "warn", "pass")
    rows = sorted(findings(desk.walk.found), key=lambda finding: order.index(finding.verdict))
    return [of_finding(finding, lang) for finding in rows]


def summary(desk: WizardSession, lang: str) -> str:
    """Return the number of devices found, or why there are none."""
    there = desk.walk.found
    if there.fault and not there.sources:
        return message(there.fault, lang)
    if not there.sources and not there.buttons:
        return tr(N_("No readers or buttons were found: see what to check, or play by finger."), lang)
    text = N_("Readers: {readers}, hubs: {hubs}. Buttons are found when they are pressed.")
    return tr(text, lang, readers=len(there.sources), hubs=sum(hub.answers for hub in there.hubs))


def asked(walk: Walk, lang: str) -> Asked:
    step, steps = walk.step, walk.steps
    ill = [f"{device(part, lang)}: {message(why, lang)}" for part, why in walk.ill.items()]
    told = "\n".join([*([phrase(walk.told, lang)] if walk.told else []), *ill])
    return Asked(
        seat="" if step.seat == CENTRE else step.seat,
        text=phrase(question(walk), lang),
        told=told,
        wrong=walk.refused or bool(ill),
        help="" if ill else phrase(help_with(walk), lang),
        where=f"{walk.at + 1} / {len(steps)}",
        seats=walk.answers.seats if step.kind == "seats" else (),
        yes=step.kind == "lamps",
        skips=step.kind in ("button", "hold", "reader"),
        several=sum(other.kind == step.kind for other in steps[walk.at :]) > 1,
    )


def plays(walk: Walk, lang: str) -> list[Plays]:
    return [
        Plays("" if seat == CENTRE else seat, device(CENTRE, lang) if seat == CENTRE else name(seat, lang), said)
        for seat, said in ((seat, phrase(what, lang)) for seat, what in table(walk))
    ]


def colours() -> Sequence[str]:
    return PAWNS


def lines(text: str) -> list[str]:
    """Return the settings of a file without its comments; leading blanks are kept."""
    kept = (line.partition("#")[0].rstrip() for line in text.splitlines() if not line.lstrip().startswith("#"))
    return [line.replace("  ", "\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}") for line in kept if line]


def called(source: str, lang: str) -> str:
    """Return the name of a device's place as users find it."""
    return phrase(where(source), lang)


def written(aside: Path | None) -> Message:
    """Return the message once the file is written: the new name of the old file, or the next step."""
    if aside:
        return Message("The table is set up. The file that was there is now {file}", file=str(aside))
    return Message("The table is set up. Next, under “Deck”, lay each of your cards once.")
