"""The database: SQLite by default, PostgreSQL by URL. The only room that names SQLAlchemy and Alembic.

``open_database`` gives a ``Database``; every function takes it first. One module for each subject:

- ``conversations``  threads, pace, first posts
- ``inbox``          seen events, and questions that nobody has answered yet
- ``answers``        answers byte for byte, feedback
- ``prices``         snapshots and observations of price sources
- ``current``        what those sources say of some GPUs at a moment, read quickly
- ``benches``        GPU hosts and benchmark readings
- ``digests``        subscriptions, digests that went out, watches
- ``jobrows``        what durable jobs need besides their library
- ``upkeep``         backup, restore, forgetting

Times are aware datetimes and come from the caller. A workspace's rows carry its ``team_id``; public price lists
belong to ``PUBLIC``, what the terminal does for itself to ``LOCAL``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.store.database import (
        Database,
        StoreAwayError,
        StoreError,
        current_revision,
        migrate_database,
        open_database,
    )
    from bot.store.tables import LOCAL, PUBLIC

__all__ = [
    "LOCAL",
    "PUBLIC",
    "Database",
    "StoreAwayError",
    "StoreError",
    "current_revision",
    "migrate_database",
    "open_database",
]


def __getattr__(name: str) -> Any:
    """Load SQLAlchemy when it is used: a module here that needs no database starts without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{'tables' if name.isupper() else 'database'}"), name)
