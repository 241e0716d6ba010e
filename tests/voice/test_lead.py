"""Silence before the first word, for devices that sleep while nothing is heard."""

from pathlib import Path

import pytest

from drivers.voice.interruptible import patiently
from drivers.voice.sinks import AWAKE_S, LEAD_MS, Aplay, LeadIn, sink, sleeps
from tests.support.loudspeaker import VirtualLoudspeaker

WORD = b"\1\0" * 50


class Table:
    """A loudspeaker with a lead-in of 100 ms, on a clock that is set by hand."""

    def __init__(self) -> None:
        self.now, self.heard = 1000.0, VirtualLoudspeaker(pace=1000)
        self.sink = LeadIn(self.heard, 100, lambda: self.now)

    def say(self, hz: int = 8000) -> bytes:
        """Say a word, and return all that the device was given for it."""
        self.sink.begin(hz)
        self.sink.write(WORD, patiently)
        self.sink.write(WORD, patiently)
        self.sink.end(patiently)
        return bytes(self.heard.played[-1].pcm)


@pytest.mark.parametrize("hz", [8000, 22050])
def test_silence_comes_before_the_first_word_after_a_pause_and_before_no_other(hz: int) -> None:
    table, lead = Table(), bytes(2 * (hz // 10))
    assert table.say(hz) == lead + WORD * 2
    table.now += AWAKE_S - 0.1
    assert table.say(hz) == WORD * 2, "it is still awake"
    table.now += AWAKE_S + 0.1
    assert table.say(hz) == lead + WORD * 2


def test_a_word_that_was_cut_off_kept_it_awake_and_a_device_that_did_not_open_sleeps() -> None:
    table = Table()
    table.sink.begin(8000)
    table.sink.stop()
    assert table.say() != WORD * 2, "nothing was heard before"
    table.now += AWAKE_S + 1
    table.sink.begin(8000)
    table.sink.write(WORD, patiently)
    table.sink.stop()
    assert table.say() == WORD * 2


@pytest.mark.parametrize(
    ("device", "first", "asleep"),
    [
        ("plughw:CARD=vc4hdmi0,DEV=0", "", True),
        ("hdmi:CARD=PCH,DEV=0", "", True),
        ("bluealsa", "", True),
        ("plughw:CARD=Headphones", "vc4hdmi0", False),
        ("plughw:CARD=Device", "", False),
        ("default", "vc4hdmi0\n", True),
        ("default", "Headphones\n", False),
        ("default", "", False),
    ],
)
def test_hdmi_and_bluetooth_sleep(tmp_path: Path, device: str, first: str, asleep: bool) -> None:
    if first:
        (tmp_path / "proc/asound/card0").mkdir(parents=True)
        (tmp_path / "proc/asound/card0/id").write_text(first)
    assert sleeps(device, tmp_path) is asleep


def test_config_yaml_has_the_last_word() -> None:
    assert isinstance(sink("plughw:CARD=vc4hdmi0"), LeadIn) and LEAD_MS
    assert isinstance(sink("plughw:CARD=vc4hdmi0", 0), Aplay)
    assert isinstance(sink("plughw:CARD=Device"), Aplay)
    assert isinstance(sink("plughw:CARD=Device", 300), LeadIn)
