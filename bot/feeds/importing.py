"""Readings into the database: each source all at once or not at all, and the last good snapshot goes on serving."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

from bot.feeds import gpuhunt, karpenter, skypilot, table, vast
from bot.feeds.intake import FeedError, Origin, read_file
from bot.feeds.names import Names
from bot.feeds.report import Reading, Report
from bot.store import PUBLIC, Database, StoreError
from bot.store import prices as store
from bot.store.observed import Imported, Observation

Reader = Callable[[bytes, Origin, Names], list[Reading]]
READERS: Mapping[str, Reader] = {
    "skypilot": skypilot.read, "gpuhunt": gpuhunt.read, "karpenter": karpenter.read, "csv": table.read,
    "vast": vast.read,
}  # fmt: skip
FORMATS = ("skypilot", "gpuhunt", "karpenter", "csv")  # what `prices import` takes
_LEAST_SHARE = 2  # a list with less than half the rows of the last one is taken for half a list
_FAR, _FAR_ON_MARKETS = Decimal(2), Decimal(5)
_GENERIC = ("vms", "catalog")  # file names that leave the provider to their folder


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one reading, or why a file was refused."""

    name: str
    reading: Reading | None = None
    imported: Imported | None = None
    refused: FeedError | None = None


def import_path(
    database: Database, path: Path, kind: str, names: Names, now: datetime, *, seen: datetime | None = None,
    provider: str | None = None, anyway: bool = False, team_id: str = PUBLIC,
) -> Iterator[Outcome]:  # fmt: skip
    """Import a file, or every table of a folder one after the other; a refused file leaves the others alone."""
    for file in _files(path):
        try:
            origin = Origin(file.name, _stem(file), seen, provider)
            readings = READERS[kind](read_file(file), origin, names)
        except FeedError as error:
            yield Outcome(str(file), refused=error)
            continue
        yield from put_all(database, file.name, readings, names, now, anyway=anyway, team_id=team_id)


def put_all(
    database: Database, name: str, readings: Iterable[Reading], names: Names, now: datetime, *, anyway: bool = False,
    team_id: str = PUBLIC,
) -> Iterator[Outcome]:  # fmt: skip
    """Keep readings; each that cannot count is an outcome with the reason."""
    for reading in readings:
        try:
            yield Outcome(name, reading, put(database, name, reading, names, now, anyway=anyway, team_id=team_id))
        except FeedError as error:
            yield Outcome(name, refused=error)


def put(
    database: Database, name: str, reading: Reading, names: Names, now: datetime, *, anyway: bool = False,
    team_id: str = PUBLIC,
) -> Imported:  # fmt: skip
    """Keep one reading as a snapshot of its source.

    Raises ``FeedError`` when it holds nothing usable, is dated in the future, is half as long as the last one
    (``anyway`` takes it all the same), or differs from what the source said at that very time.
    """
    report = reading.report
    _must_be_usable(name, reading, now)
    seen = reading.seen
    last = None if seen is None else store.snapshot_at(database, reading.source, seen, team_id)
    if seen is not None and last is not None and last.seen != seen:
        if not anyway and len(reading.observations) * _LEAST_SHARE < last.rows:
            raise FeedError("feed.shrunk", name=name, got=len(reading.observations), last=last.rows)
        known = store.amounts_at(database, reading.source, seen, team_id)
        _note_far(reading.observations, known, names, report)
    _note_age(reading, names, now)
    try:
        return store.import_snapshot(
            database, reading.source, reading.observations, seen=seen, now=now, team_id=team_id
        )
    except StoreError as error:
        if seen is not None and last is not None and last.seen == seen:
            said = seen.date().isoformat()
            raise FeedError("feed.same_time", name=name, source=reading.source, seen=said) from None
        raise FeedError("feed.store", name=name, reason=str(error)) from None


def _must_be_usable(name: str, reading: Reading, now: datetime) -> None:
    report = reading.report
    unreadable = report.count("unreadable")
    if unreadable * 2 > report.rows:
        example = report.checks["unreadable"].examples[0]
        raise FeedError("feed.unusable", name=name, n=unreadable, rows=report.rows, example=example)
    if not reading.observations:
        raise FeedError("feed.nothing", name=name, rows=report.rows)
    if reading.seen is not None and reading.seen > now + timedelta(days=1):
        raise FeedError("feed.future", name=name, seen=reading.seen.date().isoformat())


def _note_far(rows: Iterable[Observation], known: Mapping[str, Decimal], names: Names, report: Report) -> None:
    """Prices that moved further than prices do: over 2 times on a list, over 5 times on a marketplace."""
    for row in rows:
        before = known.get(row.key)
        if not before or not row.amount:
            continue
        limit = _FAR_ON_MARKETS if names.is_market(row.provider) else _FAR
        if not before / limit <= row.amount <= before * limit:
            report.note("moved-far", f"{row.key}: {before:f} → {row.amount:f} {row.currency}")


def _note_age(reading: Reading, names: Names, now: datetime) -> None:
    report = reading.report
    if reading.seen is None:
        report.note("undated", reading.source, count=len(reading.observations))
        return
    days = (now - reading.seen).days
    old = [one for one in reading.observations if days > (names.recheck_days(one.provider) or days)]
    if old:
        report.note("old", reading.source, reading.seen.date(), f"{days} d", count=len(old))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(one for ending in ("csv", "zip") for one in path.rglob(f"*.{ending}") if one.is_file())
    if not found:
        raise FeedError("feed.no_tables", name=path.name)
    return found


def _stem(file: Path) -> str:
    """The name that tells the provider: that of the file, or of the folder around vms.csv or catalog.zip."""
    if file.stem not in _GENERIC:
        return file.stem
    folders = [one.name for one in (file.absolute().parent, file.absolute().parent.parent)]
    return next((name for name in folders if not name[:1].isdigit()), file.stem)
