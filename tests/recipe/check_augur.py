"""Augur by its page (A-1 to A-6)."""

import pytest

from tests.support.playing import Play, codes


def test_a_game_to_the_last_bird() -> None:
    play = Play("augur", "red blue")
    for at in range(7):
        play.ok("count", ("red", "blue")[at % 2], birds=3)
    assert play.view["result"]["winners"] == ["red"]
    assert play.refused("count", "blue", birds=1) == ("over", "A-3")


@pytest.mark.parametrize("birds", [0, 4])
def test_one_two_or_three(birds: int) -> None:
    assert Play("augur", "red blue").refused("count", "red", birds=birds) == ("count", "A-2")


def test_a_bad_omen() -> None:
    play = Play("augur", "red blue green", options={"bad_omen": True})
    for at in range(7):
        last = play.ok("count", ("red", "blue", "green")[at % 3], birds=3)
    assert codes(last) == ["counted", "omen"]
    assert play.view["result"]["winners"] == ["blue", "green"]
