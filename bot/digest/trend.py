"""How the lowest prices of a few GPUs went over the last weeks, on days that all of them share. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from bot.digest.history import MOST_SERIES, History

WEEKS = 8


@dataclass(frozen=True, slots=True)
class Trend:
    """The lowest price in USD per GPU-hour of each GPU; every series has one price a day."""

    days: tuple[date, ...]
    series: tuple[tuple[str, tuple[Decimal, ...]], ...]


def trend(histories: Sequence[History], until: date) -> Trend | None:
    """The last weeks up to a day, a point a week; None with fewer than two points that are known.

    A GPU whose price is not known at both ends of the last week is left out: nothing is filled in.
    """
    days = [until - timedelta(weeks=n) for n in reversed(range(WEEKS))]
    lines = [(one.gpu, [_at(one, day) for day in days]) for one in histories]
    whole = [(gpu, points) for gpu, points in lines if None not in points[-2:]][:MOST_SERIES]
    start = max((_known_from(points) for _, points in whole), default=len(days))
    if len(days) - start < 2:
        return None
    series = tuple((gpu, tuple(p for p in points[start:] if p is not None)) for gpu, points in whole)
    return Trend(tuple(days[start:]), series)


def _at(one: History, day: date) -> Decimal | None:
    """The lowest price as it was last known on a day."""
    last = max((n for n, known in enumerate(one.days) if known <= day), default=None)
    if last is None:
        return None
    return min((price for series in one.series if (price := series.points[last]) is not None), default=None)


def _known_from(points: Sequence[Decimal | None]) -> int:
    """Where the unbroken run of known points up to the last one begins."""
    return max((n + 1 for n, point in enumerate(points) if point is None), default=0)
