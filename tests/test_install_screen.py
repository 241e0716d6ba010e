"""The screen without a desktop: which card it is on, and one way for a finger."""

from pathlib import Path

import pytest

from ui.console import CARD, PROBE, aim, alone, card, touches


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
