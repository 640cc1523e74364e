"""One of several processes that race for the same events; prints those it won."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from bot import store
from bot.store.conversations import first_sight

database = store.open_database(sys.argv[1])
now = datetime.now(UTC)
print(*(name for number in range(60) if first_sight(database, "T", [name := f"Ev{number}", f"C/{number}"], now)))
