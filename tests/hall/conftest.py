"""A browser and a broker for all tests of the hall's pages."""

from tests.support.boards import board, browser, page, served

__all__ = ["board", "browser", "page", "served"]
