"""Law 2 to the last pixel: `python -m tests.ui.windows.window_secrets [STEPS] [SEED]`. Ends with 0 if all went well.

Two games that nobody at the table can tell apart – other purses, hands and cards face down – are gone back in, amended
and decided about, act for act the same: every page that everybody may look at shows the same picture.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from companion import games
from companion.games import NAMES, position_of
from companion.record.transcript import Header, event_data
from companion.rules import Choose, Event
from companion.rules.mistakes import Mistakes
from companion.session import Session
from tests.support.states import choices, disguises, travel
from tests.support.tables import times
from tests.support.twins import pair, table_event
from tools import pictures

Script = Sequence[tuple[Event, Event]]
"""What happens in the one game and in the other: the same, but for a card laid face down."""


def main(steps: int = 2, seed: int = 0) -> None:
    app = pictures.stage((800, 480))
    pictures.settle(app)
    for name in NAMES:
        header, one, other = twins(name)
        script = scripted(header, one, other, Random(f"{seed} {name}"), steps)
        seen = [list(looks(app, header, state, [of[at] for of in script])) for at, state in enumerate((one, other))]
        assert len(seen[0]) == len(seen[1]) > 6 * steps
        for (where, picture), (_, hidden) in zip(*seen, strict=True):
            if picture != hidden:
                raise AssertionError(f"{name}: {where} shows what is hidden")
    for name in ("prokonsul", "caesar", "hannibal"):
        laid_face_down(app, name)
    print("played")


def laid_face_down(app: Any, name: str) -> None:
    """The table shows the same whichever card the first seat lays on the reader, but that one lies there."""
    game = games.game(name)
    header, _, states = travel(name, game.seats[-1], {option.name: option.default for option in game.options})
    state = next(state for state in states if [*choices(game, state)] and not state.choices and writable(header, state))
    mine = [choice for choice in choices(game, state) if choice.seat == next(choices(game, state)).seat]
    seen = set[bytes]()
    for choice in mine[:3]:
        app.evening.begin(begun(header, state))
        app.evening.drain()
        app.rebuild()
        app.go("table")
        app.page.hand.lift_all()
        pictures.settle(app)
        seen.add(picture(app))
        app.dock.lay("centre", app.dock.deck[str(choice.card)])
        pictures.settle(app)
        assert app.match.view["chosen"] == [choice.seat]
        seen.add(picture(app))
    assert len(seen) == 2, f"{name}: the table shows which card was laid"


def begun(header: Header, state: Any) -> dict[str, Any]:
    """The header of a game that begins with this state."""
    as_played = {"game": header.game.name, "seats": list(header.seats), "options": dict(header.options)}
    return {"tabularium": 1, **as_played, "position": position_of(header.game.name).written(state)}


def twins(name: str) -> tuple[Header, Any, Any]:
    """A state in the middle of a game, and one that looks like it."""
    game = games.game(name)
    covered = {"points": "covered"} if name == "spartacus" else {}  # nothing else is hidden there
    header, _, states = travel(name, game.seats[-1], {option.name: option.default for option in game.options} | covered)
    for state in states[len(states) // 3 :]:
        for other in (*disguises(game, state), *(exchanged(state) if covered else ())):
            if other != state and all(writable(header, of) for of in (state, other)):
                assert game.view(other) == game.view(state)
                return header, state, other
    raise AssertionError(f"nothing is hidden in {name}")


def exchanged(state: Any) -> Iterator[Any]:
    """Two seats have taken each other's tricks of as many cards."""
    for one, other in combinations(state.taken, 2):
        mine, theirs = ([len(trick) for trick in state.taken[seat]] for seat in (one, other))
        if mine == theirs and mine:
            yield replace(state, taken=state.taken | {one: state.taken[other], other: state.taken[one]})


def writable(header: Header, state: Any) -> bool:
    try:
        Session(header.game, header.setup, position=position_of(header.game.name).written(state))
    except Mistakes:
        return False
    return True


