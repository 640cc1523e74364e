"""What moved between two days: (knowledge, feeds at both ends, readings) → Digest. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from bot.catalog import no_collection
from bot.digest.looks import cover, looks, went_stale
from bot.digest.market import Rows, State, cheapest, disputes
from bot.digest.model import Digest, Move, Wish
from bot.digest.moves import moves
from bot.digest.periods import Period, last_week, period_of, since
from bot.digest.wire import digest_json, move_json
from bot.store.current import Span
from rules.model import Catalog

__all__ = [
    "Digest",
    "Move",
    "Period",
    "digest",
    "digest_json",
    "for_channel",
    "is_quiet",
    "last_week",
    "move_json",
    "moves",
    "period_of",
    "since",
]


@no_collection()
def digest(
    catalog: Catalog,
    period: Period,
    today: date,
    spans: Sequence[Span] = (),
    readings: Sequence[Mapping[str, Any]] = (),
) -> Digest:
    """The digest of a period. ``spans`` are the feeds at both ends of it, ``readings`` the team's own of the period."""
    until = min(period.last, today)
    rows = Rows(catalog, spans)
    ends = (State(catalog, period.before, rows, last=False), State(catalog, until, rows, last=True))
    looked = looks(catalog, until)
    return Digest(
        period=period,
        until=until,
        moves=tuple(moves(catalog, period.before, until, spans)),
        cheapest=tuple(cheapest(*ends)),
        opened=tuple(disputes(ends[1], ends[0])),
        settled=tuple(disputes(ends[0], ends[1], ends[1])),
        stale=tuple(went_stale(catalog, period.before, until, spans)),
        feeds=tuple(cover(spans, period)),
        looked=sum(look >= period.first for look in looked.values()),
        sources=len(looked),
        readings=tuple(readings),
        names={one.id: one.name for one in catalog.providers.values()},
    )


def for_channel(whole: Digest, wish: Wish) -> Digest:
    """What a channel asked to see of a digest: its GPUs, and moves of at least its threshold."""

    def wanted(gpu: str) -> bool:
        return gpu not in wish.exclude_gpus and (not wish.gpus or gpu in wish.gpus)

    mine = [move for move in whole.moves if wanted(move.thing.gpu)]
    share = wish.threshold
    shown = [m for m in mine if share is None or m.percent is None or abs(m.percent) >= share * 100]
    return replace(
        whole,
        moves=tuple(shown),
        cheapest=tuple(one for one in whole.cheapest if wanted(one.gpu)),
        opened=tuple(one for one in whole.opened if wanted(one.thing.gpu)),
        settled=tuple(one for one in whole.settled if wanted(one.thing.gpu)),
        hidden=len(mine) - len(shown),
    )


def is_quiet(shown: Digest) -> bool:
    """Nothing a channel asked for happened: its digest is skipped, which is said on request."""
    return not (shown.moves or shown.opened or shown.settled) and shown.has_data
