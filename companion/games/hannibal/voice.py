"""Speech of Hannibal: moves by their destinations, battles by their losses, regions by their neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.hannibal.rules import CARTHAGE, CHIPS, ROME, SIDES
from companion.games.hannibal.view import HannibalDerived, HannibalView
from companion.rules import N_, Amount, Ruling, Seat, plural
from companion.rules.cards import Card
from companion.rules.data import Data
from companion.rules.guide import Known, Saying
from companion.rules.phrases import THEN, card, held, part, then
from companion.rules.speech import SILENT, Heard, Hears, OptionSpeech, Speech

At = Known[HannibalView, HannibalDerived]

# -- what happens -----------------------------------------------------------------------------------------------

MOVED = {
    "legion": (N_("Legion to {to}."), N_("{seat:of} legion goes from {from} to {to}.")),
    "hannibal": (N_("Hannibal to {to}."), N_("Hannibal goes from {from} to {to}.")),
    "fleet": (N_("Fleet to {to}."), N_("{seat:of} fleet goes from {from} to {to}.")),
}


def moved(ruling: Ruling) -> Heard:
    brief, full = MOVED[ruling.facts["piece"]]
    return Heard(brief, N_("{seat:of} legion sails from {from} to {to}.") if "route" in ruling.facts else full)


def fights(ruling: Ruling) -> Heard:
    if ruling.facts["piece"] == "hannibal":
        return Heard(N_("Hannibal fights."), N_("Hannibal fights: one more for {seat:of} card."))
    return Heard(N_("A legion fights."))


LOST = {
    "legion": N_("{loser} loses a legion."),
    "hannibal": N_("Hannibal falls."),
    "fleet": N_("{loser} loses a fleet."),
}
BOTH_LOST = {
    "legion": N_("Equal: each loses a legion."),
    "hannibal": N_("Equal: Hannibal falls, and the legion too."),
    "fleet": N_("Equal: each loses a fleet."),
}


def exchange(ruling: Ruling) -> Heard:
    """Announce both cards and the losses of an exchange (H-9, H-12)."""
    cards: Mapping[Seat, Card] = ruling.facts["cards"]
    removed, loser = ruling.facts["removed"], ruling.facts["loser"]
    brief = LOST[removed[loser]] if loser else BOTH_LOST[removed[CARTHAGE]]
    text = N_("{rome} {one}, {carthage} {other} plus one.") if ruling.rule == "H-12" else N_(
        "{rome} {one}, {carthage} {other}."
    )  # fmt: skip
    shown = part(text, rome=ROME, one=cards[ROME].rank, carthage=CARTHAGE, other=cards[CARTHAGE].rank)
    return Heard(brief, THEN, "card", stays=True, facts=then(shown, part(brief, loser=loser)))


def chip(ruling: Ruling) -> Heard:
    """Announce a chip with the number of core regions (H-18).

    Their names are read out with the table; the last chip is announced by the win that follows.
    """
    facts = ruling.facts
    if facts["count"] == CHIPS:
        return SILENT
    brief = N_("{seat} takes chip number {count}.")
    full = N_("{seat} controls {regions} core regions and takes chip number {count}.")
    if facts["back"]:
        brief = N_("{seat} takes chip number {count}. {enemy} gives back {chips}.")
        full = N_(
            "{seat} controls {regions} core regions and takes chip number {count}. {enemy} gives back {chips}."
        )  # fmt: skip
    return Heard(brief, full, stays=True, facts={"regions": len(facts["own"]), "chips": Amount(facts["back"])})


# -- what is refused --------------------------------------------------------------------------------------------


def whose_turn(ruling: Ruling) -> Heard:
    return Heard(N_("{carthage} says who fights.") if ruling.rule == "H-11" else N_("It is {turn:of} turn."))


ABSENT = {
    "legion": N_("No legion in {from}. {seat} has legions in {places}."),
    "hannibal": N_("Hannibal is in {places}."),
    "fleet": N_("No fleet on {from}. {seat} has fleets on {places}."),
}
GONE = {
    "legion": N_("{seat} has no legion left."),
    "hannibal": N_("Hannibal has fallen."),
    "fleet": N_("{seat} has no fleet left."),
}


def absent(ruling: Ruling) -> Heard:
    return Heard((ABSENT if ruling.facts["places"] else GONE)[ruling.facts["piece"]])


NO_WAY = {
    "legion": N_("Not to {to}."),
    "hannibal": N_("Hannibal goes by land only."),
    "fleet": N_("A fleet goes to another route."),
}


def no_way(ruling: Ruling) -> Heard:
    """Say why a move is impossible, and where the piece can go."""
    facts = ruling.facts
    text = N_("{seat} has no fleet on {route}.") if "route" in facts else NO_WAY[facts["piece"]]
    other = N_("From {from} only {reach}.") if facts["reach"] else N_("Move another piece.")
    return Heard(THEN, facts=then(part(text, **facts), part(other, **facts)))


def settled(ruling: Ruling) -> Heard:
    text = N_("That is settled: a legion fights.")
    if ruling.facts["fighter"] == "hannibal":
        text = N_("That is settled: Hannibal fights.")
    return Heard(text if ruling.facts["fighter"] != "fleet" else N_("At sea only fleets fight."))


RULINGS: Mapping[str, Hears] = {
    "moved": moved,
    "battle": Heard(N_("Battle!"), N_("Battle: one against {count}.")),
    "who_fights": SILENT,  # it is asked for
    "fights": fights,
    "chosen": Heard("", N_("{seat} has chosen."), "card"),
    "exchange": exchange,
    "cards_back": Heard(N_("All five cards come back.")),
    "battle_won": Heard(
        N_("{winner} wins the battle."),
        plural("{winner} wins the battle, with one piece left.", "{winner} wins the battle, with {count} pieces left."),
        sound="won",
        stays=True,
    ),
    "battle_over": Heard(N_("Nobody is left there."), stays=True),
    "chip": chip,
    "no_chip": SILENT,  # it would be said in almost every turn
    "capital": Heard(N_("{seat} is in the enemy capital and wins."), sound="won", stays=True),
    "mediterranean": Heard(
        N_("{seat} controls the Mediterranean and wins."),
        N_("{seat} controls the Mediterranean with {regions} and wins."),
        sound="won",
        stays=True,
    ),
    "eight_chips": Heard(N_("{seat} takes the eighth chip and wins."), sound="won", stays=True),
    "no_legions": Heard(
        N_("{winner} wins."), N_("{loser} has no legion left: {winner} wins."), sound="won", stays=True
    ),
    "no_winner": Heard(N_("Neither side has a legion left: nobody wins."), stays=True),
    "no_move": Heard(N_("{winner} wins."), N_("{loser} cannot move: {winner} wins."), sound="won", stays=True),
    "either": SILENT,  # part of another sentence
    # refusals
    "turn": whose_turn,
    "absent": absent,
    "no_fleet": no_way,
    "reach": no_way,
}

# -- the map ----------------------------------------------------------------------------------------------------


def count(at: At, side: Seat, place: str) -> int:
    """Return how many pieces of the side stand at that place, including Hannibal."""
    region = at.view["regions"].get(place)
    if region is None:
        return at.view["routes"][place]["blue" if side == ROME else "red"]
    return region["blue"] if side == ROME else region["red"] + region["hannibal"]


LEGIONS = plural("{seat} with one legion", "{seat} with {count} legions")
BESIDE_HIM = plural("{seat} with Hannibal and one legion", "{seat} with Hannibal and {count} legions")
FLEETS = plural("{seat} with one fleet", "{seat} with {count} fleets")


def who(at: At, place: str) -> Sequence[Ruling]:
    """Return the side that stands there and its pieces; in a battle, both sides."""
    region = at.view["regions"].get(place)
    if region is None:
        return [part(FLEETS, seat=side, count=ships) for side in SIDES if (ships := count(at, side, place))]
    found = [part(LEGIONS, seat=ROME, count=region["blue"])] if region["blue"] else []
    if region["hannibal"]:
        text = BESIDE_HIM if region["red"] else N_("{seat} with Hannibal")
        found.append(part(text, seat=CARTHAGE, count=region["red"]))
    elif region["red"]:
        found.append(part(LEGIONS, seat=CARTHAGE, count=region["red"]))
    return found


def over_sea(at: At, region: str) -> Sequence[str]:
    """Return the regions at the other ends of the routes from there."""
    ends = [route.split("-") for route in at.view["routes"]]
    return [one if other == region else other for one, other in ends if region in (one, other)]


def region(at: At, place: str) -> Saying:
    """Describe who stands in a region."""
    return Saying("H-3", N_("{place}: {who}."), {"place": place, "who": who(at, place) or part(N_("empty"))})


def neighbours(at: At, saying: Saying) -> Sequence[Saying]:
    """Describe where ways lead from a region (H-5, H-6)."""
    if saying not in [region(at, place) for place in at.view["regions"]]:
        return ()
    land, sea = at.derived["land"][saying.facts["place"]], over_sea(at, saying.facts["place"])
    text = N_("By land {land}, by sea {sea}.")
    if not sea:
        text = N_("By land {land}.") if land else N_("No way leads there.")
    elif not land:
        text = N_("By sea {sea}.")
    return [Saying("H-3", text, {"land": land, "sea": sea})]


def lies(at: At) -> Sequence[Saying]:
    """Describe the battle, the occupied places, what each side needs to win, and then the empty places."""
    held = [place for place in at.view["regions"] if who(at, place)]
    sailed = [route for route in at.view["routes"] if who(at, route)]
    fleets = [
        Saying("H-7", N_("On the route {route}: {who}."), {"route": route, "who": who(at, route)}) for route in sailed
    ]
    free = [region(at, place) for place in at.view["regions"] if place not in held]
    routes = [route for route in at.view["routes"] if route not in sailed]
    bare = [Saying("H-1", N_("Routes without a fleet: {routes}."), {"routes": routes})] if routes else []
    return [*battle(at), *(region(at, place) for place in held), *fleets, *aims(at), *free, *bare]


def battle(at: At) -> Iterator[Saying]:
    fight = at.view["battle"]
    if fight:
        there = who(at, fight["place"])
        yield Saying("H-8", N_("Battle at {place}: {who}."), {"place": fight["place"], "who": there})
        if fight["hannibal"]:
            yield Saying("H-12", N_("Hannibal fights: one more for {seat:of} card."), {"seat": CARTHAGE})


def aims(at: At) -> Iterator[Saying]:
    """Describe what each side needs for the Mediterranean, its chips, and the cards that are left."""
    for side in SIDES:
        needed = at.derived["mediterranean"][side]
        has = [of["held"] for of in needed if of["held"]]
        lacks = [one_in(of["regions"]) for of in needed if not of["held"]]
        text = N_("For the Mediterranean {seat} holds {held} and still needs {needed}.")
        if not has:
            text = N_("For the Mediterranean {seat} needs legions: {needed}.")
        if not lacks:
            text = N_("For the Mediterranean {seat} has all that is needed: {held}.")
        yield Saying("H-14", text, {"seat": side, "held": has, "needed": lacks})
    yield from chips(at)
    text = plural("Each side has one card left.", "Each side has {count} cards left.")
    yield Saying("H-10", text, {"count": at.view["hand_sizes"][ROME]})
    yield Saying("H-2", N_("{rome} is Rome, {carthage} is Carthage."), {"rome": ROME, "carthage": CARTHAGE})


def one_in(regions: Sequence[str]) -> Ruling:
    one, *others = regions
    return part(
        N_("one in {one} or {other}") if others else N_("one in {one}"), one=one, other=others[-1] if others else one
    )


def chips(at: At) -> Iterator[Saying]:
    """Describe each side's chips and core regions, if core control is agreed (H-18)."""
    core, has = at.derived["core"], at.view["chips"]
    if core is None or has is None:
        return
    for side in SIDES:
        chips = Amount(has[side]) if has[side] else part(N_("no chip"))
        facts = {"seat": side, "chips": chips, "regions": core[side] or part(N_("no core region"))}
        yield Saying("H-18", N_("{seat} has {chips} and controls {regions}."), facts)


