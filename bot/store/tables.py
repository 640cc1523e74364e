"""Every table, in one place. A change here needs a migration beside it; a test compares the two."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, Index, Table
from sqlalchemy.engine import Dialect

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcTime(sa.TypeDecorator[datetime]):
    """A moment: aware on our side, UTC without a zone in the database."""

    impl = sa.DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs its zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


class Exact(sa.TypeDecorator[Decimal]):
    """A Decimal kept digit for digit: SQLite would turn a number column into a float."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Decimal | None:  # noqa: ARG002
        return None if value is None else Decimal(value)


class Json(sa.TypeDecorator[Any]):
    """Plain JSON values as text with sorted keys, so that equal values are equal text."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else as_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002
        return None if value is None else json.loads(value)


def as_text(value: Any) -> str:
    """The one spelling of a JSON value. A Decimal is written as text, for JSON numbers are read back as floats."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no JSON value")


# Every row belongs to a workspace; public price lists belong to PUBLIC, the terminal's own rows to LOCAL.
PUBLIC = ""
LOCAL = "local"


def _team(*, key: bool = False) -> Column[str]:
    return Column("team_id", sa.String(64), primary_key=key, nullable=False)


def _text(name: str, *, key: bool = False, null: bool = False) -> Column[str]:
    return Column(name, sa.Text, primary_key=key, nullable=null)


def _time(name: str, *, null: bool = False) -> Column[datetime]:
    return Column(name, UtcTime, nullable=null)


# ---------------------------------------------------------------- conversations

seen_event = Table("seen_event", metadata, _team(key=True), _text("key", key=True), _time("at"))
Index(None, seen_event.c.at)

thread = Table(
    "thread", metadata,
    _team(key=True), _text("channel", key=True), _text("thread_ts", key=True),
    _text("asker"), _text("lang"), Column("question", Json, nullable=False),
    _text("answer_id", null=True), _text("message_ts", null=True), _time("at"),
)  # fmt: skip
Index(None, thread.c.at)

rate = Table("rate", metadata, _team(key=True), _text("key", key=True), _time("free_at"))
Index(None, rate.c.free_at)

first_post = Table(
    "first_post", metadata,
    _team(key=True), _text("key", key=True),
    _text("channel"), _text("thread_ts", null=True), _time("intended"), _text("ts", null=True),
    _time("posted", null=True),
)  # fmt: skip
Index(None, first_post.c.intended)

# What was taken in and is not answered yet; the row goes when the answer is out, and the text with it.
inbox = Table(
    "inbox", metadata,
    _team(key=True), _text("key", key=True), _text("kind"), Column("body", Json, nullable=False),
    _text("owner"), _time("until"), Column("tries", sa.Integer, nullable=False), _time("at"),
)  # fmt: skip
Index(None, inbox.c.until)

# ---------------------------------------------------------------- answers

answer = Table(
    "answer", metadata,
    _team(key=True), _text("id", key=True),
    Column("body", sa.LargeBinary, nullable=False), Column("question", Json), _text("text", null=True),
    _text("asker", null=True), _text("channel", null=True), _text("thread_ts", null=True), _time("at"),
)  # fmt: skip
Index(None, answer.c.at)

feedback = Table(
    "feedback", metadata,
    _team(key=True), _text("answer_id", key=True), _text("user_id", key=True),
    Column("good", sa.Boolean, nullable=False), _text("reason", null=True), _time("at"),
)  # fmt: skip

# ---------------------------------------------------------------- prices

price_snapshot = Table(
    "price_snapshot", metadata,
    Column("id", sa.Integer, primary_key=True), _team(), _text("source"),
    _time("seen", null=True),  # None: undated, kept but never in force
    _time("started"), _time("finished", null=True),  # None: not read to its end, so never current
    Column("rows", sa.Integer, nullable=False), _text("digest", null=True),
)  # fmt: skip
Index(None, price_snapshot.c.team_id, price_snapshot.c.source, price_snapshot.c.seen)


def _observed() -> list[Column[Any]]:
    return [
        _text("key"), _text("provider"), _text("gpu"), Column("facts", Json, nullable=False),
        Column("amount", Exact, nullable=False), _text("currency"), _text("unit"), _text("says"),
    ]  # fmt: skip


