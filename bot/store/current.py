"""What the price sources say of some GPUs at a moment, read without loading the database library.

A single question must be answered within a second, so an SQLite file is read with Python's own module. The same
statements run on PostgreSQL through an open ``Database``.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.store.observed import Observation, Seen

if TYPE_CHECKING:
    from bot.store.database import Database

_SNAPSHOTS = """
SELECT s.team_id, s.source, s.seen, s.digest FROM price_snapshot s JOIN (
    SELECT team_id, source, MAX(seen) AS seen FROM price_snapshot
    WHERE team_id IN ({teams}) AND finished IS NOT NULL AND seen <= :moment GROUP BY team_id, source
) n ON n.team_id = s.team_id AND n.source = s.source AND n.seen = s.seen
WHERE s.finished IS NOT NULL ORDER BY s.team_id, s.source
"""
_ROWS = """
SELECT key, provider, gpu, facts, amount, currency, unit, first_seen, last_seen FROM price_observation
WHERE team_id = :team AND source = :source{gpus} AND last_seen >= :seen AND first_seen <= :seen ORDER BY key
"""
_TIME = "%Y-%m-%d %H:%M:%S.%f"  # as SQLite keeps it
_PUBLIC = ""

Run = Callable[[str, Mapping[str, Any]], Sequence[Sequence[Any]]]


@dataclass(frozen=True, slots=True)
class Current:
    """Observations, each with the time of its source's newest snapshot; ``digest`` None: no source has one."""

    rows: tuple[tuple[Seen, datetime], ...] = ()
    digest: str | None = None


