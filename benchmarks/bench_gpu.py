"""Is a GPU's rate that the benchmark reads true? The same product by a plain loop of cuBLAS calls, in turns.

    python -m benchmarks.bench_gpu [--rounds N] [--gpu 0] [--dtype bf16] [--full] [--check] [--json FILE]

First the whole program of ``gpu-bot bench`` as a host runs it (20 s; 60 s with ``--full``), with its verdict. Then, on
the card that is hot by now, its way of measuring beside three others that share no code with it: a pair of events
around each call, the host's clock around many, and ``triton.testing.do_bench`` where triton is installed. Printed are
medians of the rounds, their spread, the ratio to the best of the others and what healthy cards are published to reach.
``--check`` fails where the ratio of the medians is outside 0.98 to 1.02 or a result is wrong. About a minute and a half
in all; needs torch. Exit status 3: nothing was measured, for there is no GPU.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from bot.bench import payload
from bot.bench.verdict import collect, judge, known_as, record
from rules.load import read_folder
from rules.model import Accelerator

ROOT = Path(__file__).parent.parent
BAR = (0.98, 1.02)
NO_GPU = 3
WARM, TURN, BATCH = 3.0, 2.0, 0.25  # seconds: before the rounds, for each way in a round, between two marks


class TorchClock:
    """Events and the host's clock, as whoever knows nothing of the benchmark would use them."""

    def __init__(self, torch: Any) -> None:
        self.cuda = torch.cuda

    def now(self) -> float:
        return time.perf_counter()

    def wait(self) -> None:
        """Until the device has done all that it was given."""
        self.cuda.synchronize()

    def event(self) -> Any:
        found = self.cuda.Event(enable_timing=True)
        found.record()
        return found

    def milliseconds(self, start: Any, end: Any) -> float:
        return float(start.elapsed_time(end))


@dataclass(frozen=True)
class Bench:
    """One product on one device, for every way of measuring: ``launch`` starts it, ``flop`` is what it computes."""

    device: Any  # as the benchmark sees it
    clock: Any  # as the others see it
    launch: Callable[[int], None]
    flop: float
    seconds: float = TURN

    def calls(self) -> int:
        """How many products fill a turn."""
        self.clock.wait()
        start = self.clock.now()
        for i in range(4):
            self.launch(i)
        self.clock.wait()
        return max(10, int(self.seconds / ((self.clock.now() - start) / 4)))


Way = Callable[[Bench], float]


def ours(bench: Bench) -> float:
    """TFLOPS as the benchmark reads them: the median of the second half of batches back to back."""
    rates = payload.measure(bench.device, bench, 0.0, bench.seconds, BATCH, lambda _share: None)
    return float(payload.summary(rates)["tflops_median"])


def each_call(bench: Bench) -> float:
    """TFLOPS by the median of single calls, each between two events, all of them queued before any is waited for."""
    events = []
    for i in range(bench.calls()):
        events.append(bench.clock.event())
        bench.launch(i)
    events.append(bench.clock.event())
    bench.clock.wait()
    times = [float(bench.clock.milliseconds(one, two)) for one, two in pairwise(events)]
    return bench.flop / statistics.median(times) / 1e9


def one_loop(bench: Bench) -> float:
    """TFLOPS of as many calls as fill the time, by the host's clock."""
    calls = bench.calls()
    start = bench.clock.now()
    for i in range(calls):
        bench.launch(i)
    bench.clock.wait()
    return float(bench.flop * calls / (bench.clock.now() - start) / 1e12)


def do_bench(bench: Bench) -> float:
    """TFLOPS by triton's own function."""
    from triton import testing

    milliseconds = testing.do_bench(
        lambda: bench.launch(0), warmup=100, rep=round(bench.seconds * 1000), return_mode="median"
    )
    return float(bench.flop / milliseconds / 1e9)


def in_turns(bench: Bench, ways: Mapping[str, Way], rounds: int) -> dict[str, list[float]]:
    """The rate by every way, one after the other, ``rounds`` times; the order turns, so that none is always first."""
    start = bench.clock.now()
    while bench.clock.now() - start < WARM:
        bench.calls()
    found: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    for round_ in range(rounds):
        turn = round_ % len(names)
        for name in (*names[turn:], *names[:turn]):
            found[name].append(ways[name](bench))
    return found


