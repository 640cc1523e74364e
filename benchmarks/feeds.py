"""What price feeds cost: taking in a list, asking over it cold, a year of lists on disk, and a digest.

    python -m benchmarks.feeds [--rows 80000] [--json FILE] [--days 365]

Everything happens in a temporary folder. A year is computed from a smaller run: bytes for each observation and
snapshot, times the observations and snapshots of a year in which 2 % of the rows change daily. ``--days`` takes in so
many daily lists for real instead, which for a year of 80,000 rows is half an hour and more, and then measures the
digest of the last week, the history of a GPU and a cold question over it all.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

BARS = {
    "import_s": 10.0, "import_mib": 300.0, "cold_ask_s": 1.0, "year_mb": 1000.0, "digest_s": 5.0,
    "days_mb": 1000.0, "days_import_last_s": 10.0, "days_digest_s": 5.0, "days_cold_ask_s": 1.0,
}  # fmt: skip
_FIRST = date(2026, 10, 1)
_ASKED = 400  # rows of the GPU that is asked for
_DAYS = 12  # lists of the smaller run
_EVERY = 50  # days between two prices of a row: 2 % of the rows change daily
_SHARE = 10  # the smaller run has a tenth of the rows
_HEADER = (
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuMemoryGiB,Price,SpotPrice,Region,AvailabilityZone"
)
_GPUS = (
    ("H100", 80), ("L4", 24), ("T4", 16), ("V100", 16), ("A10G", 24), ("L40S", 48), ("H200", 141), ("B200", 180),
    ("A10", 24), ("RTX4090", 24), ("RTX5090", 32), ("A6000", 48),
)  # fmt: skip


def table(rows: int, day: int) -> Iterator[str]:
    """A list in SkyPilot's columns: every day another 2 % of the rows have another price."""
    yield _HEADER
    dice = random.Random(11)  # noqa: S311 - a repeatable table, no secret
    for n in range(rows):
        name, memory = ("A100", 80) if n < _ASKED else dice.choice(_GPUS)
        count = (1, 2, 4, 8)[n % 4]
        cents = dice.randrange(100, 900)
        price = f"{(cents + changes(n, day) / 100) * count / 100:.4f}"
        yield f"type-{n // 20}-{count}x,{name},{count},8,64,{memory},{price},,region-{n % 997},"


def changes(n: int, day: int) -> int:
    """How often the price of a row changed until a day: once in each 50 days, rows spread over them."""
    first = (n * 7919) % _EVERY + 1
    return 0 if day < first else (day - first) // _EVERY + 1


def run(home: Path, *arguments: str) -> tuple[float, float]:
    """Seconds and peak MiB of one command."""
    command = [sys.executable, "-m", "bot", *arguments]
    probe = (
        "import resource, subprocess, sys; r = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode;"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, r)"
    )
    environment = {**os.environ, "GPU_BOT_HOME": str(home)}
    start = time.perf_counter()
    out = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", probe, *command], capture_output=True, text=True, check=True, env=environment
    )
    took = time.perf_counter() - start
    peak, status = out.stdout.split()
    assert status == "0", out.stderr
    return took, int(peak) / 1024


def take_in(home: Path, rows: int, day: int) -> tuple[float, float]:
    file = home / "aws.csv"
    file.write_text("\n".join(table(rows, day)) + "\n", encoding="utf-8")
    seen = (_FIRST + timedelta(days=day)).isoformat()
    return run(home, "prices", "import", str(file), "--as", "skypilot", "--seen", seen)


def a_year(folder: Path, rows: int) -> dict[str, float]:
    """Size of a year's database, from a run with fewer rows and days."""
    home = folder / "year"
    home.mkdir()
    small = rows // _SHARE
    sizes = []
    for day in range(_DAYS):
        take_in(home, small, day)
        sizes.append((home / "gpu-bot.db").stat().st_size)
    first, grown = sizes[0] / small, (sizes[-1] - sizes[0]) / (_DAYS - 1)
    return {"year_mb": (first * rows + grown * _SHARE * 364) / 1e6, "first_list_mb": first * rows / 1e6}


