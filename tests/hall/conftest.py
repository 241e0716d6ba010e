"""A browser and a broker for all tests of the hall's pages."""

from tests.support.boards import board, page, served
from tests.support.hall_board_chromium import browser

__all__ = ["board", "browser", "page", "served"]
