"""The start: what is not needed for the first frame comes after it, a little at a time."""

import ast
import json
import re
from pathlib import Path

import pytest

from tests.conftest import Window
from tests.support.imports import trees, within
from ui.pages import PAGES


@pytest.mark.window("start")
def test_first_frame_comes_before_lazy_loading(window: Window) -> None:
    out, err = window.communicate()
    assert window.returncode == 0, err
    start = json.loads(out.splitlines()[-1])
    later = (
        "drivers.virtual",
        "drivers.rc522",
        "drivers.hub",
        "drivers.worker",
        "gpiozero",
        "serial",
        "rich",
        "companion.games.hannibal.rules",
        "ui.table.page",
        "ui.table.hand",
    )
    assert start["status"] == 0
    assert [name for name in start["first"] if within(name, later)] == [], "no hardware, no board, no other page"
    assert "ui.pages.start_page" in start["first"]
    assert start["page"] == "language", "a table that nobody has used yet"

    pages = {place.rpartition(".")[0] for place in PAGES.values()}
    assert pages <= set(start["later"]) and start["steps"] > len(PAGES), "every page after it, one a frame"

    assert start["looks"] == [], "no looks are read, and no widget misses them"
    sheet = Path(start["kivy"], "style.kv").read_text(encoding="utf-8")
    looked = {name.strip(" -") for names in re.findall(r"^<([^>@]+)", sheet, re.MULTILINE) for name in names.split(",")}
    assert {"Label", "TextInput", "ScrollView"} <= looked
    used = {
        alias.name
        for name, tree in trees().items()
        if within(name, ("ui",))
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and within(str(node.module), ("kivy.uix",))
        for alias in node.names
    }
    assert "BoxLayout" in used
    assert used & looked == set()
