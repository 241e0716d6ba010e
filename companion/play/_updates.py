"""Another version of the program, by ear: looked for, put in place, and taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from companion.play.lists import Choice, Do, Entry, Then
from companion.rules import N_
from companion.rules.guide import Saying
from companion.rules.message import Message
from companion.system.updates import Offer, Updates

UPDATE = N_("Updates.")
LOOK = N_("Look for a release on a stick.")
ADDRESS = N_("Look for a release at the address in config.yaml.")
LOOKING = N_("I am looking. Take “Updates” again in a few seconds, and it begins with what I have found.")
NOBODY = N_("No release was found.")
LAST = N_("What became of the last update.")
INSTALL = N_("Install version {version}.")
NEWS = N_("What is new in it.")
DO_IT = N_("Yes, install it. The games are copied first.")
BEGINS = N_("It begins. In a minute or two I am silent, and then I start again as the other version.")
BACK = N_("Back to version {version}.")
DO_GO_BACK = N_("Yes, go back to it. The games are kept where it can read them.")


class UpdatesByEar:
    """What there is to take, as things stand."""

    def __init__(self, updates: Updates) -> None:
        self._updates = updates

    def choice(self) -> Choice:
        return Choice(None, list(self._entries()))

    def _entries(self) -> Iterator[Entry]:
        updates = self._updates
        answer = updates.heard()
        if answer and answer.text:
            yield _told(answer.text)
        if answer and answer.offers is not None:
            yield from map(self._offered, answer.offers)
            if not answer.offers:
                yield Entry(NOBODY)
        yield Entry(LOOK, {}, Do(partial(self._asked, updates.look, LOOKING)))
        if updates.address:
            yield Entry(ADDRESS, {}, Do(partial(self._asked, partial(updates.look, address=True), LOOKING)))
        if last := updates.last():
            yield Entry(LAST, {}, [_saying(last[1])])
        if before := updates.before:
            sure = Entry(DO_GO_BACK, {}, Do(partial(self._asked, updates.back, BEGINS)))
            yield Entry(BACK, {"version": before}, Choice(None, [sure]))

    def _offered(self, offer: Offer) -> Entry:
        if offer.why:
            return _told(offer.why)
        news = [Saying("", "{text}", {"text": line}) for line in offer.changes]
        sure = Entry(DO_IT, {}, Do(partial(self._asked, partial(self._updates.take, offer.place), BEGINS)))
        return Entry(INSTALL, {"version": offer.version}, Choice(None, [Entry(NEWS, {}, news), sure]))

    def _asked(self, ask: Callable[[], object], said: str) -> Then:
        try:
            ask()
        except OSError as error:
            return [Saying("", "{text}", {"text": str(error)})]
        return [Saying("", said)]


def _told(text: Message | str) -> Entry:
    said = _saying(text)
    return Entry(said.text, said.facts, [said])


def _saying(text: Message | str) -> Saying:
    if isinstance(text, Message):
        return Saying("", text.template, text.facts)
    return Saying("", "{text}", {"text": text})


def entries(updates: Updates | None) -> Sequence[Entry]:
    """The one entry that leads here, where anybody is there to be asked."""
    return [Entry(UPDATE, {}, UpdatesByEar(updates).choice)] if updates and updates.there else []
