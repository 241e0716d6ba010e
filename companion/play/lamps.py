"""The mode of each seat's lamp, decided from what everybody may see and nothing else."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal

from companion.play.fists import fist
from companion.play.port import Listener, Shown
from companion.rules.views import View

Mode = Literal["off", "on", "blink"]


def modes(
    view: View,
    seats: Sequence[str],
    closed: Collection[str],
    fists: Collection[str],
    called: bool,
    *,
    approving: Mapping[str, bool | None] | None = None,
) -> dict[str, Mode]:
    """Return each seat's mode: "blink" while something is awaited from it, "on" or "off".

    "on" means that its card is read, or that its fist does as it should. `view` is the public view, `closed` the fists
    that are held, `fists` those whose opening makes the reveal, `called` whether they are to open; `approving` is what
    each seat says of the result, where it is asked.
    """
    if view["over"]:
        said = approving or {}
        approved: Mode = "off" if all(said.values()) else "on"
        return {seat: approved if said.get(seat, True) else "blink" for seat in seats}
    late = [seat for seat in fists if fist(seat, closed, called) in ("hold", "open")]
    awaited, done = (late, fists) if fists else (view["waiting"], view.get("chosen") or ())
    return {seat: "blink" if seat in awaited else "on" if seat in done else "off" for seat in seats}


def lit(
    show: Callable[[Mapping[str, Mode]], object], approving: Callable[[], Mapping[str, bool | None]] = dict
) -> Listener:
    """Return a listener that sets the lamps to what is shown; `approving` as in `modes`."""

    def listen(shown: Shown) -> None:
        show(modes(shown.view, shown.header.seats, shown.closed, shown.fists, shown.called, approving=approving()))

    return listen
