"""How the price of one GPU went: per provider its lowest usable price on each day on which something was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from bot.digest.market import Rows, State
from bot.feeds.moments import end_of
from bot.store.current import Track
from rules.load import index
from rules.model import Catalog
from rules.wire import number

MOST_DAYS = 60  # of a long history an even choice, the first and last day among them
MOST_SERIES = 6


@dataclass(frozen=True, slots=True)
class Series:
    """One provider's lowest price in USD per GPU-hour; None on days when it had no usable price."""

    provider: str
    points: tuple[Decimal | None, ...]


@dataclass(frozen=True, slots=True)
class History:
    gpu: str
    plan: str
    memory_gb: Decimal | None  # None: any
    days: tuple[date, ...]
    series: tuple[Series, ...]  # the lowest last price first
    more: int = 0  # providers beyond MOST_SERIES


def history(
    catalog: Catalog, gpu: str, today: date, tracks: Sequence[Track] = (), *, plan: str = "on_demand",
    memory_gb: Decimal | None = None,
) -> History:  # fmt: skip
    """The history of a GPU from the price lines of the folder and the feeds, as it was known on each day."""
    own = tuple(
        offer
        for offer in catalog.by_gpu.get(gpu, ())
        if offer.plan == plan and (memory_gb is None or offer.memory_gb == memory_gb)
    )
    small = index(replace(catalog, offers=own))
    days = _days(small, today, tracks)
    found: dict[str, dict[date, Decimal]] = {}
    for day in days:
        spans = [span for track in tracks if (span := track.at(end_of(day))) is not None]
        for price in State(small, day, Rows(small, spans, alone=False), last=True).prices():
            thing = price.thing
            if thing.plan != plan or thing.gpu != gpu or (memory_gb is not None and thing.memory_gb != memory_gb):
                continue
            low = found.setdefault(thing.provider, {})
            low[day] = min(price.usd, low.get(day, price.usd))
    series = [Series(name, tuple(low.get(day) for day in days)) for name, low in found.items()]
    series.sort(key=lambda one: (one.points[-1] is None, one.points[-1] or 0, one.provider))
    return History(gpu, plan, memory_gb, days, tuple(series[:MOST_SERIES]), max(0, len(series) - MOST_SERIES))


def _days(catalog: Catalog, today: date, tracks: Sequence[Track]) -> tuple[date, ...]:
    lines = [line for offer in catalog.offers for line in offer.prices]
    days = {day for line in lines for day in (line.seen, max(line.start, line.seen)) if day <= today}
    days |= {moment.date() for track in tracks for moment in track.moments if moment.date() <= today}
    every = sorted(days | {today})
    if len(every) <= MOST_DAYS:
        return tuple(every)
    step = (len(every) - 1) / (MOST_DAYS - 1)
    return tuple(every[round(n * step)] for n in range(MOST_DAYS))


def history_json(one: History, catalog: Catalog) -> dict[str, Any]:
    """The history as JSON, with the names of its providers that the knowledge has."""
    known = [catalog.providers[s.provider] for s in one.series if s.provider in catalog.providers]
    return {
        "gpu": one.gpu,
        "plan": one.plan,
        "memory_gb": None if one.memory_gb is None else number(one.memory_gb),
        "unit": "USD/gpu-hour",
        "days": [day.isoformat() for day in one.days],
        "series": [
            {"provider": s.provider, "points": [None if p is None else number(p) for p in s.points]} for s in one.series
        ],
        "more_providers": one.more,
        "names": {provider.id: {"en": provider.name.en, "zh": provider.name.zh} for provider in known},
    }
