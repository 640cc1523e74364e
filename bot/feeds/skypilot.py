"""SkyPilot's catalogue: one ``vms.csv`` a cloud, on demand and spot in one row, no date.

Columns: InstanceType, AcceleratorName, AcceleratorCount, vCPUs, MemoryGiB, GpuInfo or GpuMemoryGiB, Price, SpotPrice,
Region, AvailabilityZone; their order differs by cloud.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from decimal import Decimal

from bot.feeds.checks import Row, number, observations
from bot.feeds.intake import Origin, table
from bot.feeds.names import Names
from bot.feeds.report import Reading, Report

NEEDED = ("instancetype", "acceleratorname", "acceleratorcount", "price", "region")
CLOUDS = (
    "aws", "azure", "cudo", "do", "fluidstack", "gcp", "hyperbolic", "hyperstack", "ibm", "lambda", "nebius", "oci",
    "paperspace", "primeintellect", "runpod", "shadeform", "vast", "verda",
)  # fmt: skip
ADDRESS = "https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs/v8/{cloud}/vms.csv"


def read(data: bytes, origin: Origin, names: Names) -> list[Reading]:
    """The one reading of a cloud's file."""
    report = Report()
    part = origin.stem.removesuffix("_partial")
    provider = names.provider(origin.provider or part)
    rows = observations(_rows(data, origin, provider, report), names, report)
    if part != origin.stem:
        report.note("partial", origin.name, count=report.rows)
    return [Reading(f"skypilot/{origin.stem}", origin.seen, rows, report)]


def _rows(data: bytes, origin: Origin, provider: str, report: Report) -> Iterator[Row]:
    for line, cells in table(data, origin.name, NEEDED):
        report.rows += 1
        sku, name = cells["instancetype"], cells["acceleratorname"]
        if not name:
            report.note("no-gpu", f"{line}: {sku}")
            continue
        if not sku:  # a GPU whose machine is another row
            report.note("host-apart", f"{line}: {name} {cells['region']}")
            continue
        try:
            count = number(cells["acceleratorcount"])
            prices = (number(cells["price"]), number(cells.get("spotprice", "")))
            memory = _memory(cells)
        except ValueError as error:
            report.note("unreadable", f"{line}: {error}")
            continue
        if not count:
            report.note("unreadable", f"{line}: {sku} {name} × {cells['acceleratorcount']}")
            continue
        place = (cells["region"], cells.get("availabilityzone", ""))
        for plan, amount in zip(("on_demand", "spot"), prices, strict=True):
            if amount is None and plan == "spot":
                continue
            yield Row(line, provider, sku, name, count, plan, amount, *place, memory_gb=memory)


def _memory(cells: Mapping[str, str]) -> Decimal | None:
    """GB of one GPU: the column, or what GpuInfo says in MiB; their 1,024 makes no difference to which card it is."""
    if "gpumemorygib" in cells:
        return number(cells["gpumemorygib"])
    try:
        info = ast.literal_eval(cells.get("gpuinfo", "")[:2000])
        return number(str(info["Gpus"][0]["MemoryInfo"]["SizeInMiB"] / 1024))
    except (ValueError, SyntaxError, KeyError, IndexError, TypeError, MemoryError, RecursionError):
        return None
