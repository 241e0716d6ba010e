"""What is made for the ear, as a phone's display and its screen reader have it: numbers in digits, names in full."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules import N_, Ruling, Said
from companion.rules.cards import Card
from companion.rules.guide import Saying
from companion.rules.speech import Letters
from companion.rules.words import AND, Tongue, catalogue, comma, words
from companion.voice.live import capital


class Read(Tongue):
    """A language as it is read on a phone. A screen reader makes numbers into words by itself."""

    def phrase(self, value: object) -> str:
        if value is None:
            return catalogue(self.lang)(N_("nobody"))
        return super().phrase(value)

    def name(self, value: str | Card | Ruling) -> str:
        match value:
            case Letters():
                return words(comma(self.lang).join(value), self.lang)
            case Said():  # the sentences around it quote nothing
                return words(str(value), self.lang)
        return super().name(value)

    def listed(self, items: Sequence[str], both: str = AND) -> str:
        return super().listed(items, both) if items else catalogue(self.lang)(N_("nobody"))

    def sentence(self, text: str, /, **facts: object) -> str:
        """Translate and fill a template; sentences begin with a capital."""
        return capital(self.tr(text, **facts))

    def say_all(self, sayings: Sequence[Saying]) -> list[str]:
        """Return each sentence."""
        return [self.sentence(of.text, **of.facts) for of in sayings]
