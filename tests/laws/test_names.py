"""People have names: sentences call them by what was entered, in every language, and nobody by another's colour."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

from companion import games
from companion.answers.why import why
from companion.cli.replay import ReplayStep, Tally, replay, sentences, step_data
from companion.dialogues import table_draft
from companion.play.evening import Evening
from companion.record.store.history import GameRow
from companion.record.transcript import parse
from companion.rules import Said, plural
from companion.rules.cards import DECK
from companion.rules.outline import outlines
from companion.rules.vocabulary import COLOURS, KNOWN
from companion.rules.words import LANGUAGES, Tongue, catalogue, name, phrase, spoken
from companion.session.receipt import Receipt
from tests.support.paths import TESTS
from tests.support.playing import match_of, moment_of
from tests.support.tables import times
from tools.scenes.rehearsal import Memory
from ui.games.face import face_of
from ui.games.prokonsul import pads
from ui.games.prokonsul.moment import ProkonsulMoment
from ui.pages import end, history, rulings, start
from ui.table import frame
from ui.table.moment import Moment

GOLDENS = sorted((TESTS / "goldens").glob("*.jsonl"))
FAMILY = {"red": "Anna", "blue": "James", "green": "Hans"}


# -- sentences --------------------------------------------------------------------------------------------------

CARD = "{seat:of} cart"
SHARE = "{winners} share the victory"


@pytest.mark.parametrize(
    ("lang", "players", "text", "facts", "said"),
    [
        ("en", FAMILY, "{seat} has chosen.", {"seat": "red"}, "Anna has chosen."),
        ("en", FAMILY, "{seat} has chosen.", {"seat": "yellow"}, "Yellow has chosen."),
        ("de", FAMILY, "{seat} has chosen.", {"seat": "red"}, "Anna hat gewählt."),
        ("de", FAMILY, "{seat} has chosen.", {"seat": "yellow"}, "Gelb hat gewählt."),
        ("ja", {"red": "けん"}, "{seats} have chosen.", {"seats": ("red", "blue")}, "「けん」と青は選び終えました。"),
        ("ja", {"red": "けん"}, "{name}: {side}", {"name": "red", "side": "blue"}, "けん：青"),
        ("ja", {"red": "花子"}, "{seat} has chosen.", {"seat": "red"}, "花子は選び終えました。"),
        # whose it is
        ("en", FAMILY, CARD, {"seat": "red"}, "Anna's cart"),
        ("en", FAMILY, CARD, {"seat": "blue"}, "James's cart"),
        ("en", FAMILY, CARD, {"seat": "yellow"}, "Yellow's cart"),
        ("de", FAMILY, CARD, {"seat": "red"}, "Annas cart"),
        ("de", FAMILY, CARD, {"seat": "green"}, "Hans’ cart"),
        ("de", {"red": "Fritz"}, CARD, {"seat": "red"}, "Fritz’ cart"),
        ("de", {"red": "Alice"}, CARD, {"seat": "red"}, "Alice’ cart"),
        ("de", {"red": "MAX"}, CARD, {"seat": "red"}, "MAX’ cart"),
        ("de", {"red": "Strauß"}, CARD, {"seat": "red"}, "Strauß’ cart"),
        ("de", {"red": "Spieler 2"}, CARD, {"seat": "red"}, "Spieler 2’ cart"),
        ("de", {"red": "Anna", "blue": "Anna"}, CARD, {"seat": "red"}, "Annas (Rot) cart"),
        ("en", {"red": "Anna", "blue": "Anna"}, CARD, {"seat": "red"}, "Anna (Red)'s cart"),
        ("ja", {"red": "花子"}, CARD, {"seat": "red"}, "花子の cart"),
        # lists, cards and what is said beside them
        ("en", FAMILY, SHARE, {"winners": ["red", "blue"]}, "Anna and James share the victory"),
        ("en", FAMILY, "{seats}", {"seats": ("red", "blue", "yellow")}, "Anna, James and Yellow"),
        ("de", FAMILY, "{seats}", {"seats": ("red", "blue", "yellow")}, "Anna, James und Gelb"),
        ("ja", {"red": "花子", "blue": "太郎"}, "{seats}", {"seats": ("red", "blue", "green")}, "花子、太郎、緑"),
        ("en", FAMILY, "{scores}", {"scores": {"red": 5, "yellow": 22.5}}, "Anna 5, Yellow 22½"),
        ("en", FAMILY, "{card}: {seat}", {"card": DECK["red 7"], "seat": "red"}, "red 7: Anna"),
        ("en", FAMILY, "{promise}", {"promise": Said("red")}, "“red”"),
        ("de", FAMILY, "{reach}", {"reach": ("rome", "hispania_n")}, "Rom und Hispania N"),
    ],
)  # fmt: skip
def test_a_sentence_calls_people_by_name(lang: str, players: Any, text: str, facts: Any, said: str) -> None:
    assert Tongue(lang, players).tr(text, **facts) == said


@pytest.mark.parametrize(
    ("lang", "players", "called"),
    [
        ("en", {"red": "Anna", "blue": "Anna", "green": "Bert"}, ["Anna (Red)", "Anna (Blue)", "Bert"]),
        ("de", {"red": "Anna", "blue": "Anna"}, ["Anna (Rot)", "Anna (Blau)", "Grün"]),
        ("ja", {"red": "花子", "blue": "花子"}, ["花子（赤）", "花子（青）", "緑"]),
        ("en", {"red": "anna ", "blue": "ANNA"}, ["anna (Red)", "ANNA (Blue)", "Green"]),
        ("en", {"red": "Anna Lena", "blue": "Annalena"}, ["Anna Lena (Red)", "Annalena (Blue)", "Green"]),
        ("en", {"red": "Ａｎｎａ", "blue": "Anna"}, ["Ａｎｎａ (Red)", "Anna (Blue)", "Green"]),
        ("en", {"red": "Blue", "blue": "Anna"}, ["Blue (Red)", "Anna", "Green"]),
        ("en", {"red": "blue"}, ["blue (Red)", "Blue", "Green"]),
        ("de", {"red": "Blue", "green": "blau"}, ["Blue", "Blau", "blau (Grün)"]),
        ("en", {"red": "Red"}, ["Red", "Blue", "Green"]),
        (
            "en",
            {"red": "Anna", "blue": "Anna", "green": "Anna (Red)"},
            ["Anna (Red)", "Anna (Blue)", "Anna (Red) (Green)"],
        ),
    ],
)
def test_two_who_could_be_taken_for_one_another_are_told_apart(lang: str, players: Any, called: list[str]) -> None:
    tongue = Tongue(lang, players)
    assert [tongue.name(seat) for seat in ("red", "blue", "green")] == called
    assert len(set(called)) == len(called)


HOSTILE = [
    "{seat}", "{", "}}", "{0.__class__}", "%s %(x)s", "[b]Anna[/b]", "&amp;<b>", "red 7", "rome", "Rome", "carthago",
    "hispania_n", "neutral", "rome-corsica", "Legion", "yes", "–", "“red”", "Anna's", "Mc Donald-Ångström", "W" * 40,
    "アンナ", "1", "None",
]  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("player", HOSTILE)
def test_a_name_stands_as_it_was_entered(player: str, lang: str) -> None:
    """Never translated, never filled in, however often a sentence is put into another."""
    tongue = Tongue(lang, {"red": player})
    assert tongue.name("red") == tongue.phrase("red") == player
    inner = tongue.tr("{seat}", seat="red")
    assert inner == tongue.tr("{inner}", inner=inner) == tongue.phrase(tongue.name("red")) == player
    assert tongue.tr(plural("{seat}: {count} card", "{seat}: {count} cards"), seat="red", count=2).startswith(player)
    assert tongue.tr("{seats}", seats=["red", "blue"]).startswith(player)


def test_a_name_stays_on_its_line_and_hides_nothing() -> None:
    assert spoken("An\nna\t\x1b[31m\u202egeb") == "An na [31m geb"
    assert Tongue("en", {"red": "\u200b \n"}).name("red") == "Red"
    assert Tongue("en", {"red": "山田　太郎"}).name("red") == "山田 太郎"


def test_only_a_plain_text_is_a_seat() -> None:
    tongue = Tongue("en", {"red": "Anna"})
    told = [tongue.phrase(fact) for fact in ("red", Said("red"), DECK["red 1"], ["red"], {"red": 1}, "red-blue")]
    assert told == ["Anna", "“red”", "red 1", "Anna", "Anna 1", "Anna–Blue"]


@pytest.mark.parametrize("template", ["{seat:of}", "{seats:of}", "{none:of}", "{count:of}"])
@pytest.mark.parametrize("lang", [*LANGUAGES, "xx"])
def test_every_kind_of_fact_has_a_possessive(template: str, lang: str) -> None:
    assert Tongue(lang).tr(template, seat="red", seats=["red", "blue"], none=None, count=3)


# -- over every game --------------------------------------------------------------------------------------------

SHOWN = {seat: f"{who}_{seat[0]}" for seat, who in zip(COLOURS, ["anna", "bert", "cleo", "dora", "emil", "fritz", "gina"], strict=True)}  # fmt: skip
"""Names like a place's key: whatever translates one, or words it twice, betrays itself by its capitals."""


