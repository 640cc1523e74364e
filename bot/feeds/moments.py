"""Days and moments as sources write them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def moment_of(text: str) -> datetime | None:
    """A day (its first moment in UTC) or a moment with its zone; None for anything else."""
    try:
        if _DAY.fullmatch(text):
            return datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return None if found.tzinfo is None else found.astimezone(UTC)


def start_of(day: date) -> datetime:
    """The first moment of a day in UTC."""
    return datetime.combine(day, datetime.min.time(), UTC)


def end_of(day: date) -> datetime:
    """The last moment of a day in UTC: what a source said on that day is known then."""
    return datetime.combine(day, datetime.max.time(), UTC)
