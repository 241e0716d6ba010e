"""What moves on the screen, and what ends it; no window."""

import pytest

from ui.widgets.motion import FIRST, SLOW, Motions, ease, turned


@pytest.fixture
def moving() -> tuple[Motions, list[float], list[str]]:
    motions, seen, over = Motions(), list[float](), list[str]()
    motions.play("pawn", 1.0, seen.append, lambda: over.append("pawn"))
    return motions, seen, over


Moving = tuple[Motions, list[float], list[str]]


def test_a_motion_goes_its_way_and_leaves_no_clock_behind(moving: Moving) -> None:
    motions, seen, over = moving
    for _ in range(4):
        motions._advance(0.03)
    motions._advance(0.5)
    assert seen == pytest.approx([0, 0.03, 0.06, 0.09, 0.12, 0.62]) and not over
    motions._advance(0.5)
    assert seen[-1] == 1 and over == ["pawn"] and not motions.moving and not motions._clock.is_triggered


def test_a_touch_ends_all_of_them_where_they_would_have_ended(moving: Moving) -> None:
    motions, seen, over = moving
    motions.play("band", 1.0, seen.append)
    motions.end()
    assert seen == [0, 0, 1, 1] and over == ["pawn"] and not motions.moving
    motions.end()
    assert over == ["pawn"], "once"


def test_motion_started_by_an_ending_one_ends_too(moving: Moving) -> None:
    motions, _, over = moving
    motions.play("cards", 1.0, lambda _: None, lambda: motions.play("bar", 1.0, lambda _: None, over.clear))
    motions.end()
    assert not motions.moving and over == []


def test_another_motion_of_the_same_thing_takes_its_place(moving: Moving) -> None:
    motions, seen, over = moving
    motions.play("pawn", 1.0, lambda _: None)
    motions._advance(2)
    assert seen == [0] and not over, "nobody is told of the first any more"


def test_switched_off_everything_is_where_it_ends(moving: Moving) -> None:
    motions, seen, over = moving
    motions.end()
    motions.on = False
    motions.play("pawn", 1.0, seen.append, lambda: over.append("at once"))
    assert seen[-1:] == [1] and over[-1] == "at once" and not motions.moving


def test_a_slow_computer_has_no_motion_after_the_first_frames(moving: Moving) -> None:
    motions, seen, over = moving
    for _ in range(FIRST):
        assert not over
        motions._advance(SLOW + 0.01)
    assert over == ["pawn"] and seen[-1] == 1 and motions.slow
    motions.play("pawn", 1.0, seen.append)
    assert not motions.moving
    motions.slow = False  # the screen is built anew
    motions.play("pawn", 1.0, seen.append)
    assert motions.moving


def test_one_quick_frame_among_the_first_is_enough(moving: Moving) -> None:
    motions, _, over = moving
    for seconds in (SLOW + 0.01, 0.01, SLOW + 0.01, SLOW + 0.01):
        motions._advance(seconds)
    assert not over and not motions.slow


def test_held_for_a_picture_nothing_ends_it(moving: Moving) -> None:
    motions, seen, over = moving
    motions.hold(0.5)
    motions.end()
    assert seen[-1] == 0.5 and motions.moving
    motions.go()
    assert seen[-1] == 1 and over == ["pawn"]


def test_cards_lie_still_before_they_turn() -> None:
    assert [round(turned(seconds), 2) for seconds in (0, 0.25, 0.36, 0.47, 1)] == [0, 0, 0.5, 1, 1]
    assert ease(0) == 0 and ease(1) == 1 and ease(0.5) > 0.5
