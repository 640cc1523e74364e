"""What people asked and nobody has answered yet, so that a process that dies takes no question with it.

A row is written together with the names under which its event was seen, belongs to one process for as long as that
one says it lives, and goes when the answer is out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.database import Database, added


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to answer. ``body`` is plain JSON; ``tries`` counts the processes that began with it."""

    team_id: str
    key: str
    kind: str
    body: Mapping[str, Any]
    at: datetime
    tries: int = 1


def take_in(database: Database, item: Item, seen: Sequence[str], owner: str, until: datetime) -> bool:
    """Keep an item for ``owner``, unless one of the names of its event was ``seen`` before: then False, and the item
    is somebody else's."""
    names = sorted(set(seen))  # one order everywhere, so that two writers never wait for each other
    with database.write() as connection:
        new = 0
        for name in names:
            row = database.insert(t.seen_event).values(team_id=item.team_id, key=name, at=item.at)
            new += added(connection, row.on_conflict_do_nothing())
        if new != len(names):
            return False
        values = {name: getattr(item, name) for name in Item.__slots__} | {"owner": owner, "until": until}
        return bool(added(connection, database.insert(t.inbox).values(values).on_conflict_do_nothing()))


def still_mine(database: Database, owner: str, until: datetime) -> int:
    """Say that ``owner`` lives and keeps its items until then; gives how many there are."""
    with database.write() as connection:
        return connection.execute(sa.update(t.inbox).where(t.inbox.c.owner == owner).values(until=until)).rowcount


def take_over(database: Database, owner: str, now: datetime, until: datetime, limit: int = 20) -> list[Item]:
    """Give ``owner`` the oldest items whose process has not been heard of: each goes to one caller only."""
    c = t.inbox.c
    lost = sa.select(c.team_id, c.key).where(c.until < now, c.owner != owner).order_by(c.at).limit(limit)
    taken: list[Item] = []
    with database.read() as connection:
        if connection.execute(lost.limit(1)).first() is None:
            return []
    with database.write() as connection:
        for team_id, key in connection.execute(lost.with_for_update(skip_locked=True)).all():
            here = (c.team_id == team_id, c.key == key)
            connection.execute(sa.update(t.inbox).where(*here).values(owner=owner, until=until, tries=c.tries + 1))
            row = connection.execute(sa.select(*(c[name] for name in Item.__slots__)).where(*here)).mappings().one()
            taken.append(Item(**row))
    return taken


def done(database: Database, team_id: str, key: str) -> None:
    """The item is answered: forget it."""
    with database.write() as connection:
        connection.execute(sa.delete(t.inbox).where(t.inbox.c.team_id == team_id, t.inbox.c.key == key))


def give_up(database: Database, owner: str, now: datetime) -> None:
    """``owner`` stops: whoever looks next may take what it has left."""
    with database.write() as connection:
        connection.execute(sa.update(t.inbox).where(t.inbox.c.owner == owner).values(until=now))


def waiting(database: Database) -> int:
    """How many items are not answered."""
    with database.read() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(t.inbox)).scalar_one())
