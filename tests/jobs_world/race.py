"""One of several processes that race for the same events; prints those it won."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from bot import store
from bot.store.inbox import Item, take_in

database = store.open_database(sys.argv[1])
now = datetime.now(UTC)
for number in range(60):
    item = Item("T", f"C/{number}", "question", {}, now)
    if take_in(database, item, [f"Ev{number}", item.key], "process", now):
        print(f"Ev{number}")
