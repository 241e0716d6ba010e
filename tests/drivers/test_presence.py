"""Presence: no ghost and no loss, whatever single polls miss."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.presence import FEWEST, SOON, Presence

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


def test_two_cards_at_once_are_both_reported() -> None:
    both = frozenset({"04A1", "04B2"})
    assert Presence().see(both) == (both, frozenset())


def seen(presence: Presence, polls: str) -> float | None:
    """One card: "x" is a poll that hears it, "?" one that hears it only when it asks again, "." one that misses it."""
    card = frozenset({"04A1"})
    for poll in polls:
        presence.see(card if poll in "x?" else frozenset(), card if poll == "?" else frozenset())
    return presence.errors("04A1")


def test_misses_count_only_while_the_tag_lies_there() -> None:
    assert seen(Presence(), "...x" + "x" * 20 + "....") == 0
    assert seen(Presence(), "x" + "x.xx?" * 10 + "x" + "." * 30) == 20 / 51
    assert seen(Presence(), "x" * 30 + "?") == 0, "it was lifted in the middle of the last poll"


def test_too_few_polls_say_nothing_but_several_misses_do() -> None:
    assert seen(Presence(), "x" + "x" * (FEWEST - 1)) is None
    assert seen(Presence(), "x" + "x" * FEWEST) == 0
    assert seen(Presence(), "x.x") is None
    assert seen(Presence(), "x...x") == 3 / 4, "it seemed to have been lifted, too quickly for a hand"
    assert Presence().errors("04A1") is None


def test_a_tag_that_is_laid_once_more_begins_anew() -> None:
    presence = Presence()
    assert seen(presence, "x" + "x." * 20 + "x") == 20 / 41
    assert seen(presence, "." * (SOON + 1) + "x" * 12) == 0


@given(st.lists(TAGS), st.lists(TAGS))
def test_a_share_is_a_share(polls: list[frozenset[str]], faint: list[frozenset[str]]) -> None:
    presence = Presence()
    for at, tags in enumerate(polls):
        presence.see(tags, faint[at] & tags if at < len(faint) else frozenset())
        assert all((share := presence.errors(tag)) is None or 0 <= share <= 1 for tag in tags)
