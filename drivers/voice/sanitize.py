"""Text made safe for an engine: nothing in it is a command, and its length is limited."""

from __future__ import annotations

import re
from unicodedata import category

LONGEST = 600
"""The most letters said at once."""
MARKS = re.compile(r"<[^<>]*>|[\[\]<>{}|\\/&#@*^~`_=+\"“”„«»()%$§]")
"""Markup, [[phonemes]], and signs read out by their names."""
LATIN = 0x250
"""Letters from here on are not read in English or German."""
DASHES = "-‐‑‒–—―"


def plain(text: str, lang: str) -> str:
    """Return the part of a text that can be said in this language; "" if there is none."""
    said = MARKS.sub(" ", text)
    said = "".join(sign if _is_speakable(sign, lang) else " " for sign in said)
    said = " ".join(said.split()).lstrip(f"{DASHES} .,;:!?、。")
    if len(said) > LONGEST:
        said = said[:LONGEST].rpartition(" ")[0] or said[:LONGEST]
    return said if any(sign.isalnum() for sign in said) else ""


def _is_speakable(sign: str, lang: str) -> bool:
    if category(sign)[0] in "CZS":
        return False
    return lang == "ja" or ord(sign) < LATIN or category(sign)[0] == "P"


def sentences(text: str) -> list[str]:
    """Return the sentences one by one, so that the first can be heard while the next is made."""
    return [part for part in re.findall(r"[^。！？!?]+[。！？!?]*", text) if any(sign.isalnum() for sign in part)]