def named(path: Path, folder: Path) -> Path:
    """The transcript with these names in every header."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        data = parse(line.encode()) if '"tabularium"' in line else None
        players = {seat: SHOWN[seat] for seat in data["seats"]} if data else {}
        lines.append(json.dumps(data | {"players": players}) if data else line)
    renamed = folder / path.name
    renamed.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return renamed


@cache
def colours(lang: str, seats: Sequence[str]) -> "re.Pattern[str]":
    """The colour of one of the seats, or a name that was worded twice."""
    called = [name(seat, lang) for seat in seats]
    twice = [who.replace("_", " ").title() for who in SHOWN.values()]
    return re.compile("|".join(called) if lang == "ja" else rf"\b({'|'.join([*called, *twice])})\b")


@cache
def cards(lang: str) -> "re.Pattern[str]":
    """Return the pattern of cards and of pieces, whose colour is their own and not a player's name."""
    own = [text for piece, text in KNOWN.pieces.items() if piece.partition(" ")[0] in COLOURS]
    pieces = {catalogue(lang)(text).partition("{")[0] for text in own}
    return re.compile(
        "|".join(sorted({*pieces, *(phrase(card, lang) for card in DECK.values())}, key=len, reverse=True))
    )


def betrayed(text: str, lang: str, seats: tuple[str, ...]) -> bool:
    return bool(colours(lang, seats).search(cards(lang).sub("", text) if lang == "ja" else text))


