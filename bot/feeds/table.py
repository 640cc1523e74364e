"""Any other price list as CSV: the columns that are named below, by whichever of their names.

======== =============================================================================================
column   other names; what it holds
======== =============================================================================================
provider cloud, vendor, platform
gpu      gpu_name, accelerator, acceleratorname, model
price    amount, rate, says ("1.49 USD/gpu-hour"), price_per_hour, price_usd, CheapestOnDemandPerGpuHourUSD
unit     per: gpu-hour (default), machine-hour, gpu-month, machine-month
currency USD when missing
gpus     gpu_count, count, acceleratorcount: GPUs of a machine, 1 when missing
plan     on_demand (default), spot, reserved_1y, …
seen     date, as_of, asof, observedat, observed_at: a day, or a moment with its zone
optional sku (instance_type, instancetype), region, memory_gb, form, spot_price, source, url, kind
======== =============================================================================================

A list whose other columns are days (``Series,2026-10-01,2026-10-02``) is a history: one reading a day, ``Series``
being "provider GPU".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from bot.feeds.checks import Row, observations
from bot.feeds.checks import number as _as_number
from bot.feeds.intake import FeedError, Line, Origin, table
from bot.feeds.moments import moment_of
from bot.feeds.names import Names
from bot.feeds.report import Reading, Report
from rules.model import FORMS, PLANS, PRICE_UNITS, SOURCE_KINDS

_COLUMNS = {
    "provider": "provider cloud vendor platform",
    "gpu": "gpu gpu_name accelerator acceleratorname model",
    "price": "price amount rate price_per_hour price_usd cheapestondemandpergpuhourusd",
    "says": "says",
    "unit": "unit per",
    "currency": "currency",
    "gpus": "gpus gpu_count count acceleratorcount",
    "plan": "plan",
    "seen": "seen date as_of asof observedat observed_at",
    "sku": "sku instance_type instancetype instance",
    "region": "region location",
    "memory_gb": "memory_gb gpu_memory gpumemorygib gpu_memory_gb",
    "form": "form",
    "spot_price": "spot_price spotprice",
    "source": "source title",
    "url": "url",
    "kind": "kind",
}
BY_NAME = {alias: column for column, aliases in _COLUMNS.items() for alias in aliases.split()}
_SAYS = re.compile(r"(\d+(?:\.\d+)?) ([A-Z]{3})/([a-z]+-[a-z]+)")
_SERIES = ("series", "provider")
_PLANS = {plan: plan for plan in PLANS} | {"on-demand": "on_demand", "ondemand": "on_demand", "": "on_demand"}


def read(data: bytes, origin: Origin, names: Names) -> list[Reading]:
    """One reading, dated by the option or by the newest row; one a day for a list whose columns are days."""
    lines = list(table(data, origin.name))
    if not lines:
        raise FeedError("feed.no_rows", name=origin.name)
    header = list(lines[0][1])
    days = {name: seen for name in header if (seen := moment_of(name)) is not None}
    if days:
        return _history(lines, origin, names, days)
    columns = {name: column for name in header if (column := BY_NAME.get(name)) is not None}
    for needed in ("provider", "gpu"):
        if needed not in columns.values() and not (needed == "provider" and origin.provider):
            raise FeedError("feed.no_column", name=origin.name, column=needed, found=", ".join(header)[:200])
    if not {"price", "says"} & set(columns.values()):
        raise FeedError("feed.no_column", name=origin.name, column="price", found=", ".join(header)[:200])
    report = Report()
    written: dict[str, str] = {}
    for name, column in columns.items():
        written.setdefault(column, name)
    rows, newest = _rows([(n, _named(cells, written)) for n, cells in lines], origin, names, report, written)
    found = observations(rows, names, report)
    return [Reading(f"csv/{origin.stem}", origin.seen or newest, found, report)]


class _UnreadableError(ValueError):
    """A cell that cannot be used, with the column in which it stands."""

    def __init__(self, column: str, text: str) -> None:
        super().__init__(text)
        self.column, self.text = column, text[:80]


def _named(cells: Mapping[str, str], written: Mapping[str, str]) -> dict[str, str]:
    return {column: cells[name] for column, name in written.items()}


def _number(cells: Mapping[str, str], column: str) -> Decimal | None:
    text = cells.get(column, "")
    try:
        return _as_number(text)
    except ValueError:
        raise _UnreadableError(column, text) from None


def _rows(
    lines: Iterable[Line], origin: Origin, names: Names, report: Report, written: Mapping[str, str]
) -> tuple[list[Row], datetime | None]:
    """The rows, and the newest day that one of them names; a row keeps an older day of its own.

    ``written`` is how the list itself calls each column, so that a rejected row is found in it.
    """
    dated: list[tuple[Row, datetime | None]] = []
    for line, cells in lines:
        report.rows += 1
        try:
            seen = _seen(cells)
            dated += [(row, seen) for row in _of(line, cells, origin, names)]
        except _UnreadableError as error:
            report.note("unreadable", f"{line}: {written.get(error.column, error.column)} = {error.text or '-'}")
    newest = origin.seen or max((seen for _, seen in dated if seen is not None), default=None)
    for row, seen in dated:
        if seen is None and newest is not None and origin.seen is None:
            row.facts["marks"] = ["undated"]
            report.note("undated", str(row))
        elif seen is not None and newest is not None and seen < newest:
            row.facts["seen"] = seen.isoformat()
    return [row for row, _ in dated], newest


def _seen(cells: Mapping[str, str]) -> datetime | None:
    text = cells.get("seen", "")
    seen = moment_of(text)
    if text and seen is None:
        raise _UnreadableError("seen", text)
    return seen


def _of(line: int, cells: Mapping[str, str], origin: Origin, names: Names) -> Iterator[Row]:
    amount, currency, unit = _price(cells)
    count = _number(cells, "gpus") or Decimal(1)
    plan = _PLANS.get(cells.get("plan", "").lower().replace(" ", "_"))
    provider, name = cells.get("provider") or origin.provider or "", cells["gpu"]
    for column, given in (("provider", provider), ("gpu", name), ("plan", plan)):
        if not given:
            raise _UnreadableError(column, cells.get(column, ""))
    assert plan is not None
    facts: dict[str, Any] = {}
    for key, legal in (("kind", SOURCE_KINDS), ("form", FORMS)):
        if cells.get(key):
            if cells[key] not in legal:
                raise _UnreadableError(key, cells[key])
            facts[key] = cells[key]
    facts |= {fact: cells[key] for key, fact in (("source", "title"), ("url", "url")) if cells.get(key)}
    for way, value in ((plan, amount), ("spot", _number(cells, "spot_price"))):
        if value is not None or (way == "on_demand" and plan == way):
            yield Row(
                line, names.provider(provider), cells.get("sku") or name, name, count, way, value,
                cells.get("region", ""), memory_gb=_number(cells, "memory_gb"), currency=currency, unit=unit,
                facts=dict(facts),
            )  # fmt: skip


def _price(cells: Mapping[str, str]) -> tuple[Decimal | None, str, str]:
    says = cells.get("says") or ""
    match = _SAYS.fullmatch(says)
    if says and match is None:
        raise _UnreadableError("says", says)
    if match is not None:
        amount, currency, unit = _number({"says": match[1]}, "says"), match[2], match[3]
    else:
        amount, currency = _number(cells, "price"), (cells.get("currency") or "USD").upper()
        unit = (cells.get("unit") or "gpu-hour").replace("_", "-")
    if not re.fullmatch(r"[A-Z]{3}", currency):
        raise _UnreadableError("currency", currency)
    if unit not in PRICE_UNITS:
        raise _UnreadableError("says" if match is not None else "unit", unit)
    return amount, currency, unit


# ---------------------------------------------------------------- days as columns


def _history(lines: list[Line], origin: Origin, names: Names, days: Mapping[str, datetime]) -> list[Reading]:
    first = next((name for name in lines[0][1] if name in _SERIES), None)
    if first is None:
        raise FeedError("feed.no_column", name=origin.name, column="series", found=", ".join(lines[0][1])[:200])
    found = []
    for column, seen in sorted(days.items(), key=lambda one: one[1]):
        report = Report()
        rows = []
        for line, cells in lines:
            report.rows += 1
            provider, _, name = cells[first].partition(" ")
            try:
                amount = _number(cells, column)
            except _UnreadableError as error:
                report.note("unreadable", f"{line}: {error.column} = {error.text}")
                continue
            if amount is not None and provider and name:
                provider = names.provider(provider)
                rows.append(Row(line, provider, name, name, Decimal(1), "on_demand", amount, unit="gpu-hour"))
        found.append(Reading(f"csv/{origin.stem}", seen, observations(rows, names, report), report))
    return found
