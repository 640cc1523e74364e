"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "answer",
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("question", sa.Text()),
        sa.Column("text", sa.Text()),
        sa.Column("asker", sa.Text()),
        sa.Column("channel", sa.Text()),
        sa.Column("thread_ts", sa.Text()),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "id", name="pk_answer"),
    )
    op.create_index("ix_answer_at", "answer", ["at"])
    op.create_table(
        "digest_post",
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text()),
        sa.Column("ts", sa.Text()),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "channel", "period", name="pk_digest_post"),
    )
    op.create_table(
        "feedback",
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("answer_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("good", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "answer_id", "user_id", name="pk_feedback"),
    )
    op.create_table(
        "first_post",
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("thread_ts", sa.Text()),
        sa.Column("intended", sa.DateTime(), nullable=False),
        sa.Column("ts", sa.Text()),
        sa.Column("posted", sa.DateTime()),
        sa.PrimaryKeyConstraint("team_id", "key", name="pk_first_post"),
    )
    op.create_index("ix_first_post_intended", "first_post", ["intended"])
    op.create_table(
        "host",
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("login", sa.Text(), nullable=False),
        sa.Column("host_key", sa.Text(), nullable=False),
        sa.Column("key_file", sa.Text(), nullable=False),
        sa.Column("python", sa.Text()),
        sa.Column("ordered_as", sa.Text()),
        sa.Column("offer", sa.Text()),
        sa.Column("claim_tflops", sa.Text()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("state_note", sa.Text()),
        sa.Column("state_at", sa.DateTime(), nullable=False),
        sa.Column("added_by", sa.Text()),
        sa.Column("added", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "name", name="pk_host"),
    )
    op.create_table(
        "inbox",
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "key", name="pk_inbox"),
    )
    op.create_index("ix_inbox_until", "inbox", ["until"])
    op.create_table(
        "job",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("lane", sa.Text()),
        sa.Column("args", sa.Text(), nullable=False),
        sa.Column("asked_by", sa.Text()),
        sa.Column("submitted", sa.DateTime(), nullable=False),
        sa.Column("runner", sa.Text()),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text()),
        sa.Column("alive", sa.DateTime()),
        sa.Column("cancel_asked", sa.DateTime()),
        sa.Column("cancel_by", sa.Text()),
        sa.Column("reported", sa.Text()),
        sa.PrimaryKeyConstraint("id", name="pk_job"),
    )
    op.create_index("ix_job_team_id_kind_submitted", "job", ["team_id", "kind", "submitted"])
    op.create_table(
        "job_executor",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("beat", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_job_executor"),
    )
    op.create_table(
        "job_schedule",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("catch_up", sa.Text(), nullable=False),
        sa.Column("handled", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_job_schedule"),
    )
    op.create_table(
        "price_observation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("gpu", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("amount", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("says", sa.Text(), nullable=False),
        sa.Column("first_seen", sa.DateTime()),
        sa.Column("last_seen", sa.DateTime()),
        sa.PrimaryKeyConstraint("id", name="pk_price_observation"),
    )
    op.create_index("ix_price_observation_gpu", "price_observation", ["team_id", "gpu", "source", "last_seen"])
    op.create_index("ix_price_observation_key", "price_observation", ["team_id", "source", "key", "says"])
    op.create_index("ix_price_observation_when", "price_observation", ["team_id", "source", "last_seen", "first_seen"])
    op.create_table(
        "price_snapshot",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("seen", sa.DateTime()),
        sa.Column("started", sa.DateTime(), nullable=False),
        sa.Column("finished", sa.DateTime()),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text()),
        sa.PrimaryKeyConstraint("id", name="pk_price_snapshot"),
    )
    op.create_index("ix_price_snapshot_team_id_source_seen", "price_snapshot", ["team_id", "source", "seen"])
    op.create_table(
        "price_staged",
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("gpu", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("amount", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("says", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("snapshot_id", "key", name="pk_price_staged"),
    )
    op.create_table(
        "rate",
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("free_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "key", name="pk_rate"),
    )
    op.create_index("ix_rate_free_at", "rate", ["free_at"])
    op.create_table(
        "reading",
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("gpu", sa.Text()),
        sa.Column("dtype", sa.Text()),
        sa.Column("verdict", sa.Text()),
        sa.Column("offer", sa.Text()),
        sa.Column("tflops", sa.Text()),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "id", name="pk_reading"),
    )
    op.create_index("ix_reading_team_id_gpu_at", "reading", ["team_id", "gpu", "at"])
    op.create_index("ix_reading_team_id_host_at", "reading", ["team_id", "host", "at"])
    op.create_table(
        "seen_event",
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "key", name="pk_seen_event"),
    )
    op.create_index("ix_seen_event_at", "seen_event", ["at"])
    op.create_table(
        "subscription",
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("weekday", sa.Integer()),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("lang", sa.Text(), nullable=False),
        sa.Column("gpus", sa.Text(), nullable=False),
        sa.Column("exclude_gpus", sa.Text(), nullable=False),
        sa.Column("threshold", sa.Text()),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("paused_because", sa.Text()),
        sa.PrimaryKeyConstraint("team_id", "channel", name="pk_subscription"),
    )
    op.create_table(
        "thread",
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("thread_ts", sa.Text(), nullable=False),
        sa.Column("asker", sa.Text(), nullable=False),
        sa.Column("lang", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer_id", sa.Text()),
        sa.Column("message_ts", sa.Text()),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "channel", "thread_ts", name="pk_thread"),
    )
    op.create_index("ix_thread_at", "thread", ["at"])
    op.create_table(
        "watch",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("thread_ts", sa.Text()),
        sa.Column("asker", sa.Text(), nullable=False),
        sa.Column("lang", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("threshold", sa.Text()),
        sa.Column("last_total", sa.Text()),
        sa.Column("currency", sa.Text()),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("looked", sa.DateTime()),
        sa.Column("ended", sa.DateTime()),
        sa.PrimaryKeyConstraint("id", name="pk_watch"),
    )
    op.create_index("ix_watch_team_id_channel", "watch", ["team_id", "channel"])
