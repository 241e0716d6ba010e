"""The transcript: a game on one page, as JSON Lines. Reads headers, events and hardware lines, and writes them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from typing import Any

from companion import games
from companion.games import position_of
from companion.record.boards import shipped
from companion.rules import (
    TABLE_EVENTS,
    Amend,
    AnyGame,
    Event,
    Option,
    Options,
    Redo,
    Seat,
    Setup,
    Undo,
    Value,
    as_json,
)
from companion.rules.cards import DECK, Card
from companion.rules.data import Data
from companion.rules.mistakes import Mistake, Mistakes, nearest, quoted, shown
from companion.rules.outline import key_of, shape_of, verb
from companion.rules.readings import CENTRE, Press, Reading
from companion.session.deciding import said
from companion.system import limits
from companion.system.limits import few

VERSION = 1
HEADER_KEYS = ("tabularium", "game", "seats", "options", "players", "board", "tags", "reveal", "at", "position", "ears",
               "evening", "ids")  # fmt: skip
REVEALS = ("fists", "auto")
EVENING = 40
"""Characters of the hall's mark of an evening."""
BY = ("nfc", "button", "touch", "phone", "hub", "script")
PLAYS = "6d0c7a52-2f0e-4d51-9a53-6f2f5d9f7c11"
"""The namespace of plays' ids."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a game is played with. `board` is the board as data, None for a game that has none."""

    game: AnyGame
    setup: Setup
    players: Mapping[Seat, str]
    board: Data | None
    tags: Mapping[str, Card]
    reveal: str
    at: str | None
    position: Data | None = None
    """Where the game begins, None for its opening (T-10). It holds what is hidden, and is never shown."""
    ears: tuple[Seat, ...] = ()
    """Seats whose one button does everything, answered in an earphone of their own."""
    evening: str | None = None
    """The hall's own mark of the evening, None for a table alone. Nothing in a game depends on it, nor on `ids`."""
    ids: Mapping[Seat, int] = field(default_factory=dict)
    """The hall's numbers of its players, where it has seated them."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.setup.seats

    @property
    def options(self) -> Options:
        return self.setup.options


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """An event with how (`by`) and when (`at`) it came."""

    event: Event
    by: str | None = None
    at: str | None = None


Line = Header | TranscriptEntry | Reading | Press


# -- writing ----------------------------------------------------------------------------------------------------


def header_data(header: Header) -> dict[str, Any]:
    """Return the header as a transcript writes it; a game that begins at its opening has no position."""
    position = {} if header.position is None else {"position": dict(header.position)}
    ears = {"ears": list(header.ears)} if header.ears else {}
    hall = {"evening": header.evening, "ids": dict(header.ids)}
    return {
        "tabularium": VERSION,
        "game": header.game.name,
        "seats": list(header.seats),
        "options": dict(header.options),
        "players": dict(header.players),
        "board": header.board,
        "tags": {tag: str(card) for tag, card in header.tags.items()},
        "reveal": header.reveal,
        "at": header.at,
        **position,
        **ears,
        **{key: value for key, value in hall.items() if value},
    }


def play_id(header: Data) -> str:
    """Return the id of the play that a header begins, the same for all who know the header, wherever they are.

    It is made of what never changes and is told to a hall too: the game, the seats, the hall's numbers of its players,
    and when the play began, which the table writes down to the microsecond.
    """
    from uuid import UUID, uuid5  # which asks the platform, before the first frame

    seats, ids = header["seats"], header.get("ids") or {}
    its = [header["game"], list(seats), [ids.get(seat) for seat in seats], header.get("at")]
    return str(uuid5(UUID(PLAYS), dump(its)))


def began(at: object) -> datetime | None:
    """Return the moment that a header's `at` names, None where it names none that every calendar here can show.

    Its author is not trusted: a stranger's table sends its header to a hall.
    """
    try:
        found = datetime.fromisoformat(str(at))
        found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return found


def event_data(event: Event, by: str | None = None, at: str | None = None) -> dict[str, Any]:
    """Return the event as a transcript writes it; what is None is left out."""
    data = {"event": verb(type(event))}
    data |= {key: _written(getattr(event, field.name)) for field, key in _keys(event)}
    return {key: value for key, value in (data | {"at": at, "by": by}).items() if value is not None}


def _keys(event: Event) -> Iterator[tuple[Field[Any], str]]:
    return ((field, key_of(field.name)) for field in fields(event))


def _written(value: Any) -> Any:
    """Return a field of an event as JSON; an amendment holds another event."""
    return event_data(value) if is_dataclass(value) and not isinstance(value, type | Card) else as_json(value)


def dump(data: object) -> str:
    """Return one line of a transcript."""
    return json.dumps(data, ensure_ascii=False)


def dump_header(header: Header) -> str:
    return dump(header_data(header))


def dump_event(event: Event, by: str | None = None, at: str | None = None) -> str:
    return dump(event_data(event, by, at))


# -- reading one line -------------------------------------------------------------------------------------------


def parse(line: str | bytes) -> dict[str, Any]:
    """Return the JSON object of a line. Raises Mistakes, also where it is larger than people need."""
    if len(line) > limits.LINE:
        raise _wrong(f"a line has at most {limits.LINE:,} characters, not {len(line):,}")
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        data = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise _wrong(f"this is not UTF-8 text (byte {error.start + 1})") from None
    except json.JSONDecodeError as error:
        raise _wrong(f"broken JSON: {error.msg} (column {error.colno})") from None
    except Mistakes:
        raise
    except ValueError:  # thousands of digits, which Python refuses to read
        raise _wrong(f"a number has at most {limits.DIGITS} digits") from None
    except RecursionError:
        raise _wrong(f"nested more than {limits.DEPTH} levels deep") from None
    if not isinstance(data, dict):
        raise _wrong(f'a line is a JSON object like {{"event": "reveal"}}, not {quoted(text.strip())[1:-1]}')
    limits.check(data)
    return data


def _once_each(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counted = Counter(key for key, _ in pairs)
        twice = sorted(key for key, count in counted.items() if count > 1)
        more = f" and {len(twice) - 3} more" if len(twice) > 3 else ""
        raise _wrong(
            f"{', '.join(map(quoted, twice[:3]))}{more} {'stands' if len(twice) == 1 else 'stand'} twice in one object"
        )
    return found


def _no_number(name: str) -> Any:
    raise _wrong(f"broken JSON: {name} is not a number of JSON")


def _wrong(what: str, *path: str | int) -> Mistakes:
    return Mistakes([Mistake(path, what)])


def read_line(data: Data, header: Header | None) -> Line:
    """Return a header, an event, a reading or a press. Raises Mistakes with all that is wrong with the line."""
    if "tabularium" in data:
        return read_header(data)
    if header is None:
        raise _wrong('a transcript begins with its header: {"tabularium": 1, "game": …, "seats": […]}')
    if "event" in data:
        return read_event(header, data)
    if "reader" in data:
        return Reading(*_read_hardware(header, data, READING))
    if "button" in data:
        return Press(*_read_hardware(header, data, PRESS))
    raise _wrong("a line has one of the keys 'event', 'reader', 'button' or 'tabularium'" + _near_key(data))


def _near_key(data: Data) -> str:
    hints = (nearest(key, ("event", "reader", "button", "tabularium")) for key in data)
    return next(filter(None, hints), "")


# -- headers ----------------------------------------------------------------------------------------------------


def read_header(data: Data) -> Header:
    """Return a transcript's header. Raises Mistakes with all that is wrong with it."""
    found: list[Mistake] = []
    found += few(
        Mistake((key,), f"unknown key {quoted(key)}{nearest(key, HEADER_KEYS)}")
        for key in data
        if key not in HEADER_KEYS
    )
    found += (Mistake((key,), f"the header needs {quoted(key)}") for key in HEADER_KEYS[:3] if data.get(key) is None)
    found += _version_mistakes(data.get("tabularium"))
    name = data.get("game")
    if name is not None and name not in games.NAMES:
        known = ", ".join(games.NAMES)
        found.append(Mistake(("game",), f"{quoted(name)} is not a game; there are {known}{nearest(name, games.NAMES)}"))
        name = None
    if name is None:
        raise Mistakes(found)
    game = games.game(name)
    found += few(_seat_mistakes(game, data.get("seats")))
    found += few(_option_mistakes(game, _mapping(data, "options", found)))
    players = _mapping(data, "players", found)
    found += few(_player_mistakes(players, data.get("seats")))
    tags = _mapping(data, "tags", found)
    found += few(_tag_mistakes(tags))
    found += _choice_mistakes("reveal", data.get("reveal"), REVEALS)
    found += _text_mistakes("at", data.get("at"))
    found += few(_ear_mistakes(data.get("ears"), data.get("seats")))
    found += _evening_mistakes(data.get("evening"))
    ids = _mapping(data, "ids", found)
    found += few(_id_mistakes(ids, data.get("seats")))
    board, raw = _read_board(game, data.get("board"), found)
    if found:
        raise Mistakes(found)
    options = {option.name: data_option(data, option) for option in game.options}
    setup = Setup(tuple(data["seats"]), options, board)
    position = _read_position(game, setup, data.get("position"))
    cards = {tag: DECK[card] for tag, card in tags.items()}
    ears = tuple(seat for seat in setup.seats if seat in (data.get("ears") or ()))
    reveal = data.get("reveal") or REVEALS[0]
    return Header(game, setup, players, raw, cards, reveal, data.get("at"), position, ears, data.get("evening"), ids)


