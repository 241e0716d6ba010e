"""Every ruling, prompt and move of the recorded games, read as a sentence in every language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest

from companion import games
from companion.answers import guide
from companion.answers.why import why
from companion.cli.replay import replay
from companion.cli.simulate import play, table
from companion.games import prompts_of
from companion.record.transcript import Header
from companion.rules import Redo, Ruling, Undo
from companion.rules.cards import DECK
from companion.rules.words import LANGUAGES, Tongue, name, owner, translations
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.paths import GOLDENS
from tests.support.states import well_formed

PEOPLE = dict(zip(("red", "blue", "green", "yellow", "purple", "black", "white"),
                  ("Anna", "Hans", "Chiara", "Dai", "Felix", "Beatrice", "Lou"), strict=True))  # fmt: skip
"""Names whose owners are written in each of the ways that German has."""
NAMES = frozenset({*PEOPLE.values(), "Citerior", "Ulterior"})
"""Players, and the provinces that a recorded game's own board has."""

WRONG = {
    "": {
        "a fact without its words": r"[{}]|\b[a-z]+_[a-z_]+\b|\b\w+=",
        "a boolean": r"\b(True|False|None)\b",
        "a bare dash": r"(^|[(:：]\s?)[-–—]($|[\s.,;:)。、])|[-–—]\s?($|[.,;:)。、])",
        "a doubled sign": r",,|;;|::|,\.|;\.|:\.|(?<!\.)\.\.(?!\.)|、、|。。|、。|\s[.,;:!?。、]|\(\)|（）",
        "a lost blank": r"  |^\s|\s$",
    },
    "en": {
        "a doubled word": r"\b(\w+) \1\b",
        "a doubled preposition": r"\b(from|to|of|at|by|with|on|into|onto) (from|to|of|at(?! most)|by|with|on|in(?! front))\b",
        "an article before a name": rf"\b([Tt]he|an?) ({'|'.join(sorted(NAMES))})\b(?!['’])",
        "nobody as a dash or a list": r"\band (and|or)\b",
        "one of several": r"\b1 (chips|cards|counters|points|tricks|votes)\b",
    },
    "de": {
        "a doubled word": r"\b(?!(?:die|das|der|sie) )(\w+) \1\b",
        "a doubled preposition": r"\b(von|aus|nach|zu|auf|an|mit|bei|vor|in|für) (von|aus|nach|zu|auf|mit|bei|in|für)\b",
        "a nominative after a preposition": r"\b(von|mit|bei|zu|nach) (die|das|ein|eine|der (Stapel|Stich|Posten|Plan))\b",
        "a weak adjective in the wrong case": (
            r"\b(von|aus|mit|bei|zu) (\w+[s’] )?\w*(gespielt|genommen|gesetzt|verdeckt|offen|übrig)e \w+(en|n)\b"
        ),
        "a colour that does not decline": r"\b(rot|blau|grün|gelb|lila|schwarz|weiß) (\d|Fahne|Karte|Stein|Figur)",
        "one of several": r"\b1 (Karten|Steine|Punkte|Stiche|Stimmen)\b",
    },
    "ja": {
        "a doubled particle": r"をを|のの|がが|はは|へへ|とと(?!も)|からから|をに|をが|がを|はを|にを|をは|のを、|のが、の",
        "a half-width sign": r"[ぁ-んァ-ヶ一-龠][,.!?;]|[,!?;][ぁ-んァ-ヶ一-龠]",
        "plain form at the end": r"((?<!ま)(?<!で)す|(?<!まし)(?<!でし)た|(?<!くださ)い|(?<!しょ)う|[くぐつぬぶむるだ])。",
    },
}
"""What no sentence of a language has: what each is, and how it looks."""


LATIN = r"[^\W\d_ぁ-んァ-ヶー一-鿿々]{2,}"
OFTEN = 12
"""Of each template so many sentences are read: by then its facts have been through all seats."""


@dataclass
class Corpus:
    """What the recorded and random games have said: templates with facts, and rulings with the log they stand in."""

    said: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)
    reasons: list[tuple[Header, Sequence[Receipt], Ruling]] = field(default_factory=list)
    often: Counter[str] = field(default_factory=Counter)

    def say(self, text: str, facts: Mapping[str, object]) -> bool:
        """Keep a sentence; return whether it was kept, which it is OFTEN times for each template."""
        self.often[text] += 1
        if kept := self.often[text] <= OFTEN:
            self.said.append((text, facts))
        return kept

    def take(self, header: Header, session: Session, receipts: Sequence[Receipt], log: list[Receipt]) -> None:
        """Keep what these receipts say, why, and what stands on the table afterwards."""
        for receipt in receipts:
            log.append(receipt)
            for ruling in receipt.rulings:
                if self.say(ruling.text, ruling.facts) and receipt.ok and ruling.seat is None:
                    self.reasons.append((header, tuple(log), ruling))
        if session.view()["over"]:
            return
        at = guide.known(header, session)
        shown, now = prompts_of(header.game.name).shown(at), guide.now(header.game, at)
        self.say(shown.named, {"seats": shown.seats, **shown.facts})
        self.say(shown.what, shown.facts)
        own = [guide.mine(header.game, at, seat) for seat in header.seats]
        for saying in (guide.turn(header.game, at), *own, *(can.says for can in now.can), *now.cannot):
            if saying:
                self.say(saying.text, saying.facts)


