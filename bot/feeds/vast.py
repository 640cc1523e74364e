"""Vast.ai's public search: JSON, one object for each machine that is offered right now.

Only verified machines count, and of one size in one country the cheapest: its price without disk, since the disk is
asked for separately. A bid is the spot price.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from bot.feeds.checks import Row, number, observations
from bot.feeds.intake import FeedError, Origin, text_of
from bot.feeds.names import Names
from bot.feeds.report import Reading, Report

_QUERY = '{"verified":{"eq":true},"rentable":{"eq":true},"type":"on-demand","limit":3000,"order":[["dph_base","asc"]]}'
ADDRESS = "https://console.vast.ai/api/v0/bundles/?q="


def address() -> str:
    from urllib.parse import quote

    return ADDRESS + quote(_QUERY)


def read(data: bytes, origin: Origin, names: Names) -> list[Reading]:
    """The one reading of an answer of the search."""
    try:
        answer = json.loads(text_of(data, origin.name), parse_float=Decimal)
    except (ValueError, RecursionError):
        raise FeedError("feed.not_json", name=origin.name) from None
    offers = answer.get("offers") if isinstance(answer, dict) else None
    if not isinstance(offers, list):
        raise FeedError("feed.not_json", name=origin.name)
    report = Report()
    rows = observations(_rows(offers, report), names, report)
    return [Reading("vast/search", origin.seen, rows, report)]


def _rows(offers: list[Any], report: Report) -> Iterator[Row]:
    for line, offer in enumerate(offers, 1):
        report.rows += 1
        if not isinstance(offer, dict):
            report.note("unreadable", f"{line}: {str(offer)[:40]}")
            continue
        if offer.get("verification", "verified") != "verified" or offer.get("rentable") is False:
            continue
        try:
            yield from _of(line, offer)
        except ValueError as error:
            report.note("unreadable", f"{line}: {str(error)[:60]}")


def _of(line: int, offer: Mapping[str, Any]) -> Iterator[Row]:
    name, count = str(offer.get("gpu_name") or ""), _number(offer, "num_gpus")
    amount = _number(offer, "dph_base") if offer.get("dph_base") is not None else _number(offer, "dph_total")
    if not name or not count or amount is None:
        raise ValueError(f"{name or '-'} × {offer.get('num_gpus')} {offer.get('dph_base')}")
    memory = _number(offer, "gpu_ram")
    memory = None if memory is None else memory / 1024
    place = str(offer.get("geolocation") or "")
    sku = f"{count:f}x {name}"
    yield Row(line, "vast", sku, name, count, "on_demand", amount, place, memory_gb=memory, memory_each=True)
    bid = _number(offer, "min_bid")
    if bid:
        yield Row(line, "vast", sku, name, count, "spot", bid, place, memory_gb=memory, memory_each=True)


def _number(offer: Mapping[str, Any], key: str) -> Decimal | None:
    value = offer.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise ValueError(f"{key} {value!r}")
    return number(str(value))