def _evening_mistakes(evening: Any) -> Iterator[Mistake]:
    if evening is not None and not (isinstance(evening, str) and 1 <= len(evening) <= EVENING and is_text(evening)):
        yield Mistake(("evening",), f"'evening' is a text of 1 to {EVENING} characters, not {quoted(evening)}")


def _id_mistakes(ids: Data, seats: Any) -> Iterator[Mistake]:
    for seat, number in ids.items():
        if isinstance(seats, list) and seat not in seats:
            yield Mistake(("ids", seat), f"ids: {quoted(seat)} has no seat in this game")
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            yield Mistake(("ids", seat), f"ids: {seat} has a whole number from 0, not {quoted(number)}")


def _ear_mistakes(ears: Any, seats: Any) -> Iterator[Mistake]:
    if ears is None:
        return
    if not isinstance(ears, list) or not all(isinstance(seat, str) for seat in ears):
        yield Mistake(("ears",), f"'ears' is a list of seats, not {quoted(ears)}")
        return
    for at, seat in enumerate(ears):
        if isinstance(seats, list) and seat not in seats:
            yield Mistake(("ears", at), f"ears: {quoted(seat)} has no seat in this game")
        elif seat in ears[:at]:
            yield Mistake(("ears", at), f"ears: {quoted(seat)} is there twice")


