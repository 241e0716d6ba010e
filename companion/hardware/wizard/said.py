"""The set-up's texts: each question, its help, and the resulting table."""

from __future__ import annotations

from collections.abc import Sequence

from companion.hardware.doctor.hubs import PARTS
from companion.hardware.wizard._plan import Answers, drawn_lamps
from companion.hardware.wizard.walk import Walk, where
from companion.rules.message import Message
from companion.rules.readings import CENTRE

Line = tuple[str, Message]
"""A seat, or the centre, and what it plays with."""


def question(walk: Walk) -> Message:
    step = walk.step
    match step.kind:
        case "seats":
            return Message("Which colours play at this table?")
        case "button":
            return Message("{seat}: press your button, and let it go.", seat=step.seat)
        case "hold":
            return Message("All of you: press your buttons and hold them.")
        case "reader" if step.seat != CENTRE:
            return Message("{seat}: lay a card on your reader.", seat=step.seat)
        case "reader" if len(walk.found.sources) == 1:
            return Message("Lay a card on the reader: all of you share it.")
        case "reader":
            return Message("Is there a reader in the middle, for all of you? Lay a card on it.")
        case "lamps":
            return Message("Are the lamps wired as they are drawn?")
    return Message("This is your table.")


def help_with(walk: Walk) -> Message:
    """Return what to do where the step does not work, or where there is no such device."""
    step = walk.step
    match step.kind:
        case "seats":
            return Message("Choose every colour you have pawns and cards for: not all of them have to play every time.")
        case "button" if walk.found.pins:
            return Message(
                "No button? Skip it, and play on the screen. Nothing happens? A button joins its pin with ground;"
                " these pins are listened to: {pins}.",
                pins=tuple(map(str, walk.found.pins)),
            )
        case "button":
            return Message("No button? Skip it, and play on the screen.")
        case "hold":
            return Message(
                "Fists are held at the same time. A plain keyboard reliably reports only two keys at "
                "once, an encoder all of them."
            )
        case "reader":
            return Message("Any card with a sticker will do. No reader? Skip it, and play on the screen.")
        case "lamps":
            drawn = drawn_lamps(walk.found, walk.answers)
            lamps = tuple(Message("{seat} on GPIO {pin}", seat=seat, pin=pin) for seat, pin in drawn.items())
            return Message("As drawn: {lamps}. They are not switched on now; the doctor lets them blink.", lamps=lamps)
    return Message("You can change everything else by hand in the file: every line says what it is for.")


def table(walk: Walk) -> Sequence[Line]:
    """Return every seat with its devices, after the shared reader, if there is one."""
    answers = walk.answers
    common = answers.shared
    middle = [(CENTRE, Message("The reader for all of you: {where}", where=where(common)))] if common else []
    return [*middle, *((seat, _seat_sentence(walk, answers, seat)) for seat in answers.seats)]


def _seat_sentence(walk: Walk, answers: Answers, seat: str) -> Message:
    button, reader = answers.buttons.get(seat), answers.readers.get(seat)
    own = reader if answers.reader(seat) == seat else None
    lamp = drawn_lamps(walk.found, answers).get(seat) if answers.lamps else None
    at = button if button in walk.found.places else reader
    if at in walk.found.places and answers.reader(seat) != CENTRE:
        return Message("{parts}: {where}", parts=PARTS[walk.found.places[at]], where=where(at))
    parts = [
        *([Message("button: {where}", where=where(button))] if button else []),
        *([Message("reader: {where}", where=where(own))] if own else []),
        *([Message("reader: the shared one")] if answers.reader(seat) == CENTRE else []),
        *([Message("lamp: {where}", where=f"GPIO {lamp}")] if lamp else []),
    ]
    if not parts:
        return Message("plays by finger on the screen")
    whole, *rest = parts
    for part in rest:
        whole = Message("{a}, {b}", a=whole, b=part)
    return whole
