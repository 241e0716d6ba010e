"""The tags on a reader, from polls that miss some of them, and the share of polls that miss."""

from collections import deque

FEWEST, ENOUGH = 10, 3
"""This many polls of a tag say how well it is heard; or, among fewer, this many misses."""
SOON = 8
"""A tag that is heard again within this many polls has lain there all the time: a hand is slower."""


class Presence:
    """The tags on a reader: every tag that one of the last `misses` polls has seen. Counts polls and knows no time.

    A single miss never means that a card was lifted: an RC522 polled the plain way misses a tag that stays
    every second time, because the request meets a tag that is already awake (NTAG21x data sheet, 8.4).
    """

    def __init__(self, misses: int = 3) -> None:
        self.here: frozenset[str] = frozenset()
        self.counts: dict[str, tuple[int, int]] = {}
        """The polls from a tag's first to its latest sighting, without the first, and how many of them missed it."""
        self._polls: deque[frozenset[str]] = deque(maxlen=misses)
        self._since: dict[str, tuple[int, int]] = {}  # the same since it was last heard: nothing if it is lifted now

    def see(self, tags: frozenset[str], faint: frozenset[str] = frozenset()) -> tuple[frozenset[str], frozenset[str]]:
        """Note one poll; return the tags that arrived with it and those that have left.

        The `faint` ones among the tags did not answer at once: they are here, and count as missed.
        """
        self._polls.append(tags)
        before, self.here = self.here, frozenset().union(*self._polls)
        for tag in tags | self._since.keys():
            self._count_poll(tag, tag in tags, tag in faint)
        return self.here - before, before - self.here

    def errors(self, tag: str) -> float | None:
        """Return the share of polls that missed the tag while it lay there; None if they are too few to tell.

        It counts the tag's current stay on the reader, or its latest.
        """
        polls, missed = self.counts.get(tag, (0, 0))
        return missed / polls if polls >= FEWEST or missed >= ENOUGH else None

    def _count_poll(self, tag: str, heard: bool, faint: bool) -> None:
        if tag not in self._since:
            self.counts[tag] = self._since[tag] = 0, 0
            return
        polls, missed = self._since[tag]
        if not heard:
            self._since[tag] = polls + 1, missed + 1
            if polls == SOON:
                del self._since[tag]
            return
        before, missed_before = self.counts[tag]
        # misses count only once the tag is heard again: those before a card is lifted are no fault
        self.counts[tag] = before + polls + (not faint), missed_before + missed
        self._since[tag] = (1, 1) if faint else (0, 0)  # it may have been lifted within the poll


class OneCard:
    """The card on a reader that never sees two: another tag means that the first card has left.

    The first card leaves, and the other is reported a moment later, even after quick hands: a change of tags in no time
    at all is a misreading.
    """

    PAUSE = 0.2
    """Seconds from the first look without a card to the first look at another."""

    def __init__(self) -> None:
        self._last, self._left = "", 0.0
        self._here = False

    def see(self, tag: str, t: float) -> frozenset[str]:
        """Return the tags to report, given the tag seen at `t` in seconds ("" for none)."""
        if self._here and tag != self._last:
            self._left = t
        self._here = bool(tag) and (tag == self._last or not self.changing(t))
        if not self._here:
            return frozenset()
        self._last = tag
        return frozenset({tag})

    def changing(self, t: float) -> bool:
        """Return whether a card has just left, so that another may be waiting."""
        return bool(self._last) and t < self._left + self.PAUSE
