"""Who gets a digest, which ones went out, and the prices people watch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.database import Database, added

PERIODS = ("weekly", "monthly", "daily")


@dataclass(frozen=True, slots=True)
class Subscription:
    """One channel's wish for a digest. ``weekday`` counts from Monday 0; None with the period ``daily``, and with
    ``monthly`` the first such day of a month."""

    team_id: str
    channel: str
    asked_by: str
    since: datetime
    period: str = "weekly"
    weekday: int | None = 0
    hour: int = 9
    minute: int = 0
    zone: str = "UTC"
    lang: str = "en"
    gpus: tuple[str, ...] = ()  # empty: all
    exclude_gpus: tuple[str, ...] = ()
    threshold: Decimal | None = None  # share of a price, 0.03 for 3 %; None: any change
    failures: int = 0  # posts that failed in a row
    paused_because: str | None = None


def subscribe(database: Database, wish: Subscription) -> bool:
    """Keep a channel's wish, which replaces its earlier one; True when there was none."""
    _check_subscription(wish)
    values = {name: getattr(wish, name) for name in Subscription.__slots__}
    row = database.insert(t.subscription).values(values)
    changed = {name: row.excluded[name] for name in values if name not in ("team_id", "channel", "since")}
    with database.write() as connection:
        if added(connection, row.on_conflict_do_nothing()):
            return True
        connection.execute(row.on_conflict_do_update(index_elements=["team_id", "channel"], set_=changed))
    return False


def _check_subscription(wish: Subscription) -> None:
    if wish.period not in PERIODS:
        raise ValueError(f"a digest comes {', '.join(PERIODS[:-1])} or {PERIODS[-1]}, not {wish.period}")
    if (wish.weekday is None) != (wish.period == "daily"):
        raise ValueError("a weekly or monthly digest has a weekday, a daily one has none")
    if wish.weekday is not None and not 0 <= wish.weekday <= 6:
        raise ValueError("the weekday of a digest is 0 (Monday) to 6")
    if not (0 <= wish.hour <= 23 and 0 <= wish.minute <= 59):
        raise ValueError("the hour of a digest is 0 to 23, its minute 0 to 59")


def unsubscribe(database: Database, team_id: str, channel: str) -> bool:
    """Forget a channel's wish; False when there was none."""
    c = t.subscription.c
    with database.write() as connection:
        gone = connection.execute(sa.delete(t.subscription).where(c.team_id == team_id, c.channel == channel))
    return bool(gone.rowcount)


def subscription(database: Database, team_id: str, channel: str) -> Subscription | None:
    return next(iter(subscriptions(database, team_id, channel)), None)


def subscriptions(database: Database, team_id: str | None = None, channel: str | None = None) -> list[Subscription]:
    """The wishes of a workspace, or of all of them; paused ones too."""
    c = t.subscription.c
    wanted = sa.select(t.subscription).order_by(c.team_id, c.channel)
    if team_id is not None:
        wanted = wanted.where(c.team_id == team_id)
    if channel is not None:
        wanted = wanted.where(c.channel == channel)
    with database.read() as connection:
        rows = connection.execute(wanted).mappings().all()
    return [
        Subscription(**{**row, "gpus": tuple(row["gpus"]), "exclude_gpus": tuple(row["exclude_gpus"])}) for row in rows
    ]


def post_failed(database: Database, team_id: str, channel: str, because: str, *, pause_after: int = 2) -> bool:
    """Count a digest that could not be posted; True when that paused the subscription."""
    c = t.subscription.c
    here = (c.team_id == team_id, c.channel == channel)
    with database.write() as connection:
        connection.execute(sa.update(t.subscription).where(*here).values(failures=c.failures + 1))
        pause = sa.update(t.subscription).where(*here, c.failures >= pause_after, c.paused_because.is_(None))
        return bool(connection.execute(pause.values(paused_because=because)).rowcount)


def post_worked(database: Database, team_id: str, channel: str) -> None:
    """A digest arrived: forget earlier failures."""
    c = t.subscription.c
    here = sa.update(t.subscription).where(c.team_id == team_id, c.channel == channel)
    with database.write() as connection:
        connection.execute(here.values(failures=0, paused_because=None))


# ---------------------------------------------------------------- once a channel and period


