"""Speech of Caesar: the board is described group by group, so that players can keep it in mind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.caesar.prompts import SIZED, first_seen, owned
from companion.games.caesar.rules import NEUTRAL, SQUARES
from companion.games.caesar.view import CaesarView
from companion.rules import N_, Ruling, Seat, plural
from companion.rules.cards import Card
from companion.rules.data import Data
from companion.rules.guide import Known, Saying
from companion.rules.phrases import THEN, card, held, listed, part, then
from companion.rules.speech import SILENT, Heard, Hears, Speech
from companion.rules.views import Derived

At = Known[CaesarView, Derived]

# -- what happens -----------------------------------------------------------------------------------------------


def alliance(ruling: Ruling) -> Heard:
    text = N_("{seat} moves {from} onto {to}: a group of {size}.")
    if ruling.facts["gains"]:
        text = N_("{seat} moves {from} onto the neutral on {to}: a group of {size}.")
    return Heard(N_("{from} to {to}."), text)


def attack(ruling: Ruling) -> Heard:
    facts = ruling.facts
    one = part(SIZED, square=facts["from"], size=facts["size"])
    other = part(SIZED, square=facts["to"], size=facts["other"])
    text = N_("{attacker} attacks {defender}: {one} against {theirs}.")
    return Heard(N_("{attacker} attacks {defender}."), text, facts={"one": one, "theirs": other})


def passed(ruling: Ruling) -> Heard:
    """Announce a pass, with a warning before the last one (C-15)."""
    last = ruling.facts["survivors"] - ruling.facts["passes"] == 1
    return Heard(N_("{seat} passes."), N_("{seat} passes. One more pass ends the game.") if last else None)


def revealed(ruling: Ruling) -> Heard:
    """Announce the cards if one is a flag; two numbers are announced with the totals."""
    cards: list[Card] = [ruling.facts["card"], ruling.facts["other"]]
    if all(card.rank for card in cards):
        return Heard(sound="card")
    one, other = [
        part(N_("{seat} plays {rank}") if card.rank else N_("{seat} plays a flag"), seat=card.colour, rank=card.rank)
        for card in cards
    ]
    return Heard("", N_("{one}, {other}."), "card", facts={"one": one, "other": other})


def totals(ruling: Ruling) -> Heard:
    """Announce both totals: "4 + 2 = 6" is spoken as four plus two (C-11)."""
    one, other = [
        part(N_("{seat} {card} plus {size}"), seat=ruling.facts[seat], card=int(card), size=int(size))
        for seat, working in (("attacker", "sum"), ("defender", "other"))
        for card, _, size, *_ in [ruling.facts[working].split()]
    ]
    return Heard("", N_("{one}, {other}."), facts={"one": one, "other": other})


def no_attack(ruling: Ruling) -> Heard:
    """Announce that no attack can happen again, unless fewer than two survive and the end says it (C-14)."""
    if len(ruling.facts["survivors"]) < 2:
        return SILENT
    return Heard(N_("No attack can ever happen again."), stays=True)


def over(ruling: Ruling) -> Heard:
    """Announce the winners, then the others with counters, the most first (C-16)."""
    scores, winners = ruling.facts["scores"], ruling.facts["winners"]
    if not winners:
        return Heard(N_("Nobody is left, so nobody wins."), stays=True)
    others = [
        part(N_("{seat} with {count}"), seat=seat, count=count)
        for seat, count in sorted(scores.items(), key=lambda of: -of[1])
        if count and seat not in winners
    ]
    brief = (
        N_("{winners} wins the game with {best}.")
        if len(winners) == 1
        else N_("{winners} share the victory with {best}.")
    )
    full = N_("{winners} wins the game with {best}, ahead of {others}.")
    if len(winners) > 1:
        full = N_("{winners} share the victory with {best}, ahead of {others}.")
    facts = {"best": scores[winners[0]], "others": listed(others) if others else None}
    return Heard(brief, full if others else None, "won", stays=True, facts=facts)


# -- what is refused --------------------------------------------------------------------------------------------

OWN = N_("{seat} has groups on {own}.")


def instead(text: str) -> Hears:
    """Return a refusal that adds what the group can reach, or where the seat's groups are."""

    def heard(ruling: Ruling) -> Heard:
        facts = ruling.facts
        other = OWN if "own" in facts else N_("{from} reaches only {reach}.")
        if not facts.get("own", facts.get("reach")):
            other = N_("Choose another group.")
        return Heard(THEN, facts=then(part(text, **facts), part(other, **facts)))

    return heard


def empty(ruling: Ruling) -> Heard:
    text = N_("{from} is empty.") if "own" in ruling.facts else N_("{to} is empty.")
    return said(instead(text), ruling)


def neutral(ruling: Ruling) -> Heard:
    text = N_("The counter on {from} is neutral.") if "own" in ruling.facts else N_("{to} is neutral: no attack there.")
    return said(instead(text), ruling)


def said(hears: Hears, ruling: Ruling) -> Heard:
    return hears if isinstance(hears, Heard) else hears(ruling)


