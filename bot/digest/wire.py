"""A digest as JSON values, which is what ``--json`` prints and what is worded for people."""

from __future__ import annotations

from typing import Any

from bot.digest.model import Cheapest, Digest, Dispute, Move, Price, Thing
from rules.model import Rate, Source
from rules.prices import last_look
from rules.wire import number


def digest_json(one: Digest) -> dict[str, Any]:
    """The object that ``--json`` prints; whatever a person reads is worded from it."""
    out = {
        "period": one.period.name,
        "from": one.period.first.isoformat(),
        "to": one.period.last.isoformat(),
        "until": one.until.isoformat(),
        "complete": one.until == one.period.last,
        "has_data": one.has_data,
        "moves": [move_json(move) for move in one.moves],
        "hidden_moves": one.hidden,
        "cheapest": [_cheapest_json(row) for row in one.cheapest],
        "conflicts": {
            "opened": [_dispute_json(row) for row in one.opened],
            "settled": [_dispute_json(row) for row in one.settled],
        },
        "stale": [
            {"provider": s.provider or None, "source": s.source, "last_look": s.last_look.isoformat(), "lines": s.lines}
            for s in one.stale
        ],
        "coverage": {
            "feeds_up": sum(feed.up for feed in one.feeds),
            "feeds": [
                {"source": f.source, "up": f.up, "last": f.last.isoformat(), "rows": f.rows, "first_time": f.first_time}
                for f in one.feeds
            ],
            "knowledge_sources_looked_at": one.looked,
            "knowledge_sources": one.sources,
        },
        "readings": [dict(row) for row in one.readings],
    }
    return {**out, "names": _names(one)}


def _names(one: Digest) -> dict[str, dict[str, str]]:
    """The names of the providers that the digest mentions."""
    said = {move.thing.provider for move in one.moves}
    said |= {row.thing.provider for row in (*one.opened, *one.settled)}
    said |= {price.thing.provider for row in one.cheapest for price in (row.now, row.before) if price is not None}
    said |= {row.provider for row in one.stale}
    return {name: {"en": one.names[name].en, "zh": one.names[name].zh} for name in sorted(said) if name in one.names}


def _thing_json(thing: Thing) -> dict[str, Any]:
    return {
        "provider": thing.provider,
        "sku": thing.sku,
        "gpu": thing.gpu,
        "memory_gb": None if thing.memory_gb is None else number(thing.memory_gb),
        "form": thing.form,
        "gpus": number(thing.gpus),
        "plan": thing.plan,
    }


def _source_json(source: Source) -> dict[str, Any]:
    return {"key": source.key, "title": source.title, "kind": source.kind, "url": source.url}


def _rate_json(rate: Rate | None) -> dict[str, Any] | None:
    return None if rate is None else {"amount": number(rate.amount), "currency": rate.currency, "per": rate.unit}


def move_json(move: Move) -> dict[str, Any]:
    return {
        "kind": move.kind,
        **_thing_json(move.thing),
        "regions": list(move.regions),
        "was": _rate_json(move.was),
        "now": _rate_json(move.now),
        "percent": None if move.percent is None else number(move.percent, 2),
        "from": None if move.start is None else move.start.isoformat(),
        "found_late": move.found_late,
        "far": move.far,
        "source": _source_json(move.source),
        "seen": move.seen.isoformat(),
    }


def _price_json(price: Price | None) -> dict[str, Any] | None:
    if price is None:
        return None
    return {
        "usd_per_gpu_hour": number(price.usd),
        "provider": price.thing.provider,
        "sku": price.thing.sku,
        "region": price.region,
        "source": _source_json(price.source),
        "seen": price.seen.isoformat(),
        "stale": price.stale,
    }


def _cheapest_json(row: Cheapest) -> dict[str, Any]:
    percent = None
    if row.now is not None and row.before is not None and row.before.usd:
        percent = number((row.now.usd - row.before.usd) / row.before.usd * 100, 2)
    return {
        "gpu": row.gpu,
        "memory_gb": None if row.memory_gb is None else number(row.memory_gb),
        "plan": row.plan,
        "now": _price_json(row.now),
        "before": _price_json(row.before),
        "percent": percent,
    }


def _dispute_json(row: Dispute) -> dict[str, Any]:
    return {
        "offer": row.offer,
        **_thing_json(row.thing),
        "used": {"says": row.used.says, "source": row.used.source.key, "seen": last_look(row.used).isoformat()},
        "other": {"says": row.other.says, "source": row.other.source.key, "seen": last_look(row.other).isoformat()},
        "because": row.because,
    }