def _read_position(game: AnyGame, setup: Setup, raw: Any) -> Data | None:
    """Return where the game begins, None for its opening. Raises Mistakes with all that is wrong with it."""
    if raw is None:
        return None
    if not isinstance(raw, dict):
        raise _wrong(f"'position' is an object, not {shown(raw)}", "position")
    try:
        position_of(game.name).read(setup, raw)
    except Mistakes as mistakes:
        raise Mistakes([Mistake(("position", *m.path), f"position: {said(m)}") for m in mistakes.found]) from None
    return raw


def data_option(data: Data, option: Option) -> Value:
    value: Value = (data.get("options") or {}).get(option.name, option.default)
    return value


def _version_mistakes(version: Any) -> Iterator[Mistake]:
    if version is not None and (isinstance(version, bool) or version != VERSION or not isinstance(version, int)):
        yield Mistake(("tabularium",), f"this program reads version {VERSION} of the format, not {quoted(version)}")


def _mapping(data: Data, key: str, found: list[Mistake]) -> Data:
    value = data.get(key)
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    found.append(Mistake((key,), f"{quoted(key)} is an object, not {quoted(value)}"))
    return {}


def _seat_mistakes(game: AnyGame, seats: Any) -> Iterator[Mistake]:
    if seats is None:
        return
    if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
        yield Mistake(("seats",), f"'seats' is a list of colours, not {quoted(seats)}")
        return
    for at, seat in enumerate(seats):
        if seat not in game.colours:
            known = ", ".join(game.colours)
            yield Mistake(
                ("seats", at), f"{quoted(seat)} is no seat of {game.title}: {known}{nearest(seat, game.colours)}"
            )
        elif seat in seats[:at]:
            yield Mistake(("seats", at), f"seat {quoted(seat)} is named twice")
    if game.fixed and tuple(seats) != game.fixed:
        yield Mistake(("seats",), f"the seats of {game.title} are exactly {list(game.fixed)}")
    elif len(seats) not in game.seats:
        yield Mistake(("seats",), wrong_number(game, len(seats)))


def wrong_number(game: AnyGame, seats: int) -> str:
    """Return why that many cannot play."""
    few, many = game.seats[0], game.seats[-1]
    return f"{game.title} is for {few}{f' to {many}' if many > few else ''} players, not {seats}"


