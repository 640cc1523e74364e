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
