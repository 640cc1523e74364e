"""gpuhunt's catalogues: one CSV a provider, published in a zip; spot and on demand are two rows.

Columns: instance_name, location, price, cpu, memory, gpu_count, gpu_name, gpu_memory, spot, disk_size, gpu_vendor,
flags, cpu_arch, provider_data. The published version begins with its day.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from bot.feeds.checks import Row, number, observations
from bot.feeds.intake import FeedError, Origin, table
from bot.feeds.names import Names
from bot.feeds.report import Reading, Report

NEEDED = ("instance_name", "location", "price", "gpu_count", "gpu_name", "spot")
PUBLISHED = ("aws", "azure", "verda", "gcp", "lambdalabs", "nebius", "oci", "runpod", "cloudrift")
ADDRESS = "https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3/{provider}"
# What the library asks of providers itself, without an account; Vast.ai is read by ``vast``.
LIBRARY = ("vultr", "seeweb", "jarvislabs", "hotaisle", "digitalocean", "crusoe", "lium")
_DAY = re.compile(r"(20\d\d)-?(\d\d)-?(\d\d)")


def read(data: bytes, origin: Origin, names: Names) -> list[Reading]:
    """The one reading of a provider's file."""
    report = Report()
    provider = names.provider(origin.provider or origin.stem)
    rows = observations(_rows(data, origin, provider, report), names, report)
    return [Reading(f"gpuhunt/{origin.stem}", origin.seen, rows, report)]


def day_of(version: str) -> datetime | None:
    """The day with which a published version begins: "20261128-1" is 2026-11-28."""
    match = _DAY.match(version.strip())
    if match is None:
        return None
    with contextlib.suppress(ValueError):
        return datetime(int(match[1]), int(match[2]), int(match[3]), tzinfo=UTC)
    return None


def _rows(data: bytes, origin: Origin, provider: str, report: Report) -> Iterator[Row]:
    for line, cells in table(data, origin.name, NEEDED):
        report.rows += 1
        name = cells["gpu_name"]
        try:
            count, amount = number(cells["gpu_count"]), number(cells["price"])
            memory = number(cells.get("gpu_memory", ""))
        except ValueError as error:
            report.note("unreadable", f"{line}: {error}")
            continue
        if not name or not count:
            report.note("no-gpu", f"{line}: {cells['instance_name']}")
            continue
        if amount is None or cells["spot"].lower() not in ("true", "false"):
            report.note("unreadable", f"{line}: {cells['instance_name']} {cells['price'] or '-'} {cells['spot']}")
            continue
        plan = "spot" if cells["spot"].lower() == "true" else "on_demand"
        yield Row(
            line, provider, cells["instance_name"], name, count, plan, amount, cells["location"], memory_gb=memory
        )


def from_library(provider: str) -> bytes:
    """What gpuhunt's library reads of a provider at this moment, in the columns of its catalogues.

    Raises ``FeedError`` when the library is not installed or the provider gave nothing.
    """
    import importlib

    try:
        library = importlib.import_module("gpuhunt._internal.default")
    except ImportError:
        raise FeedError("feed.no_library", extra="feeds") from None
    modules = library.ONLINE_PROVIDER_MODULES
    module = next((one for one in modules if one[0].rpartition(".")[2].startswith(provider)), None)
    if module is None:
        raise FeedError("feed.not_served", name=provider)
    try:
        found = getattr(importlib.import_module(module[0]), module[1]).from_env().get()
    except Exception as error:  # noqa: BLE001  (whatever the library or the provider's answer runs into)
        raise FeedError("feed.away", name=provider, reason=type(error).__name__) from None
    return _as_table(found)


def _as_table(items: list[Any]) -> bytes:
    import csv
    import io

    out = io.StringIO()
    columns = ("instance_name", "location", "price", "gpu_count", "gpu_name", "gpu_memory", "spot")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(["" if (v := getattr(item, name)) is None else v for name in columns] for item in items)
    return out.getvalue().encode()
