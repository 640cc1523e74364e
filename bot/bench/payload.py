"""What is this GPU, does it compute right, and how fast is it when it is warm?

One file that runs alone on the GPU host with torch and the standard library (Python 3.9 or later):

    python3 payload.py [--quick] [--dtype bf16] [--gpus all|0,1] [--device auto|cpu] > reading.jsonl

It prints one JSON object a line, the last one with ``"ev": "end"``; a file without that line is an unfinished run.
This process never imports torch: it asks the driver what it sees, samples clocks, and starts one worker for each GPU,
all of them at the same time. A worker that hangs or a GPU that falls off the bus cannot keep it from ending. What is
between several GPUs is measured last, by one more process: whatever becomes of it, the reading of each GPU is there.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import math
import os
import select
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

PROTOCOL = 1  # readings of different versions are never compared
DTYPES = ("bf16", "fp16", "fp32", "tf32", "fp64", "fp8")
CPU_DTYPES = ("fp32", "bf16", "fp64")
GIB = 1 << 30
BUSY_PERCENT = 5  # more utilisation than this before the start is somebody else's
BUSY_MIB = 2048  # so is more memory than this
RC_DIED, RC_NO_TORCH, RC_BUSY, RC_UNSUPPORTED, RC_UNUSABLE, RC_DEADLINE = 1, 3, 5, 6, 2, 75

ALL = -1  # in the place of one GPU's number

Facts = dict[str, Any]
Emit = Callable[..., None]


@dataclass(frozen=True)
class Plan:
    """How long each step takes, in seconds, and what to run."""

    mode: str = "full"
    warm: float = 3.0
    steady: float = 20.0
    batch: float = 0.25  # between two marks
    shape: float = 1.5  # each of the other shapes
    side: float = 2.0  # each of the other dtypes
    between: float = 6.0  # kept free for what is between several GPUs
    deadline: float = 55.0  # for everything; a step that no longer fits is left out and said so
    seed: int = 0
    dtype: str | None = None  # None: the one the card is sold by
    gpus: tuple[int, ...] = ()  # none: all
    device: str = "auto"
    threads: int | None = None


FULL = Plan()
QUICK = Plan(mode="quick", warm=2.0, steady=6.0, between=0.0, deadline=18.0)  # between GPUs: in what time is left

# Relative error against float64 (Frobenius norm over the entries looked at) above which a result is wrong.
TOLERANCE = {"fp64": 1e-12, "fp32": 1e-5, "tf32": 3e-3, "fp16": 3e-3, "bf16": 1.5e-2, "fp8": 3e-2, "fp16_acc": 1e-1}
LOOKED_AT = 16  # rows and columns of each result


# ---------------------------------------------------------------- the device: the only part that knows torch


class Product:
    """A matrix product on a device: inputs of random numbers in two sets, and an output that begins as NaN."""

    def __init__(self, device: TorchDevice, dtype: str, shape: Sequence[int], seed: int) -> None:
        torch = self.torch = device.torch
        self.device, self.dtype, self.shape = device, dtype, tuple(shape)
        m, n, k = self.shape
        self.flop = 2.0 * m * n * k
        kind = device.torch_dtype(dtype)
        where = device.where
        generator = torch.Generator(device=where)
        generator.manual_seed(seed)
        self.sets = []
        for _ in range(2):
            a = torch.randn(m, k, generator=generator, device=where, dtype=torch.float32).to(kind)
            b = torch.randn(n, k, generator=generator, device=where, dtype=torch.float32).to(kind)
            # fp8 wants the second factor by columns; the others get it by rows, as most programs hold it
            self.sets.append((a, b.t() if dtype == "fp8" else b.t().contiguous()))
        self.picks = torch.Generator()
        self.picks.manual_seed(seed + 1)
        self.out = torch.full((m, n), math.nan, device=where, dtype=torch.bfloat16 if dtype == "fp8" else kind)
        self.scale = torch.ones((), device=where, dtype=torch.float32)
        device.set_mode(dtype)

    def launch(self, i: int) -> None:
        """Start the product of set ``i`` modulo 2; returns before a GPU has done it."""
        a, b = self.sets[i & 1]
        if self.dtype == "fp8":
            self.out = self.torch._scaled_mm(  # noqa: SLF001  (torch has no public name for it)
                a, b, scale_a=self.scale, scale_b=self.scale, out_dtype=self.torch.bfloat16, use_fast_accum=True
            )
        else:
            self.torch.mm(a, b, out=self.out)

    def poison(self) -> None:
        """Make every entry NaN, so that one which nothing writes is seen."""
        self.out.fill_(math.nan)

    def error(self, i: int) -> float:
        """Relative error of the last result, which was set ``i`` modulo 2, against float64; NaN where any entry is."""
        torch = self.torch
        a, b = self.sets[i & 1]
        rows = torch.randint(0, self.shape[0], (LOOKED_AT,), generator=self.picks)
        columns = torch.randint(0, self.shape[1], (LOOKED_AT,), generator=self.picks)
        left = a.float()[rows.to(a.device)] if self.dtype == "fp8" else a[rows.to(a.device)]
        right = b.float()[:, columns.to(b.device)] if self.dtype == "fp8" else b[:, columns.to(b.device)]
        wanted = left.cpu().double() @ right.cpu().double()
        got = self.out[rows.to(a.device)][:, columns.to(a.device)].cpu().double()
        if not bool(torch.isfinite(self.out).all()):  # every entry, not only those compared
            return math.nan
        return float((got - wanted).norm() / wanted.norm())

    def free(self) -> None:
        self.sets, self.out = [], None
        self.device.release()


class TorchDevice:
    """One GPU through ``torch.cuda`` (NVIDIA and ROCm alike), or the CPU: the same calls either way."""

    def __init__(self, index: int, plan: Plan) -> None:
        import torch

        torch.set_grad_enabled(False)
        self.torch, self.index = torch, index
        self.is_gpu = plan.device != "cpu" and torch.cuda.is_available()
        self.count = torch.cuda.device_count() if self.is_gpu else 1
        self.is_rocm = bool(getattr(torch.version, "hip", None)) and self.is_gpu
        if plan.threads:
            torch.set_num_threads(plan.threads)
        if self.is_gpu:
            torch.cuda.set_device(index)
        self.where = torch.device(f"cuda:{index}" if self.is_gpu else "cpu")
        self.cc = self._cc()

    def _cc(self) -> tuple[int, int]:
        if not self.is_gpu or self.is_rocm:
            return (0, 0)
        major, minor = self.torch.cuda.get_device_capability(self.index)
        return int(major), int(minor)

    # -- what it is

    def facts(self) -> Facts:
        """Identity as the device itself reports it."""
        torch = self.torch
        facts: Facts = {
            "torch": torch.__version__,
            "cuda": torch.version.cuda,
            "hip": getattr(torch.version, "hip", None),
        }
        if not self.is_gpu:
            isa = torch.backends.cpu.get_cpu_capability() if hasattr(torch.backends.cpu, "get_cpu_capability") else None
            return {**facts, "kind": "cpu", "name": cpu_name(), "threads": torch.get_num_threads(), "isa": isa}
        one = torch.cuda.get_device_properties(self.index)
        free, _ = torch.cuda.mem_get_info(self.index)
        arch = str(getattr(one, "gcnArchName", "")).split(":")[0]
        return {
            **facts,
            "kind": "rocm" if self.is_rocm else "cuda",
            "name": one.name,
            "cc": arch if self.is_rocm else f"{one.major}.{one.minor}",
            "sms": one.multi_processor_count,
            "memory_mib": one.total_memory // (1 << 20),
            "free_mib": free // (1 << 20),
            "l2_bytes": getattr(one, "L2_cache_size", None),
            "bus_bits": getattr(one, "memory_bus_width", None),
            "uuid": str(one.uuid) if getattr(one, "uuid", None) else None,
            "pci": _pci_address(one),
            "tunable_op": os.environ.get("PYTORCH_TUNABLEOP_ENABLED"),
        }

    def dtypes(self) -> tuple[str, ...]:
        """The dtypes that this device computes in hardware."""
        if not self.is_gpu:
            return CPU_DTYPES
        if self.is_rocm:
            fp8 = str(self.facts()["cc"]).startswith(("gfx94", "gfx95"))
            return ("bf16", "fp16", "fp32", "fp64", *(("fp8",) if fp8 else ()))
        if self.cc >= (8, 0):
            return ("bf16", "fp16", "tf32", "fp32", "fp64", *(("fp8",) if self.cc >= (8, 9) else ()))
        return ("fp16", "fp32", "fp64") if self.cc >= (7, 0) else ("fp32", "fp64")

    def torch_dtype(self, dtype: str) -> Any:
        torch = self.torch
        if dtype == "fp8":
            return torch.float8_e4m3fnuz if str(self.facts()["cc"]).startswith("gfx94") else torch.float8_e4m3fn
        names = {"bf16": "bfloat16", "fp16": "float16", "fp16_acc": "float16", "fp64": "float64"}
        return getattr(torch, names.get(dtype, "float32"))

    def set_mode(self, dtype: str) -> None:
        """tf32 and fp16 accumulation are switches of the library, not dtypes."""
        matmul = self.torch.backends.cuda.matmul
        if hasattr(matmul, "fp32_precision"):
            matmul.fp32_precision = "tf32" if dtype == "tf32" else "ieee"
        else:
            matmul.allow_tf32 = dtype == "tf32"
        if hasattr(matmul, "allow_fp16_accumulation"):
            matmul.allow_fp16_accumulation = dtype == "fp16_acc"

    def has_fp16_accumulation(self) -> bool:
        return self.is_gpu and not self.is_rocm and hasattr(self.torch.backends.cuda.matmul, "allow_fp16_accumulation")

    # -- time

    def now(self) -> float:
        """The host's clock, which all processes of the host share."""
        return time.monotonic()

    def cpu_seconds(self) -> float:
        """CPU time this process has used."""
        return time.process_time()

    def mark(self) -> Any:
        """A point in the device's own order of work."""
        if not self.is_gpu:
            return time.perf_counter()
        event = self.torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def seconds(self, start: Any, end: Any) -> float:
        """Seconds between two marks; waits for the second."""
        if not self.is_gpu:
            return float(end - start)
        end.synchronize()
        return float(start.elapsed_time(end)) / 1e3

    # -- memory

    def product(self, dtype: str, shape: Sequence[int], seed: int) -> Product:
        return Product(self, dtype, shape, seed)

    def free_bytes(self) -> int:
        return int(self.torch.cuda.mem_get_info(self.index)[0]) if self.is_gpu else 2 * GIB

    def release(self) -> None:
        if self.is_gpu:
            self.torch.cuda.empty_cache()

    def copy_gbps(self) -> float:
        """Best of ten copies inside the device's memory, bytes read and written together, decimal GB/s."""
        torch = self.torch
        size, times = (GIB, 11) if self.is_gpu else (GIB // 8, 4)
        while size > self.free_bytes() // 4:
            size //= 2
        source = torch.ones(size // 4, device=self.where, dtype=torch.float32)
        target = torch.empty_like(source)
        best = min(self._timed(lambda: target.copy_(source)) for _ in range(times))
        self.release()
        return 2 * size / best / 1e9

    def host_gbps(self) -> Facts:
        """Best of six copies from and to pinned host memory, decimal GB/s; nothing to copy on a CPU."""
        if not self.is_gpu:
            return {}
        torch, size = self.torch, GIB // 4
        there = torch.ones(size // 4, device=self.where, dtype=torch.float32)
        here = torch.ones(size // 4, dtype=torch.float32).pin_memory()
        up = min(self._timed(lambda: there.copy_(here, non_blocking=True)) for _ in range(6))
        down = min(self._timed(lambda: here.copy_(there, non_blocking=True)) for _ in range(6))
        self.release()
        return {"to_device_gbps": size / up / 1e9, "to_host_gbps": size / down / 1e9}

    def _timed(self, work: Callable[[], Any]) -> float:
        start = self.mark()
        work()
        return self.seconds(start, self.mark())

    def check_memory(self, seed: int, time_left: Callable[[], float]) -> Facts:
        """Write nine tenths of the free memory, then read all of it back: memory that is not there wraps or faults."""
        if not self.is_gpu:
            return {}
        torch = self.torch
        self.release()
        wanted, size = self.free_bytes() * 9 // 10, GIB
        while size > max(wanted // 8, 1 << 24):
            size //= 2
        pieces: list[Any] = []
        with contextlib.suppress(RuntimeError):  # less can be had than is said to be free
            while (len(pieces) + 2) * size <= wanted:
                pieces.append(torch.empty(size // 4, device=self.where, dtype=torch.int32))
        scratch = torch.empty(size // 4, device=self.where, dtype=torch.int32)
        generator = torch.Generator(device=self.where)

        def fill(piece: Any, number: int) -> None:
            generator.manual_seed(seed * 65537 + number)
            piece.random_(generator=generator)

        for number, piece in enumerate(pieces):
            fill(piece, number)
        wrong = verified = 0
        for number, piece in enumerate(pieces):
            if time_left() < 1:
                break
            fill(scratch, number)
            if not torch.equal(piece, scratch):
                wrong += int((piece != scratch).sum())
            verified += 1
        written = len(pieces)
        pieces.clear()
        self.release()
        return {"written_mib": written * size >> 20, "verified_mib": verified * size >> 20, "wrong_words": wrong}


def _pci_address(one: Any) -> str | None:
    if not hasattr(one, "pci_bus_id"):
        return None
    domain, bus, device = (getattr(one, f"pci_{part}_id", 0) for part in ("domain", "bus", "device"))
    return f"{domain:04x}:{bus:02x}:{device:02x}.0"


def cpu_name() -> str:
    lines = _text(Path("/proc/cpuinfo")).splitlines()
    return next((one.split(":", 1)[1].strip() for one in lines if one.startswith("model name")), "CPU")


# ---------------------------------------------------------------- measuring: the same for every device


@dataclass
class Rates:
    """TFLOPS of each batch in order, and the window of host time in which the second half of them ran."""

    values: list[float]
    window: tuple[float, float]
    inner: int
    cpu_share: float

    def second_half(self) -> list[float]:
        return self.values[len(self.values) // 2 :]


def measure(
    device: Any, product: Any, warm: float, seconds: float, batch: float, step: Callable[[float], None]
) -> Rates:
    """Warm up by time, then run batches back to back for ``seconds``, each between two marks of the device.

    Two batches are always on their way, so that the device never waits for the host. ``step`` hears the share done.
    """
    launched = 0

    def run(times: int) -> None:
        nonlocal launched
        for _ in range(times):
            product.launch(launched)
            launched += 1

    start, group, each = device.now(), 1, 0.0
    while True:
        before = device.mark()
        run(group)
        took = device.seconds(before, device.mark())
        each = took / group
        if device.now() - start >= warm:
            break
        if took < batch / 4:
            group *= 2
    inner = max(1, round(batch / max(each, 1e-9)))

    begun, used = device.now(), device.cpu_seconds()
    marks, ends = [device.mark()], [begun]
    values: list[float] = []
    run(inner)
    marks.append(device.mark())
    while len(values) < 5 or device.now() - begun < seconds:
        run(inner)
        marks.append(device.mark())
        values.append(product.flop * inner / device.seconds(marks[-3], marks[-2]) / 1e12)
        ends.append(device.now())
        step(min(1.0, (ends[-1] - begun) / seconds))
    values.append(product.flop * inner / device.seconds(marks[-2], marks[-1]) / 1e12)
    ends.append(device.now())
    share = (device.cpu_seconds() - used) / max(ends[-1] - begun, 1e-9)
    return Rates(values, (ends[len(values) // 2], ends[-1]), inner, share)


def summary(rates: Rates) -> Facts:
    """Median, percentiles and CV of the second half, when the device is in its steady state; drift over the whole."""
    steady, values = rates.second_half(), rates.values
    quarter = max(1, len(values) // 4)
    return {
        "tflops_median": statistics.median(steady),
        "tflops_p5": percentile(steady, 0.05),
        "tflops_p95": percentile(steady, 0.95),
        "tflops_max": max(values),
        "cv": statistics.pstdev(steady) / statistics.fmean(steady),
        "drift": statistics.median(values[-quarter:]) / statistics.median(values[:quarter]) - 1,
        "batches": len(values),
        "inner": rates.inner,
        "cpu_share": rates.cpu_share,
    }


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


# ---------------------------------------------------------------- one GPU from start to end


class Worker:
    """All steps on one device, in order; what no longer fits before the deadline is left out and said so."""

    def __init__(self, device: Any, plan: Plan, emit: Emit, began: float, gpu: int = 0) -> None:
        self.device, self.plan, self.began, self.gpu = device, plan, began, gpu
        self._emit = emit
        self.seed = plan.seed + 1000 * gpu
        several = device.is_gpu and (len(plan.gpus) if plan.gpus else device.count) > 1
        self.deadline = plan.deadline - (plan.between if several else 0.0)

    def emit(self, event: str, **more: Any) -> None:
        self._emit(event, gpu=self.gpu, **more)

    def left(self) -> float:
        return self.deadline - (float(self.device.now()) - self.began)

    def run(self) -> int:
        """0, or the exit status that says why nothing was measured."""
        dtypes = self.device.dtypes()
        dtype = self.plan.dtype or dtypes[0]
        if dtype not in dtypes:
            self.emit("refused", why="dtype", dtype=dtype, has=list(dtypes))
            return RC_UNUSABLE
        try:
            self._try(dtype)
        except RuntimeError as error:  # the library has no code for this chip
            self.emit("unsupported", why="torch", error=str(error)[:300])
            return RC_UNSUPPORTED
        size = self._steady(dtype)
        if self.plan.mode == "full":
            self._sides(dtype, dtypes)
            self._shapes(dtype, size)
        self._copies()
        self._again(dtype)
        return 0

    def _try(self, dtype: str) -> None:
        product = self.device.product(dtype, (64, 64, 64), self.seed)
        product.launch(0)
        self.device.seconds(self.device.mark(), self.device.mark())
        product.free()

    # -- the main reading

    def _size(self, dtype: str) -> int:
        if not self.device.is_gpu:
            return 2048
        if dtype == "fp64":
            return 4096
        free = self.device.free_bytes()
        return 8192 if free >= 3 * GIB else 6144 if free >= 2 * GIB else 4096

    def _steady(self, dtype: str) -> int:
        size = self._size(dtype)
        shape = (size, size, size)
        self.emit("progress", step="check", share=0.0)
        product = self.device.product(dtype, shape, self.seed)
        product.launch(0)
        before = self._check("before", product, dtype, 0)
        last = [0.0]

        def step(share: float) -> None:
            now = self.device.now()
            if now - last[0] >= 1:
                last[0] = now
                self.emit("progress", step="steady", share=round(share, 3))

        self.emit("progress", step="warm", share=0.0)
        rates = measure(self.device, product, self.plan.warm, self.plan.steady, self.plan.batch, step)
        self._reading("steady", dtype, shape, rates, rel_err=before)
        product.free()
        return size

    def _reading(self, kind: str, dtype: str, shape: Sequence[int], rates: Rates, **more: Any) -> None:
        self.emit(
            "reading", kind=kind, protocol_version=PROTOCOL, mode=self.plan.mode, dtype=dtype, shape=list(shape),
            seed=self.seed, window=list(rates.window), **summary(rates), **more,
        )  # fmt: skip

    def _check(self, when: str, product: Any, dtype: str, i: int) -> float:
        error = product.error(i)
        right = error == error and error <= TOLERANCE[dtype]  # NaN is not equal to itself
        self.emit("check", when=when, dtype=dtype, rel_err=error, limit=TOLERANCE[dtype], right=right)
        return float(error)

    # -- the others

    def _shapes(self, dtype: str, size: int) -> None:
        """Other shapes, for comparison with tables of the best one."""
        if not self.device.is_gpu:
            return
        half, double = size // 2, size * 2
        for shape in ((half, size, size), (double, half, size), (size * 5 // 4,) * 3):
            if self._fits("shape", self.plan.shape + 1):
                self._short("shape", dtype, shape, self.plan.shape)

    def _sides(self, main: str, dtypes: Iterable[str]) -> None:
        """The other dtypes, and fp16 with fp16 accumulation: their ratios tell one chip from another."""
        names = sorted((one for one in dtypes if one != main), key=lambda one: one == "tf32")  # it tells least
        if "fp16" in dtypes and self.device.has_fp16_accumulation():
            names.insert(0, "fp16_acc")
        for dtype in names:
            if self._fits(dtype, self.plan.side + 1):
                size = 2048 if dtype == "fp64" or not self.device.is_gpu else 8192 if dtype != "fp32" else 4096
                self._short("side", dtype, (size,) * 3, self.plan.side)

    def _short(self, kind: str, dtype: str, shape: Sequence[int], seconds: float) -> None:
        self.emit("progress", step=kind, dtype=dtype, shape=list(shape), share=0.0)
        try:
            product = self.device.product(dtype, shape, self.seed)
            product.launch(0)
            error = self._check("side", product, dtype, 0) if kind == "side" else None
            rates = measure(self.device, product, seconds / 4, seconds * 3 / 4, self.plan.batch, lambda _share: None)
            self._reading(kind, dtype, shape, rates, rel_err=error)
            product.free()
        except (RuntimeError, TypeError, AttributeError) as error:  # not in this library, or no memory for it
            self.emit(
                "skipped", step=kind, dtype=dtype, shape=list(shape), why=f"{type(error).__name__}: {error}"[:200]
            )

    def _fits(self, step: str, seconds: float) -> bool:
        if self.left() > seconds + 4:  # 4 s for copies, memory and the last check
            return True
        self.emit("skipped", step=step, why="time")
        return False

    def _copies(self) -> None:
        self.emit("progress", step="memory", share=0.0)
        try:
            self.emit("copy", device_gbps=self.device.copy_gbps(), **self.device.host_gbps())
            memory = self.device.check_memory(self.seed, self.left)
        except RuntimeError as error:
            self.emit("memory", error=str(error)[:300])
            return
        if memory:
            self.emit("memory", **memory)

    def _again(self, dtype: str) -> None:
        """The check once more, on a card that is hot by now."""
        size = self._size(dtype)
        product = self.device.product(dtype, (size, size, size), self.seed + 7)
        product.poison()
        product.launch(1)
        self._check("after", product, dtype, 1)
        product.free()


# ---------------------------------------------------------------- between the GPUs of a node

LINK_BYTES = GIB // 4  # one copy
LINK_GROUP = 0.02  # seconds of copies between two marks
SUM_BYTES = GIB  # on each GPU
SUM_GROUP = 0.1
PAIR_LEAST, SUM_LEAST = 0.3, 1.0  # seconds left without which no more pair and no sum is begun
SUM_TIME = 3.0  # kept for the sum in a full run: it sets its library up first
BETWEEN_GRACE = 0.5  # after the deadline of the plan; it is killed another such time later


class TorchNode:
    """All GPUs of a node in one process: copies from one's memory to another's, and sums over all of them."""

    def __init__(self, gpus: Sequence[int]) -> None:
        import torch

        torch.set_grad_enabled(False)
        self.torch, self.gpus = torch, tuple(gpus)

    def open(self) -> None:
        """Make a context on each GPU, which takes a moment on each."""
        for gpu in self.gpus:
            self.torch.zeros(1, device=self.where(gpu))

    def where(self, gpu: int) -> Any:
        return self.torch.device(f"cuda:{gpu}")

    def free_bytes(self, gpu: int) -> int:
        return int(self.torch.cuda.mem_get_info(gpu)[0])

    def now(self) -> float:
        return time.monotonic()

    def mark(self) -> Any:
        """A point in the order of work of every GPU."""
        marks = []
        for gpu in self.gpus:
            event = self.torch.cuda.Event(enable_timing=True)
            event.record(self.torch.cuda.current_stream(gpu))
            marks.append(event)
        return marks

    def seconds(self, start: Any, end: Any) -> float:
        """Seconds between two marks on the GPU where it took longest; waits for all."""
        for event in end:
            event.synchronize()
        return max(float(one.elapsed_time(two)) for one, two in zip(start, end)) / 1e3  # noqa: B905  (Python 3.9)

    def can_access(self, source: int, target: int) -> bool:
        """Whether the one GPU reads and writes the other's memory without the host."""
        return bool(self.torch.cuda.can_device_access_peer(source, target))

    def link(self, source: int, target: int, seed: int) -> Link:
        return Link(self, source, target, seed)

    def sum_methods(self) -> tuple[str, ...]:
        return ("nccl", "copies") if hasattr(self.torch._C, "_nccl_all_reduce") else ("copies",)  # noqa: SLF001

    def total(self, method: str) -> Total:
        return Total(self, method)

    def nccl(self, arrays: Sequence[Any]) -> None:
        self.torch.cuda.nccl.all_reduce(arrays)

    def nccl_version(self) -> str:
        return ".".join(str(part) for part in self.torch.cuda.nccl.version())

    def lane(self, gpu: int) -> Any:
        """A queue of work beside the usual one of a GPU; it begins behind that."""
        stream = self.torch.cuda.Stream(gpu)
        stream.wait_stream(self.torch.cuda.current_stream(gpu))
        return stream

    def on(self, lane: Any) -> Any:
        return self.torch.cuda.stream(lane)

    def follow(self, lane: Any, other: Any) -> None:
        """Let one queue wait for what another holds by now."""
        lane.wait_stream(other)

    def join(self, gpu: int, lane: Any) -> None:
        """Let the usual queue of a GPU wait for another."""
        self.follow(self.torch.cuda.current_stream(gpu), lane)

    def release(self) -> None:
        self.torch.cuda.empty_cache()


class Link:
    """A copy from one GPU to another, of words that differ: each that arrives wrong is counted."""

    def __init__(self, node: TorchNode, source: int, target: int, seed: int) -> None:
        self.node, self.gpus, self.bytes = node, (source, target), LINK_BYTES
        while self.bytes > min(node.free_bytes(source), node.free_bytes(target)) // 8:
            self.bytes //= 2
        self.first = (seed * 31 + source) % (1 << 31)
        self.source = self._words(source)
        self.target = node.torch.full_like(self.source, -1, device=node.where(target))

    def _words(self, gpu: int) -> Any:
        """What the source holds, made on a GPU: the same on each."""
        words = self.node.torch.arange(self.bytes // 4, dtype=self.node.torch.int32, device=self.node.where(gpu))
        return words.mul_(-1640531527).add_(self.first)  # an odd factor, so that no word comes twice

    def launch(self) -> None:
        """Start the copy; returns before it is done."""
        self.target.copy_(self.source, non_blocking=True)

    def wrong(self) -> int:
        """Words of the last copy that are not as they were sent."""
        return int((self.target != self._words(self.gpus[1])).sum())


class Total:
    """An array on each GPU, and their sum left on all of them: by NCCL, or by a ring of copies where that fails."""

    def __init__(self, node: TorchNode, method: str) -> None:
        self.node, self.method, count = node, method, len(node.gpus)
        node.release()
        size = SUM_BYTES
        while size > min(node.free_bytes(gpu) for gpu in node.gpus) // 4:
            size //= 2
        words = size // 4 // count * count
        self.bytes = words * 4
        self.version = node.nccl_version() if method == "nccl" else None
        torch = node.torch
        self.arrays = [torch.empty(words, dtype=torch.float32, device=node.where(gpu)) for gpu in node.gpus]
        self.parts = [array.chunk(count) for array in self.arrays]
        self.spare = [] if method == "nccl" else [torch.empty_like(parts[0]) for parts in self.parts]
        self.fill()

    def fill(self) -> None:
        """Whole numbers, small enough for their sum to be exact in whatever order it is made."""
        for times, array in enumerate(self.arrays, 1):
            array.copy_(self._numbers(array)).mul_(times)

    def _numbers(self, array: Any) -> Any:
        numbers = self.node.torch.arange(len(array), dtype=self.node.torch.int32, device=array.device)
        return numbers.remainder_(1024)

    def launch(self) -> None:
        """Start the sum; returns before it is done."""
        if self.method == "nccl":
            self.node.nccl(self.arrays)
        else:
            self._ring()

    def _ring(self) -> None:
        """Each GPU sends a part to the next, first to be added and then to be kept: 2 (n - 1) parts of n each.

        Sending and receiving have queues of their own, else one GPU after the other would send.
        """
        node, count = self.node, len(self.node.gpus)
        sends = [node.lane(gpu) for gpu in node.gpus]
        takes = [node.lane(gpu) for gpu in node.gpus]
        for step in range(2 * (count - 1)):
            adds = step < count - 1
            for i in range(count):
                j, part = (i + 1) % count, (i - step) % count
                with node.on(sends[i]), node.on(takes[j]):
                    (self.spare[j] if adds else self.parts[j][part]).copy_(self.parts[i][part], non_blocking=True)
            for j in range(count):
                with node.on(takes[j]):
                    if adds:
                        self.parts[j][(j - 1 - step) % count].add_(self.spare[j])
                node.follow(sends[j], takes[j])
        for gpu, send, take in zip(node.gpus, sends, takes):  # noqa: B905  (Python 3.9)
            node.join(gpu, send)
            node.join(gpu, take)

    def wrong(self) -> int:
        """Words that are not the sum, over all GPUs; of a sum that was made once since ``fill``."""
        times = len(self.arrays) * (len(self.arrays) + 1) // 2
        return sum(int((array != self._numbers(array).mul_(times)).sum()) for array in self.arrays)


class Between:
    """Every ordered pair of GPUs, then all of them at once; what no longer fits is left out and said so."""

    def __init__(self, node: Any, plan: Plan, emit: Emit, began: float) -> None:
        self.node, self.plan, self.emit, self.began = node, plan, emit, began

    def left(self) -> float:
        return self.plan.deadline + BETWEEN_GRACE - (float(self.node.now()) - self.began)

    def run(self) -> int:
        self._pairs()
        self._sum()
        return 0

    def _pairs(self) -> None:
        """Neighbours first: where time ends the step, each GPU has been in some pairs."""
        gpus, last = self.node.gpus, -1.0
        count = len(gpus)
        pairs = [(gpus[i], gpus[(i + far) % count]) for far in range(1, count) for i in range(count)]
        kept = SUM_TIME if self.plan.mode == "full" else 0.0
        for done, (source, target) in enumerate(pairs):
            left = self.left() - kept
            if left < PAIR_LEAST:
                self.emit("skipped", step="links", why="time", pairs=len(pairs) - done, of=len(pairs))
                return
            now = self.node.now()
            if now - last >= 1:
                last = now
                self.emit("progress", step="links", share=round(done / len(pairs), 3))
            self._pair(source, target, (left - PAIR_LEAST) / (len(pairs) - done))

    def _pair(self, source: int, target: int, seconds: float) -> None:
        """The best of three groups of copies, or of as many as fit in ``seconds``; the last copy is checked whole."""
        found: Facts = {"from": source, "to": target}
        try:
            found["peer"] = self.node.can_access(source, target)
            link = self.node.link(source, target, self.plan.seed)
            until = self.node.now() + seconds
            self._time(link, 1)  # the first one opens the way
            each = self._time(link, 1)
            inner = max(1, round(min(LINK_GROUP, seconds / 4) / max(each, 1e-9)))
            best = each
            for _ in range(3):
                if self.node.now() + inner * each > until:
                    break
                best = min(best, self._time(link, inner))
            found |= {"gbps": link.bytes / best / 1e9, "size_mib": link.bytes >> 20, "wrong_words": link.wrong()}
        except RuntimeError as error:  # this pair alone
            found["error"] = str(error)[:200]
        self.emit("link", **found)

    def _time(self, work: Any, times: int) -> float:
        """Seconds for each of ``times`` launches, back to back."""
        start = self.node.mark()
        for _ in range(times):
            work.launch()
        return float(self.node.seconds(start, self.node.mark())) / times

    def _sum(self) -> None:
        for method in self.node.sum_methods():
            if self.left() < SUM_LEAST:
                self.emit("skipped", step="all_reduce", why="time")
                return
            self.emit("progress", step="all_reduce", share=0.0)
            try:
                self._sum_by(method)
            except (RuntimeError, AttributeError) as error:  # the next method has another way
                self.emit("skipped", step="all_reduce", method=method, why=str(error)[:200])
            else:
                return

    def _sum_by(self, method: str) -> None:
        """The median of five groups; a sum of its own is checked afterwards."""
        total = self.node.total(method)
        self._time(total, 1)  # sets the library up
        each = self._time(total, 1)
        inner, times = max(1, round(SUM_GROUP / max(each, 1e-9))), [each]
        while len(times) < 6 and self.left() > PAIR_LEAST + 2 * inner * each:
            times.append(self._time(total, inner))
        seconds, count = statistics.median(times[1:] or times), len(self.node.gpus)
        total.fill()
        total.launch()
        rate = total.bytes / seconds / 1e9
        self.emit(
            "all_reduce", gpus=list(self.node.gpus), method=method, version=total.version, size_mib=total.bytes >> 20,
            seconds=seconds, algorithm_gbps=rate, bus_gbps=rate * 2 * (count - 1) / count, wrong_words=total.wrong(),
        )  # fmt: skip


# ---------------------------------------------------------------- what the driver says

SMI_FIELDS = (
    "index", "uuid", "name", "pci.bus_id", "pci.device_id", "pci.sub_device_id", "memory.total", "memory.used",
    "driver_version", "power.limit", "power.default_limit", "clocks.max.sm", "temperature.gpu", "utilization.gpu",
    "ecc.mode.current", "ecc.errors.uncorrected.volatile.total", "ecc.errors.uncorrected.aggregate.total",
    "pcie.link.gen.max", "pcie.link.width.max", "mig.mode.current", "persistence_mode",
)  # fmt: skip
SAMPLE_FIELDS = (
    "uuid", "clocks.current.sm", "power.draw", "temperature.gpu", "utilization.gpu", "clocks_event_reasons.active",
    "pcie.link.gen.current", "pcie.link.width.current",
)  # fmt: skip
OLD_NAMES = {"clocks_event_reasons.active": "clocks_throttle_reasons.active"}
REASONS = (
    (0x1, "idle"), (0x2, "application-clocks"), (0x4, "power-cap"), (0x8, "hw-slowdown"), (0x10, "sync-boost"),
    (0x20, "thermal"), (0x40, "hw-thermal"), (0x80, "power-brake"), (0x100, "display-clocks"),
)  # fmt: skip


def smi(kind: str, fields: Sequence[str]) -> list[Facts] | None:
    """Rows of ``nvidia-smi --query-KIND=…``; fields that this driver does not know are left out. None without it."""
    wanted = list(fields)
    for _ in range(len(fields) + len(OLD_NAMES)):
        try:
            done = subprocess.run(
                ["nvidia-smi", f"--query-{kind}={','.join(wanted)}", "--format=csv,noheader,nounits"],  # noqa: S607
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=10, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
        text = done.stdout.decode("utf-8", "replace")
        unknown = [one for one in wanted if f'"{one}"' in text] if done.returncode else []
        if not unknown:
            return None if done.returncode else rows_of(text, wanted)
        wanted = [OLD_NAMES.get(one, "") if one in unknown else one for one in wanted]
        wanted = [one for one in wanted if one]
    return None


def rows_of(text: str, fields: Sequence[str]) -> list[Facts]:
    """The rows of a table without units; what is not a value ("[N/A]") is None, numbers are numbers."""
    new_names = {old: new for new, old in OLD_NAMES.items()}
    names = [new_names.get(one, one) for one in fields]
    found = []
    for line in text.splitlines():
        cells = [one.strip() for one in line.split(",")]
        if len(cells) == len(names):
            found.append({name: _value(cell) for name, cell in zip(names, cells)})  # noqa: B905  (Python 3.9)
    return found


def _value(cell: str) -> Any:
    if not cell or cell.startswith("[") or cell == "N/A":
        return None
    if cell.lower().startswith("0x"):
        return cell.lower()
    try:
        return float(cell) if "." in cell and cell.replace(".", "", 1).isdigit() else int(cell)
    except ValueError:
        return cell


def snapshot() -> list[Facts] | None:
    """Every GPU as the driver reports it now, with the processes that compute on it."""
    rows = smi("gpu", SMI_FIELDS)
    if rows is None:
        return None
    apps = smi("compute-apps", ("gpu_uuid", "pid", "used_memory")) or []
    remapped = smi("remapped-rows", ("gpu_uuid", "remapped_rows.pending", "remapped_rows.failure")) or []
    for row in rows:
        row["processes"] = sum(one["gpu_uuid"] == row.get("uuid") for one in apps)
        mine = [one for one in remapped if one["gpu_uuid"] == row.get("uuid")]
        for part in ("pending", "failure"):
            row[f"remapped_{part}"] = mine[0].get(f"remapped_rows.{part}") if mine else None
    return rows


def row_of(facts: Facts, rows: Sequence[Facts] | None, gpu: int, count: int) -> Facts | None:
    """The driver's row of the GPU that a worker sees: by uuid, by PCI address, or by its place when all are seen."""
    uuid, pci = facts.get("uuid"), facts.get("pci")
    for row in rows or ():
        if uuid and str(row.get("uuid", "")).lower().endswith(str(uuid).lower().replace("gpu-", "")):
            return row
    for row in rows or ():
        if pci and str(row.get("pci.bus_id", "")).lower().endswith(str(pci)):
            return row
    if rows and len(rows) == count and not uuid and not pci:
        return rows[gpu]
    return None


def busy(row: Facts | None) -> str | None:
    """Why a GPU is not free to be measured, None when it is."""
    if row is None:
        return None
    if row.get("processes"):
        return "process"
    if (row.get("utilization.gpu") or 0) > BUSY_PERCENT:
        return "utilisation"
    if (row.get("memory.used") or 0) > BUSY_MIB:
        return "memory"
    return None


class Xids:
    """Faults of the driver in the kernel's log since the start; None where the log may not be read."""

    def __init__(self, path: str = "/dev/kmsg") -> None:
        self.path = path
        found = self._all()
        self.last = None if found is None else max([number for number, _ in found], default=-1)

    def new(self) -> list[str] | None:
        found = self._all()
        if found is None or self.last is None:
            return None
        return [text[:200] for number, text in found if number > self.last and "NVRM: Xid" in text][:20]

    def _all(self) -> list[tuple[int, str]] | None:
        found = []
        try:
            log = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            return None
        try:
            while data := os.read(log, 8192):
                for line in data.decode("utf-8", "replace").splitlines():
                    head, _, text = line.partition(";")
                    parts = head.split(",")
                    if len(parts) > 1 and parts[1].isdigit():
                        found.append((int(parts[1]), text))
        except BlockingIOError:  # all of it is read
            pass
        except OSError:
            return None
        finally:
            os.close(log)
        return found


class Sampler(threading.Thread):
    """Clocks, power and temperature of all GPUs five times a second, until told to stop."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.samples: list[tuple[float, Facts]] = []
        self._stop_asked = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        for fields in (SAMPLE_FIELDS, tuple(OLD_NAMES.get(one, one) for one in SAMPLE_FIELDS)):
            try:
                self._child = subprocess.Popen(
                    ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits", "-lms", "200"],  # noqa: S607
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                )  # fmt: skip
            except OSError:
                return
            assert self._child.stdout is not None
            for line in self._child.stdout:
                for row in rows_of(line.decode("utf-8", "replace"), fields):
                    self.samples.append((time.monotonic(), row))
                if self._stop_asked.is_set():
                    break
            self._end_child()
            self._close()
            if self.samples or self._stop_asked.is_set():
                return

    def stop(self) -> None:
        self._stop_asked.set()
        self._end_child()

    def _end_child(self) -> None:
        if self._child is not None and self._child.poll() is None:
            self._child.kill()
            self._child.wait()

    def _close(self) -> None:
        if self._child is not None and self._child.stdout is not None:
            self._child.stdout.close()

    def of(self, row: Facts | None, _facts: Facts) -> list[tuple[float, Facts]]:
        return [one for one in list(self.samples) if row is not None and one[1].get("uuid") == row.get("uuid")]


class AmdSampler(threading.Thread):
    """The same for AMD cards, from the kernel's own files."""

    def __init__(self, root: Path = Path("/sys/bus/pci/devices")) -> None:
        super().__init__(daemon=True)
        self.root = root
        self.samples: dict[str, list[tuple[float, Facts]]] = {}
        self._stop_asked = threading.Event()

    def run(self) -> None:
        folders = sorted(self.root.glob("*/hwmon/hwmon*"))
        files = {path.parts[-3]: path for path in folders if _text(path / "name") == "amdgpu"}
        while files and not self._stop_asked.wait(0.2):
            for address, path in files.items():
                self.samples.setdefault(address, []).append((time.monotonic(), self._one(path)))

    def _one(self, path: Path) -> Facts:
        power = _number(path / "power1_average") or _number(path / "power1_input")
        heat = _number(path / "temp2_input") or _number(path / "temp1_input")
        return {
            "clocks.current.sm": _scaled(_number(path / "freq1_input"), 1e-6),
            "power.draw": _scaled(power, 1e-6),
            "temperature.gpu": _scaled(heat, 1e-3),
        }

    def stop(self) -> None:
        self._stop_asked.set()

    def of(self, _row: Facts | None, facts: Facts) -> list[tuple[float, Facts]]:
        return list(self.samples.get(str(facts.get("pci")), []))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _number(path: Path) -> float | None:
    text = _text(path)
    return float(text) if text.isdigit() else None


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def clocks(samples: Sequence[tuple[float, Facts]], window: Sequence[float]) -> Facts:
    """What the samples inside a window of host time say; ``samples`` 0 when there were none."""
    rows = [row for at, row in samples if window[0] <= at <= window[1] and row.get("clocks.current.sm") is not None]
    if not rows:
        return {"samples": 0}
    held: dict[str, int] = {}
    for row in rows:
        bits = row.get("clocks_event_reasons.active")
        for bit, name in REASONS:
            if isinstance(bits, str) and bits.startswith("0x") and int(bits, 16) & bit:
                held[name] = held.get(name, 0) + 1
    found: Facts = {"samples": len(rows), "throttle": {name: n / len(rows) for name, n in held.items()}}
    for name, field, fold in (
        ("mean_mhz", "clocks.current.sm", statistics.fmean), ("min_mhz", "clocks.current.sm", min),
        ("mean_w", "power.draw", statistics.fmean), ("max_c", "temperature.gpu", max),
        ("mean_util", "utilization.gpu", statistics.fmean), ("pcie_gen", "pcie.link.gen.current", max),
        ("pcie_width", "pcie.link.width.current", max),
    ):  # fmt: skip
        values = [row[field] for row in rows if row.get(field) is not None]
        found[name] = fold(values) if values else None
    return found


# ---------------------------------------------------------------- output


def line_of(event: str, more: Facts) -> bytes:
    return (json.dumps({"ev": event, **_strict(more)}, allow_nan=False, separators=(",", ":")) + "\n").encode()


def _strict(value: Any) -> Any:
    """JSON knows neither NaN nor infinity: they become null; figures keep six digits."""
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _strict(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(item) for item in value]
    return value


def write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


# ---------------------------------------------------------------- the process that starts the others


def open_device(index: int, plan: Plan) -> Any:
    """The device of a worker. Raises ImportError without torch."""
    return TorchDevice(index, plan)


def open_node(gpus: Sequence[int]) -> Any:
    """All GPUs of the node, in the process that measures what is between them. Raises ImportError without torch."""
    return TorchNode(gpus)


def foreign_accelerator() -> str | None:
    """An accelerator that torch has no ``torch.cuda`` device for."""
    kinds = (("davinci[0-9]*", "ascend"), ("hl[0-9]*", "gaudi"), ("accel/accel[0-9]*", "accel"))
    return next((kind for pattern, kind in kinds if any(Path("/dev").glob(pattern))), None)


class Child:
    """A process that measures: its lines come through a pipe, and it waits for a byte before it begins.

    ``body`` takes the two ends that it needs, for its lines and for that byte, and returns the exit status.
    """

    def __init__(self, gpu: int, body: Callable[[int, int], int]) -> None:
        self.gpu, self.rest = gpu, b""
        self.rc: int | None = None
        self.facts: Facts = {}
        self.row: Facts | None = None
        self.lines, theirs = os.pipe()
        go, self.go = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.lines)
            os.close(self.go)
            os._exit(body(theirs, go))
        os.close(theirs)
        os.close(go)

    def start(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self.go, b"g")

    def read(self) -> list[Facts] | None:
        """The events that have come; None at the end."""
        data = os.read(self.lines, 1 << 16)
        if not data:
            return None
        *whole, self.rest = (self.rest + data).split(b"\n")
        return [json.loads(one) for one in whole if one]

    def close(self) -> int:
        """Wait for its end; the exit status, negative for a signal."""
        os.close(self.lines)
        os.close(self.go)
        _, status = os.waitpid(self.pid, 0)
        return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)

    def kill(self) -> None:
        if self.rc is None:
            with contextlib.suppress(OSError):
                os.kill(self.pid, signal.SIGKILL)


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent goes away (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def settle(began: float, out: int) -> Emit:
    """Make this process a child that ends with its parent; what writes its lines."""
    die_with_parent()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what a library prints must not end between the lines

    def emit(event: str, **more: Any) -> None:
        write_all(out, line_of(event, {"t": time.monotonic() - began, **more}))

    return emit


def work(gpu: int, plan: Plan, began: float, out: int, go: int) -> int:
    """The body of a worker process; its exit status."""
    emit = settle(began, out)
    try:
        device = open_device(gpu, plan)
    except ImportError as error:
        emit("no_torch", gpu=gpu, error=str(error)[:200])
        return RC_NO_TORCH
    except RuntimeError as error:  # the driver and the library do not fit
        emit("unsupported", gpu=gpu, why="driver", error=str(error)[:300])
        return RC_UNSUPPORTED
    emit("identity", gpu=gpu, count=device.count, dtypes=list(device.dtypes()), **device.facts())
    if not os.read(go, 1):
        return RC_DIED
    try:
        return Worker(device, plan, emit, began, gpu).run()
    except RuntimeError as error:
        emit("error", gpu=gpu, error=f"{type(error).__name__}: {error}"[:300])
        return RC_DIED


def work_between(gpus: Sequence[int], plan: Plan, began: float, out: int, go: int) -> int:
    """The body of the process for what is between GPUs: contexts at the first byte, measuring at the second."""
    emit = settle(began, out)
    try:
        node = open_node(gpus)
        if not os.read(go, 1):
            return RC_DIED
        with contextlib.suppress(RuntimeError):  # a card for one process alone: it is free at the second byte
            node.open()
        if not os.read(go, 1):
            return RC_DIED
        return Between(node, plan, emit, began).run()
    except (ImportError, RuntimeError, AttributeError) as error:
        emit("skipped", step="links", why=f"{type(error).__name__}: {error}"[:200])
        return RC_DIED


class Stop(Exception):  # noqa: N818  (not a failure of this program)
    """Reason to end early: an exit status and a word."""

    def __init__(self, rc: int, why: str) -> None:
        super().__init__(why)
        self.rc, self.why = rc, why


class Bench:
    """Starts the workers, adds what the driver and the sampler say, prints every line."""

    def __init__(self, plan: Plan, out: int = 1) -> None:
        self.plan, self.out = plan, out
        self.began = time.monotonic()
        self.children: list[Child] = []
        self.between: Child | None = None  # with several GPUs
        self.step = "links"  # of that one
        self.rows: list[Facts] | None = None
        self.sampler: Any = None
        self.steady: list[int] = []
        self.parent = os.getppid() if os.environ.get("GPU_BOT_RUN") else None

    def emit(self, event: str, **more: Any) -> None:
        try:
            write_all(self.out, line_of(event, {"t": time.monotonic() - self.began, **more}))
        except OSError:  # whoever was reading has gone
            self.kill()
            os._exit(74)

    def kill(self) -> None:
        for child in self._all():
            child.kill()
        if self.sampler is not None:
            self.sampler.stop()

    def _all(self) -> list[Child]:
        return [*self.children, *([self.between] if self.between else [])]

    def run(self) -> int:
        """0 when every GPU was measured; the ``end`` line says it too."""
        self.emit(
            "start", protocol_version=PROTOCOL, mode=self.plan.mode, seed=self.plan.seed, dtype=self.plan.dtype,
            pid=os.getpid(), python=sys.version.split()[0], at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        )  # fmt: skip
        try:
            xids = Xids()
            self.rows = snapshot() if self.plan.device != "cpu" else None
            self._start_workers()
            self._refuse_what_cannot_be_measured()
            self._start_sampler()
            for child in self._all():
                child.start()
            self._until_all_end()
            rc, why = self._outcome()
            self._measure_between()
            self._after(xids)
        except Stop as stop:
            rc, why = stop.rc, stop.why
        self.kill()
        self.emit("end", rc=rc, why=why, gpus=sorted(self.steady), seconds=time.monotonic() - self.began)
        return rc

    # -- starting

    def _start_workers(self) -> None:
        """The first worker says how many GPUs there are; then the others follow."""
        first = self._add(self.plan.gpus[0] if self.plan.gpus else 0)
        self._pump(lambda: bool(first.facts) or first.rc is not None)
        if not first.facts:
            raise Stop(*self._first_failed(first))
        count = int(first.facts["count"])
        beyond = [one for one in self.plan.gpus if one >= count]
        if beyond:
            self.emit("refused", why="gpus", count=count, asked=list(self.plan.gpus))
            raise Stop(RC_UNUSABLE, "gpus")
        gpus = self.plan.gpus or tuple(range(count))
        for gpu in gpus[1:]:
            self._add(gpu)
        if len(gpus) > 1:
            plan, began = self.plan, self.began
            self.between = Child(ALL, lambda out, go: work_between(gpus, plan, began, out, go))
        self._pump(lambda: all(one.facts or one.rc is not None for one in self.children))

    def _first_failed(self, first: Child) -> tuple[int, str]:
        names = {RC_NO_TORCH: "no_torch", RC_UNSUPPORTED: "unsupported"}
        rc = RC_DIED if first.rc is None or first.rc < 0 else first.rc
        return rc or RC_DIED, names.get(rc, "died")

    def _add(self, gpu: int) -> Child:
        plan, began = self.plan, self.began
        child = Child(gpu, lambda out, go: work(gpu, plan, began, out, go))
        self.children.append(child)
        return child

    def _refuse_what_cannot_be_measured(self) -> None:
        for child in self.children:
            child.row = row_of(child.facts, self.rows, child.gpu, len(self.children))
            if child.row is not None:
                self.emit("driver", gpu=child.gpu, when="before", **child.row)
        if self.plan.device == "auto" and self.children[0].facts.get("kind") == "cpu":
            foreign = "nvidia" if self.rows else "amd" if Path("/dev/kfd").exists() else foreign_accelerator()
            if foreign:
                self.emit("unsupported", gpu=0, why="no-device", accelerator=foreign, rows=self.rows)
                raise Stop(RC_UNSUPPORTED, "unsupported")
        reasons = {child.gpu: reason for child in self.children if (reason := busy(child.row))}
        if reasons:
            self.emit("busy", gpus=reasons)
            raise Stop(RC_BUSY, "busy")

    def _start_sampler(self) -> None:
        kind = self.children[0].facts.get("kind")
        self.sampler = Sampler() if kind == "cuda" else AmdSampler() if kind == "rocm" else None
        if self.sampler is not None:
            self.sampler.start()

    # -- waiting

    def _until_all_end(self) -> None:
        self._pump(lambda: all(child.rc is not None for child in self.children))

    def _measure_between(self) -> None:
        """What is between GPUs, once none of them computes any more. Nothing that happens here loses a reading."""
        between = self.between
        if between is None or between.rc is not None:
            return
        if any(child.rc for child in self.children):
            self.emit("skipped", step="links", why="died")
            return
        between.start()
        end = self.began + self.plan.deadline + 2 * BETWEEN_GRACE
        self._pump(lambda: between.rc is not None or time.monotonic() > end)
        if between.rc is None:  # it hangs
            between.kill()
            self.emit("skipped", step=self.step, why="time")

    def _pump(self, done: Callable[[], bool]) -> None:
        while not done():
            alive = {child.lines: child for child in self._all() if child.rc is None}
            ready, _, _ = select.select(list(alive), [], [], 0.2)
            for fd in ready:
                self._take(alive[fd])
            if time.monotonic() - self.began > self.plan.deadline + 2:
                raise Stop(RC_DEADLINE, "deadline")
            if self.parent is not None and os.getppid() != self.parent:
                raise Stop(RC_DIED, "orphan")

    def _take(self, child: Child) -> None:
        events = child.read()
        if events is None:
            child.rc = child.close()
            if child.rc < 0 and child is self.between:
                self.emit("skipped", step=self.step, why="died", signal=-child.rc)
            elif child.rc < 0:
                self.emit("died", gpu=child.gpu, signal=-child.rc)
            return
        for one in events:
            event, window = one.pop("ev"), one.pop("window", None)
            if event == "identity":
                child.facts = one
            if event == "progress" and child is self.between:
                self.step = one["step"]
            if event == "reading" and one["kind"] == "steady":
                self.steady.append(child.gpu)
                if self.sampler is not None:
                    one.update(clocks(self.sampler.of(child.row, child.facts), window))
            self.emit(event, **one)

    # -- ending

    def _outcome(self) -> tuple[int, str | None]:
        worst = next((child.rc for child in self.children if child.rc), 0) or 0
        worst = RC_DIED if worst < 0 else worst
        names = {RC_UNUSABLE: "refused", RC_UNSUPPORTED: "unsupported", RC_NO_TORCH: "no_torch"}
        return (worst, names.get(worst, "died")) if worst else (0, None)

    def _after(self, xids: Xids) -> None:
        if self.sampler is not None:
            self.sampler.stop()
        rows = snapshot() if self.rows else None
        for child in self.children:
            row = row_of(child.facts, rows, child.gpu, len(self.children))
            if row is not None:
                self.emit("driver", gpu=child.gpu, when="after", **row)
        self.emit("xids", new=xids.new())


# ---------------------------------------------------------------- the command line


def plan_of(argv: Sequence[str]) -> Plan:
    """The plan that the arguments ask for; unusable ones end the program with a sentence, as argparse does."""
    parser = argparse.ArgumentParser(description="Measure the GPUs of this host; one JSON object a line.")
    parser.add_argument("--quick", action="store_true", help="20 s instead of 60: the steady rate and the memory only")
    parser.add_argument("--dtype", choices=DTYPES)
    parser.add_argument("--gpus", default="all", help="all, or numbers as 0,1")
    parser.add_argument("--device", choices=("auto", "cpu"), default="auto")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, help="of a CPU")
    parser.add_argument("--warm", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--steady", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--deadline", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    gpus: tuple[int, ...] = ()
    if given.gpus != "all":
        parts = given.gpus.split(",")
        if not all(one.isascii() and one.isdigit() for one in parts) or len(set(parts)) != len(parts):
            parser.error(f"--gpus {given.gpus} names no GPUs; write all, or numbers as 0,1")
        gpus = tuple(int(one) for one in parts)
    plan = replace(
        QUICK if given.quick else FULL, dtype=given.dtype, gpus=gpus, device=given.device, seed=given.seed,
        threads=given.threads,
    )  # fmt: skip
    seconds = {name: getattr(given, name) for name in ("warm", "steady", "deadline")}
    return replace(plan, **{name: value for name, value in seconds.items() if value is not None})


def main(argv: Sequence[str]) -> int:
    bench = Bench(plan_of(argv))
    if bench.parent is not None:
        die_with_parent()

    def end(number: int, _frame: Any) -> None:
        bench.kill()
        os._exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)
    return bench.run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
