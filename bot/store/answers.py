"""Answers, kept so that they can be given again byte for byte, and what people thought of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.database import Database, StoreError, added


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer as it was given: ``body`` to the byte, and where it was asked."""

    team_id: str
    id: str
    body: bytes
    at: datetime
    question: Mapping[str, Any] | None = None
    text: str | None = None  # what was typed, where keeping it is allowed
    asker: str | None = None
    channel: str | None = None
    thread_ts: str | None = None


def answer_id(body: bytes) -> str:
    """The name of an answer, made of its bytes: the same answer has the same name everywhere."""
    return hashlib.sha256(body).hexdigest()[:12]


def keep_answer(database: Database, kept: KeptAnswer) -> None:
    """Keep an answer. Keeping it again changes nothing; other bytes under its name are refused."""
    row = database.insert(t.answer).values({name: getattr(kept, name) for name in KeptAnswer.__slots__})
    with database.write() as connection:
        if added(connection, row.on_conflict_do_nothing()):
            return
        c = t.answer.c
        body = connection.execute(sa.select(c.body).where(c.team_id == kept.team_id, c.id == kept.id)).scalar_one()
    if bytes(body) != kept.body:
        raise StoreError(f"answer {kept.id} is already kept and says something else")


def kept_answer(database: Database, team_id: str, id_: str) -> KeptAnswer | None:
    """The answer of that name in a workspace, None when there is none."""
    c = t.answer.c
    with database.read() as connection:
        row = connection.execute(sa.select(t.answer).where(c.team_id == team_id, c.id == id_)).mappings().first()
    return None if row is None else KeptAnswer(**{**row, "body": bytes(row["body"])})


@dataclass(frozen=True, slots=True)
class Feedback:
    """One person's opinion of one answer."""

    team_id: str
    answer_id: str
    user_id: str
    good: bool
    at: datetime
    reason: str | None = None


def put_feedback(database: Database, feedback: Feedback) -> None:
    """Keep an opinion; a person who changes it has one, the last."""
    row = database.insert(t.feedback).values({name: getattr(feedback, name) for name in Feedback.__slots__})
    changed = {name: row.excluded[name] for name in ("good", "reason", "at")}
    with database.write() as connection:
        connection.execute(row.on_conflict_do_update(index_elements=["team_id", "answer_id", "user_id"], set_=changed))


def body_of(database: Database, id_: str) -> bytes | None:
    """The bytes of an answer in whatever workspace it was given: the id names the bytes, so they are the same."""
    with database.read() as connection:
        found = connection.execute(sa.select(t.answer.c.body).where(t.answer.c.id == id_).limit(1)).scalar()
    return None if found is None else bytes(found)
