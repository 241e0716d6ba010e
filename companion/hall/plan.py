"""What a hall is set up as: its tables, and where its broker, board and organiser's page are found."""

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
        """Where browsers find the board."""
        return f"http://{self.host}:{self.web}/"

    @property
    def desk_address(self) -> str:
        """Where the organiser's browser finds its page; hall and key are added behind it."""
        return f"https://{self.host}:{self.desk}/" if self.tls else f"http://localhost:{self.desk}/"

    @property
    def board(self) -> Path:
        """The folder with the page that browsers get."""
        return self.folder / "board"
