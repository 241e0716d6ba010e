"""The plan of a hall: its tables, and the addresses of its broker, board and organiser's page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PORT, WEB, DESK = 1883, 9001, 9002


@dataclass(frozen=True, slots=True)
class Plan:
    """A hall to be set up: `host` is what tables call its computer."""

    folder: Path
    hall: str
    tables: tuple[str, ...]
    host: str
    port: int = PORT
    web: int = WEB
    tls: bool = False
    desk: int = DESK

    @property
    def address(self) -> str:
        """Return the address at which browsers find the board."""
        return f"http://{self.host}:{self.web}/"

    @property
    def desk_address(self) -> str:
        """Return the address of the organiser's page; hall and key are added behind it."""
        return f"https://{self.host}:{self.desk}/" if self.tls else f"http://localhost:{self.desk}/"

    @property
    def board(self) -> Path:
        """Return the folder with the page that browsers get."""
        return self.folder / "board"