def _option_mistakes(game: AnyGame, options: Data) -> Iterator[Mistake]:
    known = {option.name: option for option in game.options}
    for name, value in options.items():
        path = ("options", name)
        if name not in known:
            hint = nearest(name, known) or f"; it has {', '.join(known) or 'none'}"
            yield Mistake(path, f"{quoted(name)} is no option of {game.title}{hint}")
            continue
        option = known[name]
        if not any(type(value) is type(one) and value == one for one in option.values):
            allowed = " or ".join(json.dumps(one) for one in option.values)
            words = [one for one in option.values if isinstance(one, str)]
            hint = nearest(value, words) if isinstance(value, str) else ""
            yield Mistake(path, f"option {quoted(name)} is {allowed}, not {shown(value)}{hint}")
        elif option.needs and value != option.default:
            other, needed = option.needs
            if options.get(other, known[other].default) != needed:
                yield Mistake(path, f"option {quoted(name)} needs {quoted(other)} to be {json.dumps(needed)}")


def _player_mistakes(players: Data, seats: Any) -> Iterator[Mistake]:
    for seat, player in players.items():
        if isinstance(seats, list) and seat not in seats:
            yield Mistake(
                ("players", seat), f"player {quoted(player)} sits at {quoted(seat)}, which is not a seat of this game"
            )
        if not isinstance(player, str) or not is_text(player):
            yield Mistake(("players", seat), f"a player's name is a text, not {quoted(player)}")
        elif len(player) > limits.NAME:
            yield Mistake(("players", seat), f"a player's name has at most {limits.NAME} characters, not {len(player)}")


def _tag_mistakes(tags: Data) -> Iterator[Mistake]:
    for tag, card in tags.items():
        if len(tag) > limits.NAME:
            yield Mistake(("tags", tag), f"a tag's id has at most {limits.NAME} characters, not {len(tag)}")
        if not isinstance(card, str) or card not in DECK:
            yield Mistake(("tags", tag), f"tag {quoted(tag)}: {quoted(card)} is not a card{nearest(card, DECK)}")


def _choice_mistakes(key: str, value: Any, allowed: Sequence[str]) -> Iterator[Mistake]:
    if value is not None and value not in allowed:
        yield Mistake(
            (key,), f"{quoted(key)} is {' or '.join(map(repr, allowed))}, not {quoted(value)}{nearest(value, allowed)}"
        )


def _text_mistakes(key: str, value: Any) -> Iterator[Mistake]:
    if value is not None and (not isinstance(value, str) or not is_text(value)):
        yield Mistake((key,), f"{quoted(key)} is a text, not {quoted(value)}")


def is_text(value: str) -> bool:
    """Return whether a text has no halves of surrogate pairs, which JSON can spell and nothing can write."""
    return not any("\ud800" <= c <= "\udfff" for c in value)


def _read_board(game: AnyGame, raw: Any, found: list[Mistake]) -> tuple[Any, Data | None]:
    if game.board is None:
        if raw is not None:
            found.append(Mistake(("board",), f"{game.title} has no board data"))
        return None, None
    raw = shipped(game.name) if raw is None else raw
    try:
        return game.board(raw), raw
    except Mistakes as mistakes:
        found += (Mistake(("board", *mistake.path), f"board: {mistake.what}") for mistake in mistakes.found)
        return None, None


# -- events and hardware lines ----------------------------------------------------------------------------------


def read_event(header: Header, data: Data) -> TranscriptEntry:
    """Return an event of the header's game. Raises Mistakes with all that is wrong with it."""
    name = data.get("event")
    verbs = {verb(kind): kind for kind in (*header.game.events, *TABLE_EVENTS)}
    if not isinstance(name, str) or name not in verbs:
        raise _wrong(f"{quoted(name)} is no event of {header.game.title}{nearest(name, verbs)}", "event")
    found: list[Mistake] = [
        *_choice_mistakes("by", data.get("by"), BY),
        *_text_mistakes("at", data.get("at")),
    ]
    shape = shape_of(verbs[name])
    found += few(_key_mistakes(data, name, [key for key, _, _ in shape], [key for key, _, needed in shape if needed]))
    values = _read_values(header, data, shape, found)
    if found:
        raise Mistakes(found)
    return TranscriptEntry(verbs[name](*values), data.get("by"), data.get("at"))


READING = {"reader": "reader", "tag": "text", "present": "bool", "t": "whole"}
PRESS = {"button": "seat", "down": "bool", "t": "whole"}


def _read_hardware(header: Header, data: Data, kinds: Mapping[str, str]) -> list[Any]:
    found = few(_key_mistakes(data, next(iter(kinds)), kinds, kinds, extra=()))
    values = _read_values(header, data, [(key, kind, True) for key, kind in kinds.items()], found)
    if found:
        raise Mistakes(found)
    return values


