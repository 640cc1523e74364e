"""Copies of the whole database, and forgetting what has had its time."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from bot.store import jobrows
from bot.store import tables as t
from bot.store.database import Database, StoreError, migrate_database

_RUNNING_SECONDS = 60.0  # heard within this time, a process counts as running


def backup(database: Database, target: Path) -> None:
    """Copy an SQLite database to a new file, whole and consistent, while others go on writing.

    Raises ``StoreError`` when the file exists, cannot be written, or the database is PostgreSQL.
    """
    if not database.is_sqlite:
        raise StoreError(
            f"{database} is PostgreSQL, which brings its own: pg_dump --format=custom --file {target} DATABASE"
        )
    if target.exists():
        raise StoreError(f"{target} exists already; give the backup a new name")
    if not target.parent.is_dir():
        raise StoreError(f"{target.parent} is no folder; the backup needs one that exists")
    part = target.with_name(f".{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_RDWR, 0o600))
        _copy(database.file, part)
        with closing(sqlite3.connect(part)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")  # one file, readable from where nothing can be written
        part.rename(target)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"The backup {target} could not be written: {error}") from None
    finally:
        part.unlink(missing_ok=True)


def restore(database: Database, source: Path) -> Path:
    """Replace an SQLite database by a backup and bring it up to date; gives the copy of what was there before.

    Jobs that were under way when the backup was made go on when ``serve`` starts. Raises ``StoreError`` when the file
    is no backup of gpu-bot, or a gpu-bot is still using the database.
    """
    if not database.is_sqlite:
        raise StoreError(
            f"{database} is PostgreSQL, which brings its own: pg_restore --clean --dbname DATABASE {source}"
        )
    _check_backup(source)
    if jobrows.living_executors(database, _RUNNING_SECONDS):
        raise StoreError(
            f"A gpu-bot is using {database.file}, or was within the last minute; stop it, then restore the backup"
        )
    before = _free_name(database.file)
    backup(database, before)
    try:
        _copy(source, database.file)
    except sqlite3.Error as error:
        _copy(before, database.file)
        raise StoreError(f"{source} could not be restored, and nothing has changed: {error}") from None
    migrate_database(database)
    with database.write() as connection:
        connection.execute(sa.delete(t.job_executor))
    return before


def _check_backup(source: Path) -> None:
    if not source.is_file():
        raise StoreError(f"{source} is no file; name a backup that gpu-bot wrote")
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            ours = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            sound = connection.execute("PRAGMA integrity_check").fetchone()
            connection.execute("SELECT 1 FROM seen_event LIMIT 1")
    except sqlite3.Error:
        raise StoreError(f"{source} is no backup of gpu-bot") from None
    if not ours:
        raise StoreError(f"{source} is no backup of gpu-bot")
    if sound[0] != "ok":
        raise StoreError(f"{source} is damaged: {sound[0]}")


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source, timeout=30)) as one, closing(sqlite3.connect(target, timeout=30)) as other:
        one.backup(other)


def _free_name(file: Path) -> Path:
    number = 1
    while (name := file.with_name(f"{file.name}.before-restore-{number}")).exists():
        number += 1
    return name


@dataclass(frozen=True, slots=True)
class Keep:
    """How long things are kept. Price history, readings, feedback and subscriptions stay."""

    events: timedelta = timedelta(days=1)  # Slack repeats an event for some minutes
    threads: timedelta = timedelta(days=90)
    answers: timedelta = timedelta(days=730)
    first_posts: timedelta = timedelta(days=90)
    unfinished_imports: timedelta = timedelta(days=1)


def prune(database: Database, now: datetime, keep: Keep | None = None) -> int:
    """Forget what is older than it needs to be; gives the number of rows. Meant to run daily."""
    keep = keep or Keep()
    snapshot = t.price_snapshot.c
    unread = sa.and_(snapshot.finished.is_(None), snapshot.started < now - keep.unfinished_imports)
    staged = t.price_staged.c.snapshot_id.in_(sa.select(snapshot.id).where(unread))
    old: list[tuple[sa.Table, sa.ColumnElement[bool]]] = [
        (t.seen_event, t.seen_event.c.at < now - keep.events),
        (t.thread, t.thread.c.at < now - keep.threads),
        (t.answer, t.answer.c.at < now - keep.answers),
        (t.first_post, t.first_post.c.intended < now - keep.first_posts),
        (t.rate, t.rate.c.free_at < now - timedelta(days=1)),
        (t.price_staged, staged),
        (t.price_snapshot, unread),
    ]
    gone = 0
    for table, condition in old:  # one short transaction each, so that nobody waits long
        with database.write() as connection:
            gone += connection.execute(sa.delete(table).where(condition)).rowcount
    jobrows.forget_executors(database)
    return gone
