"""What the table remembers, in one SQLite file. To read what was played, `companion.record.store.history` is enough."""

from companion.record.store.database import StoreInUse, StoreTooNew
from companion.record.store.store import Store

__all__ = ["Store", "StoreInUse", "StoreTooNew"]
