"""What a conversation leaves behind: threads, the pace of posting, and first posts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.database import Database, added

_ZERO = timedelta(0)


# ---------------------------------------------------------------- threads


@dataclass(frozen=True, slots=True)
class Thread:
    """The state of one thread: the question so far (as JSON) and the message that shows its answer."""

    team_id: str
    channel: str
    thread_ts: str
    asker: str
    lang: str
    question: Mapping[str, Any]
    at: datetime
    answer_id: str | None = None
    message_ts: str | None = None


def put_thread(database: Database, thread: Thread) -> None:
    """Keep the newest state of a thread; who asked first stays its asker."""
    values = {name: getattr(thread, name) for name in Thread.__slots__}
    kept = ("team_id", "channel", "thread_ts", "asker")
    row = database.insert(t.thread).values(values)
    changed = {name: row.excluded[name] for name in values if name not in kept}
    with database.write() as connection:
        connection.execute(row.on_conflict_do_update(index_elements=kept[:3], set_=changed))


def thread(database: Database, team_id: str, channel: str, thread_ts: str) -> Thread | None:
    """The state of a thread, None where the bot was never asked."""
    c = t.thread.c
    here = (c.team_id == team_id, c.channel == channel, c.thread_ts == thread_ts)
    with database.read() as connection:
        row = connection.execute(sa.select(t.thread).where(*here)).mappings().first()
    return None if row is None else Thread(**row)


# ---------------------------------------------------------------- pace


def reserve(
    database: Database, team_id: str, key: str, now: datetime, *, every: timedelta, burst: int = 1
) -> timedelta:
    """Take the next free turn of ``key`` (a channel, say) and tell how long to wait for it.

    Turns come one ``every`` so often, ``burst`` of them at once after a rest, whatever number of processes ask.
    """
    with database.write() as connection:
        wait, free_at = _turn(database, connection, team_id, key, now, every, burst)
        _keep_turn(connection, team_id, key, free_at)
    return wait


def refused(
    database: Database, team_id: str, key: str, now: datetime, *, every: timedelta, burst: int = 1
) -> timedelta | None:
    """None when ``key`` may go on now, and that counts as its turn; otherwise how long until it may."""
    with database.write() as connection:
        wait, free_at = _turn(database, connection, team_id, key, now, every, burst)
        if wait > _ZERO:
            return wait
        _keep_turn(connection, team_id, key, free_at)
    return None


def _turn(
    database: Database, connection: sa.Connection, team_id: str, key: str, now: datetime, every: timedelta, burst: int
) -> tuple[timedelta, datetime]:
    """How long until the next turn, and from when the key is free once that turn is taken."""
    row = database.insert(t.rate).values(team_id=team_id, key=key, free_at=now)
    connection.execute(row.on_conflict_do_nothing())
    c = t.rate.c
    mine = sa.select(c.free_at).where(c.team_id == team_id, c.key == key).with_for_update()
    free_at: datetime = max(connection.execute(mine).scalar_one(), now)
    wait = max(free_at - now - every * (burst - 1), _ZERO)
    return wait, free_at + every


def _keep_turn(connection: sa.Connection, team_id: str, key: str, free_at: datetime) -> None:
    c = t.rate.c
    connection.execute(sa.update(t.rate).where(c.team_id == team_id, c.key == key).values(free_at=free_at))


# ---------------------------------------------------------------- messages that must be posted once


@dataclass(frozen=True, slots=True)
class FirstPost:
    """A message that was meant to be posted. ``ts`` None: it may or may not have reached the channel."""

    team_id: str
    key: str
    channel: str
    intended: datetime
    thread_ts: str | None = None
    ts: str | None = None
    posted: datetime | None = None


def intend_post(
    database: Database, team_id: str, key: str, channel: str, now: datetime, thread_ts: str | None = None
) -> tuple[FirstPost, bool]:
    """Write down that a message will be posted, before it is; True when nobody had written it down before.

    Put ``key`` into the message's metadata. When the intent is not new and has no ``ts``, whoever wrote it may have
    died after posting: look for that metadata in the channel before posting again. Then call ``posted``.
    """
    row = database.insert(t.first_post).values(
        team_id=team_id, key=key, channel=channel, thread_ts=thread_ts, intended=now
    )
    c = t.first_post.c
    with database.write() as connection:
        new = added(connection, row.on_conflict_do_nothing()) == 1
        found = connection.execute(sa.select(t.first_post).where(c.team_id == team_id, c.key == key)).mappings().one()
    return FirstPost(**found), new


def posted(database: Database, team_id: str, key: str, ts: str, now: datetime) -> None:
    """Keep where the message went; the first ``ts`` stays."""
    c = t.first_post.c
    with database.write() as connection:
        connection.execute(
            sa.update(t.first_post).where(c.team_id == team_id, c.key == key, c.ts.is_(None)).values(ts=ts, posted=now)
        )
