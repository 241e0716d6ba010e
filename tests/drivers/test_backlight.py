"""The light behind a display, in scratch folders like the kernel's."""

from pathlib import Path

import pytest

from drivers.backlight import Backlight


def light(root: Path, **files: str) -> Path:
    folder = root / "sys/class/backlight/10-0045"
    folder.mkdir(parents=True)
    for name, value in files.items():
        (folder / name).write_text(f"{value}\n", encoding="ascii")
    return folder


def test_a_light_with_a_switch_keeps_its_brightness(tmp_path: Path) -> None:
    at = light(tmp_path, bl_power="0", brightness="80", max_brightness="255")
    both = Backlight(tmp_path)
    both.light(False)
    assert (at / "bl_power").read_text() == "4"
    both.light(True)
    assert ((at / "bl_power").read_text(), (at / "brightness").read_text()) == ("0", "80\n")


def test_a_light_with_brightness_alone_goes_dark_and_comes_back_as_it_was(tmp_path: Path) -> None:
    at = light(tmp_path, brightness="80", max_brightness="255")
    alone = Backlight(tmp_path)
    for lit, reads in ((False, "0"), (False, "0"), (True, "80"), (True, "80")):
        alone.light(lit)
        assert (at / "brightness").read_text() == reads


@pytest.mark.parametrize(("left", "then"), [("0", "31"), ("12", "12")])
def test_a_light_that_a_program_left_dark_is_lit_in_full(tmp_path: Path, left: str, then: str) -> None:
    at = light(tmp_path, brightness=left, max_brightness="31")
    Backlight(tmp_path).light(True)
    assert (at / "brightness").read_text().strip() == then


def test_no_light_or_a_broken_one_is_passed_over(tmp_path: Path) -> None:
    Backlight(tmp_path).light(False)
    light(tmp_path, brightness="80")
    for lit in (False, True):
        Backlight(tmp_path).light(lit)