def there(at: At, place: str, _: Data) -> Saying:
    """Name a place that can be chosen, and who stands there."""
    standing = who(at, place)
    return Saying("H-1", N_("{place}: {who}.") if standing else N_("{place}."), {"place": place, "who": standing})


OPTIONS = {
    "hannibal_choice": OptionSpeech(
        N_("Saying whether Hannibal fights"),
        {
            "exchange": N_("Carthage says it before each exchange."),
            "battle": N_("Carthage says it once for the whole battle."),
        },
    ),
    "rome_hispania": OptionSpeech(
        N_("Rome needs"),
        {
            "south": N_("That suits both sides alike."),
            "north": N_("That is what the book prints."),
        },
        {"south": N_("southern Hispania"), "north": N_("northern Hispania")},
    ),
    "core_control": OptionSpeech(
        N_("Core control"), {True: N_("Three core regions earn a chip each turn; eight chips win.")}
    ),
}

SPEECH: Speech[HannibalView, HannibalDerived] = Speech(
    rulings=RULINGS,
    lies=lies,
    holds=held,
    asks={
        "move.piece": N_("Which piece?"),
        "move.from": N_("From where?"),
        "move.to": N_("To where?"),
        "defend.piece": N_("Who fights?"),
        "choose.card": N_("Which card?"),
    },
    values={"move.from": there, "move.to": there, "choose.card": card},
    details=neighbours,
    options=OPTIONS,
)
