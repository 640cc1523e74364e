"""How long a question takes: parse, answer and the whole ask in one process, and the cold command.

    python -m benchmarks.ask [--rounds N] [--sky-python PATH] [--json FILE]

Times are medians of interleaved rounds in one run. Compare the ratios: absolute figures belong to the machine.
Where gpuhunt or SkyPilot is installed it answers the same question over the same synthetic rows in the same run.
SkyPilot asks for other versions of libraries than the bot does; ``--sky-python`` names the Python of an environment of
its own: ``python -m venv sky && sky/bin/pip install skypilot``, then ``--sky-python sky/bin/python``.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.synthetic import AS_OF, NAMED_GPU, catalogue
from bot.ask import answer, ask, parse
from bot.catalog import Reloader
from rules.model import Catalog, Offer

QUESTIONS = (
    "cheapest for 72h on 4×A100",
    "4张A100跑72小时哪家最便宜",
    "8xH100 for a week in the EU, not AWS",
    "p4d.24xlarge for 10 days plus 2TB egress",
    "$3000 budget for 8xH100, how long",
    "compare lambda and coreweave for 8×A100",
)
NAMED = "cheapest for 72h on 4×A100"


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def summary(samples: list[float]) -> dict[str, float]:
    ordered = sorted(samples)
    return {
        "median_ms": statistics.median(ordered),
        "p99_ms": ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))],
    }


def in_process(catalog: Catalog, rounds: int) -> dict[str, dict[str, float]]:
    """Each step over all questions; the first round is warm-up and not counted."""
    samples: dict[str, list[float]] = {"parse": [], "answer": [], "ask": []}
    for round_ in range(rounds + 1):
        for text in QUESTIONS:
            parsed = parse(text, catalog)
            took = {
                "parse": timed(lambda text=text: parse(text, catalog)),  # type: ignore[misc]
                "answer": timed(lambda parsed=parsed: answer(parsed, catalog, AS_OF)),  # type: ignore[misc]
                "ask": timed(lambda text=text: ask(text, catalog, AS_OF)),  # type: ignore[misc]
            }
            if round_:
                for step, value in took.items():
                    samples[step].append(value)
    return {step: summary(values) for step, values in samples.items()}


def synthetic(base: Catalog, rounds: int) -> dict[int, dict[str, float]]:
    """The named GPU over 8,000 and 80,000 offers, taken in turns so that noise hits both."""
    worlds = {size: catalogue(base, size) for size in (8_000, 80_000)}
    samples: dict[int, list[float]] = {size: [] for size in worlds}
    for round_ in range(rounds + 1):
        for size, world in worlds.items():
            took = timed(lambda world=world: ask(NAMED, world, AS_OF))  # type: ignore[misc]
            if round_:
                samples[size].append(took)
    return {size: summary(values) for size, values in samples.items()}


def cold(rounds: int) -> dict[str, float]:
    """Wall time and peak memory of the command, from process start to its last line."""
    command = [sys.executable, "-m", "bot", "ask", "--json", "--as-of", AS_OF.isoformat(), NAMED]
    probe = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    walls, peaks = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        out = subprocess.run([sys.executable, "-c", probe, *command], capture_output=True, text=True, check=True)  # noqa: S603 - our own command
        walls.append((time.perf_counter() - start) * 1000)
        peaks.append(int(out.stdout) / 1024)
    bare = statistics.median(
        timed(lambda: subprocess.run([sys.executable, "-c", ""], check=True)) for _ in range(rounds)
    )
    return {"wall_ms": statistics.median(walls) - bare, "python_start_ms": bare, "peak_mib": max(peaks)}


def peer(base: Catalog, rounds: int) -> dict[str, float] | None:
    """gpuhunt's filter and a sort by price over the rows of the 8,000-offer catalogue; None where it is not installed.

    It finds offers of at least four cards; totals, whole machines and what was left out are not its subject.
    """
    try:
        from gpuhunt import AcceleratorVendor, CatalogItem, QueryFilter
        from gpuhunt._internal.constraints import matches
    except ImportError:
        return None
    rows = [_peer_row(CatalogItem, AcceleratorVendor.NVIDIA, offer) for offer in catalogue(base, 8_000).offers]
    asked = QueryFilter(gpu_name=["A100"], min_gpu_count=4)
    samples = [
        timed(lambda: sorted((r for r in rows if matches(r, asked)), key=lambda r: r.price)) for _ in range(rounds + 1)
    ]
    return summary(samples[1:])


SKY_CLOUD = "lambda"  # any one whose catalogue is this file alone; all rows are in it
SKY_COLUMNS = (
    "InstanceType AcceleratorName AcceleratorCount vCPUs MemoryGiB GpuInfo Price SpotPrice Region AvailabilityZone"
).split()
SKY_COUNT = 4  # its filter is for this very number of cards


def sky(base: Catalog, rounds: int, python: str) -> dict[str, Any] | None:
    """SkyPilot's list of accelerators, sorted by price, over the rows of the 8,000-offer catalogue; None without it.

    It finds offers of exactly four cards. It runs in a process of its own, whose home is a folder made for it. Raises
    ``ValueError`` where it finds other rows than there are.
    """
    offers = catalogue(base, 8_000).offers
    wanted = [one for one in offers if one.gpu == NAMED_GPU and one.gpus == SKY_COUNT]
    with TemporaryDirectory() as home:
        folder = Path(home, ".sky", "catalogs", "v8", SKY_CLOUD)
        folder.mkdir(parents=True)
        with (folder / "vms.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(SKY_COLUMNS)
            writer.writerows(_sky_row(offer) for offer in offers)
        script = Path(__file__).with_name("peer_sky.py")
        environ = {**os.environ, "HOME": home, "SKYPILOT_DISABLE_USAGE_COLLECTION": "1"}
        done = subprocess.run(  # noqa: S603 - our own script
            [python, "-I", str(script), SKY_CLOUD, NAMED_GPU, str(SKY_COUNT), str(rounds)],
            capture_output=True, text=True, check=True, env=environ,
        )  # fmt: skip
    found = json.loads(done.stdout.splitlines()[-1])
    if found is None:
        return None
    if found["offers"] != len(wanted):
        raise ValueError(f"SkyPilot found {found['offers']} offers of {len(wanted)}")
    return {**summary(found["samples_ms"]), **{name: found[name] for name in ("version", "import_ms", "first_ms")}}


def _sky_row(offer: Offer) -> list[Any]:
    """One row as SkyPilot keeps them: the price of the whole machine, of spot in a column of its own."""
    gpus, mib = int(offer.gpus), int(offer.memory_gb or 0) * 1024
    price = float(offer.prices[0].rate.amount) * gpus
    card = {"Name": offer.gpu, "Manufacturer": "NVIDIA", "Count": gpus, "MemoryInfo": {"SizeInMiB": mib}}
    memory = repr({"Gpus": [card], "TotalGpuMemoryInMiB": mib * gpus})
    prices = ["", price] if offer.plan == "spot" else [price, ""]
    return [offer.sku, offer.gpu, gpus, 8, 64, memory, *prices, offer.regions[0], ""]


def _peer_row(item: Any, vendor: Any, offer: Any) -> Any:
    gpus = int(offer.gpus)
    return item(
        instance_name=offer.sku, location=offer.regions[0], price=float(offer.prices[0].rate.amount) * gpus, cpu=8,
        memory=64.0, gpu_count=gpus, gpu_name=offer.gpu, gpu_memory=80.0, spot=offer.plan == "spot", disk_size=None,
        provider="aws", gpu_vendor=vendor,
    )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--sky-python", metavar="PATH", default=sys.executable, help="a Python that has SkyPilot")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    options = parser.parse_args()
    catalog = Reloader().catalog  # as a server holds it
    ours = in_process(catalog, options.rounds)
    sizes = synthetic(catalog, options.rounds)
    command = cold(max(3, options.rounds // 6))
    other = peer(catalog, options.rounds)
    skypilot = sky(catalog, options.rounds, options.sky_python)
    print(f"packaged knowledge: {len(catalog.offers)} offers, {len(catalog.rules)} rules; {options.rounds} rounds")
    print(f"{'step':<28}{'median ms':>12}{'p99 ms':>12}")
    for step, figures in ours.items():
        print(f"{step:<28}{figures['median_ms']:>12.2f}{figures['p99_ms']:>12.2f}")
    for size, figures in sizes.items():
        print(f"{f'ask, {size:,} offers':<28}{figures['median_ms']:>12.2f}{figures['p99_ms']:>12.2f}")
    ratio = sizes[80_000]["median_ms"] / sizes[8_000]["median_ms"]
    print(f"80,000 against 8,000 offers: × {ratio:.2f}")
    if other is not None:
        print(f"{'gpuhunt, same 8,000 rows':<28}{other['median_ms']:>12.2f}{other['p99_ms']:>12.2f}")
        print(f"gpuhunt against ours: × {other['median_ms'] / sizes[8_000]['median_ms']:.2f}")
    if skypilot is not None:
        print(f"{'SkyPilot, same 8,000 rows':<28}{skypilot['median_ms']:>12.2f}{skypilot['p99_ms']:>12.2f}")
        print(f"SkyPilot against ours: × {skypilot['median_ms'] / sizes[8_000]['median_ms']:.2f}")
    print(f"cold command: {command['wall_ms']:.0f} ms over {command['python_start_ms']:.0f} ms of Python, "
          f"{command['peak_mib']:.0f} MiB at most")  # fmt: skip
    print(f"this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB at most")
    if options.json:
        figures = {"steps": ours, "synthetic": sizes, "cold": command, "gpuhunt": other, "skypilot": skypilot,
                   "ratio": ratio}  # fmt: skip
        Path(options.json).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
