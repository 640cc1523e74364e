"""Reads half a snapshot and then waits to be killed."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal

from bot import store
from bot.store.prices import Observation, import_snapshot


def rows() -> Iterator[Observation]:
    for number in range(4000):
        yield Observation(f"x{number}", "p", "A100", {}, Decimal(2), "USD", "gpu-hour")
    print("halfway", flush=True)
    time.sleep(60)


now = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
import_snapshot(store.open_database(sys.argv[1]), "list", rows(), seen=now, now=now)
