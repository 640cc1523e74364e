"""The rows of a table as they are, for tests that look behind the functions of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from bot.store import Database, tables


def observations(db: Database, **of: str) -> Sequence[sa.Row[Any]]:
    """What public price sources said, by source, offer and time, undated rows last of their offer."""
    o = tables.price_observation.c
    wanted = sa.select(tables.price_observation).where(o.team_id == tables.PUBLIC)
    for name, value in of.items():
        wanted = wanted.where(o[name] == value)
    with db.read() as connection:
        return connection.execute(wanted.order_by(o.source, o.key, o.first_seen.is_(None), o.first_seen, o.id)).all()


def sources(db: Database) -> list[str]:
    """The public price sources of which a whole snapshot is kept, by name."""
    s = tables.price_snapshot.c
    wanted = sa.select(s.source).where(s.team_id == tables.PUBLIC, s.finished.is_not(None)).distinct()
    with db.read() as connection:
        return list(connection.execute(wanted.order_by(s.source)).scalars())


def opinions(db: Database, team: str) -> Sequence[sa.Row[Any]]:
    """What the people of a workspace think of its answers, by answer and person."""
    f = tables.feedback.c
    with db.read() as connection:
        return connection.execute(
            sa.select(tables.feedback).where(f.team_id == team).order_by(f.answer_id, f.user_id)
        ).all()
