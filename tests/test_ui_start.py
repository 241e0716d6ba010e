"""The start: what is not needed for the first frame comes after it, a little at a time."""

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Window
from tests.test_imports import ALL, within
from ui.pages import PAGES


@pytest.fixture(scope="module")
def start(windows: Mapping[str, Window]) -> Any:
    out, err = windows["start"].communicate()
    assert windows["start"].returncode == 0, err
    return json.loads(out.splitlines()[-1])


@pytest.mark.window("start")
def test_the_first_frame_needs_no_hardware_no_board_and_no_other_page(start: Any) -> None:
    later = (
        "drivers.virtual",
        "drivers.rc522",
        "drivers.hub",
        "drivers.worker",
        "gpiozero",
        "serial",
        "rich",
        "companion.games.hannibal",
        "ui.table.page",
        "ui.table.dock",
    )
    assert start["status"] == 0
    assert [name for name in start["first"] if within(name, later)] == []
    assert "ui.pages.start_page" in start["first"]


@pytest.mark.window("start")
def test_every_page_is_loaded_after_the_first_frame_one_a_frame(start: Any) -> None:
    pages = {place.rpartition(".")[0] for place in PAGES.values()}
    assert pages <= set(start["later"])
    assert start["steps"] > len(PAGES)


@pytest.mark.window("start")
def test_no_looks_are_read_and_no_widget_misses_them(start: Any) -> None:
    assert start["looks"] == []
    sheet = Path(start["kivy"], "style.kv").read_text(encoding="utf-8")
    looked = {name.strip(" -") for names in re.findall(r"^<([^>@]+)", sheet, re.MULTILINE) for name in names.split(",")}
    assert {"Label", "TextInput", "ScrollView"} <= looked
    used = {
        alias.name
        for name, path in ALL
        if within(name, ("ui",))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and within(str(node.module), ("kivy.uix",))
        for alias in node.names
    }
    assert "BoxLayout" in used
    assert used & looked == set()
