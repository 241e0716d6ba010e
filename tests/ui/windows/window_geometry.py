"""Goes through every page and prints what does not fit: `python -m tests.ui.windows.window_geometry WIDTH HEIGHT [LANG] [TEXT]`."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

from companion.games import guide_of
from tests.support.tables import EVERYTHING, times
from tools import pictures
from tools.scenes import every as scenes
from tools.scenes.games import scenes_of
from tools.scenes.heard import heard
from tools.scenes.in_hall import in_hall
from tools.scenes.rehearsal import voice
from ui import theme
from ui.theme import TextSize
from ui.widgets import japanese

Box = tuple[float, float, float, float]


def visible(widget: Any, covered: tuple[Any, ...] = ()) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Every widget that is seen, with those it lies in."""
    if widget.opacity == 0:
        return
    yield widget, covered
    for child in widget.children:
        yield from visible(child, (*covered, widget))


def ink(label: Any) -> Box:
    """Where a label's letters are."""
    wide, high = label.texture_size
    wide, high = min(wide, label.width), min(high, label.height)
    high = min(high, label.font_size) if label.one_line else high  # no letter needs the room between lines
    left = {"left": label.x, "right": label.right - wide}.get(label.halign, label.center_x - wide / 2)
    low = {"top": label.top - high, "bottom": label.y}.get(label.valign, label.center_y - high / 2)
    return left, low, left + wide, low + high


def overlap(one: Box, other: Box, slack: float = 1) -> bool:
    return (
        one[0] + slack < other[2]
        and other[0] + slack < one[2]
        and one[1] + slack < other[3]
        and other[1] + slack < one[3]
    )


def inside(box: Box, outer: Any, slack: float = 1.5) -> bool:
    fits = box[2] <= outer.width + slack and box[3] <= outer.height + slack
    return bool(fits and min(box[:2]) >= -slack)


def box(widget: Any) -> Box:
    return widget.x, widget.y, widget.right, widget.top


def clipped(label: Any) -> bool:
    wide, high = label.texture_size
    high = min(high, label.font_size) if label.one_line else high
    return bool(label.is_shortened or wide > label.width + 1.5 or high > label.height + 1.5)


LETTER = re.compile(rf"[^\W_{japanese.SCRIPT}]")
"""A letter or digit of a script whose words are not broken; Japanese may end a line almost anywhere."""


KATAKANA = re.compile(f"[{japanese.KATAKANA}]")


def mid_word(before: str, after: str) -> bool:
    """Return whether a word goes on from the end of one text to the start of the next."""
    return bool(before and after and LETTER.match(before[-1]) and LETTER.match(after[0]))


CAPTION = re.compile(f"[{japanese.SCRIPT}]{{2,5}}")
"""A Japanese text that is one word."""


def broken(label: Any) -> bool:
    """Return whether one of the label's lines ends in mid-word, without a hyphen; a Japanese line has no single letter
    left over."""
    lines = label.lines()
    if len(lines) > 1 and (CAPTION.fullmatch(label.shown) or re.fullmatch(f"[{japanese.SCRIPT}]", lines[-1])):
        return True
    left = label.shown.replace("·", " ").lstrip()
    for line in label.lines():
        for word in line.replace("·", " ").split():  # a space that keeps two words together is one, too
            left = left.removeprefix(word) if left.startswith(word) else left.removeprefix(word.rstrip("-"))
            if left and word == line.split()[-1] and mid_word(word, left):
                return True
            left = left.lstrip()
    return False


def shortened(label: Any) -> str:
    """Return the whole text of a label that shows only its beginning, else ""."""
    start = label.shown.removesuffix("…")
    whole = next((text for text in (label.text, *label.shorter) if text.startswith(start)), "")
    return "" if label.shown in (label.text, *label.shorter) else whole