def texts(shown: Any) -> Iterator[str]:
    """Every text in a view-model."""
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, Mapping):
        for value in shown.values():
            yield from texts(value)
    elif isinstance(shown, list | tuple):
        for value in shown:
            yield from texts(value)
    elif is_dataclass(shown) and not isinstance(shown, type | Moment):
        for part in fields(shown):
            yield from texts(getattr(shown, part.name))


def seen(step: ReplayStep, log: list[Receipt], lang: str) -> Moment:
    header, session = step.header, step.session
    return Moment(
        game=header.game, seats=header.seats, view=session.view(), derived=session.derived(), lang=lang,
        players=header.players, options=header.options, board=header.board, reveal=header.reveal, log=tuple(log),
        fists=tuple(header.game.fists(session.state)), outlines=tuple(outlines(header.game, session.state)),
    )  # fmt: skip


def screen(m: Moment) -> Iterator[str]:
    """What the table's page says, and the pages one comes to from it."""
    yield from texts(frame.band(m))
    yield from texts(frame.rail(m))
    yield from texts(frame.ruling_line(m))
    yield from texts(face_of(m.game.name).centre(m))
    if m.log and m.log[-1].public:
        reason = why(m.game, m.tongue, m.log)
        assert reason
        for one in (reason.lead, *reason.links):
            yield from (one.text, *(text for fact in one.facts for text in fact))
            yield from (held.text for held in one.conditions)
            if one.contest:
                yield one.contest.nearest
    if m.view["phase"] in ("pleading", "negotiating"):
        yield from texts(pads.askable(cast("ProkonsulMoment", m), ""))
        yield from texts(pads.coalition(cast("ProkonsulMoment", m), m.seats, m.seats[0]))
    if m.view["over"]:
        yield from texts(end.end(m))
        yield from (entry.text for entry in rulings.log(m))


@pytest.mark.parametrize("path", GOLDENS[:: times(3, 1)], ids=lambda path: path.stem)
def test_named_players_are_never_called_by_colour(path: Path, tmp_path: Path) -> None:
    """Every sentence of every game: on the command line all of them, on the screen at a sample of moments."""
    log: list[Receipt] = []
    tally = Tally()
    for at, step in enumerate(replay(named(path, tmp_path))):
        tally.take(step)
        log = [*([] if step.opening else log), *step.receipts]
        for lang in LANGUAGES:
            said = list(sentences(step, lang, referee=True))
            if at % 5 == 0 or step.session.view()["over"]:
                said += screen(seen(step, log, lang))
            assert not [text for text in said if betrayed(text, lang, step.header.seats)], lang
    for lang in LANGUAGES:
        assert not betrayed(tally.sentence(lang), lang, step.header.seats)


def test_the_law_can_be_broken() -> None:
    said = {"en": "Red has chosen.", "de": "Rot hat gewählt.", "ja": "赤は選び終えました。"}
    assert all(betrayed(text, lang, ("red",)) for lang, text in said.items())
    assert betrayed("Anna R has chosen.", "en", ("red",))
    assert not any(betrayed(phrase(DECK["red 7"], lang), lang, ("red",)) for lang in LANGUAGES)