def scripted(header: Header, one: Any, other: Any, rng: Random, steps: int) -> Script:
    """Random acts of the game and of the table that come to the same in both, for all that everybody knows."""
    both = pair(header.game.name, len(header.seats), dict(header.options), one, other)
    script: list[tuple[Event, Event]] = []
    while len(script) < steps:
        moves = both[0].legal()
        play = bool(moves) and rng.random() < 0.6
        event = rng.choice(moves).pick(rng.choice) if play else table_event(both[0], rng)
        events = event, face_down(both[1], event, rng)
        marks = [session.mark() for session in both]
        receipts = [session.receive(event) for session, event in zip(both, events, strict=True)]
        if receipts[0].ok == receipts[1].ok and not both[0].view()["over"] and both[0].view() == both[1].view():
            script.append(events)
        else:
            for session, mark in zip(both, marks, strict=True):
                session.back_to(mark)
    return script


def face_down(session: Session, event: Event, rng: Random) -> Event:
    """Another card of that seat, where nobody sees which."""
    if not isinstance(event, Choose):
        return event
    others = [choice for choice in choices(session.game, session.state) if choice.seat == event.seat]
    return rng.choice([other for other in others if other != event] or [event])


def looks(app: Any, header: Header, state: Any, events: Sequence[Event]) -> Iterator[tuple[str, bytes]]:
    """The pictures of every page after every act, and what they are of."""
    app.evening.begin(begun(header, state))
    app.evening.drain()
    app.rebuild()  # as a table at which nothing has been touched yet
    app.go("table")
    for at, event in enumerate(events):
        app.act(event_data(event))
        app.evening.drain()
        for number, page in enumerate(pages(app)):
            if (number + at + len(header.game.name)) % times(3, 1):
                continue
            pictures.settle(app, 3)
            yield f"{page} after {at + 1} acts ({type(event).__name__})", picture(app)


def pages(app: Any) -> Iterator[str]:
    """Every page that everybody may look at now."""
    for page in ("table", "log", "now", "why", "undo", "goes", "wrong"):
        app.go(page)
        yield page
    if app.match.session.acts:
        last = app.match.session.acts[-1]
        app.go("log", number=last.number, ruling=last.public[0])
        yield "deed"
        app.go("otherwise", number=last.number)
        yield "otherwise"
    app.go("decide", words="We play on.")
    app.page._open_editor()
    if app.page.name == "editor":
        yield from board(app)
        app.page.others()
        yield "editor: others"
        if app.page.among:
            app.page.close()
        app.page._take_main()
        yield "editor: what comes"
    yield from compared(app)
    app.go("table")


def board(app: Any) -> Iterator[str]:
    """The editor's board as it lies, with another seat's turn, and what a seat's plate could mean."""
    page, seat = app.page, app.match.header.seats[-1]
    yield "editor: as it lies"
    before = page.draft
    whose = [part for part in before.parts if part.path[0] in ("turn", "flipper", "winner")]
    page.draft = before.put(whose[0], seat)
    page.show()
    yield f"editor: {seat} instead"
    page.draft = before
    page._open_place([f"seat {seat}"])
    yield f"editor: {seat}'s plate"
    page.close()


def compared(app: Any) -> Iterator[str]:
    """The table beside the program's, and what explains a difference: a card open, a piece more, a card face down."""
    app.go("check")
    yield "check"
    found = app.page.checked
    for seat in app.match.header.seats:
        app.page.point([f"seat {seat}"])
        yield f"check: {seat}"
        app.page.close()
    spots = {spot.place.partition(" ")[0]: spot for spot in found.spots}
    for word, spot in spots.items():
        other = dict.fromkeys(spot.pieces[2:3] or spot.pieces[:1], 1)
        app.go("explain", checked=found.say(spot.place, other))
        while app.page.name == "explain" and not app.page.done:  # else it lies there already
            pictures.settle(app, 1)
        yield f"explain: {word}"


def picture(app: Any) -> bytes:
    from kivy.base import EventLoop

    EventLoop.idle()
    return bytes(app.root.export_as_image().texture.pixels)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
