"""The comparison that a machine with a GPU runs: its arithmetic on a fake GPU of known rate, its words, and no GPU."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench.events import run_on
from bench.fake_gpu import FakeGpu

from benchmarks import bench_gpu
from bot.bench.verdict import collect, judge, record
from rules.load import read_folder
from rules.model import Accelerator

ROOT = Path(__file__).parent.parent
TABLE: dict[str, Accelerator] = dict(
    read_folder(ROOT / "knowledge", check_clauses=False, accelerators=True)[0].accelerators
)
SIZE = 8192
FLOP = 2.0 * SIZE**3
WAYS = {"ours": bench_gpu.ours, "each call": bench_gpu.each_call, "one loop": bench_gpu.one_loop}


class FakeClock:
    """The clock of a fake GPU, as the plain ways see it."""

    def __init__(self, gpu: FakeGpu) -> None:
        self.gpu = gpu

    def now(self) -> float:
        return self.gpu.host

    def wait(self) -> None:
        self.gpu.host = max(self.gpu.host, self.gpu.done)

    def event(self) -> float:
        return self.gpu.mark()

    def milliseconds(self, start: float, end: float) -> float:
        return (end - start) * 1e3


def bench_of(gpu: FakeGpu) -> bench_gpu.Bench:
    product = gpu.product("bf16", (SIZE, SIZE, SIZE), 1)
    return bench_gpu.Bench(gpu, FakeClock(gpu), product.launch, FLOP)


@pytest.mark.parametrize("tflops", [42.0, 789.0, 1696.0])
def test_every_way_reads_a_known_rate(tflops: float) -> None:
    """From a T4 to a B200 within one percent, so that they agree with each other within two."""
    bench = bench_of(FakeGpu(tflops))
    for way in WAYS.values():
        assert way(bench) == pytest.approx(tflops, rel=0.01)


def test_ways_are_compared_on_a_warm_card_in_turns() -> None:
    """0.6 of the rate in the first two seconds is over before the first round; each way has every place once."""
    gpu, order = FakeGpu(789.0, cold=0.6), []

    def noted(name: str) -> bench_gpu.Way:
        def way(bench: bench_gpu.Bench) -> float:
            order.append(name)
            return WAYS[name](bench)

        return way

    found = bench_gpu.compared(bench_gpu.in_turns(bench_of(gpu), {name: noted(name) for name in WAYS}, 3))
    assert found["within"]
    assert all(one["tflops_median"] == pytest.approx(789, rel=0.01) for one in found["ways"].values())
    assert order == [
        "ours", "each call", "one loop", "each call", "one loop", "ours", "one loop", "ours", "each call",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rates", "ratio", "within"),
    [
        ([700.0, 710.0, 705.0], 0.9792, False),  # 705 / 720
        ([706.0, 720.0, 712.0], 0.9889, True),  # 712 / 720
        ([740.0, 735.0, 736.0], 1.0222, False),  # 736 / 720: faster than any other can see is wrong too
    ],
)
def test_two_percent_is_the_bar(rates: list[float], ratio: float, within: bool) -> None:
    """Median of ours over the best median of the others; the spread is highest less lowest, over the median."""
    found = bench_gpu.compared({"ours": rates, "each call": [716.0, 718.0, 717.0], "one loop": [720.0, 720.0, 729.0]})
    assert (round(found["ratio"], 4), found["within"], found["best_other"]) == (ratio, within, "one loop")
    assert found["ways"]["one loop"]["spread"] == pytest.approx(9 / 720)


@pytest.mark.parametrize(("error", "right", "said"), [(0.002, True, 0.002), (0.4, False, 0.4), (math.nan, False, None)])
def test_a_wrong_result_is_no_rate(error: float, right: bool, said: float | None) -> None:
    """bf16 may differ from float64 by 0.015; NaN is an entry that nothing wrote."""
    gpu = FakeGpu(789.0, error=error)
    bench, product = bench_of(gpu), gpu.product("bf16", (SIZE, SIZE, SIZE), 1)
    found = bench_gpu.checked(bench, product, "bf16", WAYS, 1)
    assert (found["right"], found["rel_err"]) == (right, [said, said])


def test_what_is_published_is_that_of_the_card() -> None:
    """H200: 789.1 of several steady readings, dense 989.5. MI250X shows two devices of half its 383. Else null."""
    assert bench_gpu.published("NVIDIA H200", "bf16", TABLE) == {
        "card": "nvidia-h200-sxm", "expected_tflops": 789.1, "dense_tflops": 989.5, "tier": "A",
    }  # fmt: skip
    half = bench_gpu.published(TABLE["amd-mi250x"].device_names[0], "bf16", TABLE)
    assert half["dense_tflops"] == pytest.approx(383 / 2, rel=0.01)
    assert set(bench_gpu.published("NVIDIA H9999", "bf16", TABLE).values()) == {None}


def result(**changes: Any) -> dict[str, Any]:
    """A whole result on an H200: the program read 790, ours 780, the loop 785."""
    run = collect(run_on(TABLE["nvidia-h200-sxm"], 790.0))
    found = bench_gpu.compared({"ours": [780.0], "each call": [778.0], "one loop": [785.0]})
    return {
        "program": record(judge(run, TABLE), run), "name": "NVIDIA H200", "dtype": "bf16", "size": SIZE,
        "torch": "2.13.0", **found, "rel_err": [0.002, 0.002], "right": True,
        "published": bench_gpu.published("NVIDIA H200", "bf16", TABLE), **changes,
    }  # fmt: skip


def test_the_ratio_and_the_published_figure_are_said() -> None:
    """780 / 785 = 0.9936, 790 / 785 = 1.0064, 780 / 789.1 = 98.8 %."""
    said = bench_gpu.lines(result())
    assert "ours against the best other (one loop): × 0.9936" in said
    assert "the whole program (full): 790.0 TFLOPS, healthy, × 1.0064 of the same" in said
    assert "published for healthy cards (nvidia-h200-sxm, tier A): 789.1 TFLOPS; this one reaches 98.8% of it" in said
    unknown = result(published=bench_gpu.published("NVIDIA H9999", "bf16", TABLE), right=False)
    assert bench_gpu.lines(unknown)[-2:] == [
        "nothing is published of what healthy cards of this model reach in bf16",
        "the result is wrong: relative errors [0.002, 0.002] before and after",
    ]


@pytest.mark.parametrize(("ratio", "right", "status"), [(1.0, True, 0), (0.97, True, 1), (1.0, False, 1)])
def test_a_check_fails_outside_the_bar(
    ratio: float, right: bool, status: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With ``--check`` alone; the figures are written either way."""
    found = result(**bench_gpu.compared({"ours": [785.0 * ratio], "one loop": [785.0]}), right=right)
    monkeypatch.setattr(bench_gpu, "no_gpu", lambda: None)
    monkeypatch.setattr(bench_gpu, "program", lambda *_: found["program"])
    monkeypatch.setattr(bench_gpu, "rounds_on", lambda *_: {n: v for n, v in found.items() if n != "program"})
    file = tmp_path / "figures.json"
    assert bench_gpu.main(["--check", "--json", str(file)]) == status
    assert json.loads(file.read_text("utf-8"))["ratio"] == pytest.approx(ratio)
    assert bench_gpu.main([]) == 0


def test_without_a_gpu_one_sentence_says_so() -> None:
    """And status 3, so that nobody takes it for a measurement."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.bench_gpu", "--check"], capture_output=True, cwd=ROOT,
        env={**os.environ, "CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""}, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (bench_gpu.NO_GPU, "")
    [line] = done.stdout.splitlines()
    assert line.startswith("There is no GPU to measure here: torch ")


@pytest.mark.gpu
def test_a_real_gpu_is_read_as_others_read_it() -> None:
    """Within two percent of the best other way in the same run."""
    done = subprocess.run([sys.executable, "-m", "benchmarks.bench_gpu", "--check"], cwd=ROOT, check=False, timeout=300)
    assert done.returncode == 0
