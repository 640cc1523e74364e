"""The digest of one channel: its period, its GPUs, its threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from bot.digest.model import Digest
from bot.digest.periods import Period, last_week, period_of
from bot.feeds.moments import end_of, start_of
from bot.store import PUBLIC, Database, benches
from bot.store.current import spans
from bot.store.digests import Subscription
from rules.model import Catalog


def period_for(wish: Subscription, today: date) -> Period:
    """The period that a channel's next digest is about: the week, month or day that ended last."""
    if wish.period == "weekly":
        return last_week(today)
    if wish.period == "monthly":
        return period_of(f"{today.replace(day=1) - timedelta(days=1):%Y-%m}")
    return period_of((today - timedelta(days=1)).isoformat())


def digest_for(database: Database, catalog: Catalog, wish: Subscription, period: Period, today: date) -> Digest:
    """What a channel asked to see of a period, with the prices and readings of its own workspace.

    Whether it may post it, ``store.digests.claim_digest`` says, once for a channel and ``period.name``.
    """
    from bot.digest import digest, for_channel

    until = min(period.last, today)
    found = spans(database, end_of(period.before), end_of(until), (PUBLIC, wish.team_id))
    return for_channel(digest(catalog, period, today, found, readings_of(database, wish.team_id, period)), wish)


def readings_of(database: Database, team_id: str, period: Period) -> Sequence[Mapping[str, Any]]:
    """A workspace's benchmark readings of a period, oldest first."""
    found = benches.readings(database, team_id, since=start_of(period.first), until=end_of(period.last))
    return [
        {
            "host": one.host,
            "gpu": one.gpu,
            "dtype": one.dtype,
            "tflops": None if one.tflops is None else float(one.tflops),
            "verdict": one.verdict,
            "date": one.at.date().isoformat(),
        }
        for one in sorted(found, key=lambda one: (one.at, one.id))
    ]
