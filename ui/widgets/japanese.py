"""Line breaks of Japanese: between phrases where that costs no line, else almost anywhere but beside some marks."""

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
JOINED = "おごいきぎしじちびみりえけげせねべめれ"
"""Hiragana that join what follows to them: an honorific, or the first half of a compound verb, as in "積み込む"."""
PHRASE = re.compile(
    rf"(?:(?<=[、。；！？を])|(?<=[」』）])(?![ぁ-ゖ])|(?<=：)(?!\d)|(?<=は)(?=[こそもほす])|"
    rf"(?<=[ぁ-ゖ])(?<![{JOINED}])(?![ぁ-ゖ])|(?<![{NEVER_LAST}])(?=[{NEVER_LAST}]))(?![{NEVER_FIRST}])"
)
"""The place between two phrases: beside a mark, or where a particle or an ending meets the next word."""
BLANK = re.compile(r" +(?:· +)?")


def lines(text: str, wide: float, measure: Callable[[str], int]) -> str:
    """Return the text in the fewest lines, with as many of their ends as possible between phrases.

    Other scripts stay as they are, but for dots between facts, which begin no line.
    """
    if not re.search(f"[{SCRIPT}]| · ", text):
        return text
    return "\n".join(line for part in text.split("\n") for line in _lines(part, wide, measure))


def _lines(text: str, wide: float, measure: Callable[[str], int]) -> Iterator[str]:
    if measure(text) <= wide:
        yield text
        return
    parts = _parts(text, wide, measure)
    sizes = [measure(part) for part, _ in parts]
    blank = [part[0] == " " for part, _ in parts]
    last = len(parts)
    best = [(0, 0, last)] * (last + 1)
    """From each part on: how many lines, how bad their ends are, and where the next line begins."""
    for start in reversed(range(last)):
        if blank[start]:
            best[start] = (*best[start + 1][:2], start + 1)
            continue
        best[start], taken = (last + 1, 0, last), 0
        for end in range(start + 1, last + 1):
            taken += sizes[end - 1]
            if taken > wide and end > start + 1 and not blank[end - 1]:
                break
            count, bad, _ = best[end]
            cost = count + 1, bad + parts[end - 1][1]
            if cost <= best[start][:2]:
                best[start] = *cost, end
    start = 0
    while start < last:
        end = best[start][2]
        line = "".join(part for part, _ in parts[start:end]).rstrip(" ")
        if line.endswith(" ·") and measure(line) > wide:
            line = line.removesuffix(" ·")
        if line:
            yield line
        start = end


def _parts(text: str, wide: float, measure: Callable[[str], int]) -> list[tuple[str, int]]:
    """Return what stays together, each with how bad a line's end after it is: 2 between a number and its counter."""
    found: list[tuple[str, int]] = []
    for word in re.findall(r" +(?:· +)?|[^ ]+", text):
        if BLANK.fullmatch(word) or (LABEL.fullmatch(word) and measure(word) <= wide):
            found.append((word, 0))
            continue
        for phrase in filter(None, PHRASE.split(word)):
            *inner, last = PART.findall(phrase)
            found += [*((part, 1 + part[-1].isdecimal()) for part in inner), (last, 0)]
        if inner and measure(inner[-1] + last) <= wide:
            found[-2:] = [(inner[-1] + last, 0)]  # no letter is left over on a line
    return found
