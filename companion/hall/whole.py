"""The hall as people run it: what it says to everybody and to the organiser's page, and whose orders it takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.hall._desk_state import desk_state
from companion.hall._spares import gone, spares
from companion.hall.link import Broker
from companion.hall.organiser import Organiser
from companion.hall.service import HallService
from companion.hall.shown import published, stand
from companion.hall.store import HallStore
from companion.rules.data import Data


def hall_service(hall: str, broker: Broker, store: HallStore, board: Data | None = None) -> HallService:
    """A hall that is not yet open; `board` is where the board is (`companion.hall.page.code_of`)."""

    def said(of: HallStore) -> Mapping[str, Any]:
        now = stand(of)
        return {
            **published(now, board),
            "state": desk_state(now, of, service.ill()),
            "spares": spares(now, of),
            "gone": gone(now),
        }

    service = HallService(
        hall, broker, store, said, lambda of, terminal: Organiser(of, ill=service.ill, terminal=terminal)
    )
    return service
