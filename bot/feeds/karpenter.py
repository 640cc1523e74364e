"""The price tables that Karpenter's cloud providers ship, as CSV: whole instances, dated, shares of a GPU stated.

Columns: InstanceType, AcceleratorName, AcceleratorCount, GpuFraction, GpuMemoryGiB, Price, SpotPrice, Region,
Currency, AsOf.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from bot.feeds.checks import Row, number, observations
from bot.feeds.intake import FeedError, Origin, table
from bot.feeds.moments import moment_of
from bot.feeds.names import Names
from bot.feeds.report import Reading, Report

NEEDED = ("instancetype", "acceleratorname", "acceleratorcount", "gpufraction", "price", "region", "currency", "asof")


def read(data: bytes, origin: Origin, names: Names) -> list[Reading]:
    """One reading for each day of the table; there is one as a rule."""
    provider = names.provider(origin.provider or origin.stem)
    days: dict[datetime | None, tuple[list[Row], Report]] = {}
    for seen, row, line, problem in _rows(data, origin, provider):
        rows, report = days.setdefault(seen, ([], Report()))
        report.rows += 1
        if row is None:
            report.note("unreadable", f"{line}: {problem}")
        else:
            rows += row
    if not days:
        raise FeedError("feed.no_rows", name=origin.name)
    return [
        Reading(f"karpenter/{origin.stem}", seen, observations(rows, names, report), report)
        for seen, (rows, report) in sorted(days.items(), key=lambda one: (one[0] is None, str(one[0])))
    ]


def _rows(data: bytes, origin: Origin, provider: str) -> Iterator[tuple[datetime | None, list[Row] | None, int, str]]:
    for line, cells in table(data, origin.name, NEEDED):
        seen = origin.seen or moment_of(cells["asof"])
        sku = cells["instancetype"]
        try:
            count, share = number(cells["acceleratorcount"]), number(cells["gpufraction"])
            prices = (number(cells["price"]), number(cells.get("spotprice", "")))
            memory = number(cells.get("gpumemorygib", ""))
        except ValueError as error:
            yield seen, None, line, str(error)
            continue
        if not count or not sku or not cells["acceleratorname"] or (cells["asof"] and seen is None):
            yield seen, None, line, f"{sku or '-'} × {cells['acceleratorcount']}, {cells['asof']}"
            continue
        if share is not None and share < 1:
            memory = None  # of a slice it is the slice's own memory
        rows = [
            Row(
                line, provider, sku, cells["acceleratorname"], count, plan, amount, cells["region"], memory_gb=memory,
                share=share, currency=cells["currency"].upper() or "USD",
            )
            for plan, amount in zip(("on_demand", "spot"), prices, strict=True)
        ]  # fmt: skip
        yield seen, rows, line, ""
