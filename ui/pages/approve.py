"""The approval of the result: each seat's answer, the missing answers, and the hall's verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.play.hall_status import HallStatus, Verdict
from companion.rules import N_, Said, Seat, plural
from companion.rules.views import Result
from ui.pages.end import end
from ui.table.moment import Moment

ASK = N_("Is the result right?")
RIGHT, WRONG = N_("Right"), N_("Not right")
ALL = N_("All agree: the result is approved.")
MISSING = N_("Still to answer: {seats}")
CONTESTED = N_("{seats}: not right")
SO_FAR = plural("{count} of {all} has approved the result", "{count} of {all} have approved the result")
NOBODY = N_("Nobody has approved the result yet")

STATES = {
    "away": N_("The hall cannot be reached now. It will be told later."),
    "sending": N_("This is on its way to the hall."),
    "kept": N_("The hall has been told."),
}
"""The hall's knowledge of it, by the state of the way there."""


@dataclass(frozen=True, slots=True)
class ApprovalLine:
    """The approval of one seat."""

    seat: Seat
    place: str
    name: str
    shorter: tuple[str, ...]
    """The name in fewer letters, the longest first."""
    score: str
    says: bool | None
    """True for right, None for nothing yet."""


@dataclass(frozen=True, slots=True)
class Approval:
    """The state of the table's approval."""

    lines: Sequence[ApprovalLine]
    state: str
    """In a sentence: who has not spoken yet, who contests it, or that it is approved."""
    how: str
    """The instruction for everybody."""
    verdict: str
    """The outcome, "" while the hall has not said."""
    hall: str
    contested: bool
    done: bool
    """Whether nothing more is asked of anybody: all have approved it, or the organiser has settled it."""
    so_far: str
    """The state in a line, for the page of the end; `count` where there is little room."""
    count: str


def approval(m: Moment, said: Mapping[Seat, bool | None], hall: HallStatus, game: int) -> Approval:
    """Return the state of the approval. Needs a game that is over, whose seats are asked."""
    verdict = hall.verdict(game)
    word, short = _verdict_texts(m, verdict)
    contested = [seat for seat in m.seats if said[seat] is False]
    settled = verdict is not None and verdict.by != "all"
    done = settled or all(said.values())
    state = _who_is_missing(m, said, contested)
    count = m.say(SO_FAR if any(said.values()) else NOBODY, **_counts(said))
    return Approval(
        _approval_lines(m, said, verdict.counts if verdict else None),
        state,
        "" if done else _how_to_approve(m, bool(contested)),
        word,
        m.say(STATES[hall.state]),
        bool(contested) and not settled,
        done,
        word or (state if done or contested else f"{count} · {state}"),
        short or (state if done else count),
    )


def _approval_lines(m: Moment, said: Mapping[Seat, bool | None], counts: Result | None) -> Sequence[ApprovalLine]:
    """Return the lines by place, with the organiser's places and scores if they overrule the table's."""
    lines = [ApprovalLine(at.seat, at.place, at.name, at.shorter, at.score, said[at.seat]) for at in end(m).places]
    if not counts:
        return lines
    otherwise = [
        replace(line, place=str(counts["places"][line.seat]),
                score=m.tongue.phrase(counts["scores"][line.seat]) if line.score else "")
        for line in lines
    ]  # fmt: skip
    return sorted(otherwise, key=lambda line: int(line.place))


def _counts(said: Mapping[Seat, bool | None]) -> Mapping[str, int]:
    return {"count": sum(map(bool, said.values())), "all": len(said)}


def _who_is_missing(m: Moment, said: Mapping[Seat, bool | None], contested: Sequence[Seat]) -> str:
    if contested:
        return m.say(CONTESTED, seats=contested)
    missing = [seat for seat in m.seats if said[seat] is None]
    return m.say(MISSING, seats=missing) if missing else m.say(ALL)


def _how_to_approve(m: Moment, contested: bool) -> str:
    if contested:
        return m.say(N_("Settle it at the table, or call the organiser."))
    buttons = any(m.means[seat].button for seat in m.seats if seat in m.means)
    finger, either = N_("Tap “Right” in your row."), N_("Tap “Right” in your row, or hold your button.")
    return m.say(either if buttons else finger)


def _verdict_texts(m: Moment, verdict: Verdict | None) -> tuple[str, str]:
    """Return the verdict in full, and without the reason."""
    if not verdict:
        return "", ""
    if verdict.by == "all":
        return m.say(N_("The result counts.")), m.say(N_("The result counts."))
    if verdict.by == "organiser":
        why, plain = N_("The organiser has settled it: {reason}"), N_("The organiser has settled it.")
    else:
        why, plain = N_("This result does not count: {reason}"), N_("This result does not count.")
    short = m.say(plain)
    return (m.say(why, reason=Said(verdict.reason)) if verdict.reason else short), short
