"""Updates, as the table requests them: through a small file that a root service answers (pi/keeper.py).

The table can request a search, an install or a rollback, but only signed releases are installed: root checks the
signature on its own copy.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import randrange
from typing import Any, Literal, get_args

from companion.rules import N_
from companion.rules.message import Message
from companion.system.files import alone, held

ASKED, ASK, PLAYING = "run/tabularium-update/asked", "ask.json", "game"
SAID, TRIAL, LAST = "run/tabularium-update/said.json", "opt/tabularium/trial.json", "opt/tabularium/last.json"
BUSY = "run/tabularium-update/busy"
"""A file that root holds while it is at work."""
LONG = 1 << 20
"""The length of an answer that is read, in bytes."""

WHY: Mapping[str, str] = {
    "none": N_("There is no new version in {place}."),
    "unread": N_("{place} cannot be read: {why}."),
    "portal": N_("{place} did not send an update. Does this network want you to log in first?"),
    "unsigned": N_("This update is not signed: it may not be genuine."),
    "forged": N_("This update is signed with a key that this table does not know."),
    "no-keys": N_("This table has no key installed, so it cannot tell whether an update is genuine."),
    "torn": N_("{file} in this update is damaged. Copy the update again."),
    "missing": N_("{file} is missing from this update. Copy the update again."),
    "odd": N_("{file} in this update is not a regular file."),
    "large": N_("{file} in this update is too large."),
    "unknown": N_("This version cannot install this kind of update: install it by hand."),
    "older": N_("{version} is older than {current}, which is installed."),
    "same": N_("{version} is installed already."),
    "trial": N_("{version} is on probation for {minutes} more minutes. Try again after that."),
    "game": N_("A game is in progress. Finish it first, or stop it for another evening."),
    "room": N_("There is too little room: {needed} MB are needed, and {free} MB are free."),
    "no-address": N_("config.yaml names no address for updates."),
    "no-before": N_("No version before this one is installed."),
}
"""The reason of a refusal, by root's code."""
DIED = N_("it crashed within ten minutes")
DARK = N_("it showed no picture")
BY_HAND = N_("somebody asked for it")
CONFIG = N_("it cannot read config.yaml")
GONE = N_("it is no longer there")
REASONS = {"died": DIED, "dark": DARK, "asked": BY_HAND, "config": CONFIG, "gone": GONE}
"""The reason why a version did not stay or come back, by root's code."""
ENDED = N_("The update service stopped without an answer. Look again. Its log: journalctl -u tabularium-update")
LATER: Mapping[str, str] = {
    "updated": N_("{version} has passed its probation."),
    "cut": N_("The update to {other} was interrupted. {version} is unchanged."),
    "stays": N_("{version} stays, because {other} cannot be restored: {why}."),
    "back": N_("{version} is back in place of {other}: {why}. The present games are kept."),
    "aside": N_("{version} is back in place of {other}: {why}. It cannot read the present games, so "
"those from before the update are back too. The present ones are kept as {aside}."),
    "none": N_("{version} is back in place of {other}: {why}. It cannot read the present games, and "
"there are none from before the update, so it begins without any. The present ones are "
"kept as {aside}."),
}  # fmt: skip
"""The outcome of an update, by the word that root notes; `aside` where games lie beside, `none` without others."""
State = Literal["working", "done", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A release: its version, its first changes and the number of `further` ones, or why it is refused."""

    place: str
    version: str = ""
    changes: Sequence[str] = ()
    further: int = 0
    why: Message | str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """Root's answer to the last request. `text` says why it was refused, or what failed; `step` is the current step."""

    state: State = "working"
    step: str = ""
    version: str = ""
    offers: Sequence[Offer] | None = None
    text: Message | str = ""

    @property
    def best(self) -> Offer | None:
        """Return the newest release that root would accept."""
        good = [offer for offer in self.offers or () if offer.version and not offer.why]
        return max(good, key=lambda offer: [int(part) for part in offer.version.split(".")], default=None)


class Updates:
    """The channel to root and back, below a root folder, / on a Pi."""

    def __init__(self, root: Path = Path("/"), address: str = "") -> None:
        self._root = root
        self.address = address
        """The address of releases on the network, as config.yaml has it; nothing looks there unasked."""
        self._asked_number = 0
        self._lock: Any = None

    @property
    def there(self) -> bool:
        """Return whether there is an update service to ask."""
        return os.access(self._root / ASKED, os.W_OK)

    # -- questions and answers -----------------------------------------------------------------------------------------

    def look(self, address: bool = False) -> None:
        """Request a search for releases: on sticks, or at the address that config.yaml names. Raises OSError."""
        self._request("address" if address else "look")

    def take(self, place: str) -> None:
        """Request the installation of the release in this place. Raises OSError."""
        self._request("take", place)

    def back(self) -> None:
        """Request a rollback to the version before. Raises OSError."""
        self._request("back")

    def _request(self, act: str, place: str = "") -> None:
        self._asked_number = randrange(1, 1 << 48)  # unique: the page and a terminal may ask at once
        asked = self._root / ASKED / ASK
        beside = asked.with_name(f".{ASK}.new")
        beside.write_text(json.dumps({"number": self._asked_number, "act": act, "place": place}), encoding="utf-8")
        beside.replace(asked)

    def heard(self) -> Answer | None:
        """Return the answer so far to the last request; None without a request."""
        if not self._asked_number:
            return None
        waits = (self._root / ASKED / ASK).exists()
        over = not waits and not self.busy  # in this order, and before SAID is read: root answers before it ends
        said = self._read_answer(SAID)
        if _as_number(said) != self._asked_number or said.get("state") not in get_args(State):
            said = {"state": "working"}
        if said["state"] == "working" and over:
            return Answer("failed", text=Message(ENDED))
        offers = [_read_offer(of) for of in _as_list(said.get("offers"))] if "offers" in said else None
        step, version = (str(said.get(key, "")) for key in ("step", "version"))
        return Answer(said["state"], step, version, offers, _refusal_reason(said))

    @property
    def busy(self) -> bool:
        """Return whether root is at work on a request, from any program. Raises nothing."""
        try:
            with (self._root / BUSY).open("rb") as file:
                return held(file)
        except OSError:
            return False

    # -- what has become of it -----------------------------------------------------------------------------------------

    def last(self) -> tuple[int, Message] | None:
        """Return the number and the outcome of the last update; None where there was none."""
        said = self._read_answer(LAST)
        kind = "none" if said.get("games") == "none" else "aside" if said.get("aside") else str(said.get("what"))
        template = LATER.get(kind)
        if template is None:
            return None
        why = str(said.get("why", ""))
        facts = {key: str(said.get(key, "")).partition("-")[0] for key in ("version", "other")}
        facts |= {"why": Message(REASONS[why]) if why in REASONS else why, "aside": str(said.get("aside", ""))}
        return _as_number(said), Message(template, **facts)

    def trial(self) -> tuple[str, int] | None:
        """Return the version on probation, and its remaining minutes of running; None where there is none."""
        said = self._read_answer(TRIAL)
        left, this = said.get("left"), said.get("this")
        if not this or not isinstance(left, int) or said.get("phase", "trying") != "trying":
            return None
        return str(this).partition("-")[0], -(-left // 60)

    @property
    def before(self) -> str:
        """Return the version that could be restored, "" for none."""
        folder = self._root / "opt/tabularium"
        at = {name: _link_target(folder / name) for name in ("current", "good", "before")}
        found = at["good"] if at["good"] != at["current"] else at["before"]  # as pi/program.py has it
        whole = found and found != at["current"] and (folder / found / "whole").exists()
        return found.partition("-")[0] if whole else ""

    # -- a game is on --------------------------------------------------------------------------------------------------

    def playing(self, on: bool) -> None:
        """Tell root whether a game is on.

        This program locks a file for as long as one is, and loses the lock however it ends.
        """
        lock, self._lock = self._lock, None
        if lock:
            lock.close()
        if on and self.there:
            with suppress(OSError):
                self._lock = (self._root / ASKED / PLAYING).open("w")
                alone(self._lock)

    def _read_answer(self, name: str) -> dict[str, Any]:
        try:
            with (self._root / name).open("rb") as file:
                said = json.loads(file.read(LONG))
        except (OSError, ValueError, RecursionError):
            return {}
        return said if isinstance(said, dict) else {}


def _link_target(link: Path) -> str:
    """Return the name that a link leads to, "" where there is none."""
    try:
        return link.readlink().name
    except OSError:
        return ""


def _as_number(said: Mapping[str, Any]) -> int:
    number = said.get("number", 0)
    return number if isinstance(number, int) else 0


def _as_list(said: object) -> list[Any]:
    return said if isinstance(said, list) else []


def _read_offer(said: object) -> Offer:
    if not isinstance(said, dict):
        return Offer("")
    place, version, code = (str(said.get(key, "")) for key in ("place", "version", "code"))
    numbered = version if re.fullmatch(r"\d{1,4}(\.\d{1,4}){2}", version) else ""
    changes, further = tuple(map(str, _as_list(said.get("changes")))), said.get("further")
    return Offer(place, numbered, changes, further if type(further) is int else 0, _refusal_reason(said), code)


def _refusal_reason(said: Mapping[str, Any]) -> Message | str:
    """Return why a release was refused: translatable where the code is known, else root's own English text."""
    code = said.get("code")
    if isinstance(code, str) and code in WHY:
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            return Message(WHY[code], **said.get("facts", {}))
    return str(said.get("text", ""))
