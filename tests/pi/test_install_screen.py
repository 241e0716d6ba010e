"""The screen without a desktop: which card it is on, and one way for a finger."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ui.console import CARD, PROBE, aim, alone, await_display, card, touches


def cards(drm: Path, **connectors: str) -> Path:
    """The kernel's list: `card1_DSI_1="connected"`."""
    for name, status in connectors.items():
        folder = drm / name.replace("_", "-")
        folder.mkdir(parents=True)
        (folder / "status").write_text(f"{status}\n", encoding="ascii")
    return drm


@pytest.mark.parametrize(
    ("connectors", "number"),
    [
        ({}, ""),
        ({"card1_HDMI_A_1": "disconnected"}, ""),
        ({"card0_HDMI_A_1": "disconnected", "card0_HDMI_A_2": "connected"}, "0"),
        ({"card0_HDMI_A_1": "disconnected", "card2_DSI_2": "connected"}, "2"),
        ({"card0_HDMI_A_1": "connected", "card2_DSI_2": "connected"}, "2"),
        ({"card10_HDMI_A_1": "connected", "card2_HDMI_A_1": "connected"}, "2"),
        ({"card1_DPI_1": "connected", "card0_Writeback_1": "unknown"}, "1"),
    ],
)
def test_sdl_is_told_which_card_has_the_screen(tmp_path: Path, connectors: dict[str, str], number: str) -> None:
    drm = cards(tmp_path, **connectors)
    assert card(drm) == number
    env = {"SDL_VIDEODRIVER": "kmsdrm"}
    aim(env, drm)
    assert env.get(CARD, "") == number


@pytest.mark.parametrize("env", [{"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "wayland-0"}, {"SDL_VIDEODRIVER": "offscreen"}])
def test_on_a_desktop_sdl_chooses_and_makes_pointers_of_fingers(tmp_path: Path, env: dict[str, str]) -> None:
    drm = cards(tmp_path, card1_DSI_1="connected")
    assert not alone(env) and touches(env)[PROBE] is None
    aim(env, drm)
    assert CARD not in env


@pytest.mark.parametrize("env", [{}, {"SDL_VIDEODRIVER": "kmsdrm"}, {"SDL_VIDEODRIVER": "KMSDRM", "DISPLAY": ":0"}])
def test_without_one_kivy_reads_the_touchscreen_itself(env: dict[str, str]) -> None:
    assert alone(env) and "provider=mtdev" in str(touches(env)[PROBE])


def test_a_card_that_somebody_chose_stays(tmp_path: Path) -> None:
    env = {"SDL_VIDEODRIVER": "kmsdrm", CARD: "0"}
    aim(env, cards(tmp_path, card1_DSI_1="connected"))
    assert env[CARD] == "0"


# -- no display yet ----------------------------------------------------------------------------------------------------


class Plugged:
    """A computer whose display is plugged in while the table waits: each look plays the next of these steps."""

    def __init__(self, at: Path) -> None:
        self.drm, self.dri = at / "drm", at / "dri"
        self.drm.mkdir(parents=True)
        self.dri.mkdir()
        (self.drm / "version").touch()
        self.told: list[str] = []
        self.steps = self.script()

    def script(self) -> Iterator[None]:
        yield
        cards(self.drm, card1_HDMI_A_1="disconnected", card0_Writeback_1="unknown")
        yield
        (self.drm / "card1-HDMI-A-1/status").write_text("connected\n", encoding="ascii")
        yield
        (self.dri / "card1").touch()

    def wait(self, env: dict[str, str]) -> list[str]:
        await_display(self.told.append, env, self.drm, self.dri, pause=lambda _: next(self.steps, None))
        return list(dict.fromkeys(self.told))


KMSDRM = {"SDL_VIDEODRIVER": "kmsdrm"}


def test_it_waits_for_a_card_and_a_display_and_says_for_which(tmp_path: Path) -> None:
    there = Plugged(tmp_path)
    told = there.wait(dict(KMSDRM))
    assert told == ["a graphics card", "a display", f"{there.dri}/card1, which it may not open"]
    assert there.told.count("a display") == 1, "and goes on as soon as there is one"
    assert Plugged(tmp_path / "again").wait({"SDL_VIDEODRIVER": "offscreen"}) == [], "what needs no display"


def test_it_waits_for_a_display_on_the_card_that_somebody_chose(tmp_path: Path) -> None:
    there = Plugged(tmp_path)
    (there.dri / "card0").touch()
    cards(there.drm, card0_DSI_1="connected")
    assert there.wait(KMSDRM | {CARD: "0"}) == []
    assert there.wait(KMSDRM | {CARD: "1"})[0] == "a display"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_card_that_may_not_be_opened_is_waited_for(tmp_path: Path) -> None:
    there = Plugged(tmp_path)
    cards(there.drm, card0_HDMI_A_1="connected")
    (there.dri / "card0").touch(mode=0)

    def opened(_: float) -> None:
        (there.dri / "card0").chmod(0o600)

    await_display(there.told.append, dict(KMSDRM), there.drm, there.dri, pause=opened)
    assert there.told == [f"{there.dri}/card0, which it may not open"]