def halved(labels: Sequence[Any]) -> Iterator[str]:
    """Yield the words that are broken or cut, and the names and captions that are cut at all; sentences may go on.

    Two captions that are alike only because both were shortened are one of them.
    """
    whole_of = dict[str, str]()
    for label in labels:
        if broken(label):
            yield f"broken in mid-word: {label.lines()}"
        short = label.shown != label.text and len(label.text) < SENTENCE
        if short and whole_of.setdefault(label.shown.strip(), label.text) != label.text:
            yield f"alike: {label.shown!r} for {label.text!r} and {whole_of[label.shown.strip()]!r}"
        if not (whole := shortened(label)):
            continue
        start = label.shown.removesuffix("…")
        rest = whole[len(start) :]
        if mid_word(start, rest) or (start and KATAKANA.match(start[-1]) and KATAKANA.match(rest)):
            yield f"cut in mid-word: {label.shown!r} of {whole!r}"
        elif len(label.text) < SENTENCE:
            yield f"cut short: {label.shown!r} of {label.text!r}"


def board_below_lesson(seen: list[tuple[Any, Any]]) -> set[Any]:
    """Return the squares and regions while a lesson lies on them: they are for looking at, and nothing more."""
    from ui.games.parts.field import PieceField
    from ui.table.line import LessonBar

    if not any(isinstance(widget, LessonBar) and widget.out.parent is None for widget, _ in seen):
        return set()
    return {widget for widget, above in seen if any(isinstance(one, PieceField) for one in above)}


def problems(root: Any, unit: float) -> Iterator[str]:
    from companion.rules import words as catalogues
    from ui.widgets.code import Code
    from ui.widgets.spine import SpineSlot
    from ui.widgets.tap import Touchable
    from ui.widgets.text import Text

    seen = list(visible(root))
    labels = [widget for widget, _ in seen if isinstance(widget, Text) and widget.text.strip()]
    controls = [(widget, above) for widget, above in seen if isinstance(widget, Touchable)]
    for label in labels:
        if label.font_size < theme.size(TextSize.LABEL) * unit - 0.1:
            yield f"too small to read: {label.text!r}, {label.font_size / unit:.1f}"
        if clipped(label) and not label.cuts:
            yield f"cut off: {label.text!r} {label.texture_size} in {label.size}"
        if not inside(ink(label), root):
            yield f"outside: {label.text!r}"
        if len({round(one.font_size, 1) for one in label._alike if one in labels}) > 1:
            yield f"not of one size: {label.text!r}"
        if label.disabled and tuple(label.disabled_color) == type(label).disabled_color.defaultvalue:
            yield f"white on white: {label.text!r}"
    if catalogues.catalogue("en") is not longer:  # words longer than any language's are broken where they must be
        yield from halved(labels)
        bare = [slot.text for slot, _ in controls if isinstance(slot, SpineSlot) and slot.text and not slot.words.text]
        yield from [f"a sign without its word: {text!r}" for text in bare]
    if any(isinstance(widget, Code) and widget.fits and not inside(box(widget), root) for widget, _ in seen):
        yield "outside: a QR code"
    yield from styled([control for control, _ in controls])
    covered = board_below_lesson(seen)
    for one, other in combinations(labels, 2):
        if overlap(ink(one), ink(other), 2) and not {one, other} & covered:
            yield f"overlap: {one.text!r} and {other.text!r}"
    for control, _ in controls:
        if min(control.size) < theme.TOUCH * unit - 0.6:
            yield f"too small: {words(control)} {[round(side / unit) for side in control.size]}"
        if not inside(box(control), root):
            yield f"outside: {words(control)}"
    for (one, above), (other, over) in combinations(controls, 2):
        if one not in over and other not in above and overlap(box(one), box(other)):
            yield f"overlap: {words(one)} and {words(other)}"


