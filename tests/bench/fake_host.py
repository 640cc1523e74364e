"""The payload on a host whose GPUs are invented: ``fake_host.py COUNT [arguments of the payload]``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]

from bench.fake_gpu import FakeGpu, FakeNode  # noqa: E402
from bot.bench import payload  # noqa: E402


def open_device(index: int, plan: payload.Plan) -> FakeGpu:
    if os.environ.get("FAKE_DIES") == str(index):
        os.kill(os.getpid(), 9)
    rate = float(os.environ.get("FAKE_TFLOPS", "780"))
    return FakeGpu(rate + index, count=int(sys.argv[1]), facts={"uuid": f"fake-{index}"}, paced=True)


def open_node(gpus: tuple[int, ...]) -> FakeNode:
    if os.environ.get("FAKE_NODE") == "dies":
        os.kill(os.getpid(), 9)
    return FakeNode(gpus, paced=True, hangs=os.environ.get("FAKE_NODE") == "hangs")


payload.open_device = open_device  # type: ignore[assignment]
payload.open_node = open_node  # type: ignore[assignment]
sys.exit(payload.main(sys.argv[2:]))
