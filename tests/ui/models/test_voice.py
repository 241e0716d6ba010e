"""What the screen does with the voice, without a window: its page, the ears, the count."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.cli.simulate import table
from companion.dialogues import table_draft
from companion.dialogues.voice import NONE, NoVoice, VoiceDialogue
from companion.ear import LISTENING
from companion.play.equipment import Equipment
from companion.play.evening import Evening
from companion.play.fists import COUNT_MS
from companion.play.table import NO_MS
from companion.rules.guide import Saying
from companion.rules.menu import Do, Entry, Note, Setting
from companion.rules.prompts import Can
from companion.rules.readings import Health, Press
from companion.rules.words import Tongue
from companion.session.absent_players import LEFT
from companion.voice.choices import RATES, Quiet
from tests.support.playing import match_of, moment_of
from tools.scenes.rehearsal import Memory, voice
from ui.games.parts.headline import called
from ui.games.parts.sentences import expected
from ui.pages import new_game
from ui.pages.possible_moves import how
from ui.table import frame
from ui.table.presses import pressing

SEATS = ["red", "blue", "green"]


# -- its dialogue -------------------------------------------------------------------------------------------------


def setting(dialogue: VoiceDialogue, name: str) -> Setting:
    return next(of for of in dialogue.menu().body if isinstance(of, Setting) and of.name == name)


def take(entry: Entry | None) -> None:
    if entry:
        assert isinstance(entry.then, Do)
        entry.then.act()


@given(st.lists(st.tuples(st.sampled_from(["Volume", "Speed"]), st.sampled_from([1, -1])), max_size=40))
def test_volume_and_rate_stay_within_their_bounds(steps: list[tuple[str, int]]) -> None:
    heard = voice()
    dialogue = VoiceDialogue(heard, dict)
    for name, by in steps:
        take(setting(dialogue, name).near(by))
    assert 0 <= heard.choices.volume <= 100 and RATES[0] <= heard.choices.rate <= RATES[1]


@given(st.lists(st.tuples(st.sampled_from(["Quiet from", "Quiet until"]), st.sampled_from([1, -1])), max_size=40))
def test_quiet_hours_never_end_when_they_begin(steps: list[tuple[str, int]]) -> None:
    heard = voice()
    heard.choose(replace(heard.choices, quiet=Quiet.read("22:10-07:00")))
    dialogue = VoiceDialogue(heard, dict)
    for name, by in steps:
        take(setting(dialogue, name).near(by))
        c = heard.choices
        assert c.quiet and c.quiet.start != c.quiet.end and Quiet.read(str(c.quiet)) == c.quiet


def test_quiet_hours_pass_midnight_and_come_back_as_they_were() -> None:
    heard = voice()
    dialogue = VoiceDialogue(heard, dict)
    assert "Quiet from" not in [of.name for of in dialogue.menu().body if isinstance(of, Setting)]
    take(setting(dialogue, "Quiet hours").values[0])
    for _ in range(4):
        take(setting(dialogue, "Quiet from").near(1))
    assert str(heard.choices.quiet) == "00:00-07:00"
    off, on = setting(dialogue, "Quiet hours").values[::-1]
    take(off)
    assert heard.choices.quiet is None
    take(on)
    assert str(heard.choices.quiet) == "22:00-07:00" or str(heard.choices.quiet) == "00:00-07:00"


def test_voice_page_lists_engines_and_missing_packages() -> None:
    heard = voice("red", "blue")
    health = {
        "ear blue": Health("ear blue", False, "Plug it in."),
        "loudspeaker": Health("loudspeaker", False, "Lost."),
    }
    at = VoiceDialogue(heard, lambda: health).menu()
    notes = [(of.weight, Tongue("en").tr(of.text, **of.facts)) for of in at.body if isinstance(of, Note)]
    assert notes[0] == ("warning", "Blue's earphone has no sound: Plug it in.")
    assert notes[1] == ("warning", "The loudspeaker has no sound: Lost.")
    assert [text for _, text in notes[2:]] == [
        "English and German: spoken by espeak-ng.",
        "No voice for Japanese yet: .venv/bin/pip install pyopenjtalk-plus",
    ]
    assert [Tongue("en").tr(of.text, **of.facts) for of in at.entries] == [
        "Try it",
        "Try Red's earphone",
        "Try Blue's earphone",
    ]
    for entry in at.entries:
        take(entry)
    assert heard.done == ["test all", "test red", "test blue"]
    assert [of.text for of in NoVoice().menu().body if isinstance(of, Note)] == [NONE]


# -- a seat with an ear ------------------------------------------------------------------------------------------


def evening(*ears: str, game: str = "prokonsul", **more: Any) -> Evening:
    at = Evening(Memory(), listening=LISTENING, **more)
    at.ears = ears
    at.devices.equipment = Equipment((), SEATS)
    at.begin({"tabularium": 1, "game": game, "seats": SEATS, "players": {"red": "Anna"}, "reveal": "fists"})
    return at


def play(at: Evening, *events: dict[str, Any]) -> Evening:
    for event in events:
        assert all(receipt.ok for receipt in match_of(at).act(event)), event
    at.drain()
    return at


CHOOSING: list[dict[str, Any]] = [{"event": "pawns", "order": SEATS}, {"event": "province", "province": "sicilia"}]
CARDS: list[dict[str, Any]] = [
    {"event": "choose", "seat": seat, "card": f"{seat} {rank}"} for seat, rank in zip(SEATS, (9, 3, 5), strict=True)
]


def test_the_mark_stands_at_the_seat_and_before_the_game() -> None:
    m = moment_of(evening("red", "purple"))
    assert m.ears == {"red"} and [panel.ear for panel in frame.rail(m)] == [True, False, False]
    draft = table_draft.TableDraft(games.game("caesar"), ("red", "blue"))
    assert [chair.seat for chair in new_game.chairs(draft, "en", ("red", "purple")) if chair.ear] == ["red"]
    gone = Tongue("en", {"red": "Anna"}).tr(LEFT, seat="red")
    assert moment_of(play(evening("red"), {"event": "decide", "words": gone})).ears == set(), "others play on for her"


def test_audio_seats_are_never_sent_to_the_screen() -> None:
    by_ear, by_finger = (moment_of(play(evening(*ears), *CHOOSING)) for ears in (("red",), ()))
    assert "on the screen" in frame.band(by_finger).sentence and "on the screen" not in frame.band(by_ear).sentence
    can = Can("answer", ("red",), Saying("", "x"), ("press", "hold", "finger"), press="yes", hold="no")
    assert how(by_finger, can) == "Press: yes · hold for half a second: no · screen"
    assert how(by_ear, can) == "Screen · earphone button"
    assert how(by_ear, replace(can, seats=("red", "blue"))).endswith("screen · earphone button")


@pytest.mark.parametrize("ears", [(), ("blue",)])
def test_a_press_that_means_lists_has_no_bar(ears: tuple[str, ...]) -> None:
    clock = [1000]
    at = evening(*ears, clock=lambda: clock[0])
    cards = [choice | {"card": f"{choice['seat']} 5"} for choice in CARDS]
    play(at, *CHOOSING, *cards, {"event": "reveal"})
    pleader = moment_of(at).view["turn"]
    play(at, {"event": "offer", "seat": pleader, "to": "blue", "chips": 1})
    at.devices.inbox.put(Press("blue", True, 1000))
    at.drain()
    assert (pressing(moment_of(at)) is None) is bool(ears)
    m = replace(moment_of(at), presses={"blue": NO_MS})
    assert (pressing(m) is None) is bool(ears)


def test_while_it_is_counted_all_hold_on() -> None:
    clock = [1000]
    at = play(evening("red", clock=lambda: clock[0]), *CHOOSING, *CARDS)
    for seat in SEATS:
        at.devices.inbox.put(Press(seat, True, 1000))
    at.drain()
    match, m = match_of(at), moment_of(at)
    assert m.counts and not m.called and not called(m)
    assert frame.band(m).sentence == "Everybody: hold on until the voice says “open”"
    assert all(tile.done for tile in frame.rail(m))
    match.count(1000 + COUNT_MS)
    at.drain()
    m = moment_of(at)
    assert m.called and not m.counts and called(m) == "Open!" and "now!" in frame.band(m).sentence


@pytest.mark.parametrize("name", [name for name in games.NAMES if games.game(name).sealed and name != "prokonsul"])
def test_every_game_says_that_the_voice_counts(name: str) -> None:
    game = games.game(name)
    header = table(game, game.seats[0])
    at = Evening(Memory(), listening=LISTENING)
    at.begin({"tabularium": 1, "game": name, "seats": list(header.seats), "options": dict(header.options)})
    m = replace(moment_of(at), counts=True)
    assert expected(m).sentence == "Everybody: hold on until the voice says “open”"
