"""How much GPU memory a model needs, and how many cards that is.

Estimates with their formula shown, in decimal GB. Weights and optimiser state follow from the parameters; what the
run adds (activations, KV cache, adapters) does not, so it is a stated share on top, and never more than an estimate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from types import MappingProxyType
from typing import Any

from rules.model import Catalog, Gpu, GpuVariant, Question

BYTES_PER_WEIGHT: Mapping[str, Decimal] = MappingProxyType(
    {
        "fp64": Decimal(8), "fp32": Decimal(4), "tf32": Decimal(4), "fp16": Decimal(2), "bf16": Decimal(2),
        "fp8": Decimal(1), "int8": Decimal(1), "int4": Decimal("0.5"),
    }
)  # fmt: skip
# Mixed precision with AdamW: 2 half weights + 4 full weights + 4 gradients + 8 optimiser state.
# https://github.com/stas00/ml-engineering/blob/master/training/performance/README.md
TRAINING_BYTES = Decimal(18)
FULL_PRECISION_BYTES = Decimal(16)  # 4 weights + 4 gradients + 8 optimiser state, when everything is fp32
CACHE_SHARE = Decimal("1.2")  # KV cache at a modest batch and context, and the framework's own buffers
ADAPTER_SHARE = Decimal("1.2")  # LoRA and QLoRA: adapters, their optimiser state, activations
PURPOSES = ("inference", "lora", "qlora", "training")


@dataclass(frozen=True, slots=True)
class Need:
    """Memory over all cards. ``floor_gb`` is what the parameters alone take, ``need_gb`` with the share on top."""

    purpose: str
    dtype: str
    floor_gb: Decimal
    need_gb: Decimal
    formula: str


def purpose_of(question: Question) -> tuple[str, bool]:
    """What the memory is for, and whether the question states it; inference when it does not."""
    if "training" in question.workloads:
        return "training", True
    if "fine_tuning" in question.workloads:
        return ("qlora" if question.dtype == "int4" else "lora"), True
    return "inference", "inference" in question.workloads


def need(params_b: Decimal, purpose: str, dtype: str | None = None) -> Need:
    """The memory that ``params_b`` billion parameters take.

    >>> need(Decimal(7), "training").need_gb
    Decimal('126')
    >>> need(Decimal(175), "inference").floor_gb
    Decimal('350')
    """
    if purpose == "training":
        full = dtype in ("fp32", "tf32")
        each = FULL_PRECISION_BYTES if full else TRAINING_BYTES
        total = params_b * each
        return Need(purpose, "fp32" if full else "bf16", total, total, f"{params_b:f} B × {each} = {_show(total)} GB")
    kind = {"qlora": "int4", "lora": "fp16"}.get(purpose) or dtype or "fp16"
    each = BYTES_PER_WEIGHT[kind]
    share = CACHE_SHARE if purpose == "inference" else ADAPTER_SHARE
    floor = params_b * each
    total = floor * share
    formula = f"{params_b:f} B × {each} = {_show(floor)} GB; × {share} = {_show(total)} GB"
    return Need(purpose, kind, floor, total, formula)


def needed_gb(question: Question) -> Decimal | None:
    """VRAM over all cards that a question asks for: as stated, or estimated from the model's size."""
    if question.total_memory_gb is not None:
        return question.total_memory_gb
    if question.model_params_b is None:
        return None
    sized_by_count = question.gpu_count is not None or question.min_memory_gb is not None
    named_without_asking_how_many = bool(question.gpus) and question.intent != "recommend"
    if sized_by_count or named_without_asking_how_many:
        return None
    purpose, _ = purpose_of(question)
    return need(question.model_params_b, purpose, question.dtype).need_gb


def cards(gb: Decimal, memory_gb: Decimal) -> int:
    return max(1, int((gb / memory_gb).to_integral_value(rounding=ROUND_CEILING)))


# ---------------------------------------------------------------- the parts of an answer


def fit_part(question: Question, catalog: Catalog) -> dict[str, Any] | None:
    """The answer's part `fit`; None without a model size."""
    if question.model_params_b is None:
        return None
    purpose, stated = purpose_of(question)
    mine = need(question.model_params_b, purpose, question.dtype)
    rows = [_verdict_row(mine, *one) for one in _named(question, catalog)]
    least = min(rows, key=lambda row: row["have_gb"], default=None)
    return {
        "need_gb": mine.need_gb,
        "per": {"purpose": mine.purpose, "dtype": mine.dtype, "purpose_stated": stated},
        "floor_gb": mine.floor_gb,
        "formula": mine.formula,
        "gpus_needed": {name: cards(mine.need_gb, memory) for name, memory in _cards_to_show(question, catalog)},
        "have_gb": least["have_gb"] if least else None,
        "have": least["have"] if least else None,
        "verdict": least["verdict"] if least and len({row["gpu"] for row in rows}) == 1 else None,
        "verdicts": rows,
        "others": [_row(need(question.model_params_b, p, question.dtype)) for p in PURPOSES if p != purpose],
    }