def claim_digest(
    database: Database, team_id: str, channel: str, period: str, job_id: str, now: datetime,
    stale_after: timedelta = timedelta(hours=1),
) -> bool:  # fmt: skip
    """True for the one job that may post a channel's digest of a period ("2026-W48"), also when that job is run again.

    A claim older than ``stale_after`` that came to nothing passes to whoever asks next: its job may have posted and
    died, so the post itself still goes through ``intend_post``.
    """
    row = database.insert(t.digest_post).values(
        team_id=team_id, channel=channel, period=period, state="claimed", job_id=job_id, at=now
    )
    c = t.digest_post.c
    here = (c.team_id == team_id, c.channel == channel, c.period == period)
    with database.write() as connection:
        if added(connection, row.on_conflict_do_nothing()):
            return True
        again = sa.or_(c.job_id == job_id, c.at < now - stale_after)
        mine = sa.update(t.digest_post).where(*here, c.state == "claimed", again)
        return bool(connection.execute(mine.values(job_id=job_id, at=now)).rowcount)


def digest_done(database: Database, team_id: str, channel: str, period: str, now: datetime, ts: str | None) -> None:
    """The digest was posted at ``ts``, or skipped with None because nothing moved."""
    c = t.digest_post.c
    done = sa.update(t.digest_post).where(c.team_id == team_id, c.channel == channel, c.period == period)
    with database.write() as connection:
        connection.execute(done.values(state="skipped" if ts is None else "posted", ts=ts, at=now))


def release_digest(database: Database, team_id: str, channel: str, period: str, job_id: str) -> bool:
    """Give a claim back that came to nothing, so that another job may post it."""
    c = t.digest_post.c
    mine = (c.team_id == team_id, c.channel == channel, c.period == period, c.state == "claimed", c.job_id == job_id)
    with database.write() as connection:
        return bool(connection.execute(sa.delete(t.digest_post).where(*mine)).rowcount)


def last_digest(database: Database, team_id: str, channel: str) -> Mapping[str, Any] | None:
    """The newest digest that a channel got or that was skipped: period, state, ts, at."""
    c = t.digest_post.c
    wanted = sa.select(c.period, c.state, c.ts, c.at).where(c.team_id == team_id, c.channel == channel)
    with database.read() as connection:
        done = wanted.where(c.state != "claimed").order_by(c.at.desc()).limit(1)
        row = connection.execute(done).mappings().first()
    return None if row is None else dict(row)


# ---------------------------------------------------------------- watches


@dataclass(frozen=True, slots=True)
class Watch:
    """A question whose answer someone wants to hear about when it moves."""

    team_id: str
    channel: str
    asker: str
    lang: str
    question: Mapping[str, Any]
    since: datetime
    thread_ts: str | None = None
    threshold: Decimal | None = None
    last_total: Decimal | None = None
    currency: str | None = None
    looked: datetime | None = None
    ended: datetime | None = None
    id: int | None = None  # given when it is kept
    told: datetime | None = None  # when it was said that the price is below; None: it was not below when last looked at


def add_watch(database: Database, watch: Watch) -> int:
    """Keep a watch and give it its number."""
    values = {name: getattr(watch, name) for name in Watch.__slots__ if name != "id"}
    with database.write() as connection:
        key = connection.execute(sa.insert(t.watch).values(values)).inserted_primary_key
    assert key is not None
    return int(key[0])


def watches(database: Database, team_id: str | None = None, channel: str | None = None) -> list[Watch]:
    """The watches that go on, of a channel, a workspace or all of them."""
    c = t.watch.c
    wanted = sa.select(t.watch).where(c.ended.is_(None)).order_by(c.id)
    if team_id is not None:
        wanted = wanted.where(c.team_id == team_id)
    if channel is not None:
        wanted = wanted.where(c.channel == channel)
    with database.read() as connection:
        return [Watch(**row) for row in connection.execute(wanted).mappings()]


def watch_looked(
    database: Database, id_: int, now: datetime, total: Decimal | None, currency: str | None,
    told: datetime | None = None,
) -> None:  # fmt: skip
    """Keep what a watch saw last, and since when its price is below what was asked for and that was said."""
    seen = sa.update(t.watch).where(t.watch.c.id == id_)
    with database.write() as connection:
        connection.execute(seen.values(looked=now, last_total=total, currency=currency, told=told))


def end_watch(database: Database, team_id: str, id_: int, now: datetime) -> bool:
    """Stop a watch of this workspace; False when there is none that goes on."""
    c = t.watch.c
    mine = sa.update(t.watch).where(c.team_id == team_id, c.id == id_, c.ended.is_(None))
    with database.write() as connection:
        return bool(connection.execute(mine.values(ended=now)).rowcount)
