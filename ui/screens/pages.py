"""The pages by the name they are turned to."""

from ui.screens.page import Page, Sheet
from ui.screens.table import TablePage

PAGES: dict[str, type[Page]] = {"table": TablePage, "start": Sheet}
