"""What durable jobs need besides the library that runs them: who is alive, progress, wishes to cancel."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.database import Database, added, chunks

_FORGET_EXECUTOR_SECONDS = 86_400.0


# ---------------------------------------------------------------- which processes are alive


def beat(database: Database, executor: str) -> None:
    """Say that this process is alive, by the database's clock: those of two machines may differ."""
    row = database.insert(t.job_executor).values(id=executor, beat=_clock(database))
    with database.write() as connection:
        connection.execute(row.on_conflict_do_update(index_elements=["id"], set_={"beat": row.excluded.beat}))


def silent_executors(database: Database, names: Collection[str], dead_seconds: float) -> tuple[set[str], set[str]]:
    """Those of ``names`` that signed off, and those that have not been heard for ``dead_seconds``."""
    c = t.job_executor.c
    with database.read() as connection:
        heard = connection.execute(sa.select(c.id, c.beat, _clock(database).label("now"))).all()
    known = {row.id: float(row.now) - row.beat for row in heard}
    return {name for name in names if name not in known}, {
        name for name in names if name in known and known[name] > dead_seconds
    }


def living_executors(database: Database, dead_seconds: float) -> list[str]:
    """The processes heard within ``dead_seconds``."""
    c = t.job_executor.c
    with database.read() as connection:
        wanted = sa.select(c.id).where(c.beat >= _clock(database) - dead_seconds).order_by(c.id)
        return list(connection.execute(wanted).scalars())


def sign_off(database: Database, executor: str) -> None:
    """This process has stopped and left nothing running: others may take over its jobs at once."""
    with database.write() as connection:
        connection.execute(sa.delete(t.job_executor).where(t.job_executor.c.id == executor))


def forget_executors(database: Database) -> None:
    """Drop processes that died long ago."""
    with database.write() as connection:
        old = t.job_executor.c.beat < _clock(database) - _FORGET_EXECUTOR_SECONDS
        connection.execute(sa.delete(t.job_executor).where(old))


def _clock(database: Database) -> sa.ColumnElement[float]:
    now = "(julianday('now') - 2440587.5) * 86400.0" if database.is_sqlite else "extract(epoch from clock_timestamp())"
    return sa.literal_column(f"({now})", sa.Float)


# ---------------------------------------------------------------- jobs


@dataclass(frozen=True, slots=True)
class JobRow:
    """Our half of a job; the library keeps its steps and result."""

    id: str
    team_id: str
    kind: str
    lane: str | None
    args: Mapping[str, Any]
    asked_by: str | None
    submitted: datetime
    runner: str | None = None
    runs: int = 0
    note: Mapping[str, Any] | None = None  # the last progress it told
    alive: datetime | None = None  # its last sign of life
    cancel_asked: datetime | None = None
    cancel_by: str | None = None
    reported: str | None = None  # why its end was told by the watchdog


def add_job(
    database: Database, id_: str, *, team_id: str, kind: str, lane: str | None, args: Mapping[str, Any],
    asked_by: str | None, now: datetime,
) -> bool:  # fmt: skip
    """Write a job down; False when it is there already."""
    row = database.insert(t.job).values(
        id=id_, team_id=team_id, kind=kind, lane=lane, args=dict(args), asked_by=asked_by, submitted=now, runs=0
    )
    with database.write() as connection:
        return bool(added(connection, row.on_conflict_do_nothing()))


def job_row(database: Database, id_: str) -> JobRow | None:
    with database.read() as connection:
        row = connection.execute(sa.select(t.job).where(t.job.c.id == id_)).mappings().first()
    return None if row is None else JobRow(**row)