def styled(controls: Sequence[Any]) -> Iterator[str]:
    """One control at most is the one to touch next, and what is selected looks so in one way."""
    primary = [words(control) for control in controls if control.primary]
    if len(primary) > 1:
        yield f"{len(primary)} primary controls: {primary}"
    ground, edge, width = theme.selected()
    from kivy.metrics import dp

    for control in controls:
        if not (back := getattr(control, "back", None)) or not hasattr(back, "plate") or control.state == "down":
            continue  # Kivy keeps a button down for a moment after the finger has gone
        lit = back.plate.look == (ground, edge, round(dp(width)))
        if lit != control.chosen:
            yield f"{'looks' if lit else 'does not look'} selected: {words(control)}"


def words(control: Any) -> str:
    told = [widget.text for widget, _ in visible(control) if getattr(widget, "text", "")]
    return f"{type(control).__name__} {told}"


PLAIN = 0.45
"""The share of blocks of 16 x 16 pixels that may be of one colour only."""
REASONED = 0.5
"""The same where a reason or a result of four seats or more is told."""


def pictured(app: Any, measured: bool) -> Iterator[str]:
    """The log shows the board as it stood after the act that is chosen, and no page of it is mostly empty."""
    shown, entry = app.page.board.moment, app.page.chosen
    act = entry.act if entry and entry.act.number else None
    from ui.widgets.tap import Tap

    drawn = app.page.board._drawn._board if shown else None
    buttons = [words(one) for one, _ in visible(drawn) if isinstance(one, Tap)] if drawn else []
    yield from (f"a button in the picture: {button}" for button in buttons)
    if act and not app.upright and (shown is None or shown.view is not act.view):
        yield "the small board is of another moment"
    if measured and (share := plain(app.root)) > PLAIN:
        yield f"{share:.0%} of it is of one colour"


def plain(root: Any) -> float:
    """The share of blocks of 16 x 16 pixels that are of one colour only."""
    texture = root.export_as_image().texture
    (wide, high), pixels = texture.size, texture.pixels

    def same(at: int, first: int) -> bool:
        return bool(pixels[at : at + 64] == pixels[first : first + 4] * 16)

    blocks = [
        all(same(4 * ((y + line) * wide + x), 4 * (y * wide + x)) for line in range(16))
        for y in range(0, high - 15, 16)
        for x in range(0, wide - 15, 16)
    ]
    return sum(blocks) / len(blocks)


def number(app: Any) -> list[str]:
    """The number that matters has at least the size of a figure."""
    shown = getattr(app.page.board, "number", None)
    if not shown or not shown.parent or not shown.value.text:
        return []
    from kivy.metrics import dp

    size = app.page.board.number.value.font_size / dp(1)
    return [] if size >= theme.size(TextSize.FIGURE) - 1 else [f"the number is only {size:.0f} dp high"]


def asked(app: Any, unit: float) -> Iterator[str]:
    """What is asked of whom is in the band's large type, so that it is read from afar."""
    band = app.page.band
    if not band._band.fault and band.what.text and band.what.font_size < theme.size(TextSize.HEAD) * unit - 0.1:
        yield f"what is asked is small: {band.what.text!r}"


def rail_counters(app: Any) -> Iterator[str]:
    """A seat's counters are all seen, inside its tile, beside up to three cards."""
    for tile in app.page.rail.tiles:
        if tile.tile.counters is None or tile.tile.status or len(tile.tile.cards) > 3:
            continue
        for dot in tile.counters:
            if not dot.opacity or dot.x < tile.x or dot.right > tile.right or dot.y < tile.y or dot.top > tile.top:
                yield f"a counter of {tile.tile.name} has no room: {box(dot)} in {box(tile)}"


def routes(app: Any) -> Iterator[str]:
    """No route of Hannibal's map lies on a region, or at most on its edge; a battle at sea needs more room."""
    field = app.page.board.field
    for route, region in product(app.page.board.centre.routes, app.page.board.centre.regions):
        if not all(app.page.board.centre.routes[route].pieces.values()) and overlap(
            box(field.spots[route]), box(field.spots[region]), theme.GAP
        ):
            yield f"{route} lies on {region}"


