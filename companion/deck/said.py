"""What enrolling and checking say."""

from __future__ import annotations

from companion.deck.tags import KnownTag
from companion.rules import N_, Ruling, ruled

WEAK = 0.2
"""A tag that misses this share of its polls, or more, is called weak."""


def ruling(code: str, text: str, **facts: object) -> Ruling:
    """What a deck has to say, as a ruling."""
    return ruled(code, "T-2", text, **facts)


def weak(tag: str, of: KnownTag | None, share: float) -> Ruling:
    """Says that a tag was missed in that share of the polls."""
    text = N_(
        "Tag {tag} ({card}) did not answer first time in {percent} % of the polls: stick it flat, or use another."
    )
    return ruling("weak", text, tag=tag, card=of.card if of else None, percent=round(100 * share))
