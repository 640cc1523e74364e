"""The peers that stand beside our own times: the same rows, a home of their own, and none where none is installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from shlex import quote

import pytest

from benchmarks import ask
from rules.load import read_folder
from rules.model import Catalog

ROOT = Path(__file__).parent.parent

# A Python that has SkyPilot, as far as the benchmark can see: it counts the rows in its home.
STAND_IN = """import csv, json, os, pathlib, sys
cloud, gpu, count, rounds = sys.argv[3:]
home = pathlib.Path(os.environ["HOME"])
assert home != pathlib.Path({home!r}), "the home of whoever runs it"
rows = list(csv.DictReader((home / ".sky/catalogs/v8" / cloud / "vms.csv").open()))
assert len(rows) == 8000
assert all(bool(row["Price"]) != bool(row["SpotPrice"]) for row in rows)
assert all(json.loads(row["GpuInfo"].replace("'", '"'))["Gpus"][0]["Name"] == row["AcceleratorName"] for row in rows)
found = [row for row in rows if row["AcceleratorName"] == gpu and row["AcceleratorCount"] == count]
samples = [3.0, 1.0, 2.0]
print("something that a library says")
print(json.dumps(dict(version="0.0", offers=len(found) + {more}, cheapest=1.0, import_ms=9.0, first_ms=7.0,
                      samples_ms=samples)))
"""


@pytest.fixture(scope="module")
def base() -> Catalog:
    return read_folder(ROOT / "knowledge", check_clauses=False)[0]


def stand_in(folder: Path, more: int = 0) -> str:
    path, program = folder / "python", folder / "stand_in.py"
    program.write_text(STAND_IN.format(home=str(Path.home()), more=more), "utf-8")
    path.write_text(f'#!/bin/sh\nexec {quote(sys.executable)} {quote(str(program))} "$@"\n', "utf-8")
    path.chmod(0o755)
    return str(path)


def test_skypilot_asks_the_same_rows_in_a_home_of_its_own(base: Catalog, tmp_path: Path) -> None:
    """8,000 rows, each with one of the two prices; the median of 3, 1 and 2 ms is 2."""
    found = ask.sky(base, 3, stand_in(tmp_path))
    assert found == {"median_ms": 2.0, "p99_ms": 3.0, "version": "0.0", "import_ms": 9.0, "first_ms": 7.0}


def test_a_peer_that_finds_other_rows_is_no_comparison(base: Catalog, tmp_path: Path) -> None:
    """One offer more than there are is an error, not a time."""
    with pytest.raises(ValueError, match="SkyPilot found"):
        ask.sky(base, 3, stand_in(tmp_path, more=1))


@pytest.mark.skipif(find_spec("sky") is not None, reason="SkyPilot is installed here")
def test_where_skypilot_is_missing_there_is_no_figure(base: Catalog) -> None:
    """As in the environment of the bot, whose libraries are of other versions."""
    assert ask.sky(base, 1, sys.executable) is None