def of_file(file: Path, gpus: Collection[str] | None, moment: datetime, teams: Sequence[str] = (_PUBLIC,)) -> Current:
    """What holds at a moment in an SQLite file, for some GPUs or all; nothing where there is no such file or table.

    Raises ``sqlite3.Error`` for a file that is no database.
    """
    if not file.is_file():
        return Current()
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:

        def run(statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
            plain = {k: v.strftime(_TIME) if isinstance(v, datetime) else v for k, v in values.items()}
            return connection.execute(statement, plain).fetchall()

        there = "SELECT 1 FROM sqlite_master WHERE name = 'price_observation'"
        return _read(run, gpus, moment, teams) if run(there, {}) else Current()


def of_database(
    database: Database, gpus: Collection[str] | None, moment: datetime, teams: Sequence[str] = (_PUBLIC,)
) -> Current:
    """The same of an open database of either kind."""
    with _runner(database) as run:
        return _read(run, gpus, moment, teams)


@contextmanager
def _runner(database: Database) -> Iterator[Run]:
    import sqlalchemy as sa

    with database.read() as connection:

        def run(statement: str, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
            as_kept = {
                k: v.strftime(_TIME) if isinstance(v, datetime) and database.is_sqlite else v for k, v in values.items()
            }
            return connection.execute(sa.text(statement), as_kept).all()

        yield run


def _read(run: Run, gpus: Collection[str] | None, moment: datetime, teams: Sequence[str]) -> Current:
    naive = moment.astimezone(UTC).replace(tzinfo=None)
    team_names, team_values = _listed("t", teams)
    snapshots = run(_SNAPSHOTS.format(teams=team_names), {"moment": naive, **team_values})
    if not snapshots:
        return Current()
    rows: list[tuple[Seen, datetime]] = []
    if gpus is None or gpus:
        names, values = _listed("g", sorted(gpus or ()))
        statement = _ROWS.format(gpus=f" AND gpu IN ({names})" if values else "")
        for team, source, seen, _ in snapshots:
            found = run(statement, {"team": team, "source": source, "seen": seen, **values})
            rows += [(one, _time(seen)) for one in _seen(source, found)]
    return Current(tuple(rows), _digest(snapshots))


def _listed(letter: str, values: Sequence[str]) -> tuple[str, dict[str, str]]:
    named = {f"{letter}{n}": value for n, value in enumerate(values)}
    return ", ".join(f":{name}" for name in named), named


def _digest(snapshots: Sequence[Sequence[Any]]) -> str:
    """A hash that names what every source says: equal whenever the same sources said the same."""
    parts = [
        [*([team] if team != _PUBLIC else []), source, _time(seen).isoformat(), digest]
        for team, source, seen, digest in snapshots
    ]
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _seen(source: str, rows: Sequence[Sequence[Any]]) -> Iterator[Seen]:
    every = json.loads(f"[{','.join(row[3] for row in rows)}]")  # at once: twice as fast as one by one
    for (key, provider, gpu, _, amount, currency, unit, first, last), facts in zip(rows, every, strict=True):
        what = Observation(key, provider, gpu, facts, Decimal(amount), currency, unit)
        yield Seen(source, what, _time(first), _time(last))


@lru_cache(maxsize=4096)  # thousands of rows share a few moments
def _time(value: str | datetime) -> datetime:
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    return found.replace(tzinfo=UTC)


# ---------------------------------------------------------------- a stretch of time

_SPAN = """
SELECT key, provider, gpu, facts, amount, currency, unit, first_seen, last_seen FROM price_observation
WHERE team_id = :team AND source = :source{gpus} AND last_seen >= :since AND first_seen <= :until ORDER BY key
"""
_COUNTS = (
    "SELECT source, seen, rows FROM price_snapshot WHERE team_id = :team AND finished IS NOT NULL AND seen IS NOT NULL"
)


@dataclass(frozen=True, slots=True)
class Span:
    """One source over a stretch: its newest snapshot at either end, and the rows that held at either of them."""

    source: str
    before: datetime | None  # None: it spoke once and had said nothing before
    after: datetime
    listed: int  # rows of the newer snapshot
    rows: tuple[Seen, ...]
    first_time: bool = False  # it had said nothing before the stretch; ``before`` is then its first snapshot within

    def held(self, seen: Seen, moment: datetime | None) -> bool:
        assert seen.first_seen is not None
        assert seen.last_seen is not None
        return moment is not None and seen.first_seen <= moment <= seen.last_seen


def spans(database: Database, since: datetime, until: datetime, teams: Sequence[str] = (_PUBLIC,)) -> tuple[Span, ...]:
    """Every source that had said something by ``until``, with what it said at both ends."""
    found: list[Span] = []
    with _runner(database) as run:
        for team in teams:
            snapshots = _moments(run, team)
            for source in sorted(snapshots):
                then = [one for one in snapshots[source] if one[0] <= until]
                if not then:
                    continue
                after, listed = max(then)
                first_time = min(then)[0] > since
                before = min(then)[0] if first_time else max(one[0] for one in then if one[0] <= since)
                bounds = {"since": _plain(before), "until": _plain(after)}
                read = run(_SPAN.format(gpus=""), {"team": team, "source": source, **bounds})
                start = None if first_time and before == after else before
                found.append(Span(source, start, after, listed, tuple(_seen(source, read)), first_time))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Track:
    """All that one source ever said of a GPU, and when it was read."""

    source: str
    moments: tuple[datetime, ...]
    rows: tuple[Seen, ...]

    def at(self, moment: datetime) -> Span | None:
        """What it said in its newest snapshot by then."""
        snapshot = max((one for one in self.moments if one <= moment), default=None)
        return None if snapshot is None else Span(self.source, None, snapshot, len(self.rows), self.rows)


def tracks(database: Database, gpu: str, until: datetime, teams: Sequence[str] = (_PUBLIC,)) -> tuple[Track, ...]:
    """The dated history of a GPU in every source that ever listed it."""
    found = []
    with _runner(database) as run:
        for team in teams:
            for source, snapshots in sorted(_moments(run, team).items()):
                moments = tuple(sorted(moment for moment, _ in snapshots if moment <= until))
                if not moments:
                    continue
                bounds = {"since": _plain(moments[0]), "until": _plain(moments[-1])}
                values = {"team": team, "source": source, "gpu": gpu, **bounds}
                rows = tuple(_seen(source, run(_SPAN.format(gpus=" AND gpu = :gpu"), values)))
                if rows:
                    found.append(Track(source, moments, rows))
    return tuple(found)


def _moments(run: Run, team: str) -> dict[str, list[tuple[datetime, int]]]:
    snapshots: dict[str, list[tuple[datetime, int]]] = {}
    for source, seen, rows in run(_COUNTS, {"team": team}):
        snapshots.setdefault(source, []).append((_time(seen), rows))
    return snapshots


def _plain(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None)
