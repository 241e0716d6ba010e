"""What is wrong with a position, in everybody's language: at the table in people's names, for programs in English."""

import ast
import re
from random import Random
from typing import Any

import pytest

from companion.answers.editing import Draft, draft
from companion.cli.replay import ruling_data
from companion.games import position_of
from companion.record.transcript import Header
from companion.rules import AnyGame, Decide, Ruling
from companion.rules.mistakes import Mistakes, dotted
from companion.rules.words import Tongue
from companion.session.deciding import decide, merge
from tests.support.drafts import drafted, touch
from tests.support.playing import header
from tests.support.positions import garble, jsoned
from tests.support.states import some, travel
from tests.support.tables import FEW, times
from tools.words import ROOT, catalogue, forms, key, texts
from ui.pages import editor

PEOPLE = {
    "de": Tongue("de", {"red": "Anna", "blue": "Hans", "green": "Mia"}),
    "ja": Tongue("ja", {"red": "アンナ", "blue": "健", "green": "花子"}),
}
ALICE = Tongue("en", {"red": "Alice"})

WRONG: dict[str, tuple[str, str, dict[str, Any], str, str]] = {
    "a turn out of turn": (
        "caesar", "red blue", {"turn": "blue"},
        "Wer am Zug ist: nach 0 Steinen ist Anna am Zug",
        "手番：カウンターが0個置かれているので、アンナの手番です"),
    "one counter is not counters": (
        "caesar", "red blue", {"board": {"c3": {"owner": "red", "size": 1}}},
        "Wer am Zug ist: nach 1 Stein ist Hans am Zug",
        "手番：カウンターが1個置かれているので、健の手番です"),
    "neutral counters on each other": (
        "caesar", "red blue", {"board": {"c3": {"owner": "neutral", "size": 2}}},
        "c3: ein neutraler Stein liegt allein",
        "c3：中立のカウンターは1個だけで置かれます"),
    "an attack on nobody": (
        "caesar", "red blue", {"duel": {"from": "c3"}},
        "Angriff: fehlt: welches Feld?",
        "闘争：未入力です。どのマスですか？"),
    "legions on both sides": (
        "hannibal", "blue red", {"regions": {"hispania_n": {"blue": 1, "red": 1}, "rome": {"blue": 1}, "carthago": {"red": 1}}},
        "Hispania N: dort stehen beide Seiten: das wäre eine Schlacht",
        "北ヒスパニア：双方の駒がそこにあり、戦闘になるはずです"),
    "too many legions": (
        "hannibal", "blue red", {"regions": {"zama": {"red": 9}}},
        "Plan: Anna hat 5 Legionen, nicht 14",
        "ゲーム盤：アンナの軍団は5個です（14個ではありません）"),
    "a battle nowhere": (
        "hannibal", "blue red", {"phase": "choosing"},
        "Schlacht: fehlt: wo ist die Schlacht?",
        "戦闘：未入力です。戦闘はどこですか？"),
    "a lot that is sold already": (
        "mercator", "red blue green", {"phase": "over", "lot": ["red 7"]},
        "Der Posten: nach den Auktionen gibt es keinen Posten",
        "組：競りの終了後に組はありません"),
    "a full ship": (
        "mercator", "red blue green", {"ships": {"red": [f"red {rank}" for rank in (2, 3, 4, 5, 6, 7)]}},
        "Wer aufdeckt: Annas Schiff ist voll und deckt nicht auf",
        "めくるプレイヤー：アンナの船は満杯なので、手番プレイヤーになりません"),
    "a card twice": (
        "mercator", "red blue green", {"lot": ["red 7"], "gone": ["red 7"]},
        "Karten: die rote 7 ist doppelt da: im Posten, auf einem Schiff oder unter den ausgeschiedenen Karten",
        "カード：赤7が2枚あります（組、船、ゲームから除かれたカードのどこかに）"),
    "a pawn nowhere": (
        "prokonsul", "red blue green", {"phase": "province", "row": ["red", "green"]},
        "Figurenreihe, von links: jede Figur steht einmal in der Reihe: Hans fehlt",
        "ポーンの列（左から）：ポーンは列に1つずつ並びますが、健がありません"),
    "a province that has a governor": (
        "prokonsul", "red blue green",
        {"phase": "choosing", "round": 1, "row": ["red", "blue", "green"], "province": "asia",
         "provinces": {"asia": {"governor": "red"}}},
        "Schwarze Figur: Asia hat schon einen Statthalter",
        "黒のポーン：アジアにはもう総督がいます"),
    "out before a number": (
        "spartacus", "red blue green", {"passed": ["red"]},
        "Aus dem Stich heraus: bevor eine Zahl gespielt ist, ist niemand heraus",
        "トリックから抜けた人：数字が出る前に、トリックから抜けた人はいません"),
    "a trick that goes up": (
        "spartacus", "red blue green", {"trick": ["red 3", "blue 5"]},
        "Der Stich, der Reihe nach: jede Zahl ist niedriger als die vor ihr",
        "トリック（出た順）：数字は、前に出たどの数字よりも小さくなります"),
}  # fmt: skip


def changed(name: str) -> tuple[Header, Any, dict[str, Any], dict[str, Any]]:
    game, seats, change, *_ = WRONG[name]
    head = header(game, seats)
    state = head.game.setup(head.setup)
    return head, state, change, position_of(head.game.name).written(state)