@cache
def corpus() -> Corpus:
    found = Corpus()
    for path in sorted(GOLDENS.glob("*.jsonl")):
        log: list[Receipt] = []
        for step in replay(path):
            log = [] if step.opening else log
            found.take(step.header, step.session, step.receipts, log)
    for game in games.NAMES:
        for last in (0, -1):
            random_game(found, game, last)
    return found


def random_game(found: Corpus, game_name: str, last: int) -> None:
    """Play a game with each option's first or last value, and between its moves what nobody would do."""
    game, rng, log = games.game(game_name), Random(f"{game_name} {last}"), list[Receipt]()
    header = table(game, max(game.seats) if last else min(game.seats), {o.name: o.values[last] for o in game.options})
    for number, (session, receipt) in enumerate(play(header, rng)):
        found.take(header, session, [receipt], log)
        if number % 3 == 0:
            found.take(header, session, [session.receive(well_formed(header, rng))], log)
        if number % 5 == 0:
            back = session.receive(Undo(max(0, session.standing - rng.randrange(1, 12))))
            found.take(header, session, [back, session.receive(Redo())], log)


@cache
def words_of(lang: str) -> frozenset[str]:
    """Return every word in Latin letters that the language's own catalogue uses."""
    said = translations(lang)._catalog.items()  # type: ignore[attr-defined]
    texts = [
        *(re.sub(r"\{[^}]*\}", " ", text) for key, text in said if key),
        *(name(card, lang) for card in DECK.values()),
    ]
    return frozenset(word for text in texts for word in re.findall(LATIN, text))


@cache
def owners(lang: str) -> frozenset[str]:
    """Return players, by name and by colour, and how they are called as owners."""
    players = [*NAMES, *(name(seat, lang) for seat in PEOPLE)]
    return frozenset({*players, *(owner(who, lang).rstrip("’") for who in players)})


def faults(sentence: str, lang: str) -> list[str]:
    """Return what is wrong with a sentence; what a player said is the player's."""
    sentence = re.sub("04[0-9A-F]{2,}", "0", sentence)
    sentence = re.sub("“[^”]*”|„[^“]*“|「[^」]*」", "X", sentence)
    found = [what for kind in ("", lang) for what, how in WRONG[kind].items() if re.search(how, sentence)]
    if lang != "en":
        foreign = {*re.findall(LATIN, sentence)} - words_of(lang) - owners(lang)
        found += [f"an English word: {word}" for word in sorted(foreign)]
    return found


@pytest.mark.parametrize("people", [PEOPLE, {}], ids=["names", "colours"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_is_one(lang: str, people: Mapping[str, str]) -> None:
    tongue = Tongue(lang, people)
    said = [tongue.tr(text, **facts) for text, facts in corpus().said]
    wrong = {sentence: found for sentence in dict.fromkeys(said) if (found := faults(sentence, lang))}
    assert len(said) > 2000 and not wrong, "\n".join(f"{sentence}  {found}" for sentence, found in wrong.items())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_is_said_in_words(lang: str) -> None:
    tongue, wrong = Tongue(lang, PEOPLE), dict[str, list[str]]()
    for header, log, ruling in corpus().reasons:
        found = why(header.game, tongue, log, ruling)
        assert found
        lead = found.lead
        for text in (
            lead.text,
            *(f"{fact}: {value}" for fact, value in lead.facts),
            *(held.text for held in lead.conditions),
        ):
            if told := faults(text, lang):
                wrong[text] = told
    assert not wrong, "\n".join(f"{text}  {found}" for text, found in wrong.items())


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "Anna says accept_no."), ("en", "accept=True"), ("en", "Still to come: –."), ("en", "from to Anna"),
        ("de", "3 Karten von Annas gespielte Karten"), ("de", "von die Bank"), ("de", "Rot deckt rot 9 auf."),
        ("de", "Anna bids 5."), ("de", "von nach b3"), ("ja", "Annaをを出します。"), ("ja", "Anna passes。"),
        ("ja", "カードを出す。"),
    ],
)  # fmt: skip
def test_what_nobody_would_say_is_found(lang: str, sentence: str) -> None:
    assert faults(sentence, lang)