def compared(samples: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    """Medians, spreads (highest less lowest, over the median), and ours over the best median of the others."""
    figures = {
        name: {
            "tflops_median": statistics.median(values),
            "spread": (max(values) - min(values)) / statistics.median(values), "rounds": len(values),
        }
        for name, values in samples.items()
    }  # fmt: skip
    best = max((name for name in figures if name != "ours"), key=lambda name: figures[name]["tflops_median"])
    ratio = figures["ours"]["tflops_median"] / figures[best]["tflops_median"]
    return {"ways": figures, "best_other": best, "ratio": ratio, "within": BAR[0] <= ratio <= BAR[1]}


def published(name: str, dtype: str, table: Mapping[str, Accelerator]) -> dict[str, Any]:
    """What healthy cards that call themselves so reach, and the datasheet's dense figure; null where not known."""
    cards = known_as(name, table)
    one = cards[0] if cards else None
    expected = one.variant.expect.get(dtype) if one else None
    dense = one.variant.peaks.get(dtype) if one else None
    basis = one.basis.get(dtype) if one else None
    return {
        "card": one.id if one else None,
        "expected_tflops": float(expected / one.devices) if one and expected is not None else None,
        "dense_tflops": float(dense / one.devices) if one and dense is not None else None,
        "tier": basis.tier if basis else None,
    }


def program(gpu: int, dtype: str | None, full: bool, table: Mapping[str, Accelerator]) -> dict[str, Any]:
    """The record of one run of the whole program, as a host makes it."""
    arguments = ["--gpus", str(gpu), *([] if full else ["--quick"]), *(["--dtype", dtype] if dtype else [])]
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-I", str(ROOT / "bot" / "bench" / "payload.py"), *arguments], stdout=subprocess.PIPE,
        check=False, timeout=120,
    )  # fmt: skip
    run = collect(json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{"))
    return record(judge(run, table), run)


def rounds_on(gpu: int, dtype: str | None, rounds: int) -> dict[str, Any]:
    """All ways in turns on one GPU, on the inputs of the benchmark; the result is checked before and after."""
    device = payload.TorchDevice(gpu, replace(payload.FULL, gpus=(gpu,)))
    dtype = dtype or device.dtypes()[0]
    size = 8192 if dtype != "fp64" and device.free_bytes() >= 3 * payload.GIB else 4096
    product = device.product(dtype, (size, size, size), seed=1)

    def plain(i: int) -> None:
        a, b = product.sets[i & 1]
        device.torch.matmul(a, b, out=product.out)

    ways: dict[str, Way] = {"ours": ours, "each call": each_call, "one loop": one_loop}
    if importlib.util.find_spec("triton"):
        ways["do_bench"] = do_bench
    launch = product.launch if dtype == "fp8" else plain  # which torch.matmul does not do
    bench = Bench(device, TorchClock(device.torch), launch, 2.0 * size**3)
    return {"dtype": dtype, "size": size, **checked(bench, product, dtype, ways, rounds), **device.facts()}


def checked(bench: Bench, product: Any, dtype: str, ways: Mapping[str, Way], rounds: int) -> dict[str, Any]:
    """All ways compared, and whether the result was right before and after."""
    before = error_of(bench, product)
    samples = in_turns(bench, ways, rounds)
    errors = (before, error_of(bench, product))
    right = all(error <= payload.TOLERANCE[dtype] for error in errors)  # false for NaN: an entry that nothing wrote
    shown = [error if math.isfinite(error) else None for error in errors]
    return {**compared(samples), "rel_err": shown, "right": right}


def error_of(bench: Bench, product: Any) -> float:
    """Relative error of one product against float64."""
    product.poison()
    bench.launch(0)
    return float(product.error(0))


def no_gpu() -> str | None:
    """The sentence that says why nothing can be measured here; None where a GPU is."""
    try:
        import torch
    except ImportError:
        return "There is no GPU to measure here: torch is not installed."
    return None if torch.cuda.is_available() else "There is no GPU to measure here: torch sees none."


def lines(found: Mapping[str, Any]) -> list[str]:
    """The result in words."""
    said = [f"{found['name']}, {found['dtype']}, {found['size']} cubed, torch {found['torch']}"]
    said.append(f"{'way':<12}{'median TFLOPS':>15}{'spread':>9}")
    for name, one in found["ways"].items():
        said.append(f"{name:<12}{one['tflops_median']:>15.1f}{one['spread']:>9.1%}")
    said.append(f"ours against the best other ({found['best_other']}): × {found['ratio']:.4f}")
    whole = found["program"]
    if whole["tflops"] is not None:
        best = found["ways"][found["best_other"]]["tflops_median"]
        share = f", × {whole['tflops'] / best:.4f} of the same" if whole["dtype"] == found["dtype"] else ""
        said.append(f"the whole program ({whole['mode']}): {whole['tflops']:.1f} TFLOPS, {whole['verdict']}{share}")
    else:
        said.append(f"the whole program: no rate, {whole['verdict']}")
    known = found["published"]
    if known["expected_tflops"] is None:
        said.append(f"nothing is published of what healthy cards of this model reach in {found['dtype']}")
    else:
        share = found["ways"]["ours"]["tflops_median"] / known["expected_tflops"]
        said.append(
            f"published for healthy cards ({known['card']}, tier {known['tier']}): "
            f"{known['expected_tflops']:.1f} TFLOPS; this one reaches {share:.1%} of it"
        )
    if not found["right"]:
        said.append(f"the result is wrong: relative errors {found['rel_err']} before and after")
    return said


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--gpu", type=int, default=0)
    parser.add_argument("--dtype", choices=payload.DTYPES)
    parser.add_argument("--full", action="store_true", help="the whole program at its full length")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args(argv)
    if (why := no_gpu()) is not None:
        print(why)
        return NO_GPU
    table = read_folder(ROOT / "knowledge", check_clauses=False, accelerators=True)[0].accelerators
    whole = program(given.gpu, given.dtype, given.full, table)
    found = {"program": whole, **rounds_on(given.gpu, given.dtype, given.rounds)}
    found["published"] = published(found["name"], found["dtype"], table)
    print("\n".join(lines(found)))
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 1 if given.check and not (found["within"] and found["right"]) else 0


if __name__ == "__main__":
    sys.exit(main())