@pytest.mark.parametrize("lang", PEOPLE)
@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_in_peoples_language(name: str, lang: str) -> None:
    head, state, change, written = changed(name)
    said = WRONG[name][3 if lang == "de" else 4]
    found = Draft(head.game, head.setup, written, merge(written, change))
    assert editor.status(found, PEOPLE[lang]).text == said
    (heard, *_) = refused(head, state, change)
    assert said in PEOPLE[lang].say(heard)


def refused(head: Header, state: Any, change: dict[str, Any]) -> list[Ruling]:
    ok, _, rulings = decide(head.game, head.setup, state, Decide("So.", change))
    assert not ok
    return [*rulings]


@pytest.mark.parametrize("name", WRONG)
def test_programs_read_it_in_english_as_ever(name: str) -> None:
    """Where with the keys of the position, who with the seat's: the fact and the English text of the ruling."""
    head, state, change, written = changed(name)
    with pytest.raises(Mistakes) as raised:
        position_of(head.game.name).read(head.setup, merge(written, change))
    secret = ("chips", "hand")
    public = [mistake for mistake in raised.value.found if mistake.path[0] not in secret]
    text = "; ".join(f"{dotted(mistake.path)}: {mistake.what}" for mistake in public)
    data = ruling_data(refused(head, state, change)[0], ALICE)
    assert data["facts"] == {"mistakes": text} and type(data["facts"]["mistakes"]) is str
    assert data["text"] == f"That cannot be: “{text}”."


def test_a_seat_is_not_a_colour_and_every_word_that_was_written_stays() -> None:
    head, state, _, _ = changed("a full ship")
    change = {"phase": "flaping", "lot": ["red 77", "red 7", "red 7"], "gone": True}
    (heard, *_) = refused(head, state, change)
    said = PEOPLE["de"].say(heard)
    assert (
        '"flaping" gehört nicht dazu; möglich ist: flipping, fists, bidding, loading, over; gemeint ist viell' in said
    )
    assert "Der Posten: die rote 7 ist doppelt da" in said and "nicht true" in said
    assert "Anna" not in said


def test_own_mistakes_are_for_their_owner_in_their_language() -> None:
    head, state, _, _ = changed("a turn out of turn")
    found = draft(head.game, head.setup, state)
    hand = next(part for part in found.parts if part.path == ("hand", "blue"))
    found = found.put(hand, ["blue 1"])
    assert editor.own_mistakes(found, "red", PEOPLE["ja"]) == []
    assert editor.own_mistakes(found, "blue", PEOPLE["ja"]) == ["まだカードは出されていないので、手札は10枚です"]
    public, own = refused(head, state, {"hand": {"blue": ["blue 1"]}})
    assert (own.seat, PEOPLE["de"].say(public)) == (
        "blue", "Das kann nicht sein: es passt nicht zu dem, was verdeckt ist.")  # fmt: skip
    said = "Das kann nicht sein: Hans’ Hand: es ist noch keine Karte gespielt: auf der Hand sind zehn."
    assert PEOPLE["de"].say(own) == said


@pytest.mark.parametrize("lang", PEOPLE)
def test_every_mistake_of_a_position_has_its_translation(lang: str) -> None:
    words, all_texts = catalogue(lang), {key(text): text for text, _ in texts()}
    files = [*(ROOT / "companion" / "games").glob("*/position.py"), ROOT / "companion" / "session" / "deciding.py"]
    found = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("Message"), [ast.Constant(str(text)), *_]):
                    found.add(text)
                case ast.Call(ast.Name("plural"), [ast.Constant(str(text)), *_]):
                    found.add(text)
    assert len(found) > 100
    for text in found:
        said = forms(words, all_texts[text])
        assert all(said) and (text not in said or text == "{where}: {what}"), text


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_no_english_is_left_in_the_editor(name: str, seats: int, options: dict[str, Any]) -> None:
    """Whatever fingers make wrong, Japanese people read Japanese: no Latin letters but a square's."""
    header_, _, states = travel(name, seats, options)
    game, rng, wrong = header_.game, Random(12), 0
    people = Tongue("ja", dict(zip(header_.seats, ("アンナ", "健", "花子", "次郎", "桜"), strict=False)))
    for state in some(states, times(5, 20)):
        found = drafted(game, header_.setup, state)
        for _ in range(10):
            part = rng.choice(found.parts)
            found = touch(found, part, rng.choice(part.fields), rng)
            status = editor.status(found, people)
            own = [text for seat in header_.seats for text in editor.own_mistakes(found, seat, people)]
            wrong += status.wrong
            assert not re.search("[A-Za-z]{2}", " ".join([status.text, *own])), (status, own)
            heard = decide(game, header_.setup, state, Decide("よし", found.change))
            assert heard[0] or not re.search("[A-Za-z]{2}", " ".join(map(people.say, heard[2])))
    assert wrong


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_whatever_is_written_can_be_said_wrong(name: str, seats: int, options: dict[str, Any]) -> None:
    """Garbled positions too: one sentence a mistake, in every language, with nothing left open in it."""
    header_, _, states = travel(name, seats, options)
    game: AnyGame = header_.game
    rng, wrong = Random(13), 0
    for state in some(states, 10):
        written = jsoned(position_of(game.name).written(state))
        for _ in range(5):
            change = garble(written, rng)
            ok, _, rulings = decide(game, header_.setup, state, Decide("So.", change))
            wrong += not ok
            for ruling in () if ok else rulings:
                for tongue in (ALICE, *PEOPLE.values()):
                    assert "{" not in re.sub(r'\{"red": 1\}|\{\}|“.*”', "", tongue.say(ruling))
    assert wrong
