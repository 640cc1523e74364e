"""A GPU of known rate on a clock of its own, in the place of the device that the payload opens."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any


class FakeProduct:
    def __init__(self, device: FakeGpu, dtype: str, shape: Sequence[int]) -> None:
        self.device, self.dtype = device, dtype
        m, n, k = shape
        self.flop = 2.0 * m * n * k
        self.launches: list[int] = []

    def launch(self, i: int) -> None:
        self.launches.append(i)
        self.device.queue(self.flop / (self.device.rate(self.dtype) * 1e12))

    def poison(self) -> None:
        self.launches.clear()

    def error(self, i: int) -> float:
        return self.device.error

    def free(self) -> None:
        pass


class FakeGpu:
    """Work is queued and done at ``tflops``; the host's clock moves only when it waits, and a little on each launch.

    ``cold`` is the share of the rate in the first seconds of load, ``swing`` the amplitude of a cycle of 0.4 s;
    ``paced`` makes its clock the host's real one.
    """

    is_gpu = True

    def __init__(
        self, tflops: float = 789.0, *, error: float = 0.002, cold: float = 1.0, warm_after: float = 2.0,
        swing: float = 0.0, launch_s: float = 5e-6, others: dict[str, float] | None = None, count: int = 1,
        facts: dict[str, Any] | None = None, free: int = 100 << 30, side_error: bool = False, paced: bool = False,
    ) -> None:  # fmt: skip
        self.tflops, self.error, self.cold, self.warm_after = tflops, error, cold, warm_after
        self.swing, self.launch_s, self.others, self.count = swing, launch_s, others or {}, count
        self.paced = paced
        self.host = self.done = time.monotonic() if paced else 0.0
        self.extra, self.free, self.side_error = facts or {}, free, side_error

    # -- the device's own time

    def rate(self, dtype: str) -> float:
        own = self.others.get(dtype, self.tflops)
        if self.done < self.warm_after:
            own *= self.cold
        return own * (1 + self.swing * math.sin(self.done / 0.4 * 2 * math.pi))

    def queue(self, seconds: float) -> None:
        self.host += self.launch_s
        self.done = max(self.done, self.host) + seconds

    # -- what the payload asks of a device

    def facts(self) -> dict[str, Any]:
        return {"kind": "cuda", "name": "NVIDIA H200", "cc": "9.0", "sms": 132, "memory_mib": 143771, **self.extra}

    def dtypes(self) -> tuple[str, ...]:
        return ("bf16", "fp16", "tf32", "fp32", "fp64", "fp8")

    def has_fp16_accumulation(self) -> bool:
        return True

    def now(self) -> float:
        if self.paced:
            self.host = max(self.host, time.monotonic())
        return self.host

    def cpu_seconds(self) -> float:
        return self.host / 10

    def mark(self) -> float:
        return max(self.done, self.host)

    def seconds(self, start: float, end: float) -> float:
        self.host = max(self.host, end)  # waiting
        if self.paced:
            time.sleep(max(0.0, end - time.monotonic()))
        return end - start

    def product(self, dtype: str, shape: Sequence[int], seed: int) -> FakeProduct:
        if self.side_error and dtype == "fp8":
            raise TypeError("_scaled_mm() got an unexpected keyword argument")
        return FakeProduct(self, dtype, shape)

    def free_bytes(self) -> int:
        return self.free

    def copy_gbps(self) -> float:
        self.host += 0.5
        return 4300.0

    def host_gbps(self) -> dict[str, float]:
        return {"to_device_gbps": 55.0, "to_host_gbps": 54.0}

    def check_memory(self, seed: int, time_left: Callable[[], float]) -> dict[str, int]:
        self.host += 1.0
        return {"written_mib": 1000, "verified_mib": 1000, "wrong_words": 0}


class FakeWork:
    """A copy or a sum that takes a known time, the first of them a little longer."""

    def __init__(self, node: FakeNode, size: int, seconds: float, wrong: int = 0, setup: float = 0.0) -> None:
        self.node, self.bytes, self.seconds_each, self.words_wrong, self.setup = node, size, seconds, wrong, setup
        self.version = "2.27.3"

    def launch(self) -> None:
        self.node.queue(self.seconds_each + self.setup)
        self.setup = 0.0

    def fill(self) -> None:
        pass

    def wrong(self) -> int:
        return self.words_wrong


class FakeNode:
    """GPUs with links of known rate, on a clock of their own; ``rates``, ``wrong`` and ``broken`` are by pair.

    ``bus`` is the bus bandwidth of a sum over all; without ``nccl`` it is made by copies. ``hangs`` never ends a sum.
    """

    def __init__(
        self, gpus: Sequence[int], gbps: float = 390.0, *, rates: dict[tuple[int, int], float] | None = None,
        bus: float = 470.0, wrong: dict[tuple[int, int], int] | None = None, wrong_sum: int = 0,
        broken: dict[tuple[int, int], str] | None = None, peer: bool = True, nccl: bool = True,
        nccl_error: str | None = None, at: float = 0.0, paced: bool = False, hangs: bool = False,
    ) -> None:  # fmt: skip
        self.gpus, self.gbps, self.rates, self.bus = tuple(gpus), gbps, rates or {}, bus
        self.wrong, self.wrong_sum, self.broken = wrong or {}, wrong_sum, broken or {}
        self.peer, self.has_nccl, self.nccl_error, self.hangs = peer, nccl, nccl_error, hangs
        self.paced = paced
        self.host = self.done = time.monotonic() if paced else at

    def open(self) -> None:
        pass

    def queue(self, seconds: float) -> None:
        self.host += 5e-6
        self.done = max(self.done, self.host) + seconds

    def now(self) -> float:
        if self.paced:
            self.host = max(self.host, time.monotonic())
        return self.host

    def mark(self) -> float:
        return max(self.done, self.host)

    def seconds(self, start: float, end: float) -> float:
        self.host = max(self.host, end)
        return end - start

    def can_access(self, source: int, target: int) -> bool:
        return self.peer

    def link(self, source: int, target: int, seed: int) -> FakeWork:
        pair, size = (source, target), 1 << 28
        if pair in self.broken:
            raise RuntimeError(self.broken[pair])
        took = size / (self.rates.get(pair, self.gbps) * 1e9)
        return FakeWork(self, size, took, self.wrong.get(pair, 0), setup=0.004)

    def sum_methods(self) -> tuple[str, ...]:
        return ("nccl", "copies") if self.has_nccl else ("copies",)

    def total(self, method: str) -> FakeWork:
        if self.hangs:
            time.sleep(60)
        if method == "nccl" and self.nccl_error:
            raise RuntimeError(self.nccl_error)
        size, count = 1 << 30, len(self.gpus)
        took = size / (self.bus * 1e9) * 2 * (count - 1) / count  # bus = size / took x 2 (n - 1) / n
        return FakeWork(self, size, took, self.wrong_sum, setup=0.3)
