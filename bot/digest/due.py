"""When a channel's digest is due: by its own clock, and never for a time before it was asked for. Pure."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from bot.digest.periods import Period, last_week, period_of


class Timing(Protocol):
    """When a channel wants its digest, as ``store.digests.Subscription`` keeps it."""

    @property
    def period(self) -> str: ...
    @property
    def weekday(self) -> int | None: ...
    @property
    def hour(self) -> int: ...
    @property
    def minute(self) -> int: ...
    @property
    def zone(self) -> str: ...
    @property
    def since(self) -> datetime: ...


def cron_of(wish: Timing) -> str:
    """The schedule in the wish's zone. A monthly one looks every week: whichever look comes first in a month counts."""
    day = "*" if wish.weekday is None else str((wish.weekday + 1) % 7)  # cron counts from Sunday
    return f"{wish.minute} {wish.hour} * * {day}"


def due(wish: Timing, moment: datetime) -> Period | None:
    """The last period that has ended and whose time of posting has come at a moment; None when that time lies before
    the wish."""
    zone = ZoneInfo(wish.zone)
    day = moment.astimezone(zone).date()
    if wish.period == "daily":
        found = period_of((day - timedelta(days=1)).isoformat())
        posting = day
    elif wish.period == "monthly":
        found = period_of(f"{day.replace(day=1) - timedelta(days=1):%Y-%m}")
        posting = _next(day.replace(day=1), wish.weekday)
    else:
        found = last_week(day)
        posting = _next(found.last + timedelta(days=1), wish.weekday)
    at = datetime(posting.year, posting.month, posting.day, wish.hour, wish.minute, tzinfo=zone).astimezone(UTC)
    return found if wish.since < at <= moment + _SKEW else None


_SKEW = timedelta(hours=2)  # a clock that jumps over the hour posts at the next one there is


def _next(day: date, weekday: int | None) -> date:
    """The first such day of the week from a day on."""
    return day + timedelta(days=((weekday or 0) - day.weekday()) % 7)


def last_period(period: str, today: date) -> Period:
    """The period of a kind (weekly, monthly, daily) that ended last."""
    if period == "monthly":
        return period_of(f"{today.replace(day=1) - timedelta(days=1):%Y-%m}")
    return last_week(today) if period == "weekly" else period_of((today - timedelta(days=1)).isoformat())
