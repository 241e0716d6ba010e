"""A whole table that is heard: evening, settings, engines and players, with programs that stand in for the last two."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from companion.cli.open_devices import OpenDevices, usual
from companion.hardware.settings import Settings, VoiceSettings, Wires
from companion.hardware.tap import unheard
from companion.rules.readings import Press
from companion.voice.choices import Choices, Quiet
from companion.voice.live import Live
from tests.support.evenings import TABLE, Desk
from tests.support.playing import BOARD

ESPEAK = """
text = sys.stdin.buffer.read().decode()
head = bytes.fromhex('5249464624f0ff7f57415645666d74201000000001000100225600004 4ac0000020010006461746100f0ff7f'.replace(' ', ''))
sys.stdout.buffer.write(head + ''.join(f'{sign}' for sign in text).encode('utf-16-le'))
"""
"""Its samples are the letters of the text."""
APLAY = """
card = sys.argv[3].partition('=')[2]
news = os.open(os.environ['HEARD'], os.O_WRONLY)
while data := os.read(0, 4096):
    text = ''.join(filter(str.isprintable, data.decode('utf-16-le', 'replace')))
    os.write(news, f"{card}: {text}\\n".encode())
"""
"""Says which card heard what, as soon as it does; sounds are no text."""


class Heard:
    """A desk with everything that is heard at it, card by card."""

    def __init__(self, folder: Path, news: TextIO) -> None:
        self.said = {"Table": "", "Red": "", "Blue": ""}
        self._news = news
        self.desk = Desk(folder / "store.sqlite3")
        evening = self.desk.evening
        evening.boards.save("prokonsul", BOARD)
        self.settings = Settings(
            data=folder,
            seats={"red": Wires(ear="plughw:CARD=Red"), "blue": Wires(ear="plughw:CARD=Blue")},
            voice=VoiceSettings(words="full", device="plughw:CARD=Table"),
        )
        self.live = Live(self.desk.store, lambda: evening.lang, usual(self.settings))
        self.attached = OpenDevices(evening, self.desk.store, unheard, self.live, hubs=False)
        evening.be_heard(self.live)
        self.attached.open(self.settings)

    def until(self, card: str, words: str) -> None:
        """Waits until that has been heard there."""
        while words not in self.said[card]:
            by, _, heard = self._news.readline().rstrip("\n").partition(": ")
            self.said[by] += heard

    def close(self) -> None:
        self.attached.close()
        self.desk.store.close()


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Heard]:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, lines in (("espeak-ng", ESPEAK), ("aplay", APLAY)):
        (programs / name).write_text(f"#!{sys.executable} -S\nimport os, sys\n{lines}", "utf-8")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs), prepend=os.pathsep)
    monkeypatch.setenv("HEARD", str(tmp_path / "heard"))
    os.mkfifo(tmp_path / "heard")
    with os.fdopen(os.open(tmp_path / "heard", os.O_RDWR), encoding="utf-8") as news:
        heard = Heard(tmp_path, news)
        yield heard
        heard.close()


def test_private_lines_reach_their_owner_alone(heard: Heard) -> None:
    desk = heard.desk
    desk.evening.begin(TABLE)
    desk.act("pawns", order=["red", "blue", "green"])
    desk.act("province", province="a")
    desk.act("choose", "red", card="red 7")
    desk.settle()
    assert desk.match.header.ears == ("red", "blue")
    heard.until("Red", "Seven, face down.")
    heard.live.test()
    heard.until("Table", "This is how I sound.")
    assert "even, face" not in heard.said["Table"] + heard.said["Blue"]


def test_a_button_without_a_game_is_answered_in_its_ear(heard: Heard) -> None:
    for ear in ("Red", "Blue"):
        heard.until(ear, "holding the button takes it.")  # both are told that the table listens
    before = heard.said["Red"]
    heard.desk.hear(Press("blue", True, 10), Press("blue", False, 20))
    heard.until("Blue", "How the button works.")
    heard.live.test()
    heard.until("Table", "This is how I sound.")
    assert heard.said["Red"] == before and heard.said["Blue"] not in heard.said["Table"]


def test_what_the_config_says_until_something_else_is_chosen() -> None:
    voice = VoiceSettings(words="brief", sounds=True, rate=120, volume=50, quiet="22:00-07:00")
    assert usual(Settings(voice=voice)) == Choices(
        words="brief", sounds=True, rate=120, volume=50, quiet=Quiet.read("22:00-07:00")
    )
    assert usual(Settings()) == Choices()
