"""Line breaks of Japanese: almost anywhere, but for the marks that belong to what is beside them (kinsoku)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

NEVER_FIRST = "、。，．・：；？！」』）］｝】〕〉》ー〜々ゝゞヽヾ…–ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ"
NEVER_LAST = "「『（［｛【〔〈《"
"""Source: JIS X 4051, the characters not starting and not ending a line."""

KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe"
SCRIPT = "\u3000-\u30ff\u3400-\u9fff\uff00-\uffef"
PART = re.compile(rf"[ \n]+|[{NEVER_LAST}]*(?:[^ \n{SCRIPT}]+|[{KATAKANA}]+|[^ \n])[{NEVER_FIRST}]*")
"""Spaces, or what stays together: a letter with its marks, a word in katakana, a word or number of another script."""
LABEL = re.compile(r"[^ \n、。]{1,11}")
"""Texts that stay together where a line has room for them, between spaces: as "得点：0"."""


def lines(text: str, wide: float, measure: Callable[[str], int]) -> str:
    """Return the text with a line's end wherever the next part is too wide for the line.

    Other scripts stay as they are, but for dots between facts, which begin no line.
    """
    return "\n".join(_lines(text, wide, measure)) if re.search(f"[{SCRIPT}]| · ", text) else text


def _lines(text: str, wide: float, measure: Callable[[str], int]) -> Iterator[str]:
    line, taken = "", 0
    for part in _parts(text, wide, measure):
        if "\n" in part:
            yield from (line, *[""] * (part.count("\n") - 1))
            line, taken = "", 0
            continue
        if part == "·" and line and taken + measure(part) > wide:
            continue  # no separating dot at a line's end
        room = measure(part)
        if line and taken + room > wide and not part.isspace():
            yield line.rstrip(" ")
            line, taken = "", 0
        if line or not part.isspace():
            line, taken = line + part, taken + room
    yield line.rstrip(" ")


def _parts(text: str, wide: float, measure: Callable[[str], int]) -> Iterator[str]:
    for word in re.findall(r"[ \n]+|[^ \n]+", text):
        yield from [word] if LABEL.fullmatch(word) and measure(word) <= wide else _last_joined(word, wide, measure)


def _last_joined(word: str, wide: float, measure: Callable[[str], int]) -> list[str]:
    """Return the parts of a text with the last two kept together, so that no letter is left over on a line."""
    *parts, last = PART.findall(word)
    if parts and measure(parts[-1] + last) <= wide:
        last = parts.pop() + last
    return [*parts, last]
