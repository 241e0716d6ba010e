"""The table's decision: its words, and the event that results from them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.answers.editing import Draft
from companion.rules import N_, Ruling
from companion.rules.words import Tongue
from companion.session.receipt import Receipt

READY = (
    N_("We play on as things are."),
    N_("That does not count."),
    N_("Somebody miscounted."),
    N_("A piece was in the wrong place."),
    N_("We play this our own way."),
)
"""Frequent decisions of tables."""


def event(words: str, draft: Draft | None = None) -> dict[str, Any]:
    """Return the decision as a transcript writes it: words alone, or with the changes of a draft.

    A draft without changes counts as one too: taking up the face-down cards either way keeps secret who changed a
    purse.
    """
    return {"event": "decide", "words": words, **({"change": draft.change} if draft else {})}


def comes(receipt: Receipt, tongue: Tongue) -> str:
    """Return what everybody may know of the effects of a decision, or of its correction, before it is made."""
    still = [] if receipt.public[0].facts.get("moves") else [tongue.tr(N_("Nothing moves on the table."))]
    told = (tongue.say(planned(ruling)) for ruling in receipt.public)
    return "\n".join([*told, *(still if receipt.ok else ())])


def planned(ruling: Ruling) -> Ruling:
    """Return the ruling on a decision as it is told before the table has made it; any other one as it is."""
    if isinstance(said := ruling.facts.get("said"), Ruling):
        return replace(ruling, facts={**ruling.facts, "said": planned(said)})
    return replace(ruling, text=N_("To be decided: {words}")) if ruling.code == "decided" else ruling


def corrected(number: int, words: str, draft: Draft) -> dict[str, Any]:
    """Return the correction of the decision with this number, which then has the changes of the draft."""
    return {"event": "amend", "act": number, "as": event(words, draft)}
