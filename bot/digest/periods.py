"""The days that a digest is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

_WEEK = re.compile(r"(\d{4})-W(\d{2})")
_MONTH = re.compile(r"(\d{4})-(\d{2})")


@dataclass(frozen=True, slots=True)
class Period:
    """Days that a digest is about, both ends included; ``name`` is its key: 2026-W48, 2026-11 or 2026-11-29."""

    name: str
    first: date
    last: date

    @property
    def before(self) -> date:
        """The day with which it is compared."""
        return self.first - timedelta(days=1)


def period_of(name: str) -> Period:
    """The period of a name: an ISO week, a month or a day. Raises ``ValueError`` for anything else.

    >>> period_of("2026-W53").last
    datetime.date(2027, 1, 3)
    """
    if match := _WEEK.fullmatch(name):
        first = date.fromisocalendar(int(match[1]), int(match[2]), 1)
        return Period(name, first, first + timedelta(days=6))
    if match := _MONTH.fullmatch(name):
        first = date(int(match[1]), int(match[2]), 1)
        return Period(name, first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1))
    day = date.fromisoformat(name)
    return Period(name, day, day)


def last_week(today: date) -> Period:
    """The ISO week that ended last."""
    year, week, _ = (today - timedelta(days=today.isoweekday())).isocalendar()
    return period_of(f"{year}-W{week:02}")


def since(day: date, today: date) -> Period:
    """The days after ``day``, up to today."""
    return Period(f"{day}/{today}", day + timedelta(days=1), today)
