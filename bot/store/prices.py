"""What price sources said and when: snapshots of a source, collapsed to intervals.

An observation says: this source offered this at this price in every complete snapshot from ``first_seen`` to
``last_seen``. What a snapshot no longer lists ends with the one before it; a price that comes back later is a new
observation. Snapshots may arrive in any order of time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import Any

import sqlalchemy as sa

from bot.store import tables as t
from bot.store.database import Database, StoreError, added
from bot.store.observed import Imported, Observation, PriceSnapshot

_STAGE_ROWS = 2000  # rows of one transaction while a snapshot is read: others may write in between
_OBSERVED = ("key", "provider", "gpu", "facts", "amount", "currency", "unit", "says")


def import_snapshot(
    database: Database, source: str, rows: Iterable[Observation], *, seen: datetime | None, now: datetime,
    team_id: str = t.PUBLIC,
) -> Imported:  # fmt: skip
    """Read one snapshot of a source to its end and make it count, all at once.

    When ``rows`` raises, or the process ends, nothing of it ever counts. ``seen`` is when the source said so, None
    when unknown: such rows are kept and never current. Raises ``StoreError`` when two rows have one key, or when the
    source already said something else at that very time.
    """
    with database.write() as connection:
        started = t.price_snapshot.insert().values(team_id=team_id, source=source, seen=seen, started=now, rows=0)
        key = connection.execute(started).inserted_primary_key
    assert key is not None
    id_ = int(key[0])
    try:
        count, digest = _stage(database, id_, source, rows)
        return _finish(database, id_, team_id, source, seen, now, count, digest)
    except BaseException:
        _forget(database, id_)
        raise


def _stage(database: Database, id_: int, source: str, rows: Iterable[Observation]) -> tuple[int, str]:
    """Write the rows aside in small transactions; gives their number and a hash that is blind to their order."""
    keys: set[str] = set()
    total, left = 0, iter(rows)
    while some := list(islice(left, _STAGE_ROWS)):
        for row in some:
            if row.key in keys:
                raise StoreError(f"{source} lists the offer {row.key!r} twice in one snapshot")
            keys.add(row.key)
        values = [_staged(id_, row) for row in some]
        total += sum(_number(f"{value['key']}\n{value['says']}") for value in values)
        with database.write() as connection:
            connection.execute(sa.insert(t.price_staged), values)
    return len(keys), f"{total % (1 << 256):064x}"


def _staged(id_: int, row: Observation) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in _OBSERVED[:-1]}
    amount = _canonical(row.amount)
    # Two rows say the same thing when this text is the same: 1.50 and 1.5 do.
    says = t.as_text([row.provider, row.gpu, row.facts, str(amount), row.currency, row.unit])
    return {**values, "amount": amount, "snapshot_id": id_, "says": hashlib.sha256(says.encode()).hexdigest()}


def _canonical(amount: Decimal) -> Decimal:
    plain = amount.normalize()
    return plain.quantize(Decimal(1)) if plain == plain.to_integral_value() else plain


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest())


def _finish(
    database: Database, id_: int, team_id: str, source: str, seen: datetime | None, now: datetime, count: int,
    digest: str,
) -> Imported:  # fmt: skip
    snapshot, staged = t.price_snapshot.c, t.price_staged.c
    with database.write() as connection:
        if not database.is_sqlite:  # imports of one source finish one after the other
            lock = sa.func.hashtext(f"gpu-bot prices {team_id} {source}")
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(lock)))
        ours = sa.select(snapshot.id, snapshot.digest).where(
            snapshot.team_id == team_id, snapshot.source == source, snapshot.finished.is_not(None)
        )
        same = ours.where(snapshot.seen == seen) if seen else ours.where(snapshot.seen.is_(None))
        for earlier in connection.execute(same).all():
            if earlier.digest == digest:
                connection.execute(sa.delete(t.price_snapshot).where(snapshot.id == id_))
                connection.execute(sa.delete(t.price_staged).where(staged.snapshot_id == id_))
                return Imported(snapshot=int(earlier.id), rows=count, new=0, already_known=True)
            if seen:
                raise StoreError(f"{source} already has another snapshot of {seen.isoformat()}")
        if not database.is_sqlite:  # it knows nothing yet of rows written this minute, and would look at each for each
            connection.execute(sa.text("SET LOCAL enable_nestloop = off"))
        new = _merge(connection, id_, team_id, source, seen)
        connection.execute(
            sa.update(t.price_snapshot).where(snapshot.id == id_).values(finished=now, rows=count, digest=digest)
        )
        connection.execute(sa.delete(t.price_staged).where(staged.snapshot_id == id_))
    return Imported(snapshot=id_, rows=count, new=new)


def _merge(connection: sa.Connection, id_: int, team_id: str, source: str, seen: datetime | None) -> int:
    """Turn the staged rows into observations; gives how many are new."""
    o, staged = t.price_observation.c, t.price_staged
    own = (o.team_id == team_id, o.source == source)
    listed = sa.select(staged.c.key).where(
        staged.c.snapshot_id == id_, staged.c.key == o.key, staged.c.says == o.says
    )  # fmt: skip
    if seen is not None:
        before, after = _neighbours(connection, team_id, source, seen)
        covers = (o.first_seen < seen, o.last_seen > seen)
        if before is not None and after is not None:
            _split(connection, own, covers, listed, before, after)
        if before is not None:
            grow = sa.update(t.price_observation).where(*own, o.last_seen == before, listed.exists())
            connection.execute(grow.values(last_seen=seen))
        if after is not None:
            # None of these just grew up to here: what two neighbours both list is one observation already.
            early = sa.update(t.price_observation).where(*own, o.first_seen == after, listed.exists())
            connection.execute(early.values(first_seen=seen))
    k = t.price_observation.alias("known").c
    # Spelt so that SQLite does not look it up by time, where thousands of rows are, instead of by key, where few are.
    last_seen = sa.func.coalesce(k.last_seen, k.first_seen)
    when = k.first_seen.is_(None) if seen is None else sa.and_(k.first_seen <= seen, last_seen >= seen)
    known = sa.select(k.id).where(
        k.team_id == team_id, k.source == source, k.key == staged.c.key, k.says == staged.c.says, when
    )  # fmt: skip
    fresh = sa.select(
        sa.literal(team_id), sa.literal(source), *(staged.c[name] for name in _OBSERVED),
        sa.literal(seen, t.UtcTime), sa.literal(seen, t.UtcTime),
    ).where(staged.c.snapshot_id == id_, sa.not_(known.exists()))  # fmt: skip
    names = ["team_id", "source", *_OBSERVED, "first_seen", "last_seen"]
    return added(connection, sa.insert(t.price_observation).from_select(names, fresh))


def _neighbours(
    connection: sa.Connection, team_id: str, source: str, seen: datetime
) -> tuple[datetime | None, datetime | None]:
    c = t.price_snapshot.c
    ours = (c.team_id == team_id, c.source == source, c.finished.is_not(None))
    before = sa.select(c.seen).where(*ours, c.seen < seen).order_by(c.seen.desc()).limit(1)
    after = sa.select(c.seen).where(*ours, c.seen > seen).order_by(c.seen).limit(1)
    return connection.execute(before).scalar(), connection.execute(after).scalar()


def _split(
    connection: sa.Connection, own: tuple[Any, ...], covers: tuple[Any, ...], listed: sa.Select[Any],
    before: datetime, after: datetime,
) -> None:  # fmt: skip
    """Cut in two what was thought to hold all the time, and which a snapshot from in between does not list."""
    o = t.price_observation.c
    cut = (*own, *covers, sa.not_(listed.exists()))
    names = ["team_id", "source", *_OBSERVED, "first_seen", "last_seen"]
    second = sa.select(
        o.team_id, o.source, *(o[name] for name in _OBSERVED), sa.literal(after, t.UtcTime), o.last_seen
    ).where(*cut)  # fmt: skip
    connection.execute(sa.insert(t.price_observation).from_select(names, second))
    connection.execute(sa.update(t.price_observation).where(*cut).values(last_seen=before))


def _forget(database: Database, id_: int) -> None:
    """Clear away a snapshot that was not read to its end."""
    with database.write() as connection:
        connection.execute(sa.delete(t.price_staged).where(t.price_staged.c.snapshot_id == id_))
        unread = (t.price_snapshot.c.id == id_, t.price_snapshot.c.finished.is_(None))
        connection.execute(sa.delete(t.price_snapshot).where(*unread))


# ---------------------------------------------------------------- reading


def snapshot_at(database: Database, source: str, moment: datetime, team_id: str = t.PUBLIC) -> PriceSnapshot | None:
    """The newest complete dated snapshot of a source at a moment."""
    c = t.price_snapshot.c
    wanted = sa.select(c.id, c.source, c.seen, c.finished, c.rows).where(
        c.team_id == team_id, c.source == source, c.finished.is_not(None), c.seen <= moment
    )
    with database.read() as connection:
        row = connection.execute(wanted.order_by(c.seen.desc()).limit(1)).mappings().first()
    return None if row is None else PriceSnapshot(**row)


def amounts_at(database: Database, source: str, moment: datetime, team_id: str = t.PUBLIC) -> dict[str, Decimal]:
    """The amounts by key of a source's newest complete snapshot at a moment."""
    snapshot = snapshot_at(database, source, moment, team_id)
    if snapshot is None:
        return {}
    o = t.price_observation.c
    holds = (o.first_seen <= snapshot.seen, o.last_seen >= snapshot.seen)
    wanted = sa.select(o.key, o.amount).where(o.team_id == team_id, o.source == source, *holds)
    with database.read() as connection:
        return {row.key: row.amount for row in connection.execute(wanted)}