# Rows of a snapshot that is still being read; they become observations all at once.
price_staged = Table(
    "price_staged", metadata,
    Column("snapshot_id", sa.Integer, primary_key=True), _text("key", key=True), *_observed()[1:],
)  # fmt: skip

price_observation = Table(
    "price_observation", metadata,
    Column("id", sa.Integer, primary_key=True), _team(), _text("source"), *_observed(),
    _time("first_seen", null=True), _time("last_seen", null=True),
)  # fmt: skip
Index("ix_price_observation_when", *(price_observation.c[n] for n in ("team_id", "source", "last_seen", "first_seen")))
Index("ix_price_observation_key", *(price_observation.c[n] for n in ("team_id", "source", "key", "says")))
Index("ix_price_observation_gpu", *(price_observation.c[n] for n in ("team_id", "gpu", "source", "last_seen")))

# ---------------------------------------------------------------- benchmarks

host = Table(
    "host", metadata,
    _team(key=True), _text("name", key=True),
    _text("address"), Column("port", sa.Integer, nullable=False), _text("login"), _text("host_key"),
    _text("key_file"), _text("python", null=True), _text("ordered_as", null=True), _text("offer", null=True),
    Column("claim_tflops", Exact), _text("state"), _text("state_note", null=True), _time("state_at"),
    _text("added_by", null=True), _time("added"),
)  # fmt: skip

reading = Table(
    "reading", metadata,
    _team(key=True), _text("id", key=True),
    _text("host"), _text("gpu", null=True), _text("dtype", null=True), _text("verdict", null=True),
    _text("offer", null=True), Column("tflops", Exact), Column("record", Json, nullable=False), _time("at"),
)  # fmt: skip
Index(None, reading.c.team_id, reading.c.host, reading.c.at)
Index(None, reading.c.team_id, reading.c.gpu, reading.c.at)

# ---------------------------------------------------------------- digests and watches

subscription = Table(
    "subscription", metadata,
    _team(key=True), _text("channel", key=True),
    _text("period"), Column("weekday", sa.Integer), Column("hour", sa.Integer, nullable=False),
    Column("minute", sa.Integer, nullable=False), _text("zone"), _text("lang"),
    Column("gpus", Json, nullable=False), Column("exclude_gpus", Json, nullable=False),
    Column("threshold", Exact), _text("asked_by"), _time("since"),
    Column("failures", sa.Integer, nullable=False), _text("paused_because", null=True),
)  # fmt: skip

digest_post = Table(
    "digest_post", metadata,
    _team(key=True), _text("channel", key=True), _text("period", key=True),
    _text("state"), _text("job_id", null=True), _text("ts", null=True), _time("at"),
)  # fmt: skip

watch = Table(
    "watch", metadata,
    Column("id", sa.Integer, primary_key=True), _team(), _text("channel"), _text("thread_ts", null=True),
    _text("asker"), _text("lang"), Column("question", Json, nullable=False), Column("threshold", Exact),
    Column("last_total", Exact), _text("currency", null=True), _time("since"), _time("looked", null=True),
    _time("ended", null=True), _time("told", null=True),  # told: since then it is below, and that was said
)  # fmt: skip
Index(None, watch.c.team_id, watch.c.channel)

# ---------------------------------------------------------------- durable jobs: what the library does not keep

job = Table(
    "job", metadata,
    _text("id", key=True), _team(), _text("kind"), _text("lane", null=True), Column("args", Json, nullable=False),
    _text("asked_by", null=True), _time("submitted"),
    _text("runner", null=True), Column("runs", sa.Integer, nullable=False),
    Column("note", Json), _time("alive", null=True),
    _time("cancel_asked", null=True), _text("cancel_by", null=True), _text("reported", null=True),
)  # fmt: skip
Index(None, job.c.team_id, job.c.kind, job.c.submitted)

job_executor = Table("job_executor", metadata, _text("id", key=True), Column("beat", sa.Float, nullable=False))

job_schedule = Table(
    "job_schedule", metadata,
    _text("name", key=True), _text("definition"), _text("catch_up"), _time("handled"),
)  # fmt: skip
