"""Opening the database: SQLite in the home folder by default, PostgreSQL by URL, the same code for both."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, OperationalError

BUSY_SECONDS = 30  # how long a writer of SQLite waits for another one before it gives up
_LATEST = "head"
_MIGRATION_LOCK = 0x67707562  # any constant of ours: PostgreSQL's advisory lock while the schema changes


class StoreError(Exception):
    """A database that cannot be used as asked; ``str()`` is one sentence that says why and what to do."""


class StoreAwayError(StoreError):
    """The database did not answer: nothing is wrong with what was asked, so trying later may help."""


class Database:
    """An open database. Safe to share between threads; a forked process opens its own.

    ``read()`` gives a connection whose statements each see the newest data; ``write()`` gives one whose statements
    happen together or not at all. On SQLite a writer takes its lock at the start and waits for it, so that no
    transaction fails halfway because another process wrote in between.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @property
    def url(self) -> str:
        """The address with its password, as the library that runs the jobs needs it."""
        return self.engine.url.render_as_string(hide_password=False)

    @property
    def file(self) -> Path:
        """The file of an SQLite database."""
        if not self.is_sqlite:
            raise StoreError(f"{self} is no SQLite database and has no file")
        return Path(str(self.engine.url.database))

    def __str__(self) -> str:
        return self.engine.url.set(query={}).render_as_string(hide_password=True)

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        with self._guarded(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        with self._guarded(), self.engine.connect() as plain:
            connection = plain.execution_options(gpu_bot_writes=True)
            with connection.begin():
                yield connection

    def insert(self, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
        """An INSERT that knows ON CONFLICT, in the dialect at hand."""
        return sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn a database that is away into one sentence without its password or the statement's data."""
        try:
            yield
        except OperationalError as error:
            raise StoreAwayError(f"The database {self} did not answer: {_reason(error)}") from error
        except DBAPIError as error:
            if error.connection_invalidated:
                raise StoreAwayError(f"The connection to the database {self} was lost: {_reason(error)}") from error
            raise


def open_database(url: str, *, migrate: bool = True) -> Database:
    """Open the database at a SQLAlchemy address and bring its tables up to date.

    Any number of processes may do so at once: one migrates, the others wait. With ``migrate=False`` nothing is
    changed. Raises ``StoreError`` for an address that cannot be used or a database that a newer program wrote.
    """
    parsed = _parsed(url)
    database = Database(_sqlite(parsed) if parsed.get_backend_name() == "sqlite" else _postgres(parsed))
    if migrate:
        migrate_database(database)
    return database


def migrate_database(database: Database) -> tuple[str | None, str]:
    """Bring the tables up to date; gives the revision before and after, equal when there was nothing to do."""
    newest = str(_script().get_current_head())
    before = current_revision(database)
    if before == newest:
        return before, newest
    with database.write() as connection:
        if not database.is_sqlite:  # SQLite's writer already holds the only lock there is
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
        known = _revision(connection)
        if known is not None and known not in {one.revision for one in _script().walk_revisions()}:
            raise StoreError(
                f"The database {database} was written by a newer gpu-bot (revision {known}); "
                "install that version or a later one"
            )
        _upgrade(connection)
    return before, newest


def current_revision(database: Database) -> str | None:
    """The revision of the tables, None for a database without any of ours."""
    with database.read() as connection:
        return _revision(connection)


def _revision(connection: sa.Connection) -> str | None:
    from alembic.runtime.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command

    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, _LATEST)


def _config() -> Any:
    from alembic.config import Config

    config = Config()
    # A percent sign in the path would be read as a placeholder.
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config


def _script() -> Any:
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(_config())


def _parsed(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError:  # its message repeats the address, and with it a password
        raise StoreError("The database address cannot be read; write sqlite:///FILE or postgresql://…") from None
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise StoreError("The database must be a file: write sqlite:///FILE")
        return parsed.set(drivername="sqlite")
    if backend in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+psycopg")
    raise StoreError(f"gpu-bot keeps its data in SQLite or PostgreSQL, not in {backend}")


def _sqlite(url: sa.URL) -> sa.Engine:
    path = Path(str(url.database))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Only for its owner: it will hold tokens of workspaces. The files beside it take over its mode.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"The database file {path} cannot be opened: {error.strerror}") from None
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_SECONDS})

    @sa.event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where this module says so
        try:
            _use_wal(connection)
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA foreign_keys=ON")
        except Exception:
            connection.close()
            raise

    @sa.event.listens_for(engine, "begin")
    def _on_begin(connection: sa.Connection) -> None:
        if connection.get_execution_options().get("gpu_bot_writes"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _use_wal(connection: sqlite3.Connection) -> None:
    """Let readers never wait for the writer; waits here while another process writes a file that is still new."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:  # the change of the mode does not always heed the busy timeout
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.02)


def _postgres(url: sa.URL) -> sa.Engine:
    return sa.create_engine(url, pool_pre_ping=True, pool_recycle=1800, connect_args={"connect_timeout": 10})


def _reason(error: DBAPIError) -> str:
    lines = str(error.orig).strip().splitlines()
    return lines[0] if lines else type(error.orig).__name__


def added(connection: sa.Connection, statement: sa.Executable) -> int:
    """How many rows an INSERT added; those that met a conflict do not count."""
    return int(connection.execute(statement, execution_options={"preserve_rowcount": True}).rowcount)


def chunks(items: Sequence[Any], size: int = 500) -> Iterator[Sequence[Any]]:
    """Pieces short enough for one statement: both databases limit how many values it may name."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
