"""Topics and payloads: what fits no schema goes neither out nor in."""

import json
from typing import Any

import pytest

from companion.hall import _wire as wire
from companion.rules.mistakes import Mistakes

EVENT: dict[str, Any] = {"game": 3, "begun": None, "number": 4, "event": {"event": "undo"}}


def test_a_payload_comes_back_as_it_went_out() -> None:
    assert wire.read("event", wire.write("event", EVENT), "4") == EVENT


@pytest.mark.parametrize(
    ("kind", "payload", "which"),
    [
        ("event", json.dumps(EVENT).encode(), "5"),
        ("event", json.dumps(EVENT | {"number": 0}).encode(), "0"),
        ("event", json.dumps(EVENT | {"secret": 1}).encode(), "4"),
        ("event", json.dumps(EVENT | {"event": {"event": "choose", "seat": "red", "card": "red 7"}}).encode(), "4"),
        ("event", b"\xff\xfe", "4"),
        ("event", b'{"game": NaN}', "4"),
        ("event", b'{"game": 1, "game": 2}', "4"),
        ("event", json.dumps(EVENT | {"event": {"event": "decide", "words": "\ud800"}}).encode(), "4"),
        ("event", b"[" * 60_000, "4"),
        ("event", b" " * (wire.MOST + 1), "4"),
        ("status", b"null", None),
        ("view", json.dumps({"game": 1, "begun": None, "number": 0, "view": {
            "game": "caesar", "phase": "over", "turn": None, "waiting": [], "over": True, "result": None,
            "private": {}}}).encode(), None),
    ],
)  # fmt: skip
def test_messages_against_the_schema_are_refused(kind: str, payload: bytes, which: str | None) -> None:
    with pytest.raises(Mistakes):
        wire.read(kind, payload, which)


def test_a_card_that_lies_face_down_cannot_go_out() -> None:
    with pytest.raises(Mistakes):
        wire.write("event", EVENT | {"event": {"event": "choose", "seat": "red", "card": "red 7"}})


def test_a_topic_says_whose_and_what() -> None:
    topics = wire.Topics("friday")
    assert wire.heard(topics.table("7", "event", 12)) == wire.WireWord("2", "7", "event", "12")
    assert wire.heard(topics.table("blue-1", "status")) == wire.WireWord("2", "blue-1", "status")


@pytest.mark.parametrize(
    "topic", ["tabularium/2/friday/hall/evening", "tabularium/2/friday/table/7", "tabularium/2/friday/table/7/event",
              "tabularium/2/friday/table/7/status/1", "tabularium/2/friday/table/<b>/status",
              "tabularium/2/friday/table/7/secrets", "else/1/friday/table/7/status"],
)  # fmt: skip
def test_no_other_topic_is_a_tables(topic: str) -> None:
    assert wire.heard(topic) is None


def test_every_kind_has_a_schema_that_compiles_and_every_schema_a_kind() -> None:
    kinds = {path.stem for path in wire.SCHEMAS.glob("*.json")}
    assert kinds == {*wire.OF_TABLE, *wire.OF_HALL, *wire.OF_DESK, *wire.OF_PLAYERS}
    for kind in kinds:
        with pytest.raises(Mistakes):
            wire.hold(kind, {"nobody": "knows this"})