def job_rows(
    database: Database, *, ids: Collection[str] | None = None, team_id: str | None = None, kind: str | None = None,
    since: datetime | None = None,
) -> list[JobRow]:  # fmt: skip
    """Jobs, the newest first."""
    c = t.job.c
    wanted = sa.select(t.job).order_by(c.submitted.desc(), c.id)
    if team_id is not None:
        wanted = wanted.where(c.team_id == team_id)
    if kind is not None:
        wanted = wanted.where(c.kind == kind)
    if since is not None:
        wanted = wanted.where(c.submitted >= since)
    with database.read() as connection:
        if ids is None:
            return [JobRow(**row) for row in connection.execute(wanted).mappings()]
        return [
            JobRow(**row)
            for some in chunks(sorted(ids))
            for row in connection.execute(wanted.where(c.id.in_(some))).mappings()
        ]


def job_starts(database: Database, id_: str, runner: str, now: datetime) -> None:
    """From now on the run called ``runner`` has this job, and no earlier one."""
    change = sa.update(t.job).where(t.job.c.id == id_)
    with database.write() as connection:
        connection.execute(change.values(runner=runner, runs=t.job.c.runs + 1, alive=now))


def job_alive(database: Database, id_: str, runner: str, now: datetime, note: Mapping[str, Any] | None = None) -> bool:
    """Keep a sign of life and progress; False when another run has the job by now, which changes nothing."""
    values: dict[str, Any] = {"alive": now} if note is None else {"alive": now, "note": dict(note)}
    change = sa.update(t.job).where(t.job.c.id == id_, t.job.c.runner == runner)
    with database.write() as connection:
        return bool(connection.execute(change.values(values)).rowcount)


def ask_cancel(database: Database, id_: str, by: str | None, now: datetime) -> bool:
    """Write down that someone wants a job to end; False when somebody did before, or there is no such job."""
    change = sa.update(t.job).where(t.job.c.id == id_, t.job.c.cancel_asked.is_(None))
    with database.write() as connection:
        return bool(connection.execute(change.values(cancel_asked=now, cancel_by=by)).rowcount)


def job_reported(database: Database, id_: str, reason: str) -> None:
    with database.write() as connection:
        connection.execute(sa.update(t.job).where(t.job.c.id == id_).values(reported=reason))


def forget_jobs(database: Database, ids: Collection[str]) -> None:
    with database.write() as connection:
        for some in chunks(sorted(ids)):
            connection.execute(sa.delete(t.job).where(t.job.c.id.in_(some)))


# ---------------------------------------------------------------- schedules


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    """Up to when the ticks of a schedule are dealt with."""

    name: str
    definition: str
    catch_up: str
    handled: datetime


def put_schedule(database: Database, name: str, definition: str, catch_up: str, now: datetime) -> bool:
    """Keep a schedule. A new or changed one owes nothing for the time before ``now``; False when it is unchanged."""
    row = database.insert(t.job_schedule).values(name=name, definition=definition, catch_up=catch_up, handled=now)
    c = t.job_schedule.c
    changed = {"definition": definition, "catch_up": catch_up, "handled": now}
    with database.write() as connection:
        if added(connection, row.on_conflict_do_nothing()):
            return True
        different = sa.update(t.job_schedule).where(c.name == name, c.definition != definition)
        return bool(connection.execute(different.values(changed)).rowcount)


def schedule_rows(database: Database) -> list[ScheduleRow]:
    with database.read() as connection:
        return [
            ScheduleRow(**row)
            for row in connection.execute(sa.select(t.job_schedule).order_by(t.job_schedule.c.name)).mappings()
        ]


def schedule_handled(database: Database, name: str, until: datetime) -> None:
    """The ticks up to ``until`` are dealt with."""
    c = t.job_schedule.c
    with database.write() as connection:
        older = sa.update(t.job_schedule).where(c.name == name, c.handled < until)
        connection.execute(older.values(handled=until))


def forget_schedule(database: Database, name: str) -> None:
    with database.write() as connection:
        connection.execute(sa.delete(t.job_schedule).where(t.job_schedule.c.name == name))


def old_rows(database: Database, now: datetime, keep: timedelta) -> list[str]:
    """Jobs written down longer ago than ``keep``."""
    with database.read() as connection:
        return list(connection.execute(sa.select(t.job.c.id).where(t.job.c.submitted < now - keep)).scalars())
