"""The owner's boards, in memory."""

from __future__ import annotations

from companion.record.owned_boards import Boards
from tools.scenes.rehearsal import Memory


def test_a_board_confirmed_since_is_known_to_the_game_on_the_table() -> None:
    boards = Boards(Memory())
    board = dict(boards.of("prokonsul"))
    assert not boards.confirmed("prokonsul", board).get("confirmed")
    boards.save("prokonsul", {**board, "confirmed": True})
    assert boards.confirmed("prokonsul", board)["confirmed"]
    other = {**board, "provinces": {**board["provinces"], "sicilia": 25}}
    assert not boards.confirmed("prokonsul", other).get("confirmed"), "another board than the one confirmed"