RULINGS: Mapping[str, Hears] = {
    "placed": Heard(N_("{square}."), N_("{seat} on {square}.")),
    "neutrals": Heard("", plural("One neutral fills the last square.", "{count} neutrals fill the other squares.")),
    "opens": Heard(N_("All counters are placed.")),
    "alliance": alliance,
    "attack": attack,
    "passed": passed,
    "chosen": Heard("", N_("{seat} has chosen."), "card"),
    "revealed": revealed,
    "totals": totals,
    "flag": Heard(N_("A flag: nothing happens."), N_("Nothing happens."), stays=True),
    "won": Heard(
        N_("{winner} wins."), N_("{winner} wins and moves onto {to}: a group of {size}."), sound="won", stays=True
    ),
    "equal": Heard(
        N_("Equal: both groups are gone."), N_("Equal: the groups on {squares} leave the board."), stays=True
    ),
    "eliminated": Heard(N_("{seat} is out."), stays=True),
    "tenth_card": Heard(N_("That was the tenth card."), N_("The tenth card of {seats}: the game ends."), stays=True),
    "no_attack": no_attack,
    "all_passed": Heard(N_("Everybody has passed: the game ends."), stays=True),
    "scored": SILENT,
    "over": over,
    # refusals
    "same": instead(N_("The group is on {to} already.")),
    "enemy": instead(N_("No alliance with {owner}.")),
    "own": instead(N_("{to} is {seat:of} own: no attack there.")),
    "hidden": instead(N_("{from} does not see {to}, with {between} in between.")),
    "line": instead(N_("{from} and {to} share no row and no column.")),
}

# -- the board --------------------------------------------------------------------------------------------------

WAYS = {
    0: N_("left {group}"),
    3: N_("right {group}"),
    2: N_("ahead {group}"),
    1: N_("behind {group}"),
}
"""In spoken order, by the index in RAYS: rows count upwards, away from the player who has column a on the left."""


def near(at: At, square: str) -> Iterator[tuple[str, str]]:
    """Yield the direction and name of each square that this one sees."""
    found = first_seen(at, square)
    return ((way, found[ray]) for ray, way in WAYS.items() if ray in found)


GROUP = plural("{owner} on {square}", "{owner:of} {size} on {square}", by="size")


def group(at: At, square: str) -> Ruling:
    """Name the owner and the size of a group, or an empty square."""
    there = at.view["board"].get(square)
    if there is None:
        return part(N_("empty {square}"), square=square)
    text = N_("neutral {square}") if there["owner"] == NEUTRAL else GROUP
    return part(text, owner=there["owner"], size=there["size"], square=square)


def around(at: At, square: str) -> Saying:
    """Describe a group and what it sees in each direction."""
    ways = [part(way, group=group(at, other)) for way, other in near(at, square)]
    if not ways:
        return Saying("C-5", N_("{group} sees nothing."), {"group": group(at, square)})
    return Saying("C-5", N_("{group}: {near}."), {"group": group(at, square), "near": listed(ways)})


def lies(at: At) -> Sequence[Saying]:
    """Describe the duel, each player's groups, then neutral and empty squares."""
    board, duel = at.view["board"], at.view["duel"]
    found = []
    if duel:
        facts = {"one": group(at, duel["from"]), "other": group(at, duel["to"])}
        found.append(Saying("C-9", N_("Duel: {one} against {other}."), facts))
    for seat in at.seats:
        found += placed(at, seat) if at.view["phase"] == "placing" else groups(at, seat)
    if squares := owned(at, NEUTRAL):
        found.append(Saying("C-2", N_("Neutral: {squares}."), {"squares": squares}))
    if free := [square for square in SQUARES if square not in board]:
        text = N_("Empty: {squares}.") if board else N_("The board is empty.")
        found.append(Saying("C-1", text, {"squares": free}))
    return found


def placed(at: At, seat: Seat) -> Iterator[Saying]:
    squares, left = owned(at, seat), at.view["to_place"][seat]
    if squares:
        text = N_("{seat} on {squares}; {count} to place.") if left else N_("{seat} on {squares}.")
        yield Saying("C-2", text, {"seat": seat, "squares": squares, "count": left})


COUNTERS = plural("one counter", "{count} counters")
GROUPS = plural("one group", "{count} groups")
CARDS = plural("one card left", "{count} cards left")


def groups(at: At, seat: Seat) -> Iterator[Saying]:
    """Describe a player's totals, then each group."""
    own = owned(at, seat)
    if not own:
        yield Saying("C-13", N_("{seat} is out."), {"seat": seat})
        return
    facts = {
        "counters": part(COUNTERS, count=sum(at.view["board"][square]["size"] for square in own)),
        "groups": part(GROUPS, count=len(own)),
        "cards": part(CARDS, count=at.view["hand_sizes"][seat]),
    }
    yield Saying("C-16", N_("{seat}: {counters}, {groups}, {cards}."), {"seat": seat, **facts})
    yield from (around(at, square) for square in own)


def there(at: At, square: str, _: Data) -> Saying:
    """Name a square that can be chosen, and the group on it."""
    return Saying("C-5", N_("{group}."), {"group": group(at, square)})


SPEECH: Speech[CaesarView, Derived] = Speech(
    rulings=RULINGS,
    lies=lies,
    holds=held,
    asks={
        "place.square": N_("On which square?"),
        "attack.from": N_("Attack with which group?"),
        "attack.to": N_("Attack which group?"),
        "ally.from": N_("Which group moves?"),
        "ally.to": N_("Onto which square?"),
        "choose.card": N_("Which card?"),
    },
    values={
        "attack.from": there,
        "attack.to": there,
        "ally.from": there,
        "ally.to": there,
        "choose.card": card,
    },
)
