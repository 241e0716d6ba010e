"""What each seat's lamp does, decided from what everybody may see and nothing else."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal

from companion.fists import fist
from companion.port import Listener, Shown
from companion.views import View

Mode = Literal["off", "on", "blink"]


def modes(
    view: View, seats: Sequence[str], closed: Collection[str], fists: Collection[str], called: bool
) -> dict[str, Mode]:
    """Blinking: something is still to come from the seat; on: its card is read, or its fist does as it should; or off.

    `view` is the public view, `closed` the fists that are held, `fists` those whose opening makes the reveal, `called`
    whether they are to open.
    """
    if view["over"]:
        return dict.fromkeys(seats, "off")
    late = [seat for seat in fists if fist(seat, closed, called) in ("hold", "open")]
    awaited, done = (late, fists) if fists else (view["waiting"], view.get("chosen") or ())
    return {seat: "blink" if seat in awaited else "on" if seat in done else "off" for seat in seats}


def lit(show: Callable[[Mapping[str, Mode]], object]) -> Listener:
    """Sets the lamps to what is shown, whenever something is."""

    def listen(shown: Shown) -> None:
        show(modes(shown.view, shown.header.seats, shown.closed, shown.fists, shown.called))

    return listen