def for_real(folder: Path, rows: int, days: int) -> dict[str, Any]:
    """Size and times after so many daily lists, each taken in as ``prices import`` does."""
    from bot.catalog import load
    from bot.feeds.importing import put_all
    from bot.feeds.intake import Origin
    from bot.feeds.names import Names
    from bot.feeds.skypilot import read
    from bot.store import open_database

    home = folder / "days"
    home.mkdir()
    names = Names(load()[0])
    database = open_database(f"sqlite:///{home / 'gpu-bot.db'}")
    took = []
    for day in range(days):
        data = "\n".join(table(rows, day)).encode()
        seen = datetime.combine(_FIRST + timedelta(days=day), datetime.min.time(), UTC)
        start = time.perf_counter()
        readings = read(data, Origin("aws.csv", "aws", seen), names)
        for outcome in put_all(database, "aws.csv", readings, names, seen):
            assert outcome.imported is not None, outcome.refused
        took.append(time.perf_counter() - start)
        if day % 10 == 9:
            print(f"day {day + 1}: {took[-1]:.2f} s", file=sys.stderr, flush=True)
    database.close()
    last = _FIRST + timedelta(days=days - 1)
    monday = last - timedelta(days=last.weekday())
    week = f"{monday - timedelta(days=7):%G-W%V}"
    as_of = monday.isoformat()
    told = run(home, "digest", "--week", week, "--as-of", as_of, "--dry-run", "--json")
    return {
        "days": days,
        "days_mb": sum(one.stat().st_size for one in home.glob("gpu-bot.db*")) / 1e6,
        "days_import_first_s": took[0],
        "days_import_last_s": statistics.median(took[-5:]),
        "days_digest_s": told[0],
        "days_digest_mib": told[1],
        "days_history_s": run(home, "prices", "history", "A100", "--as-of", as_of)[0],
        "days_cold_ask_s": run(home, "ask", "--json", "--as-of", as_of, "cheapest for 72h on 4×A100")[0],
        "days_cold_ask_any_gpu_s": run(home, "ask", "--json", "--as-of", as_of, "what can I get under $2 per hour")[0],
    }


def measure(rows: int, rounds: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home = folder / "home"
        home.mkdir()
        first = take_in(home, rows, 0)
        later = take_in(home, rows, 7)
        asked = [
            run(home, "ask", "--json", "--as-of", "2026-10-09", "cheapest for 72h on 4×A100") for _ in range(rounds)
        ]
        without = [
            run(home, "ask", "--json", "--as-of", "2026-10-09", "--no-feeds", "cheapest for 72h on 4×A100")
            for _ in range(rounds)
        ]
        told = run(home, "digest", "--week", "2026-W41", "--as-of", "2026-10-12", "--dry-run", "--json")
        return {
            "rows": rows,
            "import_s": max(first[0], later[0]),
            "import_mib": max(first[1], later[1]),
            "cold_ask_s": statistics.median(one[0] for one in asked),
            "cold_ask_mib": max(one[1] for one in asked),
            "cold_ask_without_s": statistics.median(one[0] for one in without),
            "digest_s": told[0],
            "digest_mib": told[1],
            **a_year(folder, rows),
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=80_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    parser.add_argument("--days", type=int, help="take in so many daily lists for real, and measure that alone")
    options = parser.parse_args()
    if options.days:
        with tempfile.TemporaryDirectory() as name:
            figures = {"rows": options.rows, **for_real(Path(name), options.rows, options.days)}
    else:
        figures = measure(options.rows, options.rounds)
    for key, value in figures.items():
        bar = f"  (bar {BARS[key]:g})" if key in BARS else ""
        print(f"{key:<20}{value:>12,.2f}{bar}")
    print(f"this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB at most")
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