def hand(app: Any, unit: float) -> Iterator[str]:
    """The cards of a hand in the line are 9 mm wide on a screen of 7 inches; upright, ten stand side by side."""
    bar = app.page.hand
    if not bar or not bar.parent or not bar.get_parent_window() or not bar.dealt_out:
        return
    for card in (one.face for one in bar.cards if one.parent):
        if card.width < 48 * unit - 0.6 or card.height < 52 * unit - 0.6:
            yield f"a card of the hand is only {card.width / unit:.0f} x {card.height / unit:.0f}"
    if bar.further.parent and (not app.upright or len(bar._hand.cards) <= 10):
        yield "a hand that does not fit"


def torn_away(app: Any) -> Iterator[str]:
    """Yield the controls that go when the page is painted and nothing is new: a finger may be on one of them."""
    from ui.widgets.tap import Touchable

    before = [widget for widget, _ in visible(app.root) if isinstance(widget, Touchable)]
    app.paint()
    pictures.settle(app, 2)
    kept = {widget for widget, _ in visible(app.root)}
    yield from (f"torn away: {words(control)}" for control in before if control not in kept)


SENTENCE = 30
"""A text of more letters is a sentence."""
SAME = ("start", "end", "approve", "log", "undo", "back", "look", "decide")
"""The pages that list what acts and seats came to, and games, which the same people may play."""


class Frame:
    """The slots of the table's screen: where they stand, for as long as one game is played."""

    def __init__(self) -> None:
        self._board: dict[str, Box] = {}
        self._spine: set[tuple[Box, ...]] = set()

    def problems(self, app: Any) -> Iterator[str]:
        """The board has half of the screen and never moves, and neither do the controls."""
        page, game = app.page, app.match.header.game.name
        board = page.middle.children[0].parent
        seen = board.width * board.height + (page.rail.box.width * page.rail.box.height if game == "mercator" else 0)
        share = seen / (app.root.width * app.root.height)
        if share < theme.either(0.5, 0.45):
            yield f"the board has only {share:.0%}"
        key = f"{game} {len(page.rail.tiles)}"
        left, low, right, high = (round(side) for side in box(board))
        where = left, low, right, high
        if self._board.setdefault(key, where) != where:
            yield f"the board has moved from {self._board[key]} to {where}"
        self._spine.add(tuple(box(slot) for slot in page.spine.slots))
        if len(self._spine) > 1:
            yield "the controls have moved"


def wording(app: Any, unit: float) -> Iterator[str]:
    """Letters have one of six sizes, but for the number of a table at rest; and no sentence stands there twice, but
    where two acts or two seats came to the same."""
    from ui.widgets.text import Text

    steps = [theme.size(step) for step in TextSize if app.page.name == "rest" or step is not TextSize.REST]
    same = app.page.name in SAME
    told = set[str]()
    for widget, _ in visible(app.root):
        if not isinstance(widget, Text) or not widget.text.strip():
            continue
        if round(widget.font_size / unit, 1) not in steps:
            yield f"no step of the scale: {widget.text!r}, {widget.font_size / unit:.1f}"
        if len(widget.text) > SENTENCE and widget.text in told and not same:
            yield f"said twice: {widget.text!r}"
        if not widget.is_shortened:  # then it is not all there
            told.add(widget.text)


def of_a_hall(lang: str) -> re.Pattern[str]:
    """What is said at a table that belongs to a hall, and at no other."""
    from babel.messages.extract import extract_from_file

    from companion.rules import words

    found = set[str]()
    for name in ("approve", "in_hall"):
        for _, text, _, _ in extract_from_file(
            "python", f"ui/pages/{name}.py", keywords={"N_": None, "plural": (1, 2)}
        ):
            found |= {text} if isinstance(text, str) else {*text}
    shared = {"OK", "away"}  # said of other things, too
    said = [re.escape(words.catalogue(lang)(text)).replace(r"\{round\}", r"\d+") for text in found - shared]
    said = [re.sub(r"\\\{\w+\\\}", ".+", text) for text in said]
    return re.compile("|".join(said))


