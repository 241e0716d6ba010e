"""The hub's lines: the vectors both sides share, and bytes that are no lines at all."""

import json
import os
import random
from dataclasses import asdict
from typing import Any

import pytest

from drivers.hub.lines import LONGEST, Echo, HubEvent, LineBuffer, Pong, Word, body, line, word
from tests.support.paths import ROOT

VECTORS = json.loads((ROOT / "firmware_notes" / "hub_vectors.json").read_text("utf-8"))
RIGHT, WRONG = VECTORS["right"], VECTORS["wrong"]
GARBAGE = int(os.environ.get("TABULARIUM_GARBAGE", "20000"))
"""Lines of garbage in the fuzz test."""


def of(side: str, vectors: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(vector, id=vector["line"] or "nothing") for vector in vectors if vector["from"] == side]


def meant(found: Word) -> dict[str, Any]:
    """A word as the vectors write it: an event has only what belongs to it."""
    facts = asdict(found)
    if isinstance(found, HubEvent):
        kept = {"laid": "tag", "lifted": "tag", "dead": "why", "well": "tags"}.get(found.what)
        facts = {name: fact for name, fact in facts.items() if name not in ("tag", "why", "tags") or name == kept}
    facts = {name: list(fact) if isinstance(fact, tuple) else fact for name, fact in facts.items()}
    return {"word": type(found).__name__.lower().removeprefix("hub")} | facts


@pytest.mark.parametrize("vector", of("hub", RIGHT))
def test_hub_lines_are_parsed(vector: dict[str, Any]) -> None:
    lines = LineBuffer()
    for end in ("\n", "\r\n"):
        (found,) = lines.feed((vector["line"] + end).encode())
        assert meant(found) == vector["means"]
    assert (lines.dropped, lines.unknown) == (0, 0)


@pytest.mark.parametrize("vector", of("host", RIGHT))
def test_host_lines_are_formatted(vector: dict[str, Any]) -> None:
    assert line(*vector["means"].values()) == vector["line"].encode() + b"\n"


@pytest.mark.parametrize("vector", of("hub", WRONG))
def test_malformed_lines_are_dropped(vector: dict[str, Any]) -> None:
    lines = LineBuffer()
    found = list(lines.feed(vector["line"].encode() + b"\n"))
    if vector["line"].startswith("hello 1*"):
        assert found == [Echo(1)]
    else:
        assert not found and lines.dropped + lines.unknown == 1
        assert bool(lines.unknown) == (vector["why"] == "an unknown word")


@pytest.mark.parametrize("written", [vector["line"] for vector in WRONG if vector["from"] == "host"])
def test_lines_that_are_wrong_for_either_side_say_nothing_here(written: str) -> None:
    assert not list(LineBuffer().feed(written.encode() + b"\n"))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_lines_may_be_cut_anywhere(size: int) -> None:
    said = [vector["line"].encode() + b"\n" for vector in RIGHT if vector["from"] == "hub"]
    stream = b"".join(said)
    lines = LineBuffer()
    found = [one for at in range(0, len(stream), size) for one in lines.feed(stream[at : at + size])]
    assert [meant(one) for one in found] == [vector["means"] for vector in RIGHT if vector["from"] == "hub"]


def test_a_line_has_512_bytes_at_most() -> None:
    words = ["event", 1, 2, 3, "dead", "x" * (LONGEST - len("event 1 2 3 dead *12345678\n"))]
    lines = LineBuffer()
    assert len(line(*words)) == LONGEST
    assert len(list(lines.feed(line(*words)))) == 1
    assert not list(lines.feed(line(*words, "x"))) and lines.dropped == 1


@pytest.mark.parametrize("size", [1, 100, 511, 512, 513, 5000])
def test_bytes_without_an_end_are_one_line_that_is_dropped(size: int) -> None:
    lines = LineBuffer()
    for _ in range(10_000 // size):
        assert not list(lines.feed(b"x" * size))
    assert list(lines.feed(b"\n" + line("pong", 1, 2))) == [Pong(1, 2)]
    assert lines.dropped == 1


def test_the_longest_snapshot_fits_into_a_line() -> None:
    tags = " ".join(["0123456789ABCDEF0123"] * 8)
    assert len(line("event", 10**12, 10**15, 7, "well", tags)) < LONGEST


def test_a_beginning_is_forgotten_when_the_port_is_opened_anew() -> None:
    lines = LineBuffer()
    assert not list(lines.feed(b"event 1 2000000 0 do"))
    lines.reset()
    assert list(lines.feed(line("pong", 1, 2))) == [Pong(1, 2)]


def test_garbage_never_raises_and_never_says_anything() -> None:
    chance = random.Random(5)
    said = [vector["line"].encode() + b"\n" for vector in RIGHT if vector["from"] == "hub"]
    lines, right, count = LineBuffer(), 0, 0
    for number in range(GARBAGE):
        written = bytearray(chance.choice(said))
        match number % 5:
            case 0:
                written = bytearray(chance.randbytes(chance.randrange(80)).replace(b"\n", b" ") + b"\n")
            case 1:
                del written[chance.randrange(len(written) - 1)]
            case 2:
                written[chance.randrange(len(written) - 1)] ^= 1 << chance.randrange(8)
            case 3:
                written.insert(chance.randrange(len(written) - 1), chance.choice(b" *\0\xff09AZ"))
            case 4:
                right += 1
        count += written.count(b"\n")
        cut = chance.randrange(len(written) + 1)
        found = [*lines.feed(bytes(written[:cut])), *lines.feed(bytes(written[cut:]))]
        assert len(found) == (number % 5 == 4)
    assert lines.dropped == count - right


def test_a_wrong_check_sum_says_nothing() -> None:
    assert body(b"pong 1 2*00000000") is None
    assert word("pong 1 2") == Pong(1, 2)
