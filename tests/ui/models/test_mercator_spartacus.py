"""The boards of Mercator and Spartacus: what they tell of each moment, and how they stand in a window."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from companion.rules.outline import outlines
from companion.session.receipt import Receipt
from tests.support.paths import ROOT
from tests.support.playing import Play
from tests.support.tables import times
from tools.pictures import SIZES
from tools.scenes.rehearsal import PLAYERS
from ui.games.mercator import model as mercator
from ui.games.mercator.bids import bids, event
from ui.games.parts.sentences import expected
from ui.games.spartacus import model as spartacus
from ui.table import frame
from ui.table.moment import Moment


class Table:
    """A game that is played, and the log the screen would have."""

    def __init__(self, game: str, seats: str, **options: Any) -> None:
        self.play = Play(game, seats, options=options)
        self.log: list[Receipt] = []

    def __call__(self, verb: str, seat: str | None = None, **facts: Any) -> None:
        self.log.append(self.play.ok(verb, seat, **facts))

    def moment(self, **more: Any) -> Any:  # of whichever game it is
        session = self.play.session
        return Moment(
            self.play.header.game,
            self.play.header.seats,
            session.view(),
            session.derived(),
            options=self.play.header.options,
            log=self.log,
            fists=tuple(session.fists()),
            outlines=outlines(self.play.header.game, session.state),
            **more,
        )


def lot(table: Table, seat: str, *cards: str) -> None:
    """The flipper turns these up, and stops where it may go on."""
    for card in cards:
        table("flip", seat, card=card)
    if table.play.view["phase"] == "flipping":
        table("auction", seat)


def sale(table: Table, seat: str, cards: Sequence[str], **bids: int) -> None:
    """A whole auction by fists."""
    lot(table, seat, *cards)
    table("reveal")
    for bidder, chips in bids.items():
        table("bid", bidder, chips=chips)


# -- Mercator ---------------------------------------------------------------------------------------------------


def test_the_lot_and_its_sum() -> None:
    table = Table("mercator", "red blue green")
    assert mercator.centre(table.moment()).lot.value == "24", "before the first card the pile is all there is"
    table("flip", "red", card="red 9")
    table("flip", "red", card="blue 7")
    shown = mercator.centre(table.moment())
    assert (shown.lot.value, list(shown.lot.cards), shown.pile) == ("16", ["red 9", "blue 7"], "Pile: 22")
    assert [action.verb for action in shown.actions] == ["flip", "auction"]


def flips(table: Table) -> str:
    """Who has the sign of the pile: ties go down from the next seat."""
    (seat,) = (tile.seat for tile in frame.rail(table.moment()) if tile.mark)
    return str(seat)


def test_ties_stand_clockwise_from_the_flippers_left() -> None:
    table = Table("mercator", "red blue green yellow")
    assert flips(table) == "red"
    sale(table, "red", ["red 9"], red=7, blue=5, green=7, yellow=7)
    shown = mercator.centre(table.moment())
    assert shown.past and [(one.seat, one.text, one.best, one.wins) for one in shown.past.auction.bidders] == [
        ("blue", "5", False, False), ("green", "7", True, True), ("yellow", "7", True, False), ("red", "7", True, False),
    ]  # fmt: skip
    assert shown.past.auction.tie and "Red's left" in shown.past.auction.note
    line = frame.ruling_line(table.moment()).text
    assert line.startswith("Tie at 7: Green is first from Red's left. Green pays"), line
    assert (shown.past.lot.value, shown.past.lot.note) == ("7", "Paid")
    assert list(shown.past.lot.cards) == ["red 9"]
    assert shown.track == {"red": 0, "blue": 0, "green": 9, "yellow": 0}
    assert flips(table) == "blue" and not any(ship.best or ship.bid for ship in shown.ships), "the next auction"
    table("flip", "blue", card="red 8")
    assert mercator.centre(table.moment()).past is None
    table("undo")
    past = mercator.centre(table.moment()).past
    assert past and past.number == shown.past.number


def test_the_shapes_stand_as_the_sentence_lists_the_names() -> None:
    table = Table("mercator", "red blue green")
    sale(table, "red", ["red 9"], red=1, blue=2, green=3)
    table("flip", "blue", card="red 8")
    line = frame.ruling_line(table.moment())
    assert line.text.startswith("Blue flips") and line.text.endswith("room for it: Red, Blue and Green.")
    assert line.seats == ("red", "blue", "green")


def test_after_an_undo_the_auction_is_open_again() -> None:
    table = Table("mercator", "red blue green")
    sale(table, "red", ["red 9"], red=1, blue=2, green=3)
    table("undo")
    shown = mercator.centre(table.moment())
    assert [(ship.seat, ship.bid, ship.best) for ship in shown.ships] == [
        ("red", "1", False), ("blue", "2", True), ("green", "", False),
    ]  # fmt: skip
    assert shown.best and (shown.best.seat, shown.best.value, shown.lot.value) == ("blue", "2", "9")


def test_a_lot_that_nobody_wants_has_no_winner() -> None:
    table = Table("mercator", "red blue green")
    sale(table, "red", ["red 9"], red=0, blue=0, green=0)
    past = mercator.centre(table.moment()).past
    assert past and [one.text for one in past.auction.bidders] == ["0", "0", "0"]
    assert not any(one.wins for one in past.auction.bidders)
    assert (past.lot.value, past.lot.note) == ("0", "No bid")


def test_ships_without_room_are_dimmed() -> None:
    table = Table("mercator", "red blue green")
    sale(table, "red", ["red 9", "red 8", "red 7"], red=0, blue=1, green=0)
    sale(table, "blue", ["red 6"], red=0, blue=1, green=0)
    lot(table, "green", "red 5", "red 4", "red 3")
    shown = mercator.centre(table.moment())
    assert {ship.seat: ship.faint for ship in shown.ships} == {"red": False, "blue": True, "green": False}
    assert [(ship.seat, ship.text, ship.faint) for ship in shown.ships][1] == ("blue", "no room", True)
    assert [tile.seat for tile in frame.rail(table.moment()) if tile.out] == ["blue"], "the others may still bid"


def test_all_amounts_stand_on_one_page_and_the_next_seat_is_asked() -> None:
    table = Table("mercator", "red blue green")
    lot(table, "red", "red 9")
    assert bids(table.moment(), "") is None
    table("reveal")
    assert mercator.centre(table.moment()).actions[0].text == "Name the bids"
    shown = bids(table.moment(), "")
    assert shown and (shown.title, shown.seat, shown.least) == ("Red: what was in your fist?", "red", 0)
    table("bid", "red", chips=12)
    shown = bids(table.moment(), "")
    assert shown and [(row.seat, row.amount, row.asked) for row in shown.rows] == [
        ("red", "12", False), ("blue", "", True), ("green", "", False),
    ]  # fmt: skip
    again = bids(table.moment(), "red")
    assert again and event(again, 3) == {"event": "bid", "seat": "red", "chips": 3}


def test_out_loud_somebody_is_touched_before_the_price() -> None:
    table = Table("mercator", "red blue green", auction="open")
    lot(table, "red", "red 9")
    shown = bids(table.moment(), "")
    assert shown and (shown.title, shown.seat, shown.least) == ("Who buys the lot?", "", 1)
    shown = bids(table.moment(), "blue")
    assert shown and event(shown, 3) == {"event": "sold", "seat": "blue", "chips": 3}


def test_fists_close_and_are_called() -> None:
    table = Table("mercator", "red blue green")
    lot(table, "red", "red 9")
    shown = mercator.centre(table.moment(closed={"blue"}))
    assert [ship.fist for ship in shown.ships] == ["open", "closed", "open"] and shown.lot.value == "9"
    assert shown.best and (shown.best.caption, shown.best.name) == ("Fists closed", "1 of 3")
    everybody = {"red", "blue", "green"}
    opening = table.moment(closed=everybody - {"blue"}, called=True)
    assert mercator.centre(opening).call == "Open!"
    by_finger = table.moment(reveal="auto")
    assert not any(ship.fist for ship in mercator.centre(by_finger).ships)
    assert frame.band(by_finger).sentence == "Red, Blue and Green: hide chips in your fists, then open them together"


@pytest.mark.parametrize("auction", ["fists", "open"])
def test_a_tap_on_a_ship_names_what_its_seat_does(auction: str) -> None:
    table = Table("mercator", "red blue green", auction=auction)
    lot(table, "red", "red 9")
    if auction == "fists":
        table("reveal")
    ships = mercator.centre(table.moment()).ships
    verb = "bid" if auction == "fists" else "sold"
    assert [(ship.action and ship.action.verb, ship.action and ship.action.seat, ship.lit) for ship in ships] == [
        (verb, seat, True) for seat in ("red", "blue", "green")
    ]
    if auction == "fists":
        table("bid", "blue", chips=3)
        ship = mercator.centre(table.moment()).ships[1]
        assert (ship.bid, ship.lit) == ("3", False) and ship.action, "it may be named anew"


def test_board_does_not_depend_on_purses() -> None:
    shown = []
    for price in (1, 50):
        table = Table("mercator", "red blue green", auction="open")
        lot(table, "red", "red 9")
        table("sold", "red", chips=price)
        lot(table, "blue", "red 8")
        shown.append(mercator.centre(table.moment()))
    assert shown[0] == shown[1]


def test_the_track_goes_on_with_the_bonus() -> None:
    assert mercator.centre(Table("mercator", "red blue green").moment()).last == 59
    assert mercator.centre(Table("mercator", "red blue green", colour_bonus=True).moment()).last == 69


def buy(table: Table, seat: str, *cards: str) -> None:
    """A lot that only this seat bids on."""
    view = table.play.view
    bidders = [one for one, ship in view["ships"].items() if len(ship) + len(cards) <= 6]
    sale(table, view["turn"], cards, **{one: int(one == seat) for one in bidders})


def test_the_sale_as_a_table() -> None:
    table = Table("mercator", "red blue green", halves="exact")
    buy(table, "red", "red 10", "red 9", "red 8")
    buy(table, "blue", "blue 10", "blue 9", "blue 8")
    buy(table, "red", "green 10", "green 9", "green 8")
    buy(table, "blue", "yellow 10", "yellow 9", "yellow 8")
    for rank in range(1, 7):
        shown = mercator.centre(table.moment())
        assert list(shown.lot.seats) == ["green"] and shown.sale is None
        table("load", "green", card=f"purple {rank}")
    shown = mercator.centre(table.moment())
    assert shown.sale and shown.sale.heads == ["cargo", "sold for", "kept", "chips"]
    assert [(row.seat, *row.cells) for row in shown.sale.rows] == [
        ("red", "54", "22½", "48", "70½"), ("blue", "54", "22½", "48", "70½"), ("green", "21", "0", "50", "50"),
    ]  # fmt: skip
    assert [action.verb for action in shown.actions] == ["end"]
    assert (shown.lot.value, list(shown.lot.seats)) == ("70½", ["red", "blue"])


# -- Spartacus --------------------------------------------------------------------------------------------------


def tricks(flags: str = "double", penalty: str = "none") -> Table:
    table = Table("spartacus", "red blue green yellow", flags=flags, joker_penalty=penalty)
    for card in ("red 10", "blue 8"):
        table("play", card.split()[0], card=card)
    table("pass", "green")
    if flags != "none":
        table("play", "yellow", card="yellow flag")
    return table


@pytest.mark.parametrize(
    ("flags", "penalty", "number", "words", "takes"),
    [
        ("double", "none", ("36", "10 + 8 = 18"), ["", "lowest", "× 2"], "blue"),
        ("joker", "none", ("18", "10 + 8"), ["", "lowest", "takes"], "yellow"),
        ("joker", "minus10", ("8", "10 + 8 = 18"), ["", "lowest", "takes"], "yellow"),
        ("joker", "void", ("0", "10 + 8 = 18"), ["", "lowest", "takes"], "yellow"),
        ("none", "none", ("18", "10 + 8"), ["", "lowest"], "blue"),
    ],
)
def test_trick_shows_strongest_card_and_worth(
    flags: str, penalty: str, number: tuple[str, str], words: list[str], takes: str
) -> None:
    shown = spartacus.centre(tricks(flags, penalty).moment())
    assert (shown.big.value, shown.big.beside) == number
    assert [lying.word for lying in shown.trick.cards] == words
    assert [lying.card.split()[0] for lying in shown.trick.cards if lying.strong] == [takes]
    tiles = frame.rail(tricks(flags, penalty).moment())
    assert [tile.seat for tile in tiles if tile.out] == ["green"]
    turn = "yellow" if flags == "none" else "red"
    assert shown.trick.turn == turn and [tile.seat for tile in tiles if tile.awaited] == [turn]


@pytest.mark.parametrize(
    ("flags", "penalty", "words"),
    [
        ("double", "none", "doubled by one flag"),
        ("joker", "none", ""),
        ("joker", "minus10", "a joker: 10 less"),
        ("joker", "void", "a joker: nothing"),
        ("none", "none", ""),
    ],
)
def test_effect_of_a_flag_is_written_out(flags: str, penalty: str, words: str) -> None:
    assert spartacus.centre(tricks(flags, penalty).moment()).doubled == words


def test_a_trick_that_was_taken_stays_to_be_seen_until_the_next_card() -> None:
    table = tricks("none")
    table("pass", "yellow")
    table("pass", "red")
    shown = spartacus.centre(table.moment())
    assert shown.past and [lying.card for lying in shown.past.trick.cards] == ["red 10", "blue 8"]
    assert (shown.past.big.value, list(shown.past.big.seats)) == ("18", ["blue"])
    assert shown.past.trick.gone and not shown.trick.cards
    assert [tile.figure for tile in frame.rail(table.moment())] == ["0", "18", "0", "0"]
    table("play", "green", card="green 4")
    shown = spartacus.centre(table.moment())
    assert shown.past is None and [lying.card for lying in shown.trick.cards] == ["green 4"]
    table("undo")
    assert spartacus.centre(table.moment()).past


def test_covered_points_are_nowhere_on_the_board_until_the_game_is_over() -> None:
    table = Table("spartacus", "red blue green", points="covered")
    table("play", "red", card="red 9")
    shown = spartacus.centre(table.moment())
    assert (shown.big.caption, shown.big.value, shown.about[0]) == ("The lowest number", "9", "")
    table("play", "blue", card="blue 8")
    table("pass", "green")
    table("pass", "red")
    shown = spartacus.centre(table.moment())
    assert shown.past and [lying.card for lying in shown.past.trick.cards] == ["red 9", "blue 8"]
    assert (shown.past.big.value, shown.past.big.caption, shown.past.about[0]) == ("", "Blue took", "")
    assert [tile.figure for tile in frame.rail(table.moment())] == ["", "", ""]
    assert "17" not in repr(shown)


def test_prompt_names_what_may_still_be_played() -> None:
    table = Table("spartacus", "red blue green")
    table("play", "red", card="red flag")
    table("play", "blue", card="blue 2")
    table("play", "green", card="green 1")
    assert expected(table.moment()).sentence == "Red: pass; nothing is below 1"
    table("pass", "red")
    assert expected(table.moment()).sentence == "Blue: play your flag or pass"


def test_the_balance_at_the_end() -> None:
    table = Table("spartacus", "red blue green", flags="none")
    for rank in range(10, 0, -1):
        table("play", "red", card=f"red {rank}")
        if rank > 1:
            table("pass", "blue")
            table("pass", "green")
            for seat in ("blue", "green"):
                table("play", seat, card=f"{seat} {rank}")
                for other in ("green", "red", "blue", "green"):
                    if table.play.view["trick"] and table.play.view["turn"] == other:
                        table("pass", other)
    shown = spartacus.centre(table.moment())
    assert [(tile.seat, tile.figure) for tile in frame.rail(table.moment())] == [
        ("red", "55"), ("blue", "53"), ("green", "53"),
    ]  # fmt: skip
    assert [action.verb for action in shown.actions] == ["end"]


# -- in a window ------------------------------------------------------------------------------------------------

DECK = [f"{colour} {rank}" for rank in (10, 7, 4, 1, 9, 6, 3, 8, 5, 2) for colour in list(PLAYERS)]


def begin(app: Any, game: str, seats: Sequence[str], **options: Any) -> None:
    players = {seat: name for seat, name in PLAYERS.items() if seat in seats}
    app.evening.begin({"tabularium": 1, "game": game, "seats": seats, "players": players, "options": options})
    app.go("table")


def done(app: Any, verb: str, seat: str | None = None, **facts: Any) -> None:
    assert not app.act({"event": verb, **({"seat": seat} if seat else {}), **facts})
    app._tick(0)


def merchants(app: Any) -> Iterator[str]:
    """A whole game of Mercator; a name for every moment worth a look."""
    begin(app, "mercator", [*PLAYERS, "black", "white"], colour_bonus=True)
    yield "the pile"
    pile, number = iter(DECK), 0
    while not (view := app.match.view)["over"]:
        if view["phase"] == "loading":
            done(app, "load", view["turn"], card=next(pile))
            continue
        while app.match.view["phase"] == "flipping":
            done(app, "flip", view["turn"], card=next(pile))
        told = auction(app, app.match.view["taking_part"])
        # One auction in four is looked at; the others only go on.
        yield from (f"{moment} with {view['pile']} left" for moment in told if number % 4 == 0)
        number += 1
    yield "the sale"


def auction(app: Any, bidders: Sequence[str]) -> Iterator[str]:
    yield "the lot"
    for seat in bidders:
        app.dock.hold(seat)
    app._tick(0)
    yield "the fists"
    for seat in bidders:
        app.dock.let_go(seat)
    app._tick(0)
    for seat in bidders:
        done(app, "bid", seat, chips=1)
    yield "the tie"


def gladiators(app: Any, flags: str) -> Iterator[str]:
    """The longest trick there can be, and who takes it."""
    seats = list(PLAYERS)
    begin(app, "spartacus", seats, flags=flags)
    yield "a lead"
    ranks: list[Any] = [10, 9, 8, 7, 6, "flag", 5, "flag", "flag", "flag", 4, "flag", 3, 2, 1]
    for at, rank in enumerate(ranks):
        done(app, "play", seats[at % 5], card=f"{seats[at % 5]} {rank}")
    yield f"a long trick, {flags}"
    while app.match.view["trick"]:
        done(app, "pass", app.match.view["turn"])
    yield f"taken, {flags}"


def moments(app: Any) -> Iterator[str]:
    yield from merchants(app)
    for flags in ("double", "joker"):
        yield from gladiators(app, flags)


def moving(app: Any) -> None:
    """A pawn sets out from where it stood; another event finds it where it belongs."""
    from tools import pictures
    from ui.widgets.motion import motions

    begin(app, "mercator", ["red", "blue", "green"], auction="open")
    pictures.settle(app)
    pawns = app.page.board.track._pawns
    for flipper, buyer, card in (("red", "blue", "red 9"), ("blue", "green", "blue 7")):
        done(app, "flip", flipper, card=card)
        done(app, "auction", flipper)
        done(app, "sold", buyer, chips=1)
        assert pawns[buyer].at == 0 and motions.moving
    assert pawns["blue"].at == 9, "the next event did not wait for it"
    pictures.settle(app)
    assert [pawns[seat].at for seat in ("red", "blue", "green")] == [0, 9, 7]


def staying(app: Any) -> None:
    """Seven bids take eight touches; what came of them stays until it is touched, and a number on it is asked about."""
    from tests.ui.windows import window_games as ui_games
    from tests.ui.windows import window_play as ui_play
    from tools import pictures

    ui_play.SIZE = app.shell.size
    seats = [*PLAYERS, "black", "white"]
    begin(app, "mercator", seats)
    done(app, "flip", "red", card="red 9")
    done(app, "auction", "red")
    done(app, "reveal")
    pictures.settle(app)
    ui_games.touch(app, ui_games.says(app, "Name the bids"))
    for chips in (3, 12, 0, 50, 12, 7, 1):
        ui_games.touch(app, ui_games.says(app, str(chips)))
    pictures.settle(app)
    board, view = app.page.board, app.match.view
    assert (app.page.name, view["track"]["yellow"]) == ("table", 9)
    assert board.value.text == "50" and [row.bid.text for row in board.rows][1] == "12"
    ui_games.touch(app, board.value)
    assert app.page.name == "why"
    app.go("table")
    pictures.settle(app)
    put_away(app, board)
    assert board.value.text == "49", "the pile"
    begin(app, "spartacus", seats[:3])
    done(app, "play", "red", card="red 9")
    for seat in ("blue", "green"):
        done(app, "pass", seat)
    pictures.settle(app)
    board = app.page.board
    assert board.value.text == "9" and board.trick.played[0].face.opacity
    put_away(app, board.trick)
    assert board.value.text == "0" and not board.trick.played[0].face.opacity


def put_away(app: Any, widget: Any) -> None:
    """A touch on it where no number is."""
    from kivy.uix.widget import Widget

    from tests.ui.windows import window_games as ui_games
    from ui.widgets.annotations import asked

    spot = next(
        (x, y)
        for x in range(int(widget.x) + 2, int(widget.right), 8)
        for y in range(int(widget.top) - 2, int(widget.y), -8)
        if not asked(app.page, (x, y))
    )
    ui_games.touch(app, Widget(center=spot))


def window(wide: int, high: int) -> dict[str, list[str]]:
    """What does not fit on a screen of this size."""
    from tests.ui.windows import window_geometry as ui_geometry
    from tools import pictures
    from ui import theme

    app = pictures.stage((wide, high))
    found = {}
    for name in moments(app):
        pictures.settle(app)
        wrong = [*ui_geometry.problems(app.root, min(wide, high) / theme.DESIGN), *ui_geometry.number(app)]
        if wrong:
            found[name] = wrong
    moving(app)
    staying(app)
    return found


@pytest.fixture(scope="module")
def windows() -> Iterator[dict[tuple[int, int], "subprocess.Popen[str]"]]:
    """All sizes at once: each is a process, and they share the machine's cores."""
    env = os.environ | {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    started = {
        (wide, high): subprocess.Popen(
            [sys.executable, "-m", "tests.ui.models.test_mercator_spartacus", str(wide), str(high)],
            cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for wide, high in SIZES[:: times(2, 1)]
    }  # fmt: skip
    yield started
    for process in started.values():
        process.kill()
        process.communicate()


@pytest.mark.parametrize("size", SIZES[:: times(2, 1)])
def test_every_moment_fits_and_pawns_move(windows: dict[Any, "subprocess.Popen[str]"], size: tuple[int, int]) -> None:
    out, err = windows[size].communicate()
    assert windows[size].returncode == 0, err
    assert json.loads(out.splitlines()[-1]) == {}


if __name__ == "__main__":
    print(json.dumps(window(*map(int, sys.argv[1:]))))
