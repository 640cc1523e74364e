"""The events of a run on an invented host, healthy unless a test says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from rules.model import Accelerator

Events = list[dict[str, Any]]


def run_on(
    card: Accelerator,
    tflops: float | Decimal,
    dtype: str = "bf16",
    *,
    gpus: int = 1,
    facts: Mapping[str, Any] | None = None,
    driver: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    steady: Mapping[str, Any] | None = None,
    sides: Mapping[str, float] | None = None,
    more: Events | None = None,
    end: Mapping[str, Any] | None = None,
    rates: Mapping[int, float] | None = None,
) -> Events:
    """One run on ``gpus`` cards that are what the table says; each argument changes one thing.

    ``rates`` gives single GPUs another rate; ``more`` are events before the end; ``end`` None is an end without fault.
    """
    events: Events = [{"ev": "start", "protocol_version": 1, "mode": "full", "seed": 7}]
    for gpu in range(gpus):
        rate = (rates or {}).get(gpu, float(tflops))
        events += _one(card, gpu, rate, dtype, dict(facts or {}), dict(driver or {}), dict(steady or {}))
        events += [
            {"ev": "reading", "kind": "side", "gpu": gpu, "dtype": name, "tflops_median": value}
            for name, value in (sides or {}).items()
        ]
        events.append(_row(card, gpu, {**(driver or {}), **(after or {}), "when": "after"}))
    events += more or []
    if end is None:
        events.append({"ev": "end", "rc": 0, "why": None, "gpus": list(range(gpus)), "seconds": 55.2})
    elif end:
        events.append({"ev": "end", **end})
    return events


def _one(
    card: Accelerator, gpu: int, rate: float, dtype: str, facts: dict[str, Any], driver: dict[str, Any],
    steady: dict[str, Any],
) -> Events:  # fmt: skip
    identity = {
        "ev": "identity", "gpu": gpu, "kind": "cuda", "name": card.device_names[0], "cc": card.cc, "torch": "2.13.0",
        "sms": None if card.sms is None else int(card.sms), "memory_mib": _mib(card), **facts,
    }  # fmt: skip
    reading = {
        "ev": "reading", "kind": "steady", "gpu": gpu, "dtype": dtype, "tflops_median": rate, "cv": 0.004,
        "samples": 50, "mean_mhz": 1700.0, "mean_w": 600.0, "max_c": 62, "throttle": {}, **steady,
    }  # fmt: skip
    check = {"ev": "check", "gpu": gpu, "when": "before", "dtype": dtype, "rel_err": 0.002, "right": True}
    return [identity, _row(card, gpu, {**driver, "when": "before"}), check, reading]


def _row(card: Accelerator, gpu: int, changes: dict[str, Any]) -> dict[str, Any]:
    pci = card.pci_ids[0] if card.pci_ids else "ffff"
    return {
        "ev": "driver", "gpu": gpu, "memory.total": _mib(card), "pci.device_id": f"0x{pci}10de", "processes": 0,
        "power.limit": 700, "power.default_limit": 700, "ecc.errors.uncorrected.volatile.total": 0,
        "ecc.errors.uncorrected.aggregate.total": 0, "remapped_pending": "No", "remapped_failure": "No",
        "mig.mode.current": "Disabled", **changes,
    }  # fmt: skip


def _mib(card: Accelerator) -> int | None:
    if card.memory_mib is not None:
        return int(card.memory_mib)
    size = card.variant.memory_gb
    return None if size is None else int(size / card.devices * 1024)


def links_of(
    gpus: int, gbps: float, rates: Mapping[tuple[int, int], float] | None = None, *, peer: bool = True,
    bus: float | None = None, wrong: Mapping[tuple[int, int], int] | None = None,
) -> Events:  # fmt: skip
    """Copies between all GPUs at one rate, ``rates`` aside, and with ``bus`` a sum over all by NCCL."""
    pairs = [(source, target) for source in range(gpus) for target in range(gpus) if source != target]
    events: Events = [
        {"ev": "link", "from": source, "to": target, "peer": peer, "gbps": (rates or {}).get((source, target), gbps),
         "size_mib": 256, "wrong_words": (wrong or {}).get((source, target), 0)}
        for source, target in pairs
    ]  # fmt: skip
    if bus is not None:
        events.append({
            "ev": "all_reduce", "gpus": list(range(gpus)), "method": "nccl", "version": "2.27.3", "size_mib": 1024,
            "bus_gbps": bus, "wrong_words": 0,
        })  # fmt: skip
    return events