def _key_mistakes(data: Data, name: str, known: Sequence[str] | Mapping[str, str],
                  needed: Sequence[str] | Mapping[str, str], extra: Sequence[str] = ("event", "at", "by"),
                  ) -> Iterator[Mistake]:  # fmt: skip
    allowed = (*known, *extra)
    yield from (
        Mistake((key,), f"{name}: unknown key {quoted(key)}{nearest(key, allowed)}")
        for key in data
        if key not in allowed
    )
    yield from (Mistake((key,), f"{name} needs the key {quoted(key)}") for key in needed if key not in data)


def _read_values(header: Header, data: Data, plan: Sequence[tuple[str, str, bool]],
                 found: list[Mistake]) -> list[Any]:  # fmt: skip
    values: list[Any] = []
    for key, kind, needed in plan:
        value = data.get(key)
        if value is None and (key not in data or not needed):
            values.append(None)
            continue
        try:
            values.append(KINDS[kind](value, header))
        except ValueError as error:
            found.append(Mistake((key,), f"{key}: {error}"))
    return values


def _seat(value: Any, header: Header) -> str:
    if isinstance(value, str) and value in header.seats:
        return value
    raise ValueError(
        f"{quoted(value)} is not a seat of this game ({', '.join(header.seats)}){nearest(value, header.seats)}"
    )


def _seats(value: Any, header: Header) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError(f"a list of seats is expected, not {quoted(value)}")
    return tuple(_seat(seat, header) for seat in value)


def _reader(value: Any, header: Header) -> str:
    if value == CENTRE:
        return CENTRE
    return _seat(value, header)


def _card(value: Any, _: Header) -> Card:
    if isinstance(value, str) and value in DECK:
        return DECK[value]
    raise ValueError(f"{quoted(value)} is not a card like 'red 7' or 'red flag'{nearest(value, DECK)}")


def _bool(value: Any, _: Header) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(f"true or false is expected, not {quoted(value)}")


def _whole(value: Any, _: Header) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise ValueError(f"a whole number from 0 is expected, not {quoted(value)}")


def _text(value: Any, _: Header) -> str:
    text = _string(value)
    if len(text) > limits.NAME:
        raise ValueError(f"a text has at most {limits.NAME} characters here, not {len(text)}")
    return text


def _string(value: Any) -> str:
    if isinstance(value, str) and is_text(value):
        return value
    raise ValueError(f"a text is expected, not {quoted(value)}")


def _opened(value: Any, header: Header) -> Mapping[str, int]:
    if not isinstance(value, dict):
        raise ValueError(f"an object of seats and milliseconds is expected, not {quoted(value)}")
    return {_seat(seat, header): _whole(ms, header) for seat, ms in value.items()}


WORDS = 200
"""A decision has at most so many characters."""


def _words(value: Any, _: Header) -> str:
    text = _string(value)
    if not 1 <= len(text) <= WORDS:
        raise ValueError(f"1 to {WORDS} characters are expected, not {len(text)}")
    return text


def _change(value: Any, _: Header) -> Data:
    if isinstance(value, dict):
        return value
    raise ValueError(f"an object is expected, a change of the position, not {shown(value)}")


def _event(value: Any, header: Header) -> Event:
    """Return what an act was: an event of the game, or a decision. Raises ValueError for anything else."""
    if not isinstance(value, dict):
        raise ValueError(f'an event like {{"event": "reveal"}} is expected, not {shown(value)}')
    if value.get("event") in [verb(kind) for kind in (Undo, Redo, Amend)]:
        raise ValueError(f"an act is an event of {header.game.title} or 'decide', not {quoted(value['event'])}")
    try:
        return read_event(header, value).event
    except Mistakes as mistakes:
        raise ValueError("; ".join(mistake.what for mistake in mistakes.found)) from None


def _word(kind: str) -> Callable[[Any, Header], str]:
    def read(value: Any, header: Header) -> str:
        known = header.game.vocabulary(header.setup)[kind]
        if isinstance(value, str) and value in known:
            return value
        raise ValueError(f"{quoted(value)} is not a {kind} of this game{nearest(value, known)}")

    return read


KINDS: Mapping[str, Callable[[Any, Header], Any]] = {
    "seat": _seat,
    "seats": _seats,
    "reader": _reader,
    "card": _card,
    "bool": _bool,
    "chips": _whole,
    "number": _whole,
    "whole": _whole,
    "text": _text,
    "opened": _opened,
    "words": _words,
    "change": _change,
    "event": _event,
    "place": _word("place"),
    "piece": _word("piece"),
}
