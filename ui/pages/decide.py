"""The table's decision: its words, and the event that results from them."""

from __future__ import annotations

from typing import Any

from companion.answers.editing import Draft
from companion.rules import N_
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
    """Return what everybody may know of the decision's effects."""
    still = [] if receipt.public[0].facts.get("moves") else [tongue.tr(N_("Nothing moves on the table."))]
    return "\n".join([*(tongue.say(ruling) for ruling in receipt.public), *(still if receipt.ok else ())])