def longer(text: str) -> str:
    """The text a quarter longer, word by word; facts stay as they are."""
    return re.sub(r"(?<!\{)\b[^\W\d_]+\b(?!\})", lambda word: word[0] + word[0][: round(len(word[0]) * 0.25)], text)


def stretch() -> None:
    """Makes a language of every text a quarter longer than English."""
    from companion.rules import words

    words.catalogue = lambda _: longer  # type: ignore[assignment]


def real(app: Any) -> None:
    """A table as it stands beside real readers and buttons: without the virtual one, which is no part of it."""
    from ui.pages import page

    dock, app.dock = app.dock, None
    app.pages["table"] = page("table")(app)
    app.dock = dock


PARTS = 3
"""Into so many parts a lesson may be divided."""


def lessons(app: Any) -> Iterator[str]:
    """Turn through every lesson of the game in the line below the board; a long one comes in two or three parts."""
    from ui.table.rest import told

    moment, bar = app.moment(), app.page.lesson
    for lesson in guide_of(moment.game.name).lessons:
        bar.show(told(moment, lesson))
        pictures.settle(app, 2)
        parts = [bar.text.shown]
        while bar.text.left_out and len(parts) < PARTS:
            yield from halved([bar.text])
            bar.out.act()
            pictures.settle(app, 2)
            parts.append(bar.text.shown)
        if bar.text.left_out or re.findall(r"\w", "".join(parts)) != re.findall(r"\w", told(moment, lesson).text):
            yield f"a lesson that is not told in full: {parts}"


def at_a_table(app: Any) -> Iterator[str]:
    """The scenes in which the table itself is seen, and what is read across it."""
    for game in app.evening.games:
        yield from scenes_of(game)(app, game)
    for game in app.evening.games[1 :: times(2, 1)]:
        yield from scenes.asked(app, game)
    yield from heard(app)
    yield from in_hall(app)


def main(wide: str, high: str, lang: str = "en", text: str = "normal") -> None:
    if lang == "long":
        stretch()
    app = pictures.stage((int(wide), int(high)), lang=lang, text=text)
    app.services.voice = voice()  # whose controls need room, too
    if text == "large":
        real(app)
    unit, ui_size = min(int(wide), int(high)) / theme.DESIGN, (int(wide), int(high))
    found, hall, frame = {}, of_a_hall(lang), Frame()
    half = slice(int(wide) < int(high), None, 2)  # upright the other half of the games
    for name in at_a_table(app) if text == "large" else scenes.scenes(app, pages=slice(None) if EVERYTHING else half):
        if text == "large" and app.page.name not in ("table", "voice", "approve"):
            continue
        pictures.settle(app, 4)
        wrong = [*problems(app.root, unit), *wording(app, unit)]
        wrong += [*number(app), *hand(app, unit), *rail_counters(app)] if app.page.name == "table" else []
        if app.page.name == "table" and (*ui_size, text) == (800, 480, "normal") and lang != "long":
            wrong += asked(app, unit)
        if name.endswith("-lesson"):
            wrong += lessons(app)
        if app.page.name == "log":
            wrong += pictured(app, text == "normal" and (int(wide), int(high)) == (800, 480))
        told = app.page.name in ("why", "end") and "-number-" not in name and len(app.match.header.seats) > 3
        if told and (*ui_size, text) == (800, 480, "normal") and (share := plain(app.root)) > REASONED:
            wrong.append(f"{share:.0%} of it is of one colour")
        if app.page.name == "table" and not app.shell.warning.parent:
            wrong += frame.problems(app)
            wrong += routes(app) if app.match.header.game.name == "hannibal" else []
        if app.evening.hall is None:
            said = [widget.text for widget, _ in visible(app.root) if isinstance(getattr(widget, "text", None), str)]
            wrong += [f"of a hall: {text!r}" for text in said if hall.fullmatch(text)]
        wrong += torn_away(app)
        if wrong:
            found[name] = wrong
    print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
