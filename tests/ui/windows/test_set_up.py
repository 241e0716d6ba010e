"""The set-up on the screen: led through by emulated buttons, cards and cables in a separate window."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from companion.hardware.doctor.search_findings import SearchResults
from companion.hardware.wizard.walk import Walk
from ui.pages import wizard as model
from ui.widgets.drawing import strokes


@pytest.mark.parametrize(
    "lang",
    [pytest.param(lang, marks=pytest.mark.window(f"set up {lang}")) for lang in ("de", "ja")],
)
def test_the_whole_set_up(window: subprocess.Popen[str], lang: str) -> None:
    out, err = window.communicate()
    assert out, err
    found: dict[str, Any] = json.loads(out.splitlines()[-1])
    assert found["problems"] == {}
    assert found["first"] == "set_up", "a table that has never been set up begins with it"
    assert list(found["ill"]) == ["hub box1"] and found["turned"] == "set_up"
    assert "red: {kind: rc522, bus: 0, device: 1, reset: 25}" in found["file"]
    assert found["unwritable"] == "set_up_done", "nothing is lost where it cannot be written"
    assert "Kartensatz" in found["note"] or "デッキ" in found["note"]
    assert (found["page"], found["over"], found["opened"]) == ("start", True, 1)
    written = Path(found["path"]).read_text(encoding="utf-8")
    assert f"language: {lang}" in written and "seats: [blue]" in written


def test_wizard_questions_and_confirmations() -> None:
    asked = model.asked(Walk(SearchResults(pins=[5], pi=True)).skip(), "de")
    assert (asked.seat, asked.where, asked.skips, asked.several) == ("red", "2 / 7", True, True)
    assert asked.text == "Rot: Drück deine Taste und lass sie wieder los."


def test_file_is_shown_without_its_header_comment() -> None:
    text = "# top\nhardware: pi   # what it is\n\nreaders:\n  #centre: {}\n  red: {kind: rc522}\n"
    assert model.lines(text) == ["hardware: pi", "readers:", "\u00a0\u00a0red: {kind: rc522}"]


def test_the_lines_of_a_path() -> None:
    assert list(strokes("M1 2L3 4V7H9M5 6")) == [[(1, 2), (3, 4), (3, 7), (9, 7)]]
