"""What the table remembers, in one SQLite file. To read what was played, `companion.store.history` is enough."""

from companion.store.database import StoreInUse, StoreTooNew
from companion.store.writer import Store

__all__ = ["Store", "StoreInUse", "StoreTooNew"]
