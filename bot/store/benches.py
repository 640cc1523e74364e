"""GPU hosts that benchmarks may run on, and what the benchmarks read there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.database import Database, StoreError, added

HOST_STATES = ("ready", "unreachable", "hostkey", "no_torch", "busy", "dirty")


@dataclass(frozen=True, slots=True)
class Host:
    """A registered host. ``key_file`` is a path: no key material is ever kept here."""

    team_id: str
    name: str
    address: str
    login: str
    host_key: str  # the whole pinned line, "ssh-ed25519 AAAA…"
    key_file: str
    state_at: datetime
    added: datetime
    port: int = 22
    python: str | None = None
    ordered_as: str | None = None
    offer: str | None = None
    claim_tflops: Decimal | None = None
    state: str = "ready"
    state_note: str | None = None
    added_by: str | None = None


def add_host(database: Database, host: Host, *, replace: bool = False) -> None:
    """Register a host. Raises ``StoreError`` when the name is taken and ``replace`` does not say otherwise."""
    _check_state(host.state)
    values = {name: getattr(host, name) for name in Host.__slots__}
    row = database.insert(t.host).values(values)
    with database.write() as connection:
        if replace:
            changed = {name: row.excluded[name] for name in values if name not in ("team_id", "name")}
            connection.execute(row.on_conflict_do_update(index_elements=["team_id", "name"], set_=changed))
        elif not added(connection, row.on_conflict_do_nothing()):
            raise StoreError(f"a host named {host.name} is registered already; remove it first or take another name")


def host(database: Database, team_id: str, name: str) -> Host | None:
    c = t.host.c
    with database.read() as connection:
        row = connection.execute(sa.select(t.host).where(c.team_id == team_id, c.name == name)).mappings().first()
    return None if row is None else Host(**row)


def hosts(database: Database, team_id: str) -> list[Host]:
    """The hosts of a workspace by name."""
    c = t.host.c
    with database.read() as connection:
        rows = connection.execute(sa.select(t.host).where(c.team_id == team_id).order_by(c.name)).mappings()
        return [Host(**row) for row in rows]


def remove_host(database: Database, team_id: str, name: str) -> bool:
    """Forget a host; its readings stay. False when there was none."""
    c = t.host.c
    with database.write() as connection:
        return bool(connection.execute(sa.delete(t.host).where(c.team_id == team_id, c.name == name)).rowcount)


def put_host_state(
    database: Database, team_id: str, name: str, state: str, now: datetime, note: str | None = None
) -> bool:
    """What became of the last contact with a host (``HOST_STATES``). False when it is not registered."""
    _check_state(state)
    c = t.host.c
    change = sa.update(t.host).where(c.team_id == team_id, c.name == name)
    with database.write() as connection:
        return bool(connection.execute(change.values(state=state, state_note=note, state_at=now)).rowcount)


def _check_state(state: str) -> None:
    if state not in HOST_STATES:
        raise ValueError(f"{state!r} is no state of a host; they are {', '.join(HOST_STATES)}")


@dataclass(frozen=True, slots=True)
class Reading:
    """One benchmark record, whole in ``record``; the other fields are what it is looked up by."""

    team_id: str
    id: str  # the job's, so that a job that is run again keeps one reading
    host: str
    at: datetime
    record: Mapping[str, Any]
    gpu: str | None = None
    dtype: str | None = None
    verdict: str | None = None
    offer: str | None = None
    tflops: Decimal | None = None


def keep_reading(database: Database, reading: Reading) -> bool:
    """Keep a reading; False when the one of that id is kept already and stays."""
    row = database.insert(t.reading).values({name: getattr(reading, name) for name in Reading.__slots__})
    with database.write() as connection:
        return bool(added(connection, row.on_conflict_do_nothing()))


def readings(
    database: Database, team_id: str, *, host: str | None = None, gpu: str | None = None,
    since: datetime | None = None, until: datetime | None = None, limit: int | None = None,
) -> list[Reading]:  # fmt: skip
    """The readings of a workspace, the newest first."""
    c = t.reading.c
    wanted = sa.select(t.reading).where(c.team_id == team_id).order_by(c.at.desc(), c.id)
    if host is not None:
        wanted = wanted.where(c.host == host)
    if gpu is not None:
        wanted = wanted.where(c.gpu == gpu)
    if since is not None:
        wanted = wanted.where(c.at >= since)
    if until is not None:
        wanted = wanted.where(c.at <= until)
    with database.read() as connection:
        return [Reading(**row) for row in connection.execute(wanted.limit(limit)).mappings()]
