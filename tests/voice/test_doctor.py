"""What the doctor says of the voice: which engine speaks, and which device can be heard."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.cli.hardware import heard
from companion.hardware.doctor import Finding
from companion.hardware.settings import Settings, VoiceSettings, Wires
from companion.rules.words import message
from drivers.voice.engines import Engines
from drivers.voice.probe import examine
from tests.support.loudspeaker import VirtualLoudspeaker
from tests.support.talking import Talker


def opened(name: str) -> VirtualLoudspeaker:
    sink = VirtualLoudspeaker()
    if "Lost" in name:
        sink.fault = OSError(f"{name}: No such device")
    return sink


def said(findings: Sequence[Finding]) -> list[tuple[str, str, str]]:
    for finding in findings:
        assert message(finding.what, "de") and message(finding.next, "ja") is not None
    return [(finding.part, finding.verdict, finding.what) for finding in findings]


TALKER = Engines(made=[Talker({})])


def test_devices_are_tried_and_each_is_named() -> None:
    found = list(examine(TALKER, "en", "default", {"red": "plughw:CARD=Lost", "blue": "plughw:CARD=Blue"}, opened))
    assert said(found) == [
        ("voice", "pass", "en: talker, de: –, ja: –"),
        ("loudspeaker", "pass", "default can be used"),
        ("ear red", "fail", "plughw:CARD=Lost: No such device"),
        ("ear blue", "pass", "plughw:CARD=Blue can be used"),
    ]
    assert found[2].next == "Plug in the earphone again: until then this ear is silent."


def test_cards_that_may_change_places_are_named() -> None:
    ears = {"red": "plughw:CARD=Device_1,DEV=0", "blue": "plughw:CARD=Blue", "green": "plughw:CARD=Device_2"}
    found = [
        finding for finding in examine(TALKER, "en", "plughw:CARD=Device", ears, opened) if finding.verdict == "warn"
    ]
    assert [(finding.part, finding.what) for finding in found] == [
        ("ear red", "plughw:CARD=Device and plughw:CARD=Device_1,DEV=0 are of one make and may change places"),
        ("ear green", "plughw:CARD=Device and plughw:CARD=Device_2 are of one make and may change places"),
    ]


def test_a_missing_engine_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    lacking, _ = examine(Engines(), "de", None, {}, opened)
    assert (lacking.verdict, lacking.what) == ("fail", "espeak-ng is not installed (de)")
    assert lacking.next == "Install it: sudo apt-get install -y espeak-ng"
    loudspeaker = list(examine(TALKER, "en", "default", {}))[-1]
    assert loudspeaker.next == "Install it: sudo apt-get install -y alsa-utils"


def test_no_engine_is_a_choice() -> None:
    silent, _ = examine(Engines("none"), "en", None, {}, opened)
    assert (silent.verdict, silent.what) == ("warn", "Nothing speaks: engine is none")


def test_doctor_skips_unused_voices() -> None:
    assert heard(Settings()) == [] == heard(Settings(voice=VoiceSettings(words="full")), wanted=False)
    deaf = Settings(seats={"red": Wires(ear="plughw:CARD=Nowhere")})
    assert [finding.part for finding in heard(deaf)][-1] == "ear red"
    assert "loudspeaker" in [finding.part for finding in heard(Settings(), wanted=True)]