@pytest.mark.parametrize("path", GOLDENS[:: times(3, 1)], ids=lambda path: path.stem)
def test_names_change_nothing_but_sentences(path: Path, tmp_path: Path) -> None:
    def told(file: Path) -> list[str]:
        return [json.dumps(without_texts(step_data(step, "de", None, True))) for step in replay(file)]

    assert told(named(path, tmp_path)) == told(path)


def without_texts(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: without_texts(value) for key, value in data.items() if key != "text"}
    return [without_texts(value) for value in data] if isinstance(data, list) else data


# -- on the screen ----------------------------------------------------------------------------------------------


def game(players: Mapping[str, str], *events: Mapping[str, Any], lang: str = "en") -> Evening:
    evening = Evening(Memory())
    evening.lang = lang
    header = {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"], "players": dict(players)}
    evening.begin(header | {"reveal": "auto"})
    for event in events:
        assert all(receipt.ok for receipt in match_of(evening).act(event)), event
    evening.drain()
    return evening


CHOSEN = (
    {"event": "pawns", "order": ["red", "blue", "green"]},
    {"event": "province", "province": "sicilia"},
    {"event": "choose", "seat": "red", "card": "red 9"},
)


def test_screen_shows_names_or_else_colours() -> None:
    m = moment_of(game({"red": "Anna", "blue": "Anna"}, *CHOSEN))
    assert frame.band(m).sentence == "Anna (Blue) and Green: touch your colour and choose a card on the screen"
    assert frame.ruling_line(m).text == "Anna (Red) has chosen."
    assert [panel.name for panel in frame.rail(m)] == ["Anna (Red)", "Anna (Blue)", "Green"]
    assert next(entry.text for entry in rulings.log(m)) == "Anna (Red) has chosen."
    reason = why(m.game, m.tongue, m.log)
    assert reason and reason.lead.text == "Anna (Red) has chosen."
    assert reason.lead.facts == []  # the sentence has said who


def test_the_start_page_and_the_history_say_who_plays() -> None:
    table = {"game": "prokonsul", "seats": ["red", "blue", "green"], "players": {"red": "rome", "blue": "green"}}
    row = GameRow(1, "2026-11-22T04:00:00", json.dumps(table), 5, json.dumps({"winners": ["blue"]}))
    assert start.waiting(row, "de").line.startswith("Prokonsul: rome, green und Grün – ")
    assert history.rows([row], {}, "de")[0].text == "rome, green und Grün. Sieg für green."


def test_two_of_one_name_both_keep_it_in_a_game_for_two() -> None:
    draft = table_draft.TableDraft(games.game("prokonsul"), ("red", "green"), {"red": "Anna", "green": "Anna"})
    assert table_draft.play(draft, games.game("hannibal")).players == {"red": "Anna", "blue": "Anna"}


def test_a_series_counts_players_by_the_names_they_are_called(tmp_path: Path) -> None:
    m = moment_of(game({"red": "rome", "blue": "Anna", "green": "red"}))
    line = {"games": 2, "scores": {"rome": 2, "Anna": 1, "red": 0}, "winner": "rome"}
    shown = end.series_so_far(m, line, over=True)
    assert shown.title == "rome has won the series after 2 games"
    assert [standing.name for standing in shown.standings] == ["rome", "Anna", "red (Green)"]
    assert [standing.seat for standing in shown.standings] == ["red", "blue", "green"]


def test_series_wins_are_named_only_where_players_kept_their_seats(tmp_path: Path) -> None:
    """Green has no name, so seats are counted: red was somebody else's in each game."""
    tables = iter([{"red": "Anna", "blue": "Bert"}, {"red": "Cleo", "blue": "Bert"}])
    first, *lines = (GOLDENS[0].parent / "mercator-series.jsonl").read_text(encoding="utf-8").splitlines()
    path = tmp_path / "series.jsonl"
    games = [json.dumps(json.loads(line) | {"players": next(tables)}) if '"game"' in line else line for line in lines]
    path.write_text("\n".join([first, *games]), encoding="utf-8")
    tally = Tally()
    for step in replay(path):
        tally.take(step)
    line = tally.line()
    assert line
    red, blue, green = (phrase(line["scores"][seat]) for seat in ("red", "blue", "green"))
    assert tally.sentence("en").startswith(f"After game 2: Red {red}, Bert {blue}, Green {green}.")