def _verdict_row(mine: Need, gpu: str | None, memory: Decimal | None, count: Decimal, have: Decimal) -> dict[str, Any]:
    named = None if gpu is None or memory is None else f"{count:f} × {gpu} {memory:f} GB"
    return {
        "gpu": gpu, "gpu_memory_gb": memory, "gpus": count, "have_gb": have, "have": named,
        "verdict": _verdict(mine, have),
    }  # fmt: skip


def _row(other: Need) -> dict[str, Any]:
    return {"purpose": other.purpose, "dtype": other.dtype, "need_gb": other.need_gb, "formula": other.formula}


def _verdict(mine: Need, have: Decimal) -> str:
    """`tight`: the parameters fit, but not with what the run adds."""
    if have >= mine.need_gb:
        return "fits"
    return "tight" if have >= mine.floor_gb and mine.purpose != "training" else "does-not-fit"


def _named(question: Question, catalog: Catalog) -> Iterable[tuple[str | None, Decimal | None, Decimal, Decimal]]:
    """What the question names, as (card, memory of one, cards, GB in all); each size of a card by itself."""
    nodes = question.nodes or Decimal(1)
    if question.total_memory_gb is not None:
        yield None, None, Decimal(1), question.total_memory_gb
    elif question.min_memory_gb is not None and not question.gpus:
        count = (question.gpu_count or 1) * nodes
        yield None, question.min_memory_gb, count, question.min_memory_gb * count
    else:
        for ask in question.gpus:
            count = (ask.count or Decimal(1)) * nodes
            variants = _variants(catalog.gpus.get(ask.model), ask.memory_gb, ask.form)
            sizes = {variant.memory_gb for variant in variants if variant.memory_gb is not None}
            yield from ((ask.model, size, count, size * count) for size in sorted(sizes))


def _variants(gpu: Gpu | None, memory: Decimal | None, form: str | None) -> Iterable[GpuVariant]:
    for variant in gpu.variants if gpu else ():
        if memory in (None, variant.memory_gb) and form in (None, variant.form):
            yield variant


_COMMON = ("L4", "A10G", "RTX4090", "L40S", "A100", "H100", "H200", "B200", "MI300X")


def _cards_to_show(question: Question, catalog: Catalog) -> list[tuple[str, Decimal]]:
    """Each memory size of the cards asked for, or of a few common ones."""
    found: dict[str, Decimal] = {}
    asked = [(g.model, g.memory_gb, g.form) for g in question.gpus] or [(model, None, None) for model in _COMMON]
    for model, memory, form in asked:
        for variant in _variants(catalog.gpus.get(model), memory, form):
            if variant.memory_gb is not None:
                found[f"{model} {variant.memory_gb:f} GB"] = variant.memory_gb
    return list(found.items())


def facts_part(question: Question, catalog: Catalog) -> list[dict[str, Any]]:
    """`facts` of a specs question: one row for each variant of each card named, unknown figures None.

    Without a card or a model, the cards whose memory is what is asked for, the smallest first.
    """
    if question.gpus:
        return [
            _facts_row(ask.model, variant)
            for ask in question.gpus
            for variant in _variants(catalog.gpus.get(ask.model), ask.memory_gb, ask.form)
        ]
    if question.model_params_b is not None:
        return []
    least = question.min_memory_gb
    if least is None and question.total_memory_gb is not None and question.gpu_count:
        least = question.total_memory_gb / question.gpu_count
    if least is None:
        least = question.total_memory_gb
    return [] if least is None else _cards_with(least, question, catalog)


def _cards_with(least: Decimal, question: Question, catalog: Catalog) -> list[dict[str, Any]]:
    rows = [
        _facts_row(gpu.model, variant)
        for gpu in catalog.gpus.values()
        if gpu.model not in question.exclude_gpus
        for variant in gpu.variants
        if variant.memory_gb is not None and variant.memory_gb >= least
        if question.dtype is None or variant.peaks.get(question.dtype) is not None
    ]
    return sorted(rows, key=lambda row: (row["memory_gb"], row["gpu"], row["form"] or ""))


def _facts_row(model: str, variant: GpuVariant) -> dict[str, Any]:
    return {
        "gpu": model,
        "memory_gb": variant.memory_gb,
        "form": variant.form,
        "bandwidth_gbps": variant.bandwidth_gbps,
        "dense_tflops": dict(variant.peaks),
        "interconnect": variant.interconnect,
        "tdp_w": variant.tdp_w,
        "source": None if variant.source is None else f"gpus/{variant.id or model}",
    }


def _show(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
