"""Presence: no ghost and no loss, whatever single polls miss."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.presence import Presence

TAGS = st.frozensets(st.sampled_from(["04A1", "04B2", "04C3"]))


@given(st.lists(TAGS), st.integers(1, 4))
def test_a_tag_arrives_when_first_seen_and_leaves_after_so_many_misses_in_a_row(
    polls: list[frozenset[str]], misses: int
) -> None:
    presence = Presence(misses)
    missed: dict[str, int] = {}
    for tags in polls:
        arrived, left = presence.see(tags)
        assert arrived == tags - missed.keys()
        missed = {tag: 0 if tag in tags else missed.get(tag, 0) + 1 for tag in missed.keys() | tags}
        assert left == {tag for tag in missed if missed[tag] == misses}
        missed = {tag: n for tag, n in missed.items() if n < misses}
        assert presence.here == missed.keys()


@given(st.lists(TAGS))
def test_every_arrival_and_departure_alternate(polls: list[frozenset[str]]) -> None:
    presence = Presence()
    here: frozenset[str] = frozenset()
    for tags in [*polls, frozenset(), frozenset(), frozenset()]:
        arrived, left = presence.see(tags)
        assert arrived.isdisjoint(here) and left <= here
        here = (here | arrived) - left
    assert not here


def test_a_card_seen_only_every_second_poll_stays() -> None:
    presence = Presence()
    card = frozenset({"04A1"})
    assert presence.see(card) == (card, frozenset())
    for poll in [frozenset[str](), card] * 5:
        assert presence.see(poll) == (frozenset(), frozenset())


def test_two_cards_at_once_are_both_told() -> None:
    both = frozenset({"04A1", "04B2"})
    assert Presence().see(both) == (both, frozenset())
