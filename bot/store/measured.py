"""What the team measured on hosts of offers, as answers use it; an SQLite file is read without the database library."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.store.database import Database

Reading = Mapping[str, Any]  # offer, dtype, tflops, date, host

# A rate that was measured right, on the card that was sold, whether or not it is as high as it should be.
COUNTED = ("healthy", "pass", "plausible", "below", "fail", "unknown")
_LOCAL = "local"
_ROWS = """
SELECT offer, dtype, tflops, at, host, verdict FROM reading
WHERE team_id = :team AND offer IS NOT NULL AND tflops IS NOT NULL AND at < :until ORDER BY at DESC, id
"""
_TIME = "%Y-%m-%d %H:%M:%S.%f"  # as SQLite keeps it


def of_url(url: str, day: date, team: str = _LOCAL) -> list[Reading]:
    """The readings up to the end of a day, the newest first; nothing where there is no database yet.

    Raises ``sqlite3.Error`` or ``StoreError`` when the database cannot be read.
    """
    scheme, _, rest = url.partition(":///")
    if scheme.partition("+")[0] == "sqlite":
        return of_file(Path(rest.partition("?")[0]), day, team)
    from bot.store import open_database

    database = open_database(url, migrate=False)
    try:
        return of_database(database, day, team)
    finally:
        database.close()


def of_file(file: Path, day: date, team: str = _LOCAL) -> list[Reading]:
    """The same of an SQLite file."""
    if not file.is_file():
        return []
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'reading'").fetchall():
            return []
        until = _end(day).strftime(_TIME)
        return _mappings(connection.execute(_ROWS, {"team": team, "until": until}).fetchall())


def of_database(database: Database, day: date, team: str = _LOCAL) -> list[Reading]:
    """The same of an open database."""
    import sqlalchemy as sa

    until: Any = _end(day).strftime(_TIME) if database.is_sqlite else _end(day)
    with database.read() as connection:
        return _mappings(connection.execute(sa.text(_ROWS), {"team": team, "until": until}).all())


def _end(day: date) -> datetime:
    """The first moment after a day, in UTC, as the database keeps it."""
    return datetime.combine(day + timedelta(days=1), time.min)


def _mappings(rows: Iterable[Sequence[Any]]) -> list[Reading]:
    return [
        {
            "offer": offer, "dtype": dtype, "tflops": Decimal(str(tflops)), "date": _day(at).isoformat(), "host": host,
        }
        for offer, dtype, tflops, at, host, verdict in rows
        if verdict in COUNTED
    ]  # fmt: skip


def _day(at: str | datetime) -> date:
    found = datetime.fromisoformat(at) if isinstance(at, str) else at
    return (found if found.tzinfo is None else found.astimezone(UTC)).date()
