"""The table's hall on the screen: the round it has seated here, and the state of the connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.dialogues.table_draft import TableDraft, ready
from companion.play.hall_status import HallStatus, SeatedGame
from companion.rules import N_, AnyGame, Options
from companion.rules.words import Tongue, comma, title, tr, words
from ui.pages.device_state import DeviceState

if TYPE_CHECKING:
    from companion.play.evening import Evening


@dataclass(frozen=True, slots=True)
class RoundOffer:
    """A round that the hall has seated here, with one touch to be begun."""

    draft: TableDraft
    text: str
    who: str
    """That the hall has seated these players, clockwise."""
    short: str
    """The same without their names."""
    whole: str
    """The round and the players in a line."""
    begun: bool
    spare: str = ""
    """That it is the game of another table, whose machine has died; "" for one that begins."""


def offer(seated: SeatedGame | None, games: Sequence[AnyGame], lang: str, reveal: str = "fists") -> RoundOffer | None:
    """Return the seated round as an offer; None if there is none, or if the program does not know its game."""
    game = next((game for game in games if seated and seated.game == game.name), None)
    if not seated or not game:
        return None
    players = {seat: name for seat, name in replace(seated, lang=lang).named.items() if name}
    draft = TableDraft(game, tuple(seated.players), players, dict(seated.options), reveal)
    tongue = Tongue(lang, players)
    who = words(comma(lang).join(map(tongue.name, seated.players)), lang)
    facts = {"round": seated.round, "game": words(title(game, lang), lang)}
    return RoundOffer(
        draft,
        tongue.tr(N_("Round {round}: {game}"), **facts),
        tongue.tr(N_("Seated by the hall: {players}"), players=who),
        tongue.tr(N_("Seated by the hall")),
        tongue.tr(N_("Round {round}: {game} – {players}"), **facts, players=who),
        seated.begun,
    )


def offered(evening: Evening, lang: str) -> RoundOffer | None:
    """Return the newest round that is seated here, begun or not."""
    found = offer(
        evening.seated,
        evening.games,
        lang,
        evening.regulars.usual,
    )
    if not found or not evening.spare:
        return found
    table = words(evening.spare.table, lang)
    return replace(found, spare=tr(N_("Continue the game of table {table}"), lang, table=table))


def waits(evening: Evening, lang: str) -> RoundOffer | None:
    """Return the newest round that is seated here, unless it has begun."""
    found = offered(evening, lang)
    return None if found and found.begun else found


def differs(draft: TableDraft, offered: RoundOffer) -> bool:
    """Return whether the draft is another game, has other rules or seats somebody elsewhere."""
    of = offered.draft
    named = all(draft.players.get(seat) == name for seat, name in of.players.items())
    return (draft.game, draft.seats, _chosen_options(draft)) != (of.game, of.seats, _chosen_options(of)) or not named


def remark(draft: TableDraft, offered: RoundOffer | None, lang: str) -> str:
    """Return whether a draft matches the round that waits; "" if there is nothing to say."""
    if not offered or offered.begun or not ready(draft):
        return ""
    other = differs(draft, offered)
    return tr(N_("Not the hall’s seating.") if other else N_("The hall’s seating."), lang)


def _chosen_options(draft: TableDraft) -> Options:
    return {option.name: draft.options.get(option.name, option.default) for option in draft.game.options}


STATES: Mapping[str, tuple[str, str]] = {
    "away": (
        N_("away"),
        N_("{hall}, table {table}. The hall cannot be reached now. It will be told everything later."),
    ),
    "sending": (N_("sending"), N_("{hall}, table {table}. The latest moves are on their way to the hall.")),
    "kept": (N_("OK"), N_("{hall}, table {table}. The hall has everything.")),
}
"""By the state of the way to the hall: a word, and more of it."""


def device(hall: HallStatus, lang: str) -> DeviceState:
    """Return the hall as a line of the hardware list."""
    word, text = STATES[hall.state]
    more = tr(text, lang, hall=words(hall.hall, lang), table=words(hall.table, lang))
    return DeviceState(tr(word, lang), tr(N_("hall"), lang), more, hall.state != "away")
